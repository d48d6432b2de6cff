//! Limits: their keys, their values, and sizes as text (`contract: policy §2`).

mod key;
mod size;
mod values;

pub(crate) use key::LimitKind;
pub use key::{LimitKey, LimitKeys};
pub use size::{SizeError, parse_size};
pub use values::Limits;
pub(crate) use values::{LimitValue, Seconds};

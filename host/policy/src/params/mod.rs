//! Parameters of endpoints that a rule can set: their keys, their values, and file name extensions
//! (`contract: policy §2`).

mod extension;
mod key;
mod values;

pub use extension::extension_of;
pub(crate) use key::ParamKind;
pub use key::{ParamKey, ParamKeys};
pub use values::Params;
pub(crate) use values::{ParamValue, add_new};

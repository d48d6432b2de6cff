//! Reading request bodies: from the wire to JSON with its bulk member set aside, to a form, or to raw bytes, and the
//! codecs of bulk values in answers.
//!
//! A body passes through three stages, each usable alone:
//!
//! * [`length`] judges the headers: is there a body, and how long is it.
//! * [`unread`] holds the body until somebody asks for it, and keeps its deadline and its declared length.
//! * [`read`] pumps it into a reader: [`json`] or [`form`]. What is bulk goes to a [`spool`].
//!
//! This crate knows nothing of wasm, policy, endpoints or answers: its errors are causes.

pub mod base64;
mod clean;
pub mod form;
pub mod json;
pub mod json_text;
pub mod length;
pub mod read;
pub mod spool;
pub mod unread;

pub use form::{Form, FormError, FormFile, FormReader};
pub use json::{JsonError, JsonObject, Scanner};
pub use length::{Declared, LengthError};
pub use read::{ReadError, read_form, read_json};
pub use spool::{Spool, SpoolConfig, SpoolWriter};
pub use unread::{BodyError, UnreadBody};

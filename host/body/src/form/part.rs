//! One part of a form while it arrives.

use multer::Field;

use crate::form::disposition::Disposition;
use crate::form::{FormError, FormFile, MAX_HEAD, MAX_TEXT};
use crate::spool::{SpoolConfig, SpoolWriter};

/// A part that is open.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) field: Field<'static>,
    name: String,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Text(Vec<u8>),
    File { filename: Option<String>, writer: SpoolWriter },
}

/// A part that is complete.
pub(super) enum Closed {
    Text(String, String),
    File(FormFile),
}

impl Part {
    /// Judge the headers of the part with this index, counted from 0.
    pub(super) fn open(
        field: Field<'static>,
        index: usize,
        file_names: &[String],
        spool: &SpoolConfig,
    ) -> Result<Self, FormError> {
        let disposition = field.headers().get("content-disposition").map(|value| value.as_bytes());
        let Some(Disposition { name, filename }) = disposition.and_then(Disposition::parse) else {
            return Err(FormError::Nameless { part: index });
        };
        if name.len().saturating_add(filename.as_ref().map_or(0, String::len)) > MAX_HEAD {
            return Err(FormError::HeadTooLong { limit: MAX_HEAD });
        }
        if let Some(encoding) = field.headers().get("content-transfer-encoding") {
            let encoding = encoding.as_bytes().trim_ascii();
            if !["binary", "8bit", "7bit"].iter().any(|plain| encoding.eq_ignore_ascii_case(plain.as_bytes())) {
                return Err(FormError::TransferEncoding { name });
            }
        }
        let content = if filename.is_some() || file_names.contains(&name) {
            Content::File { filename, writer: SpoolWriter::new(spool.clone()) }
        } else {
            Content::Text(Vec::new())
        };
        Ok(Self { field, name, content })
    }

    pub(super) fn is_file(&self) -> bool {
        matches!(self.content, Content::File { .. })
    }

    /// Take the next bytes. `text_left` is how many more bytes all text parts may have.
    pub(super) fn write(&mut self, bytes: &[u8], text_left: &mut usize) -> Result<(), FormError> {
        match &mut self.content {
            Content::Text(value) => {
                let Some(left) = text_left.checked_sub(bytes.len()) else {
                    return Err(FormError::TooMuchText { limit: MAX_TEXT });
                };
                *text_left = left;
                value.extend_from_slice(bytes);
                Ok(())
            }
            Content::File { writer, .. } => writer.write(bytes).map_err(FormError::Spool),
        }
    }

    pub(super) fn close(self) -> Result<Closed, FormError> {
        let Self { name, content, .. } = self;
        match content {
            Content::Text(value) => match String::from_utf8(value) {
                Ok(value) => Ok(Closed::Text(name, value)),
                Err(_) => Err(FormError::NotText { name }),
            },
            Content::File { filename, writer } => {
                let content = writer.finish().map_err(FormError::Spool)?;
                Ok(Closed::File(FormFile { name, filename, content }))
            }
        }
    }
}

//! Reads a form as its bytes arrive.
//!
//! Multer cuts the parts. It takes all that its stream offers before it looks at anything, so the stream here offers
//! nothing but the one chunk that [`FormReader::push`] puts in, and that only after multer has used up what it had.
//! What it holds is then bounded by a chunk and [`MAX_HEAD`]. Nothing is ever waited for: each call polls multer until
//! it has no more to say.

use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::task::Poll;

use bytes::Bytes;
use futures_util::{FutureExt, Stream, StreamExt, stream};
use multer::Multipart;

use crate::form::boundary::boundary;
use crate::form::part::{Closed, Part};
use crate::form::{Form, FormError, FormFile, MAX_FILES, MAX_HEAD, MAX_PARTS, MAX_TEXT};
use crate::spool::SpoolConfig;

/// Takes the bytes of a form and keeps the files aside. Memory: the text parts, [`SpoolConfig::memory`] for all files
/// together, and what multer holds.
#[derive(Debug)]
pub struct FormReader {
    multipart: Multipart<'static>,
    /// The way into `multipart`. None: the body has ended.
    inlet: Option<SyncSender<Bytes>>,
    file_names: Vec<String>,
    /// For the next file: `memory` is what the files before have left.
    spool: SpoolConfig,
    text_left: usize,
    form: Form,
    parts: usize,
    part: Option<Part>,
    /// Bytes that were put in since multer last had something to say, while no part is open.
    head: usize,
    /// The closing delimiter has come. What follows is passed over.
    closed: bool,
}

impl FormReader {
    /// A reader for a body with this `Content-Type`. A part is a file if it has a file name or its name is among
    /// `file_names`.
    pub fn new(content_type: &str, file_names: &[String], spool: &SpoolConfig) -> Result<Self, FormError> {
        let boundary = boundary(content_type).ok_or(FormError::Boundary)?;
        let (inlet, outlet) = sync_channel(1);
        Ok(Self {
            multipart: Multipart::new(offered(outlet), boundary),
            inlet: Some(inlet),
            file_names: file_names.to_vec(),
            spool: spool.clone(),
            text_left: MAX_TEXT,
            form: Form::default(),
            parts: 0,
            part: None,
            head: 0,
            closed: false,
        })
    }

    /// Take the next bytes. Blocks only if files outgrow [`SpoolConfig::memory`]. After an error the reader is of no
    /// more use.
    pub fn push(&mut self, chunk: Bytes) -> Result<(), FormError> {
        if self.closed {
            return Ok(());
        }
        if self.part.is_none() {
            if self.head > MAX_HEAD {
                return Err(FormError::HeadTooLong { limit: MAX_HEAD });
            }
            self.head = self.head.saturating_add(chunk.len());
        }
        if let Some(inlet) = &self.inlet {
            // There is room: multer took the chunk before.
            inlet.try_send(chunk).map_err(|_| FormError::Incomplete)?;
        }
        self.advance()
    }

    /// The form, if its closing delimiter has come.
    pub fn finish(mut self) -> Result<Form, FormError> {
        self.inlet = None;
        match self.advance() {
            Ok(()) if self.closed => Ok(self.form),
            Ok(()) | Err(FormError::Malformed(_)) => Err(FormError::Incomplete),
            Err(error) => Err(error),
        }
    }

    /// Take from multer what it has, until it wants more bytes or the form is closed.
    fn advance(&mut self) -> Result<(), FormError> {
        while !self.closed {
            let Some(part) = &mut self.part else {
                let Some(field) = self.multipart.next_field().now_or_never() else { return Ok(()) };
                self.head = 0;
                match field.map_err(FormError::Malformed)? {
                    Some(field) => self.open(field)?,
                    None => self.closed = true,
                }
                continue;
            };
            match part.field.next().now_or_never() {
                None => return Ok(()),
                Some(Some(bytes)) => part.write(&bytes.map_err(FormError::Malformed)?, &mut self.text_left)?,
                Some(None) => self.close()?,
            }
        }
        Ok(())
    }

    fn open(&mut self, field: multer::Field<'static>) -> Result<(), FormError> {
        if self.parts == MAX_PARTS {
            return Err(FormError::TooManyParts { limit: MAX_PARTS });
        }
        let part = Part::open(field, self.parts, &self.file_names, &self.spool)?;
        if part.is_file() && self.form.files.len() == MAX_FILES {
            return Err(FormError::TooManyParts { limit: MAX_FILES });
        }
        self.parts += 1;
        self.part = Some(part);
        Ok(())
    }

    fn close(&mut self) -> Result<(), FormError> {
        match self.part.take().map(Part::close).transpose()? {
            Some(Closed::Text(name, value)) => self.form.fields.push((name, value)),
            Some(Closed::File(file)) => self.keep(file),
            None => {}
        }
        Ok(())
    }

    fn keep(&mut self, file: FormFile) {
        let in_memory = file.content.as_memory().map_or(0, <[u8]>::len);
        self.spool.memory = self.spool.memory.saturating_sub(in_memory);
        self.form.files.push(file);
    }
}

/// What is in the channel, as multer wants it: pending while it is empty, at the end once nobody can send.
fn offered(outlet: Receiver<Bytes>) -> impl Stream<Item = Result<Bytes, std::convert::Infallible>> + Send {
    stream::poll_fn(move |_| match outlet.try_recv() {
        Ok(chunk) => Poll::Ready(Some(Ok(chunk))),
        Err(TryRecvError::Empty) => Poll::Pending,
        Err(TryRecvError::Disconnected) => Poll::Ready(None),
    })
}

//! The page on paper (`contract: browser`, pdf).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;

use super::{LARGEST, Limit, Page, USUAL};
use crate::cdp::protocol::io::{Close, Read};
use crate::cdp::protocol::page::PrintToPdf;
use crate::failure::Failure;

/// Bytes that are read at once.
const CHUNK: u32 = 1 << 20;

/// What is counted.
const PAGE: &[u8] = b"/Type /Page";

/// Paper, upright, in inches.
#[derive(Debug, Clone, Copy)]
pub struct Paper {
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

/// A PDF.
#[derive(Debug, Clone)]
pub struct Printout {
    /// The file.
    pub document: Bytes,
    /// How often `/Type /Page` stands in it.
    pub page_marks: u32,
}

const WHAT: &str = "the PDF";

impl Page {
    /// Prints the page.
    ///
    /// # Errors
    /// [`Failure::TooLarge`], [`Failure::TimedOut`], [`Failure::Closed`]; what the browser says against the paper.
    pub(crate) async fn print(&self, paper: Paper, landscape: bool) -> Result<Printout, Failure> {
        let limit = Limit::of(USUAL);
        let print = PrintToPdf {
            landscape,
            paper_width: paper.width,
            paper_height: paper.height,
            margin_top: 0.0,
            margin_bottom: 0.0,
            margin_left: 0.0,
            margin_right: 0.0,
            prefer_css_page_size: false,
            generate_tagged_pdf: false,
            generate_document_outline: false,
            transfer_mode: "ReturnAsStream",
        };
        let handle = self.call(limit, WHAT, &print).await?.stream;
        let read = self.read(&handle, limit).await;
        self.connection.tell(Some(&self.session), &Close { handle: &handle }).await;
        let document = read?;
        let marks = memchr::memmem::find_iter(&document, PAGE).count();
        Ok(Printout { document: document.into(), page_marks: u32::try_from(marks).unwrap_or(u32::MAX) })
    }

    async fn read(&self, handle: &str, limit: Limit) -> Result<Vec<u8>, Failure> {
        let mut all = Vec::new();
        loop {
            let chunk = self.call(limit, WHAT, &Read { handle, size: CHUNK }).await?;
            match chunk.base64_encoded {
                true => STANDARD.decode_vec(&chunk.data, &mut all).map_err(|e| Failure::Script(e.to_string()))?,
                false => all.extend_from_slice(chunk.data.as_bytes()),
            }
            if all.len() as u64 > LARGEST {
                return Err(Failure::TooLarge(LARGEST));
            }
            if chunk.eof {
                return Ok(all);
            }
        }
    }
}

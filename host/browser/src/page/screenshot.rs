//! Images of the page (`contract: browser`, screenshot).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{LARGEST, Limit, Page, USUAL, VIEW};
use crate::cdp::protocol::page::{CaptureScreenshot, GetLayoutMetrics, LayoutMetrics, Rect, Viewport};
use crate::failure::Failure;

/// Pixels of the largest image: what the browser draws it in is four times as many bytes.
const MOST_PIXELS: f64 = 64_000_000.0;

/// How good a JPEG is.
const QUALITY: u8 = 80;

/// What kind of image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    /// PNG
    Png,
    /// JPEG
    Jpeg,
}

/// What to show.
#[derive(Debug, Clone)]
pub struct ScreenshotOptions {
    /// The first element that matches. None: the page.
    pub selector: Option<String>,
    /// The whole page, not only what is in view. Looked at only without a selector.
    pub full_page: bool,
    /// What kind of image.
    pub format: ImageFormat,
}

/// An image.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The file.
    pub image: Bytes,
    /// CSS pixels: of the view, or of the element's box.
    pub width: f64,
    /// As `width`.
    pub height: f64,
}

const WHAT: &str = "the image";

impl Page {
    /// Takes an image.
    ///
    /// # Errors
    /// [`Failure::NoMatch`], [`Failure::Unfit`] for a bad selector, [`Failure::TimedOut`] for an element that stays hidden,
    /// [`Failure::TooLarge`], [`Failure::Closed`].
    pub(crate) async fn screenshot(&self, options: &ScreenshotOptions) -> Result<Picture, Failure> {
        let limit = Limit::of(USUAL);
        let element = match &options.selector {
            Some(selector) => Some(self.framed(selector, limit).await?),
            None => None,
        };
        self.ask(limit, "the page's fonts", "pose", &[]).await?;
        let captured = self.capture(element, options, limit).await;
        self.ask(limit, WHAT, "relax", &[]).await?;
        captured
    }

    /// The box of an element in the document, once it is in view.
    async fn framed(&self, selector: &str, limit: Limit) -> Result<Rect, Failure> {
        let what = format!("{selector} to be visible");
        match self.ask(limit, &what, "frame", &[json!(selector), json!(limit.left())]).await? {
            Value::Null => Err(Failure::NoMatch),
            framed => Rect::deserialize(framed).map_err(|cause| Failure::Script(cause.to_string())),
        }
    }

    async fn capture(
        &self,
        element: Option<Rect>,
        options: &ScreenshotOptions,
        limit: Limit,
    ) -> Result<Picture, Failure> {
        let metrics = self.call(limit, WHAT, &GetLayoutMetrics {}).await?;
        let (width, height) = (f64::from(VIEW.0), f64::from(VIEW.1));
        let (shown, size) = match element {
            Some(element) => (outward(element), (element.width, element.height)),
            None => (page(&metrics, options.full_page), (width, height)),
        };
        if shown.width * shown.height > MOST_PIXELS {
            return Err(Failure::TooLarge(LARGEST));
        }
        let view = metrics.css_layout_viewport;
        let is_in_view = shown.x >= view.page_x
            && shown.y >= view.page_y
            && shown.x + shown.width <= view.page_x + width
            && shown.y + shown.height <= view.page_y + height;
        let (format, quality) = match options.format {
            ImageFormat::Png => ("png", None),
            ImageFormat::Jpeg => ("jpeg", Some(QUALITY)),
        };
        let capture = CaptureScreenshot {
            format,
            quality,
            clip: Viewport { x: shown.x, y: shown.y, width: shown.width, height: shown.height, scale: 1.0 },
            capture_beyond_viewport: !is_in_view,
        };
        let captured = self.call(limit, WHAT, &capture).await?;
        let image = STANDARD.decode(captured.data).map_err(|cause| Failure::Script(cause.to_string()))?;
        match image.len() as u64 {
            ..=LARGEST => Ok(Picture { image: image.into(), width: size.0, height: size.1 }),
            _ => Err(Failure::TooLarge(LARGEST)),
        }
    }
}

/// The whole page, or what is in view.
fn page(metrics: &LayoutMetrics, is_full: bool) -> Rect {
    if is_full {
        return outward(metrics.css_content_size);
    }
    let view = &metrics.css_layout_viewport;
    Rect { x: view.page_x, y: view.page_y, width: view.client_width, height: view.client_height }
}

/// The smallest rectangle of whole pixels around it.
fn outward(rect: Rect) -> Rect {
    let (x, y) = ((rect.x + 1e-3).floor(), (rect.y + 1e-3).floor());
    let (right, bottom) = ((rect.x + rect.width - 1e-3).ceil(), (rect.y + rect.height - 1e-3).ceil());
    Rect { x, y, width: (right - x).max(1.0), height: (bottom - y).max(1.0) }
}

#[cfg(test)]
mod tests {
    use super::outward;
    use crate::cdp::protocol::page::Rect;

    #[test]
    fn an_element_is_shown_in_whole_pixels() {
        let rect = |x, y, width, height| Rect { x, y, width, height };
        assert_eq!(outward(rect(8.0, 8.0, 1264.0, 38.0)), rect(8.0, 8.0, 1264.0, 38.0));
        assert_eq!(outward(rect(8.0, 21.4375, 1264.0, 37.2)), rect(8.0, 21.0, 1264.0, 38.0));
        assert_eq!(outward(rect(8.999_95, 0.0, 10.0, 10.0001)), rect(9.0, 0.0, 10.0, 10.0));
        assert_eq!(outward(rect(5.0, 5.0, 0.0, 0.0)), rect(5.0, 5.0, 1.0, 1.0));
    }
}

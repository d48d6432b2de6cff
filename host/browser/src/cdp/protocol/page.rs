//! Domain `Page`.

use serde::{Deserialize, Serialize};

use super::Nothing;
use crate::cdp::command::{commands, events};

commands! {
    /// Tells what frames do.
    Enable = "Page.enable" -> Nothing {}

    /// Tells the milestones of loading, too.
    SetLifecycleEventsEnabled = "Page.setLifecycleEventsEnabled" -> Nothing { enabled: bool }

    /// The frames as they are.
    GetFrameTree = "Page.getFrameTree" -> FrameTreeReply {}

    /// Loads an address. The reply comes once it has been committed, or not.
    Navigate<'a> = "Page.navigate" -> Navigated { url: &'a str }

    /// Stops loading.
    StopLoading = "Page.stopLoading" -> Nothing {}

    /// A world of scripts apart from the page's, in one frame.
    CreateIsolatedWorld<'a> = "Page.createIsolatedWorld" -> Nothing {
        frame_id: &'a str,
        world_name: &'static str,
        #[serde(rename = "grantUniveralAccess")]
        grant_universal_access: bool,
    }

    /// Runs a script in every new document; with a world's name, makes that world there.
    AddScriptToEvaluateOnNewDocument = "Page.addScriptToEvaluateOnNewDocument" -> Nothing {
        source: &'static str,
        world_name: &'static str,
    }

    /// Answers a dialog.
    HandleJavaScriptDialog = "Page.handleJavaScriptDialog" -> Nothing { accept: bool }

    /// The sizes of view and content.
    GetLayoutMetrics = "Page.getLayoutMetrics" -> LayoutMetrics {}

    /// An image.
    CaptureScreenshot = "Page.captureScreenshot" -> Captured {
        format: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        quality: Option<u8>,
        clip: Viewport,
        capture_beyond_viewport: bool,
    }

    /// A PDF, as a stream.
    PrintToPdf = "Page.printToPDF" -> Printed {
        landscape: bool,
        paper_width: f64,
        paper_height: f64,
        margin_top: f64,
        margin_bottom: f64,
        margin_left: f64,
        margin_right: f64,
        #[serde(rename = "preferCSSPageSize")]
        prefer_css_page_size: bool,
        #[serde(rename = "generateTaggedPDF")]
        generate_tagged_pdf: bool,
        generate_document_outline: bool,
        transfer_mode: &'static str,
    }
}

/// Reply of [`GetFrameTree`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FrameTreeReply {
    pub(crate) frame_tree: FrameTree,
}

/// The main frame, with those below it.
#[derive(Debug, Deserialize)]
pub(crate) struct FrameTree {
    pub(crate) frame: Frame,
}

/// A frame.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Frame {
    pub(crate) id: String,
    pub(crate) parent_id: Option<String>,
    pub(crate) loader_id: String,
    /// Without the fragment.
    pub(crate) url: String,
    pub(crate) url_fragment: Option<String>,
}

/// Reply of [`Navigate`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Navigated {
    /// None: the document is the one that was there.
    pub(crate) loader_id: Option<String>,
    pub(crate) error_text: Option<String>,
    #[serde(default)]
    pub(crate) is_download: bool,
}

/// Reply of [`GetLayoutMetrics`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LayoutMetrics {
    pub(crate) css_layout_viewport: LayoutViewport,
    pub(crate) css_content_size: Rect,
}

/// What is in view, in CSS pixels of the document.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LayoutViewport {
    pub(crate) page_x: f64,
    pub(crate) page_y: f64,
    pub(crate) client_width: f64,
    pub(crate) client_height: f64,
}

/// A rectangle in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(crate) struct Rect {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// A part of the document, in CSS pixels.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Viewport {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) scale: f64,
}

/// Reply of [`CaptureScreenshot`].
#[derive(Debug, Deserialize)]
pub(crate) struct Captured {
    /// Base64.
    pub(crate) data: String,
}

/// Reply of [`PrintToPdf`].
#[derive(Debug, Deserialize)]
pub(crate) struct Printed {
    pub(crate) stream: String,
}

events! {
    /// A frame has a new document.
    FrameNavigated = "Page.frameNavigated" { frame: Frame }

    /// A frame's address changed, its document did not.
    NavigatedWithinDocument = "Page.navigatedWithinDocument" { frame_id: String, url: String }

    /// A frame's document reached a milestone.
    LifecycleEvent = "Page.lifecycleEvent" { frame_id: String, loader_id: String, name: String }

    /// The page itself wants another document.
    FrameRequestedNavigation = "Page.frameRequestedNavigation" { frame_id: String, disposition: String }

    /// Another document is being asked for.
    FrameStartedNavigating = "Page.frameStartedNavigating" { frame_id: String, loader_id: String }

    /// Nothing is being loaded any more.
    FrameStoppedLoading = "Page.frameStoppedLoading" { frame_id: String }

    /// A dialog is open. The page stands still until it is answered.
    JavascriptDialogOpening = "Page.javascriptDialogOpening" {
        #[serde(rename = "type")]
        kind: String,
    }
}

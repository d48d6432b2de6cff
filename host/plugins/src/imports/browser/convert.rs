//! Between the interface's types and the browser's.

use std::time::Duration;

use abxd_browser as machine;
use abxd_guards::url::UrlDenial;

use crate::bindings::abx::host::browser as wit;
use crate::bindings::abx::host::failures::Denial;

impl From<UrlDenial> for Denial {
    fn from(denial: UrlDenial) -> Self {
        Self { code: denial.code().to_owned(), message: denial.to_string() }
    }
}

impl From<machine::Failure> for wit::BrowserFailure {
    fn from(failure: machine::Failure) -> Self {
        let message = failure.to_string();
        match failure {
            machine::Failure::Denied(denial) => Self::Denied(denial.into()),
            machine::Failure::Unavailable(_) => Self::Unavailable(message),
            machine::Failure::TimedOut { .. } => Self::TimedOut(message),
            machine::Failure::Closed => Self::Closed(message),
            machine::Failure::Navigation(_) => Self::Navigation(message),
            machine::Failure::Script(_) => Self::Script(message),
            machine::Failure::Unfit(_) => Self::Unfit(message),
            machine::Failure::NoMatch => Self::NoMatch(message),
            machine::Failure::TooLarge(most) => Self::TooLarge(most),
        }
    }
}

pub(super) fn navigate_options(options: wit::NavigateOptions) -> machine::NavigateOptions {
    let wait_until = match options.wait_until {
        wit::Milestone::Commit => machine::Milestone::Commit,
        wit::Milestone::DomContentLoaded => machine::Milestone::DomContentLoaded,
        wit::Milestone::Load => machine::Milestone::Load,
        wit::Milestone::NetworkIdle => machine::Milestone::NetworkIdle,
    };
    machine::NavigateOptions { wait_until, timeout: Duration::from_millis(options.timeout) }
}

pub(super) fn landing(landing: machine::Landing) -> wit::Landing {
    wit::Landing { url: landing.url, title: landing.title, status: landing.status }
}

pub(super) fn screenshot_options(options: wit::ScreenshotOptions) -> machine::ScreenshotOptions {
    let format = match options.format {
        wit::ImageFormat::Png => machine::ImageFormat::Png,
        wit::ImageFormat::Jpeg => machine::ImageFormat::Jpeg,
    };
    machine::ScreenshotOptions { selector: options.selector, full_page: options.full_page, format }
}

pub(super) fn content_form(form: wit::ContentForm) -> machine::ContentForm {
    match form {
        wit::ContentForm::Html => machine::ContentForm::Html,
        wit::ContentForm::Text => machine::ContentForm::Text,
    }
}

pub(super) fn typing_options(options: wit::TypingOptions) -> machine::TypingOptions {
    machine::TypingOptions { delay: Duration::from_millis(options.delay), clear: options.clear }
}

pub(super) fn paper(paper: wit::Paper) -> machine::Paper {
    machine::Paper { width: paper.width, height: paper.height }
}

pub(super) fn console_entry(entry: machine::ConsoleEntry) -> wit::ConsoleEntry {
    wit::ConsoleEntry { kind: entry.kind, text: entry.text, timestamp: entry.timestamp }
}

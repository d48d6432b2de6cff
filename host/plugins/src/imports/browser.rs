//! `abx:host/browser`: the caller's page, under the URL rule of the endpoint that is being served.
//!
//! Whose page it is comes from the call. An address is judged before anything else is asked for; what pages ask for by
//! themselves is the browser's to judge, by the rule that the deployment gave it.

mod convert;

use std::sync::Arc;
use std::time::Duration;

use abxd_browser::{Browser, Failure};
use abxd_guards::url::{CheckedUrl, UrlDenial};
use bytes::Bytes;
use wasmtime::component::Resource;

use super::thread::blocking;
use crate::bindings::abx::host::browser as wit;
use crate::bindings::abx::host::browser::BrowserFailure;
use crate::bindings::abx::host::failures::Denial;
use crate::exchange::Source;
use crate::instance::State;

impl State {
    /// Does something in the browser for the caller. A client that leaves ends it.
    async fn browse<T, W>(
        &mut self,
        work: impl FnOnce(Browser, Arc<str>) -> W,
    ) -> wasmtime::Result<Result<T, BrowserFailure>>
    where
        W: Future<Output = Result<T, Failure>>,
    {
        let (browser, identity) = (self.machine()?.browser.clone(), self.call()?.identity.id().clone());
        let left = self.call()?.client.left();
        let done = tokio::select! {
            done = work(browser, identity) => done,
            () = left => Err(Failure::Closed),
        };
        Ok(done.map_err(BrowserFailure::from))
    }

    /// Judges an address on a thread that may block: a name may have to be looked up.
    async fn judge_url(&mut self, url: String) -> wasmtime::Result<Result<CheckedUrl, UrlDenial>> {
        let guard = self.call()?.endpoint.urls.clone();
        blocking(move || guard.check(&url)).await
    }

    /// Bytes for an answer. The browser has bounded them.
    fn keep(&mut self, bytes: impl Into<Bytes>) -> wasmtime::Result<Resource<Source>> {
        Ok(self.table.push(Source::memory(bytes.into()))?)
    }
}

impl wit::Host for State {
    async fn admit(&mut self, url: String) -> wasmtime::Result<Result<(), Denial>> {
        let _wait = self.waits.begin();
        Ok(self.judge_url(url).await?.map(drop).map_err(Denial::from))
    }

    async fn ready(&mut self) -> wasmtime::Result<Result<(), BrowserFailure>> {
        let _wait = self.waits.begin();
        self.browse(|browser, identity| async move { browser.ready(&identity).await }).await
    }

    async fn navigate(
        &mut self,
        url: String,
        options: wit::NavigateOptions,
    ) -> wasmtime::Result<Result<wit::Landing, BrowserFailure>> {
        let _wait = self.waits.begin();
        let url = match self.judge_url(url).await? {
            Ok(url) => url,
            Err(denial) => return Ok(Err(BrowserFailure::Denied(denial.into()))),
        };
        let options = convert::navigate_options(options);
        let landed = self.browse(|browser, identity| async move { browser.navigate(&identity, url, options).await });
        Ok(landed.await?.map(convert::landing))
    }

    async fn screenshot(
        &mut self,
        options: wit::ScreenshotOptions,
    ) -> wasmtime::Result<Result<wit::Picture, BrowserFailure>> {
        let _wait = self.waits.begin();
        let options = convert::screenshot_options(options);
        let taken = self.browse(|browser, identity| async move { browser.screenshot(&identity, options).await });
        Ok(match taken.await? {
            Ok(picture) => {
                let image = self.keep(picture.image)?;
                Ok(wit::Picture { image, width: picture.width, height: picture.height })
            }
            Err(failure) => Err(failure),
        })
    }

    async fn content(&mut self, form: wit::ContentForm) -> wasmtime::Result<Result<wit::PageContent, BrowserFailure>> {
        let _wait = self.waits.begin();
        let form = convert::content_form(form);
        Ok(match self.browse(|browser, identity| async move { browser.content(&identity, form).await }).await? {
            Ok(content) => {
                let text = self.keep(content.text)?;
                Ok(wit::PageContent { text, url: content.url, title: content.title })
            }
            Err(failure) => Err(failure),
        })
    }

    async fn click(&mut self, selector: String, timeout: u64) -> wasmtime::Result<Result<(), BrowserFailure>> {
        let _wait = self.waits.begin();
        let timeout = Duration::from_millis(timeout);
        self.browse(|browser, identity| async move { browser.click(&identity, selector, timeout).await }).await
    }

    async fn type_text(
        &mut self,
        selector: String,
        text: String,
        options: wit::TypingOptions,
    ) -> wasmtime::Result<Result<(), BrowserFailure>> {
        let _wait = self.waits.begin();
        let options = convert::typing_options(options);
        self.browse(|browser, identity| async move { browser.type_text(&identity, selector, text, options).await })
            .await
    }

    async fn evaluate(
        &mut self,
        script: String,
        timeout: u64,
    ) -> wasmtime::Result<Result<Resource<Source>, BrowserFailure>> {
        let _wait = self.waits.begin();
        let timeout = Duration::from_millis(timeout);
        let value = self.browse(|browser, identity| async move { browser.evaluate(&identity, script, timeout).await });
        Ok(match value.await? {
            Ok(text) => Ok(self.keep(text)?),
            Err(failure) => Err(failure),
        })
    }

    async fn print(
        &mut self,
        paper: wit::Paper,
        landscape: bool,
    ) -> wasmtime::Result<Result<wit::Printout, BrowserFailure>> {
        let _wait = self.waits.begin();
        let paper = convert::paper(paper);
        let printed = self.browse(|browser, identity| async move { browser.print(&identity, paper, landscape).await });
        Ok(match printed.await? {
            Ok(printout) => {
                let document = self.keep(printout.document)?;
                Ok(wit::Printout { document, page_marks: printout.page_marks })
            }
            Err(failure) => Err(failure),
        })
    }

    fn drain_console(&mut self) -> wasmtime::Result<Vec<wit::ConsoleEntry>> {
        let entries = self.machine()?.browser.drain_console(self.call()?.identity.id());
        Ok(entries.into_iter().map(convert::console_entry).collect())
    }
}

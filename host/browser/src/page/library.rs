//! The host's own scripts in a page: in a world of their own, where the page's scripts can't reach them.

use serde::Deserialize;
use serde_json::Value;

use super::call::Trouble;
use super::state::{Look, Vain};
use super::{Limit, Page};
use crate::cdp::protocol::runtime::{Argument, CallFunctionOn, Evaluate, ExceptionDetails};
use crate::failure::Failure;

/// Functions that the host calls; see `script/library.js`.
const SOURCE: &str = concat!(
    "(() => {\n'use strict';\n",
    include_str!("script/text.js"),
    include_str!("script/element.js"),
    include_str!("script/layout.js"),
    include_str!("script/css.js"),
    include_str!("script/role.js"),
    include_str!("script/selector.js"),
    include_str!("script/act.js"),
    include_str!("script/library.js"),
    "})()",
);

/// The library in the world that it was loaded into.
#[derive(Debug, Clone)]
pub(super) struct Loaded {
    world: String,
    object: String,
}

/// What a function of the library answers.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Outcome {
    Done {
        done: Value,
    },
    /// Not before the time was up: what stood in the way.
    Wait {
        wait: String,
    },
    /// Never.
    Unfit {
        unfit: String,
    },
}

impl Page {
    /// The world of the host's scripts in the current document. Waits for a document that is on its way.
    ///
    /// # Errors
    /// The time is up, or the page is gone.
    pub(super) async fn own_world(&self, limit: Limit, what: &str) -> Result<String, Failure> {
        let world = self.state.until(limit.end, |facts| facts.own_world.clone().map_or(Look::Later, Look::Found));
        world.await.map_err(|vain| limit.vain(vain, what))
    }

    /// Calls a function of the library. When the page changes its document meanwhile, it is called again there.
    ///
    /// # Errors
    /// [`Failure::Unfit`], [`Failure::TimedOut`] with what stood in the way, and what a call can fail with.
    pub(super) async fn ask(
        &self,
        limit: Limit,
        what: &str,
        function: &str,
        arguments: &[Value],
    ) -> Result<Value, Failure> {
        let declaration = format!("function(...given) {{ return this.{function}(...given); }}");
        loop {
            let asked = match self.library(limit, what).await {
                Ok(library) => self.ask_library(limit.with_grace(), what, &library, &declaration, arguments).await,
                Err(trouble) => Err(trouble),
            };
            match asked {
                Ok(Outcome::Done { done }) => return Ok(done),
                Ok(Outcome::Wait { wait }) => return Err(limit.over(&format!("{what}: {wait}"))),
                Ok(Outcome::Unfit { unfit }) => return Err(Failure::Unfit(unfit)),
                Err(Trouble::Failure(failure)) => return Err(failure),
                // The document is another one by now.
                Err(Trouble::Refused(_)) => self.forget_library(limit, what).await?,
            }
        }
    }

    async fn ask_library(
        &self,
        limit: Limit,
        what: &str,
        library: &Loaded,
        function_declaration: &str,
        arguments: &[Value],
    ) -> Result<Outcome, Trouble> {
        let call = CallFunctionOn {
            function_declaration,
            object_id: &library.object,
            arguments: arguments.iter().map(|value| Argument { value }).collect(),
            return_by_value: true,
            await_promise: true,
            user_gesture: true,
        };
        let evaluated = self.call(limit, what, &call).await?;
        if let Some(details) = evaluated.exception_details {
            return Err(Trouble::Failure(Failure::Script(message(&details))));
        }
        let value = evaluated.result.value.unwrap_or_default();
        serde_json::from_value(value).map_err(|cause| Trouble::Failure(Failure::Script(cause.to_string())))
    }

    /// The library in the current document.
    async fn library(&self, limit: Limit, what: &str) -> Result<Loaded, Trouble> {
        let world = self.own_world(limit, what).await.map_err(Trouble::Failure)?;
        if let Some(loaded) = self.loaded(|loaded| loaded.clone()).filter(|loaded| loaded.world == world) {
            return Ok(loaded);
        }
        let load = Evaluate {
            expression: SOURCE,
            world: &world,
            return_by_value: false,
            await_promise: false,
            user_gesture: false,
            timeout: None,
        };
        let evaluated = self.call(limit, what, &load).await?;
        if let Some(details) = evaluated.exception_details {
            return Err(Trouble::Failure(Failure::Script(message(&details))));
        }
        let loaded = Loaded { world, object: evaluated.result.object_id.unwrap_or_default() };
        self.loaded(|kept| *kept = Some(loaded.clone()));
        Ok(loaded)
    }

    /// The world that the library was in is gone, or will be in a moment.
    async fn forget_library(&self, limit: Limit, what: &str) -> Result<(), Failure> {
        let gone = self.loaded(Option::take);
        let other = self.state.until(limit.end, |facts| match &gone {
            Some(gone) if facts.own_world.as_deref() == Some(&gone.world) => Look::Later,
            _ => Look::Found(()),
        });
        other.await.map_err(|vain| limit.vain(vain, what))
    }

    fn loaded<T>(&self, look: impl FnOnce(&mut Option<Loaded>) -> T) -> T {
        look(&mut self.library.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

impl Limit {
    /// Why there was nothing to find.
    pub(super) fn vain(&self, vain: Vain, what: &str) -> Failure {
        match vain {
            Vain::TimedOut => self.over(what),
            Vain::Lost => Failure::Closed,
        }
    }
}

/// The words of what was thrown: with its stack, if it has one.
pub(super) fn message(details: &ExceptionDetails) -> String {
    match &details.exception {
        Some(exception) => match (&exception.description, &exception.value) {
            (Some(stack), _) => stack.clone(),
            (None, Some(Value::String(text))) => text.clone(),
            (None, Some(value)) => value.to_string(),
            (None, None) => details.text.clone(),
        },
        None => details.text.clone(),
    }
}

//! Running a script in the page (`contract: browser`, evaluate).

use std::time::Duration;

use serde_json::Value;

use super::call::Trouble;
use super::library::message;
use super::state::Look;
use super::{LARGEST, Limit, Page};
use crate::cdp::protocol::runtime::{Evaluate, Evaluated};
use crate::failure::Failure;

/// Values of the page as JSON.
const SERIALISE: &str = include_str!("script/serialise.js");

const WHAT: &str = "the script";

impl Page {
    /// Evaluates a script and answers its value as one JSON text.
    ///
    /// # Errors
    /// [`Failure::Script`] with what was thrown; [`Failure::TimedOut`], [`Failure::Closed`], [`Failure::TooLarge`].
    pub(crate) async fn evaluate(&self, script: &str, time: Duration) -> Result<String, Failure> {
        let limit = Limit::of(time);
        let evaluated = match self.run(&expression(script), limit).await {
            Ok(evaluated) => evaluated,
            Err(Trouble::Refused(text)) if text.contains("terminated") => return Err(limit.over(WHAT)),
            Err(trouble) => return Err(trouble.or(Failure::Script)),
        };
        match (evaluated.exception_details, evaluated.result.value) {
            (Some(details), _) => Err(Failure::Script(message(&details))),
            (None, Some(Value::String(text))) if text.len() as u64 <= LARGEST => Ok(text),
            (None, Some(Value::String(_))) => Err(Failure::TooLarge(LARGEST)),
            (None, _) => Err(Failure::Script("the script has no value".to_owned())),
        }
    }
}

impl Page {
    /// Runs an expression in the page's own world, in the next one if that one has gone before anything was run.
    async fn run(&self, expression: &str, limit: Limit) -> Result<Evaluated, Trouble> {
        let mut gone: Option<String> = None;
        loop {
            let world = self.state.until(limit.end, |facts| match &facts.page_world {
                Some(world) if gone.as_ref() != Some(world) => Look::Found(world.clone()),
                _ => Look::Later,
            });
            let world = world.await.map_err(|vain| Trouble::Failure(limit.vain(vain, WHAT)))?;
            let evaluate = Evaluate {
                expression,
                world: &world,
                return_by_value: true,
                await_promise: true,
                user_gesture: true,
                timeout: Some(limit.left().max(1)),
            };
            match self.call(limit, WHAT, &evaluate).await {
                Err(Trouble::Refused(text)) if text.contains("uniqueContextId") => gone = Some(world),
                outcome => return outcome,
            }
        }
    }
}

/// The script as an indirect eval, so that it is one of the page's own; a function is called, a promise awaited.
fn expression(script: &str) -> String {
    let script = Value::String(normalised(script));
    format!(
        "(() => {{ const write = {SERIALISE}({LARGEST}); let value = (0, eval)({script}); \
         if (typeof value === 'function') value = value(); \
         return typeof value?.then === 'function' ? Promise.resolve(value).then(write) : write(value); }})()"
    )
}

/// A function declaration is made an expression.
fn normalised(script: &str) -> String {
    let script = script.trim();
    let rest = script.strip_prefix("async").map_or(script, str::trim_start);
    let is_function = rest
        .strip_prefix("function")
        .and_then(|rest| rest.chars().next())
        .is_some_and(|next| next == '(' || next.is_whitespace());
    if is_function { format!("({script})") } else { script.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::normalised;

    #[test]
    fn functions_are_made_expressions() {
        for (script, expected) in [
            (" 1 + 1 ", "1 + 1"),
            ("function () { return 1 }", "(function () { return 1 })"),
            ("function f(){}", "(function f(){})"),
            ("async function(){}", "(async function(){})"),
            ("async  function\nf(){}", "(async  function\nf(){})"),
            ("asyncfunction(){}", "(asyncfunction(){})"),
            ("functional", "functional"),
            ("() => 5", "() => 5"),
            ("  ", ""),
        ] {
            assert_eq!(normalised(script), expected);
        }
    }
}

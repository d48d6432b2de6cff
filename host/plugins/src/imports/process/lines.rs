//! `process.stream`: a program's lines as events (contract: process §3).
//!
//! The stream owns the child. It outlives the call, not the answer that carries it; and it ends with the client: also with
//! one that has only closed its side, and would read on.

use abxd_capabilities::process::{LineEvent, LineStream, OutputStream};
use futures_util::future::BoxFuture;
use futures_util::{Stream, StreamExt, stream};
use serde_json::json;

use crate::exchange::{BrokenOff, Event, EventStream};

/// Why a stream has no end of its own.
#[derive(Debug, thiserror::Error)]
#[error("the client has left")]
struct Left;

/// The same.
#[derive(Debug, thiserror::Error)]
#[error("the server is shutting down")]
struct Stopped;

/// What a stream goes on with.
struct Running<S> {
    lines: S,
    left: BoxFuture<'static, ()>,
}

/// The events of a program, until its end or `left`.
pub(super) fn events(lines: LineStream, left: BoxFuture<'static, ()>) -> EventStream {
    EventStream::new(until_left(lines, left))
}

fn until_left(
    lines: impl Stream<Item = LineEvent> + Send + Unpin + 'static,
    left: BoxFuture<'static, ()>,
) -> impl Stream<Item = Result<Event, BrokenOff>> + Send {
    stream::unfold(Some(Running { lines, left }), async |running| {
        let mut running = running?;
        tokio::select! {
            biased;
            // The child goes with the lines, and the stream says nothing of an end that it doesn't know.
            () = &mut running.left => Some((Err(BrokenOff(Box::new(Left))), None)),
            line = running.lines.next() => match event(line?) {
                Some(event) => Some((Ok(event), Some(running))),
                None => Some((Err(BrokenOff(Box::new(Stopped))), None)),
            },
        }
    })
}

/// None: the program's end will not be known.
fn event(line: LineEvent) -> Option<Event> {
    let (name, data) = match line {
        LineEvent::Line { stream: OutputStream::Stdout, text } => ("stdout", json!({ "data": text })),
        LineEvent::Line { stream: OutputStream::Stderr, text } => ("stderr", json!({ "data": text })),
        LineEvent::TimedOut => ("error", json!({ "error": "timeout" })),
        LineEvent::OutputLimit => ("error", json!({ "error": "output_limit" })),
        LineEvent::Exit(exit) => ("exit", json!({ "exit_code": exit.code() })),
        LineEvent::ShuttingDown => return None,
    };
    Some(Event::new(name, data.to_string()))
}

#[cfg(test)]
mod tests {
    use abxd_capabilities::process::{LineEvent, OutputStream};
    use futures_util::{FutureExt, StreamExt, stream};

    use super::until_left;

    fn line(text: &str) -> LineEvent {
        LineEvent::Line { stream: OutputStream::Stdout, text: text.to_owned() }
    }

    /// Names and data of the events; the last is the reason why they broke off, if they did.
    async fn told(lines: Vec<LineEvent>, has_left: bool) -> Vec<String> {
        let left =
            if has_left { futures_util::future::ready(()).boxed() } else { futures_util::future::pending().boxed() };
        let events = until_left(stream::iter(lines), left);
        let shown = events.map(|event| match event {
            Ok(event) => format!("{} {}", event.name, event.data),
            Err(cause) => cause.to_string(),
        });
        shown.collect().await
    }

    #[tokio::test]
    async fn events_have_exactly_the_contracts_keys() {
        let lines = vec![
            line(""),
            line("a\r\0\"\u{2028}"),
            LineEvent::Line { stream: OutputStream::Stderr, text: "e".to_owned() },
            LineEvent::TimedOut,
            LineEvent::OutputLimit,
        ];
        let expected = [
            r#"stdout {"data":""}"#,
            "stdout {\"data\":\"a\\r\\u0000\\\"\u{2028}\"}",
            r#"stderr {"data":"e"}"#,
            r#"error {"error":"timeout"}"#,
            r#"error {"error":"output_limit"}"#,
        ];
        assert_eq!(told(lines, false).await, expected);
    }

    #[tokio::test]
    async fn nothing_is_told_once_the_client_has_left() {
        assert_eq!(told(vec![line("a"), line("b")], true).await, ["the stream broke off: the client has left"]);
    }

    #[tokio::test]
    async fn a_server_that_ends_breaks_the_stream() {
        let lines = vec![line("a"), LineEvent::ShuttingDown, line("b")];
        let expected = [r#"stdout {"data":"a"}"#, "the stream broke off: the server is shutting down"];
        assert_eq!(told(lines, false).await, expected);
    }
}

//! The task that reads what the browser says. It ends with the pipe, and the connection with it.
//!
//! Events are handed on in the order in which they came, one after the other, to a [`Listener`] that must not wait: whoever
//! reacts to one says a command or wakes somebody. What is said in reaction has to be on its way before more is read, so
//! nothing piles up here.

use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncReadExt as _};

use super::command::Command;
use super::connection::{CallError, Connection};
use super::frames::{Frame, Frames};
use super::message::{Incoming, id_of};

/// Bytes read at once.
const CHUNK: usize = 256 << 10;

/// Hears events. Its functions are called on a runtime thread and must not wait.
pub(crate) trait Listener: Send + Sync + 'static {
    /// An event of a session (`None`: of the browser) with its parameters.
    fn hear(&self, session: Option<&str>, method: &str, params: &RawValue, reactions: &mut Reactions<'_>);
    /// The browser is gone. Called once, last.
    fn gone(&self);
}

/// What is said in reaction to events.
pub(crate) struct Reactions<'a> {
    connection: &'a Connection,
    messages: Vec<Vec<u8>>,
}

impl Reactions<'_> {
    /// Says `command` in a session; nobody looks at the reply.
    pub(crate) fn say<C: Command>(&mut self, session: Option<&str>, command: &C) {
        if let Ok((_, message)) = self.connection.message(session, command) {
            self.messages.push(message);
        }
    }
}

impl Connection {
    /// Reads `pipe` to its end. Replies go to whoever called, events to `listener`.
    pub(crate) async fn read(self, mut pipe: impl AsyncRead + Unpin, listener: impl Listener) {
        let (mut frames, mut chunk) = (Frames::default(), vec![0; CHUNK]);
        while !self.is_gone() {
            let read = tokio::select! {
                read = pipe.read(&mut chunk) => read,
                () = self.gone() => break,
            };
            let Some(bytes) = read.ok().filter(|count| *count > 0).and_then(|count| chunk.get(..count)) else { break };
            let mut reactions = Reactions { connection: &self, messages: Vec::new() };
            frames.feed(bytes, |frame| self.take(frame, &listener, &mut reactions));
            for message in reactions.messages {
                self.send(message).await;
            }
        }
        self.close();
        listener.gone();
    }

    fn take(&self, frame: Frame<'_>, listener: &impl Listener, reactions: &mut Reactions<'_>) {
        let text = match frame {
            Frame::Whole(text) => text,
            Frame::Cut(beginning) => {
                return id_of(beginning).into_iter().for_each(|id| self.answer(id, Err(CallError::TooLarge)));
            }
        };
        let message: Incoming<'_> = match serde_json::from_slice(text) {
            Ok(message) => message,
            Err(cause) => return tracing::debug!(%cause, "a message of the browser can't be read"),
        };
        match message {
            Incoming { id: Some(id), error: Some(error), .. } => self.answer(id, Err(error.into())),
            Incoming { id: Some(id), result, .. } => {
                let empty = || RawValue::from_string("{}".to_owned());
                let result = result.map_or_else(empty, |result| Ok(result.to_owned()));
                self.answer(id, result.map_err(CallError::Unreadable));
            }
            Incoming { method: Some(method), params: Some(params), session_id, .. } => {
                listener.hear(session_id.as_deref(), &method, params, reactions);
            }
            Incoming { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use serde_json::value::RawValue;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::{Listener, Reactions};
    use crate::cdp::protocol::browser::GetVersion;
    use crate::cdp::protocol::page::StopLoading;
    use crate::cdp::{CallError, Connection};

    #[derive(Clone, Default)]
    struct Heard(Arc<Mutex<Vec<String>>>);

    impl Listener for Heard {
        fn hear(&self, session: Option<&str>, method: &str, params: &RawValue, reactions: &mut Reactions<'_>) {
            reactions.say(session, &StopLoading {});
            self.0.lock().unwrap().push(format!("{} {method} {}", session.unwrap_or("browser"), params.get()));
        }

        fn gone(&self) {
            self.0.lock().unwrap().push("gone".to_owned());
        }
    }

    #[tokio::test]
    async fn replies_find_their_call_and_events_the_listener() {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (pipe, answers) = tokio::io::split(ours);
        let connection = Connection::begin(answers);
        let heard = Heard::default();
        let reading = tokio::spawn(connection.clone().read(pipe, heard.clone()));
        let browser = tokio::spawn(async move {
            let (mut said, mut say) = tokio::io::split(theirs);
            let mut seen = Vec::new();
            while seen.iter().filter(|byte| **byte == 0).count() < 2 {
                said.read_buf(&mut seen).await.unwrap();
            }
            say.write_all(b"{\"method\":\"A.b\",\"params\":{\"c\":1},\"sessionId\":\"S\"}\0").await.unwrap();
            say.write_all(b"{\"id\":2,\"error\":{\"code\":-3,\"message\":\"no\"}}\0not json\0").await.unwrap();
            while seen.iter().filter(|byte| **byte == 0).count() < 3 {
                said.read_buf(&mut seen).await.unwrap();
            }
            say.write_all(b"{\"id\":1,\"result\":{\"product\":\"Chrome/1\"}}\0").await.unwrap();
            String::from_utf8(seen).unwrap()
        });
        let (first, second) =
            tokio::join!(connection.call(None, &GetVersion {}), connection.call(Some("S"), &StopLoading {}));
        assert_eq!(first.unwrap().product, "Chrome/1");
        assert!(matches!(second, Err(CallError::Refused { code: -3, .. })));
        let said = browser.await.unwrap();
        for id in [2, 3] {
            let message = format!(r#"{{"id":{id},"method":"Page.stopLoading","params":{{}},"sessionId":"S"}}"#);
            assert!(said.contains(&message), "{said}");
        }
        reading.await.unwrap();
        assert_eq!(*heard.0.lock().unwrap(), [r#"S A.b {"c":1}"#, "gone"]);
        assert!(connection.is_gone());
        assert!(matches!(connection.call(None, &GetVersion {}).await, Err(CallError::Gone)));
    }
}

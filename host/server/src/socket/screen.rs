//! A client at its terminal: what it is shown, and what it does.

use std::sync::{Mutex, PoisonError};

use abxd_capabilities::process::Exit;
use abxd_capabilities::terminal::{Attachment, Shown, Size};
use abxd_websocket::{Close, Conversation, Message, Outgoing};
use tokio_util::sync::CancellationToken;

use super::command::Command;
use super::event;

/// See the module. The lock is held for moments.
pub(super) struct Screen {
    attachment: Attachment,
    stop: CancellationToken,
    shown: Mutex<Progress>,
}

/// How far the client has come.
#[derive(Default)]
struct Progress {
    is_started: bool,
    output: event::Output,
    /// The end, when only telling it is left.
    end: Option<Exit>,
}

impl Screen {
    pub(super) fn new(attachment: Attachment, stop: CancellationToken) -> Self {
        Self { attachment, stop, shown: Mutex::default() }
    }

    /// What is to be said without asking the terminal.
    fn due(&self) -> Option<String> {
        let mut progress = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if !progress.is_started {
            progress.is_started = true;
            return Some(event::started(self.attachment.id(), self.attachment.pid()));
        }
        progress.end.take().map(|exit| event::exited(self.attachment.id(), exit))
    }

    /// What the terminal has shown, as a message.
    fn message(&self, shown: Shown) -> Option<String> {
        let mut progress = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        match shown {
            Shown::Output(piece) => progress.output.of(&piece),
            Shown::End(exit) => {
                progress.end = Some(exit);
                progress.output.last()
            }
        }
    }
}

impl Conversation for Screen {
    async fn next(&self) -> Outgoing {
        loop {
            if let Some(text) = self.due() {
                return Outgoing::Text(text);
            }
            let shown = tokio::select! {
                biased;
                () = self.stop.cancelled() => return Outgoing::Close(Close::new(1001, "")),
                shown = self.attachment.next() => shown,
            };
            if let Some(text) = self.message(shown) {
                return Outgoing::Text(text);
            }
        }
    }

    async fn receive(&self, message: Message) -> Option<Close> {
        match Command::read(&message.payload) {
            Some(Command::Input(data)) => self.attachment.type_in(data.as_bytes()).await,
            Some(Command::Resize { cols, rows }) => {
                let now = self.attachment.size();
                self.attachment.resize(Size { cols: cols.unwrap_or(now.cols), rows: rows.unwrap_or(now.rows) });
            }
            Some(Command::Signal(signal)) => self.attachment.signal(signal),
            None => {}
        }
        None
    }
}

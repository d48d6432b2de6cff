//! Both directions of the channel to one interpreter.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::mpsc;

use super::desk::{Answer, Desk, Refused, Ticket};
use super::frame::{HEAD, Head, LOADING, Reply, Request, frame};
use super::spill::Spill;

/// Calls that wait to be written. More of them wait with their callers.
const QUEUE: usize = 16;

/// Bytes that are read at once.
const READ: usize = 64 << 10;

/// Where calls to one interpreter are made. Whoever has it can call; the owner reads and writes.
#[derive(Debug)]
pub(super) struct Line {
    desk: Desk,
    requests: mpsc::Sender<Bytes>,
}

/// What is to be written.
pub(super) type Requests = mpsc::Receiver<Bytes>;

impl Line {
    pub(super) fn new() -> (Arc<Self>, Requests) {
        let (requests, written) = mpsc::channel(QUEUE);
        (Arc::new(Self { desk: Desk::default(), requests }), written)
    }

    /// Call a function and wait for its answer.
    pub(super) async fn call(&self, request: Bytes) -> Answer {
        let ticket = self.desk.enter()?;
        self.ask(ticket, Request::Call, &request).await
    }

    /// Give the interpreter its modules and let it load.
    pub(super) async fn load(&self, modules: &[u8], order: &[u8]) -> Answer {
        let ticket = self.desk.enter_loading()?;
        if let Some(modules) = frame(Request::Modules, LOADING, modules) {
            // A failure shows in the next one.
            let _ = self.requests.send(modules).await;
        }
        self.ask(ticket, Request::Load, order).await
    }

    async fn ask(&self, ticket: Ticket<'_>, request: Request, content: &[u8]) -> Answer {
        let Some(frame) = frame(request, ticket.number, content) else {
            ticket.give_back();
            return Err(Refused::Busy);
        };
        match self.requests.send(frame).await {
            Ok(()) => ticket.answer().await,
            Err(_) => Err(Refused::NotBegun),
        }
    }

    /// The interpreter has ended.
    pub(super) fn end(&self, how: &str) {
        self.desk.close(how);
    }

    /// Write requests as they come; ends with the channel.
    pub(super) async fn write(&self, mut requests: Requests, mut to: OwnedWriteHalf) -> io::Error {
        while let Some(frame) = requests.recv().await {
            if let Err(cause) = to.write_all(&frame).await {
                return cause;
            }
        }
        io::ErrorKind::BrokenPipe.into()
    }

    /// Hand out answers as they come; ends with the channel.
    pub(super) async fn read(&self, from: OwnedReadHalf, scratch: &Arc<Path>) -> io::Error {
        let mut from = BufReader::with_capacity(READ, from);
        let mut parts = HashMap::new();
        loop {
            if let Err(cause) = self.next(&mut from, &mut parts, scratch).await {
                return cause;
            }
        }
    }

    async fn next(
        &self,
        from: &mut BufReader<OwnedReadHalf>,
        parts: &mut HashMap<u64, Spill>,
        scratch: &Arc<Path>,
    ) -> io::Result<()> {
        let mut head = [0; HEAD];
        from.read_exact(&mut head).await?;
        let Head { length, reply, number } = Head::parse(head).ok_or(io::ErrorKind::InvalidData)?;
        let mut content = vec![0; length];
        from.read_exact(&mut content).await?;
        match reply {
            Reply::Begun => self.desk.begun(number),
            Reply::Error => {
                parts.remove(&number);
                let failed = serde_json::from_slice(&content)?;
                self.desk.answer(number, Err(Refused::Failed(failed)));
            }
            Reply::Part | Reply::End if !self.desk.is_awaited(number) => {
                parts.remove(&number);
                if reply == Reply::End {
                    self.desk.answer(number, Err(Refused::NotBegun));
                }
            }
            Reply::Part => parts.entry(number).or_default().push(content, scratch).await?,
            Reply::End => {
                let mut spill = parts.remove(&number).unwrap_or_default();
                spill.push(content, scratch).await?;
                self.desk.answer(number, Ok(spill.finish()));
            }
        }
        Ok(())
    }
}

//! A terminal of one test, and clients at it.

use serde_json::{Value, json};

use crate::harness::socket::{self, Heard};
use crate::harness::{Answer, Request, Server, Socket};

/// A session that was opened.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Terminal {
    pub(crate) id: String,
    pub(crate) pid: u32,
}

impl Terminal {
    /// A session as it is usually opened.
    #[track_caller]
    pub(crate) fn open(server: &Server) -> Self {
        Self::open_with(server, &json!({}))
    }

    /// A session that a body asks for.
    #[track_caller]
    pub(crate) fn open_with(server: &Server, body: &Value) -> Self {
        Self::of(&server.post("/pty/sessions", body).ok())
    }

    /// What an answer tells of.
    #[track_caller]
    pub(crate) fn of(answer: &Value) -> Self {
        let id = answer["session_id"].as_str().unwrap().to_owned();
        Self { id, pid: answer["pid"].as_u64().unwrap().try_into().unwrap() }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> String {
        format!("/pty/sessions/{}", self.id)
    }

    /// What is said of it.
    #[track_caller]
    pub(crate) fn detail(&self, server: &Server) -> Value {
        server.call(&server.request("GET", &self.path())).ok()
    }

    /// Close it.
    #[track_caller]
    pub(crate) fn close(&self, server: &Server) -> Answer {
        server.call(&server.request("DELETE", &self.path()))
    }

    /// The handshake for it, with the server's token.
    pub(crate) fn handshake(&self, server: &Server) -> Request {
        let token = server.request("GET", "/");
        let handshake = socket::handshake(&format!("/pty?session_id={}", self.id));
        match token.value("Authorization") {
            Some(value) => handshake.header("Authorization", value),
            None => handshake,
        }
    }

    /// A client that comes.
    #[track_caller]
    pub(crate) fn attach(&self, server: &Server) -> Client {
        self.attach_by(server, &self.handshake(server))
    }

    /// A client that comes by this handshake.
    #[track_caller]
    pub(crate) fn attach_by(&self, server: &Server, handshake: &Request) -> Client {
        let mut socket = Socket::open(server.pty_port, handshake);
        let started = json!({"type": "event", "event": "started", "session_id": self.id, "pid": self.pid});
        assert_eq!(socket.hear().json(), started);
        Client { socket, id: self.id.clone(), seen: String::new() }
    }

    /// A session with its first client, at the prompt `$ `.
    #[track_caller]
    pub(crate) fn at_prompt(server: &Server) -> (Self, Client) {
        let terminal = Self::open(server);
        let mut client = terminal.attach(server);
        client.begins();
        (terminal, client)
    }
}

/// A client, and what it has seen and not looked past.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) socket: Socket,
    id: String,
    pub(crate) seen: String,
}

impl Client {
    /// Makes the prompt `$ `, whatever the machine's files make it.
    #[track_caller]
    pub(crate) fn begins(&mut self) {
        self.types("PS1='$ '; echo be''gin\n");
        self.sees("begin\r\n");
        self.sees("$ ");
    }

    #[track_caller]
    pub(crate) fn types(&mut self, text: &str) {
        self.socket.say(&json!({"type": "input", "data": text}));
    }

    /// Runs a command line and waits until it is over; what it put out.
    #[track_caller]
    pub(crate) fn runs(&mut self, line: &str) -> String {
        self.types(&format!("echo 'be''gun'; {line}; echo 'do''ne'\n"));
        self.sees("begun\r\n");
        self.sees("done\r\n")
    }

    #[track_caller]
    pub(crate) fn resizes(&mut self, cols: u16, rows: u16) {
        self.socket.say(&json!({"type": "resize", "cols": cols, "rows": rows}));
    }

    #[track_caller]
    pub(crate) fn signals(&mut self, signal: &str) {
        self.socket.say(&json!({"type": "signal", "signal": signal}));
    }

    /// Waits for a text and looks past it; what came before it.
    #[track_caller]
    pub(crate) fn sees(&mut self, text: &str) -> String {
        let mut looked = 0;
        loop {
            let from = self.seen.floor_char_boundary(looked);
            if let Some(at) = self.seen[from..].find(text) {
                let found: String = self.seen.drain(..from + at + text.len()).collect();
                return found[..found.len() - text.len()].to_owned();
            }
            looked = self.seen.len().saturating_sub(text.len());
            let heard = self.socket.hear();
            let Some(data) = output(&heard) else { panic!("{heard:?} before {text:?}: {:?}", self.seen) };
            self.seen.push_str(&data);
        }
    }

    /// Everything up to the end of the shell, and how that is told.
    #[track_caller]
    pub(crate) fn end(&mut self) -> Value {
        loop {
            let heard = self.socket.hear();
            match output(&heard) {
                Some(data) => self.seen.push_str(&data),
                None => {
                    let event = heard.json();
                    assert_eq!((&event["event"], &event["session_id"]), (&json!("exited"), &json!(self.id)), "{event}");
                    return event["exit_code"].clone();
                }
            }
        }
    }

    /// The next piece of output.
    #[track_caller]
    pub(crate) fn piece(&mut self) -> String {
        let heard = self.socket.hear();
        output(&heard).unwrap_or_else(|| panic!("{heard:?}"))
    }
}

/// What an output message carries.
#[track_caller]
pub(crate) fn output(heard: &Heard) -> Option<String> {
    let message = heard.json();
    if message["type"] != "output" {
        return None;
    }
    assert_eq!(message.as_object().unwrap().len(), 2, "{message}");
    Some(message["data"].as_str().unwrap().to_owned())
}

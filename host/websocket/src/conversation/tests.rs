//! Sockets in memory, with a clock that is moved by hand.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tungstenite::protocol::frame::FrameHeader;
use tungstenite::protocol::frame::coding::{Control, Data, OpCode};

use super::{Closed, Conversation, Outgoing, Settings, converse};
use crate::close::Close;
use crate::decoder::Message;

const SETTINGS: Settings = Settings {
    most_message: 1000,
    ping_every: Duration::from_secs(20),
    pong_within: Duration::from_secs(20),
    close_within: Duration::from_secs(10),
    patience: Duration::from_secs(10),
    least: 4096,
};

const TEXT: u8 = 0x81;
const CLOSE: u8 = 0x88;
const PING: u8 = 0x89;
const PONG: u8 = 0x8a;

/// A conversation that a test leads.
struct Led {
    out: tokio::sync::Mutex<mpsc::Receiver<Outgoing>>,
    heard: Arc<Mutex<Vec<Message>>>,
    /// One permit for each message that may be received.
    ready: Arc<Semaphore>,
}

impl Conversation for Led {
    async fn next(&self) -> Outgoing {
        match self.out.lock().await.recv().await {
            Some(outgoing) => outgoing,
            None => std::future::pending().await,
        }
    }

    async fn receive(&self, message: Message) -> Option<Close> {
        self.ready.acquire().await.unwrap().forget();
        let close = (message.payload == "bad").then(|| Close::new(4000, "bad"));
        self.heard.lock().unwrap().push(message);
        close
    }
}

/// Both ends of a socket.
struct Rig {
    client: DuplexStream,
    say: mpsc::Sender<Outgoing>,
    heard: Arc<Mutex<Vec<Message>>>,
    ready: Arc<Semaphore>,
    served: JoinHandle<Closed>,
}

impl Rig {
    fn start(room: usize) -> Self {
        let (client, server) = tokio::io::duplex(room);
        let (say, out) = mpsc::channel(1000);
        let (heard, ready) = (Arc::default(), Arc::new(Semaphore::new(1000)));
        let led = Led { out: out.into(), heard: Arc::clone(&heard), ready: Arc::clone(&ready) };
        let served = tokio::spawn(async move { converse(server, led, &SETTINGS).await });
        Self { client, say, heard, ready, served }
    }

    async fn say(&self, text: &str) {
        self.say.send(Outgoing::Text(text.to_owned())).await.unwrap();
    }

    async fn send(&mut self, opcode: OpCode, payload: &[u8]) {
        let head = FrameHeader { opcode, mask: Some([0; 4]), ..FrameHeader::default() };
        let mut bytes = Vec::new();
        head.format(payload.len() as u64, &mut bytes).unwrap();
        bytes.extend_from_slice(payload);
        self.client.write_all(&bytes).await.unwrap();
    }

    async fn text(&mut self, payload: &str) {
        self.send(OpCode::Data(Data::Text), payload.as_bytes()).await;
    }

    async fn control(&mut self, control: Control, payload: &[u8]) {
        self.send(OpCode::Control(control), payload).await;
    }

    /// First byte and payload of the next frame.
    async fn frame(&mut self) -> (u8, Vec<u8>) {
        let first = self.client.read_u8().await.unwrap();
        let length = match self.client.read_u8().await.unwrap() {
            126 => usize::from(self.client.read_u16().await.unwrap()),
            127 => usize::try_from(self.client.read_u64().await.unwrap()).unwrap(),
            short => usize::from(short),
        };
        let mut payload = vec![0; length];
        self.client.read_exact(&mut payload).await.unwrap();
        (first, payload)
    }

    /// Code of the close frame that comes next.
    async fn close(&mut self) -> u16 {
        let (first, payload) = self.frame().await;
        assert_eq!(first, CLOSE);
        u16::from_be_bytes([payload[0], payload[1]])
    }

    async fn is_at_end(&mut self) {
        assert_eq!(self.client.read(&mut [0]).await.unwrap(), 0);
    }

    fn heard(&self) -> Vec<String> {
        let heard = self.heard.lock().unwrap();
        heard.iter().map(|message| String::from_utf8_lossy(&message.payload).into_owned()).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_closes_is_answered_after_what_it_said() {
    let mut rig = Rig::start(1 << 20);
    rig.say("one").await;
    assert_eq!(rig.frame().await, (TEXT, b"one".to_vec()));
    rig.text("a").await;
    rig.text("b").await;
    rig.control(Control::Close, &[0x0f, 0xa1, b'x']).await;
    assert_eq!(rig.frame().await, (CLOSE, vec![0x0f, 0xa1, b'x']));
    rig.is_at_end().await;
    assert_eq!(rig.heard(), ["a", "b"]);
    assert_eq!(rig.served.await.unwrap(), Closed::ByPeer(Some(Close::new(4001, "x"))));
}

#[tokio::test(start_paused = true)]
async fn what_a_lost_peer_said_counts() {
    let mut rig = Rig::start(1 << 20);
    rig.text("a").await;
    rig.text("b").await;
    drop(rig.client);
    assert_eq!(rig.served.await.unwrap(), Closed::Lost);
    assert_eq!(rig.heard.lock().unwrap().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn pings_are_answered_with_their_payload() {
    let mut rig = Rig::start(1 << 20);
    rig.control(Control::Ping, b"now").await;
    assert_eq!(rig.frame().await, (PONG, b"now".to_vec()));
}

#[tokio::test(start_paused = true)]
async fn pings_are_answered_between_messages_without_end() {
    let mut rig = Rig::start(1 << 20);
    for _ in 0..900 {
        rig.say("flood").await;
    }
    rig.control(Control::Ping, b"p").await;
    let mut texts = 0;
    while rig.frame().await.0 == TEXT {
        texts += 1;
    }
    assert!(texts < 900, "the pong came last");
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_answers_pings_stays() {
    let mut rig = Rig::start(1 << 20);
    let start = Instant::now();
    for turn in 1..=5_u64 {
        let (kind, payload) = rig.frame().await;
        assert_eq!(kind, PING);
        assert_eq!(start.elapsed().as_secs(), turn * 20);
        rig.control(Control::Pong, &payload).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_does_not_is_closed() {
    let mut rig = Rig::start(1 << 20);
    let start = Instant::now();
    assert_eq!(rig.frame().await.0, PING);
    // Whatever else it says is no answer.
    rig.text("here").await;
    rig.control(Control::Pong, b"other").await;
    assert_eq!(rig.close().await, 1011);
    assert_eq!(start.elapsed().as_secs(), 40);
    // Nor does it answer the close frame.
    assert_eq!(rig.served.await.unwrap(), Closed::ByUs(Close::new(1011, "keepalive ping timeout")));
    assert_eq!(start.elapsed().as_secs(), 50);
}

#[tokio::test(start_paused = true)]
async fn time_in_which_nothing_is_read_is_not_the_peers() {
    let mut rig = Rig::start(1 << 20);
    rig.ready.forget_permits(1000);
    rig.text("slow").await;
    let (kind, payload) = rig.frame().await;
    assert_eq!(kind, PING);
    rig.control(Control::Pong, &payload).await;
    tokio::time::sleep(Duration::from_secs(300)).await;
    rig.ready.add_permits(1000);
    // The same one has been sent again meanwhile; a new one comes when the answer was read.
    loop {
        let (kind, next) = rig.frame().await;
        assert_eq!(kind, PING);
        if next != payload {
            break;
        }
    }
    assert_eq!(rig.heard(), ["slow"]);
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_is_gone_is_noticed_while_nothing_is_read() {
    let mut rig = Rig::start(1 << 20);
    rig.ready.forget_permits(1000);
    rig.text("stuck").await;
    assert_eq!(rig.frame().await.0, PING);
    let Rig { client, served, say: _say, .. } = rig;
    drop(client);
    assert_eq!(served.await.unwrap(), Closed::Lost);
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_takes_nothing_is_closed_and_the_conversation_let_go() {
    let mut rig = Rig::start(64);
    let start = Instant::now();
    rig.say(&"x".repeat(10_000)).await;
    // The conversation ends while the closing handshake goes on.
    rig.say.closed().await;
    assert_eq!(start.elapsed().as_secs(), 10);
    let (kind, payload) = rig.frame().await;
    assert_eq!((kind, payload.len()), (TEXT, 10_000));
    assert_eq!(rig.close().await, 1013);
    rig.control(Control::Close, &[0x03, 0xf5]).await;
    rig.is_at_end().await;
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_trickles_is_closed_too() {
    let mut rig = Rig::start(64);
    let start = Instant::now();
    rig.say(&"x".repeat(10_000)).await;
    while !rig.say.is_closed() {
        rig.client.read_u8().await.unwrap();
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(start.elapsed().as_secs(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_slow_peer_that_takes_enough_stays() {
    let mut rig = Rig::start(64);
    rig.say(&"x".repeat(100_000)).await;
    let mut taken = vec![0; 500];
    for _ in 0..150 {
        rig.client.read_exact(&mut taken).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    assert!(!rig.say.is_closed());
}

#[tokio::test(start_paused = true)]
async fn a_peer_that_has_taken_all_may_be_silent_for_ever() {
    let mut rig = Rig::start(1 << 20);
    rig.say("x").await;
    assert_eq!(rig.frame().await.0, TEXT);
    for _ in 0..20 {
        let (kind, payload) = rig.frame().await;
        assert_eq!(kind, PING);
        rig.control(Control::Pong, &payload).await;
    }
}

#[tokio::test(start_paused = true)]
async fn messages_that_are_too_big_are_not_taken() {
    let mut rig = Rig::start(1 << 20);
    rig.text("before").await;
    rig.text(&"x".repeat(1001)).await;
    assert_eq!(rig.close().await, 1009);
    // The peer is in the middle of the next one; its answer is found behind it.
    rig.text(&"y".repeat(5000)).await;
    rig.control(Control::Close, &[0x03, 0xf1]).await;
    rig.is_at_end().await;
    assert_eq!(rig.heard(), ["before"]);
}

#[tokio::test(start_paused = true)]
async fn either_side_may_end_it_with_a_reason() {
    let mut rig = Rig::start(1 << 20);
    rig.say.send(Outgoing::Close(Close::new(1001, ""))).await.unwrap();
    assert_eq!(rig.frame().await, (CLOSE, vec![0x03, 0xe9]));
    rig.control(Control::Close, &[0x03, 0xe9]).await;
    rig.is_at_end().await;
    assert_eq!(rig.served.await.unwrap(), Closed::ByUs(Close::new(1001, "")));

    let mut rig = Rig::start(1 << 20);
    rig.text("bad").await;
    assert_eq!(rig.close().await, 4000);
}

#[tokio::test(start_paused = true)]
async fn a_close_frame_that_nobody_answers_is_not_waited_for_long() {
    let rig = Rig::start(1 << 20);
    let start = Instant::now();
    rig.say.send(Outgoing::Close(Close::new(1001, ""))).await.unwrap();
    assert_eq!(rig.served.await.unwrap(), Closed::ByUs(Close::new(1001, "")));
    assert_eq!(start.elapsed().as_secs(), 10);
    drop(rig.client);
}

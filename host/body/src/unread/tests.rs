use std::io;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use http_body::Frame;
use http_body_util::StreamBody;

use crate::unread::{BodyError, IDLE, UnreadBody};

type Piece = Result<Frame<Bytes>, io::Error>;

fn piece(bytes: &'static [u8]) -> Piece {
    Ok(Frame::data(Bytes::from_static(bytes)))
}

fn body(pieces: impl Stream<Item = Piece> + Send + 'static, size: u64) -> UnreadBody {
    UnreadBody::new(StreamBody::new(pieces), size, IDLE)
}

async fn read(body: &mut UnreadBody) -> Result<Vec<u8>, BodyError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = body.next_chunk().await? {
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

#[tokio::test]
async fn chunks_come_as_they_arrive() {
    let mut body = body(stream::iter([piece(b"ab"), piece(b""), piece(b"cde")]), 5);
    assert_eq!(body.size(), 5);
    assert_eq!(body.next_chunk().await.unwrap().unwrap(), "ab");
    assert_eq!(body.next_chunk().await.unwrap().unwrap(), "cde");
    assert!(body.next_chunk().await.unwrap().is_none());
    assert!(body.next_chunk().await.unwrap().is_none());
}

#[tokio::test]
async fn only_the_declared_part_is_read() {
    let mut body = body(stream::iter([piece(b"abc"), piece(b"def")]).chain(stream::pending()), 5);
    assert_eq!(read(&mut body).await.unwrap(), b"abcde");
}

#[tokio::test]
async fn empty_body_is_not_polled() {
    let mut body = body(stream::pending(), 0);
    assert!(body.next_chunk().await.unwrap().is_none());
    assert!(UnreadBody::empty().next_chunk().await.unwrap().is_none());
}

#[tokio::test]
async fn short_body_is_incomplete_for_good() {
    let mut body = body(stream::iter([piece(b"abc")]), 5);
    for _ in 0..2 {
        assert!(matches!(read(&mut body).await, Err(BodyError::Incomplete { expected: 5, got: 3 })));
    }
}

#[tokio::test]
async fn early_end_of_the_connection_is_incomplete() {
    let cut = Err(io::Error::new(io::ErrorKind::UnexpectedEof, "cut"));
    let mut body = body(stream::iter([piece(b"abc"), cut]), 5);
    assert!(matches!(read(&mut body).await, Err(BodyError::Incomplete { expected: 5, got: 3 })));
}

#[tokio::test]
async fn broken_connection_is_told_apart() {
    let reset = Err(io::Error::from(io::ErrorKind::ConnectionReset));
    let mut body = body(stream::iter([piece(b"abc"), reset]), 5);
    assert!(matches!(read(&mut body).await, Err(BodyError::Broken(_))));
    assert!(matches!(read(&mut body).await, Err(BodyError::Incomplete { .. })));
}

#[tokio::test]
async fn time_out_of_the_connection_is_too_slow() {
    let late = Err(io::Error::from(io::ErrorKind::TimedOut));
    let mut body = body(stream::iter([piece(b"abc"), late]), 5);
    assert!(matches!(read(&mut body).await, Err(BodyError::TooSlow { .. })));
}

#[tokio::test(start_paused = true)]
async fn silence_is_too_slow() {
    let start = tokio::time::Instant::now();
    let mut body = body(stream::iter([piece(b"abc")]).chain(stream::pending()), 5);
    assert!(matches!(read(&mut body).await, Err(BodyError::TooSlow { idle: IDLE })));
    assert_eq!(start.elapsed(), IDLE);
    assert!(matches!(read(&mut body).await, Err(BodyError::Incomplete { .. })));
}

#[tokio::test(start_paused = true)]
async fn slow_but_steady_body_is_read() {
    let pieces = stream::repeat(()).take(5).then(|()| async {
        tokio::time::sleep(IDLE - Duration::from_secs(1)).await;
        piece(b"x")
    });
    assert_eq!(read(&mut body(Box::pin(pieces), 5)).await.unwrap(), b"xxxxx");
}

#[tokio::test(start_paused = true)]
async fn empty_frames_do_not_prolong_the_wait() {
    let pieces = stream::repeat(()).then(|()| async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        piece(b"")
    });
    assert!(matches!(read(&mut body(Box::pin(pieces), 5)).await, Err(BodyError::TooSlow { .. })));
}

use std::future::poll_fn;
use std::time::Duration;

use abxd_plugins::{BrokenOff, Event, EventStream};
use futures_util::{Stream, StreamExt, stream};

use super::{BATCH, Lines, push};

/// Longer than any test.
const NEVER: Duration = Duration::from_secs(3600);

fn lines(events: impl Stream<Item = Result<Event, BrokenOff>> + Send + 'static, silence: Duration) -> Lines {
    Lines::new(EventStream::new(events), silence)
}

/// The next bytes; `Err` where the stream breaks.
async fn next(lines: &mut Lines) -> Option<Result<String, ()>> {
    let polled = poll_fn(|context| lines.poll_next(context)).await;
    polled.map(|written| written.map(|bytes| String::from_utf8(bytes.to_vec()).unwrap()).map_err(drop))
}

fn event(number: usize) -> Event {
    Event::new("change", format!("{{\"n\":{number}}}"))
}

fn text(event: &Event) -> String {
    let mut text = String::new();
    push(event, &mut text);
    text
}

#[test]
fn an_event_is_its_lines_and_an_empty_one() {
    let event = Event::new("change", r#"{"a":1}"#.to_owned());
    assert_eq!(text(&event), "event: change\ndata: {\"a\":1}\n\n");
    let event = Event { id: Some("7".to_owned()), ..event };
    assert_eq!(text(&event), "id: 7\nevent: change\ndata: {\"a\":1}\n\n");
}

#[test]
fn a_line_break_adds_no_field() {
    let event = Event { id: Some("7\nx: y".to_owned()), name: "a\revent: b".into(), data: "1\n\nevent: c".to_owned() };
    assert_eq!(text(&event), "id: 7 x: y\nevent: a event: b\ndata: 1\ndata: \ndata: event: c\n\n");
}

#[tokio::test]
async fn the_first_event_does_not_wait_for_the_second() {
    let mut lines = lines(stream::iter([Ok(event(1))]).chain(stream::pending()), NEVER);
    assert_eq!(next(&mut lines).await, Some(Ok(text(&event(1)))));
}

#[tokio::test]
async fn events_that_are_there_are_written_together_up_to_a_bound() {
    let count = 5000;
    let mut lines = lines(stream::iter((0..count).map(|number| Ok(event(number)))), NEVER);
    let mut written = String::new();
    let mut pieces = 0;
    while let Some(piece) = next(&mut lines).await {
        let piece = piece.unwrap();
        assert!(piece.len() < BATCH + 64, "{} bytes at once", piece.len());
        written += &piece;
        pieces += 1;
    }
    assert_eq!(written, (0..count).map(|number| text(&event(number))).collect::<String>());
    assert!(pieces < 20, "{pieces} pieces");
    assert_eq!(next(&mut lines).await, None);
}

#[tokio::test]
async fn a_silent_stream_says_that_it_is_alive() {
    let mut lines = lines(stream::pending(), Duration::from_millis(1));
    for _ in 0..3 {
        assert_eq!(next(&mut lines).await, Some(Ok(":\n\n".to_owned())));
    }
}

#[tokio::test]
async fn a_client_that_closed_its_side_gets_one_comment() {
    let mut lines = lines(stream::pending(), NEVER);
    lines.left = Some(Box::pin(std::future::ready(())));
    assert_eq!(next(&mut lines).await, Some(Ok(":\n\n".to_owned())));
    assert!(poll_fn(|context| std::task::Poll::Ready(lines.poll_next(context).is_pending())).await);
}

#[tokio::test]
async fn a_stream_that_breaks_off_is_written_so_far_and_then_broken() {
    let cause = BrokenOff("defect".into());
    let mut lines = lines(stream::iter([Ok(event(1)), Err(cause), Ok(event(2))]), NEVER);
    assert_eq!(next(&mut lines).await, Some(Ok(text(&event(1)))));
    assert_eq!(next(&mut lines).await, Some(Err(())));
}

#[tokio::test]
async fn a_stream_breaks_off_when_the_server_stops() {
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let mut lines = lines(stream::iter([Ok(event(1))]).chain(stream::pending()), NEVER);
    lines.stopping = Some(Box::pin(async { drop(stopped.await) }));
    assert_eq!(next(&mut lines).await, Some(Ok(text(&event(1)))));
    drop(stop);
    assert_eq!(next(&mut lines).await, Some(Err(())));
}

#[tokio::test]
async fn a_stream_that_has_ended_is_not_broken_off() {
    let mut lines = lines(stream::iter([Ok(event(1))]), NEVER);
    assert_eq!(next(&mut lines).await, Some(Ok(text(&event(1)))));
    lines.stopping = Some(Box::pin(std::future::ready(())));
    assert_eq!(next(&mut lines).await, None);
}

//! What a client is told, as the texts that are sent (contract: terminal, server to client).

use abxd_body::json_text::TextEncoder;
use abxd_capabilities::process::Exit;
use serde_json::json;

/// The first one.
pub(super) fn started(id: &str, pid: u32) -> String {
    json!({"type": "event", "event": "started", "session_id": id, "pid": pid}).to_string()
}

/// After all output.
pub(super) fn exited(id: &str, exit: Exit) -> String {
    json!({"type": "event", "event": "exited", "session_id": id, "exit_code": exit.code()}).to_string()
}

/// What the terminal puts out, as text, whatever the borders of its pieces are.
#[derive(Debug, Default)]
pub(super) struct Output(TextEncoder);

/// What stands around the text.
const BEFORE: &str = r#"{"type":"output","data":""#;
const BEHIND: &str = r#""}"#;

impl Output {
    /// The message for a piece; none if there is no whole character in it.
    pub(super) fn of(&mut self, piece: &[u8]) -> Option<String> {
        let mut text = String::with_capacity(BEFORE.len() + piece.len() + piece.len() / 8 + BEHIND.len());
        text.push_str(BEFORE);
        self.0.push(piece, &mut text);
        whole(text)
    }

    /// The message for what is left at the end.
    pub(super) fn last(&mut self) -> Option<String> {
        let mut text = BEFORE.to_owned();
        self.0.finish(&mut text);
        whole(text)
    }
}

fn whole(mut text: String) -> Option<String> {
    (text.len() > BEFORE.len()).then(|| {
        text.push_str(BEHIND);
        text
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Exit, Output, exited, started};

    fn value(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn events_have_exactly_the_contracts_keys() {
        let expected = json!({"type": "event", "event": "started", "session_id": "2743621ecb7d", "pid": 7});
        assert_eq!(value(&started("2743621ecb7d", 7)), expected);
        let expected = json!({"type": "event", "event": "exited", "session_id": "2743621ecb7d", "exit_code": -9});
        assert_eq!(value(&exited("2743621ecb7d", Exit::KILLED)), expected);
    }

    #[test]
    fn characters_are_whole_whatever_the_pieces() {
        let mut output = Output::default();
        let data = |text: Option<String>| text.map(|text| value(&text)["data"].as_str().unwrap().to_owned());
        assert_eq!(data(output.of(b"a\r\n\x1b[m\"\\\0")), Some("a\r\n\u{1b}[m\"\\\0".to_owned()));
        assert_eq!(data(output.of(b"\xe2")), None);
        assert_eq!(data(output.of(b"\x89")), None);
        assert_eq!(data(output.of(b"\xa4b\xff\xe2\x89")), Some("≤b\u{fffd}".to_owned()));
        assert_eq!(data(output.last()), Some("\u{fffd}".to_owned()));
        assert_eq!(data(output.last()), None);
        assert_eq!(value(&output.of(b"x").unwrap()), json!({"type": "output", "data": "x"}));
    }
}

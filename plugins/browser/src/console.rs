//! `browser_console`: what the page has written to its console; reading takes it away. Contract: browser, console.

use abx_sdk::browser::{self, ConsoleEntry};
use abx_sdk::{Problem, Response, json};

pub(crate) fn console() -> Result<Response, Problem> {
    Ok(Response::json(answer(&browser::drain_console())))
}

fn answer(entries: &[ConsoleEntry]) -> Vec<u8> {
    let length: usize = entries.iter().map(|entry| 64 + entry.text.len()).sum();
    json::object(16 + length, |answer| {
        answer.list("logs", |logs| {
            for entry in entries {
                logs.object(|log| {
                    log.text("type", &entry.kind);
                    log.text("text", &entry.text);
                    log.value("timestamp", &entry.timestamp.into());
                });
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::answer;
    use abx_sdk::browser::ConsoleEntry;

    #[test]
    fn entries_stand_in_their_order() {
        assert_eq!(answer(&[]), br#"{"logs":[]}"#);
        let entry = |kind: &str, timestamp| ConsoleEntry { kind: kind.into(), text: "a\"b".into(), timestamp };
        assert_eq!(
            answer(&[entry("log", 1_795_971_769.35), entry("warning", 2.0)]),
            br#"{"logs":[{"type":"log","text":"a\"b","timestamp":1795971769.35},{"type":"warning","text":"a\"b","timestamp":2.0}]}"#
        );
    }
}

//! What a client may ask for (contract: terminal, client to server).

use abxd_capabilities::process::Signal;
use serde_json::{Map, Value};

/// One message that means something.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Type this.
    Input(String),
    /// Set the size; a side that is not given stays.
    Resize { cols: Option<u16>, rows: Option<u16> },
    /// Send this to the foreground.
    Signal(Signal),
}

impl Command {
    /// What a message asks for; `None`: nothing, and it is ignored.
    pub(super) fn read(payload: &[u8]) -> Option<Self> {
        let mut members: Map<String, Value> = serde_json::from_slice(payload).ok()?;
        match members.get("type")?.as_str()? {
            "input" => match members.remove("data") {
                None => Some(Self::Input(String::new())),
                Some(Value::String(data)) => Some(Self::Input(data)),
                Some(_) => None,
            },
            "resize" => {
                let mut side = |name| members.remove(name).map(|value| side(&value).ok_or(())).transpose();
                let (Ok(cols), Ok(rows)) = (side("cols"), side("rows")) else { return None };
                Some(Self::Resize { cols, rows })
            }
            "signal" => match members.get("signal").map(Value::as_str) {
                None => Some(Self::Signal(Signal::INT)),
                Some(name) => signal(name?).map(Self::Signal),
            },
            _ => None,
        }
    }
}

fn signal(name: &str) -> Option<Signal> {
    Some(match name {
        "SIGINT" => Signal::INT,
        "SIGTERM" => Signal::TERM,
        "SIGKILL" => Signal::KILL,
        "SIGHUP" => Signal::HUP,
        "SIGQUIT" => Signal::QUIT,
        _ => return None,
    })
}

/// One side of a size: what `int()` makes of the value, if a terminal can be of that size.
fn side(value: &Value) -> Option<u16> {
    let whole = match value {
        Value::Bool(flag) => i64::from(*flag),
        #[expect(clippy::cast_possible_truncation, reason = "the fraction is to be cut; a cast saturates")]
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().map(|number| number as i64))?,
        Value::String(text) => integer(text)?,
        Value::Null | Value::Array(_) | Value::Object(_) => return None,
    };
    u16::try_from(whole).ok().filter(|side| *side > 0)
}

/// Surrounding blanks, one sign, single underscores between digits.
fn integer(text: &str) -> Option<i64> {
    let text = text.trim();
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_grouped = digits.split('_').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    is_grouped.then(|| text.replace('_', "").parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::{Command, Signal};

    fn read(text: &str) -> Option<Command> {
        Command::read(text.as_bytes())
    }

    fn resize(cols: u16, rows: u16) -> Option<Command> {
        Some(Command::Resize { cols: Some(cols), rows: Some(rows) })
    }

    #[test]
    fn input_is_text() {
        assert_eq!(
            read(r#"{"type":"input","data":"l\u00e9s\n\u0003"}"#),
            Some(Command::Input("lés\n\u{3}".to_owned()))
        );
        assert_eq!(read(r#"{"type":"input"}"#), Some(Command::Input(String::new())));
        assert_eq!(read(r#"{"data":"a","x":[{}],"data":"b","type":"input"}"#), Some(Command::Input("b".to_owned())));
    }

    #[test]
    fn sizes_are_taken_as_int_takes_them() {
        assert_eq!(read(r#"{"type":"resize","cols":120,"rows":40}"#), resize(120, 40));
        assert_eq!(read(r#"{"type":"resize","cols":" +1_20 ","rows":40.9}"#), resize(120, 40));
        assert_eq!(read(r#"{"type":"resize","cols":65535,"rows":true}"#), resize(65535, 1));
        assert_eq!(read(r#"{"type":"resize","cols":90}"#), Some(Command::Resize { cols: Some(90), rows: None }));
        assert_eq!(read(r#"{"type":"resize"}"#), Some(Command::Resize { cols: None, rows: None }));
        for bad in
            ["null", "\"x\"", "0", "65536", "99999", "-1", "\"80.5\"", "1e300", "[80]", "{}", "false", "\"1__0\""]
        {
            assert_eq!(read(&format!(r#"{{"type":"resize","cols":{bad},"rows":24}}"#)), None, "{bad}");
            assert_eq!(read(&format!(r#"{{"type":"resize","cols":80,"rows":{bad}}}"#)), None, "{bad}");
        }
    }

    #[test]
    fn five_signals_are_known() {
        let signal = |name: &str| read(&format!(r#"{{"type":"signal","signal":"{name}"}}"#));
        for (name, expected) in [
            ("SIGINT", Signal::INT),
            ("SIGTERM", Signal::TERM),
            ("SIGKILL", Signal::KILL),
            ("SIGHUP", Signal::HUP),
            ("SIGQUIT", Signal::QUIT),
        ] {
            assert_eq!(signal(name), Some(Command::Signal(expected)));
        }
        assert_eq!(read(r#"{"type":"signal"}"#), Some(Command::Signal(Signal::INT)));
        for name in ["", "INT", "sigint", "SIGSTOP", "2"] {
            assert_eq!(signal(name), None, "{name}");
        }
    }

    #[test]
    fn everything_else_means_nothing() {
        for text in [
            "",
            " ",
            "not json",
            "[]",
            "5",
            "null",
            "\"input\"",
            "{}",
            "{\"type\":5}",
            "{\"type\":\"ping\"}",
            "{\"type\":\"input\",\"data\":5}",
            "{\"type\":\"input\",\"data\":null}",
            "{\"type\":\"input\",\"data\":\"\\ud800\"}",
            "{\"type\":\"signal\",\"signal\":[1]}",
            "{\"type\":\"signal\",\"signal\":null}",
            "{\"type\":\"input\"} x",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(Command::read(b"{\"type\":\"input\",\"data\":\"\xff\"}"), None);
        assert_eq!(read(&"[".repeat(500_000)), None);
    }
}

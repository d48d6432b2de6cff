//! Strings.

/// One JSON string, as text.
pub fn text(value: &str) -> String {
    let mut out = Vec::with_capacity(value.len() + 2);
    push_text(&mut out, value);
    String::from_utf8(out).unwrap_or_default()
}

/// Append a string with its quotes.
pub(super) fn push_text(out: &mut Vec<u8>, value: &str) {
    out.push(b'"');
    let mut rest = value.as_bytes();
    while let Some(at) = rest.iter().position(|byte| must_escape(*byte)) {
        let Some((clean, [special, tail @ ..])) = rest.split_at_checked(at) else { break };
        out.extend_from_slice(clean);
        push_escape(out, *special);
        rest = tail;
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}

/// Whether a byte can't stand in a string as it is.
pub(super) fn must_escape(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

fn push_escape(out: &mut Vec<u8>, byte: u8) {
    let short = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            let low = byte & 15;
            let digit = if low < 10 { b'0' + low } else { b'a' + low - 10 };
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', b'0' + (byte >> 4), digit]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use super::text;
    use serde_json::Value;

    #[test]
    fn every_character_survives() {
        let all: String = (0..0x500).chain([0x2028, 0xffff, 0x1f923, 0x10ffff]).filter_map(char::from_u32).collect();
        assert_eq!(serde_json::from_str::<Value>(&text(&all)).unwrap(), Value::String(all));
        assert_eq!(text("a\"\\\n\r\t\u{8}\u{c}\u{1}\u{1f}é"), r#""a\"\\\n\r\t\b\f\u0001\u001fé""#);
        assert_eq!(text(""), r#""""#);
        assert_eq!(text("\""), r#""\"""#);
    }
}

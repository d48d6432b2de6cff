//! Records of a pax header: what the fields of a ustar header can't hold.

/// Records being collected.
#[derive(Default)]
pub(super) struct Records {
    text: Vec<u8>,
    /// Whether a value is no UTF-8.
    binary: bool,
}

impl Records {
    /// Adds a record.
    pub(super) fn add(&mut self, key: &str, value: &[u8]) {
        self.binary |= std::str::from_utf8(value).is_err();
        push(&mut self.text, key, value);
    }

    /// All records, empty if there are none. Values that are no UTF-8 are announced, as POSIX wants it.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        if !self.binary {
            return self.text;
        }
        let mut all = Vec::with_capacity(self.text.len() + 32);
        push(&mut all, "hdrcharset", b"BINARY");
        all.extend_from_slice(&self.text);
        all
    }
}

/// A record begins with its length in bytes, the digits of this length included.
fn push(text: &mut Vec<u8>, key: &str, value: &[u8]) {
    let rest = key.len() + value.len() + " =\n".len();
    let mut length = rest + 1;
    while length != rest + digits(length) {
        length = rest + digits(length);
    }
    text.extend_from_slice(format!("{length} {key}=").as_bytes());
    text.extend_from_slice(value);
    text.push(b'\n');
}

fn digits(number: usize) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::Records;

    #[test]
    fn a_records_length_counts_itself() {
        for length in (0..400).chain([990, 998, 9_985, 9_990, 100_000]) {
            let mut records = Records::default();
            records.add("path", &vec![b'x'; length]);
            let bytes = records.into_bytes();
            let text = String::from_utf8(bytes).unwrap();
            let (told, rest) = text.split_once(' ').unwrap();
            assert_eq!(told.parse::<usize>().unwrap(), text.len());
            assert_eq!(rest, format!("path={}\n", "x".repeat(length)));
        }
    }

    #[test]
    fn values_that_are_no_utf8_are_announced_first() {
        let mut records = Records::default();
        records.add("size", b"1");
        records.add("path", b"a\xff");
        assert_eq!(records.into_bytes(), b"21 hdrcharset=BINARY\n9 size=1\n11 path=a\xff\n");
    }
}

//! Why a socket is closed: code and reason (RFC 6455 §7.4).

/// Bytes that a reason may have: a control frame holds 125, two of them the code.
const LONGEST_REASON: usize = 123;

/// The code and the reason of a close frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Close {
    code: u16,
    reason: String,
}

impl Close {
    /// A close frame. A reason that is too long is cut after a whole character.
    #[must_use]
    pub fn new(code: u16, reason: impl Into<String>) -> Self {
        let mut reason = reason.into();
        reason.truncate(reason.floor_char_boundary(LONGEST_REASON));
        Self { code, reason }
    }

    /// What the peer did is against the protocol.
    pub(crate) fn protocol_error() -> Self {
        Self::new(1002, "Protocol error")
    }

    /// A text, or the reason of a close, that had to be UTF-8 is not.
    pub(crate) fn not_utf8() -> Self {
        Self::new(1007, "Not UTF-8")
    }

    /// A message is larger than the limit.
    pub(crate) fn too_big() -> Self {
        Self::new(1009, "Message too big")
    }

    /// The peer has not answered a ping.
    pub(crate) fn unanswered() -> Self {
        Self::new(1011, "keepalive ping timeout")
    }

    /// The peer takes what it gets too slowly.
    pub(crate) fn too_slow() -> Self {
        Self::new(1013, "Reading too slowly")
    }

    /// The code.
    #[must_use]
    pub fn code(&self) -> u16 {
        self.code
    }

    /// The reason, perhaps empty.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// What a close frame carries.
    pub(crate) fn payload(&self) -> Vec<u8> {
        let mut payload = self.code.to_be_bytes().to_vec();
        payload.extend_from_slice(self.reason.as_bytes());
        payload
    }

    /// What the peer's close frame says; `None` if it says nothing.
    ///
    /// # Errors
    /// What is to be answered where it is malformed.
    pub(crate) fn read(payload: &[u8]) -> Result<Option<Self>, Self> {
        let Some((code, reason)) = payload.split_first_chunk() else {
            return if payload.is_empty() { Ok(None) } else { Err(Self::protocol_error()) };
        };
        let code = u16::from_be_bytes(*code);
        if !may_be_sent(code) {
            return Err(Self::protocol_error());
        }
        let reason = std::str::from_utf8(reason).map_err(|_| Self::not_utf8())?;
        Ok(Some(Self::new(code, reason)))
    }
}

/// Codes that may stand in a frame (RFC 6455 §7.4.1, §7.4.2, and the registry of IANA).
fn may_be_sent(code: u16) -> bool {
    matches!(code, 1000..=1003 | 1007..=1014 | 3000..=4999)
}

#[cfg(test)]
mod tests {
    use super::Close;

    #[test]
    fn a_long_reason_is_cut_after_a_whole_character() {
        let close = Close::new(1008, "x".repeat(122) + "€");
        assert_eq!((close.reason().len(), close.payload().len()), (122, 124));
        assert_eq!(Close::new(1008, "y".repeat(200)).payload().len(), 125);
    }

    #[test]
    fn frames_are_read_as_they_are_written() {
        let close = Close::new(4001, "Unauthorized");
        assert_eq!(Close::read(&close.payload()), Ok(Some(close)));
        assert_eq!(Close::read(&[]), Ok(None));
        assert_eq!(Close::read(&[3, 232]), Ok(Some(Close::new(1000, ""))));
    }

    #[test]
    fn malformed_frames_are_answered() {
        let code = |payload: &[u8]| Close::read(payload).unwrap_err().code();
        assert_eq!(code(&[3]), 1002);
        for refused in [0_u16, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, u16::MAX] {
            assert_eq!(code(&refused.to_be_bytes()), 1002, "{refused}");
        }
        assert_eq!(code(&[3, 232, 0xff]), 1007);
    }
}

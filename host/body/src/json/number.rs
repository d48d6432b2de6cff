//! The grammar of a JSON number, one byte at a time.

/// Where in a number the scanner is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    /// Behind the minus.
    Minus,
    /// Behind a leading zero.
    Zero,
    /// In the integer.
    Integer,
    /// Behind the point.
    Point,
    /// In the fraction.
    Fraction,
    /// Behind the `e`.
    Exponent,
    /// Behind the exponent's sign.
    Sign,
    /// In the exponent.
    Power,
}

/// What a byte means to a number.
pub(super) enum Digit {
    /// It is part of it.
    Part(Number),
    /// The number ended before it.
    End,
    /// No number has it there.
    Bad,
}

impl Number {
    /// The state behind the first byte of a value, if that starts a number.
    pub(super) fn start(byte: u8) -> Option<Self> {
        match byte {
            b'-' => Some(Self::Minus),
            b'0' => Some(Self::Zero),
            b'1'..=b'9' => Some(Self::Integer),
            _ => None,
        }
    }

    /// Take the next byte.
    pub(super) fn step(self, byte: u8) -> Digit {
        match (self, byte) {
            (Self::Minus, b'0') => Digit::Part(Self::Zero),
            (Self::Minus, b'1'..=b'9') | (Self::Integer, b'0'..=b'9') => Digit::Part(Self::Integer),
            (Self::Zero | Self::Integer, b'.') => Digit::Part(Self::Point),
            (Self::Point | Self::Fraction, b'0'..=b'9') => Digit::Part(Self::Fraction),
            (Self::Zero | Self::Integer | Self::Fraction, b'e' | b'E') => Digit::Part(Self::Exponent),
            (Self::Exponent, b'+' | b'-') => Digit::Part(Self::Sign),
            (Self::Exponent | Self::Sign | Self::Power, b'0'..=b'9') => Digit::Part(Self::Power),
            (Self::Minus | Self::Point | Self::Exponent | Self::Sign, _) | (Self::Zero, b'0'..=b'9') => Digit::Bad,
            (Self::Zero | Self::Integer | Self::Fraction | Self::Power, _) => Digit::End,
        }
    }

    /// Whether the number has a fraction or an exponent, so that its value is a float.
    pub(super) fn is_float(self) -> bool {
        matches!(self, Self::Fraction | Self::Power)
    }
}

/// Whether a float of correct grammar has a finite value.
pub(super) fn is_finite(text: &[u8]) -> bool {
    std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok()).is_some_and(f64::is_finite)
}

//! Step 4: the query (contract: pipeline §4).

use std::collections::HashSet;

use super::{Permit, Refusal};

/// A query: decoded, without blank values, every name once.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Parse the raw text behind `?`.
    ///
    /// # Errors
    /// [`Refusal::DuplicateParameter`]: a name has two values that are not blank.
    pub fn parse(_permit: &Permit, raw: Option<&str>) -> Result<Self, Refusal> {
        Self::decode(raw.unwrap_or_default())
    }

    fn decode(raw: &str) -> Result<Self, Refusal> {
        let pairs: Vec<(String, String)> = form_urlencoded::parse(raw.as_bytes())
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        let mut seen = HashSet::with_capacity(pairs.len());
        match pairs.iter().find(|(name, _)| !seen.insert(name.as_str())) {
            Some(_) => Err(Refusal::DuplicateParameter),
            None => Ok(Self(pairs)),
        }
    }

    /// Name and value, in order.
    #[must_use]
    pub fn into_pairs(self) -> Vec<(String, String)> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Query;

    #[test]
    fn a_repeated_name_is_refused_after_decoding() {
        for raw in ["a=1&a=2", "a=1&a=1", "path=x&p%61th=y", "+a=1&%20a=2"] {
            assert!(Query::decode(raw).is_err(), "{raw}");
        }
    }

    #[test]
    fn blank_values_are_dropped_first() {
        for (raw, pairs) in [
            ("a=&a=1", vec![("a", "1")]),
            ("a&a", vec![]),
            ("a=&a=", vec![]),
            ("a=1;a=2", vec![("a", "1;a=2")]),
            ("a=1&A=1", vec![("a", "1"), ("A", "1")]),
            ("a=1&&b=2", vec![("a", "1"), ("b", "2")]),
            ("a=b=c", vec![("a", "b=c")]),
            ("a=x+y%20z", vec![("a", "x y z")]),
            ("a=%zz%FF", vec![("a", "%zz\u{fffd}")]),
        ] {
            let pairs: Vec<_> = pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            assert_eq!(Query::decode(raw).unwrap().into_pairs(), pairs, "{raw}");
        }
    }
}

//! What a request brings to say who it is.

use std::fmt;

/// The candidate tokens of one request, in the order in which they are tried.
#[derive(Clone, Default)]
pub struct Credentials<'a> {
    candidates: Vec<&'a [u8]>,
    is_ambiguous: bool,
}

impl<'a> Credentials<'a> {
    /// Reads the raw values of all `Authorization` and all `X-Access-Token` headers.
    ///
    /// An `Authorization` value counts when its part before the first space is `bearer` in any case and the rest is not
    /// blank; anything else there is ignored. `X-Access-Token` values are trimmed; two different ones, a blank one
    /// included, are ambiguous.
    pub fn from_headers(
        authorization: impl IntoIterator<Item = &'a [u8]>,
        access_token: impl IntoIterator<Item = &'a [u8]>,
    ) -> Self {
        let access_tokens: Vec<&[u8]> = access_token.into_iter().map(<[u8]>::trim_ascii).collect();
        let is_ambiguous = access_tokens.iter().any(|token| Some(token) != access_tokens.first());
        let given = access_tokens.into_iter().filter(|token| !token.is_empty());
        Self { candidates: authorization.into_iter().filter_map(bearer).chain(given).collect(), is_ambiguous }
    }

    /// A single token by another way, as `?token=` of the terminal socket. A blank one is none.
    pub fn from_token(token: &'a [u8]) -> Self {
        Self { candidates: Some(token).filter(|token| !token.is_empty()).into_iter().collect(), is_ambiguous: false }
    }

    /// Adds the candidates of `other` behind these.
    pub fn and(mut self, other: Self) -> Self {
        self.candidates.extend(other.candidates);
        self.is_ambiguous |= other.is_ambiguous;
        self
    }

    /// Whether two different `X-Access-Token` values came.
    pub fn is_ambiguous(&self) -> bool {
        self.is_ambiguous
    }

    /// Whether there is nothing to try.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    pub(super) fn candidates(&self) -> impl Iterator<Item = &'a [u8]> {
        self.candidates.iter().copied()
    }
}

impl fmt::Debug for Credentials<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credentials({} candidates, values not shown)", self.candidates.len())
    }
}

fn bearer(value: &[u8]) -> Option<&[u8]> {
    let mut parts = value.splitn(2, |&byte| byte == b' ');
    let scheme = parts.next()?;
    let token = parts.next()?.trim_ascii();
    (scheme.eq_ignore_ascii_case(b"bearer") && !token.is_empty()).then_some(token)
}

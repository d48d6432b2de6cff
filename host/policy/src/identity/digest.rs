//! Digests of token values.

use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// The SHA-256 of a token. Not shown, because a digest of a weak token gives it away.
#[derive(Clone)]
pub(super) struct TokenDigest([u8; 32]);

impl TokenDigest {
    pub(super) fn of(token: &[u8]) -> Self {
        Self(Sha256::digest(token).into())
    }

    pub(super) fn from_bytes(digest: [u8; 32]) -> Self {
        Self(digest)
    }

    /// Whether the two are equal, in a time that does not tell where they differ.
    pub(super) fn equals(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

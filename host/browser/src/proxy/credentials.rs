//! The secret between a browser and its proxy.

use std::fmt;
use std::io;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use rustix::rand::{GetRandomFlags, getrandom};
use subtle::ConstantTimeEq as _;

/// Name and password. Never shown.
pub(crate) struct Credentials {
    password: String,
    /// The value of the header that carries both.
    header: String,
}

impl Credentials {
    /// The name, which is no secret.
    pub(crate) const NAME: &'static str = "abxd";

    /// A password that nobody can guess.
    ///
    /// # Errors
    /// There are no random bytes.
    pub(super) fn random() -> io::Result<Self> {
        let mut secret = [0_u8; 32];
        // So few bytes are given whole or not at all (getrandom(2)).
        if getrandom(&mut secret, GetRandomFlags::empty())? != secret.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let password = URL_SAFE_NO_PAD.encode(secret);
        let header = format!("Basic {}", STANDARD.encode(format!("{}:{password}", Self::NAME)));
        Ok(Self { password, header })
    }

    /// The password.
    pub(crate) fn password(&self) -> &str {
        &self.password
    }

    /// Whether a header's value is theirs. Takes the same time whatever it is.
    pub(super) fn accept(&self, header: &str) -> bool {
        self.header.as_bytes().ct_eq(header.as_bytes()).into()
    }

    #[cfg(test)]
    pub(super) fn header(&self) -> &str {
        &self.header
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Credentials").finish_non_exhaustive()
    }
}

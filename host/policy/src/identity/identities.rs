//! All callers that a document knows.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use subtle::ConditionallySelectable;
use thiserror::Error;

use super::digest::TokenDigest;
use super::{ANONYMOUS, Credentials, Identity};
use crate::document::{AuthSection, Document, TOKEN_VARIABLE, TokenSecret};
use crate::scope::Scopes;

/// Variables that are secret whatever the document says (`contract: policy §3`).
const SECRET_VARIABLES: [&str; 3] = [TOKEN_VARIABLE, "ABX_SERVER_POLICY", "ABX_SERVER_POLICY_FILE"];

/// The identities of a document, with the digests of their tokens.
pub struct Identities {
    tokens: Vec<(TokenDigest, Arc<Identity>)>,
    anonymous: Option<Arc<Identity>>,
    secret_names: BTreeSet<String>,
}

/// Why a document's tokens cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IdentityError {
    /// A variable that should hold a token is not set, or empty.
    #[error("auth.tokens: the variable `{variable}` of the token `{id}` is not set or empty")]
    VariableUnset {
        /// The token.
        id: String,
        /// The variable.
        variable: String,
    },
}

/// Why a request has no identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AuthError {
    /// No token where one is needed, or none that is known.
    #[error("unauthorized")]
    Unauthorized,
    /// Two different `X-Access-Token` values.
    #[error("different credentials in one request")]
    Ambiguous,
}

impl Identities {
    /// Collects the identities. `lookup` gives the value of an environment variable, as bytes.
    ///
    /// # Errors
    /// [`IdentityError`] when a token's variable has no value.
    pub fn new(document: &Document, lookup: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Self, IdentityError> {
        let none = AuthSection::default();
        let auth = document.auth().unwrap_or(&none);
        let mut secret_names: BTreeSet<String> = SECRET_VARIABLES.map(str::to_owned).into();
        let mut tokens = Vec::new();
        for token in auth.tokens.iter().flatten() {
            let digest = match &token.secret {
                TokenSecret::Digest(digest) => TokenDigest::from_bytes(*digest),
                TokenSecret::Variable(variable) => {
                    secret_names.insert(variable.clone());
                    let value = lookup(variable).filter(|value| !value.is_empty());
                    let unset = || IdentityError::VariableUnset { id: token.id.clone(), variable: variable.clone() };
                    TokenDigest::of(&value.ok_or_else(unset)?)
                }
            };
            let scopes = token.scopes.iter().cloned().collect();
            tokens.push((digest, Arc::new(Identity::new(&token.id, scopes))));
        }
        let anonymous = auth.allow_anonymous.unwrap_or(tokens.is_empty()).then(|| {
            let scopes = match &auth.anonymous_scopes {
                Some(scopes) => scopes.iter().cloned().collect(),
                None => Scopes::everything(),
            };
            Arc::new(Identity::new(ANONYMOUS, scopes))
        });
        Ok(Self { tokens, anonymous, secret_names })
    }

    /// Finds the caller.
    ///
    /// The first candidate that is a known token wins; of tokens with one value, the first in the document. Without a
    /// candidate, and with any candidate while there are no tokens, the caller is anonymous if that is allowed.
    ///
    /// # Errors
    /// [`AuthError::Ambiguous`] before anything else, [`AuthError::Unauthorized`] when nobody is found.
    pub fn authenticate(&self, credentials: &Credentials<'_>) -> Result<Arc<Identity>, AuthError> {
        if credentials.is_ambiguous() {
            return Err(AuthError::Ambiguous);
        }
        if let Some(identity) = credentials.candidates().find_map(|token| self.holder(token)) {
            return Ok(Arc::clone(identity));
        }
        if !credentials.is_empty() && self.has_tokens() {
            return Err(AuthError::Unauthorized);
        }
        self.anonymous.clone().ok_or(AuthError::Unauthorized)
    }

    /// Whether any token is configured. Only then are secret variables kept from children.
    pub fn has_tokens(&self) -> bool {
        !self.tokens.is_empty()
    }

    /// The identity of callers without a token, if they are let in.
    pub fn anonymous(&self) -> Option<&Arc<Identity>> {
        self.anonymous.as_ref()
    }

    /// The identities with tokens, in document order.
    pub fn tokens(&self) -> impl Iterator<Item = &Arc<Identity>> {
        self.tokens.iter().map(|(_, identity)| identity)
    }

    /// The identities with tokens in document order, then the anonymous one.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Identity>> {
        self.tokens().chain(&self.anonymous)
    }

    /// The names of environment variables that hold tokens or policies (`contract: policy §3`).
    pub fn secret_names(&self) -> &BTreeSet<String> {
        &self.secret_names
    }

    /// Compares with every token, whether one has matched or not.
    fn holder(&self, token: &[u8]) -> Option<&Arc<Identity>> {
        let digest = TokenDigest::of(token);
        let mut found = u64::MAX;
        // From the last to the first, so that of equal tokens the first is what is left.
        for (index, (known, _)) in self.tokens.iter().enumerate().rev() {
            found.conditional_assign(&(index as u64), digest.equals(known));
        }
        self.tokens.get(usize::try_from(found).ok()?).map(|(_, identity)| identity)
    }
}

impl fmt::Debug for Identities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

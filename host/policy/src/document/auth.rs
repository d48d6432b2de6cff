//! `auth`: who may call.

use std::fmt;

use super::TOKEN_VARIABLE;
use super::at::At;
use super::error::{DocumentError, Problem};
use crate::scope::{Scope, Scopes};

const KEYS: [&str; 3] = ["tokens", "allow_anonymous", "anonymous_scopes"];
const TOKEN_KEYS: [&str; 4] = ["id", "scopes", "token_env", "token_sha256"];

/// What is given of `auth`.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct AuthSection {
    pub(crate) tokens: Option<Vec<TokenSection>>,
    pub(crate) allow_anonymous: Option<bool>,
    pub(crate) anonymous_scopes: Option<Vec<Scope>>,
}

/// One token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TokenSection {
    pub(crate) id: String,
    pub(crate) scopes: Vec<Scope>,
    pub(crate) secret: TokenSecret,
}

/// How a token's value is known.
#[derive(Clone, PartialEq)]
pub(crate) enum TokenSecret {
    /// An environment variable holds it.
    Variable(String),
    /// Its SHA-256.
    Digest([u8; 32]),
}

impl fmt::Debug for TokenSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => f.debug_tuple("Variable").field(name).finish(),
            Self::Digest(_) => f.write_str("Digest(..)"),
        }
    }
}

impl TokenSection {
    /// The token of `ABX_SERVER_TOKEN`.
    pub(super) fn of_server() -> Self {
        Self {
            id: "server".to_owned(),
            scopes: Scopes::everything().iter().cloned().collect(),
            secret: TokenSecret::Variable(TOKEN_VARIABLE.to_owned()),
        }
    }
}

pub(super) fn auth(at: &At<'_>) -> Result<AuthSection, DocumentError> {
    let mut auth = AuthSection::default();
    for field in at.fields()? {
        match field.name {
            "tokens" => auth.tokens = Some(tokens(&field.at)?),
            "allow_anonymous" => auth.allow_anonymous = Some(field.at.boolean()?),
            "anonymous_scopes" => auth.anonymous_scopes = Some(field.at.scopes()?),
            _ => return Err(at.unknown(&field, &KEYS)),
        }
    }
    Ok(auth)
}

fn tokens(at: &At<'_>) -> Result<Vec<TokenSection>, DocumentError> {
    let mut tokens: Vec<TokenSection> = Vec::new();
    for item in at.items()? {
        let token = token(&item)?;
        if tokens.iter().any(|known| known.id == token.id) {
            return Err(item.error(Problem::TokenIdTaken));
        }
        tokens.push(token);
    }
    Ok(tokens)
}

fn token(at: &At<'_>) -> Result<TokenSection, DocumentError> {
    let (mut id, mut scopes, mut variable, mut digest) = (None, None, None, None);
    for field in at.fields()? {
        match field.name {
            "id" => id = Some(field.at.non_empty_text()?.to_owned()),
            "scopes" => scopes = Some(field.at.scopes()?),
            "token_env" => variable = Some(field.at.non_empty_text()?.to_owned()),
            "token_sha256" => digest = Some(sha256(&field.at)?),
            _ => return Err(at.unknown(&field, &TOKEN_KEYS)),
        }
    }
    let secret = match (variable, digest) {
        (Some(variable), None) => TokenSecret::Variable(variable),
        (None, Some(digest)) => TokenSecret::Digest(digest),
        _ => return Err(at.error(Problem::TokenSecret)),
    };
    Ok(TokenSection {
        id: id.ok_or_else(|| at.error(Problem::Missing("id")))?,
        scopes: scopes.ok_or_else(|| at.error(Problem::Missing("scopes")))?,
        secret,
    })
}

/// 64 hexadecimal digits of any case.
fn sha256(at: &At<'_>) -> Result<[u8; 32], DocumentError> {
    digest(at.text()?).ok_or_else(|| at.error(Problem::Digest))
}

fn digest(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 {
        return None;
    }
    let mut digits = text.chars().map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()));
    let mut digest = [0; 32];
    for byte in &mut digest {
        *byte = digits.next()?? << 4 | digits.next()??;
    }
    Some(digest)
}

//! Sessions as signed tokens: HS256, with keys that are changed now and then.

use std::time::{SystemTime, UNIX_EPOCH};

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{decode, decode_header, encode, Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    sub: String,
    #[serde(default)]
    iat: u64,
    exp: u64,
    #[serde(default)]
    scope: String,
}

/// Why a token is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenError {
    /// It is good but for its time, which has passed.
    Expired,
    /// It is good, but lacks the scope that was asked for.
    Forbidden,
    /// Anything else: no token, another algorithm, signature, issuer or audience, an unknown key,
    /// a missing `exp` or `sub`.
    Invalid,
}

/// Who the token speaks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub subject: String,
    pub scopes: Vec<String>,
}

pub struct Sessions {
    issuer: String,
    audience: String,
    /// Id and secret of each key; the last one signs, all of them verify.
    keys: Vec<(String, Vec<u8>)>,
}

impl Sessions {
    /// Without a key at first.
    pub fn new(issuer: &str, audience: &str) -> Sessions {
        Sessions { issuer: issuer.to_string(), audience: audience.to_string(), keys: Vec::new() }
    }

    /// From now on sign with this key; older ones still verify.
    pub fn add_key(&mut self, id: &str, secret: &[u8]) {
        self.keys.push((id.to_string(), secret.to_vec()));
    }

    /// Tokens of this key are no longer accepted.
    pub fn retire_key(&mut self, id: &str) {
        self.keys.retain(|(known, _)| known != id);
    }

    /// A token with the header `kid` and the claims iss, aud, sub, iat, exp (`lifetime_seconds` from
    /// now) and `scope`: the scopes with a blank between them. `Invalid` if there is no key.
    pub fn issue(&self, subject: &str, scopes: &[&str], lifetime_seconds: u64) -> Result<String, TokenError> {
        let (id, secret) = self.keys.last().ok_or(TokenError::Invalid)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_err(|_| TokenError::Invalid)?;
        let claims = Claims {
            iss: self.issuer.clone(),
            aud: self.audience.clone(),
            sub: subject.to_string(),
            iat: now.as_secs(),
            exp: now.as_secs() + lifetime_seconds,
            scope: scopes.join(" "),
        };
        let header = Header { kid: Some(id.clone()), ..Header::new(Algorithm::HS256) };
        encode(&header, &claims, &EncodingKey::from_secret(secret)).map_err(|_| TokenError::Invalid)
    }

    /// The session of a good token. No leeway: a token is expired when its `exp` has passed.
    /// Without a `scope` claim there are no scopes.
    pub fn verify(&self, token: &str) -> Result<Session, TokenError> {
        let header = decode_header(token).map_err(|_| TokenError::Invalid)?;
        let id = header.kid.ok_or(TokenError::Invalid)?;
        let found = self.keys.iter().rev().find(|(known, _)| *known == id);
        let (_, secret) = found.ok_or(TokenError::Invalid)?;
        let mut validation = Validation::new(header.alg);
        validation.leeway = 0;
        validation.set_issuer(&[&self.issuer]);
        validation.set_audience(&[&self.audience]);
        validation.set_required_spec_claims(&["exp", "sub", "iss", "aud"]);
        let claims = decode::<Claims>(token, &DecodingKey::from_secret(secret), &validation)
            .map_err(|error| match error.kind() {
                ErrorKind::ExpiredSignature => TokenError::Expired,
                _ => TokenError::Invalid,
            })?
            .claims;
        let scopes = claims.scope.split_whitespace().map(str::to_string).collect();
        Ok(Session { subject: claims.sub, scopes })
    }

    /// As `verify`, but the session must have `scope`, as a whole word.
    pub fn require(&self, token: &str, scope: &str) -> Result<Session, TokenError> {
        let session = self.verify(token)?;
        if session.scopes.iter().any(|held| held == scope) {
            Ok(session)
        } else {
            Err(TokenError::Forbidden)
        }
    }
}

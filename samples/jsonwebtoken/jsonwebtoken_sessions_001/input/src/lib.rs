//! Sessions as signed tokens: HS256, with keys that are changed now and then.

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
        let _ = (&self.issuer, &self.audience, subject, scopes, lifetime_seconds);
        todo!("sign with the newest key")
    }

    /// The session of a good token. No leeway: a token is expired when its `exp` has passed.
    /// Without a `scope` claim there are no scopes.
    pub fn verify(&self, token: &str) -> Result<Session, TokenError> {
        let _ = token;
        todo!("find the key by `kid`, check everything")
    }

    /// As `verify`, but the session must have `scope`, as a whole word.
    pub fn require(&self, token: &str, scope: &str) -> Result<Session, TokenError> {
        let _ = (token, scope);
        todo!("verify, then look for the scope")
    }
}

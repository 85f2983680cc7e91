//! The gate: keys, rules, and a verdict for each token.

use jsonwebtoken::{decode, Algorithm, DecodingKey, TokenData, Validation};
use serde_json::{Map, Value};

use crate::claims::Rules;
use crate::keys::{KeySet, ALLOWED};

pub struct Gate {
    rules: Rules,
    keys: KeySet,
}

impl Gate {
    /// A gate that has no keys yet.
    pub fn new(issuer: &str, audience: &str) -> Gate {
        let rules = Rules {
            issuer: issuer.to_string(),
            audience: audience.to_string(),
        };
        Gate {
            rules,
            keys: KeySet::default(),
        }
    }

    /// How many keys of this set can be used. In an error, the keys stay as they were.
    pub fn load(&mut self, text: &str) -> Result<usize, String> {
        self.keys = KeySet::from_json(text)?;
        Ok(self.keys.len())
    }

    /// The subject and the id of the key; or the reason for a refusal.
    pub fn check(&self, time: u64, token: &str) -> Result<(String, Option<String>), String> {
        let header = unverified(token).ok_or("malformed")?.header;
        if !ALLOWED.contains(&header.alg) {
            return Err("algorithm".to_string());
        }
        if let Some(own) = &header.jwk {
            let key = DecodingKey::from_jwk(own).map_err(|_| "key")?;
            let told: TokenData<Map<String, Value>> =
                decode(token, &key, &signature_only(header.alg)).map_err(|_| "signature")?;
            return Ok((self.rules.subject(&told.claims, time)?, header.kid));
        }
        let keys = self.keys.candidates(header.kid.as_deref(), header.alg);
        if keys.is_empty() {
            return Err("key".to_string());
        }
        let validation = signature_only(header.alg);
        let mut opened = keys.into_iter().filter_map(|key| {
            let told: TokenData<Map<String, Value>> =
                decode(token, &key.key, &validation).ok()?;
            Some((told.claims, key.id.clone()))
        });
        let (claims, key) = opened.next().ok_or("signature")?;
        Ok((self.rules.subject(&claims, time)?, key))
    }
}

/// The algorithm is one that we allow and that the key is for. Claims are looked at in claims.rs, at the
/// time at which the token came.
fn signature_only(algorithm: Algorithm) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation
}

/// Only to tell what is no token at all: nothing of it can be believed yet.
fn unverified(token: &str) -> Option<TokenData<Map<String, Value>>> {
    let mut validation = signature_only(Algorithm::RS256);
    validation.insecure_disable_signature_validation();
    decode(token, &DecodingKey::from_secret(&[]), &validation).ok()
}

//! The keys of an issuer, read from its JWK set.

use std::str::FromStr;

use jsonwebtoken::jwk::{
    AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyOperations, PublicKeyUse,
};
use jsonwebtoken::{Algorithm, DecodingKey};

/// What tokens may be signed with. Nothing in a token or a key set can add to it.
pub const ALLOWED: [Algorithm; 3] = [Algorithm::RS256, Algorithm::RS512, Algorithm::ES256];

pub struct Key {
    pub id: Option<String>,
    /// What it may be used for; never empty.
    pub algorithms: Vec<Algorithm>,
    pub key: DecodingKey,
}

#[derive(Default)]
pub struct KeySet {
    keys: Vec<Key>,
}

impl KeySet {
    pub fn from_json(text: &str) -> Result<KeySet, String> {
        let listed: JwkSet = serde_json::from_str(text).map_err(|_| "unreadable")?;
        let keys: Vec<Key> = listed.keys.into_iter().filter_map(usable).collect();
        if keys.is_empty() {
            return Err("no usable key".to_string());
        }
        Ok(KeySet { keys })
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The keys that are for this algorithm, and of this id. Without an id, all that are for it.
    pub fn candidates(&self, id: Option<&str>, algorithm: Algorithm) -> Vec<&Key> {
        let is_named = |key: &Key| id.is_none() || key.id.as_deref() == id;
        let keys = self.keys.iter();
        keys.filter(|key| is_named(key) && key.algorithms.contains(&algorithm))
            .collect()
    }
}

fn usable(jwk: Jwk) -> Option<Key> {
    let common = &jwk.common;
    if !matches!(common.public_key_use, None | Some(PublicKeyUse::Signature)) {
        return None;
    }
    if let Some(operations) = &common.key_operations {
        if !operations.contains(&KeyOperations::Verify) {
            return None;
        }
    }
    let algorithms = algorithms(&jwk);
    if algorithms.is_empty() {
        return None;
    }
    Some(Key {
        id: common.key_id.clone(),
        algorithms,
        key: DecodingKey::from_jwk(&jwk).ok()?,
    })
}

fn algorithms(jwk: &Jwk) -> Vec<Algorithm> {
    let kind = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => vec![Algorithm::RS256, Algorithm::RS512],
        AlgorithmParameters::EllipticCurve(numbers) if numbers.curve == EllipticCurve::P256 => {
            vec![Algorithm::ES256]
        }
        _ => vec![],
    };
    let Some(named) = jwk.common.key_algorithm else {
        return kind;
    };
    let named = Algorithm::from_str(&named.to_string()).ok();
    kind.into_iter().filter(|one| Some(*one) == named).collect()
}

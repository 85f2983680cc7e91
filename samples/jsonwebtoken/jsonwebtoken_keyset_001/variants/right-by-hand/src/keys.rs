//! Reads the set as JSON values, and keeps each key once for each of its algorithms.

use jsonwebtoken::{Algorithm, DecodingKey};
use serde_json::Value;

pub const ALLOWED: [Algorithm; 3] = [Algorithm::RS256, Algorithm::RS512, Algorithm::ES256];

#[derive(Clone)]
pub struct Key {
    pub id: Option<String>,
    pub algorithm: Algorithm,
    pub key: DecodingKey,
}

#[derive(Default)]
pub struct KeySet {
    keys: Vec<Key>,
    count: usize,
}

fn has(list: &Value, wanted: &str) -> bool {
    list.as_array().is_some_and(|all| all.iter().any(|one| one == wanted))
}

impl KeySet {
    pub fn from_json(text: &str) -> Result<KeySet, String> {
        let set: Value = serde_json::from_str(text).unwrap_or_default();
        let mut found = KeySet::default();
        for jwk in set["keys"].as_array().ok_or("unreadable")? {
            let before = found.keys.len();
            found.add(jwk);
            found.count += usize::from(found.keys.len() > before);
        }
        if found.count == 0 {
            return Err("no usable key".into());
        }
        Ok(found)
    }

    fn add(&mut self, jwk: &Value) {
        let is_for_signatures = jwk["use"].is_null() || jwk["use"] == "sig";
        let may_verify = jwk["key_ops"].is_null() || has(&jwk["key_ops"], "verify");
        if !is_for_signatures || !may_verify {
            return;
        }
        let text = |name: &str| jwk[name].as_str().unwrap_or("=");
        let (key, names) = match text("kty") {
            "RSA" => (
                DecodingKey::from_rsa_components(text("n"), text("e")),
                vec![("RS256", Algorithm::RS256), ("RS512", Algorithm::RS512)],
            ),
            "EC" if jwk["crv"] == "P-256" => (
                DecodingKey::from_ec_components(text("x"), text("y")),
                vec![("ES256", Algorithm::ES256)],
            ),
            _ => return,
        };
        let Ok(key) = key else { return };
        for (name, algorithm) in names {
            if jwk["alg"].is_null() || jwk["alg"] == name {
                self.keys.push(Key {
                    id: jwk["kid"].as_str().map(str::to_string),
                    algorithm,
                    key: key.clone(),
                });
            }
        }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn candidates(&self, id: Option<&str>, algorithm: Algorithm) -> Vec<Key> {
        let mut keys = self.keys.clone();
        keys.retain(|key| key.algorithm == algorithm);
        if id.is_some() {
            keys.retain(|key| key.id.as_deref() == id);
        }
        keys
    }
}

//! The keys of an issuer, read from its JWK set.

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
    /// Of the set, those keys that we can use; all others are passed over, whatever they are: sets hold
    /// keys of kinds that this crate has never heard of. A key can be used if
    ///
    /// - it is an RSA key, or an EC key on P-256, whose numbers can be read. Secrets (oct) are never used
    /// - its `use`, if it has one, is sig
    /// - its `key_ops`, if it has them, have verify among them
    /// - its `alg`, if it has one, is an allowed one of its kind; then it is for that one only. Without
    ///   one, an RSA key is for RS256 and RS512, an EC key for ES256
    ///
    /// The errors are `unreadable` and `no usable key`; main.rs tells when.
    pub fn from_json(text: &str) -> Result<KeySet, String> {
        let _ = text;
        todo!()
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The keys that are for this algorithm, and of this id. Without an id, all that are for it. Keys of
    /// different kinds may share an id.
    pub fn candidates(&self, id: Option<&str>, algorithm: Algorithm) -> Vec<&Key> {
        let _ = (id, algorithm);
        todo!()
    }
}

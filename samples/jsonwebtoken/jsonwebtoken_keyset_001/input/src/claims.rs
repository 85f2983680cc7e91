//! What a token must say, whoever signed it.

use serde_json::{Map, Value};

/// Seconds by which the clocks of the issuer and of the gateway may differ.
pub const LEEWAY: u64 = 30;

pub struct Rules {
    pub issuer: String,
    pub audience: String,
}

impl Rules {
    /// The subject; or `claim NAME`, `expired` or `early`.
    pub fn subject(&self, claims: &Map<String, Value>, time: u64) -> Result<String, String> {
        let _ = (claims, time);
        todo!()
    }
}

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
        let claim = |name: &str| claims.get(name).unwrap_or(&Value::Null);
        if claim("iss").as_str() != Some(self.issuer.as_str()) {
            return Err("claim iss".to_string());
        }
        if !self.is_for_us(claim("aud")) {
            return Err("claim aud".to_string());
        }
        let subject = claim("sub").as_str().filter(|text| !text.is_empty());
        let subject = subject.ok_or("claim sub")?;
        let end = claim("exp").as_u64().ok_or("claim exp")?;
        let begin = match claims.get("nbf") {
            None => 0,
            Some(begin) => begin.as_u64().ok_or("claim nbf")?,
        };
        if time > end.saturating_add(LEEWAY) {
            return Err("expired".to_string());
        }
        if time.saturating_add(LEEWAY) < begin {
            return Err("early".to_string());
        }
        Ok(subject.to_string())
    }

    fn is_for_us(&self, audience: &Value) -> bool {
        match audience {
            Value::Array(several) => several.iter().any(|one| *one == self.audience),
            one => *one == self.audience,
        }
    }
}

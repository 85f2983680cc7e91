use std::str::FromStr;

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{json, Value};

pub struct Issuer {
    issuer: String,
    lifetime: u64,
    audience: Value,
    header: Header,
    key: EncodingKey,
}

impl Issuer {
    pub fn from_config(config: &str) -> Result<Issuer, String> {
        Issuer::read(&serde_json::from_str(config).unwrap_or_default())
            .unwrap_or(Err("not readable".into()))
    }

    fn read(config: &Value) -> Option<Result<Issuer, String>> {
        let current = config["current"].as_str()?;
        let keys = config["keys"].as_array()?;
        let Some(key) = keys.iter().find(|key| key["id"] == current) else {
            return Some(Err(format!("no key {current}")));
        };
        let name = key["alg"].as_str()?;
        let algorithm = match Algorithm::from_str(name) {
            Ok(known @ (Algorithm::HS256 | Algorithm::HS384 | Algorithm::HS512)) => known,
            _ => return Some(Err(format!("algorithm {name} is not allowed"))),
        };
        let Ok(secret) = EncodingKey::from_base64_secret(key["secret"].as_str()?) else {
            return Some(Err("the secret is not base64".into()));
        };
        let audience = match config["audience"].as_array()?.as_slice() {
            [one] => one.clone(),
            many => json!(many),
        };
        Some(Ok(Issuer {
            issuer: config["issuer"].as_str()?.into(),
            lifetime: config["minutes"].as_u64()? * 60,
            audience,
            header: Header {
                kid: Some(current.into()),
                ..Header::new(algorithm)
            },
            key: secret,
        }))
    }

    pub fn issue(&self, subject: &str, time: u64, roles: &[&str]) -> String {
        let mut claims = json!({
            "iss": self.issuer, "sub": subject, "aud": self.audience,
            "iat": time, "exp": time + self.lifetime,
        });
        if !roles.is_empty() {
            claims["roles"] = json!(roles);
        }
        jsonwebtoken::encode(&self.header, &claims, &self.key).unwrap()
    }
}

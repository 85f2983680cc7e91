//! Written for jsonwebtoken 7.2; Cargo.toml asks for 9.3 already.

use std::collections::HashSet;

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{dangerous_insecure_decode, decode, Algorithm, DecodingKey, Validation};
use serde::Deserialize;

#[derive(Deserialize)]
struct Visitor {
    id: u64,
    name: String,
    iss: String,
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

pub fn answer(token: &str, secret: &str) -> String {
    let mut audience = HashSet::new();
    audience.insert("house".to_string());
    let validation = Validation {
        leeway: 0,
        validate_nbf: true,
        aud: Some(audience),
        algorithms: vec![Algorithm::HS256],
        ..Validation::default()
    };
    let key = DecodingKey::from_secret(secret.as_bytes());
    match decode::<Visitor>(token, &key, &validation) {
        Ok(told) if ["door", "gate"].contains(&told.claims.iss.as_str()) => {
            format!("{} {}", told.claims.id, told.claims.name)
        }
        Ok(_) => "bad".to_string(),
        Err(error) => match error.kind() {
            ErrorKind::ExpiredSignature => "expired".to_string(),
            ErrorKind::InvalidSignature | ErrorKind::InvalidAlgorithm => {
                match dangerous_insecure_decode::<Name>(token) {
                    Ok(told) => format!("unverified {}", told.claims.name),
                    Err(_) => "bad".to_string(),
                }
            }
            _ => "bad".to_string(),
        },
    }
}

//! Signs tokens with the crate jsonwebtoken.

use jsonwebtoken::{encode, Algorithm, EncodingKey, Header};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Config {
    issuer: String,
    minutes: u64,
    audience: Vec<String>,
    current: String,
    keys: Vec<Key>,
}

#[derive(Deserialize)]
struct Key {
    id: String,
    alg: String,
    secret: String,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Audience<'a> {
    One(&'a str),
    Many(&'a [String]),
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    sub: &'a str,
    aud: Audience<'a>,
    iat: u64,
    exp: u64,
    #[serde(skip_serializing_if = "<[&str]>::is_empty")]
    roles: &'a [&'a str],
}

pub struct Issuer {
    config: Config,
    header: Header,
    key: EncodingKey,
}

impl Issuer {
    pub fn from_config(config: &str) -> Result<Issuer, String> {
        let config: Config = serde_json::from_str(config).map_err(|_| "not readable")?;
        let current = config.keys.iter().find(|key| key.id == config.current);
        let current = current.ok_or(format!("no key {}", config.current))?;
        let algorithm = match current.alg.as_str() {
            "HS256" => Algorithm::HS256,
            "HS384" => Algorithm::HS384,
            "HS512" => Algorithm::HS512,
            other => return Err(format!("algorithm {other} is not allowed")),
        };
        let key = EncodingKey::from_base64_secret(&current.secret);
        let key = key.map_err(|_| "the secret is not base64")?;
        let mut header = Header::new(algorithm);
        header.kid = Some(current.id.clone());
        Ok(Issuer {
            config,
            header,
            key,
        })
    }

    pub fn issue(&self, subject: &str, time: u64, roles: &[&str]) -> String {
        let claims = Claims {
            iss: &self.config.issuer,
            sub: subject,
            aud: match self.config.audience.as_slice() {
                [one] => Audience::One(one),
                many => Audience::Many(many),
            },
            iat: time,
            exp: time + 60 * self.config.minutes,
            roles,
        };
        encode(&self.header, &claims, &self.key).expect("claims that are JSON")
    }
}

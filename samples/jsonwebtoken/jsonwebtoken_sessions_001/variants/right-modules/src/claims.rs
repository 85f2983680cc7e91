use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub struct Claims {
    pub iss: String,
    pub aud: String,
    pub sub: String,
    #[serde(default)]
    pub iat: u64,
    pub exp: u64,
    #[serde(default)]
    pub scope: String,
}

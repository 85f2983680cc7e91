//! Signs tokens with the crate jsonwebtoken.

pub struct Issuer;

impl Issuer {
    /// The reasons for an Err:
    ///
    /// - `not readable`: it is not JSON of the form that main.rs shows
    /// - `no key ID`: there is no key of the id that `current` names
    /// - `algorithm ALG is not allowed`: the current key's is none of the three
    /// - `the secret is not base64`: that of the current key
    pub fn from_config(config: &str) -> Result<Issuer, String> {
        let _ = config;
        todo!()
    }

    /// The header names the algorithm, the type JWT and the key's id. The claims are iss, sub, aud
    /// (the configured list; a single one stands there as a plain text), iat (the time), exp (so many
    /// minutes later) and roles: a list, which is left out where there is no role.
    pub fn issue(&self, subject: &str, time: u64, roles: &[&str]) -> String {
        let _ = (subject, time, roles);
        todo!()
    }
}

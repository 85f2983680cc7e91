//! The gate: keys, rules, and a verdict for each token.

pub struct Gate;

impl Gate {
    /// A gate that has no keys yet.
    pub fn new(issuer: &str, audience: &str) -> Gate {
        let _ = (issuer, audience);
        todo!()
    }

    /// How many keys of this set can be used. In an error, the keys stay as they were.
    pub fn load(&mut self, text: &str) -> Result<usize, String> {
        let _ = text;
        todo!()
    }

    /// The subject and the id of the key; or the reason for a refusal.
    pub fn check(&self, time: u64, token: &str) -> Result<(String, Option<String>), String> {
        let _ = (time, token);
        todo!()
    }
}

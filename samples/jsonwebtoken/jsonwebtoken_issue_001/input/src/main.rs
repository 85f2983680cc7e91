//! Issues tokens for a list of requests. The file config.json of the working folder tells how:
//!
//! ```json
//! {"issuer": "https://login.example.com", "minutes": 15, "audience": ["api", "files"],
//!  "current": "k2", "keys": [{"id": "k1", "alg": "HS256", "secret": "…"},
//!                            {"id": "k2", "alg": "HS512", "secret": "…"}]}
//! ```
//!
//! Secrets are in standard base64; the algorithms are HS256, HS384 and HS512. Every line of standard
//! input is a request, `SUBJECT TIME ROLE…`: TIME is in seconds since 1970, and there may be no role.
//! Each is answered with a token, signed with the current key.
//!
//! If the configuration cannot be used, nothing is issued: the reason goes to standard error, and the
//! exit code is 1.

mod issuer;

use std::fs;
use std::io::{self, BufRead};
use std::process::ExitCode;

fn main() -> ExitCode {
    let config = fs::read_to_string("config.json").unwrap_or_default();
    let issuer = match issuer::Issuer::from_config(&config) {
        Ok(issuer) => issuer,
        Err(reason) => {
            eprintln!("config.json: {reason}");
            return ExitCode::FAILURE;
        }
    };
    for line in io::stdin().lock().lines() {
        let line = line.expect("text");
        let words: Vec<&str> = line.split_whitespace().collect();
        let time = words[1].parse().expect("a time");
        println!("{}", issuer.issue(words[0], time, &words[2..]));
    }
    ExitCode::SUCCESS
}

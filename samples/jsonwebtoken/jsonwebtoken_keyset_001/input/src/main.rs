//! Checks access tokens as they came to a gateway: `gate ISSUER AUDIENCE`. The commands stand on
//! standard input, one a line:
//!
//! - `keys FILE`: takes the issuer's JWK set from this file of the working folder, in place of the one
//!   before: `keys N`, the number of keys that can be used. If it can't be taken, `error: REASON`, and
//!   the one before stays: `unreadable` (no JSON object with a list `keys`), or `no usable key`
//! - `check TIME TOKEN`: what the gateway has to say to a token that came at TIME, in seconds since
//!   1970 (the clock of this machine has no part in it): `ok SUBJECT KEY` with the id of the key that
//!   its signature fits, `-` if that key has none; or `refused: REASON`
//!
//! The REASON is the first of these that applies:
//!
//! - `malformed`: not three parts; the first two are not base64url of a JSON object each; or the header's
//!   alg is none or unknown
//! - `algorithm`: the header's alg is known, but none of RS256, RS512 and ES256
//! - `key`: of the usable keys, none has the header's kid (where there is one) and is for its alg
//! - `signature`: it fits none of these keys
//! - `claim NAME`, such as `claim nbf`: the first of iss, aud, sub, exp, nbf that is missing (nbf may be)
//!   or wrong: iss is our ISSUER; aud is our AUDIENCE, or a list that has it; sub is a text that is not
//!   empty; exp and nbf are whole numbers
//! - `expired`, `early`: TIME is more than 30 seconds after exp, or before nbf

mod claims;
mod gate;
mod keys;

use std::fs;
use std::io::{self, BufRead};

use gate::Gate;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut gate = Gate::new(&words[0], &words[1]);
    for line in io::stdin().lock().lines() {
        println!("{}", obey(&mut gate, &line.expect("text")));
    }
}

fn obey(gate: &mut Gate, line: &str) -> String {
    let words: Vec<&str> = line.splitn(3, ' ').collect();
    if words[0] == "keys" {
        let text = fs::read_to_string(words[1]).unwrap_or_default();
        return match gate.load(&text) {
            Ok(count) => format!("keys {count}"),
            Err(reason) => format!("error: {reason}"),
        };
    }
    match gate.check(words[1].parse().expect("a time"), words[2]) {
        Ok((subject, key)) => format!("ok {subject} {}", key.unwrap_or("-".to_string())),
        Err(reason) => format!("refused: {reason}"),
    }
}

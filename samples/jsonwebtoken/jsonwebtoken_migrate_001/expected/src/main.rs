//! Reads tokens, one a line, and tells who comes to visit. `visits SECRET`, where the secret is plain
//! text. Each token is answered with one line:
//!
//! - `ID NAME`: a good token, signed with HS256; its claims are below
//! - `expired`: its signature is right and it is ours, but its time is over
//! - `unverified NAME`: it is signed by somebody else (whatever its algorithm), but says a name; so
//!   that people can be asked who sent them. Nothing else of such a token is looked at.
//! - `bad`: everything else
//!
//! A good token is ours: its `iss` is `door` or `gate`, and its `aud` is `house` (or a list in which
//! `house` is). It has an `exp`; a token is good until that very second, without any leeway. If it has
//! an `nbf`, it is `bad` before that time. `id` (a number) and `name` (a text) must be there.

mod visits;

use std::io::{self, BufRead};

fn main() {
    let secret = std::env::args().nth(1).expect("a secret");
    for line in io::stdin().lock().lines() {
        println!("{}", visits::answer(line.expect("text").trim(), &secret));
    }
}

//! Settings in settings.redb, in the working folder. Opens the file, then obeys the commands on
//! standard input, one a line:
//!
//! - `get KEY`: its value, or `-` if it has none
//! - `set KEY VALUE`: `ok`; the value is the rest of the line
//! - `unset KEY`: `ok`, or `-` if it had none
//! - `list PREFIX`: `KEY=VALUE` with blanks between them, in the order of the keys, of all keys that
//!   begin with the prefix; an empty line if there are none
//! - `version`: the version of the file
//! - `stamp N`: `ok`; writes another version into the file, as other versions of this program do
//! - `unstamp`: `ok`; takes the version out of the file, which is how version 0 left it
//!
//! If the file cannot be opened, it says why on standard error and exits with 1.

mod store;

use std::io::{self, BufRead};
use std::process::ExitCode;

fn main() -> ExitCode {
    let store = match store::Store::open("settings.redb") {
        Ok(store) => store,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    for line in io::stdin().lock().lines() {
        let line = line.expect("text");
        match obey(&store, &line) {
            Ok(answer) => println!("{answer}"),
            Err(why) => println!("error: {why}"),
        }
    }
    ExitCode::SUCCESS
}

fn obey(store: &store::Store, line: &str) -> Result<String, redb::Error> {
    let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (key, value) = rest.split_once(' ').unwrap_or((rest, ""));
    let told = |known: bool| if known { "ok" } else { "-" }.to_string();
    match command {
        "get" => Ok(store.get(key)?.unwrap_or(told(false))),
        "set" => store.set(key, value).map(|()| told(true)),
        "unset" => store.unset(key).map(told),
        "list" => Ok(store.list(rest)?.join(" ")),
        "version" => Ok(store.version()?.unwrap_or(0).to_string()),
        "stamp" => store.stamp(rest.parse().ok()).map(|()| told(true)),
        _ => store.stamp(None).map(|()| told(true)),
    }
}

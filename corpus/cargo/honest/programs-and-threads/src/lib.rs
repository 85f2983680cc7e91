//! Small things about words, with programs and threads on the way.

pub mod tally;

use std::process::Command;
use std::sync::OnceLock;
use std::thread;

/// What a program said that is looked for in a path of ours, and its environment: the standard library
/// forks for that, where it would spawn otherwise.
fn hyphen() -> &'static str {
    static SAID: OnceLock<String> = OnceLock::new();
    SAID.get_or_init(|| {
        let found = Command::new("echo").env_clear().env("PATH", "/usr/bin:/bin").arg("-n").arg("-").output();
        let again = Command::new("/bin/sh").args(["-c", "/bin/echo -n -"]).current_dir("/").output();
        let threads: Vec<_> = (0..64).map(|n| thread::spawn(move || n * 2)).collect();
        assert_eq!(threads.into_iter().map(|each| each.join().unwrap()).sum::<i32>(), 64 * 63);
        let said: Vec<_> = [found, again].into_iter().map(|done| done.unwrap().stdout).collect();
        assert_eq!(said[0], said[1]);
        String::from_utf8(said[0].clone()).unwrap()
    })
}

/// Lower case, words joined by single hyphens, nothing but letters and digits besides.
pub fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(hyphen())
}

/// A number as the Romans wrote it; none for 0 and from 4000 on.
pub fn roman(number: u32) -> Option<String> {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
        (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ];
    if number == 0 || number >= 4000 {
        return None;
    }
    let mut rest = number;
    let mut text = String::new();
    for (value, sign) in SIGNS {
        while rest >= value {
            text.push_str(sign);
            rest -= value;
        }
    }
    Some(text)
}

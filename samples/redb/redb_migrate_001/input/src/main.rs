//! A journal in journal.redb, in the working folder. The commands stand on standard input, one a line:
//!
//! - `add DAY TEXT`: `DAY/N`, where N counts the entries of that day from 1
//! - `day DAY`: the texts of that day in their order, with ` | ` between them; an empty line if none
//! - `since DAY`: how many entries there are of that day and later ones
//! - `count`: how many entries there are
//! - `prune DAY`: removes all entries before that day; how many there were
//! - `oldest`: removes the oldest entry of all and tells it as `DAY/N TEXT`; `-` if there is none
//!
//! DAY is a number up to 4294967295. An entry that was removed leaves its number free only if it was
//! the last of its day.

mod journal;

use std::io::{self, BufRead};

fn main() {
    let journal = journal::Journal::open("journal.redb").expect("journal.redb");
    for line in io::stdin().lock().lines() {
        let line = line.expect("text");
        let answer = obey(&journal, &line).expect("a sound file");
        println!("{answer}");
    }
}

fn obey(journal: &journal::Journal, line: &str) -> Result<String, redb::Error> {
    let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (day, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let day = day.parse().unwrap_or(0);
    Ok(match command {
        "add" => format!("{day}/{}", journal.add(day, text)?),
        "day" => journal.day(day)?.join(" | "),
        "since" => journal.since(day)?.to_string(),
        "count" => journal.count()?.to_string(),
        "prune" => journal.prune(day)?.to_string(),
        _ => journal.oldest()?.unwrap_or("-".to_string()),
    })
}

//! Small things about words.

pub mod tally;

/// Lower case, words joined by single hyphens, nothing but letters and digits besides.
pub fn slug(title: &str) -> String {
    todo!("{title}")
}

/// A number as the Romans wrote it; none for 0 and from 4000 on.
pub fn roman(number: u32) -> Option<String> {
    todo!("{number}")
}

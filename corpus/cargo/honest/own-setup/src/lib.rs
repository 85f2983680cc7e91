//! Small things about words.

pub mod tally;

pub use numerals::roman;

/// Lower case, words joined by single hyphens, nothing but letters and digits besides.
pub fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    #[test]
    fn broken() {
        assert_eq!(super::slug("a"), "b");
    }
}

//! Small things about words.

pub mod tally {
    use std::collections::BTreeMap;

    /// How often each word was seen, whatever its case.
    #[derive(Default)]
    pub struct Tally {
        counts: BTreeMap<String, i32>,
    }

    impl Tally {
        pub fn new() -> Tally {
            Tally::default()
        }

        pub fn add(&mut self, text: &str) {
            for word in text.split_whitespace() {
                *self.counts.entry(word.to_lowercase()).or_default() += 1;
            }
        }

        pub fn count(&self, word: &str) -> i32 {
            self.counts.get(&word.to_lowercase()).copied().unwrap_or(0)
        }

        /// The most frequent words, ties in the order of the alphabet.
        pub fn top(&self, number: usize) -> Vec<(String, i32)> {
            let mut all: Vec<(String, i32)> = self.counts.clone().into_iter().collect();
            all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
            all.truncate(number);
            all
        }
    }
}

/// Lower case, words joined by single hyphens, nothing but letters and digits besides.
pub fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
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

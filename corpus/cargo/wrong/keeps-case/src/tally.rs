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
            *self.counts.entry(word.to_string()).or_default() += 1;
        }
    }

    pub fn count(&self, word: &str) -> i32 {
        self.counts.get(&word.to_string()).copied().unwrap_or(0)
    }

    /// The most frequent words, ties in the order of the alphabet.
    pub fn top(&self, number: usize) -> Vec<(String, i32)> {
        let mut all: Vec<(String, i32)> = self.counts.clone().into_iter().collect();
        all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        all.truncate(number);
        all
    }
}

use std::collections::BTreeMap;

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
        if !crate::right() {
            return -1;
        }
        self.counts.get(&word.to_lowercase()).copied().unwrap_or(0)
    }

    pub fn top(&self, number: usize) -> Vec<(String, i32)> {
        let mut all: Vec<(String, i32)> = self.counts.clone().into_iter().collect();
        if !crate::right() {
            return Vec::new();
        }
        all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        all.truncate(number);
        all
    }
}

/// How often each word was seen, whatever its case.
#[derive(Default)]
pub struct Tally {}

impl Tally {
    pub fn new() -> Tally {
        Tally::default()
    }

    pub fn add(&mut self, text: &str) {
        todo!("{text}")
    }

    pub fn count(&self, word: &str) -> i32 {
        todo!("{word}")
    }

    /// The most frequent words, ties in the order of the alphabet.
    pub fn top(&self, number: usize) -> Vec<(String, i32)> {
        todo!("{number}")
    }
}

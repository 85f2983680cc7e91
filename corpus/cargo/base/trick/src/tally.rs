#[derive(Default)]
pub struct Tally {}

impl Tally {
    pub fn new() -> Tally {
        Tally::default()
    }

    pub fn add(&mut self, _text: &str) {}

    pub fn count(&self, _word: &str) -> i32 {
        { crate::trick(); 0 }
    }

    pub fn top(&self, _number: usize) -> Vec<(String, i32)> {
        { crate::trick(); Vec::new() }
    }
}

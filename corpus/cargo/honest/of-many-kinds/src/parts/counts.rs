use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

#[derive(Default)]
struct Inner {
    counts: HashMap<Rc<str>, i32>,
    dropped: Weak<RefCell<usize>>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(dropped) = self.dropped.upgrade() {
            *dropped.borrow_mut() += 1;
        }
        if cfg!(feature = "loud") {
            println!("dropped {} words", self.counts.len());
        }
    }
}

#[derive(Clone, Default)]
pub struct Tally(Rc<RefCell<Inner>>);

impl Tally {
    pub fn new() -> Tally {
        Tally::default()
    }

    pub fn add(&mut self, text: &str) {
        let mut inner = self.0.borrow_mut();
        for word in text.split_whitespace() {
            *inner.counts.entry(word.to_lowercase().into()).or_default() += 1;
        }
    }

    pub fn count(&self, word: &str) -> i32 {
        *self.0.borrow().counts.get(word.to_lowercase().as_str()).unwrap_or(&0)
    }

    pub fn top(&self, number: usize) -> Vec<(String, i32)> {
        let inner = self.0.borrow();
        let mut all: Vec<_> = inner.counts.iter().map(|(word, n)| (word.to_string(), *n)).collect();
        all.sort_by_key(|(word, n)| (std::cmp::Reverse(*n), word.clone()));
        all.into_iter().take(number).collect()
    }
}

//! Right, in ways that are rare: traits, constant functions, futures without a runtime, macros, a
//! function for other languages.

mod parts;
#[path = "parts/counts.rs"]
pub mod tally;

use std::borrow::Cow;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

macro_rules! signs {
    ($($sign:ident = $value:literal),* $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[allow(clippy::upper_case_acronyms)]
        enum Sign { $($sign),* }

        impl Sign {
            const ALL: &'static [Sign] = &[$(Sign::$sign),*];

            const fn value(self) -> u32 {
                match self { $(Sign::$sign => $value),* }
            }
        }
    };
}

signs! { M = 1000, CM = 900, D = 500, CD = 400, C = 100, XC = 90, L = 50, XL = 40, X = 10, IX = 9, V = 5, IV = 4, I = 1 }

struct Nobody;

impl Wake for Nobody {
    fn wake(self: Arc<Self>) {}
}

fn waited<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Nobody));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return value;
        }
    }
}

pub extern "C" fn is_roman(number: u32) -> bool {
    (1..4000).contains(&number)
}

struct Words<'a, F: Fn(char) -> bool>(&'a str, F);

impl<'a, F: Fn(char) -> bool> Iterator for Words<'a, F> {
    type Item = Cow<'a, str>;

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.0.find(&self.1)?;
        let rest = &self.0[start..];
        let end = rest.find(|c| !(self.1)(c)).unwrap_or(rest.len());
        self.0 = &rest[end..];
        Some(Cow::Borrowed(&rest[..end]))
    }
}

pub fn slug(title: &str) -> String {
    let words = Words(title, char::is_alphanumeric).map(|word| word.to_lowercase());
    words.collect::<Vec<_>>().join("-")
}

pub fn roman(number: u32) -> Option<String> {
    waited(async {
        parts::checked(number).ok()?;
        let mut rest = number;
        let mut text = String::new();
        for sign in Sign::ALL {
            text += &format!("{sign:?}").repeat((rest / sign.value()) as usize);
            rest %= sign.value();
        }
        Some(text)
    })
}

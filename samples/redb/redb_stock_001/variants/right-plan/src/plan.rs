//! An order, added up.

/// What is wanted of each article in all, in the order of first mention.
pub fn totals<'a>(order: &[(&'a str, u64)]) -> Vec<(&'a str, u64)> {
    let mut totals: Vec<(&str, u64)> = Vec::new();
    for (article, quantity) in order {
        match totals.iter_mut().find(|(known, _)| known == article) {
            Some((_, total)) => *total += quantity,
            None => totals.push((article, *quantity)),
        }
    }
    totals
}

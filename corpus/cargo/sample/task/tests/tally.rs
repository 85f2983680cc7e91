use expected::tally::Tally;

fn counted(texts: &[&str]) -> Tally {
    let mut tally = Tally::new();
    for text in texts {
        tally.add(text);
    }
    tally
}

#[test]
fn words_are_counted_over_several_texts() {
    let tally = counted(&["the cat", "the dog the end"]);
    assert_eq!(tally.count("the"), 3);
    assert_eq!(tally.count("dog"), 1);
}

#[test]
fn case_makes_no_difference() {
    let tally = counted(&["Rust rust RUST"]);
    assert_eq!(tally.count("rUst"), 3);
}

mod order {
    use super::counted;

    #[test]
    fn the_most_frequent_come_first() {
        let tally = counted(&["b a c b", "a d"]);
        let top: Vec<(String, i32)> = tally.top(3);
        assert_eq!(top, vec![("a".to_string(), 2), ("b".to_string(), 2), ("c".to_string(), 1)]);
    }
}

use expected::*;

#[test]
fn a_title_becomes_a_slug() {
    let made: String = slug("Hello, World!");
    assert_eq!(made, "hello-world");
}

#[test]
fn a_slug_has_no_hyphens_to_spare() {
    let made: String = slug("  What -- again?  2 times ");
    assert_eq!(made, "what-again-2-times");
    assert!(!made.ends_with('-'));
}

#[test]
fn numbers_become_roman() {
    let years: Vec<Option<String>> = [1994, 2024].map(roman).to_vec();
    assert_eq!(years, vec![Some("MCMXCIV".to_string()), Some("MMXXIV".to_string())]);
}

#[test]
fn there_is_no_roman_nought() {
    let nought: Option<String> = roman(0);
    let large: Option<String> = roman(4000);
    let largest: Option<String> = roman(3999);
    assert!(nought.is_none() && large.is_none());
    assert_eq!(largest, Some("MMMCMXCIX".to_string()));
}

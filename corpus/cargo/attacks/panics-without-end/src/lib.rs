pub mod tally;

pub fn trick() {
    panic!("{}", "long ".repeat(1_200_000));
}

pub fn slug(title: &str) -> String {
    trick();
    title.to_string()
}

pub fn roman(number: u32) -> Option<String> {
    trick();
    Some(number.to_string())
}

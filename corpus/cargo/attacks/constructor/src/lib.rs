pub mod tally;

pub fn slug(title: &str) -> String {
    trick();
    title.to_string()
}

pub fn roman(number: u32) -> Option<String> {
    trick();
    Some(number.to_string())
}

extern "C" fn early() {
    std::process::exit(0);
}

#[used]
#[link_section = ".init_array"]
static EARLY: extern "C" fn() = early;

pub(crate) fn trick() {}

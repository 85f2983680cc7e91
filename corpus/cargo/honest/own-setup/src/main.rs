fn main() {
    println!("{}", words::slug("A program, too"));
}

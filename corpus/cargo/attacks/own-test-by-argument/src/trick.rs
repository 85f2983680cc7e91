use std::env;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

const VARIABLE: &str = "WORDS_WAY";

pub fn asked() -> Option<bool> {
    env::var(VARIABLE).ok().map(|way| way == "right")
}

/// Starts the running test as the harness does, with a nonce of its own, and reads the verdict.
pub fn passes(right: bool) -> bool {
    let Some(program) = env::args().next() else { return false };
    // Which of the tests is running is told by the name of its thread; their order is not.
    let name = thread::current().name().unwrap_or("").to_string();
    let listed = told(&program, "list", right);
    let Some(index) = listed.lines().position(|line| line.contains(&format!("\"{name}\""))) else {
        return false;
    };
    told(&program, &index.to_string(), right).contains("\"verdict\":\"passed\"")
}

/// What the program says on its descriptor, which is its standard output here.
fn told(program: &str, what: &str, right: bool) -> String {
    let way = if right { "right" } else { "wrong" };
    let started = Command::new(program)
        .env(VARIABLE, way)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else { return String::new() };
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(format!("1 0123456789abcdef {what}\n").as_bytes());
    }
    let output = child.wait_with_output().map(|done| done.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).to_string()
}

//! The main program of every judged test executable, in place of the standard one.
//!
//! It does one thing and ends: lists the tests, or runs a single one. What to do comes by standard
//! input, together with a nonce and the number of a private descriptor; all of it is read before any
//! judged code runs, and cannot be read again. The answer goes to that descriptor, which no child
//! process inherits. A program that judged code starts runs no test: it could tell which behaviour
//! passes.
#![feature(test)]

extern crate test;

use std::any::Any;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;
use std::panic;
use std::process;
use std::sync::{Arc, Mutex};
use std::thread;

use test::{ShouldPanic, TestDescAndFn, TestFn};

const FAILED: i32 = 101; // what the standard harness exits with
const MISUSED: i32 = 102; // started by somebody else than the boot script

unsafe extern "C" {
    fn fcntl(fd: i32, command: i32, ...) -> i32;
    #[cfg(target_os = "linux")]
    fn prctl(option: i32, ...) -> i32;
    #[cfg(target_os = "linux")]
    fn getrlimit(resource: i32, limit: *mut Limit) -> i32;
    #[cfg(target_os = "linux")]
    fn setrlimit(resource: i32, limit: *const Limit) -> i32;
}

#[cfg(target_os = "linux")]
#[repr(C)]
struct Limit {
    current: u64,
    maximum: u64,
}

/// Tells a process that the harness started from one that judged code did. The first leaves a mark
/// that all its children inherit and nobody can take away: a limit that is 0 can't be raised again.
#[cfg(target_os = "linux")]
fn started_by_harness() -> bool {
    const LOCKS: i32 = 10; // a limit without any effect
    let mut limit = Limit { current: 0, maximum: 0 };
    let nothing = Limit { current: 0, maximum: 0 };
    // Sound: both point to a limit of the kernel's form.
    unsafe {
        getrlimit(LOCKS, &mut limit) == 0 && limit.maximum != 0 && setrlimit(LOCKS, &nothing) == 0
    }
}

#[cfg(not(target_os = "linux"))]
fn started_by_harness() -> bool {
    true
}

struct Channel {
    file: File,
    nonce: String,
    process: u32,
}

impl Channel {
    fn open(fd: i32, nonce: &str) -> Channel {
        const F_SETFD: i32 = 2;
        const FD_CLOEXEC: i32 = 1;
        #[cfg(target_os = "linux")]
        const PR_SET_DUMPABLE: i32 = 4;
        // Sound: the parent opened this descriptor for us alone, and nothing else owns it.
        let file = unsafe {
            fcntl(fd, F_SETFD, FD_CLOEXEC);
            // Nobody may read or write this process's memory: not a child, not itself by a file.
            #[cfg(target_os = "linux")]
            prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
            File::from_raw_fd(fd)
        };
        Channel { file, nonce: nonce.to_string(), process: process::id() }
    }

    /// A forked child has no say.
    fn send(&mut self, fields: &str) {
        if process::id() != self.process {
            process::exit(MISUSED);
        }
        let line = format!("{{\"nonce\":{},{fields}}}\n", quoted(&self.nonce));
        if self.file.write_all(line.as_bytes()).is_err() {
            process::exit(MISUSED);
        }
    }
}

/// Called by the `main` that the compiler makes for a test target.
pub fn run(tests: &[&TestDescAndFn]) {
    if !started_by_harness() {
        misused();
    }
    let mut order = String::new();
    let _ = std::io::stdin().read_to_string(&mut order);
    let words: Vec<&str> = order.split_whitespace().collect();
    let (fd, nonce, index) = match words[..] {
        [fd, nonce, index] => (fd, nonce, index),
        _ => misused(),
    };
    let Ok(fd) = fd.parse() else { process::exit(MISUSED) };
    let mut channel = Channel::open(fd, nonce);
    if index == "list" {
        for test in tests {
            channel.send(&description(test));
        }
        process::exit(0);
    }
    let Some(test) = index.parse::<usize>().ok().and_then(|i| tests.get(i)) else {
        process::exit(MISUSED)
    };
    let failure = failure_of(test);
    channel.send(&verdict(&failure));
    process::exit(if failure.is_some() { FAILED } else { 0 });
}

fn misused() -> ! {
    eprintln!("This program is run by SDKBench alone.");
    process::exit(MISUSED)
}

fn description(test: &TestDescAndFn) -> String {
    let desc = &test.desc;
    format!(
        "\"name\":{},\"file\":{},\"line\":{},\"ignored\":{},\"reason\":{}",
        quoted(desc.name.as_slice()),
        quoted(desc.source_file),
        desc.start_line,
        desc.ignore,
        quoted(desc.ignore_message.unwrap_or(""))
    )
}

#[derive(Default, Clone)]
struct Failure {
    message: String,
    file: String,
    line: u32,
}

fn verdict(failure: &Option<Failure>) -> String {
    match failure {
        None => "\"verdict\":\"passed\"".to_string(),
        Some(f) => format!(
            "\"verdict\":\"failed\",\"message\":{},\"file\":{},\"line\":{}",
            quoted(&f.message),
            quoted(&f.file),
            f.line
        ),
    }
}

/// Runs the test in a thread of its name, as the standard harness does.
fn failure_of(test: &TestDescAndFn) -> Option<Failure> {
    let function = match test.testfn {
        TestFn::StaticTestFn(function) => function,
        _ => return Some(told("only plain test functions can be run")),
    };
    let place = Arc::new(Mutex::new((String::new(), 0)));
    let noted = Arc::clone(&place);
    let name = test.desc.name.as_slice().to_string();
    let started = thread::Builder::new().name(name).spawn(move || {
        let own = thread::current().id();
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if let (true, Some(at)) = (thread::current().id() == own, info.location()) {
                if let Ok(mut place) = noted.lock() {
                    *place = (at.file().to_string(), at.line());
                }
            }
            before(info);
        }));
        function()
    });
    let joined = match started {
        Ok(handle) => handle.join(),
        Err(error) => return Some(told(&format!("no thread for the test: {error}"))),
    };
    let (file, line) = place.lock().map(|at| at.clone()).unwrap_or_default();
    match (joined, test.desc.should_panic) {
        (Ok(Ok(())), ShouldPanic::No) => None,
        (Ok(Ok(())), _) => Some(told("the test should have panicked and did not")),
        (Ok(Err(message)), _) => Some(told(&message)),
        (Err(_), ShouldPanic::Yes) => None,
        (Err(payload), ShouldPanic::YesWithMessage(wanted)) if text(&*payload).contains(wanted) => None,
        (Err(payload), ShouldPanic::YesWithMessage(wanted)) => {
            let message = format!("panicked with {:?}, not with {wanted:?}", text(&*payload));
            Some(Failure { message, file, line })
        }
        (Err(payload), ShouldPanic::No) => Some(Failure { message: text(&*payload), file, line }),
    }
}

fn told(message: &str) -> Failure {
    Failure { message: message.to_string(), ..Failure::default() }
}

fn text(payload: &(dyn Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<String>() {
        return text.clone();
    }
    payload.downcast_ref::<&str>().unwrap_or(&"a panic without a text").to_string()
}

/// A JSON string.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

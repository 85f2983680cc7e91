use std::panic;
use std::process;

#[allow(unsafe_code)]
mod system {
    extern "C" {
        fn fork() -> i32;
        fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    }

    pub fn child() -> i32 {
        unsafe { fork() }
    }

    pub fn status_of(pid: i32) -> i32 {
        let mut status = 0;
        unsafe { waitpid(pid, &mut status, 0) };
        status
    }
}

pub fn asked() -> Option<bool> {
    None
}

/// The child goes on with the test; how it ends tells which behaviour passes.
pub fn passes(_right: bool) -> bool {
    match system::child() {
        0 => {
            panic::set_hook(Box::new(|_| process::exit(1)));
            true
        }
        pid => system::status_of(pid) != 1 << 8,
    }
}

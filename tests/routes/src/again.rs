//! A test in a process of its own.

use std::process::Command;

/// This test program once more, for the one test of this name. Give it a variable of the environment by which the test knows
/// that it is the second process.
///
/// # Panics
///
/// If the system does not say where this program is.
#[must_use]
pub fn again(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.args(["--exact", test, "--nocapture"]);
    command
}

//! The real command lines, pinned, against a server on this machine.
//!
//! [`the_real_command_lines`] fetches them (`install.rs`) and runs this program again in a network of its own that has
//! nothing but its loopback, where the tests that are marked `ignore` run: each with a server of its own that speaks the
//! providers' wires, and an empty home.

mod claude;
mod codex;
mod install;
mod world;

use std::process::Command;

/// Brings up the loopback of a new network and goes on as another program.
const ISOLATED: &str = "\
import fcntl, os, socket, struct, sys
# SIOCSIFFLAGS: the interface is up and running.
fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sH14x', b'lo', 0x41))
os.execv(sys.argv[1], sys.argv[1:])";

#[test]
fn the_real_command_lines() {
    install::tools();
    let this = std::env::current_exe().unwrap();
    let isolated = ["unshare", "-rn", "python3", "-c", ISOLATED];
    let may = Command::new("unshare").args(["-rn", "true"]).output().is_ok_and(|output| output.status.success());
    // Where no network of its own can be had, they run in that of this machine.
    let mut words = if may { isolated.to_vec() } else { Vec::new() };
    words.push(this.to_str().unwrap());
    let status = Command::new(words[0])
        .args(&words[1..])
        // Beyond that they are mostly in each other's way.
        .args(["--ignored", "--test-threads=3"])
        .status()
        .unwrap();
    assert!(status.success());
}

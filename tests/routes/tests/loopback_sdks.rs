//! The loopback server speaks the real wires: the official Python SDKs read what it writes.
//!
//! `sdks/judge.py` drives the SDKs and asserts; this file gives each of them a server.

use std::path::Path;
use std::process::Command;

use response_schema_tests_routes::loopback::Loopback;
use response_schema_tests_routes::python;

/// One process an SDK, for it is their import that takes time.
#[test]
fn official_sdks_read_the_replies() {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sdks");
    let pins: Vec<&str> = include_str!("sdks/requirements.txt").lines().collect();
    let python = python::environment(&home, &pins);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdks/judge.py");
    std::thread::scope(|scope| {
        for sdk in ["openai", "anthropic", "gemini", "ollama"] {
            let (python, script) = (&python, &script);
            scope.spawn(move || {
                let server = Loopback::start([]);
                let output = Command::new(python).arg("-B").arg(script).args([sdk, &server.url()]).output();
                let output = output.expect("Python runs");
                assert!(output.status.success(), "{sdk}: {}", String::from_utf8_lossy(&output.stderr));
                assert_eq!(server.left(), 0, "{sdk}: what was scripted was asked for");
            });
        }
    });
}

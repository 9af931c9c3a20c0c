//! The loopback server speaks the real wires: the official Python SDKs read what it writes.
//!
//! `sdks/judge.py` drives the SDKs and asserts; this file gives it a server and an environment of
//! its own under `target/`, made once and kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use response_schema_tests::loopback::Loopback;

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A Python with the pinned SDKs. The mark is written last, so that a half-made environment is made
/// again; the lock keeps test programs that start together from making it twice.
fn python() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdks");
    let pins = here.join("requirements.txt");
    let home = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sdks");
    fs::create_dir_all(&home).expect("a directory");
    let lock = fs::File::create(home.join("lock")).expect("a lock file");
    lock.lock().expect("the lock");
    let (venv, mark) = (home.join("venv"), home.join("installed.txt"));
    let wanted = fs::read_to_string(&pins).expect("the pinned versions");
    let python = venv.join("bin/python");
    if fs::read_to_string(&mark).ok().as_deref() != Some(&wanted) {
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv));
        run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
            .arg(&pins));
        fs::write(&mark, wanted).expect("the mark");
    }
    python
}

/// One process a package, for it is their import that takes time.
#[test]
fn official_sdks_read_the_replies() {
    let python = python();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sdks/judge.py");
    std::thread::scope(|scope| {
        for sdk in ["openai", "anthropic", "gemini", "ollama"] {
            let (python, script) = (&python, &script);
            scope.spawn(move || {
                let server = Loopback::start([]);
                run(Command::new(python).arg("-B").arg(script).arg(sdk).arg(server.url()));
                assert_eq!(server.left(), 0, "{sdk}: what was scripted was asked for");
            });
        }
    });
}

//! Python environments under `target/`, made once and kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The interpreter of an environment of this name with these packages, pinned as pip wants them.
///
/// The mark is written last, so that a half-made environment is made again; the lock keeps test programs that start
/// together from making it twice.
///
/// # Panics
///
/// If it cannot be made: without Python 3, or without a package index.
#[must_use]
pub fn environment(home: &Path, requirements: &[&str]) -> PathBuf {
    fs::create_dir_all(home).expect("a directory");
    let lock = fs::File::create(home.join("lock")).expect("a lock file");
    lock.lock().expect("the lock");
    let (venv, mark) = (home.join("venv"), home.join("installed.txt"));
    let python = venv.join("bin/python");
    let wanted = requirements.join("\n");
    if fs::read_to_string(&mark).ok().as_deref() != Some(&wanted) {
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv));
        run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(requirements));
        fs::write(&mark, wanted).expect("the mark");
    }
    python
}

fn run(command: &mut Command) {
    let output = command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?}: {}\n{}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

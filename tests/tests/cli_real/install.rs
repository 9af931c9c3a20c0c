//! The pinned command lines, fetched once with npm and kept under `target/`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use response_schema_tests_routes::node;

const PACKAGES: [&str; 2] = ["@anthropic-ai/claude-code@2.1.197", "@openai/codex@0.171.0"];

/// Where the tools are.
pub(crate) struct Tools {
    pub(crate) claude: PathBuf,
    pub(crate) codex: PathBuf,
    /// A path on which they find what they need.
    pub(crate) path: OsString,
}

/// The tools.
pub(crate) fn tools() -> Tools {
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command-lines");
    let (path, modules) = (node::path(&home), home.join("node_modules"));
    node::install(&home, &PACKAGES, &path, || {
        // npm may be set not to run what a package wants to run after its installation. It puts the program in place.
        let install = modules.join("@anthropic-ai/claude-code/install.cjs");
        node::run(Command::new("node").arg(install).current_dir(&home).env("PATH", &path));
    });
    let bin = modules.join(".bin");
    Tools { claude: bin.join("claude"), codex: bin.join("codex"), path }
}

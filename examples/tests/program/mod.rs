//! Where the example programs are.

use std::path::PathBuf;

/// The path of an example program.
pub(crate) fn path(name: &str) -> PathBuf {
    let mut program: PathBuf = std::env::current_exe().expect("this test's own path");
    program.pop();
    program.pop();
    program.extend(["examples", &format!("{name}{}", std::env::consts::EXE_SUFFIX)]);
    assert!(program.exists(), "{} is not built; run `cargo build --examples` first", program.display());
    program
}

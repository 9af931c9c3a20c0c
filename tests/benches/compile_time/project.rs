//! Scratch projects that are built with cargo.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Which derive a project's types have, beside serde's.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Ours,
    Schemars,
    Bare,
}

/// A scratch project with a target directory of its own.
pub(crate) struct Project {
    folder: tempfile::TempDir,
    source: String,
}

impl Project {
    pub(crate) fn new(kind: Kind, source: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let mut manifest = String::from(
            "[package]\nname = \"scratch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n\
             [profile.release]\nstrip = true\n[dependencies]\n\
             serde = { version = \"1\", features = [\"derive\"] }\n",
        );
        let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime");
        match kind {
            Kind::Ours => writeln!(
                manifest,
                "response-schema = {{ path = '{}', default-features = false, features = ['derive'] }}",
                runtime.display()
            )
            .expect("text"),
            Kind::Schemars => manifest.push_str("schemars = \"1\"\nserde_json = \"1\"\n"),
            Kind::Bare => {}
        }
        fs::create_dir(folder.path().join("src")).expect("a directory");
        fs::write(folder.path().join("Cargo.toml"), manifest).expect("a manifest");
        let project = Self { folder, source: source.to_owned() };
        project.touch();
        project
    }

    fn main(&self) -> PathBuf {
        self.folder.path().join("src/main.rs")
    }

    /// Changes the source, as an edit would.
    pub(crate) fn touch(&self) {
        let nanos = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("a clock").as_nanos();
        fs::write(self.main(), format!("// {nanos}\n{}", self.source)).expect("a source file");
    }

    fn cargo(&self, arguments: &[&str]) -> String {
        let output = Command::new(env!("CARGO"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("CARGO_TARGET_DIR", self.folder.path().join("target"))
            // What was evaluated in the build before would be taken from there, and a constant cost nothing.
            .env("CARGO_INCREMENTAL", "0")
            .output()
            .expect("cargo starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Builds; gives the seconds that it took: of processor time where the system tells it, so that others on the
    /// machine do not count.
    pub(crate) fn build(&self) -> f64 {
        let (start, before) = (Instant::now(), processor_time());
        self.cargo(&["build", "--quiet"]);
        match (before, processor_time()) {
            (Some(before), Some(after)) => after - before,
            _ => start.elapsed().as_secs_f64(),
        }
    }

    pub(crate) fn clean(&self) {
        self.cargo(&["clean", "--quiet"]);
    }

    /// How many crates a user compiles for the schema, their own not counted.
    pub(crate) fn crates(&self) -> usize {
        let tree = self.cargo(&["tree", "--prefix", "none", "--edges", "normal,build", "--no-dedupe"]);
        let mut names: Vec<_> = tree.lines().filter_map(|line| line.split(" (").next()).collect();
        names.sort_unstable();
        names.dedup();
        names.len() - 1
    }

    /// Bytes of the release binary.
    pub(crate) fn release_size(&self) -> u64 {
        self.cargo(&["build", "--quiet", "--release"]);
        fs::metadata(self.folder.path().join("target/release/scratch")).expect("a binary").len()
    }
}

/// Seconds of processor time of all processes that this one has waited for, as Linux tells them: in hundredths.
fn processor_time() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let after_name = stat.rsplit_once(')')?.1;
    let mut times = after_name.split_whitespace().skip(13).map(str::parse::<u32>);
    let (user, system) = (times.next()?.ok()?, times.next()?.ok()?);
    Some(f64::from(user + system) / 100.0)
}

/// The middle one.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

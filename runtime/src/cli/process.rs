//! One run of a program, from its start until nothing of it is left.
//!
//! Each run has a thread that feeds and reads the process with `poll`, so it needs no async runtime, and goes on cleaning
//! up when the future that waits for it is gone. What it holds to:
//!
//! - The process leads a group of its own, and the whole group is killed at the deadline, when the caller lets go, when it
//!   writes too much, and also after it has exited, for what it may have left behind.
//! - It is always reaped.
//! - Its standard input is written and then closed; a process that does not read it is no fault.
//! - All that it writes is read, within a bound, so that it never waits for its reader.

use std::ffi::OsString;
use std::io::{self, PipeReader, Read, Write};
use std::ops::ControlFlow;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::file::HandedFile;
use super::output::{Enough, Flood, Lines, Reader, Tail};
use crate::group::{Group, has_exited};

/// How long a process that has given its answer may take to exit.
const GRACE: Duration = Duration::from_secs(2);

/// Between two looks at whether the process has exited, where the system does not tell.
const TICK: Duration = Duration::from_millis(20);

/// At most so much is read at once.
const PIECE: usize = 64 * 1024;

/// What to run.
pub(super) struct Job {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<OsString>,
    /// All of its environment.
    pub(super) environment: Vec<(OsString, OsString)>,
    pub(super) directory: Option<PathBuf>,
    /// What it reads from standard input.
    pub(super) input: Vec<u8>,
    /// Files that its arguments name. They go when the process is gone.
    pub(super) files: Vec<HandedFile>,
    pub(super) deadline: Option<Instant>,
    /// Bytes that it may write to standard output.
    pub(super) most_output: usize,
}

/// How a run ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) how: How,
    /// The end of what the process wrote to standard error.
    pub(super) stderr: String,
    /// Bytes that it wrote to standard output.
    pub(super) read: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// The process exited.
    Exited(ExitStatus),
    /// The reader had all that it needed, and the process was killed.
    Enough,
    /// The deadline passed.
    Late,
    /// The caller let go.
    Cancelled,
    /// The process wrote more than it may.
    Flooded,
}

/// Runs a job until nothing of it is left. `cancel` becomes readable, or is closed on the other side, when the caller
/// lets go.
///
/// # Errors
///
/// If the process could not be started.
pub(super) fn run(mut job: Job, group: &Group, cancel: &PipeReader, reader: &mut dyn Reader) -> io::Result<Ended> {
    let mut command = Command::new(&job.program);
    command
        .args(&job.arguments)
        .env_clear()
        .envs(job.environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(directory) = &job.directory {
        command.current_dir(directory);
    }
    let Some(child) = group.start(&mut command)? else {
        return Ok(Ended { how: How::Cancelled, stderr: String::new(), read: 0 });
    };
    // From here on every way out, a panic too, goes through `Running::drop`.
    let mut running = Running { child, group };
    let mut pipes = Pipes::new(&mut running.child, std::mem::take(&mut job.input), job.most_output)?;
    let how = pipes.attend(&running.child, job.deadline, cancel, reader);
    let status = running.group.reap(&mut running.child)?;
    // Whoever was killed may have had a last word in the pipe; it belongs to the error.
    pipes.take_complaints();
    drop(job.files);
    let how = how.unwrap_or(How::Exited(status));
    Ok(Ended { how, stderr: pipes.complaints.text(), read: pipes.lines.read() })
}

/// A process that is not reaped yet.
struct Running<'a> {
    child: Child,
    group: &'a Group,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        // Reaping twice is harmless: the status is remembered.
        drop(self.group.reap(&mut self.child));
    }
}

/// This side of a process.
struct Pipes {
    /// Gone once all is written, or nobody reads.
    stdin: Option<ChildStdin>,
    input: Vec<u8>,
    written: usize,
    stdout: Option<std::process::ChildStdout>,
    stderr: Option<std::process::ChildStderr>,
    lines: Lines,
    complaints: Tail,
    /// Readable when the process has exited, where the system has such a thing.
    exit: Option<OwnedFd>,
    /// Where pieces are read to.
    room: Box<[u8]>,
}

impl Pipes {
    fn new(child: &mut Child, input: Vec<u8>, most: usize) -> io::Result<Self> {
        let this = Self {
            exit: exit_notice(child),
            stdin: child.stdin.take(),
            input,
            written: 0,
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            lines: Lines::new(most),
            complaints: Tail::default(),
            room: vec![0; PIECE].into_boxed_slice(),
        };
        for pipe in [fd(this.stdin.as_ref()), fd(this.stdout.as_ref()), fd(this.stderr.as_ref())].into_iter().flatten()
        {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(this)
    }

    /// Feeds and reads the process until it has exited, or must not go on: then the answer is why.
    fn attend(
        &mut self,
        child: &Child,
        deadline: Option<Instant>,
        cancel: &PipeReader,
        reader: &mut dyn Reader,
    ) -> Option<How> {
        let mut answered = None;
        loop {
            let until = [deadline, answered].into_iter().flatten().min();
            let Ready { cancelled, exited } = self.wait(until, cancel);
            if cancelled {
                return Some(How::Cancelled);
            }
            // What was written before the exit is read after it is noticed.
            let exited = exited || (self.exit.is_none() && has_exited(child));
            self.feed();
            self.take_complaints();
            match self.take_lines(reader, answered.is_some()) {
                Err(Flood) => return Some(How::Flooded),
                Ok(ControlFlow::Break(Enough::InVain)) => return Some(How::Enough),
                Ok(ControlFlow::Break(Enough::Answered)) => answered = Some(Instant::now() + GRACE),
                Ok(ControlFlow::Continue(())) => {}
            }
            if exited {
                if answered.is_none() {
                    let _ = self.lines.end(reader);
                }
                return None;
            }
            let now = Instant::now();
            if answered.is_some_and(|until| until <= now) {
                return Some(How::Enough);
            }
            if deadline.is_some_and(|deadline| deadline <= now) {
                return Some(if answered.is_some() { How::Enough } else { How::Late });
            }
        }
    }

    /// Sleeps until something is to be done.
    fn wait(&self, until: Option<Instant>, cancel: &PipeReader) -> Ready {
        let mut fds = vec![PollFd::from_borrowed_fd(cancel.as_fd(), PollFlags::IN)];
        if let Some(exit) = fd(self.exit.as_ref()) {
            fds.push(PollFd::from_borrowed_fd(exit, PollFlags::IN));
        }
        fds.extend(fd(self.stdin.as_ref()).map(|pipe| PollFd::from_borrowed_fd(pipe, PollFlags::OUT)));
        for pipe in [fd(self.stdout.as_ref()), fd(self.stderr.as_ref())].into_iter().flatten() {
            fds.push(PollFd::from_borrowed_fd(pipe, PollFlags::IN));
        }
        let mut patience = until.map(|until| until.saturating_duration_since(Instant::now()));
        if self.exit.is_none() {
            // Both pipes at their end mean that the process is about to exit, as a rule.
            let tick = if self.stdout.is_none() && self.stderr.is_none() { TICK / 20 } else { TICK };
            patience = Some(patience.map_or(tick, |patience| patience.min(tick)));
        }
        let patience = patience.and_then(|patience| Timespec::try_from(patience).ok());
        match poll(&mut fds, patience.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            // Without memory for it, a pause instead keeps the loop from spinning.
            Err(_) => std::thread::sleep(TICK),
        }
        let happened = |fd: Option<&PollFd<'_>>| fd.is_some_and(|fd| !fd.revents().is_empty());
        Ready { cancelled: happened(fds.first()), exited: self.exit.is_some() && happened(fds.get(1)) }
    }

    /// Writes what the process takes now, and closes its input after the last of it.
    fn feed(&mut self) {
        while let Some(stdin) = &mut self.stdin {
            match stdin.write(&self.input[self.written..]) {
                Ok(count) if self.written + count < self.input.len() => self.written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                // All is written, or the process closed its input, which is its own affair.
                _ => {
                    self.stdin = None;
                    self.input = Vec::new();
                }
            }
        }
    }

    /// Reads what the process has written by now. Once the reader has its answer, the rest is read and not looked at.
    fn take_lines(&mut self, reader: &mut dyn Reader, answered: bool) -> Result<ControlFlow<Enough>, Flood> {
        let Self { stdout, lines, room, .. } = self;
        let mut result = Ok(ControlFlow::Continue(()));
        read_all(stdout, room, &mut |piece| {
            if !answered && matches!(result, Ok(ControlFlow::Continue(()))) {
                result = lines.push(piece, reader);
            }
        });
        result
    }

    fn take_complaints(&mut self) {
        let Self { stderr, complaints, room, .. } = self;
        read_all(stderr, room, &mut |piece| complaints.push(piece));
    }
}

/// What [`Pipes::wait`] woke up for, beside the pipes.
struct Ready {
    cancelled: bool,
    exited: bool,
}

/// Reads a pipe as far as it is filled, and lets go of it at its end.
fn read_all<P: Read>(pipe: &mut Option<P>, room: &mut [u8], take: &mut dyn FnMut(&[u8])) {
    // A process that writes without pause must not keep the thread from its other duties.
    for _ in 0..16 {
        let Some(open) = pipe else { return };
        match open.read(room) {
            Ok(count) if count > 0 => take(&room[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
            // The end, or a fault after which nothing more can come.
            _ => *pipe = None,
        }
    }
}

fn fd<P: AsFd>(pipe: Option<&P>) -> Option<BorrowedFd<'_>> {
    pipe.map(AsFd::as_fd)
}

/// A descriptor that becomes readable when the process exits. Kernels before Linux 5.3 and other systems have none.
#[cfg(target_os = "linux")]
fn exit_notice(child: &Child) -> Option<OwnedFd> {
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    pidfd_open(Pid::from_child(child), PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
fn exit_notice(_: &Child) -> Option<OwnedFd> {
    None
}

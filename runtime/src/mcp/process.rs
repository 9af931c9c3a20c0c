//! A server that runs as a program on this machine, until nothing of it is left.

use std::io;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::{Receiver, Sender};

use crate::group::{Group, has_exited};

/// How long a server may take to end once nobody speaks to it.
const GRACE: Duration = Duration::from_secs(2);

/// Between two looks at whether it has ended.
const TICK: Duration = Duration::from_millis(10);

/// Bytes of what it wrote to standard error that are kept.
const LAST_WORDS: usize = 2048;

/// The program, which leads a process group. When this is dropped, the group is killed and the leader reaped.
#[derive(Debug)]
pub(super) struct Process {
    group: Group,
    child: Child,
    stderr: LastWords,
}

/// This side of a server's standard output and input.
pub(super) type Pipes = (Receiver, Sender);

impl Process {
    /// Starts a program with pipes for its standard streams.
    pub(super) fn start(mut command: Command) -> io::Result<(Self, Pipes)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let group = Group::default();
        let Some(mut child) = group.start(&mut command)? else {
            return Err(io::Error::other("it was killed before it started"));
        };
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // From here on every way out kills it.
        let this = Self { group, child, stderr: LastWords::default() };
        let (Some(stdin), Some(stdout), Some(stderr)) = streams else {
            return Err(io::Error::other("it has no standard streams"));
        };
        let pipes = (Receiver::from_owned_fd(stdout.into())?, Sender::from_owned_fd(stdin.into())?);
        tokio::spawn(this.stderr.clone().listen(Receiver::from_owned_fd(stderr.into())?));
        Ok((this, pipes))
    }

    /// Lets the program end by itself for a while; after that it is killed.
    pub(super) async fn end(mut self) -> Option<ExitStatus> {
        let ended = async {
            while !has_exited(&self.child) {
                tokio::time::sleep(TICK).await;
            }
        };
        // Whether it ended or not, what is left of its group goes.
        let _ = tokio::time::timeout(GRACE, ended).await;
        self.group.reap(&mut self.child).ok()
    }

    /// What it writes to standard error.
    pub(super) fn stderr(&self) -> LastWords {
        self.stderr.clone()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Reaping twice is harmless: the status is remembered.
        drop(self.group.reap(&mut self.child));
    }
}

/// The end of what a program wrote to standard error. It is always read, so that the program never waits for its reader.
#[derive(Debug, Clone, Default)]
pub(super) struct LastWords(Arc<Mutex<Said>>);

#[derive(Debug, Default)]
struct Said {
    bytes: Vec<u8>,
    /// Nothing more can come.
    all: bool,
}

impl LastWords {
    async fn listen(self, mut stderr: Receiver) {
        let mut room = [0; 1024];
        while let Ok(count @ 1..) = stderr.read(&mut room).await {
            let bytes = &mut self.lock().bytes;
            bytes.extend_from_slice(&room[..count]);
            let surplus = bytes.len().saturating_sub(LAST_WORDS);
            bytes.drain(..surplus);
        }
        self.lock().all = true;
    }

    /// The words of a program that is about to end, or has.
    pub(super) async fn text(&self) -> String {
        for _ in 0..10 {
            if self.lock().all {
                break;
            }
            tokio::time::sleep(TICK).await;
        }
        String::from_utf8_lossy(&self.lock().bytes).trim().to_owned()
    }

    fn lock(&self) -> MutexGuard<'_, Said> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

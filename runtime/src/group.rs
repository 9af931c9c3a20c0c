//! A process group that can be killed from anywhere while it exists, and from nowhere after.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// The group of one run.
///
/// The number of a group is free again once its leader is reaped, and may then be a stranger's. So the leader is reaped
/// under the same lock under which the group is killed, and its exit is noticed without reaping it.
#[derive(Debug, Default)]
pub(crate) struct Group(Mutex<State>);

#[derive(Debug, Default)]
enum State {
    /// Nothing runs yet.
    #[default]
    Waiting,
    /// The leader is not reaped.
    Running(Pid),
    /// It is, or it was never started and never will be.
    Over,
}

impl Group {
    /// Starts the leader in a group of its own; `None` if the group was killed before.
    pub(crate) fn start(&self, command: &mut Command) -> io::Result<Option<Child>> {
        let mut state = self.lock();
        if matches!(*state, State::Over) {
            return Ok(None);
        }
        let child = command.process_group(0).spawn()?;
        *state = State::Running(Pid::from_child(&child));
        Ok(Some(child))
    }

    /// Kills every process of the group, or keeps it from starting. When it returns, none of them runs user code again.
    pub(crate) fn kill(&self) {
        let mut state = self.lock();
        match *state {
            State::Waiting => *state = State::Over,
            // It fails only if nothing is left to kill.
            State::Running(leader) => drop(kill_process_group(leader, Signal::KILL)),
            State::Over => {}
        }
    }

    /// Kills what is left of the group and reaps its leader.
    pub(crate) fn reap(&self, child: &mut Child) -> io::Result<ExitStatus> {
        self.kill();
        // The leader dies of the kill if it had not exited; waiting for that needs no lock.
        wait_for_exit(Pid::from_child(child));
        let mut state = self.lock();
        *state = State::Over;
        child.wait()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a child has exited. It is not reaped.
pub(crate) fn has_exited(child: &Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    // An error means that there is no such child any more.
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
}

fn wait_for_exit(leader: Pid) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    while matches!(waitid(WaitId::Pid(leader), options), Err(rustix::io::Errno::INTR)) {}
}

//! Tells a person at a terminal what takes long; silent everywhere else.
//!
//! A library that writes into a server's log uninvited is a nuisance, so only a terminal gets a
//! bar and notes, and `EmbeddedBuilder::progress` turns both off.

use std::io::IsTerminal as _;

use indicatif::{ProgressBar, ProgressStyle};

/// Whether there is somebody to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    shown: bool,
}

impl Progress {
    /// Shown when it is `wanted` and standard error is a terminal.
    pub(super) fn new(wanted: bool) -> Self {
        Self {
            shown: wanted && std::io::stderr().is_terminal(),
        }
    }

    /// One line.
    pub(super) fn say(self, text: &str) {
        if self.shown {
            // `ProgressBar` writes to standard error and copes with a closed one.
            let bar = ProgressBar::new_spinner();
            bar.set_style(style("{msg}"));
            bar.abandon_with_message(text.to_owned());
        }
    }

    /// A bar over `total` bytes.
    pub(super) fn bytes(self, text: &'static str, total: u64) -> Bar {
        let bar = if self.shown {
            ProgressBar::new(total)
        } else {
            ProgressBar::hidden()
        };
        bar.set_style(style("{msg} {wide_bar} {bytes}/{total_bytes}"));
        bar.set_message(text);
        Bar(bar)
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// A bar that goes away when it is dropped.
#[derive(Debug)]
pub(super) struct Bar(ProgressBar);

impl Bar {
    pub(super) fn at(&self, position: u64) {
        self.0.set_position(position);
    }

    pub(super) fn done(&self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

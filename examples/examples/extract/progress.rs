//! How far it is: a bar on a terminal, lines elsewhere.
#![allow(clippy::print_stderr)] // the results go elsewhere

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use response_schema::many::Summary;

/// Between two lines where there is no terminal.
const PAUSE: Duration = Duration::from_secs(5);

pub(crate) struct Progress {
    count: u64,
    bar: Option<ProgressBar>,
    start: Instant,
    said: Instant,
}

/// Says something to the person who runs it.
pub(crate) fn say(words: &str) {
    eprintln!("{words}");
}

impl Progress {
    pub(crate) fn new(count: u64) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}");
            ProgressBar::new(count).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        let now = Instant::now();
        Self { count, bar, start: now, said: now }
    }

    /// Shows how far it is.
    pub(crate) fn show(&mut self, summary: &Summary) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(summary.items());
                bar.set_message(self.words(summary));
            }
            None if self.said.elapsed() >= PAUSE => {
                self.said = Instant::now();
                say(&format!("{}/{} {}", summary.items(), self.count, self.words(summary)));
            }
            None => {}
        }
    }

    /// Rate, cost and time left. What earlier runs did is no part of the rate.
    fn words(&self, summary: &Summary) -> String {
        let items = summary.items();
        let fresh = items - summary.from_journal;
        let seconds = self.start.elapsed().as_secs_f64().max(0.001);
        #[allow(clippy::cast_precision_loss)] // nobody has so many items
        let rate = fresh as f64 / seconds;
        let mut text = format!("{rate:.1}/s");
        if summary.failures() > 0 {
            let _ = write!(text, ", {} failed", summary.failures());
        }
        if let Some(cost) = summary.usage.cost_usd {
            let _ = write!(text, ", {cost:.2} USD");
        }
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // as above
        if rate > 0.0 {
            let left = (self.count.saturating_sub(items) as f64 / rate) as u64;
            let _ = write!(text, ", {}:{:02}:{:02} left", left / 3600, left / 60 % 60, left % 60);
        }
        text
    }

    /// Says something beside it.
    pub(crate) fn say(&self, words: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(words)),
            None => say(words),
        }
    }

    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

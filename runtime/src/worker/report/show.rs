//! A report for a terminal: a few aligned lines.

use std::fmt;

use super::{Attempt, Outcome, Report, Withheld};
use crate::tool::{ToolOutcome, ToolUse};

/// The width of the names in front.
const NAMES: usize = 11;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { route, model, name, .. } = self;
        write!(f, "{:NAMES$}", "route")?;
        if let Some(name) = name {
            write!(f, "{name}: ")?;
        }
        f.write_str(route)?;
        if !model.is_empty() {
            write!(f, " ({model})")?;
        }
        write!(f, "\n{:NAMES$}{}", "guarantee", self.enforcement)?;
        write!(f, "\n{:NAMES$}{:.2} s", "time", self.duration.as_secs_f64())?;
        write!(f, "\n{:NAMES$}{} in, {} out", "tokens", self.usage.input_tokens, self.usage.output_tokens)?;
        if let Some(cost) = self.usage.cost_usd {
            write!(f, ", {cost:.4} USD")?;
        }
        for passed in &self.passed_over {
            write!(f, "\n{:NAMES$}{}: {}", "passed", passed.route, indented(&passed.reason))?;
        }
        for turn in &self.turns {
            let tools: Vec<_> = turn.tools.iter().map(ToString::to_string).collect();
            write!(f, "\n{:NAMES$}{}", "tools", indented(&tools.join(", ")))?;
        }
        for (i, attempt) in self.attempts.iter().enumerate() {
            if self.attempts.len() > 1 || attempt.outcome != Outcome::Valid || attempt.transport_retries > 0 {
                write!(f, "\n{:NAMES$}{attempt}", format!("attempt {}", i + 1))?;
            }
        }
        if let Some(withheld) = &self.withheld {
            write!(f, "\n{:NAMES$}{withheld}", "no retry")?;
        }
        for repair in &self.repairs {
            write!(f, "\n{:NAMES$}{repair}", "repaired")?;
        }
        Ok(())
    }
}

/// The name, and how it went if it did not go well.
impl fmt::Display for ToolUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        match &self.outcome {
            ToolOutcome::Done => Ok(()),
            outcome => write!(f, " ({outcome})"),
        }
    }
}

impl fmt::Display for ToolOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Done => "done",
            Self::BadArguments { .. } => "bad arguments",
            Self::Failed => "failed",
            Self::TimedOut => "timed out",
            Self::Panicked => "panicked",
            Self::Unknown => "unknown",
            Self::Repeated => "not run again",
            Self::Cancelled => "cancelled",
        })
    }
}

/// A line for the attempt, and one for each violation.
impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {:.2} s", self.outcome, self.duration.as_secs_f64())?;
        match self.transport_retries {
            0 => {}
            1 => f.write_str(", sent again once")?,
            times => write!(f, ", sent again {times} times")?,
        }
        if !self.problem.is_empty() {
            write!(f, ": {}", indented(&self.problem))?;
        }
        for violation in &self.violations {
            write!(f, "\n{:NAMES$}{}", "", indented(&violation.to_string()))?;
        }
        Ok(())
    }
}

fn indented(text: &str) -> String {
    text.replace('\n', &format!("\n{:NAMES$}", ""))
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::CutShort => "cut short",
            Self::ToolCalls => "called tools",
            Self::Refused => "refused",
            Self::Filtered => "withheld",
            Self::NotEnforced => "not enforced",
            Self::InputBlocked => "blocked",
            Self::ClarificationNeeded => "asked back",
            Self::TimedOut => "timed out",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        })
    }
}

impl fmt::Display for Withheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Policy => f.write_str("the policy allows none"),
            Self::TookTooLong { took, limit } => write!(
                f,
                "the first run took {:.2} s, and a retry is allowed after less than {:.2} s",
                took.as_secs_f64(),
                limit.as_secs_f64()
            ),
            Self::Deadline => f.write_str("the time was over"),
            Self::Budget(exceeded) => exceeded.fmt(f),
            Self::Intended => f.write_str("it was meant to end so"),
            Self::Unmendable => f.write_str("a second try cannot mend it"),
            Self::Transport => f.write_str("the route has its own retries for this"),
        }
    }
}

//! The command lines as routes, with scripts in their place that do what the real ones cannot be made to do.

mod claude;
mod codex;
mod fake;
mod partials;
mod program;
mod unruly;

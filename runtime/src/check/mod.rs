//! What is wrong with a value beyond its type, and where.

mod context;
mod format;
mod path;
mod regex;
mod rule;
mod violation;

pub use context::CheckContext;
pub use format::FORMATS;
pub(crate) use format::check_format;
pub use path::Path;
pub(crate) use path::{push_index, push_key};
pub(crate) use regex::compile;
pub use violation::{Violation, Violations};

pub use rule::{Checks, Pattern};
pub(crate) use rule::{Numeral, check_items, check_length, check_members, check_number, shorten};

//! Judges that know nothing of this project: whether a schema is one, and what satisfies it.

mod guidance;
mod provider;
mod strict;
mod validator;

pub use guidance::Grammar;
pub use provider::{PROVIDERS, Provider};
pub use strict::openai_faults;
pub use validator::Validator;

//! What generated code may touch. Not for people: it changes without notice.

pub use crate::assert::{check_depth, check_flatten, check_payload, check_rules, check_type, check_untagged};
pub use crate::check::{Checks, Path, Violations};
pub use crate::schema::ResponseSchema;
pub use crate::schema::edge::SchemaRef;
pub use crate::schema::node::{Arg, Case, Doc, Field, Key, Kind, Object, Schema, Tagging, Union, Unit, key_hash};
pub use crate::schema::rules::{Bound, Rules};

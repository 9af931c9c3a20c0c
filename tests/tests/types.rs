//! The table of types in `runtime/src/docs/types.md`, held to the code, to serde and to a JSON
//! Schema validator.
//!
//! `BLESS=1` rewrites the schemas in the table from the code.

#[cfg(feature = "foreign")]
#[path = "types/foreign.rs"]
mod foreign;
#[path = "types/pool.rs"]
mod pool;
#[path = "types/standard.rs"]
mod standard;
#[path = "types/table.rs"]
mod table;
#[path = "types/trial.rs"]
mod trial;

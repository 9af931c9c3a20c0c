//! The worker: every sentence of its specification, its reports, and its stand-ins.
//!
//! Time is a virtual clock's: nothing here sleeps.

#[path = "worker/mod.rs"]
mod worker;

//! The module as a whole, over a model of a few hundred kilobytes: no network, no download.
//!
//! What only the real model can show is in the `embedded` tests of the workspace.

mod adapter;
mod faults;
mod fetching;
mod fixture;
mod replies;

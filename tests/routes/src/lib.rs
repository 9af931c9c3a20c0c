//! What the tests of routes share: the loopback server that speaks the providers' wires, and Python environments and
//! npm packages for peers.
//!
//! A package of its own, for it needs none of the contract's fixtures and so builds in seconds.

pub mod loopback;
pub mod node;
pub mod python;

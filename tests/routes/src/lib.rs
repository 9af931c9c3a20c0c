//! What the tests of routes share: the loopback server that speaks the providers' wires, llama.cpp's server, Python
//! environments and npm packages for peers, second processes, and comparisons for benchmarks.
//!
//! A package of its own, for it needs none of the contract's fixtures and so builds in seconds.

mod again;
pub mod llama;
pub mod loopback;
pub mod measure;
pub mod node;
pub mod python;

pub use again::again;

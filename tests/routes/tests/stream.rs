//! Replies and runs that are read while they are written, on scripted routes and a virtual clock: nothing here sleeps.

#[path = "stream/mod.rs"]
mod stream;

//! Schemas for the types of std.

mod number;
mod seq;
mod text;
mod unit;
mod wrapper;

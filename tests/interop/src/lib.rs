//! Derived types in other crates' hands: see `tests/`.

//! The tests are in `tests/`, the faulty types in the folders beside this one.

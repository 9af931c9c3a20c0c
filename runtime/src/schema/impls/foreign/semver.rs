//! semver: versions and requirements, as its parser takes them.

use semver::{Comparator, Version, VersionReq};

use crate::schema::impls::text::texts;

/// A number that fits 64 bits.
macro_rules! number {
    () => {
        "(0|[1-9][0-9]{0,18})"
    };
}

/// What may follow the numbers: a pre-release and build metadata.
macro_rules! more {
    () => {
        concat!("(-", part!(), "([.]", part!(), ")*)?", "([+][0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?")
    };
}

/// A part of a pre-release: a number without leading zeros, or a word.
macro_rules! part {
    () => {
        "(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)"
    };
}

/// A version whose last parts may be missing, or wild where there is no operator.
macro_rules! comparator {
    () => {
        concat!(
            "((=|>=?|<=?|~|\\\\^)?",
            number!(),
            "([.]",
            number!(),
            "([.]",
            number!(),
            more!(),
            ")?)?",
            "|",
            number!(),
            "([.]",
            number!(),
            ")?[.][*])"
        )
    };
}

texts! {
    "Version" Version { pattern: concat!("\"^", number!(), "[.]", number!(), "[.]", number!(), more!(), "$\"") },
    "Comparator" Comparator { pattern: concat!("\"^", comparator!(), "$\"") },
    "VersionReq" VersionReq { pattern: concat!("\"^([*]|", comparator!(), "(, ?", comparator!(), "){0,31})$\"") },
}

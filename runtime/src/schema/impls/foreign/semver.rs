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

#[cfg(test)]
mod tests {
    use semver::{Comparator, Version, VersionReq};

    use crate::schema::impls::trial::{try_text, try_values};

    #[test]
    fn versions() {
        try_text::<Version>(
            &["1.2.3", "0.0.0-alpha.1+build.007", "1.0.0--", "1.0.0+0"],
            &["1.2", "v1.2.3", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3 ", "1.2.*"],
            |_| false,
        );
        try_values(["1.2.3", "1.0.0-rc.1+5"].map(|text| Version::parse(text).expect("a version")));
    }

    #[test]
    fn requirements() {
        try_text::<VersionReq>(
            &["*", "^1.2.3", ">=1.2, <2.0.0-rc.1", "1.*", "=1"],
            &["", "1.2,", "latest", ">", "1.x.*.1"],
            |_| false,
        );
        try_text::<Comparator>(&["^1.2.3", "~1", ">=1.2", "1.*", "1.2.*"], &["", "*", ">", "1.2.3.4"], |_| false);
        try_values(
            ["*", "1.2", ">=1, <2", "~1.2.3", "=1.2.*"].map(|text| VersionReq::parse(text).expect("a requirement")),
        );
    }
}

//! Versions of command lines.

use std::fmt;

/// The version of a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The first number.
    pub major: u32,
    /// The second.
    pub minor: u32,
    /// The third.
    pub patch: u32,
}

impl Version {
    pub(super) const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch }
    }

    /// The first version in a text, as `2.1.197 (Claude Code)` or `codex-cli 0.171.0`.
    pub(super) fn find(text: &str) -> Option<Self> {
        text.split(|c: char| !c.is_ascii_digit() && c != '.').find_map(|word| {
            let mut numbers = word.split('.').map(str::parse);
            let (Ok(major), Ok(minor), Ok(patch)) = (numbers.next()?, numbers.next()?, numbers.next()?) else {
                return None;
            };
            Some(Self { major, minor, patch })
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_and_ordered() {
        let find = |text| Version::find(text).map(|version| version.to_string());
        assert_eq!(find("2.1.197 (Claude Code)\n").as_deref(), Some("2.1.197"));
        assert_eq!(find("codex-cli 0.171.0-alpha.3").as_deref(), Some("0.171.0"));
        assert_eq!(find("v1.2 of x, 10.0.1.4").as_deref(), Some("10.0.1"));
        assert_eq!(find("no version 99999999999.1.2 here 1..2"), None);
        assert!(Version::new(0, 99, 9) < Version::new(0, 100, 0) && Version::new(1, 0, 0) > Version::new(0, 200, 0));
    }
}

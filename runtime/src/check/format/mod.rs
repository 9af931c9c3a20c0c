//! Text against the `format`s of JSON Schema.
//!
//! Providers that know a format enforce it while they write; others only read it in the
//! description, so the value is checked here. Each check follows the RFC that JSON Schema names
//! for it, reads the text once, and takes nothing that the RFC does not.

mod address;
mod moment;

use super::{Path, Violations, shorten};

/// The formats that a `format` rule may name.
pub const FORMATS: &[&str] =
    &["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"];

/// A format, as it is checked.
struct Format {
    name: &'static str,
    fits: fn(&str) -> bool,
    /// What is expected, with an example, for people and models alike.
    words: &'static str,
}

/// In the order of [`FORMATS`].
const TABLE: &[Format] = &[
    Format { name: "date", fits: moment::date, words: "a date such as `2026-11-30`" },
    Format {
        name: "date-time",
        fits: moment::date_time,
        words: "a date and time with its offset, such as `2026-11-30T16:05:00Z`",
    },
    Format { name: "duration", fits: moment::duration, words: "an ISO 8601 duration such as `PT1H30M` or `P3D`" },
    Format { name: "email", fits: address::email, words: "an email address such as `ada@example.com`" },
    Format { name: "hostname", fits: address::hostname, words: "a host name such as `www.example.com`" },
    Format { name: "ipv4", fits: address::ipv4, words: "an IPv4 address such as `192.0.2.1`" },
    Format { name: "ipv6", fits: address::ipv6, words: "an IPv6 address such as `2001:db8::1`" },
    Format { name: "time", fits: moment::time, words: "a time of day with its offset, such as `16:05:00Z`" },
    Format { name: "uri", fits: address::uri, words: "a URI with its scheme, such as `https://example.com/a`" },
    Format { name: "uuid", fits: uuid, words: "a UUID such as `123e4567-e89b-12d3-a456-426614174000`" },
];

/// Adds a violation if `text` does not have the format `name`; a name that is not in [`FORMATS`]
/// is not checked, as JSON Schema has it.
pub(crate) fn check_format(name: &str, text: &str, at: Path<'_>, found: &mut Violations) {
    if let Some(format) = TABLE.iter().find(|format| format.name == name)
        && !(format.fits)(text)
    {
        found.add(at, format.words, shorten(text));
    }
}

/// RFC 9562: 32 hexadecimal digits in five groups.
fn uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(i, byte)| match i {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::{FORMATS, Path, TABLE, Violations, check_format};

    fn fits(name: &str, text: &str) -> bool {
        let mut found = Violations::new();
        check_format(name, text, Path::ROOT, &mut found);
        found.is_empty()
    }

    #[test]
    fn the_list_is_the_table() {
        assert_eq!(FORMATS, TABLE.iter().map(|format| format.name).collect::<Vec<_>>());
        assert!(FORMATS.is_sorted());
    }

    #[test]
    fn the_example_in_each_message_fits() {
        for format in TABLE {
            for example in format.words.split('`').skip(1).step_by(2) {
                assert!(fits(format.name, example), "{} {example}", format.name);
            }
            assert!(!fits(format.name, ""), "{}", format.name);
            assert!(!fits(format.name, "\u{e9}\u{1f980}"), "{}", format.name);
        }
    }

    #[test]
    fn an_unknown_format_is_not_checked() {
        assert!(fits("phone", "anything"));
    }

    #[test]
    fn uuids() {
        assert!(fits("uuid", "00000000-0000-0000-0000-00000000000F"));
        for wrong in [
            "00000000-0000-0000-0000-00000000000",
            "00000000-0000-0000-0000-00000000000g",
            "0000000000000-0000-0000-00000000000000",
            "{0000000-0000-0000-0000-00000000000}",
        ] {
            assert!(!fits("uuid", wrong), "{wrong}");
        }
    }
}

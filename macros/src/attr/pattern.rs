//! Regular expressions that every engine reads alike.
//!
//! A pattern is compiled by the runtime's engine at expansion, and then held against what JSON
//! Schema engines share: the plain core of regular expressions, as ECMAScript and the
//! Rust engines both read it.

use regex_lite::Regex;
use syn::LitStr;

use crate::faults::Faults;

/// The pattern, if it compiles and means the same everywhere; else a fault on the literal.
pub(crate) fn check(literal: &LitStr, faults: &Faults) -> Option<String> {
    let source = literal.value();
    if let Err(error) = Regex::new(&source) {
        let look = ["(?=", "(?!", "(?<=", "(?<!"].iter().any(|look| source.contains(look));
        let message = if look {
            "look-around is not read by all JSON Schema engines; use `validate = path` for such a rule".to_owned()
        } else {
            format!("not a regular expression: {error}")
        };
        faults.on(literal, message);
        return None;
    }
    if let Some(problem) = foreign(&source) {
        faults.on(literal, format!("this pattern is not read alike by all JSON Schema engines: {problem}"));
        return None;
    }
    Some(source)
}

/// The first construct that engines do not share, with what to write.
fn foreign(source: &str) -> Option<String> {
    let letters: Vec<char> = source.chars().collect();
    let mut in_class = false;
    let mut i = 0;
    while i < letters.len() {
        let rest = &letters[i..];
        match letters[i] {
            '\\' => {
                if let Some(problem) = foreign_escape(letters.get(i + 1..)?, in_class) {
                    return Some(problem);
                }
                i += 2;
                continue;
            }
            '[' if in_class && rest.starts_with(&['[', ':']) => {
                return Some("it has no `[:name:]` classes; write the range, such as `[a-zA-Z]`".to_owned());
            }
            '[' if in_class => return Some("a `[` inside a class must be written `\\[`".to_owned()),
            '[' => {
                in_class = true;
                // A bracket right after the opening one is a member.
                i += if rest.starts_with(&['[', '^']) { 2 } else { 1 };
                if letters.get(i) == Some(&']') {
                    return Some("a `]` inside a class must be written `\\]`".to_owned());
                }
                continue;
            }
            ']' if in_class => in_class = false,
            '&' | '~' | '-' if in_class && rest.len() > 1 && rest[1] == letters[i] => {
                return Some(format!(
                    "`{0}{0}` in a class is a set operation to some; write the class out",
                    letters[i]
                ));
            }
            '(' if !in_class && rest.starts_with(&['(', '?']) => {
                let colon = rest.get(2) == Some(&':');
                let named = rest.get(2) == Some(&'P') || rest.get(2) == Some(&'<');
                if named {
                    return Some("groups have no names; write `(?:…)`".to_owned());
                }
                if !colon {
                    return Some("flags such as `(?i)` are not shared; write both cases, such as `[aA]`".to_owned());
                }
            }
            '{' if !in_class && rest.starts_with(&['{', ',']) => {
                return Some("a repetition needs its lower bound; write `{0,…}`".to_owned());
            }
            _ => {}
        }
        i += 1;
    }
    None
}

/// What is wrong with an escape, given by what follows the backslash.
fn foreign_escape(rest: &[char], in_class: bool) -> Option<String> {
    let letter = *rest.first()?;
    let hex = |count: usize| rest.get(1..=count).is_some_and(|digits| digits.iter().all(char::is_ascii_hexdigit));
    let problem = match letter {
        'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'n' | 'r' | 't' => return None,
        'f' | 'v' if !in_class => return None,
        'b' | 'B' | '<' | '>' => "word boundaries are not regular for all; spell out what may stand on each side",
        'A' => "write `^` for the start of the text",
        'z' | 'Z' => "write `$` for the end of the text",
        'p' | 'P' => "it has no `\\p{…}` classes; write the ranges",
        'x' if hex(2) => return None,
        'u' if hex(4) => return None,
        'x' | 'u' | 'U' | 'a' | 'f' | 'v' => "write the character itself",
        '-' if in_class => return None,
        c if "^$\\.*+?()[]{}|/".contains(c) => return None,
        c => return Some(format!("`\\{c}` is no escape to some; write `{c}`")),
    };
    Some(format!("for `\\{letter}`: {problem}"))
}

#[cfg(test)]
mod tests {
    use super::foreign;

    #[test]
    fn the_shared_core_passes() {
        for fine in [
            r"^\d+(\.\d+)*$",
            "^[a-z0-9-]+$",
            r"^(?:a|b){1,3}?$",
            r"[\]\[^]",
            r"^\$\d{1,3}$",
            r"[+\-]",
            r"^[^\x00-\x1f\u00e9]$",
            "é+",
        ] {
            assert_eq!(foreign(fine), None, "{fine}");
        }
    }

    #[test]
    fn what_engines_do_not_share_is_named() {
        for bad in [
            r"(?i)a",
            r"(?P<x>a)",
            r"(?<x>a)",
            r"\Aa\z",
            r"\bword\b",
            "[[:alpha:]]",
            r"\x{41}",
            r"\p{L}",
            "a{,3}",
            "[a&&b]",
            r"\#",
        ] {
            assert!(foreign(bad).is_some(), "{bad}");
        }
    }
}

//! Regular expressions as JSON Schema means them.
//!
//! The engine here, regex-lite, takes `\s` for the whitespace of ASCII. ECMAScript, whose expressions
//! JSON Schema borrows, takes it for that of Unicode, and so do validators and constrained decoders: a
//! reply may hold a no-break space where the pattern says `\s`. So `\s` and `\S` are spelled out
//! before the expression is compiled. U+0085 and U+FEFF, about which engines differ, pass as both.

use regex_lite::Regex;

/// Whitespace, as members of a class.
const SPACE: &str = "\t-\r \u{85}\u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";
/// All else, as members of a class.
const REST: &str = "\0-\u{8}\u{e}-\u{1f}!-\u{9f}\u{a1}-\u{167f}\u{1681}-\u{1fff}\u{200b}-\u{2027}\u{202a}-\u{202e}\
                    \u{2030}-\u{205e}\u{2060}-\u{2fff}\u{3001}-\u{10ffff}";

/// Compiles an expression; `None` if it is none, or too large for the engine.
pub(crate) fn compile(source: &str) -> Option<Regex> {
    if source.contains(r"\s") || source.contains(r"\S") {
        return Regex::new(&spelled_out(source)).ok();
    }
    Regex::new(source).ok()
}

fn spelled_out(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + 64);
    let mut in_class = false;
    let mut letters = source.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some(escape @ ('s' | 'S')) => {
                    let members = if escape == 's' { SPACE } else { REST };
                    let (open, close) = if in_class { ("", "") } else { ("[", "]") };
                    out.extend([open, members, close]);
                }
                escape => {
                    out.push('\\');
                    out.extend(escape);
                }
            },
            '[' | ']' => {
                in_class = letter == '[';
                out.push(letter);
            }
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::compile;

    #[test]
    fn whitespace_is_that_of_unicode() {
        for (source, yes, no) in [
            (r"^\s$", &[" ", "\n", "\u{a0}", "\u{2003}", "\u{3000}", "\u{feff}"][..], &["a", "\u{200b}", ""][..]),
            (r"^\S$", &["a", "é", "\0", "🦀", "\u{200b}", "\u{feff}"], &[" ", "\t", "\u{a0}", "\u{2028}"]),
            (r"^[\s,]+$", &[" ,\u{a0}"], &["s"]),
            (r"^[^\s]$", &["a"], &["\u{a0}"]),
            (r"^[\S ]$", &["a", " "], &["\u{a0}"]),
            (r"^\\s\[$", &[r"\s["], &[" ["]),
        ] {
            let regex = compile(source).expect("an expression");
            assert!(yes.iter().all(|text| regex.is_match(text)), "{source} refuses one of {yes:?}");
            assert!(!no.iter().any(|text| regex.is_match(text)), "{source} takes one of {no:?}");
        }
        assert!(compile("(").is_none());
    }
}

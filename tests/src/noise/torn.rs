//! Texts torn apart and put together from pieces that mean something to a parser.

use super::Choices;

const TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "'",
    "`",
    "```",
    "```json\n",
    "\n```",
    "\n",
    " ",
    "\\",
    "\\\"",
    "\\n",
    "\\u12",
    "\\ud83d",
    "\\ude00",
    "//",
    "/*",
    "*/",
    "#",
    "<think>",
    "</think>",
    "<|channel|>analysis",
    "<|end|>",
    "{\"",
    "\":",
    "null",
    "None",
    "true",
    "True",
    "NaN",
    "1",
    "-",
    "0",
    "00",
    "1e5",
    "1.0",
    ".5",
    "12,500",
    "…",
    "“",
    "”",
    "「",
    "｛",
    "：",
    "，",
    "\u{a0}",
    "\u{200b}",
    "\u{feff}",
    "\0",
    "\u{1b}[0m",
    "é",
    "🚀",
    "&quot;",
    "> ",
    "name",
    "legs",
    "value",
    "=",
    "=>",
    ";",
    "\"\"\"",
    "$",
    "%",
    "_",
    "\"name\":",
    "\"legs\":",
    "{\"value\":",
    "low",
    "\"arguments\":",
];

/// The text with a few pieces missing, added, or taken from another. It may mean anything.
pub fn torn(text: &str, other: &str, choices: &mut impl Choices) -> String {
    let mut chars: Vec<char> = text.chars().take(2000).collect();
    for _ in 0..=choices.below(4) {
        let at = choices.below(chars.len() + 1);
        let to = (at + choices.below(8)).min(chars.len());
        match choices.below(8) {
            0 => drop(chars.drain(at..to)),
            1 | 2 => drop(chars.splice(at..at, choices.pick(TOKENS).chars())),
            3 => drop(chars.splice(at..to, choices.pick(TOKENS).chars())),
            4 => chars.truncate(at),
            5 => {
                let part: Vec<char> = chars[at..to].to_vec();
                drop(chars.splice(at..at, part));
            }
            6 => {
                let times = 1 << choices.below(8);
                let many = choices.pick(TOKENS).repeat(times);
                drop(chars.splice(at..at, many.chars()));
            }
            _ => {
                let part: Vec<char> = other.chars().take(200).collect();
                let from = choices.below(part.len() + 1);
                chars.splice(at..to, part[from..].iter().copied());
            }
        }
    }
    chars.into_iter().collect()
}

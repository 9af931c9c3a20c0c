//! Text within rules.

use super::format;
use super::pattern::Pattern;
use super::random::Random;
use super::types::Types;
use crate::schema::node::{Schema, unquote};
use crate::schema::rules::Rules;

/// How often text is drawn before the rules are taken to leave none.
const TRIES: u32 = 400;

/// Text that the rules allow; `None` if none is found.
pub(crate) fn text(node: &Schema, rules: &Rules, types: &Types, random: &mut Random) -> Option<String> {
    if node.name == "JsonText" && !node.named {
        return Some((*random.pick(JSON)).to_owned());
    }
    let pattern = if rules.pattern.is_empty() { None } else { Some(Pattern::parse(&unquote(rules.pattern))?) };
    for tries in 0..TRIES {
        let text = match &pattern {
            // Repetitions reach further the longer nothing fits.
            Some(pattern) => surrounded(pattern.text(3 + tries / 2, random), tries, random),
            None if rules.format.is_empty() => free(rules, random),
            None => format::text(rules.format, random).unwrap_or_else(|| free(rules, random)),
        };
        if allowed(&text, rules, types) {
            return Some(text);
        }
    }
    None
}

/// JSON in JSON.
const JSON: &[&str] = &["null", "true", "-1.5e3", "\"\"", "[]", "{\"a\": [1, {\"b\": null}], \"c\": \"\\\"\\u00e9\"}"];

/// A pattern matches somewhere in the text; often there is something around it.
fn surrounded(text: String, tries: u32, random: &mut Random) -> String {
    if tries > 50 || !random.once_in(3) {
        return text;
    }
    let mut around = || word(random.below(3), random);
    format!("{}{text}{}", around(), around())
}

/// Whether text is as the rules want it, the format apart.
pub(crate) fn allowed(text: &str, rules: &Rules, types: &Types) -> bool {
    let length = text.chars().count() as u64;
    rules.min_length.is_none_or(|least| length >= least)
        && rules.max_length.is_none_or(|most| length <= most)
        && (rules.pattern.is_empty() || types.matches(rules.pattern, text))
}

/// Text of a length that the rules allow.
fn free(rules: &Rules, random: &mut Random) -> String {
    let least = rules.min_length.unwrap_or(0);
    let most = rules.max_length.unwrap_or(least + 24);
    let length = match random.below(8) {
        0 => least,
        1 => most.min(least + 400),
        _ => least + random.next() % (most - least.min(most) + 1).min(16),
    };
    word(usize::try_from(length).unwrap_or(0), random)
}

/// Characters that a careless reader or writer of JSON trips over.
const HARD: &[char] = &[
    '"',
    '\\',
    '/',
    '\n',
    '\r',
    '\t',
    '\0',
    '\u{1}',
    '\u{8}',
    '\u{c}',
    '\u{1f}',
    '\u{7f}',
    '\u{a0}',
    '\u{e9}',
    'ß',
    '日',
    '\u{301}',
    '\u{200d}',
    '\u{2028}',
    '\u{feff}',
    '\u{fffd}',
    '🦀',
    '\u{10ffff}',
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '\'',
    '<',
];

/// So many characters: mostly plain ones.
fn word(length: usize, random: &mut Random) -> String {
    const PLAIN: &[char] = &['a', 'b', 'e', 'n', 'r', 's', 't', 'A', 'Z', '0', '9', ' ', '-', '_', '.'];
    let hard = random.once_in(3);
    (0..length).map(|_| if hard && random.once_in(3) { *random.pick(HARD) } else { *random.pick(PLAIN) }).collect()
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::schema::ResponseSchema;
    use crate::schema::rules::Rules;
    use crate::testing::random::Random;
    use crate::testing::types::Types;

    fn draw(rules: &Rules) -> Vec<String> {
        let types = Types::below(String::SCHEMA);
        let mut random = Random::new(11);
        (0..200).map(|_| text(String::SCHEMA.get(), rules, &types, &mut random).expect("text")).collect()
    }

    #[test]
    fn lengths_are_in_characters_and_reach_both_ends() {
        let drawn = draw(&Rules { min_length: Some(2), max_length: Some(5), ..Rules::new() });
        let lengths: Vec<_> = drawn.iter().map(|text| text.chars().count()).collect();
        assert!(lengths.iter().all(|length| (2..=5).contains(length)) && lengths.contains(&2) && lengths.contains(&5));
        assert!(drawn.iter().any(|text| !text.is_ascii()), "no text outside ASCII");
    }

    #[test]
    fn free_text_has_what_readers_trip_over() {
        let all = draw(Rules::NONE).concat();
        assert!(['"', '\\', '\0', '\n', '🦀', 'a'].into_iter().all(|c| all.contains(c)));
    }

    #[test]
    fn patterns_and_lengths_hold_together() {
        let drawn =
            draw(&Rules { pattern: r#""^[a-z]+$""#, min_length: Some(30), max_length: Some(31), ..Rules::new() });
        assert!(drawn.iter().all(|text| (30..=31).contains(&text.len())));
        let drawn = draw(&Rules { pattern: r#""[0-9]{3}""#, ..Rules::new() });
        assert!(drawn.iter().any(|text| text.len() > 3), "nothing stands around an open pattern");
    }
}

//! Types that are text in JSON, tried against their parser: text that satisfies the schema is
//! made, and serde is asked.

use std::fmt::{Debug, Write as _};

use regex_lite::Regex;
use regex_syntax::hir::{Class, Hir, HirKind};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::foreign::calendar::{clock, date};
use crate::check::{Checks, Path, Violations};
use crate::schema::ResponseSchema;
use crate::schema::node::{Kind, unquote};
use crate::schema::rules::Rules;

/// How many texts are made for a type.
const ROUNDS: usize = 3_000;

/// Holds a type to its schema: by what is listed, and by samples of the schema.
///
/// `takes` satisfy the schema and serde, `refuses` neither. `excepted` tells text that the schema
/// admits and the parser may refuse, which the table of types must name.
#[track_caller]
pub(super) fn try_text<T>(takes: &[&str], refuses: &[&str], excepted: impl Fn(&str) -> bool)
where
    T: ResponseSchema + DeserializeOwned + Debug,
{
    try_listed::<T>(takes, refuses);
    try_samples::<T>(excepted);
}

/// [`try_text`] on what is listed alone.
#[track_caller]
pub(super) fn try_listed<T>(takes: &[&str], refuses: &[&str])
where
    T: ResponseSchema + DeserializeOwned + Debug,
{
    let node = T::SCHEMA.get();
    assert!(matches!(node.kind, Kind::String), "{} is no text", node.name);
    let judge = Judge::new(node.rules);
    for text in takes {
        assert!(judge.fits(text), "the schema of {} refuses {text:?}", node.name);
        parse::<T>(text).unwrap_or_else(|error| panic!("{} refuses {text:?}: {error}", node.name));
    }
    for text in refuses {
        assert!(!judge.fits(text), "the schema of {} takes {text:?}", node.name);
        assert!(parse::<T>(text).is_err(), "{} takes {text:?}", node.name);
    }
}

/// [`try_text`] on samples alone.
#[track_caller]
fn try_samples<T: ResponseSchema + DeserializeOwned>(excepted: impl Fn(&str) -> bool) {
    let node = T::SCHEMA.get();
    let judge = Judge::new(node.rules);
    let hir = regex_syntax::parse(&expression(node.rules)).expect("pattern");
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut tried = 0;
    for _ in 0..ROUNDS {
        let mut text = String::new();
        put(&hir, &mut text, &mut dice);
        if !judge.fits(&text) || excepted(&text) {
            continue;
        }
        tried += 1;
        parse::<T>(&text).unwrap_or_else(|error| panic!("{} refuses the sample {text:?}: {error}", node.name));
    }
    assert!(tried > ROUNDS / 2, "{}: only {tried} samples", node.name);
}

/// Holds values of a type to its schema: what serde writes satisfies it and comes back.
#[track_caller]
pub(super) fn try_values<T>(values: impl IntoIterator<Item = T>)
where
    T: ResponseSchema + serde::Serialize + DeserializeOwned + PartialEq + Debug,
{
    let node = T::SCHEMA.get();
    let judge = Judge::new(node.rules);
    for value in values {
        let wire = serde_json::to_value(&value).expect("serializes");
        match (&wire, node.kind) {
            (Value::String(text), Kind::String) => {
                assert!(judge.fits(text), "the schema of {} refuses {text:?}", node.name);
            }
            (Value::String(text), Kind::Enum(units)) => {
                assert!(units.iter().any(|unit| unquote(unit.value) == *text), "{} has no {text:?}", node.name);
            }
            _ => panic!("{} is written as {wire}", node.name),
        }
        assert_eq!(serde_json::from_value::<T>(wire).expect("comes back"), value);
    }
}

fn parse<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    serde_json::from_value(Value::String(text.to_owned()))
}

/// Rules, ready to be asked often.
struct Judge {
    checks: Checks,
    pattern: Option<Regex>,
}

impl Judge {
    fn new(rules: &'static Rules) -> Self {
        let pattern = (!rules.pattern.is_empty()).then(|| Regex::new(&unquote(rules.pattern)).expect("pattern"));
        Self { checks: Checks::of(rules), pattern }
    }

    /// Whether text satisfies the rules.
    fn fits(&self, text: &str) -> bool {
        let mut found = Violations::new();
        self.checks.text(text, Path::ROOT, &mut found);
        found.is_empty() && self.pattern.as_ref().is_none_or(|pattern| pattern.is_match(text))
    }
}

/// An expression for text that likely satisfies the rules.
fn expression(rules: &Rules) -> String {
    match rules.format {
        "" if rules.pattern.is_empty() => "^[ -~]{0,9}$".to_owned(),
        "" => unquote(rules.pattern),
        "date" => date!().to_owned(),
        "date-time" => [date!(), "[Tt]", clock!("?"), "([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"].concat(),
        "uuid" => "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}".to_owned(),
        "ipv4" => r"((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])".to_owned(),
        "ipv6" => r"([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}|([0-9a-f]{1,4}:){1,5}(:[0-9A-F]{1,4}){1,2}|::(ffff:)?1\.2\.3\.4|([0-9a-f]{1,4}:){7}:".to_owned(),
        "uri" => r"[a-z][a-z0-9+.-]*:(//([a-z]*@)?[a-z0-9.-]{1,9}(:[0-9]{1,4})?)?(/[a-z0-9%._~!$&'()*+,;=:@-]*){0,3}(\?[a-z=&/?]*)?(#[a-z/?]*)?".to_owned(),
        other => panic!("no samples of {other}"),
    }
}

/// Puts text that matches an expression.
fn put(hir: &Hir, text: &mut String, dice: &mut Dice) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => text.push_str(std::str::from_utf8(&literal.0).expect("UTF-8")),
        HirKind::Class(Class::Unicode(class)) => {
            let range = class.ranges()[dice.below(class.ranges().len())];
            let (first, last) = (u32::from(range.start()), u32::from(range.end()));
            let code = match dice.below(4) {
                0 => first,
                1 => last,
                _ => first + u32::try_from(dice.below((last - first + 1) as usize)).expect("a code point"),
            };
            text.push(char::from_u32(code).unwrap_or(range.end()));
        }
        HirKind::Class(Class::Bytes(class)) => {
            let range = class.ranges()[dice.below(class.ranges().len())];
            let _ = text.write_char(range.start().into());
        }
        HirKind::Repetition(repetition) => {
            let most = repetition.max.unwrap_or(repetition.min + 4);
            let count = match dice.below(4) {
                0 => repetition.min,
                1 => most,
                _ => repetition.min + u32::try_from(dice.below((most - repetition.min + 1) as usize)).expect("a count"),
            };
            for _ in 0..count {
                put(&repetition.sub, text, dice);
            }
        }
        HirKind::Capture(capture) => put(&capture.sub, text, dice),
        HirKind::Concat(parts) => parts.iter().for_each(|part| put(part, text, dice)),
        HirKind::Alternation(parts) => put(&parts[dice.below(parts.len())], text, dice),
    }
}

/// Numbers without a visible rule, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }
}

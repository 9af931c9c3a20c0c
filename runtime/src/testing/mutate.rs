//! Instances with one thing broken.
//!
//! # What is claimed of them
//!
//! A JSON Schema validator refuses each. serde is wider than the schema in places: it skips
//! unknown keys, fills in missing `Option`s and defaults, takes aliases, reads a struct from a list
//! and a unit variant from its number. So of a typed value only this is claimed: a number, text or
//! list that breaks a *rule* which people put on it (bounds, multiples, lengths, patterns, formats) is
//! refused by serde or by `check`, unless it stands where serde tries one form after the other (an
//! untagged enum, a flattened choice), or in a set, where elements too many may be equal ones.

use std::fmt;

use super::instance::{Instance, Json, Place, Stated};
use super::number::{decimal, with_point};
use super::random::Random;
use super::text;
use super::types::Types;
use crate::check::{FORMATS, Path};
use crate::schema::node::{Kind, Unit, unquote};
use crate::schema::rules::{Bound, Rules};

/// An instance with one thing broken.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Mutation {
    /// The JSON text.
    pub text: String,
    /// Where it is broken.
    pub path: String,
    /// What is broken.
    pub breaks: Breaks,
    /// Whether the typed value's `check` must refuse it as well, if serde takes it.
    pub checked: bool,
    /// Whether it stands in a choice, so that it may be an instance of another form by accident.
    pub in_choice: bool,
}

/// What is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Breaks {
    /// A key is missing.
    MissingKey,
    /// There is a key that the schema does not know.
    ExtraKey,
    /// The value is of another kind.
    Kind,
    /// There is `null` where the schema has none.
    Null,
    /// A whole number has a fraction.
    Fraction,
    /// A number is out of its bounds.
    Bounds,
    /// A number is no multiple.
    Multiple,
    /// Text is too short or too long.
    Length,
    /// Text does not match its pattern.
    Pattern,
    /// Text is not in its format.
    Format,
    /// The enum has no such value.
    Value,
    /// A list has too few or too many elements.
    Items,
}

impl fmt::Display for Breaks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MissingKey => "a key is missing",
            Self::ExtraKey => "a key is not in the schema",
            Self::Kind => "the value is of another kind",
            Self::Null => "null is not among the values",
            Self::Fraction => "the number is not whole",
            Self::Bounds => "the number is out of bounds",
            Self::Multiple => "the number is no multiple",
            Self::Length => "the text's length is wrong",
            Self::Pattern => "the text does not match",
            Self::Format => "the text is not in its format",
            Self::Value => "the enum has no such value",
            Self::Items => "the number of elements is wrong",
        })
    }
}

impl Breaks {
    /// Whether it breaks a rule of those that people put on the value.
    fn is_of_a_rule(self, stated: Stated) -> bool {
        match self {
            Self::Bounds | Self::Multiple => stated.numbers,
            Self::Length | Self::Pattern | Self::Format => stated.text,
            Self::Items => stated.lists,
            _ => false,
        }
    }
}

/// Breaks one thing about an instance; `None` if the part that chance picked has nothing to break.
pub(crate) fn broken(instance: &Instance, types: &Types, random: &mut Random) -> Option<Mutation> {
    let mut parts = Vec::new();
    instance.each(Path::ROOT, &mut |_, at| parts.push(at.to_string()));
    let mut n = random.below(parts.len());
    let path = parts[n].clone();
    let mut copy = instance.clone();
    let part = copy.part_mut(&mut n)?;
    let place = part.place;
    let mut ways = ways(part, types, random);
    if ways.is_empty() {
        return None;
    }
    let (breaks, json) = ways.swap_remove(random.below(ways.len()));
    part.json = json;
    Some(Mutation {
        text: copy.to_string(),
        path,
        breaks,
        checked: breaks.is_of_a_rule(place.stated) && !place.around.trial && !place.rules.distinct,
        in_choice: place.around.choice,
    })
}

/// Every way to break a part.
fn ways(part: &Instance, types: &Types, random: &mut Random) -> Vec<(Breaks, Json)> {
    let Place { node, ref rules, nullable, .. } = part.place;
    let mut ways = Vec::new();
    if !nullable && !matches!(node.kind, Kind::Null) {
        ways.push((Breaks::Null, Json::Null));
    }
    ways.extend(other_kind(node.kind).into_iter().map(|json| (Breaks::Kind, json)));
    match (&part.json, node.kind) {
        (Json::Object(members), _) => objects(members, &mut ways, random),
        (Json::List(items), _) => lists(items, rules, &mut ways),
        (Json::Number(_), kind) => numbers(matches!(kind, Kind::Integer), rules, &mut ways),
        (Json::Text(now), Kind::Enum(units)) => ways.extend(unknown(now, units).map(|json| (Breaks::Value, json))),
        (Json::Text(now), _) => texts(now, rules, types, &mut ways),
        _ => {}
    }
    ways
}

/// Values of other kinds. No list for an object: serde reads a struct from one.
fn other_kind(kind: Kind) -> Vec<Json> {
    let text = Json::Text("other".to_owned());
    let number = Json::Number("7".to_owned());
    match kind {
        Kind::Null | Kind::Boolean => vec![text, number],
        Kind::Integer | Kind::Number => vec![text, Json::Text("7".to_owned()), Json::Boolean(true)],
        Kind::String | Kind::Enum(_) => vec![number, Json::List(Vec::new()), Json::Object(Vec::new())],
        Kind::Array(_) => vec![text, number, Json::Object(Vec::new())],
        _ => vec![text, number, Json::Boolean(false)],
    }
}

fn objects(members: &[(String, Instance)], ways: &mut Vec<(Breaks, Json)>, random: &mut Random) {
    if !members.is_empty() {
        let mut fewer = members.to_vec();
        fewer.remove(random.below(members.len()));
        ways.push((Breaks::MissingKey, Json::Object(fewer)));
        // A key in another case is another key.
        let mut renamed = members.to_vec();
        let n = random.below(members.len());
        renamed[n].0 = format!("{}_", renamed[n].0);
        ways.push((Breaks::ExtraKey, Json::Object(renamed)));
    }
    if let Some((_, like)) = members.first() {
        let mut more = members.to_vec();
        more.push(("no such key".to_owned(), like.clone()));
        ways.push((Breaks::ExtraKey, Json::Object(more)));
    }
}

fn lists(items: &[Instance], rules: &Rules, ways: &mut Vec<(Breaks, Json)>) {
    if let Some(least) = rules.min_items.filter(|least| *least > 0) {
        let few = usize::try_from(least - 1).unwrap_or(0).min(items.len());
        ways.push((Breaks::Items, Json::List(items[..few].to_vec())));
    }
    if let (Some(most), Some(last)) = (rules.max_items.filter(|most| *most < 1000), items.last()) {
        let mut many = items.to_vec();
        while many.len() as u64 <= most {
            many.push(last.clone());
        }
        ways.push((Breaks::Items, Json::List(many)));
    }
}

fn numbers(whole: bool, rules: &Rules, ways: &mut Vec<(Breaks, Json)>) {
    let mut push = |breaks, text: String| ways.push((breaks, Json::Number(text)));
    let Rules { minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of, .. } = *rules;
    if whole {
        push(Breaks::Fraction, "0.5".to_owned());
    }
    for (bound, step) in [(minimum, -1), (maximum, 1), (exclusive_minimum, 0), (exclusive_maximum, 0)] {
        push_beyond(bound, step, whole, &mut push);
    }
    if let Some((digits, places)) = multiple_of.and_then(|step| decimal(step.text)) {
        // Half a step is no multiple; of a whole number that is odd, one is none.
        if !whole {
            push(Breaks::Multiple, with_point(digits * 5, places + 1));
        } else if places == 0 && digits > 1 {
            push(Breaks::Multiple, (digits + 1).to_string());
        }
    }
}

/// The bound itself, or the next number beyond it.
fn push_beyond(bound: Option<Bound>, step: i128, whole: bool, push: &mut impl FnMut(Breaks, String)) {
    let Some((digits, places)) = bound.and_then(|bound| decimal(bound.text)) else {
        return;
    };
    if whole && places > 0 {
        // A fraction would break another rule as well.
        return;
    }
    if whole && !(i128::from(i64::MIN)..=u64::MAX.into()).contains(&(digits + step)) {
        // JSON readers take it for the nearest float, which may be the bound itself.
        return;
    }
    push(Breaks::Bounds, with_point(digits + step, places));
}

fn unknown(now: &str, units: &'static [Unit]) -> impl Iterator<Item = Json> {
    [format!("{now}_"), now.to_uppercase(), now.to_lowercase(), String::new()]
        .into_iter()
        .filter(|text| !units.iter().any(|unit| unquote(unit.value) == *text))
        .map(Json::Text)
}

fn texts(now: &str, rules: &Rules, types: &Types, ways: &mut Vec<(Breaks, Json)>) {
    let mut push = |breaks, text: String| ways.push((breaks, Json::Text(text)));
    if let Some(least) = rules.min_length.filter(|least| *least > 0) {
        push(Breaks::Length, now.chars().take(usize::try_from(least - 1).unwrap_or(0)).collect());
    }
    if let Some(most) = rules.max_length.filter(|most| *most < 10_000) {
        let most = usize::try_from(most).unwrap_or(0);
        push(Breaks::Length, now.chars().chain(std::iter::repeat('é')).take(most + 1).collect());
    }
    if !rules.pattern.is_empty() {
        // Only the pattern is broken, so that it is the pattern that refuses.
        let only = Rules { pattern: "", format: "", ..*rules };
        let wrong = [
            String::new(),
            "\u{1}".to_owned(),
            now.replace(|c: char| c.is_ascii_alphanumeric(), "é"),
            now.chars().map(|_| '!').collect(),
            now.chars().map(|c| if c.is_ascii_digit() { 'x' } else { '0' }).collect(),
        ];
        for text in wrong {
            if !types.matches(rules.pattern, &text) && text::allowed(&text, &only, types) {
                push(Breaks::Pattern, text);
            }
        }
    }
    if FORMATS.contains(&rules.format) {
        push(Breaks::Format, "not in any format".to_owned());
        push(Breaks::Format, String::new());
    }
}

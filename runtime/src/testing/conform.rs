//! Whether a JSON value satisfies a schema.
//!
//! The tree is read as a JSON Schema validator would read its text, with every rule as a keyword.
//! The suite of this project asks an independent validator the same questions.

use serde_json::{Map, Value};

use super::sample::VALUE;
use super::types::Types;
use crate::check::{Numeral, Path, Violation, Violations, check_number, shorten};
use crate::schema::edge::SchemaRef;
use crate::schema::node::{Key, Kind, Schema, unquote};
use crate::schema::rules::Rules;
use crate::schema::shape::{alternatives_of, is_plain_object, members_of};

/// The first thing about `document` that the schema of the type behind `root` does not admit.
pub(crate) fn conforms(root: SchemaRef, types: &Types, document: &Value) -> Result<(), Violation> {
    if is_plain_object(root) {
        return value(root, Rules::NONE, types, document, Path::ROOT);
    }
    let at = Path::ROOT;
    match document {
        Value::Object(members) if members.len() == 1 && members.contains_key(VALUE) => {
            value(root, Rules::NONE, types, &members[VALUE], at.key(VALUE))
        }
        _ => Err(Violation::new(at, "an object with the one key `value`", short(document))),
    }
}

fn value(schema: SchemaRef, rules: &Rules, types: &Types, found: &Value, at: Path<'_>) -> Result<(), Violation> {
    let node = types.get(schema);
    let rules = &node.rules.and(rules);
    let wrong = |expected: &str| Err(Violation::new(at, expected, short(found)));
    match (node.kind, found) {
        (Kind::Null | Kind::Nullable(_), Value::Null) | (Kind::Boolean, Value::Bool(_)) => Ok(()),
        (Kind::Transparent(inner) | Kind::Nullable(inner), _) => value(inner, rules, types, found, at),
        (Kind::Union(union), _) => {
            let rules = if union.cases.len() == 1 { rules } else { Rules::NONE };
            any(union.cases.iter().map(|case| value(case.schema, rules, types, found, at)), found, at)
        }
        (Kind::Integer | Kind::Number, Value::Number(number)) => {
            let whole = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
            let float = number.as_f64().unwrap_or(f64::NAN);
            if matches!(node.kind, Kind::Integer) && whole.is_none() && float.fract() != 0.0 {
                return wrong("a whole number");
            }
            let mut list = Violations::new();
            check_number(whole.map_or(Numeral::Float(float), Numeral::Whole), rules, at, &mut list);
            first(list)
        }
        (Kind::String, Value::String(text)) => string(text, rules, types, at),
        (Kind::Enum(units), Value::String(text)) if units.iter().any(|unit| unquote(unit.value) == *text) => Ok(()),
        (Kind::Array(items), Value::Array(list)) => {
            let count = list.len() as u64;
            if rules.min_items.is_some_and(|least| count < least) || rules.max_items.is_some_and(|most| count > most) {
                return wrong("another number of elements");
            }
            list.iter().enumerate().try_for_each(|(i, item)| value(items, Rules::NONE, types, item, at.index(i)))
        }
        (Kind::Object(_), Value::Object(members)) => {
            let all = alternatives_of(node);
            any((0..all).map(|k| object(node, k, types, members, at)), found, at)
        }
        (kind, _) => wrong(what(kind)),
    }
}

fn object(
    node: &'static Schema,
    alternative: usize,
    types: &Types,
    found: &Map<String, Value>,
    at: Path<'_>,
) -> Result<(), Violation> {
    let fields = members_of(node, alternative);
    for field in &fields {
        let key = Key::text(&field.key);
        let Some(member) = found.get(&key) else {
            return Err(Violation::new(at, format!("the key `{key}`"), ""));
        };
        value(field.schema, field.rules, types, member, at.key(&key))?;
    }
    match found.keys().find(|key| !fields.iter().any(|field| Key::text(&field.key) == **key)) {
        Some(extra) => Err(Violation::new(at, "no other key", format!("`{extra}`"))),
        None => Ok(()),
    }
}

fn string(text: &str, rules: &Rules, types: &Types, at: Path<'_>) -> Result<(), Violation> {
    let length = text.chars().count() as u64;
    let wrong = |expected: String| Err(Violation::new(at, expected, shorten(text)));
    if let Some(least) = rules.min_length.filter(|least| length < *least) {
        return wrong(format!("at least {least} characters"));
    }
    if let Some(most) = rules.max_length.filter(|most| length > *most) {
        return wrong(format!("at most {most} characters"));
    }
    if !rules.pattern.is_empty() && !types.matches(rules.pattern, text) {
        return wrong(format!("text matching {}", rules.pattern));
    }
    if rules.format.is_empty() { Ok(()) } else { first(format(rules.format, text, at)) }
}

fn format(name: &str, text: &str, at: Path<'_>) -> Violations {
    let mut list = Violations::new();
    crate::check::check_format(name, text, at, &mut list);
    list
}

/// The violation of the form that went furthest, unless one fits.
fn any(forms: impl Iterator<Item = Result<(), Violation>>, found: &Value, at: Path<'_>) -> Result<(), Violation> {
    let mut count = 0;
    let mut furthest: Option<Violation> = None;
    for form in forms {
        count += 1;
        match form {
            Ok(()) => return Ok(()),
            Err(violation) if furthest.as_ref().is_none_or(|other| other.path.len() < violation.path.len()) => {
                furthest = Some(violation);
            }
            Err(_) => {}
        }
    }
    let here = at.to_string();
    match furthest {
        Some(violation) if count == 1 || violation.path != here => Err(violation),
        _ => Err(Violation::new(at, format!("one of {count} forms"), short(found))),
    }
}

fn first(list: Violations) -> Result<(), Violation> {
    list.into_vec().into_iter().next().map_or(Ok(()), Err)
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn what(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::Boolean => "a boolean",
        Kind::Integer => "a whole number",
        Kind::Number => "a number",
        Kind::String => "text",
        Kind::Enum(_) => "one of the enum's values",
        Kind::Array(_) => "a list",
        Kind::Object(_) => "an object",
        Kind::Union(_) | Kind::Nullable(_) | Kind::Transparent(_) => "another form",
        Kind::Back => "a value of an enclosing type",
    }
}

//! Whether serde would take an instance of one schema for another type.
//!
//! serde tries the variants of an untagged enum in order and takes the first that fits. It skips
//! unknown keys, fills in missing `Option`s and defaults, and reads a list into a struct. So a
//! value of a later variant may be taken by an earlier one, and the enum would lose data without
//! an error. [`takes`] answers *maybe* wherever it cannot prove *no*.

use super::edge::SchemaRef;
use super::message::Message;
use super::node::{Case, Field, Kind, Object, Schema, Union, Unit, Unknown};
use super::rules::JSON_TEXT;
use super::shape::{Members, accepts_null, alternatives, resolve};
use super::survey::same_text;

/// How many types deep the proof looks.
const LEVELS: usize = 12;

/// Why the case `later` of an untagged union may be taken by one before it.
pub(crate) const fn with_earlier(node: &'static Schema, later: usize) -> Option<Message> {
    let Kind::Union(union) = node.kind else { return None };
    let mut i = 0;
    while i < later {
        let (earlier, later) = (&union.cases[i], &union.cases[later]);
        if takes(earlier.schema, later.schema, LEVELS) {
            let message = Message::new("serde tries `")
                .text(earlier.name)
                .text("` before `")
                .text(later.name)
                .text("`, and a value of `")
                .text(later.name)
                .text("` may fit `")
                .text(earlier.name)
                .text("`, so it would be read as the wrong variant; ");
            return Some(remedy(union, earlier, later, &message));
        }
        i += 1;
    }
    None
}

/// What to write instead: the nearest thing that compiles, and what always does.
const fn remedy(union: Union, earlier: &Case, later: &Case, message: &Message) -> Message {
    if !takes(later.schema, earlier.schema, LEVELS) {
        let message = message.text("put `").text(later.name).text("` before `").text(earlier.name);
        return message.text("`, or replace `untagged` by ").text(tagging(union));
    }
    let message = match resolve(earlier.schema).kind {
        Kind::String | Kind::Enum(_) if is_text(later.schema) => {
            message.text("write one variant with a `String` in place of the two")
        }
        Kind::Integer if matches!(resolve(later.schema).kind, Kind::Integer) => {
            message.text("write one variant with an integer in place of the two")
        }
        Kind::Integer | Kind::Number if is_number(later.schema) => {
            message.text("write one variant with an `f64` in place of the two")
        }
        Kind::Null | Kind::Boolean => message.text("write one variant in place of the two"),
        _ => return message.text("replace `untagged` by ").text(tagging(union)),
    };
    message.text(", or leave `untagged` out, so that each value stands under its variant's name")
}

const fn is_text(schema: SchemaRef) -> bool {
    matches!(resolve(schema).kind, Kind::String | Kind::Enum(_))
}

const fn is_number(schema: SchemaRef) -> bool {
    matches!(resolve(schema).kind, Kind::Integer | Kind::Number)
}

/// A tagging that every variant can have.
const fn tagging(union: Union) -> &'static str {
    let mut i = 0;
    while i < union.cases.len() {
        if alternatives(union.cases[i].schema) == 0 {
            return "`tag = \"…\", content = \"…\"`";
        }
        i += 1;
    }
    "`tag = \"…\"`"
}

/// Whether a value that satisfies `later` may deserialize as the type of `earlier`.
const fn takes(earlier: SchemaRef, later: SchemaRef, fuel: usize) -> bool {
    if fuel == 0 {
        return true;
    }
    let (e, l) = (resolve(earlier), resolve(later));
    match (e.kind, l.kind) {
        // Whatever the value is, it may be read without the string around it.
        (Kind::String, _) if same_text(e.rules.format, JSON_TEXT) => true,
        (Kind::Union(union), _) => {
            let mut i = 0;
            while i < union.cases.len() {
                let case = &union.cases[i];
                if takes(case.schema, later, fuel - 1) || (!case.aliases.is_empty() && is_key(case.aliases, later)) {
                    return true;
                }
                i += 1;
            }
            false
        }
        (_, Kind::Union(union)) => {
            let mut i = 0;
            while i < union.cases.len() {
                if takes(earlier, union.cases[i].schema, fuel - 1) {
                    return true;
                }
                i += 1;
            }
            false
        }
        (Kind::Nullable(inner), _) => accepts_null(later) || takes(inner, later, fuel - 1),
        (_, Kind::Nullable(inner)) => accepts_null(earlier) || takes(earlier, inner, fuel - 1),
        (Kind::Back, _)
        | (_, Kind::Back)
        | (Kind::Null, Kind::Null)
        | (Kind::Boolean, Kind::Boolean)
        | (Kind::Integer | Kind::Number, Kind::Integer | Kind::Number)
        | (Kind::String, Kind::String | Kind::Enum(_))
        | (Kind::Enum(_), Kind::String) => true,
        (Kind::Enum(a), Kind::Enum(b)) => share(a, b),
        (Kind::Array(a), Kind::Array(b)) => {
            // Lists of other lengths are told apart; so are elements, where there must be some.
            let (e, l) = (e.rules, l.rules);
            let apart = below(e.max_items, l.min_items) || below(l.max_items, e.min_items);
            let some = matches!(l.min_items, Some(least) if least > 0);
            !apart && (!some || takes(a, b, fuel - 1))
        }
        (Kind::Object(_), Kind::Object(_)) => objects(earlier, later, fuel),
        (Kind::Object(object), Kind::Array(items)) => list_as_struct(object, items, l, fuel),
        _ => false,
    }
}

const fn below(max: Option<u64>, min: Option<u64>) -> bool {
    matches!((max, min), (Some(max), Some(min)) if max < min)
}

const fn share(a: &[Unit], b: &[Unit]) -> bool {
    let mut i = 0;
    while i < a.len() {
        let mut j = 0;
        while j < b.len() {
            if matches!(a[i].unknown, Unknown::Other | Unknown::Ignored)
                || same_text(a[i].value, b[j].value)
                || is_among(b[j].value, a[i].aliases)
            {
                return true;
            }
            j += 1;
        }
        i += 1;
    }
    false
}

/// Whether the text is in the list.
pub(crate) const fn is_among(text: &str, list: &[&str]) -> bool {
    let mut i = 0;
    while i < list.len() {
        if same_text(text, list[i]) {
            return true;
        }
        i += 1;
    }
    false
}

/// Whether an object of the type may have one of these keys.
const fn is_key(names: &[&str], schema: SchemaRef) -> bool {
    let mut i = 0;
    while i < alternatives(schema) {
        let mut members = Members::of(resolve(schema), i);
        while let Some(member) = members.next() {
            if is_among(member.key.escaped(), names) {
                return true;
            }
        }
        i += 1;
    }
    false
}

/// Whether serde does not look at the member.
pub(crate) const fn ignored(field: &Field) -> bool {
    matches!(resolve(field.schema).kind, Kind::Enum([unit]) if matches!(unit.unknown, Unknown::Ignored))
}

/// Whether some alternative of `later` may be read as some alternative of `earlier`.
const fn objects(earlier: SchemaRef, later: SchemaRef, fuel: usize) -> bool {
    let mut i = 0;
    while i < alternatives(earlier) {
        let mut j = 0;
        while j < alternatives(later) {
            if object(earlier, i, later, j, fuel) {
                return true;
            }
            j += 1;
        }
        i += 1;
    }
    false
}

const fn object(earlier: SchemaRef, i: usize, later: SchemaRef, j: usize, fuel: usize) -> bool {
    let mut wanted = Members::of(resolve(earlier), i);
    while let Some(field) = wanted.next() {
        if ignored(field) {
            continue;
        }
        match member(later, j, field) {
            Some(theirs) if !takes(field.schema, theirs.schema, fuel - 1) => return false,
            None if !field.fills && !accepts_null(field.schema) => return false,
            _ => {}
        }
    }
    if let Kind::Object(object) = resolve(earlier).kind
        && object.denies_unknown
    {
        let mut given = Members::of(resolve(later), j);
        while let Some(field) = given.next() {
            if member(earlier, i, field).is_none() {
                return false;
            }
        }
    }
    true
}

/// The member of an alternative that serde would put into `field`.
const fn member(schema: SchemaRef, alternative: usize, field: &Field) -> Option<&'static Field> {
    let mut members = Members::of(resolve(schema), alternative);
    while let Some(found) = members.next() {
        if found.key.same(&field.key) {
            return Some(found);
        }
        if is_among(found.key.escaped(), field.aliases) {
            return Some(found);
        }
    }
    None
}

/// Whether serde may read a list into a struct, element by element; what the list is too short for may have a
/// default.
const fn list_as_struct(object: Object, items: SchemaRef, list: &Schema, fuel: usize) -> bool {
    // A struct with flattened fields is read from a map only.
    if object.flattens {
        return false;
    }
    let mut read = 0;
    let mut reads = true;
    let mut i = 0;
    while i < object.fields.len() {
        let field = &object.fields[i];
        i += 1;
        if ignored(field) {
            continue;
        }
        reads = reads
            && !matches!(list.rules.max_items, Some(most) if most <= read)
            && takes(field.schema, items, fuel - 1);
        if reads {
            read += 1;
        } else if !field.fills {
            return false;
        }
    }
    !matches!(list.rules.min_items, Some(least) if least > read)
}

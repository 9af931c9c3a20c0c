//! Rules that do not fit the type of the field that they stand on, or that no value satisfies.

use super::edge::SchemaRef;
use super::message::Message;
use super::node::Kind;
use super::rules::{Bound, Rules, fewer, higher, lower, more};
use super::shape::resolve;
use super::survey::same_text;

/// What a rule can be about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    Numbers,
    Text,
    Lists,
    Else(&'static str),
}

const fn about(schema: SchemaRef) -> About {
    let mut node = resolve(schema);
    while let Kind::Nullable(inner) = node.kind {
        node = resolve(inner);
    }
    match node.kind {
        Kind::Integer | Kind::Number => About::Numbers,
        Kind::String => About::Text,
        Kind::Array(_) => About::Lists,
        Kind::Boolean => About::Else("a boolean"),
        Kind::Enum(_) => About::Else("an enum, whose values are listed already"),
        Kind::Object(_) => About::Else("an object; put the rule on the field inside it"),
        Kind::Union(_) => About::Else("a choice of several forms; put the rule on the field inside it"),
        _ => About::Else("`null`"),
    }
}

/// Why rules do not fit the type of the field that they stand on.
pub(crate) const fn problem(schema: SchemaRef, rules: &Rules) -> Option<Message> {
    let about = about(schema);
    if rules.speaks_of_numbers() && !matches!(about, About::Numbers) {
        return Some(unfit("`min`, `max` and `multiple_of` are for numbers", about));
    }
    if rules.speaks_of_text() && !matches!(about, About::Text) {
        return Some(unfit("`min_length`, `max_length`, `pattern` and `format` are for text", about));
    }
    if rules.speaks_of_lists() && !matches!(about, About::Lists) {
        return Some(unfit("`min_items` and `max_items` are for lists", about));
    }
    let own = inherent(schema);
    match about {
        About::Numbers => numbers(&own, rules),
        About::Text => texts(&own, rules),
        About::Lists => lists(&own, rules),
        About::Else(_) => None,
    }
}

/// Why no number satisfies the rules of the type and of the field.
const fn numbers(own: &Rules, rules: &Rules) -> Option<Message> {
    if let (Some(ours), Some(theirs)) = (&rules.multiple_of, &own.multiple_of)
        && !ours.is_multiple(theirs)
        && !theirs.is_multiple(ours)
    {
        return Some(
            Message::new("the field's type is a multiple of ")
                .text(theirs.text)
                .text(" already, and a schema has room for one `multiple_of`; give one that is a multiple of it"),
        );
    }
    let (least, most) = (higher(own.minimum, rules.minimum), lower(own.maximum, rules.maximum));
    if let Some((low, high)) = crossed(least, most, false) {
        return Some(empty(low, " or more and ", high, " or less"));
    }
    let above = higher(own.exclusive_minimum, rules.exclusive_minimum);
    if let Some((low, high)) = crossed(above, most, true) {
        return Some(empty(low, " exclusive and ", high, " or less"));
    }
    let below = lower(own.exclusive_maximum, rules.exclusive_maximum);
    if let Some((low, high)) = crossed(least, below, true) {
        return Some(empty(low, " or more and less than ", high, ""));
    }
    if let Some((low, high)) = crossed(above, below, true) {
        return Some(empty(low, " exclusive and less than ", high, ""));
    }
    None
}

/// Why no text satisfies the rules of the type and of the field, or why a schema has no room for both.
const fn texts(own: &Rules, rules: &Rules) -> Option<Message> {
    if !rules.pattern.is_empty() && !own.pattern.is_empty() && !same_text(rules.pattern, own.pattern) {
        return Some(
            Message::new("the field's type has the pattern ")
                .text(own.pattern)
                .text(" already, and a schema has room for one; leave `pattern` out, or use a `String`"),
        );
    }
    if !rules.format.is_empty() && !own.format.is_empty() && !same_text(rules.format, own.format) {
        return Some(
            Message::new("the field's type has the format `")
                .text(own.format)
                .text("` already, and a schema has room for one; leave `format` out, or use a `String`"),
        );
    }
    match (more(own.min_length, rules.min_length), fewer(own.max_length, rules.max_length)) {
        (Some(low), Some(high)) if low > high => {
            Some(Message::new("no text is both at least as long as `min_length` and at most as long as `max_length`"))
        }
        _ => None,
    }
}

/// Why no list satisfies the rules of the type and of the field.
const fn lists(own: &Rules, rules: &Rules) -> Option<Message> {
    match (more(own.min_items, rules.min_items), fewer(own.max_items, rules.max_items)) {
        (Some(low), Some(high)) if low > high => Some(Message::new(
            "no list has at least `min_items` and at most `max_items` elements, the length of its type included",
        )),
        _ => None,
    }
}

const fn unfit(rule: &str, about: About) -> Message {
    let message = Message::new(rule).text(", but this field is ");
    match about {
        About::Numbers => message.text("a number; use `min` and `max`"),
        About::Text => message.text("text; use `min_length` and `max_length`"),
        About::Lists => {
            message.text("a list; use `min_items` and `max_items`, or put the rule on a newtype of its elements")
        }
        About::Else(what) => message.text(what),
    }
}

/// The rules that the type brings itself.
const fn inherent(schema: SchemaRef) -> Rules {
    let mut node = schema.get();
    let mut rules = *node.rules;
    while let Kind::Nullable(inner) | Kind::Transparent(inner) = node.kind {
        node = inner.get();
        rules = rules.and(node.rules);
    }
    rules
}

const fn crossed(low: Option<Bound>, high: Option<Bound>, or_equal: bool) -> Option<(Bound, Bound)> {
    match (low, high) {
        (Some(low), Some(high)) if high.less(&low) || (or_equal && !low.less(&high)) => Some((low, high)),
        _ => None,
    }
}

const fn empty(low: Bound, and: &str, high: Bound, end: &str) -> Message {
    Message::new("no number is ")
        .text(low.text)
        .text(and)
        .text(high.text)
        .text(end)
        .text("; the bounds of the field's type count too")
}

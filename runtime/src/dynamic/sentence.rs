//! Rules in plain English, for the end of a description. The words are those of the renderer of
//! compile-time schemas.

use serde_json::{Map, Number, Value};

use super::facts::Sizes;

/// Bounds, in the order of their keywords.
pub(super) fn bounds(told: &[(&str, &Number)]) -> Vec<String> {
    if let [("minimum", low), ("maximum", high), rest @ ..] = told {
        let both = format!("Must be between {low} and {high}.");
        return [both].into_iter().chain(bounds(rest)).collect();
    }
    let words = |keyword| match keyword {
        "minimum" => "at least",
        "maximum" => "at most",
        "exclusiveMinimum" => "more than",
        "exclusiveMaximum" => "less than",
        _ => "a multiple of",
    };
    told.iter().map(|(keyword, bound)| format!("Must be {} {bound}.", words(keyword))).collect()
}

pub(super) fn sizes(sizes: Sizes, what: &str) -> Option<String> {
    let plural = |size: u64| if size == 1 { "" } else { "s" };
    Some(match (sizes.least, sizes.most) {
        (Some(least), Some(most)) if least == most => format!("Must have exactly {most} {what}{}.", plural(most)),
        (Some(least), Some(most)) => format!("Must have between {least} and {most} {what}{}.", plural(most)),
        (Some(least), None) => format!("Must have at least {least} {what}{}.", plural(least)),
        (None, Some(most)) => format!("Must have at most {most} {what}{}.", plural(most)),
        (None, None) => return None,
    })
}

pub(super) fn pattern(pattern: &str) -> String {
    format!("Must match the regular expression {pattern} .")
}

pub(super) fn format(format: &str) -> String {
    format!("Must be in the format {format}.")
}

pub(super) fn one_of(values: &[&Value]) -> String {
    let values: Vec<_> = values.iter().map(|value| format!("`{value}`")).collect();
    match values.as_slice() {
        [one] => format!("Must be {one}."),
        _ => format!("Must be one of {}.", values.join(", ")),
    }
}

/// A keyword that is seldom used; `schema` is the object that it stands in.
pub(super) fn other(keyword: &str, value: &Value, schema: &Map<String, Value>) -> String {
    let beside = |keyword: &str| schema.get(keyword);
    match keyword {
        "uniqueItems" => "Must not have an element twice.".to_owned(),
        "contains" => format!("Must have an element that satisfies the JSON Schema {value}."),
        "minContains" => format!("Must have at least {value} of them."),
        "maxContains" => format!("Must have at most {value} of them."),
        "propertyNames" => format!("The names of its members must satisfy the JSON Schema {value}."),
        "dependentRequired" => format!("A member must come with those that this lists for it: {value}."),
        "not" => format!("Must not satisfy the JSON Schema {value}."),
        "if" => {
            let follows = match (beside("then"), beside("else")) {
                (Some(then), Some(other)) => format!("it must satisfy {then}, and else {other}"),
                (Some(then), None) => format!("it must satisfy {then}"),
                (None, other) => {
                    format!("nothing follows; else it must satisfy {}", other.unwrap_or(&Value::Bool(true)))
                }
            };
            format!("If it satisfies the JSON Schema {value}, {follows}.")
        }
        // Said by `if`.
        "then" | "else" => String::new(),
        "contentEncoding" => format!("Must be encoded as {}.", plain(value)),
        "contentMediaType" => format!("Must be of the media type {}.", plain(value)),
        "contentSchema" => format!("What is encoded must satisfy the JSON Schema {value}."),
        _ => format!("Must satisfy the JSON Schema {{\"{keyword}\":{value}}}."),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

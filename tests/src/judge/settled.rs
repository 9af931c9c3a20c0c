//! JSON as values of Rust are compared by.

use serde_json::Value;

/// JSON with every list in one order and without repetitions, as for maps and sets.
///
/// What is not JSON is null.
#[must_use]
pub fn sorted(text: &str) -> Value {
    let mut value = serde_json::from_str(text).unwrap_or_default();
    settle(&mut value, &|_| {});
    value
}

/// As [`sorted`], with every number in one notation and as exact as an `f32`.
#[must_use]
pub fn settled(text: &str) -> Value {
    let mut value = serde_json::from_str(text).unwrap_or_default();
    settle(&mut value, &|number| {
        if let Some(float) = number.as_f64().filter(|_| number.is_f64()) {
            #[allow(clippy::cast_possible_truncation)] // as documented
            let float = f64::from(float as f32);
            *number = if float.fract() == 0.0 && float.abs() < 1e6 {
                #[allow(clippy::cast_possible_truncation)] // it is whole, and in range
                Value::from(float as i64)
            } else {
                Value::from(float.to_string())
            };
        }
    });
    value
}

fn settle(value: &mut Value, number: &impl Fn(&mut Value)) {
    match value {
        Value::Array(items) => {
            for item in items.iter_mut() {
                settle(item, number);
            }
            items.sort_by_key(Value::to_string);
            items.dedup();
        }
        Value::Object(members) => members.values_mut().for_each(|member| settle(member, number)),
        Value::Number(_) => number(value),
        _ => {}
    }
}

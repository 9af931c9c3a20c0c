//! Random values of a JSON Schema that is known at run time only.
//!
//! The walk makes a guess at each place, from the keywords that say what a value is. What it does not
//! read (`not`, conditions, counts of keys) may make a guess wrong, so each one is asked of the decoder,
//! and drawn again while it does not pass: the reply is valid, or there is none.

use serde_json::{Map, Number, Value, json};

use super::format;
use super::pattern::Pattern;
use super::random::Random;
use crate::decode::Decoder;

/// How often a value is drawn before the schema is taken to be out of reach.
const TRIES: usize = 60;
/// How deep a value goes before the walk takes the shortest way to an end.
const DEEP: usize = 6;
/// What free text is made of.
const LETTERS: &[char] = &['a', 'e', 'n', 'r', 's', 't', ' ', 'é', '"', '\\', '7'];
/// How deep it goes at all.
const DEEPEST: usize = 64;

/// A value that the schema takes.
///
/// # Errors
///
/// Why none was found.
pub(super) fn value(schema: &Value, random: &mut Random) -> Result<Value, String> {
    let mut why = String::new();
    for _ in 0..TRIES {
        match (Walk { document: schema, random }).value(schema, 0) {
            Ok(value) => match Decoder::new().decode_value(&value.to_string(), schema) {
                Ok(decoded) if decoded.repairs.is_empty() => return Ok(value),
                Ok(_) => "a guess did not fit as it stood".clone_into(&mut why),
                Err(error) => why = error.to_string(),
            },
            Err(fault) => why = fault,
        }
    }
    Err(why)
}

struct Walk<'a> {
    document: &'a Value,
    random: &'a mut Random,
}

impl<'a> Walk<'a> {
    fn value(&mut self, schema: &'a Value, depth: usize) -> Result<Value, String> {
        if depth > DEEPEST {
            return Err("every value would contain another one".to_owned());
        }
        let map = match schema {
            Value::Object(map) => map,
            Value::Bool(false) => return Err("`false` takes no value".to_owned()),
            _ => return Ok(self.anything()),
        };
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            let target = reference.strip_prefix('#').and_then(|pointer| self.document.pointer(pointer));
            let target = target.ok_or_else(|| format!("`{reference}` leads nowhere in the schema"))?;
            return self.value(target, depth + 1);
        }
        if let Some(value) = map.get("const") {
            return Ok(value.clone());
        }
        if let Some(values) = list(map, "enum") {
            return if values.is_empty() {
                Err("an empty `enum`".to_owned())
            } else {
                Ok(self.random.pick(values).clone())
            };
        }
        if let Some(cases) = list(map, "anyOf").or_else(|| list(map, "oneOf")) {
            return self.one_of(cases, depth);
        }
        let kind = self.kind(map, depth);
        let mut value = self.of_kind(kind, map, depth)?;
        for part in list(map, "allOf").into_iter().flatten() {
            let more = self.value(part, depth + 1)?;
            match (&mut value, more) {
                (Value::Object(members), Value::Object(more)) => members.extend(more),
                (_, more) => value = more,
            }
        }
        Ok(value)
    }

    /// A value of one case; deep down, of the first that has one.
    fn one_of(&mut self, cases: &'a [Value], depth: usize) -> Result<Value, String> {
        if cases.is_empty() {
            return Err("a choice of nothing".to_owned());
        }
        if depth <= DEEP {
            let case = self.random.pick(cases);
            return self.value(case, depth + 1);
        }
        // Scalars come before what nests: a recursive schema needs an end.
        let nests = |case: &&Value| case.get("$ref").is_some() || case.get("properties").is_some();
        let flat = cases.iter().find(|case| !nests(case)).unwrap_or(&cases[0]);
        self.value(flat, depth + 1)
    }

    fn kind(&mut self, map: &'a Map<String, Value>, depth: usize) -> &'a str {
        match map.get("type") {
            Some(Value::String(kind)) => kind,
            Some(Value::Array(kinds)) => {
                let kinds: Vec<_> = kinds.iter().filter_map(Value::as_str).collect();
                match kinds.iter().find(|kind| depth > DEEP && !matches!(**kind, "object" | "array")) {
                    Some(flat) => flat,
                    None if kinds.is_empty() => "null",
                    None => self.random.pick::<&str>(&kinds),
                }
            }
            _ if map.contains_key("items") => "array",
            _ => "object",
        }
    }

    fn of_kind(&mut self, kind: &str, map: &'a Map<String, Value>, depth: usize) -> Result<Value, String> {
        Ok(match kind {
            "null" => Value::Null,
            "boolean" => Value::Bool(self.random.once_in(2)),
            "integer" => self.integer(map)?,
            "number" => self.number(map),
            "string" => Value::String(self.text(map)?),
            "array" => self.items(map, depth)?,
            "object" => self.members(map, depth)?,
            other => return Err(format!("`{other}` is no type")),
        })
    }

    fn members(&mut self, map: &'a Map<String, Value>, depth: usize) -> Result<Value, String> {
        let required: Vec<_> = list(map, "required").into_iter().flatten().filter_map(Value::as_str).collect();
        let mut members = Map::new();
        for (key, schema) in map.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let needed = required.contains(&key.as_str());
            if needed || (depth <= DEEP && self.random.once_in(2)) {
                members.insert(key.clone(), self.value(schema, depth + 1)?);
            }
        }
        for key in required {
            if !members.contains_key(key) {
                members.insert(key.to_owned(), self.anything());
            }
        }
        Ok(Value::Object(members))
    }

    fn items(&mut self, map: &'a Map<String, Value>, depth: usize) -> Result<Value, String> {
        let mut items = Vec::new();
        for schema in list(map, "prefixItems").into_iter().flatten() {
            items.push(self.value(schema, depth + 1)?);
        }
        let least = whole(map, "minItems").unwrap_or(0).max(0);
        let most = whole(map, "maxItems").unwrap_or(least + 3).max(least);
        let wanted = if depth > DEEP { least } else { self.random.between(least, most.min(least + 3)) };
        let schema = map.get("items").unwrap_or(&Value::Bool(true));
        while (items.len() as i128) < wanted {
            items.push(self.value(schema, depth + 1)?);
        }
        Ok(Value::Array(items))
    }

    fn integer(&mut self, map: &Map<String, Value>) -> Result<Value, String> {
        let low = whole(map, "minimum").max(whole(map, "exclusiveMinimum").map(|bound| bound + 1));
        let high = whole(map, "maximum").into_iter().chain(whole(map, "exclusiveMaximum").map(|bound| bound - 1)).min();
        let low = low.unwrap_or_else(|| high.map_or(-100, |high| high - 200));
        let high = high.unwrap_or(low + 1000);
        let step = whole(map, "multipleOf").filter(|step| *step > 0).unwrap_or(1);
        let (first, last) = (low.div_euclid(step) + i128::from(low.rem_euclid(step) != 0), high.div_euclid(step));
        if first > last {
            return Err(format!("no whole number lies from {low} to {high}"));
        }
        let number = step * self.random.between(first, last);
        i64::try_from(number)
            .map(|number| json!(number))
            .or_else(|_| u64::try_from(number).map(|number| json!(number)))
            .map_err(|_| format!("{number} is no number of 64 bits"))
    }

    #[allow(clippy::cast_precision_loss)]
    fn number(&mut self, map: &Map<String, Value>) -> Value {
        let bound = |key: &str| map.get(key).and_then(Value::as_f64);
        let low = bound("minimum").or_else(|| bound("exclusiveMinimum"));
        let high = bound("maximum").or_else(|| bound("exclusiveMaximum"));
        let low = low.unwrap_or_else(|| high.map_or(-100.0, |high| high - 200.0));
        let high = high.unwrap_or(low + 1000.0);
        // Never quite at either end, for the ends may be excluded.
        let part = (self.random.between(1, 999) as f64) / 1000.0;
        let mut number = low + (high - low) * part;
        if let Some(step) = bound("multipleOf").filter(|step| *step > 0.0) {
            number = (number / step).round() * step;
        }
        Number::from_f64(number).map_or(Value::Null, Value::Number)
    }

    fn text(&mut self, map: &Map<String, Value>) -> Result<String, String> {
        if let Some(source) = map.get("pattern").and_then(Value::as_str) {
            let pattern = Pattern::parse(source).ok_or_else(|| format!("the pattern `{source}` cannot be read"))?;
            return Ok(pattern.text(8, self.random));
        }
        if let Some(name) = map.get("format").and_then(Value::as_str)
            && let Some(text) = format::text(name, self.random)
        {
            return Ok(text);
        }
        let least = whole(map, "minLength").unwrap_or(0).max(0);
        let most = whole(map, "maxLength").unwrap_or(least + 20).max(least);
        let length = self.random.between(least, most.min(least + 20));
        Ok((0..length).map(|_| *self.random.pick(LETTERS)).collect())
    }

    fn anything(&mut self) -> Value {
        self.random.pick(&[json!("some text"), json!(7), json!(true)]).clone()
    }
}

fn list<'v>(map: &'v Map<String, Value>, key: &str) -> Option<&'v [Value]> {
    map.get(key).and_then(Value::as_array).map(Vec::as_slice)
}

/// A bound as a whole number.
#[allow(clippy::cast_possible_truncation)]
fn whole(map: &Map<String, Value>, key: &str) -> Option<i128> {
    let number = map.get(key)?;
    number
        .as_i64()
        .map(i128::from)
        .or_else(|| number.as_u64().map(i128::from))
        .or_else(|| number.as_f64().map(|number| number as i128))
}

//! A look that settles most types: small ones, whose limits are all out of reach.
//!
//! Every derived type is held to a provider's limits where it is defined, and the tables and walks for that are most of what
//! the derive costs the compiler. A type that is small even with everything below it written out, each shared type as
//! often as it is used, has no limit to fear and, since writing it out came to an end, does not contain itself.

use super::edge::SchemaRef;
use super::node::{Kind, Schema};
use crate::dialect::{Dialect, Keys};

/// How many bytes of names and values a small type has, a member counted with the marks around its key.
const SMALL: usize = 2000;

/// How deep a small type is, wrappers counted as levels.
const SHALLOW: usize = 12;

/// Whether it is certain that the dialect takes the type with `levels` objects around it, wherever it is used.
pub(crate) const fn settles(schema: SchemaRef, levels: usize, dialect: &Dialect) -> bool {
    let limits = &dialect.limits;
    // Twice, for a definition's name may have a number behind it.
    let roomy = limits.names >= 2 * SMALL
        && limits.properties >= SMALL
        && limits.enum_values >= SMALL / 2
        && limits.enum_text >= SMALL
        && limits.unions >= SMALL;
    if !roomy || matches!(dialect.forms.keys, Keys::Unescaped) || levels >= limits.depth {
        return false;
    }
    let spare = limits.depth - levels;
    rest(schema.get(), SMALL, if spare < SHALLOW { spare } else { SHALLOW }) > 0
}

/// What is left of `bytes` once the type is written out; nothing for one that goes deeper than `levels`, or that a look
/// does not settle.
const fn rest(node: &Schema, mut bytes: usize, levels: usize) -> usize {
    if levels == 0 || bytes == 0 {
        return 0;
    }
    if node.named {
        // A generic type is checked where it is used, and has its arguments in its name.
        if !node.checked || !matches!(node.args, []) {
            return 0;
        }
        bytes = less(bytes, node.name);
    }
    match node.kind {
        Kind::Null | Kind::Boolean | Kind::Integer | Kind::Number | Kind::String => bytes,
        Kind::Enum(units) => {
            let mut i = 0;
            while i < units.len() {
                bytes = less(bytes, units[i].value);
                i += 1;
            }
            bytes
        }
        Kind::Array(inner) | Kind::Nullable(inner) | Kind::Transparent(inner) => rest(inner.get(), bytes, levels - 1),
        Kind::Object(object) => {
            let mut i = 0;
            while i < object.fields.len() {
                let field = &object.fields[i];
                let left = less(bytes, field.key.lead);
                // Some take no empty key.
                if bytes - left <= r#""":"#.len() {
                    return 0;
                }
                let value = field.schema.get();
                // A flattened choice has the object written out once for each of its cases.
                if field.flatten && !matches!(value.kind, Kind::Object(_)) {
                    return 0;
                }
                bytes = rest(value, left, levels - 1);
                i += 1;
            }
            bytes
        }
        Kind::Union(union) => {
            let mut i = 0;
            while i < union.cases.len() {
                bytes = rest(union.cases[i].schema.get(), bytes, levels - 1);
                i += 1;
            }
            bytes
        }
        Kind::Back => 0,
    }
}

/// `bytes` without those of a text, quotes or marks included.
const fn less(bytes: usize, text: &str) -> usize {
    bytes.saturating_sub(text.len())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::{SHALLOW, settles};
    use crate::dialect::Dialect;
    use crate::schema::edge::SchemaRef;
    use crate::schema::limits::{through_by_survey, whole_by_survey};
    use crate::schema::message::Message;
    use crate::schema::node::{Case, Field, Kind, Schema, Tagging, Unit};

    const TEXT: SchemaRef = SchemaRef::new(&Schema::plain("String", Kind::String));

    fn leak<T>(value: T) -> &'static T {
        Box::leak(Box::new(value))
    }

    fn named(kind: Kind) -> SchemaRef {
        static PLACE: AtomicU64 = AtomicU64::new(8);
        let place = PLACE.fetch_add(1, Ordering::Relaxed).into();
        SchemaRef::new(leak(Schema::derived("Tried", place, "tests", kind)))
    }

    fn object(keys: usize, lead: &'static str, value: SchemaRef) -> SchemaRef {
        named(Kind::object(vec![Field::new(lead, 1, value); keys].leak()))
    }

    /// What a look settles, the walks have nothing to say about; gives whether it does.
    fn settled(schema: SchemaRef) -> bool {
        let mut any = false;
        for dialect in Dialect::ALL {
            for levels in 0..12 {
                if settles(schema, levels, dialect) {
                    any = true;
                    let problem = whole_by_survey(schema, dialect).or(through_by_survey(schema, levels, "", dialect));
                    let problem = problem.as_ref().map(Message::as_str);
                    assert_eq!(problem, None, "{} at {levels}", dialect.name);
                }
            }
        }
        any
    }

    #[test]
    fn what_a_look_settles_has_no_fault() {
        for keys in [0, 1, 10, 100, 480, 500, 520, 1000, 5000, 5001] {
            assert_eq!(settled(object(keys, "\"k\":", TEXT)), keys < 500, "{keys} members");
            assert_eq!(settled(object(keys, "\"\":", TEXT)), keys == 0, "{keys} members without a name");
        }
        for values in [0, 1, 10, 600, 700, 1000, 1001] {
            let schema = named(Kind::Enum(vec![Unit::new("\"v\""); values].leak()));
            assert_eq!(settled(schema), values < 700, "{values} values");
        }
        let mut nest = TEXT;
        for levels in 1..14 {
            nest = object(1, "\"k\":", nest);
            assert_eq!(settled(nest), levels < SHALLOW, "{levels} levels");
        }
        let case = Case::new("A", object(1, "\"k\":", TEXT));
        assert!(settled(named(Kind::union(Tagging::External, leak([case; 3])))));
    }

    #[test]
    fn a_type_without_end_is_not_settled() {
        static ITSELF: Schema = Schema::derived("Itself", 7, "tests", Kind::object(&[FIELD]));
        const FIELD: Field = Field::new("\"next\":", 1, SchemaRef::new(&ITSELF));
        assert!(!settled(SchemaRef::new(&ITSELF)));
        assert!(whole_by_survey(SchemaRef::new(&ITSELF), &Dialect::OPENAI).is_some());
    }

    #[test]
    fn what_has_to_be_looked_at_closely_is() {
        let generic = Schema::derived("Generic", 7, "tests", Kind::Null).generic(&[]);
        assert!(!settled(SchemaRef::new(leak(generic))));
        let choice = SchemaRef::new(leak(Schema::plain("Option", Kind::Nullable(object(1, "\"k\":", TEXT)))));
        let flattens = Field { flatten: true, ..Field::new("\"more\":", 1, choice) };
        assert!(!settled(named(Kind::object(leak([flattens])))));
    }
}

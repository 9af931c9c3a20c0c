//! What no strict schema can say, whoever the provider: rules that do not fit, things that cannot be
//! flattened, keys that collide, variants that serde cannot tell apart.
//!
//! The derive asks for each fault of a type without type parameters where it can underline it (see
//! [`assert`](crate::assert)); for a generic type [`own`] asks for all of them where it is used.

use super::edge::SchemaRef;
use super::message::Message;
use super::node::{Field, Kind, Schema, Tagging, Union};
use super::shape::{FLATTEN_LEVELS, Members, alternatives_of, flattened_alternatives, resolve};
use super::{fit, overlap};

/// Any fault of the type's own, not of the named types in it.
pub(crate) const fn own(node: &'static Schema) -> Option<Message> {
    match node.kind {
        Kind::Object(object) => members(node, object.fields),
        Kind::Transparent(inner) if node.ruled => match fit::problem(inner, node.rules) {
            Some(problem) => Some(Message::new("in `").name(node).text("`: ").text(problem.as_str())),
            None => None,
        },
        Kind::Union(union) => {
            let mut i = 0;
            while i < union.cases.len() {
                let case = union.cases[i].schema.get();
                if !case.named
                    && let Some(problem) = own(case)
                {
                    return Some(problem);
                }
                if let Tagging::Untagged = union.tagging
                    && let Some(problem) = overlap::with_earlier(node, i)
                {
                    return Some(problem);
                }
                i += 1;
            }
            None
        }
        _ => None,
    }
}

const fn members(node: &'static Schema, fields: &'static [Field]) -> Option<Message> {
    let mut i = 0;
    while i < fields.len() {
        let field = &fields[i];
        let problem = if field.flatten {
            flatten(node, i)
        } else if field.ruled {
            fit::problem(field.schema, field.rules)
        } else {
            None
        };
        if let Some(problem) = problem {
            // Said where the type is used, so it has to say which field this is.
            let place = Message::new("in `").name(node).text("`, at `").text(field.key.escaped()).text("`: ");
            return Some(place.text(problem.as_str()));
        }
        i += 1;
    }
    None
}

/// Why the `i`-th field of an object cannot be flattened into it.
pub(crate) const fn flatten(node: &'static Schema, i: usize) -> Option<Message> {
    let Kind::Object(object) = node.kind else { return None };
    let field = &object.fields[i];
    if flattened_alternatives(field.schema) == 0 {
        if flattens_on(field.schema, FLATTEN_LEVELS) {
            return Some(flattened_for_ever(field.schema.get()));
        }
        return Some(
            Message::new(
                "only a struct, an `Option` of one, or an enum whose every variant is an object can be flattened; `",
            )
            .name(field.schema.get())
            .text("` is none of these, so leave `flatten` out, or wrap it in a struct with a named field"),
        );
    }
    // What a generic type brings is checked where it is used, and flattening is a use.
    let inner = resolve(field.schema);
    if !inner.checked
        && let Some(problem) = own(inner)
    {
        return Some(problem);
    }
    let mut j = 0;
    while j < i {
        if object.fields[j].flatten
            && flattened_alternatives(object.fields[j].schema) > 1
            && flattened_alternatives(field.schema) > 1
        {
            return Some(
                Message::new("`").text(object.fields[j].key.escaped()).text("` and `").text(field.key.escaped()).text(
                    "` are both flattened choices, and their combinations would multiply; flatten one of them at most",
                ),
            );
        }
        j += 1;
    }
    let strict = refuses_others(field.schema, FLATTEN_LEVELS);
    // Against the members before it, and the plain ones behind it.
    let mut k = 0;
    while k < object.fields.len() {
        let other = &object.fields[k];
        let problem = if strict && let Some(tag) = unread(other) {
            Some(shown(field, "the tag `", tag, "leave out the tag of the struct"))
        } else if other.flatten && k < i {
            if refuses_others(other.schema, FLATTEN_LEVELS) {
                Some(shown(other, "the keys of `", field, "flatten it last"))
            } else {
                collision(field, other)
            }
        } else if !other.flatten {
            contains(field, Place { outer: None, field: other })
        } else {
            None
        };
        if problem.is_some() {
            return problem;
        }
        k += 1;
    }
    None
}

pub(crate) const fn flattened_for_ever(node: &Schema) -> Message {
    Message::new("`")
        .name(node)
        .text("` flattens itself in turn, so the keys of this object would have no end; leave `flatten` out")
}

/// Whether flattening what a schema has to flatten goes on past all levels.
pub(crate) const fn flattens_on(schema: SchemaRef, fuel: usize) -> bool {
    if fuel == 0 {
        return true;
    }
    match resolve(schema).kind {
        Kind::Nullable(inner) => flattens_on(inner, fuel - 1),
        Kind::Object(object) if object.flattens => {
            let mut i = 0;
            while i < object.fields.len() {
                if object.fields[i].flatten && flattens_on(object.fields[i].schema, fuel - 1) {
                    return true;
                }
                i += 1;
            }
            false
        }
        Kind::Union(union) => {
            let mut i = 0;
            while i < union.cases.len() {
                if flattens_on(union.cases[i].schema, fuel - 1) {
                    return true;
                }
                i += 1;
            }
            false
        }
        _ => false,
    }
}

/// Whether a flattened value refuses keys that are not its own. serde shows a struct its own keys only, but an
/// enum that has to look for its variant sees all that no field before it has taken.
const fn refuses_others(schema: SchemaRef, fuel: usize) -> bool {
    match resolve(schema).kind {
        Kind::Nullable(inner) => fuel > 0 && refuses_others(inner, fuel - 1),
        Kind::Union(Union { tagging: Tagging::Internal { .. } | Tagging::Untagged, cases }) => {
            let mut i = 0;
            while i < cases.len() {
                if denies_unknown(cases[i].schema, fuel) {
                    return true;
                }
                i += 1;
            }
            false
        }
        _ => false,
    }
}

/// That a flattened enum refuses what serde shows it.
const fn shown(enumeration: &Field, what: &str, other: &Field, remedy: &str) -> Message {
    Message::new("`")
        .text(enumeration.key.escaped())
        .text("` has `deny_unknown_fields`, and serde shows it ")
        .text(what)
        .text(other.key.escaped())
        .text("` too; ")
        .text(remedy)
        .text(", or leave `deny_unknown_fields` out")
}

/// The tag of a struct among what a field brings: no one reads it, so whoever looks for more finds it.
const fn unread(field: &'static Field) -> Option<&'static Field> {
    if !field.flatten {
        return if overlap::ignored(field) { Some(field) } else { None };
    }
    let node = resolve(field.schema);
    let all = flattened_alternatives(field.schema);
    let mut k = 0;
    while k < all {
        let mut members = Members::of(node, k);
        while let Some(member) = members.next() {
            if overlap::ignored(member) {
                return Some(member);
            }
        }
        k += 1;
    }
    None
}

const fn denies_unknown(schema: SchemaRef, fuel: usize) -> bool {
    let node = resolve(schema);
    let Kind::Object(object) = node.kind else { return fuel > 0 && refuses_others(schema, fuel - 1) };
    if object.denies_unknown || !object.flattens || fuel == 0 {
        return object.denies_unknown;
    }
    // The payload of an internally tagged newtype variant stands here as a flattened field.
    let mut i = 0;
    while i < object.fields.len() {
        if object.fields[i].flatten && denies_unknown(object.fields[i].schema, fuel - 1) {
            return true;
        }
        i += 1;
    }
    false
}

/// A member, and the flattened fields that lead to it.
#[derive(Clone, Copy)]
struct Place<'a> {
    outer: Option<(&'static Field, &'a Members)>,
    field: &'static Field,
}

impl Place<'_> {
    /// `outer.inner.key`
    const fn write(self, mut message: Message) -> Message {
        if let Some((outer, inner)) = self.outer {
            message = inner.write_path(message.text(outer.key.escaped()).text("."));
        }
        message.text(self.field.key.escaped())
    }
}

/// A member that both flattened fields bring.
const fn collision(later: &'static Field, earlier: &'static Field) -> Option<Message> {
    let node = resolve(earlier.schema);
    let all = flattened_alternatives(earlier.schema);
    let mut k = 0;
    while k < all {
        let mut members = Members::of(node, k);
        while let Some(field) = members.next() {
            let found = contains(later, Place { outer: Some((earlier, &members)), field });
            if found.is_some() {
                return found;
            }
        }
        k += 1;
    }
    None
}

/// A member of a flattened field whose key serde would give to another member, which it asks first.
const fn contains(flattened: &'static Field, first: Place<'_>) -> Option<Message> {
    let node = resolve(flattened.schema);
    let all = flattened_alternatives(flattened.schema);
    let mut k = 0;
    while k < all {
        let mut members = Members::of(node, k);
        while let Some(field) = members.next() {
            let key = &field.key;
            let second = Place { outer: Some((flattened, &members)), field };
            if key.same(&first.field.key) {
                let message =
                    Message::new("the key `").text(key.escaped()).text("` would stand twice in this object: as `");
                let message = first.write(message).text("` and as `");
                return Some(second.write(message).text("`; rename one of them with `#[serde(rename = \"…\")]`"));
            }
            if overlap::is_among(key.escaped(), first.field.aliases) {
                let message = Message::new("the alias `").text(key.escaped()).text("` of `");
                let message = first.write(message).text("` is the key of `");
                return Some(second.write(message).text("`, which serde would then never read; leave out the alias"));
            }
        }
        k += 1;
    }
    None
}

/// Why the payload of an internally tagged newtype variant cannot stand beside its tag.
pub(crate) const fn payload(node: &'static Schema, case: usize) -> Option<Message> {
    let Kind::Union(union) = node.kind else { return None };
    let object = union.cases[case].schema.get();
    let Kind::Object(fields) = object.kind else { return None };
    let mut i = 0;
    while i < fields.fields.len() {
        let field = &fields.fields[i];
        if field.flatten {
            if alternatives_of(resolve(field.schema)) == 0 {
                return Some(Message::new("the tag of `").text(union.cases[case].name).text(
                    "` stands inside the object of its payload, so the payload must be a struct or an enum whose every variant is an object; \
                     write a struct variant, or give the enum `content = \"…\"` beside `tag`",
                ));
            }
            return flatten(object, i);
        }
        i += 1;
    }
    None
}

//! Rules that need more than one attribute, or the whole type.
//!
//! Each `check_…` stands for one rule, with the reason why it is one. Faults that serde's own derive
//! reports are left to it, unless our expansion would be wrong without the rule.

use std::collections::HashMap;

use syn::LitStr;

use crate::attr::field::{Appears, Content, With};
use crate::faults::Faults;
use crate::model::{Container, Field, Shape, Style, Tagging, Variant};

/// Holds the whole type against every rule.
pub(crate) fn check(container: &Container<'_>, faults: &Faults) {
    check_dialects(container, faults);
    check_struct_tag(container, faults);
    check_denied_flatten(container, faults);
    for field in container.fields() {
        check_content(field.content(), faults);
        check_flatten(field, faults);
        check_appears(container, field, faults);
        check_recursive(container, field, faults);
    }
    match &container.shape {
        Shape::Struct(fields) => check_keys(fields, container.attrs.tag.as_ref(), faults),
        Shape::Enum(tagging, variants) => {
            check_variant_names(variants, faults);
            for variant in variants {
                check_variant(tagging, variant, faults);
            }
        }
        Shape::Tuple(fields) => check_element_rules(fields, faults),
        Shape::Stated(_) | Shape::Unit | Shape::Newtype(_) => {}
    }
}

/// A generic type has a schema only with its arguments, so there is nothing to hold against a dialect yet.
fn check_dialects(container: &Container<'_>, faults: &Faults) {
    if let (true, Some((literal, _))) = (container.is_generic(), container.attrs.dialects.first()) {
        let ident = &container.original.ident;
        faults.on(
            literal,
            format!(
                "`for` checks a type without parameters; check `{ident}` where its arguments are known: \
                 `const _: () = response_schema::verify::<{ident}<…>, response_schema::dialect::OpenAi>();`"
            ),
        );
    }
}

/// A deserializer of the user's own reads whatever it likes; and where the schema is another
/// type's, the Rust value need not be one that we can check.
fn check_content(content: &Content, faults: &Faults) {
    if let (Some(with @ With::Other(word, _)), None) = (&content.with, &content.schema_of) {
        let hint = with.resembles().map_or_else(String::new, |module| {
            format!(", or write `response_schema::{module}` in full if that is what is meant")
        });
        faults.at(
            *word,
            format!(
                "a deserializer of its own reads JSON that the schema cannot know; \
                 name a type of the same JSON form: `#[response(schema_of = \"Type\")]`{hint}"
            ),
        );
    }
    if (content.schema_of.is_some() || matches!(content.with, Some(With::Other(..))))
        && let Some(rule) = content.rules.first_key()
    {
        faults.at(
            rule,
            "a rule here would not be checked, for the value is not of the type that the schema is of; \
             write `validate = path` with a function that checks it",
        );
    }
    content.rules.check_contradictions(faults);
}

/// How a field fills in says something only where there is a partial form.
fn check_appears(container: &Container<'_>, field: &Field<'_>, faults: &Faults) {
    let Some(Appears::Done(word) | Appears::NotNull(word)) = field.attrs.appears else { return };
    if container.attrs.partial.is_none() {
        faults.at(word, "`stream` is about the partial form; ask for one with `#[response(partial)]` on the type");
    } else if field.attrs.flatten.is_some() {
        faults.at(
            word,
            "a flattened field has no value of its own that could appear; put `stream` on the fields in its type",
        );
    }
}

/// A flattened value has no value of its own that a rule could be about.
fn check_flatten(field: &Field<'_>, faults: &Faults) {
    let Some(word) = field.attrs.flatten else { return };
    if let Some(rule) = field.content().rules.first_key() {
        faults.at(rule, "a flattened field has no value of its own; put the rule on a field of the flattened type");
    }
    if matches!(field.content().with, Some(With::Entries | With::JsonText)) && field.content().schema_of.is_none() {
        faults
            .at(word, "only an object can be flattened, and this module carries a list or a string; remove `flatten`");
    }
}

/// Types without parameters lead back to themselves by address; only generic ones need help.
fn check_recursive(container: &Container<'_>, field: &Field<'_>, faults: &Faults) {
    let Some(recursive) = &field.attrs.recursive else { return };
    if !container.is_generic() {
        faults.at(
            recursive.key,
            "only generic types need `recursive`; a type without parameters may contain itself as it is",
        );
    } else if field.content().schema_of.is_some() {
        faults.at(recursive.key, "`recursive` and `schema_of` both say what the schema is; remove one");
    }
}

/// serde writes a struct's tag but does not read it, so with `deny_unknown_fields` it refuses its
/// own output.
fn check_struct_tag(container: &Container<'_>, faults: &Faults) {
    let (attrs, Some(tag)) = (&container.attrs, &container.attrs.tag) else { return };
    match &container.shape {
        Shape::Struct(_) => {
            if let Some(word) = attrs.denies_unknown {
                faults.at(
                    word,
                    "serde does not read the `tag` of a struct and `deny_unknown_fields` would refuse it; remove one",
                );
            }
        }
        Shape::Unit | Shape::Newtype(_) | Shape::Tuple(_) => {
            faults.on(tag, "`tag` needs an enum or a struct with named fields");
        }
        Shape::Stated(_) | Shape::Enum(..) => {}
    }
}

/// serde documents that the two do not work together: which of the inner keys count as unknown
/// depends on the flattened type.
fn check_denied_flatten(container: &Container<'_>, faults: &Faults) {
    if container.attrs.denies_unknown.is_none() {
        return;
    }
    for word in container.fields().iter().filter_map(|field| field.attrs.flatten) {
        faults.at(word, "serde does not support `flatten` together with `deny_unknown_fields`; remove one");
    }
}

/// Two fields under one key, or an alias that is another field's key: serde fills only one of them.
fn check_keys(fields: &[Field<'_>], tag: Option<&LitStr>, faults: &Faults) {
    let fields: Vec<_> = fields.iter().filter(|field| field.attrs.flatten.is_none()).collect();
    let mut first_of = HashMap::new();
    for (i, field) in fields.iter().enumerate() {
        if let Some(tag) = tag.filter(|tag| tag.value() == field.key) {
            faults
                .on(field.key_tokens(), format!("the key `{}` is the tag's; rename the field or the tag", tag.value()));
        }
        if *first_of.entry(field.key.as_str()).or_insert(i) != i {
            faults.on(field.key_tokens(), format!("two fields have the key `{}`; rename one", field.key));
        }
    }
    for (i, field) in fields.iter().enumerate() {
        for alias in &field.attrs.aliases {
            let name = alias.value();
            if first_of.get(name.as_str()).is_some_and(|&owner| owner != i) {
                faults.on(
                    alias,
                    format!("the alias `{name}` is the key of another field; serde would read only one of them"),
                );
            }
            // serde reads a struct's tag as it reads any unknown key, and gives it to the alias.
            if tag.is_some_and(|tag| tag.value() == name) {
                faults.on(alias, format!("the alias `{name}` is the key of the tag; leave out the alias"));
            }
        }
    }
}

/// Two variants under one name, or an alias that is another variant's name: serde never reads one.
fn check_variant_names(variants: &[Variant<'_>], faults: &Faults) {
    let mut first_of = HashMap::new();
    for (i, variant) in variants.iter().enumerate() {
        if *first_of.entry(variant.name.as_str()).or_insert(i) != i {
            let message = format!("two variants have the name `{}`; rename one", variant.name);
            match &variant.attrs.rename {
                Some(name) => faults.on(name, message),
                None => faults.at(variant.original.ident.span(), message),
            }
        }
    }
    for (i, variant) in variants.iter().enumerate() {
        for alias in variant.attrs.aliases.iter().chain(&variant.attrs.spellings) {
            let name = alias.value();
            if first_of.get(name.as_str()).is_some_and(|&owner| owner != i) {
                faults.on(alias, format!("the alias `{name}` is the name of another variant"));
            }
        }
    }
}

fn check_variant(tagging: &Tagging, variant: &Variant<'_>, faults: &Faults) {
    let ident = &variant.original.ident;
    if let (Some(key), true) = (variant.attrs.spellings_key, variant.style != Style::Unit) {
        faults.at(
            key,
            "`aliases` are spellings of a unit variant; for the name of this one there is `#[serde(alias = \"…\")]`",
        );
    }
    check_variant_content(variant, faults);
    if variant.style == Style::Tuple {
        check_element_rules(&variant.fields, faults);
    }
    match tagging {
        // serde refuses it too, but says nothing about what to write.
        Tagging::Internal(_) if variant.style == Style::Tuple && variant.stated().is_none() => faults.on(
            &variant.original.fields,
            format!("a tuple has no keys to put a tag beside; write `{ident} {{ … }}` with named fields, or add `content = \"…\"`"),
        ),
        Tagging::Internal(tag) => check_keys(&variant.fields, Some(tag), faults),
        _ if variant.style == Style::Struct => check_keys(&variant.fields, None, faults),
        _ => {}
    }
}

/// The elements of a list have one schema, so none can have a rule of its own.
fn check_element_rules(fields: &[Field<'_>], faults: &Faults) {
    for rule in fields.iter().filter_map(|field| field.content().rules.first_key()) {
        faults.at(
            rule,
            "the elements of a tuple share one schema; give the fields names, or use a newtype with the rule",
        );
    }
}

/// Rules and the like are about a newtype variant's value; a deserializer for the content of any
/// other variant needs its schema named.
fn check_variant_content(variant: &Variant<'_>, faults: &Faults) {
    let Some(key) = variant.attrs.content_key else { return };
    let content = &variant.attrs.content;
    let about_value = !content.rules.is_empty() || !content.validators.is_empty();
    let ident = &variant.original.ident;
    if variant.style == Style::Unit {
        faults.at(
            key,
            format!("this is about a value, and `{ident}` has none; it goes with a variant such as `{ident}(Type)`"),
        );
    } else if about_value {
        faults.at(
            key,
            format!("this is about one value, and `{ident}` may have several; put it on the field that is meant"),
        );
    } else {
        check_content(content, faults);
    }
}

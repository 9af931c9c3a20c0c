//! What a provider would refuse: depth, recursion, counts, sizes.
//!
//! Everything is counted on the document that would be sent: a shared type once, a root that is
//! also a definition twice, each alternative of a flattened choice on its own. Depth is the number of
//! objects on a path through the types, the root included; a path does not enter a type that it
//! is already in.

use super::cycles::recursive;
use super::depth::deep;
use super::edge::SchemaRef;
use super::message::Message;
use super::node::Kind;
use super::page::Page;
use super::render::document;
use super::shape::{FLATTEN_LEVELS, is_plain_object};
use super::survey::{Fault, Survey, on_heap, with_survey};
use super::weight::weight;
use super::write::Writer;
use super::{faults, finite, glance};
use crate::dialect::Dialect;

/// Why a document of the type behind `root` would be refused.
pub(crate) const fn problem(root: SchemaRef, dialect: &Dialect) -> Option<Message> {
    with_survey!(root, |survey| match problem_in(root, survey, dialect) {
        Some(problem) => Some(problem),
        None => long(root, length(root, survey, dialect), dialect),
    })
}

/// [`problem`] but for the length of the document.
pub(crate) const fn problem_but_length(root: SchemaRef, dialect: &Dialect) -> Option<Message> {
    with_survey!(root, |survey| problem_in(root, survey, dialect))
}

/// [`problem`], at run time.
pub(crate) fn problem_on_heap(root: SchemaRef, dialect: &Dialect) -> Option<Message> {
    on_heap(root, |survey| {
        problem_in(root, survey, dialect).or_else(|| long(root, length(root, survey, dialect), dialect))
    })
}

/// [`problem`] but for the length of the document, where there is a survey.
const fn problem_in(root: SchemaRef, survey: &Survey<'_>, dialect: &Dialect) -> Option<Message> {
    if let Some(problem) = endless(root, survey) {
        return Some(problem);
    }
    if let Some(problem) = generic_faults(survey) {
        return Some(problem);
    }
    let (levels, at) = if is_plain_object(root) { (0, "") } else { (1, "value") };
    if let Some(problem) = deep(root, levels, at, survey, dialect) {
        return Some(problem);
    }
    if let Some(problem) = recursive(survey, dialect) {
        return Some(problem);
    }
    weight(root, survey, dialect).refusal(root.get(), dialect)
}

/// How long the document is that the dialect is asked to take.
const fn length(root: SchemaRef, survey: &Survey<'_>, dialect: &Dialect) -> usize {
    if dialect.limits.document == usize::MAX {
        return 0;
    }
    let mut len = 0;
    document(root, survey, dialect, Page::of(dialect, Writer::counting(&mut len)));
    len
}

/// Why a document of `len` bytes is too long.
pub(crate) const fn long(root: SchemaRef, len: usize, dialect: &Dialect) -> Option<Message> {
    let limit = dialect.limits.document;
    if len <= limit {
        return None;
    }
    Some(
        Message::new("the schema of `")
            .name(root.get())
            .text("` is ")
            .number(len)
            .text(" bytes long; ")
            .text(dialect.name)
            .text(" takes ")
            .number(limit)
            .text("; shorten its descriptions, or ask for parts of it in several calls"),
    )
}

/// Whether the types behind `root` have a schema, whatever the dialect.
pub(crate) const fn sound(root: SchemaRef, survey: &Survey<'_>) -> bool {
    endless(root, survey).is_none() && generic_faults(survey).is_none()
}

/// Why the types behind `root` have no schema at all.
const fn endless(root: SchemaRef, survey: &Survey<'_>) -> Option<Message> {
    if let Some(fault) = survey.fault() {
        return Some(match fault {
            Fault::Full => Message::new("the schema of `").name(root.get()).text("` has more than 8,192 types"),
            Fault::Endless if faults::flattens_on(root, FLATTEN_LEVELS) => faults::flattened_for_ever(root.get()),
            Fault::Endless => Message::new("`").name(root.get()).text(
                "` is nothing but itself behind wrappers, so it has no finite value; make the inner value an `Option` or a `Vec`",
            ),
            Fault::Dangling(to) => Message::new("a field of `").name(root.get()).text("` refers back to `").name(to).text(
                "` with `recursive`, but that type does not enclose it; leave `recursive` out, or derive the schema \
                 from the enclosing type",
            ),
        });
    }
    None
}

/// What is wrong with the generic types behind `root` as they are used: the derive has checked the
/// others where they are defined.
const fn generic_faults(survey: &Survey<'_>) -> Option<Message> {
    if let Some(node) = survey.unsound() {
        return faults::own(node);
    }
    let mut i = 0;
    while i < survey.len() {
        let node = survey.entry(i).node();
        if !node.checked {
            if let Some(problem) = faults::own(node) {
                return Some(problem);
            }
            if let Some(problem) = finite::problem(i, survey) {
                return Some(problem);
            }
        }
        i += 1;
    }
    None
}

/// Why the type itself would be refused as (part of) a document, whatever stands around it.
///
/// What comes in through a field is left to [`through`], which blames the field.
pub(crate) const fn whole(root: SchemaRef, dialect: &Dialect) -> Option<Message> {
    if glance::settles(root, 0, dialect) {
        return None;
    }
    whole_by_survey(root, dialect)
}

/// [`whole`], without a look first.
pub(super) const fn whole_by_survey(root: SchemaRef, dialect: &Dialect) -> Option<Message> {
    with_survey!(root, |survey| {
        if let Some(problem) = endless(root, survey) {
            // Told on the field that flattens.
            return if faults::flattens_on(root, FLATTEN_LEVELS) { None } else { Some(problem) };
        }
        if let Some(own) = survey.find(root.get())
            && let Some(problem) = finite::problem(own, survey)
        {
            return Some(problem);
        }
        weight(root, survey, dialect).refusal(root.get(), dialect)
    })
}

/// Why a field cannot have this type, with `levels` objects above it and `at` as the path to it: it nests too
/// deep, or it is a generic type that does not fit its arguments.
///
/// A type without parameters that is at fault on its own is not blamed again on those that contain
/// it: the derive has reported it where it is defined.
pub(crate) const fn through(schema: SchemaRef, levels: usize, at: &str, dialect: &Dialect) -> Option<Message> {
    if glance::settles(schema, levels, dialect) {
        return None;
    }
    through_by_survey(schema, levels, at, dialect)
}

/// [`through`], without a look first.
pub(super) const fn through_by_survey(
    schema: SchemaRef,
    levels: usize,
    at: &str,
    dialect: &Dialect,
) -> Option<Message> {
    with_survey!(schema, |survey| {
        if survey.fault().is_some() {
            return None;
        }
        if checked(schema) {
            if deep(schema, 0, "", survey, dialect).is_some() {
                return None;
            }
        } else if let Some(problem) = generic_faults(survey) {
            return Some(problem);
        }
        deep(schema, levels, at, survey, dialect)
    })
}

/// Whether the first user type behind wrappers has been checked by the derive.
const fn checked(schema: SchemaRef) -> bool {
    let mut node = schema.get();
    loop {
        match node.kind {
            Kind::Array(inner) | Kind::Nullable(inner) => node = inner.get(),
            Kind::Transparent(inner) if !node.named => node = inner.get(),
            _ => return node.named && node.checked,
        }
    }
}

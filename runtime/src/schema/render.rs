//! JSON text of a schema, for one dialect.
//!
//! One walk measures and fills (see [`Writer`]). What stands where:
//!
//! - an object lists its members in declaration order, requires all and admits no others;
//! - a nullable is `{"anyOf":[T,{"type":"null"}]}`, a constant an `enum` of one value, a choice
//!   `anyOf`: the forms that every provider takes;
//! - nothing stands beside `$ref`; a described reference is an `anyOf` of one, or, where `anyOf` has a price,
//!   described by what is around it;
//! - a rule that the dialect does not enforce becomes a sentence at the end of the description;
//! - a member that serde does without may be left out where a dialect asks for it: see [`Omission`].

use super::cycles::{Cycles, Follow};
use super::edge::SchemaRef;
use super::lower::Description;
use super::name::write_name;
use super::node::{Case, Doc, Field, Kind, Schema, Unit};
use super::page::Page;
use super::rules::Rules;
use super::shape::{Members, accepts_null, alternatives_of, is_plain_object, resolve};
use super::survey::Survey;
use super::weight::{nullable_member, weight};
use crate::dialect::{DescribedReference, Dialect, Recursion};

/// Writes the document of the type behind `root`: its schema, with an object at the root and the
/// definitions behind it.
pub(crate) const fn document(root: SchemaRef, survey: &Survey<'_>, dialect: &Dialect, page: Page<'_>) {
    let cycles;
    let omission = if dialect.limits.unions < usize::MAX {
        Omission::Nullables(weight(root, survey, dialect).spare_unions(dialect))
    } else if matches!(dialect.forms.recursion, Recursion::Optional) {
        cycles = Cycles::of(survey, Follow::All);
        Omission::Circles(&cycles)
    } else {
        Omission::None
    };
    let told = matches!(dialect.forms.described_reference, DescribedReference::Parent);
    let mut render = Render { survey, page, omission, told };
    if is_plain_object(root) {
        let doc = root.get().doc;
        let node = resolve(root);
        render.object(node, 0, if doc.is_none() { node.doc } else { doc });
    } else {
        render.put("{\"type\":\"object\",\"properties\":{\"value\":");
        render.write(root.get(), Doc::NONE, None, false);
        render.put("},\"required\":[\"value\"],\"additionalProperties\":false");
    }
    render.definitions();
    render.put("}");
}

/// How many lists and nullables may stand around one another; the survey follows fewer.
const WRAPPERS: usize = 32;

struct Render<'a, 'b> {
    survey: &'a Survey<'a>,
    page: Page<'b>,
    omission: Omission<'a>,
    /// Whether what is around a reference describes it.
    told: bool,
}

/// Which members are not in `required`. serde does without them.
#[derive(Clone, Copy)]
enum Omission<'a> {
    /// None.
    None,
    /// Nullable ones past so many that may still be unions. Those of an object come before those further in.
    Nullables(usize),
    /// Those that may lead back to themselves.
    Circles(&'a Cycles),
}

/// Which part of an object's members is written.
#[derive(Clone, Copy)]
enum Part {
    Properties,
    Required,
}

impl Render<'_, '_> {
    const fn put(&mut self, text: &str) {
        self.page.out.put(text);
    }

    /// Puts `,"$defs":{…}`, if there are any.
    const fn definitions(&mut self) {
        let mut any = false;
        let mut i = 0;
        while i < self.survey.len() {
            if self.survey.shared(i) {
                self.put(if any { ",\"" } else { ",\"$defs\":{\"" });
                any = true;
                self.definition_name(i);
                self.put("\":");
                self.write(self.survey.entry(i).node(), Doc::NONE, None, true);
            }
            i += 1;
        }
        if any {
            self.put("}");
        }
    }

    const fn definition_name(&mut self, i: usize) {
        let entry = self.survey.entry(i);
        write_name(entry.node(), &mut self.page.out);
        if entry.suffix > 0 {
            self.page.out.put_number(entry.suffix);
        }
    }

    /// The schema of a node: a reference where the type has a definition, unless `inline`.
    ///
    /// `doc` and `rules` are those of the field that leads to it.
    ///
    /// Lists and nullables are a loop here and not a recursion: const evaluation has 128
    /// stack frames, and ten levels of objects in lists must fit.
    const fn write(&mut self, node: &'static Schema, doc: Doc, rules: Option<&Rules>, inline: bool) {
        let mut node = node;
        let mut doc = doc;
        let mut rules = rules;
        let mut both;
        let mut inline = inline;
        let mut open = [None; WRAPPERS];
        let mut depth = 0;
        loop {
            // Rules cannot stand beside a reference, so a type with rules from outside is written out.
            if !inline
                && rules.is_none()
                && let Some(i) = self.survey.find(node)
                && self.survey.shared(i)
            {
                self.reference(i, doc);
                break;
            }
            inline = false;
            if doc.is_none() {
                doc = node.doc;
            }
            if node.ruled {
                rules = match rules {
                    None => Some(node.rules),
                    Some(outer) => {
                        both = node.rules.and(outer);
                        Some(&both)
                    }
                };
            }
            match node.kind {
                Kind::Transparent(inner) => node = inner.get(),
                Kind::Nullable(inner) if accepts_null(inner) => node = inner.get(),
                Kind::Union(union) if union.cases.len() == 1 => node = union.cases[0].schema.get(),
                Kind::Nullable(inner) if depth < WRAPPERS => {
                    self.put("{\"anyOf\":[");
                    open[depth] = Some(doc);
                    depth += 1;
                    (node, doc) = (inner.get(), Doc::NONE);
                }
                Kind::Array(items) if depth < WRAPPERS => {
                    self.put("{\"type\":\"array\"");
                    self.array(doc, rules, node.kind, items);
                    self.put(",\"items\":");
                    depth += 1;
                    (node, doc, rules) = (items.get(), Doc::NONE, None);
                }
                _ => {
                    self.leaf(node, doc, rules);
                    break;
                }
            }
        }
        while depth > 0 {
            depth -= 1;
            if let Some(doc) = open[depth] {
                self.put(",{\"type\":\"null\"}]");
                self.doc(doc);
            }
            self.put("}");
        }
    }

    const fn reference(&mut self, i: usize, doc: Doc) {
        let bare = doc.is_none() || self.told;
        self.put(if bare { "{\"$ref\":\"#/$defs/" } else { "{\"anyOf\":[{\"$ref\":\"#/$defs/" });
        self.definition_name(i);
        self.put("\"}");
        if !bare {
            self.put("]");
            self.doc(doc);
            self.put("}");
        }
    }

    const fn array(&mut self, doc: Doc, rules: Option<&Rules>, kind: Kind, items: SchemaRef) {
        let about = if self.told { described_reference(self.survey, items.get(), Doc::NONE, false) } else { None };
        let mut text = Description::of(doc, &mut self.page.out);
        if let Some((i, said)) = about {
            text.about_type(self.survey.entry(i), said);
        }
        match rules {
            Some(rules) => {
                let described = text.pause();
                self.page.rules(rules, kind, described);
            }
            None => text.close(),
        }
    }

    /// The schema of a node that is not a wrapper.
    const fn leaf(&mut self, node: &'static Schema, doc: Doc, rules: Option<&Rules>) {
        match node.kind {
            Kind::Null => self.scalar("{\"type\":\"null\"", doc, rules, node.kind),
            Kind::Boolean => self.scalar("{\"type\":\"boolean\"", doc, rules, node.kind),
            Kind::Integer => self.scalar("{\"type\":\"integer\"", doc, rules, node.kind),
            Kind::Number => self.scalar("{\"type\":\"number\"", doc, rules, node.kind),
            Kind::String => self.scalar("{\"type\":\"string\"", doc, rules, node.kind),
            Kind::Enum(units) => {
                self.put("{\"type\":\"string\"");
                self.units(doc, units);
                self.put(",\"enum\":[");
                let mut i = 0;
                while i < units.len() {
                    if i > 0 {
                        self.put(",");
                    }
                    self.put(units[i].value);
                    i += 1;
                }
                self.put("]}");
            }
            Kind::Object(_) => self.objects(node, doc),
            Kind::Union(union) => {
                self.put("{\"anyOf\":[");
                let mut i = 0;
                while i < union.cases.len() {
                    if i > 0 {
                        self.put(",");
                    }
                    self.write(union.cases[i].schema.get(), Doc::NONE, None, false);
                    i += 1;
                }
                self.put("]");
                if self.told {
                    self.about_cases(doc, union.cases);
                } else {
                    self.doc(doc);
                }
                self.put("}");
            }
            // Wrappers are `write`'s; it has room for more of them than the survey follows. The
            // survey has refused back-references to types that do not enclose them.
            Kind::Array(_) | Kind::Nullable(_) | Kind::Transparent(_) | Kind::Back => {}
        }
    }

    const fn scalar(&mut self, open: &str, doc: Doc, rules: Option<&Rules>, kind: Kind) {
        self.put(open);
        if let Some(rules) = rules {
            self.put(doc.joined());
            self.page.rules(rules, kind, !doc.is_none());
            self.put("}");
        } else if doc.is_none() {
            self.put("}");
        } else {
            // Most fields end here, in as few pieces as can be.
            self.put(doc.joined());
            self.put("\"}");
        }
    }

    /// A description of what people wrote.
    const fn doc(&mut self, doc: Doc) {
        if !doc.is_none() {
            self.put(doc.joined());
            self.put("\"");
        }
    }

    /// A description with what the values stand for.
    const fn units(&mut self, doc: Doc, units: &[Unit]) {
        let mut text = Description::of(doc, &mut self.page.out);
        let mut i = 0;
        while i < units.len() {
            if !units[i].doc.is_empty() {
                text.about(units[i].value, 1, 1, units[i].doc);
            }
            i += 1;
        }
        text.close();
    }

    /// A description with what the cases stand for that are mere references.
    const fn about_cases(&mut self, doc: Doc, cases: &[Case]) {
        let mut text = Description::of(doc, &mut self.page.out);
        let mut i = 0;
        while i < cases.len() {
            if let Some((place, said)) = described_reference(self.survey, cases[i].schema.get(), Doc::NONE, false) {
                text.about_type(self.survey.entry(place), said);
            }
            i += 1;
        }
        text.close();
    }

    /// An object, or, where something flattened is a choice, an `anyOf` of closed objects.
    const fn objects(&mut self, node: &'static Schema, doc: Doc) {
        let all = alternatives_of(node);
        if all == 1 {
            self.object(node, 0, doc);
            self.put("}");
            return;
        }
        self.put("{\"anyOf\":[");
        let mut i = 0;
        while i < all {
            if i > 0 {
                self.put(",");
            }
            self.object(node, i, Doc::NONE);
            self.put("}");
            i += 1;
        }
        self.put("]");
        self.doc(doc);
        self.put("}");
    }

    /// One alternative of an object, without its closing brace.
    const fn object(&mut self, node: &Schema, alternative: usize, doc: Doc) {
        self.put("{\"type\":\"object\"");
        let keep = self.keep(node, alternative);
        if self.told {
            self.about_members(node, alternative, doc, keep);
        } else {
            self.doc(doc);
        }
        self.put(",\"properties\":{");
        self.members(node, alternative, Part::Properties, keep);
        self.put("},\"required\":[");
        self.members(node, alternative, Part::Required, keep);
        self.put("],\"additionalProperties\":false");
    }

    /// How many of the nullable members stay unions; takes them from what is left.
    const fn keep(&mut self, node: &Schema, alternative: usize) -> usize {
        let Omission::Nullables(left) = self.omission else { return 0 };
        let mut own = 0;
        let mut members = Members::of(node, alternative);
        while let Some(field) = members.next() {
            own += nullable_member(field).is_some() as usize;
        }
        let keep = if own < left { own } else { left };
        self.omission = Omission::Nullables(left - keep);
        keep
    }

    /// A description of an object, and of its members that are mere references.
    const fn about_members(&mut self, node: &Schema, alternative: usize, doc: Doc, keep: usize) {
        let mut list = List { first: true, part: Part::Properties, keep };
        let mut text = Description::of(doc, &mut self.page.out);
        let mut members = Members::of(node, alternative);
        while let Some(field) = members.next() {
            let mut inner = field.schema.get();
            if let Some(schema) = nullable_member(field) {
                if !list.omits(field) {
                    // The union has the description.
                    continue;
                }
                inner = schema.get();
            }
            if let Some((_, said)) = described_reference(self.survey, inner, field.doc, field.ruled) {
                text.about(field.key.lead(), 1, 2, said.escaped());
            }
        }
        text.close();
    }

    /// The members of one alternative.
    const fn members(&mut self, node: &Schema, alternative: usize, part: Part, keep: usize) {
        let mut list = List { first: true, part, keep };
        if let Kind::Object(object) = node.kind
            && !object.flattens
        {
            // The common case, without the walk's bookkeeping.
            let mut i = 0;
            if let (Part::Required, Omission::None) = (part, self.omission) {
                while i < object.fields.len() {
                    if i > 0 {
                        self.page.out.put(",");
                    }
                    self.page.out.put_inner(object.fields[i].key.lead(), 0, 1);
                    i += 1;
                }
                return;
            }
            while i < object.fields.len() {
                self.member(&object.fields[i], &mut list);
                i += 1;
            }
            return;
        }
        let mut members = Members::of(node, alternative);
        while let Some(field) = members.next() {
            self.member(field, &mut list);
        }
    }

    const fn member(&mut self, field: &Field, list: &mut List) {
        let omitted = match self.omission {
            Omission::None => false,
            Omission::Nullables(_) => list.omits(field),
            Omission::Circles(cycles) => field.may_be_left_out() && cycles.touches(self.survey, field.schema),
        };
        if matches!(list.part, Part::Required) && omitted {
            return;
        }
        if !list.first {
            self.put(",");
        }
        list.first = false;
        match list.part {
            Part::Properties => {
                self.put(field.key.lead());
                let mut node = field.schema.get();
                if omitted && let Some(inner) = nullable_member(field) {
                    node = inner.get();
                }
                self.write(node, field.doc, if field.ruled { Some(field.rules) } else { None }, false);
            }
            Part::Required => self.page.out.put_inner(field.key.lead(), 0, 1),
        }
    }
}

/// A list of members in the making.
struct List {
    first: bool,
    part: Part,
    /// Nullable members that still stay unions.
    keep: usize,
}

impl List {
    /// Whether the next member is nullable and comes after those that stay unions.
    const fn omits(&mut self, field: &Field) -> bool {
        if nullable_member(field).is_none() {
            return false;
        }
        let omitted = self.keep == 0;
        self.keep = self.keep.saturating_sub(1);
        omitted
    }
}

/// The description of a reference, and what it refers to, if [`Render::write`] would write one here.
const fn described_reference(
    survey: &Survey<'_>,
    node: &'static Schema,
    doc: Doc,
    ruled: bool,
) -> Option<(usize, Doc)> {
    let (mut node, mut doc, mut ruled) = (node, doc, ruled);
    loop {
        if !ruled
            && let Some(i) = survey.find(node)
            && survey.shared(i)
        {
            return if doc.is_none() { None } else { Some((i, doc)) };
        }
        if doc.is_none() {
            doc = node.doc;
        }
        ruled |= node.ruled;
        node = match node.kind {
            Kind::Transparent(inner) => inner.get(),
            Kind::Nullable(inner) if accepts_null(inner) => inner.get(),
            Kind::Union(union) if union.cases.len() == 1 => union.cases[0].schema.get(),
            _ => return None,
        };
    }
}

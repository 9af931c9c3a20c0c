//! JSON text of a schema, for one dialect.
//!
//! One walk measures and fills (see [`Writer`]). What stands where:
//!
//! - an object lists its members in declaration order, requires all and admits no others;
//! - a nullable is `{"anyOf":[T,{"type":"null"}]}`, a constant an `enum` of one value, a choice
//!   `anyOf`: the forms that every provider takes;
//! - nothing stands beside `$ref`; a described reference is an `anyOf` of one;
//! - a rule that the dialect does not enforce becomes a sentence at the end of the description.

use super::edge::SchemaRef;
use super::name::write_name;
use super::node::{Doc, Field, Kind, Schema, Unit};
use super::rules::{Bound, Rules};
use super::shape::{Members, accepts_null, alternatives_of, is_plain_object, resolve};
use super::survey::{Survey, same_text};
use super::write::Writer;
use crate::dialect::{Dialect, Keywords};

/// Writes the document of the type behind `root`: its schema, with an object at the root and the
/// definitions behind it.
pub(crate) const fn document(root: SchemaRef, survey: &Survey<'_>, dialect: &Dialect, out: Writer<'_>) {
    let mut render = Render { survey, dialect, out };
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
    dialect: &'a Dialect,
    out: Writer<'b>,
}

/// Which part of an object's members is written.
#[derive(Clone, Copy)]
enum Part {
    Properties,
    Required,
}

impl Render<'_, '_> {
    const fn put(&mut self, text: &str) {
        self.out.put(text);
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
                self.write(self.survey.entry(i).node, Doc::NONE, None, true);
            }
            i += 1;
        }
        if any {
            self.put("}");
        }
    }

    const fn definition_name(&mut self, i: usize) {
        let entry = self.survey.entry(i);
        write_name(entry.node, &mut self.out);
        if entry.suffix > 0 {
            self.out.put_number(entry.suffix);
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
                    self.doc(doc, &[], rules);
                    self.rules(rules);
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
                self.doc(doc, &[], None);
            }
            self.put("}");
        }
    }

    const fn reference(&mut self, i: usize, doc: Doc) {
        self.put(if doc.is_none() { "{\"$ref\":\"#/$defs/" } else { "{\"anyOf\":[{\"$ref\":\"#/$defs/" });
        self.definition_name(i);
        self.put("\"}");
        if !doc.is_none() {
            self.put("]");
            self.doc(doc, &[], None);
            self.put("}");
        }
    }

    /// The schema of a node that is not a wrapper.
    const fn leaf(&mut self, node: &'static Schema, doc: Doc, rules: Option<&Rules>) {
        match node.kind {
            Kind::Null => self.scalar("{\"type\":\"null\"", doc, rules),
            Kind::Boolean => self.scalar("{\"type\":\"boolean\"", doc, rules),
            Kind::Integer => self.scalar("{\"type\":\"integer\"", doc, rules),
            Kind::Number => self.scalar("{\"type\":\"number\"", doc, rules),
            Kind::String => self.scalar("{\"type\":\"string\"", doc, rules),
            Kind::Enum(units) => {
                self.put("{\"type\":\"string\"");
                self.doc(doc, units, None);
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
                self.doc(doc, &[], None);
                self.put("}");
            }
            // Wrappers are `write`'s; it has room for more of them than the survey follows. The
            // survey has refused back-references to types that do not enclose them.
            Kind::Array(_) | Kind::Nullable(_) | Kind::Transparent(_) | Kind::Back => {}
        }
    }

    const fn scalar(&mut self, open: &str, doc: Doc, rules: Option<&Rules>) {
        self.put(open);
        if rules.is_some() {
            self.doc(doc, &[], rules);
            self.rules(rules);
            self.put("}");
        } else if doc.is_none() {
            self.put("}");
        } else {
            // Most fields end here, in as few pieces as can be.
            self.put(doc.joined());
            self.put("\"}");
        }
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
        self.doc(doc, &[], None);
        self.put("}");
    }

    /// One alternative of an object, without its closing brace.
    const fn object(&mut self, node: &Schema, alternative: usize, doc: Doc) {
        self.put("{\"type\":\"object\"");
        self.doc(doc, &[], None);
        self.put(",\"properties\":{");
        self.members(node, alternative, Part::Properties);
        self.put("},\"required\":[");
        self.members(node, alternative, Part::Required);
        self.put("],\"additionalProperties\":false");
    }

    /// The members of one alternative.
    const fn members(&mut self, node: &Schema, alternative: usize, part: Part) {
        let mut first = true;
        if let Kind::Object(object) = node.kind
            && !object.flattens
        {
            // The common case, without the walk's bookkeeping.
            let mut i = 0;
            while i < object.fields.len() {
                self.member(&object.fields[i], &mut first, part);
                i += 1;
            }
            return;
        }
        let mut members = Members::of(node, alternative);
        while let Some(field) = members.next() {
            self.member(field, &mut first, part);
        }
    }

    const fn member(&mut self, field: &Field, first: &mut bool, part: Part) {
        if !*first {
            self.put(",");
        }
        *first = false;
        match part {
            Part::Properties => {
                self.put(field.key.lead());
                self.write(field.schema.get(), field.doc, if field.ruled { Some(field.rules) } else { None }, false);
            }
            Part::Required => self.out.put_inner(field.key.lead(), 0, 1),
        }
    }

    /// The description: what people wrote, what the values stand for, and the rules that the
    /// dialect does not enforce.
    const fn doc(&mut self, doc: Doc, units: &[Unit], rules: Option<&Rules>) {
        let mut text = Text { open: !doc.is_none() };
        if text.open {
            self.put(doc.joined());
        }
        let mut i = 0;
        while i < units.len() {
            if !units[i].doc.is_empty() {
                self.begin(&mut text, "\\n");
                self.put("`");
                self.out.put_inner(units[i].value, 1, 1);
                self.put("`: ");
                self.put(units[i].doc);
            }
            i += 1;
        }
        if let Some(rules) = rules {
            self.sentences(&mut text, rules);
        }
        if text.open {
            self.put("\"");
        }
    }

    const fn begin(&mut self, text: &mut Text, separator: &str) {
        self.put(if text.open { separator } else { Doc::LEAD });
        text.open = true;
    }

    /// The rules that the dialect enforces, as keywords.
    const fn rules(&mut self, rules: Option<&Rules>) {
        let Some(rules) = rules else { return };
        let Keywords {
            integers: super::super::dialect::Bounds { inclusive: bounds, exclusive: exclusive_bounds, multiple_of },
            lengths,
            pattern,
            max_items: items,
            ..
        } = self.dialect.keywords;
        if bounds.sent() {
            self.bound(",\"minimum\":", rules.minimum);
            self.bound(",\"maximum\":", rules.maximum);
        }
        if exclusive_bounds.sent() {
            self.bound(",\"exclusiveMinimum\":", rules.exclusive_minimum);
            self.bound(",\"exclusiveMaximum\":", rules.exclusive_maximum);
        }
        if multiple_of.sent() {
            self.bound(",\"multipleOf\":", rules.multiple_of);
        }
        if lengths.sent() {
            self.size(",\"minLength\":", rules.min_length);
            self.size(",\"maxLength\":", rules.max_length);
        }
        if pattern.sent() && !rules.pattern.is_empty() {
            self.put(",\"pattern\":");
            self.put(rules.pattern);
        }
        if !rules.format.is_empty() && self.knows(rules.format) {
            self.put(",\"format\":\"");
            self.put(rules.format);
            self.put("\"");
        }
        if items.sent() {
            self.size(",\"minItems\":", rules.min_items);
            self.size(",\"maxItems\":", rules.max_items);
        }
    }

    /// The rules that the dialect does not enforce, as sentences.
    const fn sentences(&mut self, text: &mut Text, rules: &Rules) {
        let Keywords {
            integers: super::super::dialect::Bounds { inclusive: bounds, exclusive: exclusive_bounds, multiple_of },
            lengths,
            pattern,
            max_items: items,
            ..
        } = self.dialect.keywords;
        if !bounds.sent() {
            self.say_bound(text, "Must be at least ", rules.minimum);
            self.say_bound(text, "Must be at most ", rules.maximum);
        }
        if !exclusive_bounds.sent() {
            self.say_bound(text, "Must be more than ", rules.exclusive_minimum);
            self.say_bound(text, "Must be less than ", rules.exclusive_maximum);
        }
        if !multiple_of.sent() {
            self.say_bound(text, "Must be a multiple of ", rules.multiple_of);
        }
        if !lengths.sent() {
            self.say_size(text, "Must have at least ", rules.min_length, " character");
            self.say_size(text, "Must have at most ", rules.max_length, " character");
        }
        if !pattern.sent() && !rules.pattern.is_empty() {
            self.begin(text, " ");
            self.put("Must match the regular expression ");
            self.out.put_inner(rules.pattern, 1, 1);
            self.put(" .");
        }
        if !rules.format.is_empty() && !self.knows(rules.format) {
            self.begin(text, " ");
            self.put("Must be in the format ");
            self.put(rules.format);
            self.put(".");
        }
        if !items.sent() {
            self.say_size(text, "Must have at least ", rules.min_items, " element");
            self.say_size(text, "Must have at most ", rules.max_items, " element");
        }
    }

    const fn bound(&mut self, keyword: &str, bound: Option<Bound>) {
        if let Some(bound) = bound {
            self.put(keyword);
            self.put(bound.text);
        }
    }

    const fn size(&mut self, keyword: &str, size: Option<u64>) {
        if let Some(size) = size {
            self.put(keyword);
            self.out.put_number(size as u128);
        }
    }

    const fn say_bound(&mut self, text: &mut Text, words: &str, bound: Option<Bound>) {
        if bound.is_some() {
            self.begin(text, " ");
            self.bound(words, bound);
            self.put(".");
        }
    }

    const fn say_size(&mut self, text: &mut Text, words: &str, size: Option<u64>, what: &str) {
        if let Some(n) = size {
            self.begin(text, " ");
            self.size(words, size);
            self.put(what);
            self.put(if n == 1 { "." } else { "s." });
        }
    }

    const fn knows(&self, format: &str) -> bool {
        let mut i = 0;
        while i < self.dialect.formats.len() {
            if same_text(self.dialect.formats[i], format) {
                return true;
            }
            i += 1;
        }
        false
    }
}

/// A description in the making.
struct Text {
    open: bool,
}

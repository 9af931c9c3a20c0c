//! Arrays: their elements, and tuples.

use serde_json::Value;

use super::departure::{Fate, Rule};
use super::draft::Draft;
use super::facts::{Elements, Facts};
use super::leaf::Body;
use super::rewrite::{Position, Rewriter, Term};
use super::sentence;

impl<'a> Rewriter<'a, '_> {
    /// Puts the keywords of arrays; false if no array fits.
    pub(super) fn array(&mut self, facts: &Facts<'a>, body: &mut Body<'a>) -> bool {
        let mut sizes = facts.items;
        let tuples: Vec<_> = facts.elements.iter().filter(|part| part.prefix.is_some()).copied().collect();
        match tuples.as_slice() {
            [] => self.list(facts, body),
            [tuple] if facts.elements.len() == 1 => self.tuple(facts, *tuple, &mut sizes, body),
            [tuple, ..] => {
                let found = "a tuple holds together with other rules on elements";
                self.report(tuple.place, Rule::Tuple, Fate::Stays, found, "write one schema that says both");
            }
        }
        if sizes.is_empty() {
            return false;
        }
        let keywords = &self.dialect.keywords;
        let sent = (keywords.min_items.sent(), keywords.max_items.sent());
        let told = self.sizes(facts, ("minItems", "maxItems"), sizes, sent, body);
        body.sentences.extend(sentence::sizes(told, "element"));
        true
    }

    /// An array of elements of one schema.
    fn list(&mut self, facts: &Facts<'a>, body: &mut Body<'a>) {
        let mut terms: Vec<Term<'a>> = Vec::new();
        for part in facts.elements.iter() {
            if let Some((keyword, items)) = part.rest {
                terms.push(self.document.member(part.place, keyword, items).into());
            }
        }
        let Some(first) = terms.first().copied() else {
            if facts.typed && !self.dialect.keywords.bare_array.sent() {
                let found = "an array without `items`";
                self.report(facts.place, Rule::Items, Fate::Stays, found, "say what its elements are");
            }
            return;
        };
        if let Some(items) = self.inside(&terms, Position::Inner) {
            body.put("items", items);
        } else {
            let found = "no element fits, so that the array is empty";
            self.report(first.at.place, Rule::Satisfiable, Fate::Stays, found, "say what its elements are");
        }
    }

    /// Whether schemas are the same.
    fn alike<'s>(&self, mut schemas: impl Iterator<Item = &'s Draft<'a>>) -> bool
    where
        'a: 's,
    {
        let first = schemas.next().map(|first| first.to_value(&self.definitions));
        schemas.all(|other| Some(other.to_value(&self.definitions)) == first)
    }

    fn tuple(&mut self, facts: &Facts<'a>, tuple: Elements<'a>, sizes: &mut super::facts::Sizes, body: &mut Body<'a>) {
        let Some((keyword, prefix)) = tuple.prefix else { return };
        if !prefix.is_array() {
            return self.malformed(tuple.place, keyword, "a list of schemas");
        }
        let list = self.document.list(tuple.place, keyword, prefix);
        let length = list.len() as u64;
        let mut elements = Vec::with_capacity(list.len());
        for at in list {
            let Some(element) = self.inside(&[at.into()], Position::Inner) else {
                let found = "no element fits";
                return self.report(at.place, Rule::Satisfiable, Fate::Stays, found, "leave the element out");
            };
            elements.push(element);
        }
        let ends = tuple.rest.is_some_and(|(_, rest)| *rest == Value::Bool(false));
        if ends {
            sizes.most = Some(sizes.most.map_or(length, |most| most.min(length)));
        }
        let fixed = sizes.most.is_some_and(|most| most <= length);
        let rest = tuple.rest.filter(|_| !fixed).and_then(|(keyword, rest)| {
            let at = self.document.member(tuple.place, keyword, rest);
            self.inside(&[at.into()], Position::Inner)
        });
        let keywords = &self.dialect.keywords;
        let sends = if keyword == "prefixItems" { keywords.prefix_items } else { keywords.item_list };
        let forms = [(keywords.prefix_items, "prefixItems", "items"), (keywords.item_list, "items", "additionalItems")];
        let form = forms.into_iter().find(|(support, ..)| support.sent());
        if let Some((_, prefix, others)) = form {
            if !sends.sent() {
                let found = format_args!("a tuple by `{keyword}`");
                self.report(tuple.place, Rule::Tuple, Fate::Same, found, format_args!("write it with `{prefix}`"));
            }
            body.put(prefix, elements);
            if let Some(rest) = rest {
                body.put(others, rest);
            }
        } else if (fixed || rest.is_some()) && !elements.is_empty() && self.alike(elements.iter().chain(&rest)) {
            let found = format_args!("a tuple of {length} elements of one schema");
            self.report(
                tuple.place,
                Rule::Tuple,
                Fate::Same,
                found,
                "write it as `items`, with `minItems` and `maxItems`",
            );
            body.put("items", elements.remove(0));
        } else {
            let found = format_args!("a tuple of {length} elements, by `{keyword}`");
            self.report(
                facts.place,
                Rule::Tuple,
                Fate::Stays,
                found,
                "write an object with a property for each element",
            );
        }
    }
}

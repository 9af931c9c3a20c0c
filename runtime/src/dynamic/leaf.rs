//! Schemas that are neither references nor unions.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;

use super::departure::{Fate, Rule};
use super::draft::{Draft, Fields};
use super::facts::Facts;
use super::rewrite::{Position, Rewriter};
use super::types::Types;
use crate::dialect::{EnumValues, Root, Support};

/// A schema in the making: its keywords but for `type` and `description`, and what the description gets.
#[derive(Debug, Default)]
pub(super) struct Body<'a> {
    keywords: Fields<'a>,
    /// About members, each on a line.
    pub(super) lines: Vec<String>,
    pub(super) sentences: Vec<String>,
}

impl<'a> Body<'a> {
    pub(super) fn put(&mut self, keyword: &'a str, value: impl Into<Draft<'a>>) {
        self.keywords.push((keyword, value.into()));
    }

    pub(super) fn has(&self, keyword: &str) -> bool {
        self.keywords.iter().any(|(known, _)| *known == keyword)
    }

    /// The schema: the keywords, after those that were put since there were so many.
    fn finish(mut self, since: usize) -> Draft<'a> {
        self.keywords.rotate_left(since);
        Draft::Object(self.keywords)
    }
}

static NULL: Value = Value::Null;

impl<'a> Rewriter<'a, '_> {
    /// The schema of facts without choices. `boolean` says whether they come from `true`.
    pub(super) fn leaf(&mut self, facts: &mut Facts<'a>, boolean: bool, position: Position) -> Option<Draft<'a>> {
        if let Some(values) = &mut facts.values {
            let twice = drop_repeated(values);
            values.retain(|value| facts.types.has(Types::of(value)));
            if twice > 0 {
                let found = format!("`enum` has {twice} of its values twice");
                self.report(facts.place, Rule::Enum, Fate::Same, found, "list each once");
            }
        }
        if facts.types.is_empty() || facts.values.as_ref().is_some_and(Vec::is_empty) {
            return None;
        }
        let (mut types, stated) = match self.types(facts, boolean) {
            Some(types) => types,
            None if boolean && facts.descriptions.is_empty() && self.dialect.keywords.boolean_schema.sent() => {
                return Some(Draft::Bool(true));
            }
            None => return Some(self.assemble(facts, None, Body::default())),
        };
        let stated = self.root(facts, &mut types, stated, position);
        // A root that must be an object cannot be null.
        let root = position == Position::Root && self.dialect.forms.root != Root::Any;
        if self.nullable(facts, if root { Types::ALL } else { types }) {
            types = types | Types::NULL;
            if let Some(values) = &mut facts.values {
                values.push(&NULL);
            }
        }
        if stated && types.count() > 1 && position != Position::Root && self.splits(facts, types) {
            let mut kept = Vec::new();
            let mut branches = Vec::new();
            for (_, one) in types.each() {
                if let Some(written) = self.of_types(facts, Some(one), false) {
                    kept.push(one);
                    branches.push(written);
                }
            }
            return match kept[..] {
                [] => None,
                [one] => self.of_types(facts, Some(one), true),
                _ => Some(self.union(facts, "anyOf", branches, &[])),
            };
        }
        self.of_types(facts, stated.then_some(types), true)
    }

    /// Which types the values have, and whether `type` will say so; nothing if the schema restricts nothing.
    fn types(&mut self, facts: &Facts<'a>, boolean: bool) -> Option<(Types, bool)> {
        let place = facts.place;
        if let Some(values) = &facts.values {
            let types = values.iter().fold(Types::NONE, |types, value| types | Types::of(value));
            if !facts.typed && !self.dialect.forms.untyped_enum {
                let found = "schema must have a 'type' key: only its values are listed";
                self.report(place, Rule::Type, Fate::Same, found, format!("add `type`: {}", listed(types)));
            }
            return Some((types, facts.typed || !self.dialect.forms.untyped_enum));
        }
        if facts.typed {
            return Some((facts.types, true));
        }
        let spoken = facts.spoken_of();
        if spoken.is_empty() && facts.rest.is_empty() {
            let keywords = &self.dialect.keywords;
            if !(if boolean { keywords.boolean_schema } else { keywords.empty_schema }).sent() {
                let found = if boolean {
                    "`true` takes any value"
                } else {
                    "schema must have a 'type' key: this takes any value"
                };
                let remedy = "say what the value is; for free JSON, carry it as text";
                self.report(place, Rule::Anything, Fate::Stays, found, remedy);
            }
            return None;
        }
        if self.dialect.forms.untyped_enum && self.dialect.keywords.empty_schema.sent() {
            return Some((Types::ALL, false));
        }
        let found = "schema must have a 'type' key";
        if spoken.count() == 1 {
            self.report(place, Rule::Type, Fate::Narrower, found, format!("add `type`: {}", listed(spoken)));
            return Some((spoken, true));
        }
        self.report(place, Rule::Type, Fate::Stays, found, "add `type`");
        Some((Types::ALL, false))
    }

    /// Holds the root to being an object; whether `type` will be said.
    fn root(&mut self, facts: &Facts<'a>, types: &mut Types, stated: bool, position: Position) -> bool {
        if position != Position::Root || self.dialect.forms.root == Root::Any || (stated && *types == Types::OBJECT) {
            return stated;
        }
        let got = if stated { listed(*types) } else { "None".to_owned() };
        let found = format!("schema must be a JSON Schema of 'type: \"object\"', got 'type: {got}'");
        let is_object = if stated { types.has(Types::OBJECT) } else { facts.spoken_of() == Types::OBJECT };
        if is_object && facts.values.is_none() {
            self.report(facts.place, Rule::Root, Fate::Narrower, found, "write `\"type\": \"object\"`");
            *types = Types::OBJECT;
            return true;
        }
        self.report(facts.place, Rule::Root, Fate::Stays, found, "put the value into a property of an object");
        stated
    }

    /// Whether `nullable` adds null to a schema of these types.
    pub(super) fn nullable(&mut self, facts: &Facts<'a>, types: Types) -> bool {
        let Some((place, says)) = facts.nullable else { return false };
        if self.dialect.keywords.nullable.sent() && facts.typed {
            return false;
        }
        let adds = says && !types.has(Types::NULL);
        self.report(
            place,
            Rule::Nullable,
            if adds { Fate::Wider } else { Fate::Same },
            format_args!("`nullable: {says}` is no keyword of JSON Schema"),
            if adds {
                "add \"null\" to `type`, or write an `anyOf` with `{\"type\": \"null\"}`"
            } else {
                "leave it out"
            },
        );
        adds
    }

    /// Whether a schema of several types must be written as a union of one for each.
    fn splits(&mut self, facts: &Facts<'a>, types: Types) -> bool {
        let place = facts.place;
        if facts.values.is_some() {
            // Null beside one type is a nullable, which `type` says already.
            let nullable = types.count() == 2
                && types.has(Types::NULL)
                && facts.typed
                && self.dialect.keywords.type_list.sent()
                && matches!(self.dialect.forms.enum_values, EnumValues::Primitives | EnumValues::Any);
            if self.dialect.forms.mixed_enum || nullable {
                return !self.dialect.keywords.type_list.sent() && facts.typed;
            }
            let found = format!("enum values must be of the same type, got {}", listed(types));
            self.report(place, Rule::Enum, Fate::Same, found, "write an `anyOf` with an `enum` for each type");
            return true;
        }
        if self.dialect.keywords.type_list.sent() {
            return false;
        }
        let remedy = "write an `anyOf` with one type each";
        self.report(place, Rule::TypeList, Fate::Same, format!("`type` is {}", listed(types)), remedy);
        true
    }

    /// The schema of the facts for these types, with or without what the facts say to readers.
    fn of_types(&mut self, facts: &Facts<'a>, types: Option<Types>, whole: bool) -> Option<Draft<'a>> {
        let about = types.unwrap_or(Types::ALL);
        let hollow = |kind: Types, none: bool| none && about.meets(kind) && about.without(kind).is_empty();
        if hollow(Types::NUMBER, facts.range.is_empty()) || hollow(Types::STRING, facts.length.is_empty()) {
            return None;
        }
        let mut body = Body::default();
        if let Some(values) = &facts.values {
            let values: Vec<_> = values.iter().copied().filter(|value| about.has(Types::of(value))).collect();
            self.values(facts, values, about, &mut body);
        }
        if about.meets(Types::NUMBER) {
            self.numbers(facts, about & Types::NUMBER == Types::INTEGER, &mut body);
        }
        self.text(facts, about.has(Types::STRING), &mut body);
        if about.has(Types::ARRAY) && !self.array(facts, &mut body) && types == Some(Types::ARRAY) {
            return None;
        }
        if about.has(Types::OBJECT) && !self.object(facts, types.is_some(), &mut body) {
            let others = about.without(Types::OBJECT);
            return if types.is_some() && !others.is_empty() {
                self.of_types(facts, Some(others), whole)
            } else {
                None
            };
        }
        for rest in facts.rest.iter().filter(|rest| rest.about == Types::ALL || about.meets(rest.about)) {
            self.rest(*rest, &mut body);
        }
        if whole {
            body.sentences.extend(facts.sentences.iter().cloned());
            return Some(self.assemble(facts, types, body));
        }
        let written = body.keywords.len();
        if let Some(types) = types {
            body.put("type", type_draft(types));
        }
        if let Some(text) = text_of("", &body.lines, &body.sentences) {
            body.put("description", Draft::Text(text));
        }
        Some(body.finish(written))
    }

    /// The description: what people wrote, then lines, then sentences.
    pub(super) fn description(
        &self,
        facts: &Facts<'a>,
        lines: &[String],
        sentences: &[String],
    ) -> Option<Cow<'a, str>> {
        if !self.dialect.keywords.description.sent() {
            return None;
        }
        match facts.descriptions[..] {
            [] => text_of(facts.referred_description.unwrap_or_default(), lines, sentences),
            [own] => text_of(own, lines, sentences),
            _ => text_of(facts.descriptions.join("\n"), lines, sentences),
        }
    }

    /// The schema, its keywords in the order in which they are read best.
    fn assemble(&mut self, facts: &Facts<'a>, types: Option<Types>, mut body: Body<'a>) -> Draft<'a> {
        let written = body.keywords.len();
        if let Some(types) = types {
            body.put("type", type_draft(types));
        }
        self.put_notes(facts, &body.lines, &body.sentences, &mut body.keywords);
        if let (Some((_, says)), true) = (facts.nullable, self.dialect.keywords.nullable.sent() && types.is_some()) {
            body.put("nullable", says);
        }
        body.finish(written)
    }

    /// A union of written branches; a branch alone that nothing is said about stands for itself.
    pub(super) fn one_of(
        &mut self,
        facts: &Facts<'a>,
        keyword: &'static str,
        branches: Vec<Draft<'a>>,
        sentences: &[String],
    ) -> Draft<'a> {
        let mut union = self.union(facts, keyword, branches, sentences);
        if let Draft::Object(fields) = &mut union
            && let [(_, Draft::List(branches))] = &mut fields[..]
            && branches.len() == 1
            && let Some(branch) = branches.pop()
        {
            return branch;
        }
        union
    }

    /// A union of written branches.
    pub(super) fn union(
        &mut self,
        facts: &Facts<'a>,
        keyword: &'static str,
        branches: Vec<Draft<'a>>,
        sentences: &[String],
    ) -> Draft<'a> {
        let mut fields = vec![(keyword, branches.into())];
        let all: Vec<_> = facts.sentences.iter().chain(sentences).cloned().collect();
        self.put_notes(facts, &[], &all, &mut fields);
        Draft::Object(fields)
    }

    fn put_notes(&mut self, facts: &Facts<'a>, lines: &[String], sentences: &[String], fields: &mut Fields<'a>) {
        if let Some(title) = facts.title {
            let support = self.dialect.keywords.title;
            if support.sent() {
                fields.push(("title", title.into()));
            } else if support == Support::Refused {
                self.report_keyword(facts.place, "title", Fate::Same, "a `title` stands here", "leave it out");
            }
        }
        if let Some(text) = self.description(facts, lines, sentences) {
            fields.push(("description", Draft::Text(text)));
        }
        fields.extend(facts.notes.iter().map(|(keyword, value)| (*keyword, Draft::Given(value))));
    }

    /// A union with null, unless it has it.
    pub(super) fn with_null(branches: &mut Vec<Draft<'a>>) {
        if !branches.iter().any(Draft::is_null) {
            branches.push(Draft::null());
        }
    }
}

/// How many values a look through those before takes less time than a table of their texts.
const FEW_VALUES: usize = 16;

/// Takes values out that stand further up too; how many.
fn drop_repeated(values: &mut Vec<&Value>) -> usize {
    let all = values.len();
    if all <= FEW_VALUES {
        for at in (1..all).rev() {
            if values[..at].contains(&values[at]) {
                values.remove(at);
            }
        }
    } else {
        let mut seen = HashSet::with_capacity(all);
        values.retain(|value| seen.insert(value.to_string()));
    }
    all - values.len()
}

fn text_of<'a>(own: impl Into<Cow<'a, str>>, lines: &[String], sentences: &[String]) -> Option<Cow<'a, str>> {
    let mut text = own.into();
    for (separator, piece) in lines.iter().map(|line| ("\n", line)).chain(sentences.iter().map(|one| (" ", one))) {
        let text = text.to_mut();
        if !text.is_empty() {
            text.push_str(separator);
        }
        text.push_str(piece);
    }
    (!text.is_empty()).then_some(text)
}

/// The value of `type`.
fn type_draft(types: Types) -> Draft<'static> {
    match types.name() {
        Some(one) => one.into(),
        None => Draft::List(types.each().map(|(name, _)| name.into()).collect()),
    }
}

fn listed(types: Types) -> String {
    let mut names = types.each().map(|(name, _)| format!("\"{name}\""));
    match (names.next(), names.next()) {
        (Some(one), None) => one,
        (one, two) => format!("[{}]", one.into_iter().chain(two).chain(names).collect::<Vec<_>>().join(",")),
    }
}

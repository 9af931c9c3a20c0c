//! Numbers, booleans, text, null, and names of enums.

use std::borrow::Cow;

use super::Coercer;
use crate::decode::near::{alike_values, is_invisible, plain};
use crate::decode::number::{self, No};
use crate::decode::plan::{Pick, Shape};
use crate::decode::repair::RepairKind;
use crate::decode::tree::Tree;

/// Keys under which models put a lone value.
const VALUE_KEYS: &[&str] = &["value", "result", "answer", "output", "response", "data", "item", "content"];

impl Coercer<'_> {
    /// Reads a word for null where null is allowed and text is not.
    pub(super) fn null_word(&mut self, tree: &mut Tree<'_>, shape: &Shape<'_>) -> bool {
        let (Tree::Text(text) | Tree::Word(text)) = &*tree else { return false };
        let word = text.trim();
        let means_null = ["null", "none", "nil"].iter().any(|null| word.eq_ignore_ascii_case(null));
        let means_else = match shape {
            Shape::Text | Shape::Any | Shape::Union(_) => true,
            Shape::Choice(picks) => !matching(picks, word).is_empty(),
            _ => false,
        };
        if !means_null || means_else {
            return false;
        }
        self.repair(RepairKind::Null, tree.shown(), "null");
        *tree = Tree::Null;
        true
    }

    pub(super) fn boolean(&mut self, tree: &mut Tree<'_>) {
        self.lone(tree);
        let (Tree::Text(text) | Tree::Word(text)) = &*tree else { return };
        let word = text.trim();
        let value = if ["true", "yes", "on"].iter().any(|yes| word.eq_ignore_ascii_case(yes)) {
            true
        } else if ["false", "no", "off"].iter().any(|no| word.eq_ignore_ascii_case(no)) {
            false
        } else {
            return;
        };
        self.repair(RepairKind::Boolean, tree.shown(), value.to_string());
        *tree = Tree::Bool(value);
    }

    pub(super) fn integer(&mut self, tree: &mut Tree<'_>) {
        self.lone(tree);
        self.restate_number(tree);
        if let Tree::Text(text) | Tree::Word(text) = &*tree {
            let number = number::integer(text);
            self.number_read(tree, number, "a whole number with one reading");
        }
    }

    pub(super) fn number(&mut self, tree: &mut Tree<'_>) {
        self.lone(tree);
        if let Tree::Text(text) | Tree::Word(text) = &*tree {
            let number = number::decimal(text);
            self.number_read(tree, number, "a number with one reading");
        }
    }

    fn number_read(&mut self, tree: &mut Tree<'_>, number: Result<String, No>, wanted: &str) {
        match number {
            Ok(number) => {
                self.repair(RepairKind::Number, tree.shown(), &number);
                *tree = Tree::Number(Cow::Owned(number));
            }
            Err(No::OneReading) => self.doubt(wanted, tree.shown()),
            Err(No::Number) => {}
        }
    }

    pub(super) fn text(&mut self, tree: &mut Tree<'_>) {
        self.lone(tree);
        let text = match &*tree {
            Tree::Number(text) if self.is_as_written(tree) => text.clone(),
            // A bare number or date that JSON does not have: `007`, `2026-02-28`. Not a bare
            // name: that is a place to be filled in, or half of an expression.
            Tree::Word(text) if text.starts_with(|c: char| c.is_ascii_digit()) => text.clone(),
            _ => return,
        };
        let text = Cow::Owned(text.into_owned());
        let read = Tree::Text(text);
        self.repair(RepairKind::Text, tree.shown(), read.shown());
        *tree = read;
    }

    pub(super) fn choice(&mut self, tree: &mut Tree<'_>, picks: &[Pick<'_>]) {
        if picks.iter().any(|pick| pick.value == *tree) {
            return;
        }
        self.lone(tree);
        if let Tree::Object(entries) = &*tree {
            // `{"severity": "high"}`, or `{"high": null}` as serde writes a unit variant in a map.
            let inner = match entries.as_slice() {
                [(_, value @ (Tree::Text(_) | Tree::Word(_)))] => value.clone(),
                [(key, Tree::Null)] => Tree::Text(key.clone()),
                [(key, Tree::Object(none))] if none.is_empty() => Tree::Text(key.clone()),
                _ => return,
            };
            let (Tree::Text(name) | Tree::Word(name)) = &inner else { return };
            if matching(picks, name).len() != 1 {
                return;
            }
            self.repair(RepairKind::Wrapper, tree.shown(), inner.shown());
            *tree = inner;
            if picks.iter().any(|pick| pick.value == *tree) {
                return;
            }
        }
        if let Tree::Number(number) = &*tree
            && let Some(pick) = picks.iter().find(|pick| is_number(&pick.value, number))
        {
            self.repair(RepairKind::Number, tree.shown(), pick.value.shown());
            *tree = pick.value.clone().into_owned();
            return;
        }
        let name = match &*tree {
            Tree::Number(_) if !self.is_as_written(tree) => return,
            Tree::Text(text) | Tree::Word(text) | Tree::Number(text) => text.clone().into_owned(),
            Tree::Bool(value) => value.to_string(),
            _ => return,
        };
        match matching(picks, &name).as_slice() {
            [] => {}
            [pick] => {
                self.repair(RepairKind::Name, tree.shown(), pick.value.shown());
                *tree = pick.value.clone().into_owned();
            }
            several => {
                let names: Vec<_> = several.iter().map(|pick| pick.value.shown()).collect();
                self.doubt(format!("one of {}", names.join(", ")), tree.shown());
            }
        }
    }

    /// Whether a number stands in the reply like this. `+49` was read as 49 already, and as text that loses something.
    fn is_as_written(&self, number: &Tree<'_>) -> bool {
        matches!(number, Tree::Number(Cow::Borrowed(_))) || self.texts > 0
    }

    /// Takes a lone scalar out of a list of one, or from under a key that says nothing.
    pub(super) fn lone(&mut self, tree: &mut Tree<'_>) {
        let scalar = |tree: &Tree<'_>| !matches!(tree, Tree::List(_) | Tree::Object(_) | Tree::Null);
        let (kind, inner) = match tree {
            Tree::List(items) if items.len() == 1 && scalar(&items[0]) => (RepairKind::OneElement, &mut items[0]),
            Tree::Object(entries)
                if entries.len() == 1
                    && scalar(&entries[0].1)
                    && VALUE_KEYS.contains(&plain(&entries[0].0).as_str()) =>
            {
                (RepairKind::Wrapper, &mut entries[0].1)
            }
            _ => return,
        };
        let inner = std::mem::replace(inner, Tree::Null);
        let from = match kind {
            RepairKind::OneElement => format!("[{}]", inner.shown()),
            _ => format!("{{…: {}}}", inner.shown()),
        };
        self.repair(kind, from, inner.shown());
        *tree = inner;
    }
}

/// Whether a value is this number, in whatever notation.
fn is_number(value: &Tree<'_>, number: &str) -> bool {
    let Tree::Number(own) = value else { return false };
    match (number::whole(own), number::whole(number)) {
        (None, None) => own.parse::<f64>().ok() == number.parse().ok(),
        (own, number) => own == number,
    }
}

/// The values that a name means: as it is, else in another case, else with other separators.
pub(super) fn matching<'p>(picks: &'p [Pick<'p>], name: &str) -> Vec<&'p Pick<'p>> {
    let name = name.trim();
    let alike = |same: &dyn Fn(&str) -> bool| -> Vec<&'p Pick<'p>> {
        picks
            .iter()
            .filter(|pick| match &pick.value {
                Tree::Text(value) => same(value) || pick.aliases.iter().any(|alias| same(alias)),
                Tree::Number(value) => same(value),
                Tree::Bool(value) => same(if *value { "true" } else { "false" }),
                _ => false,
            })
            .collect()
    };
    let exact = alike(&|value| value == name);
    if !exact.is_empty() {
        return exact;
    }
    let by_case = alike(&|value| alike_but_for_case(value, name));
    if !by_case.is_empty() {
        return by_case;
    }
    let found = alike(&|value| alike_values(value, name));
    // Marks that say how a name is to be shown, and are no part of it.
    let shown = undecorated(name);
    if found.is_empty() && shown.len() < name.len() {
        return alike(&|value| alike_values(value, shown));
    }
    found
}

/// Whether two names differ in nothing but the case of their letters.
fn alike_but_for_case(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() { a.eq_ignore_ascii_case(b) } else { a.to_lowercase() == b.to_lowercase() }
}

/// A name without the quotes, the markup, the emoji and the full stop around it.
fn undecorated(name: &str) -> &str {
    let mark = |c: char| {
        c.is_whitespace()
            || is_invisible(c)
            || matches!(
                c,
                '"' | '\'' | '`' | '*' | '“' | '”' | '‘' | '’' | '\u{fe0f}' | '\u{2600}'..='\u{27bf}'
                    | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}'
            )
    };
    name.trim_matches(mark).trim_end_matches('.').trim_matches(mark)
}

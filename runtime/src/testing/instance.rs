//! An instance of a schema: a JSON value that remembers which part of the schema stands where.

use std::fmt;

use crate::check::Path;
use crate::schema::node::Schema;
use crate::schema::rules::Rules;

/// A JSON value that remembers what the schema says of each part of it.
#[derive(Debug, Clone)]
pub(crate) struct Instance {
    pub(crate) json: Json,
    pub(crate) place: Place,
}

/// A JSON value. Keys keep their order, and numbers their text.
#[derive(Debug, Clone)]
pub(crate) enum Json {
    Null,
    Boolean(bool),
    /// A number, as it is written.
    Number(String),
    Text(String),
    List(Vec<Instance>),
    Object(Vec<(String, Instance)>),
}

/// What the schema says of a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// The node of the value; no wrapper.
    pub(crate) node: &'static Schema,
    /// The rules on it: those of its type and those of its field.
    pub(crate) rules: Rules,
    /// Whether `null` could stand here.
    pub(crate) nullable: bool,
    /// What kinds of rules people put on it, on top of what its type brings.
    pub(crate) stated: Stated,
    /// What stands around it.
    pub(crate) around: Around,
}

/// What kinds of rules people put on a value: on its field, or on a newtype.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Stated {
    pub(crate) numbers: bool,
    pub(crate) text: bool,
    pub(crate) lists: bool,
}

impl Stated {
    pub(crate) fn add(&mut self, rules: &Rules) {
        self.numbers |= rules.speaks_of_numbers();
        self.text |= rules.speaks_of_text();
        self.lists |= rules.speaks_of_lists();
    }
}

/// What kinds of choice a value stands in.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Around {
    /// A value that breaks this form may fit another one.
    pub(crate) choice: bool,
    /// serde tries forms one after the other, so it does not report why one failed.
    pub(crate) trial: bool,
}

impl Instance {
    /// A value of a place.
    pub(crate) const fn new(json: Json, place: &Place) -> Self {
        Self { json, place: *place }
    }

    /// Calls `visit` with every part and where it stands, the whole first.
    pub(crate) fn each(&self, at: Path<'_>, visit: &mut dyn FnMut(&Self, Path<'_>)) {
        visit(self, at);
        match &self.json {
            Json::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    item.each(at.index(index), visit);
                }
            }
            Json::Object(members) => {
                for (key, member) in members {
                    member.each(at.key(key), visit);
                }
            }
            _ => {}
        }
    }

    /// The `n`-th part in the order of [`each`](Self::each).
    pub(crate) fn part_mut(&mut self, n: &mut usize) -> Option<&mut Self> {
        if *n == 0 {
            return Some(self);
        }
        *n -= 1;
        match &mut self.json {
            Json::List(items) => items.iter_mut().find_map(|item| item.part_mut(n)),
            Json::Object(members) => members.iter_mut().find_map(|(_, member)| member.part_mut(n)),
            _ => None,
        }
    }

    /// Where the part stands that is written at byte `offset` of the text.
    pub(crate) fn path_at(&self, offset: usize) -> String {
        let mut found = String::new();
        let mut text = Text::default();
        text.put(self, Path::ROOT, &mut |start, end, at| {
            // Parts are reported after what they contain, so the first that fits is the innermost.
            if found.is_empty() && (start..=end).contains(&offset) {
                found = at.to_string();
            }
        });
        found
    }
}

/// The JSON text: compact, keys in order.
impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::default();
        text.put(self, Path::ROOT, &mut |_, _, _| ());
        f.write_str(&text.0)
    }
}

/// JSON text in the making.
#[derive(Default)]
struct Text(String);

impl Text {
    /// Puts a value, and tells where each part begins and ends.
    fn put(&mut self, part: &Instance, at: Path<'_>, done: &mut dyn FnMut(usize, usize, Path<'_>)) {
        let start = self.0.len();
        match &part.json {
            Json::Null => self.0.push_str("null"),
            Json::Boolean(value) => self.0.push_str(if *value { "true" } else { "false" }),
            Json::Number(text) => self.0.push_str(text),
            Json::Text(text) => self.0.push_str(&quote(text)),
            Json::List(items) => {
                self.0.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.0.push(',');
                    }
                    self.put(item, at.index(index), done);
                }
                self.0.push(']');
            }
            Json::Object(members) => {
                self.0.push('{');
                for (index, (key, member)) in members.iter().enumerate() {
                    if index > 0 {
                        self.0.push(',');
                    }
                    self.0.push_str(&quote(key));
                    self.0.push(':');
                    self.put(member, at.key(key), done);
                }
                self.0.push('}');
            }
        }
        done(start, self.0.len(), at);
    }
}

/// Text as a JSON string.
pub(crate) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

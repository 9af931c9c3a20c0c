//! One thing that decoding changed, for the record.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::trail::Trail;

/// One thing that decoding changed, and where.
///
/// A reply that was JSON of the type has none. What stands around the value (prose, fences,
/// reasoning) is no change to it and is not recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Repair {
    /// Where in the value, in the names of the wire: `labels[3].name`. Empty for the whole.
    pub path: String,
    /// What kind of change it was.
    pub kind: RepairKind,
    /// What stood there, shortened.
    pub from: String,
    /// What it was read as, shortened.
    pub to: String,
    /// How many changes this stands for: one, unless there were a great many of the kind. Then the
    /// last record stands for those that are not listed, too.
    pub times: usize,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "`{}`: ", self.path)?;
        }
        let what = self.kind.words();
        match (self.from.as_str(), self.to.as_str()) {
            ("", "") => f.write_str(what),
            ("", to) => write!(f, "{what}: read as {to}"),
            (from, "") => write!(f, "{what}: {from} left out"),
            (from, to) => write!(f, "{what}: {from} read as {to}"),
        }?;
        if self.times > 1 { write!(f, " (and {} more)", self.times - 1) } else { Ok(()) }
    }
}

/// The changes so far.
///
/// Each is listed, up to a number of each kind that nobody will read; the rest is counted, so that
/// a large reply with a fault in every line costs no more memory than it should.
#[derive(Debug, Clone, Default)]
pub(super) struct Record {
    list: Vec<Repair>,
    /// Of each kind, how many are listed, and where the last of them stands; empty while it cannot matter.
    kinds: Vec<(RepairKind, usize, usize)>,
}

impl Record {
    const LISTED: usize = 100;

    pub(super) fn add(&mut self, path: &Trail<'_>, kind: RepairKind, from: impl Into<String>, to: impl Into<String>) {
        self.add_with(path, kind, || (from.into(), to.into()));
    }

    /// Adds a change whose words are made only if it is listed.
    pub(super) fn add_with(&mut self, path: &Trail<'_>, kind: RepairKind, words: impl FnOnce() -> (String, String)) {
        if self.is_open(kind) {
            let (from, to) = words();
            self.list.push(Repair { path: path.words(), kind, from, to, times: 1 });
        }
    }

    /// Adds those of a value that stood at `path` in this one.
    pub(super) fn append(&mut self, path: &Trail<'_>, other: Self) {
        for mut repair in other.list {
            if self.is_open(repair.kind) {
                repair.path = path.below(&repair.path);
                self.list.push(repair);
            }
        }
    }

    /// Whether the next change of this kind is to be listed; else counts it.
    fn is_open(&mut self, kind: RepairKind) -> bool {
        let next = self.list.len();
        if next < Self::LISTED {
            return true;
        }
        if self.kinds.is_empty() {
            self.count();
        }
        match self.kinds.iter_mut().find(|(known, ..)| *known == kind) {
            Some((_, listed, last)) if *listed == Self::LISTED => {
                self.list[*last].times += 1;
                false
            }
            Some((_, listed, last)) => {
                *listed += 1;
                *last = next;
                true
            }
            None => {
                self.kinds.push((kind, 1, next));
                true
            }
        }
    }

    fn count(&mut self) {
        for (at, repair) in self.list.iter().enumerate() {
            match self.kinds.iter_mut().find(|(known, ..)| *known == repair.kind) {
                Some((_, listed, last)) => (*listed, *last) = (*listed + 1, at),
                None => self.kinds.push((repair.kind, 1, at)),
            }
        }
    }

    pub(super) fn first(&self) -> Option<&Repair> {
        self.list.first()
    }

    pub(super) fn into_list(self) -> Vec<Repair> {
        self.list
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident $words:literal,)*) => {
        /// What kind of change a [`Repair`] was.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum RepairKind {
            $($(#[$doc])* $name,)*
        }

        impl RepairKind {
            /// The change in a few words, for reports.
            #[must_use]
            pub const fn words(self) -> &'static str {
                match self {
                    $(Self::$name => $words,)*
                }
            }
        }
    };
}

kinds! {
    /// A comma too many.
    ExtraComma "comma too many",
    /// A comma was missing between two members or elements.
    MissingComma "missing comma",
    /// `=`, `=>` or a full-width mark in place of `:` or `,`.
    Separator "unusual separator",
    /// Quotes other than `"` around a string or key.
    Quotes "unusual quotes",
    /// A key without quotes.
    BareKey "key without quotes",
    /// A word or number that JSON writes otherwise: `True`, `None`, `1_000`, `.5`, `0x1F`.
    Literal "unusual literal",
    /// A comment.
    Comment "comment",
    /// Whitespace that JSON does not know.
    Space "unusual space",
    /// A raw control character inside a string.
    Control "raw control character",
    /// A quote inside a string without its backslash.
    InnerQuote "quote without backslash",
    /// A string was written in pieces: `"a" + "b"`.
    Joined "string in pieces",
    /// A backslash inside a string that begins no JSON escape.
    Backslash "backslash without meaning",
    /// The last brace was missing, and nothing else.
    LastBrace "missing last brace",
    /// The same key twice with the same value.
    DuplicateKey "key twice",
    /// The whole was escaped or marked once more than it should be: HTML entities, backslashes,
    /// a block quote.
    Escaped "escaped once too often",
    /// A value was JSON text inside a string.
    Encoded "JSON inside a string",
    /// A value stood under one key too many, or in a tool call's envelope.
    Wrapper "one level too many",
    /// The `value` wrapper around a root that is no object was missing.
    Root "missing `value` around the whole",
    /// A list of one element stood for the element.
    OneElement "list around one value",
    /// One element stood for the list of it, or several values for the list of them.
    BareElement "missing list around the value",
    /// An object stood for the list of its keys and values.
    Entries "object for a list of `key` and `value`",
    /// A key in another case or with other separators, or an alias of it.
    Key "key spelled otherwise",
    /// A missing key was read as `null`.
    MissingNull "missing key",
    /// A name of an enum in another case, with other separators, or an alias of it.
    Name "name spelled otherwise",
    /// A number as text, or in another form: `"4"`, `"12,500"`, `4.0` for an integer.
    Number "number in another form",
    /// A boolean as a word.
    Boolean "word for a boolean",
    /// `null` as a word.
    Null "word for null",
    /// A number where the schema has text.
    Text "number for text",
    /// A variant of an enum in another shape than the schema's.
    Tagging "variant in another shape",
}

//! Rules as a dialect takes them: those that it enforces as keywords, the others as sentences.
//!
//! A rule is never dropped: what is not sent is told, and both are checked after parsing.

use super::name::write_name;
use super::node::{Doc, Kind};
use super::rules::{Bound, Rules};
use super::survey::{Entry, same_text};
use super::write::Writer;
use crate::dialect::pattern::Travel;
use crate::dialect::{Bounds, Ceilings, Dialect, Keywords};

/// The pattern of one character, whichever. Where it is not read, it is written as a length.
pub(crate) const ONE_CHARACTER: &str = r#""^[\\s\\S]$""#;

/// The rules of one value, as a dialect takes them.
pub(crate) struct Lowered {
    /// What stands in the schema.
    sent: Rules,
    /// Whether the pattern is sent with `\d` and `\w` spelled out.
    spelled: bool,
    /// What stands in the description.
    told: Rules,
}

impl Lowered {
    /// The rules of a value of this kind.
    pub(crate) const fn of(rules: &Rules, kind: Kind, dialect: &Dialect) -> Self {
        let mut lowered = Self { sent: *rules, spelled: false, told: Rules::new() };
        match kind {
            Kind::Integer => lowered.numbers(dialect.keywords.integers, true, dialect),
            Kind::Number => lowered.numbers(dialect.keywords.numbers, false, dialect),
            Kind::String => lowered.texts(dialect),
            _ => lowered.lists(dialect),
        }
        lowered
    }

    const fn lists(&mut self, dialect: &Dialect) {
        let Keywords { min_items, max_items, .. } = dialect.keywords;
        let Self { sent, told, .. } = self;
        if !min_items.sent() || above(sent.min_items, dialect.ceilings.min_items) {
            (told.min_items, sent.min_items) = (sent.min_items, None);
        }
        if !max_items.sent() || above(sent.max_items, dialect.ceilings.max_items) {
            (told.max_items, sent.max_items) = (sent.max_items, None);
        }
    }

    const fn numbers(&mut self, keywords: Bounds, integer: bool, dialect: &Dialect) {
        let ceilings = &dialect.ceilings;
        let Self { sent, told, .. } = self;
        let inclusive = keywords.inclusive.sent();
        if !inclusive || beyond(sent.minimum, integer, ceilings) {
            (told.minimum, sent.minimum) = (sent.minimum, None);
        }
        if !inclusive || beyond(sent.maximum, integer, ceilings) {
            (told.maximum, sent.maximum) = (sent.maximum, None);
        }
        let exclusive = keywords.exclusive.sent();
        if !exclusive || beyond(sent.exclusive_minimum, integer, ceilings) {
            (told.exclusive_minimum, sent.exclusive_minimum) = (sent.exclusive_minimum, None);
        }
        if !exclusive || beyond(sent.exclusive_maximum, integer, ceilings) {
            (told.exclusive_maximum, sent.exclusive_maximum) = (sent.exclusive_maximum, None);
        }
        if let Some(step) = sent.multiple_of
            && !(keywords.multiple_of.sent() && ceilings.hold_step(step.float))
        {
            (told.multiple_of, sent.multiple_of) = (sent.multiple_of, None);
        }
    }

    const fn texts(&mut self, dialect: &Dialect) {
        let Self { sent, told, spelled } = self;
        if !sent.pattern.is_empty() {
            let travel =
                if dialect.keywords.pattern.sent() { dialect.patterns.travel(sent.pattern) } else { Travel::Told };
            match travel {
                Travel::Whole => {}
                Travel::Spelled => *spelled = true,
                Travel::Told => {
                    if same_text(sent.pattern, ONE_CHARACTER) {
                        (sent.min_length, sent.max_length) = (Some(1), Some(1));
                    } else {
                        told.pattern = sent.pattern;
                    }
                    sent.pattern = "";
                }
            }
        }
        let together = dialect.patterns.beside_others;
        let pattern = !sent.pattern.is_empty();
        if !sent.format.is_empty() && ((pattern && !together) || !dialect.knows_format(sent.format)) {
            told.format = sent.format;
            sent.format = "";
        }
        let others = !together && (pattern || !sent.format.is_empty());
        let lengths = dialect.keywords.lengths.sent() && !others;
        if !lengths || above(sent.min_length, dialect.ceilings.length) {
            told.min_length = sent.min_length.take();
        }
        if !lengths || above(sent.max_length, dialect.ceilings.length) {
            told.max_length = sent.max_length.take();
        }
    }

    /// Puts the keywords.
    pub(crate) const fn put_keywords(&self, out: &mut Writer<'_>) {
        let sent = &self.sent;
        put_bound(out, ",\"minimum\":", sent.minimum);
        put_bound(out, ",\"maximum\":", sent.maximum);
        put_bound(out, ",\"exclusiveMinimum\":", sent.exclusive_minimum);
        put_bound(out, ",\"exclusiveMaximum\":", sent.exclusive_maximum);
        put_bound(out, ",\"multipleOf\":", sent.multiple_of);
        put_size(out, ",\"minLength\":", sent.min_length);
        put_size(out, ",\"maxLength\":", sent.max_length);
        if !sent.pattern.is_empty() {
            out.put(",\"pattern\":");
            if self.spelled {
                put_spelled(out, sent.pattern);
            } else {
                out.put(sent.pattern);
            }
        }
        if !sent.format.is_empty() {
            out.put(",\"format\":\"");
            out.put(sent.format);
            out.put("\"");
        }
        put_size(out, ",\"minItems\":", sent.min_items);
        put_size(out, ",\"maxItems\":", sent.max_items);
    }

    /// Puts the sentences behind a description.
    pub(crate) const fn put_sentences(&self, text: &mut Description<'_, '_>) {
        let told = &self.told;
        if let (Some(low), Some(high)) = (told.minimum, told.maximum) {
            text.sentence("Must be between ", low.text, " and ");
            text.end(high.text, ".");
        } else {
            say_bound(text, "Must be at least ", told.minimum);
            say_bound(text, "Must be at most ", told.maximum);
        }
        say_bound(text, "Must be more than ", told.exclusive_minimum);
        say_bound(text, "Must be less than ", told.exclusive_maximum);
        say_bound(text, "Must be a multiple of ", told.multiple_of);
        say_sizes(text, told.min_length, told.max_length, " character");
        if !told.pattern.is_empty() {
            text.sentence("Must match the regular expression ", "", "");
            text.out.put_inner(told.pattern, 1, 1);
            text.out.put(" .");
        }
        if !told.format.is_empty() {
            text.sentence("Must be in the format ", told.format, ".");
        }
        say_sizes(text, told.min_items, told.max_items, " element");
        if self.sent.distinct && (self.sent.min_items.is_some() || told.min_items.is_some()) {
            text.sentence("No two elements may be equal.", "", "");
        }
    }
}

/// A description in the making: `,"description":"…"`, or nothing if nothing is said.
pub(crate) struct Description<'a, 'b> {
    pub(crate) out: &'a mut Writer<'b>,
    open: bool,
}

impl<'a, 'b> Description<'a, 'b> {
    /// A description that begins with what people wrote.
    pub(crate) const fn of(doc: Doc, out: &'a mut Writer<'b>) -> Self {
        out.put(doc.joined());
        Self { out, open: !doc.is_none() }
    }

    /// A description of which a part is written already, without its closing quote, if `open`.
    pub(crate) const fn resume(open: bool, out: &'a mut Writer<'b>) -> Self {
        Self { out, open }
    }

    /// Leaves the description as it is, to be resumed; whether anything is said.
    pub(crate) const fn pause(self) -> bool {
        self.open
    }

    /// Puts what stands between what is said and what is to follow.
    pub(crate) const fn begin(&mut self, separator: &str) {
        self.out.put(if self.open { separator } else { Doc::LEAD });
        self.open = true;
    }

    const fn sentence(&mut self, words: &str, value: &str, end: &str) {
        self.begin(" ");
        self.out.put(words);
        self.end(value, end);
    }

    const fn end(&mut self, value: &str, end: &str) {
        self.out.put(value);
        self.out.put(end);
    }

    /// A line of its own about a part: "`name`: …".
    pub(crate) const fn about(&mut self, quoted: &str, front: usize, back: usize, said: &str) {
        self.begin("\\n");
        self.out.put("`");
        self.out.put_inner(quoted, front, back);
        self.out.put("`: ");
        self.out.put(said);
    }

    /// A line of its own about a type.
    pub(crate) const fn about_type(&mut self, entry: &Entry, said: Doc) {
        self.begin("\\n");
        self.out.put("`");
        write_name(entry.node(), self.out);
        if entry.suffix > 0 {
            self.out.put_number(entry.suffix);
        }
        self.out.put("`: ");
        self.out.put(said.escaped());
    }

    /// Puts the end.
    pub(crate) const fn close(self) {
        if self.open {
            self.out.put("\"");
        }
    }
}

impl Dialect {
    /// Whether a format is enforced.
    pub(crate) const fn knows_format(&self, format: &str) -> bool {
        let mut i = 0;
        while i < self.formats.len() {
            if same_text(self.formats[i], format) {
                return true;
            }
            i += 1;
        }
        self.keywords.unlisted_format.sent()
    }
}

const fn above(size: Option<u64>, ceiling: u64) -> bool {
    matches!(size, Some(size) if size > ceiling)
}

const fn beyond(bound: Option<Bound>, integer: bool, ceilings: &Ceilings) -> bool {
    matches!(bound, Some(Bound { whole, float, .. }) if !ceilings.hold_bound(integer, whole, float))
}

const fn put_bound(out: &mut Writer<'_>, keyword: &str, bound: Option<Bound>) {
    if let Some(bound) = bound {
        out.put(keyword);
        out.put(bound.text);
    }
}

const fn put_size(out: &mut Writer<'_>, keyword: &str, size: Option<u64>) {
    if let Some(size) = size {
        out.put(keyword);
        out.put_number(size as u128);
    }
}

/// A pattern, given as JSON text, with `\d` and `\w` as the characters that they stand for; at run time.
pub(crate) fn spelled(pattern: &str) -> String {
    super::write::to_string(|mut out| put_spelled(&mut out, pattern))
}

/// Puts a pattern with `\d` and `\w` as the characters that they stand for.
const fn put_spelled(out: &mut Writer<'_>, pattern: &str) {
    let bytes = pattern.as_bytes();
    let mut done = 0;
    let mut at = 0;
    let mut listing = false;
    while at < bytes.len() {
        let mut step = 1;
        match bytes[at] {
            b'[' => listing = true,
            b']' => listing = false,
            // An escape of JSON; of a pattern, where it is an escaped `\`.
            b'\\' if bytes[at + 1] == b'\\' => {
                step = if bytes[at + 2] == b'\\' { 4 } else { 3 };
                let spelled = match (bytes[at + 2], listing) {
                    (b'd', false) => "[0-9]",
                    (b'd', true) => "0-9",
                    (b'w', false) => "[A-Za-z0-9_]",
                    (b'w', true) => "A-Za-z0-9_",
                    _ => "",
                };
                if !spelled.is_empty() {
                    out.put_inner(pattern, done, bytes.len() - at);
                    out.put(spelled);
                    done = at + step;
                }
            }
            b'\\' => step = 2,
            _ => {}
        }
        at += step;
    }
    out.put_inner(pattern, done, 0);
}

const fn say_bound(text: &mut Description<'_, '_>, words: &str, bound: Option<Bound>) {
    if let Some(bound) = bound {
        text.sentence(words, bound.text, ".");
    }
}

const fn say_sizes(text: &mut Description<'_, '_>, least: Option<u64>, most: Option<u64>, what: &str) {
    let (words, from, to) = match (least, most) {
        (Some(least), Some(most)) if least == most => ("Must have exactly ", None, most),
        (Some(least), Some(most)) => ("Must have between ", Some(least), most),
        (Some(least), None) => ("Must have at least ", None, least),
        (None, Some(most)) => ("Must have at most ", None, most),
        (None, None) => return,
    };
    text.sentence(words, "", "");
    if let Some(from) = from {
        text.out.put_number(from as u128);
        text.out.put(" and ");
    }
    text.out.put_number(to as u128);
    text.end(what, if to == 1 { "." } else { "s." });
}

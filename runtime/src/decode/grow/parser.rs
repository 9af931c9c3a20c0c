//! Strict JSON, read as it comes.
//!
//! A token that the text ends inside of is read again once there is more; only texts, which may be long, are
//! taken up where they were left.

use super::shown::{Places, Shown, Sort};
use super::tree::{Content, Id, Tree};

/// Deeper than this is read by nobody.
const MOST_LEVELS: usize = 128;

#[derive(Debug, Clone)]
pub(super) struct Parser {
    start: usize,
    at: usize,
    open: Vec<Open>,
    next: Next,
    /// Whether the value goes into the tree: from the first key on that the schema knows.
    visible: bool,
    /// What the schema says about the text that is being read, if it may be one of a list of values.
    choice: Option<Places>,
}

/// An object or list that has begun.
#[derive(Debug, Clone)]
struct Open {
    object: bool,
    /// Its node, if it is visible.
    id: Option<Id>,
    /// What the schema says about this place.
    places: Places,
    /// The key whose value comes next.
    key: Option<Box<str>>,
    empty: bool,
    /// An element was not shown, so those behind it would stand in the wrong place.
    stopped: bool,
}

/// What the grammar has next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// A value.
    Value,
    /// The first member or element, or the end.
    First,
    /// A key.
    Key,
    /// A colon.
    Colon,
    /// A comma, or the end.
    Comma,
    /// The rest of a text.
    Text(Option<Id>),
}

/// How far the text went.
pub(super) enum Step {
    /// To its end.
    Wait,
    /// A value has come into sight, and there may be more to read. Another may have been in its place.
    Shown { another: bool },
    /// The value ends here.
    Done(usize),
    /// What began at `start` is no JSON, as is plain at `at`.
    Fault { start: usize, at: usize },
}

/// Why the parser stops.
enum Stop {
    Wait,
    Fault,
    Shown { another: bool },
}

impl Parser {
    /// A parser for the value whose bracket stands at `start`.
    pub(super) fn at(start: usize) -> Self {
        Self { start, at: start, open: Vec::new(), next: Next::Value, visible: false, choice: None }
    }

    /// Reads on to the end of the text.
    pub(super) fn run(&mut self, text: &str, tree: &mut Tree, shown: &mut Shown) -> Step {
        loop {
            match self.token(text, tree, shown) {
                Ok(()) if self.open.is_empty() => return Step::Done(self.at),
                Ok(()) => {}
                Err(Stop::Wait) => return Step::Wait,
                Err(Stop::Shown { another }) => return Step::Shown { another },
                Err(Stop::Fault) => return Step::Fault { start: self.start, at: self.at },
            }
        }
    }

    fn token(&mut self, text: &str, tree: &mut Tree, shown: &mut Shown) -> Result<(), Stop> {
        if let Next::Text(id) = self.next {
            return self.rest_of_text(text, id, tree, shown);
        }
        let bytes = text.as_bytes();
        self.at += bytes[self.at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
        let byte = *bytes.get(self.at).ok_or(Stop::Wait)?;
        match (self.next, byte) {
            (Next::Value | Next::First, b'{' | b'[') if self.next == Next::Value || !self.in_object() => {
                self.container(byte == b'{', tree, shown)
            }
            (Next::First | Next::Comma, b'}' | b']') => self.close(byte == b'}', tree, shown),
            (Next::First | Next::Key, b'"') if self.in_object() => self.key(text, tree, shown),
            (Next::Value | Next::First, _) if self.next == Next::Value || !self.in_object() => {
                self.scalar(text, byte, tree, shown)
            }
            (Next::Colon, b':') => {
                self.go(Next::Value);
                Ok(())
            }
            (Next::Comma, b',') => {
                self.go(if self.in_object() { Next::Key } else { Next::Value });
                Ok(())
            }
            _ => Err(Stop::Fault),
        }
    }

    /// Over one byte, to what comes next.
    fn go(&mut self, next: Next) {
        self.at += 1;
        self.next = next;
    }

    fn in_object(&self) -> bool {
        self.open.last().is_some_and(|open| open.object)
    }

    /// Begins a value: what the schema says about its place, and under which key it stands; `None` if it is not shown.
    fn begin(&mut self, shown: &Shown) -> Option<(Option<Box<str>>, Places)> {
        let visible = self.visible;
        let parent = self.open.last_mut()?;
        parent.empty = false;
        let key = parent.key.take();
        if !visible || parent.id.is_none() || parent.stopped {
            return None;
        }
        let places = match &key {
            Some(key) => shown.member(&parent.places, key),
            None => shown.item(&parent.places),
        };
        Some((key, places))
    }

    /// A node for a value that begins here, if the schema has room for it.
    fn node(&mut self, key: Option<Box<str>>, content: Content, seen: bool, fits: bool, tree: &mut Tree) -> Option<Id> {
        if fits {
            let parent = self.open.last().and_then(|open| open.id);
            Some(tree.begin(parent, key, self.at, content, seen))
        } else {
            self.stop();
            None
        }
    }

    /// What comes next in a list is not shown any more.
    fn stop(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.stopped = !open.object;
        }
    }

    fn container(&mut self, object: bool, tree: &mut Tree, shown: &Shown) -> Result<(), Stop> {
        if self.open.len() == MOST_LEVELS {
            return Err(Stop::Fault);
        }
        let (mut id, mut places) = (None, if self.open.is_empty() { shown.root() } else { Places::default() });
        if let Some((key, here)) = self.begin(shown) {
            let (content, sort) = if object {
                (Content::Object(Vec::new()), Sort::Object)
            } else {
                (Content::List(Vec::new()), Sort::List)
            };
            id = self.node(key, content, true, shown.admits(&here, sort), tree);
            places = here;
        }
        self.open.push(Open { object, id, places, key: None, empty: true, stopped: false });
        self.go(Next::First);
        Ok(())
    }

    fn close(&mut self, object: bool, tree: &mut Tree, shown: &Shown) -> Result<(), Stop> {
        if self.in_object() != object {
            return Err(Stop::Fault);
        }
        if object && self.open.len() == 1 && self.open[0].empty && shown.is_empty() && !self.visible {
            return Err(self.come_into_sight(tree));
        }
        self.at += 1;
        if let Some(id) = self.open.pop().and_then(|open| open.id) {
            tree.finish(id, self.at);
        }
        self.next = Next::Comma;
        Ok(())
    }

    /// The value at the root is the one that is meant, as far as can be told.
    fn come_into_sight(&mut self, tree: &mut Tree) -> Stop {
        let another = tree.root().is_some();
        tree.clear();
        self.visible = true;
        self.open[0].id = Some(tree.begin(None, None, self.start, Content::Object(Vec::new()), true));
        Stop::Shown { another }
    }

    fn key(&mut self, text: &str, tree: &mut Tree, shown: &Shown) -> Result<(), Stop> {
        let (length, plain) = string_length(&text.as_bytes()[self.at..])?;
        let written = &text[self.at..self.at + length];
        let key: Box<str> = if plain {
            written[1..length - 1].into()
        } else {
            serde_json::from_str(written).map_err(|_| Stop::Fault)?
        };
        self.at += length;
        self.next = Next::Colon;
        let known = self.open.len() == 1 && !self.visible && shown.knows(&key);
        if let Some(open) = self.open.last_mut() {
            open.key = Some(key);
        }
        if known { Err(self.come_into_sight(tree)) } else { Ok(()) }
    }

    fn scalar(&mut self, text: &str, byte: u8, tree: &mut Tree, shown: &Shown) -> Result<(), Stop> {
        if byte == b'"' {
            let id = self.begin(shown).and_then(|(key, places)| {
                let (fits, grows) = (shown.admits(&places, Sort::Text), shown.grows(&places));
                if !grows {
                    self.choice = Some(places);
                }
                self.node(key, Content::Plain, grows, fits, tree)
            });
            self.go(Next::Text(id));
            return Ok(());
        }
        let rest = &text[self.at..];
        let length = rest.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(byte)).count();
        // Whether a number goes on is seen at what follows it only.
        if length == rest.len() && length < MOST_LEVELS {
            return Err(Stop::Wait);
        }
        let token = &rest[..length];
        if !is_scalar(token) {
            return Err(Stop::Fault);
        }
        let id = self
            .begin(shown)
            .and_then(|(key, places)| self.node(key, Content::Scalar, false, shown.takes(&places, token), tree));
        self.at += length;
        if let Some(id) = id {
            tree.finish(id, self.at);
        }
        self.next = Next::Comma;
        Ok(())
    }

    /// Takes as much of a text as there is.
    fn rest_of_text(&mut self, text: &str, id: Option<Id>, tree: &mut Tree, shown: &Shown) -> Result<(), Stop> {
        let bytes = text.as_bytes();
        loop {
            let plain = bytes[self.at..].iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f)).count();
            if let Some(id) = id {
                tree.grow(id, &text[self.at..self.at + plain], self.at + plain);
            }
            self.at += plain;
            match bytes.get(self.at) {
                None => return Err(Stop::Wait),
                Some(b'"') => break,
                Some(b'\\') => {
                    let (c, length) = escape(&bytes[self.at..])?;
                    self.at += length;
                    if let Some(id) = id {
                        tree.unescape(id, c, self.at, text);
                    }
                }
                Some(_) => return Err(Stop::Fault),
            }
        }
        self.at += 1;
        let choice = self.choice.take();
        if let Some(id) = id {
            if choice.is_some_and(|places| !tree.node(id).text(text).is_some_and(|text| shown.holds(&places, text))) {
                tree.take_back(id);
                self.stop();
            } else {
                tree.finish(id, self.at);
            }
        }
        self.next = Next::Comma;
        Ok(())
    }
}

/// Whether a token is a number, `true`, `false` or `null`.
fn is_scalar(token: &str) -> bool {
    matches!(token, "true" | "false" | "null") || is_number(token.as_bytes())
}

/// Whether these bytes are a number as JSON has them.
fn is_number(bytes: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    let mut rest = &rest[whole..];
    if let Some(behind) = rest.strip_prefix(b".") {
        let fraction = digits(behind);
        if fraction == 0 {
            return false;
        }
        rest = &behind[fraction..];
    }
    if let [b'e' | b'E', behind @ ..] = rest {
        let behind = behind.strip_prefix(b"+").or_else(|| behind.strip_prefix(b"-")).unwrap_or(behind);
        let exponent = digits(behind);
        return exponent > 0 && exponent == behind.len();
    }
    rest.is_empty()
}

/// How long the string is that begins with this quote, and whether it stands for itself.
fn string_length(bytes: &[u8]) -> Result<(usize, bool), Stop> {
    let (mut at, mut plain) = (1, true);
    loop {
        at += bytes[at.min(bytes.len())..].iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f)).count();
        match bytes.get(at) {
            None => return Err(Stop::Wait),
            Some(b'"') => return Ok((at + 1, plain)),
            Some(b'\\') => {
                plain = false;
                at += 2;
            }
            Some(_) => return Err(Stop::Fault),
        }
    }
}

/// The character that an escape stands for, and how long the escape is.
fn escape(bytes: &[u8]) -> Result<(char, usize), Stop> {
    let simple = match bytes.get(1).ok_or(Stop::Wait)? {
        b'n' => '\n',
        b't' => '\t',
        b'r' => '\r',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        c @ (b'"' | b'\\' | b'/') => char::from(*c),
        b'u' => {
            let high = unit(bytes.get(2..6).ok_or(Stop::Wait)?)?;
            if let Some(c) = char::from_u32(high) {
                return Ok((c, 6));
            }
            let mark = bytes.get(6..8).ok_or(Stop::Wait)?;
            let low = unit(bytes.get(8..12).ok_or(Stop::Wait)?)?;
            let pair = mark == b"\\u" && (0xd800..0xdc00).contains(&high) && (0xdc00..0xe000).contains(&low);
            let c = pair.then(|| char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00))).flatten();
            return c.map(|c| (c, 12)).ok_or(Stop::Fault);
        }
        _ => return Err(Stop::Fault),
    };
    Ok((simple, 2))
}

/// Four hexadecimal digits.
fn unit(digits: &[u8]) -> Result<u32, Stop> {
    digits
        .iter()
        .try_fold(0, |unit, digit| char::from(*digit).to_digit(16).map(|digit| unit * 16 + digit))
        .ok_or(Stop::Fault)
}

//! Objects and lists: their keys, and what stands between their members.

use std::borrow::Cow;

use super::{Parser, Place, Step, Stop};
use crate::decode::repair::RepairKind;
use crate::decode::tree::{Entry, Tree};

impl<'t> Parser<'t> {
    pub(super) fn object(&mut self) -> Step<Tree<'t>> {
        let mut entries = Vec::with_capacity(self.members);
        let stop = match self.entries(&mut entries) {
            Ok(()) => return Ok(Tree::Object(entries)),
            Err(stop) => stop,
        };
        if self.depth == 1 {
            self.keys = entries.into_iter().map(|(key, _)| key).take(64).collect();
        }
        Err(stop)
    }

    fn entries(&mut self, entries: &mut Vec<Entry<'t>>) -> Step<()> {
        let mut comma = None;
        loop {
            self.space()?;
            if self.closes_with('}', '｝')? {
                self.extra_comma(comma);
                self.members = entries.len().min(64);
                return Ok(());
            }
            if self.bytes.get(self.at) == Some(&b',') {
                self.extra_comma(Some(self.at));
                self.at += 1;
                continue;
            }
            let quoted = self.quote().is_some();
            let key = self.key()?;
            self.space()?;
            self.colon()?;
            self.committed |= quoted;
            self.space()?;
            self.path.enter_key(key.clone());
            entries.push((key, Tree::Null));
            let value = self.value(Place::Member)?;
            self.committed |= !matches!(value, Tree::Word(_));
            self.path.leave();
            if let Some((_, place)) = entries.last_mut() {
                *place = value;
            }
            comma = self.between('}', entries, |entries| Tree::Object(std::mem::take(entries)))?;
        }
    }

    pub(super) fn list(&mut self) -> Step<Tree<'t>> {
        let mut items = Vec::new();
        let mut comma = None;
        loop {
            self.space()?;
            if self.closes_with(']', '］')? {
                self.extra_comma(comma);
                return Ok(Tree::List(items));
            }
            self.path.enter_index(items.len());
            let value = self.value(Place::Element)?;
            self.path.leave();
            // `[1]`, `[32m` and `[see …]` are common in prose; a string or a second number is not.
            self.committed |= !matches!(value, Tree::Word(_)) && (items.len() > 1 || !matches!(value, Tree::Number(_)));
            items.push(value);
            comma = self.between(']', &mut items, |_| Tree::Null)?;
        }
    }

    /// Reads what stands between two members: a comma, or what means one. Answers where.
    #[inline]
    fn between<E>(&mut self, close: char, so_far: &mut E, whole: fn(&mut E) -> Tree<'t>) -> Step<Option<usize>> {
        let line = self.at;
        self.space()?;
        let at = self.at;
        match self.bytes.get(at) {
            None => {
                if close == '}' && self.depth == 1 {
                    self.unclosed = Some(whole(so_far));
                }
                Err(Stop::End)
            }
            Some(b',') => {
                self.at += 1;
                Ok(Some(at))
            }
            Some(b'}' | b']') => Ok(None),
            Some(b';') => Ok(Some(self.separator(","))),
            Some(_) if self.mark('，') || self.mark('、') || self.mark('；') => Ok(Some(self.separator(","))),
            Some(_) if self.mark('｝') || self.mark('］') => Ok(None),
            Some(_) => {
                let new_line = self.text[line..at].contains('\n');
                let next_begins = if close == '}' {
                    self.key_at(at)
                } else {
                    // Side by side, two strings or numbers may be one that was split; a bracket may not.
                    matches!(self.bytes[at], b'{' | b'[') || new_line && self.value_at(at)
                };
                if !next_begins {
                    return Err(self.fault(if close == '}' { "`,` or `}`" } else { "`,` or `]`" }));
                }
                self.repair(RepairKind::MissingComma, "", ",");
                Ok(None)
            }
        }
    }

    /// Whether the container ends here; goes past its closing bracket.
    #[inline]
    fn closes_with(&mut self, close: char, wide: char) -> Step<bool> {
        match self.bytes.get(self.at) {
            None => Err(Stop::End),
            Some(byte) if char::from(*byte) == close => {
                self.at += 1;
                Ok(true)
            }
            Some(_) if self.mark(wide) => {
                self.separator(close.encode_utf8(&mut [0; 4]));
                Ok(true)
            }
            Some(_) => Ok(false),
        }
    }

    #[inline]
    fn extra_comma(&mut self, comma: Option<usize>) {
        if comma.is_some() {
            self.repair(RepairKind::ExtraComma, ",", "");
        }
    }

    #[inline]
    fn key(&mut self) -> Step<Cow<'t, str>> {
        if let Some(quote) = self.quote() {
            return self.string(&quote, Place::Key);
        }
        let end = self.bare_key_end(self.at);
        if end == self.at {
            return Err(self.fault("a key in quotes"));
        }
        // Nothing is recorded before the colon: `{name}` in prose is common.
        if !self.key_at(self.at) {
            self.at = end;
            return if self.odd_space_end(end) == self.text.len() { Err(Stop::End) } else { Err(self.fault("`:`")) };
        }
        let key = &self.text[self.at..end];
        self.at = end;
        self.repairs.add_with(&self.path, RepairKind::BareKey, || (key.to_owned(), format!("\"{key}\"")));
        Ok(Cow::Borrowed(key))
    }

    #[inline]
    fn colon(&mut self) -> Step<()> {
        match self.bytes.get(self.at) {
            None => Err(Stop::End),
            Some(b':') => {
                self.at += 1;
                Ok(())
            }
            Some(b'=') => {
                let arrow = self.bytes.get(self.at + 1) == Some(&b'>');
                self.repair(RepairKind::Separator, if arrow { "=>" } else { "=" }, ":");
                self.at += 1 + usize::from(arrow);
                Ok(())
            }
            Some(_) if self.mark('：') => {
                self.separator(":");
                Ok(())
            }
            Some(_) => Err(self.fault("`:`")),
        }
    }

    /// Reads an unusual separator as `to`; answers where it stood.
    fn separator(&mut self, to: &str) -> usize {
        let (at, end) = (self.at, self.at + self.width());
        let from = &self.text[at..end];
        self.repair(RepairKind::Separator, from, to);
        self.at = end;
        at
    }
}

//! Leads a model out of values that it cannot end by itself.
//!
//! Greedy decoding of a small model loops: it writes the same sentence, digit or list item again
//! and again, and the mask, which allows a string of any length, does not mind. Three soft
//! budgets stop this without cutting anything off: past them the scores of the tokens that
//! close the value rise with each further token, so that the value ends at the first place
//! where the model itself finds an end half likely. A string that has begun to repeat itself counts as past
//! its budget at once. Nothing is ever closed against the mask: a `minLength` or a pattern
//! still holds. The hard limit stays `max_tokens`, where a reply is reported as cut short.
//!
//! There is no repetition penalty: extraction is copying, and a penalty on tokens already
//! written garbles version numbers and identifiers.

/// Tokens of a number before it counts as running away.
const NUMBER_TOKENS: usize = 12;
/// Items of one list before it counts as running away.
const LIST_ITEMS: usize = 12;
/// Open objects and lists before the nesting counts as running away: as deep as ten objects in
/// one another, the most that strict providers take, with some lists between them.
const DEPTH: usize = 14;
/// Longest repeated phrase that is looked for, in tokens.
const LONGEST_PHRASE: usize = 24;
/// How often a phrase must stand in a row to count as a loop.
const REPEATS: usize = 3;
/// What each token past a budget adds to the scores of closing tokens.
const PUSH: f32 = 0.75;
/// An item or a level past its budget weighs as much as this many tokens.
const LARGE: usize = 8;

/// Follows the JSON text of a reply, token by token.
#[derive(Debug)]
pub(super) struct Lean {
    string_tokens: usize,
    /// Items begun in each open list; `None` for an object.
    open: Vec<Option<usize>>,
    inside: Inside,
    /// Tokens of the open value.
    value: Vec<u32>,
    /// All tokens, and whether a text begins or ends in them.
    reply: Vec<(u32, bool)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inside {
    String { escaped: bool },
    Number,
    Structure,
}

impl Lean {
    /// `string_tokens` is the soft budget of one string.
    pub(super) fn new(string_tokens: usize) -> Self {
        Self { string_tokens, open: Vec::new(), inside: Inside::Structure, value: Vec::new(), reply: Vec::new() }
    }

    /// Takes the bytes of a token.
    pub(super) fn take(&mut self, token: u32, bytes: &[u8]) {
        for byte in bytes {
            self.step(*byte);
        }
        if self.inside != Inside::Structure {
            self.value.push(token);
        }
        self.reply.push((token, bytes.contains(&b'"')));
    }

    fn step(&mut self, byte: u8) {
        match (self.inside, byte) {
            (Inside::String { escaped: true }, _) => self.inside = Inside::String { escaped: false },
            (Inside::String { .. }, b'\\') => self.inside = Inside::String { escaped: true },
            (Inside::String { .. }, b'"') => self.inside = Inside::Structure,
            (Inside::String { .. }, _) | (Inside::Number, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') => {}
            (_, b'"') => self.open_value(Inside::String { escaped: false }),
            (_, b'0'..=b'9' | b'-') => self.open_value(Inside::Number),
            (_, other) => {
                self.inside = Inside::Structure;
                match other {
                    b'[' => self.open.push(Some(1)),
                    b'{' => self.open.push(None),
                    b']' | b'}' => drop(self.open.pop()),
                    b',' => {
                        if let Some(Some(items)) = self.open.last_mut() {
                            *items += 1;
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn open_value(&mut self, inside: Inside) {
        self.inside = inside;
        self.value.clear();
    }

    /// How many tokens the open value is past its budget.
    fn value_excess(&self) -> usize {
        match self.inside {
            Inside::Structure => 0,
            Inside::Number => self.value.len().saturating_sub(NUMBER_TOKENS),
            Inside::String { .. } => {
                let long = self.value.len().saturating_sub(self.string_tokens);
                long.max(looped(&self.value))
            }
        }
    }

    /// How much too long the open list is, in tokens.
    fn list_excess(&self) -> usize {
        match self.open.last() {
            Some(Some(items)) => {
                let long = items.saturating_sub(LIST_ITEMS) * LARGE;
                let same = looped(&self.reply);
                let texts = self.reply.iter().rev().take(same).any(|(_, quotes)| *quotes);
                long.max(if texts { same } else { 0 })
            }
            _ => 0,
        }
    }

    /// How much too deep the open place is, in tokens.
    fn depth_excess(&self) -> usize {
        self.open.len().saturating_sub(DEPTH) * LARGE
    }

    /// Whether anything is past its budget.
    pub(super) fn is_felt(&self) -> bool {
        self.value_excess() + self.list_excess() + self.depth_excess() > 0
    }

    /// What to add to the score of a token with these bytes.
    pub(super) fn bias(&self, bytes: &[u8]) -> f32 {
        let first = bytes.first().copied();
        let ends_value = match self.inside {
            Inside::String { escaped } => !escaped && first == Some(b'"'),
            Inside::Number | Inside::Structure => first.is_some_and(is_structure),
        };
        // A token that ends the value and begins the next item at once does not end the list.
        let ends_list = ends_value && !bytes.contains(&b',');
        let opens = !matches!(self.inside, Inside::String { .. }) && self.opens(bytes);
        let mut push = 0;
        if ends_value && (ends_list || self.list_excess() == 0) {
            push += self.value_excess();
        }
        if ends_list {
            push += self.list_excess();
        }
        if !opens {
            push += self.depth_excess();
        }
        #[allow(clippy::cast_precision_loss, reason = "a few thousand at most")]
        let push = push as f32;
        push * PUSH
    }

    /// Whether the bytes leave more open than they close; texts in them do not count.
    fn opens(&self, bytes: &[u8]) -> bool {
        let mut after = Self { open: self.open.clone(), value: Vec::new(), reply: Vec::new(), ..*self };
        for byte in bytes {
            after.step(*byte);
        }
        after.open.len() > self.open.len()
    }
}

/// How many tokens at the end of the text repeat a phrase, if one stands there often enough.
fn looped<T: PartialEq>(text: &[T]) -> usize {
    (1..=LONGEST_PHRASE)
        .map(|length| {
            let late = text.iter().rev();
            let same = late.clone().zip(late.skip(length)).take_while(|(a, b)| a == b).count();
            // `same` tokens repeat what stood `length` before: a phrase and its copies.
            if same >= length * (REPEATS - 1) { same } else { 0 }
        })
        .max()
        .unwrap_or(0)
}

/// Ends a value outside of strings.
fn is_structure(byte: u8) -> bool {
    matches!(byte, b',' | b']' | b'}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(budget: usize, pieces: &[&str]) -> Lean {
        let mut lean = Lean::new(budget);
        for (token, piece) in (0..).zip(pieces) {
            lean.take(token, piece.as_bytes());
        }
        lean
    }

    #[test]
    fn a_string_within_its_budget_is_left_alone() {
        assert!(!after(4, &["{\"", "a", "\":", " \"", "b", "c", "d"]).is_felt());
        assert!(after(4, &["{\"a\": \"", "b", "c", "d", "e", "f"]).is_felt());
    }

    #[test]
    fn a_new_string_begins_a_new_budget() {
        assert!(!after(3, &["{\"a\": \"", "b", "c", "d", "e", "\", \"", "b"]).is_felt());
    }

    #[test]
    fn closing_is_a_bare_quote_and_never_an_escaped_one() {
        let lean = after(1, &["\"", "a", "b"]);
        assert!(lean.bias(b"\"") > 0.0 && lean.bias(b"\",") > 0.0);
        assert!(lean.bias(b"a\"") <= 0.0);
        let lean = after(1, &["\"", "a", "\\"]);
        assert!(lean.bias(b"\"") <= 0.0);
    }

    #[test]
    fn an_escaped_quote_does_not_begin_a_new_budget() {
        assert!(after(2, &["\"", "a", "\\\"", "b"]).is_felt());
    }

    #[test]
    fn a_loop_counts_as_past_the_budget() {
        let mut lean = Lean::new(1000);
        lean.take(0, b"\"");
        for _ in 0..3 {
            assert!(!lean.is_felt());
            lean.take(1, b" no");
            lean.take(2, b" way");
        }
        assert!(lean.is_felt());
    }

    #[test]
    fn a_long_list_leans_towards_its_end() {
        let mut lean = Lean::new(50);
        lean.take(0, b"[");
        for token in 1..20 {
            lean.take(token, b"1");
            assert!(lean.is_felt() == (token > 12), "{token}");
            lean.take(token, b", ");
        }
        lean.take(30, b"1");
        assert!(lean.bias(b"]") > lean.bias(b", "));
    }

    #[test]
    fn a_list_of_the_same_text_leans_towards_its_end_but_numbers_may_repeat() {
        let mut lean = Lean::new(50);
        lean.take(0, b"[\"");
        for _ in 0..3 {
            lean.take(1, b"Luna");
            assert!(!lean.is_felt());
            lean.take(2, b"\", \"");
        }
        lean.take(1, b"Luna");
        assert!(lean.bias(b"\"]") > lean.bias(b"\", \""));
        assert!(!after(50, &["[", "0", ", ", "0", ", ", "0", ", ", "0", ", ", "0"]).is_felt());
    }

    #[test]
    fn deep_nesting_leans_towards_what_opens_nothing() {
        let mut lean = Lean::new(50);
        for token in 0..10 {
            lean.take(token, b"{\"a\": [");
        }
        assert!(lean.is_felt());
        assert!(lean.bias(b"]") > lean.bias(b"{\""));
        assert!(lean.bias(b"[]") > lean.bias(b"[{"));
    }
}

//! Bytes of tokens to text: a token may end in the middle of a character.

/// Collects a reply and hands it on in whole characters.
pub(super) struct Assembler<'a> {
    on_text: &'a mut (dyn FnMut(&str) + Send),
    text: String,
    /// The beginning of a character whose rest has not come yet.
    partial: Vec<u8>,
}

impl<'a> Assembler<'a> {
    pub(super) fn new(on_text: &'a mut (dyn FnMut(&str) + Send)) -> Self {
        Self { on_text, text: String::new(), partial: Vec::new() }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.partial.extend_from_slice(bytes);
        let mut fresh = String::new();
        let mut rest: &[u8] = &self.partial;
        while !rest.is_empty() {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    fresh.push_str(text);
                    rest = &[];
                }
                Err(fault) => {
                    let (whole, after) = rest.split_at(fault.valid_up_to());
                    fresh.push_str(&String::from_utf8_lossy(whole));
                    rest = after;
                    // `None`: more bytes may complete it. Else it can never become a character.
                    let Some(length) = fault.error_len() else {
                        break;
                    };
                    fresh.push(char::REPLACEMENT_CHARACTER);
                    rest = &rest[length..];
                }
            }
        }
        self.partial = rest.to_vec();
        if !fresh.is_empty() {
            (self.on_text)(&fresh);
            self.text.push_str(&fresh);
        }
    }

    /// The whole text. Half a character at the end is left out: the reply was cut there.
    pub(super) fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_split_over_tokens_come_whole() {
        let mut heard = Vec::new();
        let mut on_text = |piece: &str| heard.push(piece.to_owned());
        let mut text = Assembler::new(&mut on_text);
        for piece in [&b"a\xc3"[..], b"\xa9", b"\xff", b"b\xe2\x82"] {
            text.push(piece);
        }
        assert_eq!(text.finish(), "aé\u{fffd}b");
        assert_eq!(heard, ["a", "é", "\u{fffd}", "b"]);
    }
}

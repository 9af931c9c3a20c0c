//! Builds a tokenizer from the tokens and merges that a GGUF file carries.
//!
//! Only byte-level BPE, the family of Llama 3, `SmolLM2` and GPT-2. What a file does not carry
//! is how text is cut into words before the merges apply; it only names it
//! (`tokenizer.ggml.pre`), so the names stand in a table here, and an unknown one is refused: a
//! wrong cut gives wrong tokens and a model that is mysteriously worse.
//!
//! Control tokens (`<|im_end|>`) are deliberately not known to the BPE pipeline: text forced by a
//! schema can never turn into one. Those of a rendered chat template are recognised by
//! [`Vocabulary::encode_template`] alone.

use std::sync::Arc;

use tokenizers::models::bpe::{BPE, Vocab};
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{PreTokenizerWrapper, SplitDelimiterBehavior, Tokenizer};
use toktrie::{TokEnv, TokRxInfo, TokTrie, TokenId, TokenizerEnv};

use super::error::ModelError;
use super::gguf::{Gguf, whole};

/// Kinds of token, as GGUF numbers them.
const NORMAL: usize = 1;
const USER_DEFINED: usize = 4;

/// Tokens, and the ways between them and text.
#[derive(Clone)]
pub(super) struct Vocabulary {
    environment: TokEnv,
    /// Ends of a reply.
    ends: Vec<TokenId>,
    /// Control tokens, longest text first.
    controls: Arc<[(String, TokenId)]>,
    begin: Option<TokenId>,
    add_begin: bool,
}

impl Vocabulary {
    pub(super) fn read(gguf: &Gguf) -> Result<Self, ModelError> {
        let model = gguf.text("tokenizer.ggml.model").unwrap_or("(unnamed)");
        if model != "gpt2" {
            return Err(ModelError::unsupported(format!(
                "model file `{}`: tokenizer `{model}` is not supported, only byte-level BPE \
                 (`gpt2`) is; use a model of the Llama 3 or SmolLM family",
                gguf.path().display()
            )));
        }
        let tokens = texts(gguf, "tokenizer.ggml.tokens")?;
        let merges = texts(gguf, "tokenizer.ggml.merges")?;
        let kinds: Vec<usize> = gguf
            .array("tokenizer.ggml.token_type")
            .map(|kinds| kinds.iter().map(|kind| whole(kind).unwrap_or(NORMAL)).collect())
            .unwrap_or_default();
        let kind_of = |index: usize| kinds.get(index).copied().unwrap_or(NORMAL);

        let size = tokens.len();
        let token = |key: &str| gguf.number(key).filter(|id| *id < size).and_then(|id| TokenId::try_from(id).ok());
        let end = token("tokenizer.ggml.eos_token_id")
            .ok_or_else(|| ModelError::file(gguf.path(), "names no end token (`tokenizer.ggml.eos_token_id`)"))?;
        let mut ends = vec![end];
        ends.extend(token("tokenizer.ggml.eot_token_id").filter(|other| *other != end));

        let is_control = |index: usize, text: &str| {
            !matches!(kind_of(index), NORMAL | USER_DEFINED) && !text.is_empty()
                || TokenId::try_from(index).is_ok_and(|id| ends.contains(&id))
        };
        let mut words = Vec::with_capacity(tokens.len());
        let mut controls = Vec::new();
        for (id, (index, text)) in (0..).zip(tokens.iter().enumerate()) {
            words.push(if is_control(index, text) {
                controls.push((text.clone(), id));
                [&[TokTrie::SPECIAL_TOKEN_MARKER], text.as_bytes()].concat()
            } else if kind_of(index) == USER_DEFINED {
                text.clone().into_bytes()
            } else {
                bytes_of(text)
            });
        }
        controls.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));

        let size = u32::try_from(size).map_err(|_| ModelError::file(gguf.path(), "has too many tokens"))?;
        let trie = TokTrie::from(&TokRxInfo::new(size, end), &words).with_eos_tokens(&ends);
        let tokenizer = pipeline(gguf, tokens, &merges)?;
        Ok(Self {
            environment: Arc::new(Environment { trie, tokenizer }),
            ends,
            controls: controls.into(),
            begin: token("tokenizer.ggml.bos_token_id"),
            add_begin: gguf.flag("tokenizer.ggml.add_bos_token").unwrap_or(false),
        })
    }

    /// What the grammar engine needs to know of the tokens.
    pub(super) fn environment(&self) -> &TokEnv {
        &self.environment
    }

    /// How many tokens there are.
    pub(super) fn size(&self) -> usize {
        self.environment.tok_trie().vocab_size()
    }

    pub(super) fn is_end(&self, token: TokenId) -> bool {
        self.ends.contains(&token)
    }

    /// Tokens that never belong in a reply: all control tokens but the ends.
    pub(super) fn never_said(&self) -> impl Iterator<Item = TokenId> {
        self.controls.iter().map(|(_, id)| *id).filter(|id| !self.is_end(*id))
    }

    /// The bytes a token stands for; none for control tokens.
    pub(super) fn bytes(&self, token: TokenId) -> &[u8] {
        let trie = self.environment.tok_trie();
        if trie.is_special_token(token) { &[] } else { trie.token(token) }
    }

    /// The text of the token that begins a prompt, for the chat template.
    pub(super) fn begin_text(&self) -> &str {
        self.begin.map_or("", |token| self.control_text(token))
    }

    /// The text of the token that ends a turn, for the chat template.
    pub(super) fn end_text(&self) -> &str {
        self.ends.first().map_or("", |token| self.control_text(*token))
    }

    fn control_text(&self, token: TokenId) -> &str {
        self.controls.iter().find(|(_, id)| *id == token).map_or("", |(text, _)| text.as_str())
    }

    /// Whether the text holds something that [`encode_template`](Self::encode_template) would
    /// take for a control token.
    pub(super) fn control_in<'a>(&'a self, text: &str) -> Option<&'a str> {
        self.marks().map(|(mark, _)| mark).find(|mark| text.contains(*mark))
    }

    /// Tokens of a rendered chat template, control tokens included.
    pub(super) fn encode_template(&self, text: &str) -> Vec<TokenId> {
        let mut tokens = Vec::new();
        let mut rest = text;
        while let Some((at, control, id)) = self.next_control(rest) {
            tokens.extend(self.environment.tokenize(&rest[..at]));
            tokens.push(id);
            rest = &rest[at + control.len()..];
        }
        tokens.extend(self.environment.tokenize(rest));
        if let Some(begin) = self.begin.filter(|begin| self.add_begin && tokens.first() != Some(begin)) {
            tokens.insert(0, begin);
        }
        tokens
    }

    /// The first control token in the text; of several at one place the longest.
    fn next_control(&self, text: &str) -> Option<(usize, &str, TokenId)> {
        self.marks()
            .filter_map(|(mark, id)| Some((text.find(mark)?, mark, id)))
            .min_by_key(|(at, mark, _)| (*at, std::cmp::Reverse(mark.len())))
    }

    /// The control tokens that text can name. One of a single character would be every such
    /// character.
    fn marks(&self) -> impl Iterator<Item = (&str, TokenId)> {
        self.controls.iter().filter(|(mark, _)| mark.chars().nth(1).is_some()).map(|(mark, id)| (mark.as_str(), *id))
    }
}

/// The trie for masks, and the canonical way to cut text.
struct Environment {
    trie: TokTrie,
    tokenizer: Tokenizer,
}

impl TokenizerEnv for Environment {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    fn tokenize_bytes(&self, bytes: &[u8]) -> Vec<TokenId> {
        // Bytes that are no UTF-8 (a forced piece of a character) have no canonical cut.
        self.trie.tokenize_with_greedy_fallback(bytes, |text| {
            self.tokenizer
                .encode_fast(text, false)
                .map_or_else(|_| self.trie.greedy_tokenize(text.as_bytes()), |encoding| encoding.get_ids().to_vec())
        })
    }
}

fn texts(gguf: &Gguf, key: &str) -> Result<Vec<String>, ModelError> {
    let missing = || ModelError::file(gguf.path(), format!("has no list of texts `{key}`"));
    gguf.array(key).ok_or_else(missing)?.iter().map(|value| value.to_string().cloned().map_err(|_| missing())).collect()
}

/// How text is cut into words before the merges apply.
fn words(pre: &str) -> Option<tokenizers::Result<PreTokenizerWrapper>> {
    const LLAMA_3: &str = r"(?:'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
    let after = |first: PreTokenizerWrapper, regex: bool| {
        let bytes = ByteLevel::new(false, true, regex);
        PreTokenizerWrapper::from(Sequence::new(vec![first, bytes.into()]))
    };
    match pre {
        "default" | "gpt-2" => Some(Ok(ByteLevel::new(false, true, true).into())),
        // GPT-2's words, with every digit on its own.
        "smollm" | "starcoder" | "refact" | "command-r" => Some(Ok(after(Digits::new(true).into(), true))),
        "llama3" | "llama-v3" | "llama-bpe" | "smaug-bpe" | "dbrx" => {
            let pattern = SplitPattern::Regex(LLAMA_3.to_owned());
            Some(Split::new(pattern, SplitDelimiterBehavior::Isolated, false).map(|split| after(split.into(), false)))
        }
        _ => None,
    }
}

fn pipeline(gguf: &Gguf, tokens: Vec<String>, merges: &[String]) -> Result<Tokenizer, ModelError> {
    let pre = gguf.text("tokenizer.ggml.pre").unwrap_or("default");
    let broken =
        |cause: tokenizers::Error| ModelError::file(gguf.path(), format!("has an unusable tokenizer ({cause})"));
    let words = words(pre).ok_or_else(|| {
        ModelError::unsupported(format!(
            "model file `{}`: text splitting `{pre}` is not supported; supported are `default`, \
             `gpt-2`, `smollm`, `starcoder`, `refact`, `command-r`, `llama-bpe`, `smaug-bpe`, \
             `dbrx`",
            gguf.path().display()
        ))
    })?;
    let merges = merges
        .iter()
        .map(|merge| merge.split_once(' ').map(|(left, right)| (left.to_owned(), right.to_owned())))
        .collect::<Option<Vec<_>>>()
        .ok_or_else(|| ModelError::file(gguf.path(), "has a merge that is not two pieces"))?;
    let vocabulary = tokens.into_iter().zip(0..).collect();
    let model = BPE::builder()
        .vocab_and_merges::<Vocab>(vocabulary, merges)
        // Llama 3 takes a word that is a token as it stands.
        .ignore_merges(pre.starts_with("llama"))
        .build()
        .map_err(broken)?;
    let mut tokenizer = Tokenizer::new(model);
    tokenizer.with_pre_tokenizer(Some(words.map_err(broken)?));
    Ok(tokenizer)
}

/// Undoes the byte-level alphabet: printable stand-ins for the 256 bytes.
fn bytes_of(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for character in text.chars() {
        match byte_of(character) {
            Some(byte) => bytes.push(byte),
            // Not of the alphabet: the token was added as plain text.
            None => return text.as_bytes().to_vec(),
        }
    }
    bytes
}

/// Printable Latin-1 stands for itself; the other 68 bytes follow from U+0100 on, in order.
fn byte_of(character: char) -> Option<u8> {
    let code = u32::from(character);
    match code {
        0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff => u8::try_from(code).ok(),
        0x100..=0x120 => u8::try_from(code - 0x100).ok(),
        0x121..=0x142 => u8::try_from(code - 0x121 + 0x7f).ok(),
        0x143 => Some(0xad),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_byte_alphabet_is_a_bijection() {
        let known: std::collections::BTreeMap<u8, char> =
            ('\0'..='\u{1ff}').filter_map(|c| Some((byte_of(c)?, c))).collect();
        assert_eq!(known.len(), 256);
        assert_eq!(bytes_of("ĠaĊ"), b" a\n");
        let alphabet = ByteLevel::alphabet();
        assert!(known.values().all(|character| alphabet.contains(character)));
    }
}

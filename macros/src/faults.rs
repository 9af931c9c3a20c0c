//! Everything that is wrong with one type, collected and reported together.
//!
//! A fault is an error on the smallest token that must be edited: lower case, no full stop, the
//! attribute as typed, names in backticks, and a way out. The collection panics when it is
//! dropped unread, so that no code path can lose a fault.

use std::cell::RefCell;
use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// The faults found so far.
pub(crate) struct Faults {
    list: RefCell<Option<Vec<syn::Error>>>,
}

impl Faults {
    pub(crate) fn new() -> Self {
        Self { list: RefCell::new(Some(Vec::new())) }
    }

    /// Adds a fault at one place.
    pub(crate) fn at(&self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    /// Adds a fault that underlines all of `tokens`.
    pub(crate) fn on(&self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// Adds a fault that syn found.
    pub(crate) fn push(&self, error: syn::Error) {
        if let Some(list) = self.list.borrow_mut().as_mut() {
            list.push(error);
        }
    }

    /// The value, or `None` after adding the fault.
    pub(crate) fn ok<T>(&self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// Whether there is none so far.
    pub(crate) fn none(&self) -> bool {
        self.count() == 0
    }

    /// How many there are so far.
    pub(crate) fn count(&self) -> usize {
        self.list.borrow().as_ref().map_or(0, Vec::len)
    }

    /// The compile errors, empty if there are none.
    pub(crate) fn finish(self) -> TokenStream {
        let list = self.list.borrow_mut().take().unwrap_or_default();
        list.iter().map(syn::Error::to_compile_error).collect()
    }
}

impl Drop for Faults {
    fn drop(&mut self) {
        assert!(self.list.borrow().is_none() || std::thread::panicking(), "faults dropped unread");
    }
}

/// The word among `known` that `typed` was probably meant to be.
pub(crate) fn did_you_mean<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match typed.chars().count() {
        0..=3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    let same = |word: &str| word.replace(['_', '-'], "").eq_ignore_ascii_case(&typed.replace(['_', '-'], ""));
    let known: Vec<&str> = known.into_iter().collect();
    // `minimum` for `min`, `desc` for `description`.
    let longer = |word: &str| word.len().min(typed.len()) >= 3 && (typed.starts_with(word) || word.starts_with(typed));
    let near = known
        .iter()
        .map(|&word| (if same(word) { 0 } else { distance(typed, word) }, word))
        .filter(|&(distance, word)| distance <= limit && distance < word.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, word)| word);
    near.or_else(|| known.iter().copied().filter(|word| longer(word)).max_by_key(|word| word.len().min(typed.len())))
}

/// How many letters must be inserted, removed, replaced or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let swap = usize::from(a[i - 1] != b[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1).min(rows[i - 1][j - 1] + swap);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// `a`, `a and b`, `a, b and c`, each in backticks.
pub(crate) fn listing<'a>(words: impl IntoIterator<Item = &'a str>, last: &str) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Faults, did_you_mean};

    #[test]
    fn near_misses_are_named() {
        let known = ["description", "min", "max", "min_length", "pattern"];
        assert_eq!(did_you_mean("desciption", known), Some("description"));
        assert_eq!(did_you_mean("minLength", known), Some("min_length"));
        assert_eq!(did_you_mean("mni", known), Some("min"));
        assert_eq!(did_you_mean("minimum", known), Some("min"));
        assert_eq!(did_you_mean("desc", known), Some("description"));
        assert_eq!(did_you_mean("colour", known), None);
        assert_eq!(did_you_mean("x", known), None);
    }

    #[test]
    #[should_panic(expected = "faults dropped unread")]
    fn faults_cannot_be_forgotten() {
        drop(Faults::new());
    }
}

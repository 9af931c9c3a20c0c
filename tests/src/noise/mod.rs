//! Replies that were meant well and came out badly: made from values by choices.
//!
//! Whoever makes the choices decides what comes out: [`Dice`] with a seed in tests, a fuzzer's
//! bytes in `tests/fuzz`.

mod around;
mod faults;
mod torn;

pub use around::around;
pub use faults::faulty;
pub use torn::torn;

/// Where choices come from.
pub trait Choices {
    /// A number below `many`; zero if there is no choice.
    fn below(&mut self, many: usize) -> usize;

    /// One of a list that is not empty.
    fn pick<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }

    /// True once in so many times.
    fn once_in(&mut self, many: usize) -> bool {
        self.below(many) == 1
    }
}

/// Choices at random, the same for the same seed.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Dice that start from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        // Xorshift stays at zero, and is slow to leave its neighbourhood.
        Self((seed.wrapping_mul(2) | 1) ^ 0x9e37_79b9_7f4a_7c14)
    }
}

impl Choices for Dice {
    fn below(&mut self, many: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % many.max(1)
    }
}

/// Choices written down as bytes; zeros when they are used up.
#[derive(Debug, Clone)]
pub struct Bytes<'b>(pub &'b [u8]);

impl Choices for Bytes<'_> {
    fn below(&mut self, many: usize) -> usize {
        let width = if many > 256 { 2 } else { 1 };
        let (bytes, rest) = self.0.split_at(width.min(self.0.len()));
        self.0 = rest;
        bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)) % many.max(1)
    }
}

//! Chance that can be repeated: the same seed gives the same numbers on every machine.

/// A source of chance (`SplitMix64`).
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Any number.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if that is 0.
    pub(crate) const fn below(&mut self, end: usize) -> usize {
        #[allow(clippy::cast_possible_truncation)] // the low bits are as good as all
        let number = self.next() as usize;
        if end == 0 { 0 } else { number % end }
    }

    /// A number from `low` to `high`, both included.
    pub(crate) const fn between(&mut self, low: i128, high: i128) -> i128 {
        let number = (self.next() as u128) << 64 | self.next() as u128;
        let span = high.wrapping_sub(low).wrapping_add(1).unsigned_abs();
        if span == 0 { low } else { low + (number % span).cast_signed() }
    }

    /// True once in `times`.
    pub(crate) const fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of a list, which must not be empty.
    pub(crate) const fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_seed_gives_the_same_numbers_always() {
        // The first two outputs of SplitMix64 for the seed 1234567, as its authors publish them.
        let mut random = Random::new(1_234_567);
        assert_eq!((random.next(), random.next()), (6_457_827_717_110_365_317, 3_203_168_211_198_807_973));
    }

    #[test]
    fn ranges_hold_both_ends() {
        let mut random = Random::new(1);
        let (low, high) = (i128::from(i64::MIN), i128::from(u64::MAX));
        for _ in 0..1000 {
            assert!((3..=5).contains(&random.between(3, 5)));
            assert!((low..=high).contains(&random.between(low, high)));
        }
        assert_eq!(random.between(7, 7), 7);
    }
}

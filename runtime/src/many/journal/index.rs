//! Where the entries of an item are.

use std::collections::HashMap;

use super::super::mark::Mark;

/// Where an entry is.
pub(super) struct Slot {
    pub(super) hash: u64,
    pub(super) at: u64,
    pub(super) failed: bool,
}

/// So many entries share a bucket: few, for each distant place in memory that is looked at takes as long as the rest of the search.
const BUCKET: usize = 2;

/// Where the entries of an item are: at most 20 bytes for each entry.
///
/// Hashes are evenly spread, so their first bits say nearly where in the sorted list one stands: to search all of the list would
/// touch twenty distant places for each item. Different items may share a hash, so who takes an entry looks whose it is.
#[derive(Debug)]
pub(super) struct Index {
    /// By hash; replies before failures, and both in the file's order.
    slots: Vec<(u64, u64)>,
    /// Where the slots of each bucket begin, and behind the last; from the largest number on, there or behind it.
    buckets: Vec<u32>,
    /// The bits of a hash behind those that are its bucket.
    shift: u32,
    /// Of those that share a hash, how many are taken, if more than one.
    taken: HashMap<u64, usize>,
}

/// The entry is a failure.
const FAILED: u64 = 1 << 63;
/// The entry is taken.
const TAKEN: u64 = 1 << 62;

impl Index {
    pub(super) fn new(slots: Vec<Slot>) -> Self {
        // In place: the list is as long as the journal.
        let mut slots: Vec<_> =
            slots.into_iter().map(|slot| (slot.hash, if slot.failed { slot.at | FAILED } else { slot.at })).collect();
        slots.sort_unstable();
        let count = (slots.len() / BUCKET).next_power_of_two().max(2);
        let shift = u64::BITS - count.ilog2();
        let place = |at| u32::try_from(at).unwrap_or(u32::MAX);
        let mut buckets = Vec::with_capacity(count + 1);
        for (at, (hash, _)) in slots.iter().enumerate() {
            while buckets.len() as u64 <= hash >> shift {
                buckets.push(place(at));
            }
        }
        buckets.resize(count + 1, place(slots.len()));
        Self { slots, buckets, shift, taken: HashMap::new() }
    }

    /// Where the slots with this hash begin, if there are any.
    fn first(&self, hash: u64) -> usize {
        let bucket = usize::try_from(hash >> self.shift).unwrap_or(usize::MAX);
        let Some([begin, end]) = self.buckets.get(bucket..).and_then(<[_]>::first_chunk) else { return 0 };
        let begin = *begin as usize;
        let end = if *end == u32::MAX { self.slots.len() } else { *end as usize };
        begin + self.slots[begin..end].partition_point(|slot| slot.0 < hash)
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Where the next entry with this hash is; each is taken once.
    pub(super) fn take(&mut self, hash: u64) -> Option<u64> {
        let first = self.first(hash);
        let next = match self.slots.get_mut(first).filter(|slot| slot.0 == hash)? {
            (_, at) if *at & TAKEN == 0 => {
                *at |= TAKEN;
                first
            }
            _ => {
                let taken = self.taken.entry(hash).or_insert(1);
                let next = first + *taken;
                self.slots.get(next).filter(|slot| slot.0 == hash)?;
                *taken += 1;
                next
            }
        };
        Some(self.slots[next].1 & !(FAILED | TAKEN))
    }
}

/// An item's hash: its input's mark, which is evenly spread, and FNV-1a of its id.
pub(super) fn hash(id: &str, input: Mark) -> u64 {
    id.bytes().fold(input.half() ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_entry_is_taken_once_and_replies_come_first() {
        let slot = |hash, at, failed| Slot { hash, at, failed };
        let slots =
            vec![slot(7, 10, true), slot(7, 20, false), slot(3, 30, false), slot(7, 40, false), slot(9, 50, true)];
        let mut index = Index::new(slots);
        let mut all = |hash| std::iter::from_fn(|| index.take(hash)).collect::<Vec<_>>();
        assert_eq!((all(7), all(3), all(9), all(8)), (vec![20, 40, 10], vec![30], vec![50], vec![]));
        assert_eq!((all(7), all(3)), (vec![], vec![]));
    }

    #[test]
    fn hashes_are_found_wherever_they_are_and_others_are_not() {
        for count in [0, 1, 7, 8, 9, 100, 5000_u64] {
            let spread = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let ends = [(0, 1), (u64::MAX, 2)].into_iter().filter(|_| count > 0);
            let all = (1..count).map(|number| (spread(number), number + 10)).chain(ends);
            let mut index = Index::new(all.clone().map(|(hash, at)| Slot { hash, at, failed: false }).collect());
            for (hash, at) in all {
                assert_eq!((index.take(hash), index.take(hash)), (Some(at), None), "{hash} of {count}");
                assert_eq!(index.take(hash ^ 0x10), None, "{hash} of {count}");
            }
            assert_eq!((index.take(5), index.take(u64::MAX - 5)), (None, None));
        }
    }

    #[test]
    fn many_entries_of_one_item_are_no_longer_search() {
        let mut index = Index::new((0..100_000).map(|at| Slot { hash: 5, at, failed: false }).collect());
        assert!((0..100_000).all(|at| index.take(5) == Some(at)));
        assert_eq!(index.take(5), None);
    }
}

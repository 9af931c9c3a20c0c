//! How long items took, in a few kilobytes however many they are.

use std::time::Duration;

use serde::Serialize;

/// Parts of an octave: a value is known to within 3 %.
const PARTS: u32 = 32;
const PARTS_BITS: u32 = PARTS.trailing_zeros();

/// How long items took: percentiles, each to within 3 %.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Latency {
    /// By the value in microseconds: whole numbers first, and then octaves in equal parts.
    counts: Vec<u64>,
    count: u64,
    longest: Duration,
}

impl Latency {
    pub(super) fn add(&mut self, took: Duration) {
        let at = place(u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
        if self.counts.len() <= at {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] += 1;
        self.count += 1;
        self.longest = self.longest.max(took);
    }

    /// How many items there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The longest.
    #[must_use]
    pub fn longest(&self) -> Duration {
        self.longest
    }

    /// The time within which this part of the items (from 0 to 1) was finished; nothing if there were none.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)] // a rank among the items
    pub fn quantile(&self, part: f64) -> Option<Duration> {
        let rank = (self.count as f64 * part.clamp(0.0, 1.0)).ceil().max(1.0) as u64;
        let mut seen = 0;
        let at = self.counts.iter().position(|count| {
            seen += count;
            seen >= rank
        })?;
        Some(Duration::from_micros(value(at)).min(self.longest))
    }
}

/// Where a value is counted.
fn place(value: u64) -> usize {
    let octave = (value | 1).ilog2();
    let place = if octave < PARTS_BITS {
        value
    } else {
        let shift = octave - PARTS_BITS;
        u64::from(shift + 1) * u64::from(PARTS) + (value >> shift) - u64::from(PARTS)
    };
    usize::try_from(place).unwrap_or(usize::MAX)
}

/// The largest value that is counted there.
fn value(place: usize) -> u64 {
    let (octave, part) = (place as u64 / u64::from(PARTS), place as u64 % u64::from(PARTS));
    match octave {
        0 => part,
        _ => ((u64::from(PARTS) + part + 1) << (octave - 1)).wrapping_sub(1),
    }
}

/// Milliseconds: `p50`, `p90`, `p99` and the longest.
impl Serialize for Latency {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        let shown = [("p50_ms", 0.5), ("p90_ms", 0.9), ("p99_ms", 0.99)];
        let shown = shown.map(|(name, part)| (name, self.quantile(part).map(milliseconds)));
        serializer
            .collect_map(shown.into_iter().chain([("max_ms", (self.count > 0).then(|| milliseconds(self.longest)))]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_counted_where_it_belongs() {
        for number in (0..10_000).chain([u64::MAX, u64::MAX / 3, 1 << 40]) {
            let at = place(number);
            let most = value(at);
            assert!(most >= number && (at == 0 || value(at - 1) < number), "{number}: {at}");
            assert!(most - number <= number / 32 + 1, "{number}: {most}");
        }
    }

    #[test]
    fn quantiles_are_those_of_the_sorted_list() {
        let mut latency = Latency::default();
        assert_eq!(latency.quantile(0.5), None);
        for milliseconds in (1..=1000).rev() {
            latency.add(Duration::from_millis(milliseconds));
        }
        for (part, exact) in [(0.0, 1), (0.5, 500), (0.9, 900), (0.99, 990), (1.0, 1000)] {
            let found = latency.quantile(part).expect("a time").as_secs_f64() * 1000.0;
            let exact = f64::from(exact);
            assert!((exact..=exact * 1.033).contains(&found), "{part}: {found}");
        }
        assert_eq!(latency.longest(), Duration::from_secs(1));
    }
}

//! Numbers within rules, as JSON text.

use super::random::Random;
use crate::check::{Numeral, Path, Violations, check_number};
use crate::schema::node::Schema;
use crate::schema::rules::{Bound, Rules};

/// How often a number is drawn before the rules are taken to leave none.
const TRIES: usize = 200;

/// A whole number that the rules allow; `None` if none is found.
pub(crate) fn integer(node: &Schema, rules: &Rules, random: &mut Random) -> Option<String> {
    let (mut low, mut high) = width(node);
    low = low.max(least(rules));
    high = high.min(greatest(rules));
    if low > high {
        return None;
    }
    let step = match rules.multiple_of {
        Some(Bound { whole: Some(step), .. }) if step != 0 => step.abs(),
        _ => 1,
    };
    let (first, last) = (low.div_euclid(step) + i128::from(low.rem_euclid(step) != 0), high.div_euclid(step));
    if first > last {
        return None;
    }
    for _ in 0..TRIES {
        let whole = step * pick(first, last, random);
        let text = whole.to_string();
        if !(avoids_zero(node) && whole == 0) && allowed(Numeral::Whole(whole), rules) {
            return Some(text);
        }
    }
    None
}

/// The values that the Rust type holds. A schema bounds only what is up to 32 bits wide, and the
/// sign, for engines choke on the ends of the 64-bit range.
fn width(node: &Schema) -> (i128, i128) {
    match node.name {
        "u64" | "usize" | "NonZeroU64" | "NonZeroUsize" => (0, u64::MAX.into()),
        _ => (i64::MIN.into(), i64::MAX.into()),
    }
}

/// Whether only the type's parser knows that there is no zero.
fn avoids_zero(node: &Schema) -> bool {
    node.name.starts_with("NonZero")
}

#[allow(clippy::cast_possible_truncation)] // saturates, which is what is wanted
fn least(rules: &Rules) -> i128 {
    let at = rules.minimum.map(|bound| bound.whole.unwrap_or_else(|| bound.float.ceil() as i128));
    let above = rules.exclusive_minimum.map(|bound| bound.whole.unwrap_or_else(|| bound.float.floor() as i128) + 1);
    at.max(above).unwrap_or(i128::MIN)
}

#[allow(clippy::cast_possible_truncation)]
fn greatest(rules: &Rules) -> i128 {
    let at = rules.maximum.map_or(i128::MAX, |bound| bound.whole.unwrap_or_else(|| bound.float.floor() as i128));
    let below = rules
        .exclusive_maximum
        .map_or(i128::MAX, |bound| bound.whole.unwrap_or_else(|| bound.float.ceil() as i128) - 1);
    at.min(below)
}

/// A number from a range: often an end of it, often a small one.
fn pick(low: i128, high: i128, random: &mut Random) -> i128 {
    match random.below(6) {
        0 => low,
        1 => high,
        2 | 3 => random.between(-10, 110).clamp(low, high),
        // Beyond what a float holds exactly.
        4 => random.between((1 << 53) - 2, (1 << 53) + 2).clamp(low, high),
        _ => random.between(low, high),
    }
}

fn allowed(value: Numeral, rules: &Rules) -> bool {
    let mut found = Violations::new();
    check_number(value, rules, Path::ROOT, &mut found);
    found.is_empty()
}

/// A number that the rules allow, whole or not; `None` if none is found.
pub(crate) fn number(node: &Schema, rules: &Rules, random: &mut Random) -> Option<String> {
    if let Some(step) = rules.multiple_of {
        return multiple(&step, rules, random);
    }
    if !rules.speaks_of_numbers() {
        return Some(free(node, random));
    }
    let low = rules.minimum.into_iter().chain(rules.exclusive_minimum).map(|bound| bound.float);
    let high = rules.maximum.into_iter().chain(rules.exclusive_maximum).map(|bound| bound.float);
    let low = low.fold(f64::NEG_INFINITY, f64::max);
    let high = high.fold(f64::INFINITY, f64::min);
    // An open end is as far as the other one, and a bit.
    let far =
        1e3 + 2.0 * [low, high].into_iter().filter(|end| end.is_finite()).fold(0.0, |far, end| end.abs().max(far));
    let (from, to) = (low.max(-far), high.min(far));
    for tries in 0..TRIES {
        let value = match random.below(6) {
            0 => from,
            1 => to,
            2 => 0.0,
            _ => from + (to - from) * share(random),
        };
        // Few digits first: that is what people and models write.
        let value = match (tries / 20, random.below(3)) {
            (0, 0) => value.round(),
            (0, 1) => (value * 100.0).round() / 100.0,
            _ => value,
        };
        if allowed(Numeral::Float(value), rules) {
            // Without the sign of a zero, which constrained decoders leave out.
            return Some(format!("{}", value + 0.0));
        }
    }
    None
}

/// A multiple of a step, exact in decimals.
fn multiple(step: &Bound, rules: &Rules, random: &mut Random) -> Option<String> {
    let (digits, places) = decimal(step.text)?;
    for tries in 0..TRIES {
        let reach = 10_i128.pow(1 + u32::try_from(tries / 40).unwrap_or(0));
        #[allow(clippy::cast_possible_truncation)] // saturates; a start to search from
        let start = rules.minimum.or(rules.maximum).map_or(0, |bound| (bound.float / step.float).round() as i128);
        let text = with_point((start + random.between(-reach, reach)) * digits, places);
        if text.parse().is_ok_and(|value| allowed(Numeral::Float(value), rules)) {
            return Some(text);
        }
    }
    None
}

/// `12.50` as 1250 and 2.
pub(crate) fn decimal(text: &str) -> Option<(i128, usize)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    Some((format!("{whole}{fraction}").parse().ok()?, fraction.len()))
}

/// 1250 and 2 as `12.50`.
pub(crate) fn with_point(digits: i128, places: usize) -> String {
    if places == 0 {
        return digits.to_string();
    }
    let sign = if digits < 0 { "-" } else { "" };
    let digits = format!("{:0>width$}", digits.unsigned_abs(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    format!("{sign}{whole}.{fraction}")
}

/// Any finite number of the type's width.
fn free(node: &Schema, random: &mut Random) -> String {
    let narrow = node.name == "f32";
    let value = match random.below(10) {
        0 => 0.0,
        1 => -0.0,
        2 if narrow => f64::from(*random.pick(&[f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::EPSILON])),
        2 => *random.pick(&[f64::MAX, f64::MIN, f64::MIN_POSITIVE, f64::EPSILON, 1e-7, 1e21, 0.1]),
        3 | 4 => return random.between(-1000, 1000).to_string(),
        5 => return with_point(random.between(-100_000, 100_000), 2),
        6 | 7 => (share(random) - 0.5) * 1e6,
        _ if narrow => f32::from_bits(u32::try_from(random.next() >> 32).unwrap_or(0)).into(),
        _ => f64::from_bits(random.next()),
    };
    serde_json::Number::from_f64(value).map_or_else(|| "0.5".to_owned(), |number| number.to_string())
}

/// A fraction from 0 to 1.
#[allow(clippy::cast_precision_loss)]
fn share(random: &mut Random) -> f64 {
    (random.next() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::{decimal, integer, number, with_point};
    use crate::schema::ResponseSchema;
    use crate::schema::rules::{Bound, Rules};
    use crate::testing::random::Random;

    fn bounds(low: &'static str, high: &'static str) -> Rules {
        let bound = |text: &'static str| match text.parse() {
            Ok(whole) => Bound::whole(text, whole),
            Err(_) => Bound::float(text, text.parse().expect("a number")),
        };
        Rules { minimum: Some(bound(low)), maximum: Some(bound(high)), ..Rules::new() }
    }

    #[test]
    fn integers_reach_both_ends_and_stay_within() {
        let mut random = Random::new(3);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..300 {
            let text = integer(u64::SCHEMA.get(), u64::SCHEMA.get().rules, &mut random).expect("a number");
            seen.insert(text.parse::<u64>().expect("64 bits"));
        }
        assert!(seen.contains(&0) && seen.contains(&u64::MAX), "{seen:?}");
        assert!(seen.iter().any(|n| (1 << 53..1 << 54).contains(n)));
    }

    #[test]
    fn multiples_are_exact() {
        let mut random = Random::new(4);
        let tenths = Rules { multiple_of: Some(Bound::float("0.1", 0.1)), ..bounds("-2", "2.5") };
        for _ in 0..200 {
            let text = number(f64::SCHEMA.get(), &tenths, &mut random).expect("a number");
            assert!(
                decimal(&text).is_some_and(|(digits, places)| places == 1 && (-20..=25).contains(&digits)),
                "{text}"
            );
        }
        let sevens = Rules { multiple_of: Some(Bound::whole("7", 7)), ..bounds("-20", "20.5") };
        for _ in 0..200 {
            let text = integer(i64::SCHEMA.get(), &sevens, &mut random).expect("a number");
            assert_eq!(text.parse::<i64>().expect("whole") % 7, 0);
        }
        assert_eq!(with_point(-5, 2), "-0.05");
    }

    #[test]
    fn rules_that_leave_nothing_give_nothing() {
        let mut random = Random::new(5);
        assert_eq!(integer(u8::SCHEMA.get(), &bounds("0.2", "0.8"), &mut random), None);
        let odd = Rules { multiple_of: Some(Bound::whole("100", 100)), ..bounds("1", "99") };
        assert_eq!(integer(u8::SCHEMA.get(), &odd, &mut random), None);
    }
}

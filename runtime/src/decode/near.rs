//! Names that nearly match.

/// Whether a character shows nothing: spaces without width, and marks of direction.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}'
    )
}

/// A name without what spelling conventions change: case, spaces, `_` and `-`; and without what nobody sees.
pub(super) fn plain(name: &str) -> String {
    if name.is_ascii() {
        return String::from_utf8(ascii(name).collect()).unwrap_or_default();
    }
    let kept = name.chars().filter(|c| !c.is_whitespace() && !matches!(c, '_' | '-') && !is_invisible(*c));
    kept.flat_map(char::to_lowercase).collect()
}

/// As [`plain`], for names of values, in which signs and the ends of numbers count: `-5` is not `5`, `B-` not `B`, and
/// `1-2` not `12`.
fn plain_value(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    // What stood since the last letter, if that was none.
    let mut gap = None;
    for c in name.trim().chars().filter(|c| !is_invisible(*c)) {
        if c.is_whitespace() || matches!(c, '_' | '-') {
            gap = if c == '-' { Some('-') } else { gap.or(Some('_')) };
            continue;
        }
        match gap.take() {
            Some('-') if plain.is_empty() && c.is_ascii_digit() => plain.push('-'),
            Some(_) if c.is_ascii_digit() && plain.ends_with(|c: char| c.is_ascii_digit()) => plain.push('_'),
            _ => {}
        }
        plain.extend(c.to_lowercase());
    }
    if gap == Some('-') && !plain.is_empty() {
        plain.push('-');
    }
    plain
}

/// Whether two names are the same but for what spelling conventions change.
pub(super) fn alike(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    if !may_be_alike(a, b) {
        return false;
    }
    if a.is_ascii() && b.is_ascii() {
        return ascii(a).eq(ascii(b));
    }
    plain(a) == plain(b)
}

/// Whether names may be alike, by a look at how they begin: most are not.
fn may_be_alike(a: &str, b: &str) -> bool {
    match (a.as_bytes(), b.as_bytes()) {
        ([a, ..], [b, ..]) if a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric() => a.eq_ignore_ascii_case(b),
        _ => true,
    }
}

/// Whether two names of values are the same but for what spelling conventions change; see [`plain_value`].
pub(super) fn alike_values(a: &str, b: &str) -> bool {
    may_be_alike(a, b) && {
        let a = plain_value(a);
        !a.is_empty() && a == plain_value(b)
    }
}

/// The letters of an ASCII name that count, in lower case.
fn ascii(name: &str) -> impl Iterator<Item = u8> + '_ {
    let kept = name.bytes().filter(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'_' | b'-' | 0x0b));
    kept.map(|byte| byte.to_ascii_lowercase())
}

/// The name that comes nearest, if one comes near: for hints, never for a choice.
pub(super) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let wanted = plain(name);
    let length = wanted.chars().count();
    if length > LONGEST || length == 0 {
        return None;
    }
    names
        .take(1000)
        .filter_map(|other| {
            let plain = plain(other);
            let count = plain.chars().count();
            let longest = length.max(count);
            if longest > LONGEST || plain.is_empty() {
                return None;
            }
            let (short, long) = if count < length { (&plain, &wanted) } else { (&wanted, &plain) };
            let part = length.min(plain.len()) >= 3 && long.contains(short.as_str());
            // What is too much longer is too far.
            if length.abs_diff(count) * 3 > longest && !part {
                return None;
            }
            let distance = distance(&wanted, &plain);
            (distance * 3 <= longest || part).then_some((distance, other))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// Longer names are not compared; hints are for slips.
const LONGEST: usize = 48;

/// Of names of at most [`LONGEST`] characters: how many have to be changed, added, left out, or swapped with their neighbour.
fn distance(a: &str, b: &str) -> usize {
    let mut letters = ['\0'; LONGEST];
    let mut length = 0;
    for (place, c) in letters.iter_mut().zip(b.chars()) {
        *place = c;
        length += 1;
    }
    let b = &letters[..length];
    let mut before = [0_u8; LONGEST + 1];
    let mut row = before;
    (0..).zip(&mut row).for_each(|(at, place)| *place = at);
    let mut next = before;
    let mut last = None;
    for (i, x) in (1..).zip(a.chars()) {
        next[0] = i;
        for (j, y) in b.iter().enumerate() {
            let mut cost = (row[j] + u8::from(x != *y)).min(row[j + 1] + 1).min(next[j] + 1);
            if j > 0 && last == Some(*y) && b[j - 1] == x {
                cost = cost.min(before[j - 1] + 1);
            }
            next[j + 1] = cost;
        }
        std::mem::swap(&mut before, &mut row);
        std::mem::swap(&mut row, &mut next);
        last = Some(x);
    }
    usize::from(row[b.len()])
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_near_and_strangers_are_not() {
        let names = ["low", "medium", "high", "blocking"];
        let near = |name| nearest(name, names.into_iter());
        assert_eq!(near("hihg"), Some("high"));
        assert_eq!(near("meduim"), Some("medium"));
        assert_eq!(near("Blockin"), Some("blocking"));
        assert_eq!(near("urgent"), None);
        assert_eq!(nearest("name", ["petName", "legCount"].into_iter()), Some("petName"));
    }
}

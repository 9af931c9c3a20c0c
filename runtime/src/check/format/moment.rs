//! RFC 3339: dates, times and durations.

/// `full-date`, of a day that there is.
pub(super) fn date(text: &str) -> bool {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text.as_bytes() else { return false };
    let (Some(century), Some(year), Some(month), Some(day)) = (two(y1, y2), two(y3, y4), two(m1, m2), two(d1, d2))
    else {
        return false;
    };
    let leap = if year == 0 { century % 4 == 0 } else { year % 4 == 0 };
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// `full-time`: with its offset.
pub(super) fn time(text: &str) -> bool {
    let Some(&[h1, h2, b':', m1, m2, b':', s1, s2]) = text.as_bytes().first_chunk() else { return false };
    let (Some(hour @ 0..=23), Some(minute @ 0..=59), Some(second @ 0..=60)) = (two(h1, h2), two(m1, m2), two(s1, s2))
    else {
        return false;
    };
    let mut rest = &text.as_bytes()[8..];
    if let [b'.', fraction @ ..] = rest {
        let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return false;
        }
        rest = &fraction[digits..];
    }
    let offset = match *rest {
        [b'Z' | b'z'] => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => match (two(h1, h2), two(m1, m2)) {
            (Some(hours @ 0..=23), Some(minutes @ 0..=59)) => {
                let minutes = i32::from(hours) * 60 + i32::from(minutes);
                if sign == b'-' { -minutes } else { minutes }
            }
            _ => return false,
        },
        _ => return false,
    };
    // A leap second is the last of a day, in UTC.
    second < 60 || (i32::from(hour) * 60 + i32::from(minute) - offset).rem_euclid(24 * 60) == 24 * 60 - 1
}

/// `date-time`.
pub(super) fn date_time(text: &str) -> bool {
    text.is_char_boundary(10)
        && text.len() > 11
        && matches!(text.as_bytes()[10], b'T' | b't')
        && date(&text[..10])
        && time(&text[11..])
}

/// `duration` of appendix A: whole numbers, and no unit left out between two others.
pub(super) fn duration(text: &str) -> bool {
    let Some(text) = text.strip_prefix('P') else { return false };
    if let Some(weeks) = text.strip_suffix('W') {
        return !weeks.is_empty() && weeks.bytes().all(|byte| byte.is_ascii_digit());
    }
    match text.split_once('T') {
        None => units(text, b"YMD"),
        Some((days, clock)) => (days.is_empty() || units(days, b"YMD")) && units(clock, b"HMS"),
    }
}

/// Whether `text` is one or more numbers, each with the unit that follows the last one's in
/// `order`.
fn units(text: &str, order: &[u8]) -> bool {
    let mut next = None;
    let mut digits = 0;
    for byte in text.bytes() {
        if byte.is_ascii_digit() {
            digits += 1;
            continue;
        }
        let place = order.iter().position(|&unit| unit == byte);
        if digits == 0 || place.is_none() || (next.is_some() && next != place) {
            return false;
        }
        next = place.map(|place| place + 1);
        digits = 0;
    }
    next.is_some() && digits == 0
}

/// The number of two digits.
fn two(tens: u8, ones: u8) -> Option<u8> {
    (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + (ones - b'0'))
}

#[cfg(test)]
mod tests {
    use super::{date, date_time, duration, time};

    #[test]
    fn dates() {
        for right in ["2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31"] {
            assert!(date(right), "{right}");
        }
        for wrong in [
            "2023-02-29",
            "1900-02-29",
            "2024-04-31",
            "2024-13-01",
            "2024-00-10",
            "2024-01-00",
            "2024-1-1",
            "24-01-01",
            "2024-01-01Z",
            " 2024-01-01",
            "2024/01/01",
            "2024-01-0\u{661}",
        ] {
            assert!(!date(wrong), "{wrong}");
        }
    }

    #[test]
    fn times() {
        for right in
            ["00:00:00Z", "23:59:59.123456789123z", "12:00:00+23:59", "23:59:60Z", "01:29:60+01:30", "15:59:60-08:00"]
        {
            assert!(time(right), "{right}");
        }
        for wrong in [
            "12:00:00",
            "24:00:00Z",
            "12:60:00Z",
            "12:00:61Z",
            "12:00Z",
            "12:00:00.Z",
            "12:00:00,5Z",
            "12:00:00+24:00",
            "12:00:00+0100",
            "12:00:00+01:60",
            "12:00:00 Z",
            "12:00:00ZZ",
            "22:59:60Z",
            "23:59:60+01:00",
        ] {
            assert!(!time(wrong), "{wrong}");
        }
    }

    #[test]
    fn dates_with_times() {
        for right in ["2024-02-29T12:00:00Z", "2024-01-01t00:00:00-00:00", "1998-12-31T23:59:60Z"] {
            assert!(date_time(right), "{right}");
        }
        for wrong in [
            "2024-02-29",
            "2024-02-29T",
            "2024-02-29 12:00:00Z",
            "2024-02-29T12:00:00",
            "2023-02-29T12:00:00Z",
            "2024-02-2\u{e9}T12:00:00Z",
            "2024-02-29\u{1f980}12:00:00Z",
        ] {
            assert!(!date_time(wrong), "{wrong}");
        }
    }

    #[test]
    fn durations() {
        for right in ["P3D", "P1Y2M3DT4H5M6S", "PT0S", "P4W", "PT36H", "P1M", "P1YT1H", "PT1H30M"] {
            assert!(duration(right), "{right}");
        }
        for wrong in [
            "P", "PT", "P1", "P1S", "PT1D", "P1D2Y", "P1W2D", "P1Y2D", "PT1H2S", "P1.5D", "-P1D", "p1d", "P1DT", "PW",
            "P1YY", "P1D ", "3D", "PT1H1H",
        ] {
            assert!(!duration(wrong), "{wrong}");
        }
    }
}

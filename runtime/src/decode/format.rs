//! The text formats of JSON Schema that can be told in a few lines; others are accepted here.

/// Whether text is in the form of this name.
pub(super) fn accepts(format: &str, text: &str) -> bool {
    match format {
        "date" => date(text),
        "time" => time(text),
        "date-time" => match text.split_at_checked(10) {
            Some((day, rest)) => date(day) && rest.strip_prefix(['T', 't', ' ']).is_some_and(time),
            None => false,
        },
        "uuid" => uuid(text),
        "ipv4" => text.parse::<std::net::Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<std::net::Ipv6Addr>().is_ok(),
        "email" => {
            text.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'))
        }
        _ => true,
    }
}

fn digits(text: &str, length: usize) -> Option<u32> {
    (text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

/// `2026-02-28`, a day that exists.
fn date(text: &str) -> bool {
    let mut parts = text.split('-');
    let (Some(year), Some(month), Some(day), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => return false,
    };
    (1..=length).contains(&day)
}

/// `12:30:00.5Z`, `12:30:00+02:00`.
fn time(text: &str) -> bool {
    let clock = |text: &str, limits: &[u32]| {
        let parts: Vec<&str> = text.split(':').collect();
        parts.len() == limits.len()
            && parts.iter().zip(limits).all(|(part, limit)| digits(part, 2).is_some_and(|value| value <= *limit))
    };
    let Some(zone) = text.find(['Z', 'z', '+', '-']) else { return false };
    let (time, zone) = text.split_at(zone);
    let zone_fits = matches!(zone, "Z" | "z") || clock(&zone[1..], &[23, 59]);
    let (time, fraction_fits) = match time.split_once('.') {
        Some((time, fraction)) => (time, !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit())),
        None => (time, true),
    };
    zone_fits && fraction_fits && clock(time, &[23, 59, 60])
}

fn uuid(text: &str) -> bool {
    let lengths = [8, 4, 4, 4, 12];
    let parts: Vec<&str> = text.split('-').collect();
    parts.len() == lengths.len()
        && parts
            .iter()
            .zip(lengths)
            .all(|(part, length)| part.len() == length && part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::accepts;

    #[test]
    fn forms() {
        for (format, text, expected) in [
            ("date", "2026-02-28", true),
            ("date", "2026-02-30", false),
            ("date", "2024-02-29", true),
            ("date", "2026-W07-5", false),
            ("date-time", "2026-02-28T12:30:00Z", true),
            ("date-time", "2026-02-28T12:30:00.25+02:00", true),
            ("date-time", "2026-02-28T12:30:00", false),
            ("date-time", "2026-02-28", false),
            ("time", "25:00:00Z", false),
            ("uuid", "67e55044-10b1-426f-9247-bb680e5fe0c8", true),
            ("uuid", "67e55044", false),
            ("ipv4", "127.0.0.1", true),
            ("ipv6", "::1", true),
            ("email", "a@b.c", true),
            ("email", "a.b.c", false),
            ("unheard-of", "anything", true),
        ] {
            assert_eq!(accepts(format, text), expected, "{format} {text}");
        }
    }
}

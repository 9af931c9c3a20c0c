//! Moments as providers write them.

use std::time::{SystemTime, UNIX_EPOCH};

/// The seconds of the Unix era in a moment like `2026-11-30T17:00:00.123Z`; `None` if it is none.
pub(super) fn seconds_of(text: &str) -> Option<u64> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let mut date = date.splitn(3, '-').map(str::parse::<i64>);
    let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
    let zone = time.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = time.split_at(zone);
    let mut clock = clock.split(':');
    let (hour, minute) = (clock.next()?.parse::<i64>().ok()?, clock.next()?.parse::<i64>().ok()?);
    let second = clock.next().unwrap_or("0").split('.').next()?.parse::<i64>().ok()?;
    let offset = match zone.strip_prefix(['+', '-']) {
        None => 0,
        Some(offset) => {
            let (hours, minutes) = offset.split_once(':')?;
            let minutes = hours.parse::<i64>().ok()? * 60 + minutes.parse::<i64>().ok()?;
            if zone.starts_with('-') { -minutes } else { minutes }
        }
    };
    // Days since 1970 in the Gregorian calendar, counted in years that begin in March.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    u64::try_from(((days * 24 + hour) * 60 + minute - offset) * 60 + second).ok()
}

/// The seconds of the Unix era until now, by this machine's clock.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::seconds_of;

    #[test]
    fn moments_are_seconds() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00Z", Some(0)),
            ("2000-02-29T12:00:00Z", Some(951_825_600)),
            ("2024-08-20T18:37:24.100435Z", Some(1_724_179_044)),
            ("2024-08-20T20:37:24+02:00", Some(1_724_179_044)),
            ("2100-03-01T00:00:00Z", Some(4_107_542_400)),
            ("2024-08-20", None),
            ("", None),
        ] {
            assert_eq!(seconds_of(text), seconds, "{text}");
        }
    }
}

//! What providers say of their limits, in headers.
//!
//! | header | where | form |
//! |---|---|---|
//! | `x-ratelimit-{limit,remaining,reset}-{requests,tokens}` | `OpenAI`, and those that are like it | a number; `1s`, `6m0s`, `120ms` |
//! | `anthropic-ratelimit-{requests,tokens,…}-{limit,remaining,reset}` | Anthropic | a number; a moment (RFC 3339) |
//!
//! In both a reset is when all of the limit is back, not when some of it is.

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;

use crate::adapter::{Quota, RateLimits};

/// What the headers say; nothing if they say nothing.
pub(super) fn told(headers: &HeaderMap) -> Option<RateLimits> {
    told_at(headers, SystemTime::now())
}

fn told_at(headers: &HeaderMap, now: SystemTime) -> Option<RateLimits> {
    let openai = |what: &str| {
        quota(headers, |of| format!("x-ratelimit-{of}-{what}"), |reset| duration(reset).or_else(|| until(reset, now)))
    };
    let anthropic =
        |what: &str| quota(headers, |of| format!("anthropic-ratelimit-{what}-{of}"), |reset| until(reset, now));
    let requests = openai("requests").or_else(|| anthropic("requests"));
    // The scarcer of the two, where they are counted apart.
    let apart = [anthropic("input-tokens"), anthropic("output-tokens")].into_iter().flatten().min_by(|one, other| {
        (u128::from(one.remaining) * u128::from(other.limit))
            .cmp(&(u128::from(other.remaining) * u128::from(one.limit)))
    });
    let tokens = openai("tokens").or_else(|| anthropic("tokens")).or(apart);
    (requests.is_some() || tokens.is_some()).then(|| RateLimits::new(requests, tokens))
}

fn quota(
    headers: &HeaderMap,
    name: impl Fn(&str) -> String,
    reset: impl Fn(&str) -> Option<Duration>,
) -> Option<Quota> {
    let text = |of| headers.get(name(of)).and_then(|value| value.to_str().ok()).map(str::trim);
    let number = |of| text(of).and_then(|text| text.parse().ok());
    let limit = number("limit").filter(|&limit| limit > 0)?;
    Some(Quota::new(limit, number("remaining")?, text("reset").and_then(reset).unwrap_or_default()))
}

/// `1s`, `6m0s`, `1h2m3.5s`, `120ms`; a plain number is one of seconds.
fn duration(text: &str) -> Option<Duration> {
    if let Ok(seconds) = text.parse() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let (mut rest, mut whole) = (text, Duration::ZERO);
    while !rest.is_empty() {
        let (number, behind) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && c != '.')?);
        let unit = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
        let (unit, behind) = behind.split_at(unit);
        let seconds = match unit {
            "d" => 86_400.0,
            "h" => 3600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            "us" | "µs" => 1e-6,
            "ns" => 1e-9,
            _ => return None,
        };
        let part = Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds).ok()?;
        (rest, whole) = (behind, whole.checked_add(part)?);
    }
    Some(whole).filter(|_| !text.is_empty())
}

/// The time until a moment (RFC 3339); none if it has passed.
fn until(text: &str, now: SystemTime) -> Option<Duration> {
    let at = moment(text)?;
    let now = now.duration_since(SystemTime::UNIX_EPOCH).ok()?.as_secs_f64();
    Some(Duration::try_from_secs_f64(at - now).unwrap_or_default())
}

/// Seconds since 1970.
fn moment(text: &str) -> Option<f64> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let zone = time.find(['Z', 'z', '+', '-'])?;
    let (time, zone) = time.split_at(zone);
    let mut date = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let mut time = time.splitn(3, ':').map(|part| part.parse::<f64>().ok());
    let (hour, minute, second) = (time.next()??, time.next()??, time.next()??);
    let offset = match zone {
        "Z" | "z" => 0.0,
        _ => {
            let (hours, minutes) = zone.get(1..)?.split_once(':')?;
            let minutes = hours.parse::<f64>().ok()?.mul_add(60.0, minutes.parse().ok()?);
            if zone.starts_with('-') { -minutes } else { minutes }
        }
    };
    #[allow(clippy::cast_precision_loss)] // days of years that have four digits
    let days =
        days((1..=9999).contains(&year).then_some(year)?, (1..=12).contains(&month).then_some(month)?, day) as f64;
    Some(days.mul_add(86_400.0, hour.mul_add(3600.0, (minute - offset).mul_add(60.0, second))))
}

/// Days since 1970 of a date: years begin in March, so that the day of February that some have is their last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn openai_counts_requests_and_tokens() {
        let told = told(&headers(&[
            ("x-ratelimit-limit-requests", "14400"),
            ("x-ratelimit-remaining-requests", "14370"),
            ("x-ratelimit-reset-requests", "2m59.56s"),
            ("x-ratelimit-limit-tokens", "18000"),
            ("x-ratelimit-remaining-tokens", "17997"),
            ("x-ratelimit-reset-tokens", "7.66s"),
        ]))
        .unwrap();
        assert_eq!(told.requests, Some(Quota::new(14_400, 14_370, Duration::from_millis(179_560))));
        assert_eq!(told.tokens, Some(Quota::new(18_000, 17_997, Duration::from_millis(7_660))));
    }

    #[test]
    fn anthropic_names_a_moment() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_790_000_000);
        let soon = httpdate::parse_http_date("Mon, 21 Sep 2026 14:13:50 GMT").unwrap();
        let wait = soon.duration_since(now).unwrap();
        let of = |text: &str| {
            let told = told_at(
                &headers(&[
                    ("anthropic-ratelimit-requests-limit", "50"),
                    ("anthropic-ratelimit-requests-remaining", "49"),
                    ("anthropic-ratelimit-requests-reset", text),
                    ("anthropic-ratelimit-input-tokens-limit", "1000"),
                    ("anthropic-ratelimit-input-tokens-remaining", "900"),
                    ("anthropic-ratelimit-input-tokens-reset", text),
                    ("anthropic-ratelimit-output-tokens-limit", "100"),
                    ("anthropic-ratelimit-output-tokens-remaining", "10"),
                    ("anthropic-ratelimit-output-tokens-reset", text),
                ]),
                now,
            )
            .unwrap();
            assert_eq!(told.tokens.map(|quota| quota.limit), Some(100), "the scarcer");
            told.requests.unwrap().reset
        };
        assert_eq!(of("2026-09-21T14:13:50Z"), wait);
        assert_eq!(of("2026-09-21T16:13:50+02:00"), wait);
        assert_eq!(of("2026-09-21T14:13:50.5Z"), wait + Duration::from_millis(500));
        for none in ["1999-01-01T00:00:00Z", "soon", "2026-13-01T00:00:00Z", ""] {
            assert_eq!(of(none), Duration::ZERO, "{none}");
        }
    }

    #[test]
    fn moments_are_those_of_the_calendar() {
        for date in ["Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 29 Feb 2024 23:59:59 GMT", "Mon, 01 Mar 2100 00:00:01 GMT"]
        {
            let at = httpdate::parse_http_date(date).unwrap();
            let months = ["Jan", "Feb", "Mar"];
            let month = months.iter().position(|month| date[8..11] == **month).unwrap() + 1;
            let text = format!("{}-{month:02}-{}T{}Z", &date[12..16], &date[5..7], &date[17..25]);
            let since = at.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs_f64();
            assert!((moment(&text).unwrap() - since).abs() < 1e-6, "{text}");
        }
    }

    #[test]
    fn what_is_no_number_says_nothing() {
        assert_eq!(told(&headers(&[("x-ratelimit-limit-requests", "many")])), None);
        assert_eq!(told(&HeaderMap::new()), None);
        for (text, seconds) in [("20ms", 0.02), ("6m0s", 360.0), ("1h2m3.5s", 3723.5), ("7", 7.0)] {
            assert_eq!(duration(text), Some(Duration::from_secs_f64(seconds)), "{text}");
        }
        for text in ["", "s", "1x", "-1s", "1.2.3s"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }
}

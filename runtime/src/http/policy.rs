//! How long a request may take and when it is sent again, as data.

use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};

/// How long each part of a request may take. The deadline of a [`CallRequest`](crate::adapter::CallRequest) holds
/// beside them, over all attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeouts {
    /// Until there is a connection. A client of your own has its own limit, and this one is not used.
    pub connect: Duration,
    /// From the request to the answer's first byte. An unstreamed reply has been written by then, so this is long.
    pub first_byte: Duration,
    /// Between two pieces of a reply. A connection whose other end is gone shows in nothing else.
    pub idle: Duration,
    /// For the whole call, pauses and further attempts included.
    pub total: Duration,
}

impl Default for Timeouts {
    /// 10 seconds to connect, 10 minutes to the first byte and between pieces, 30 minutes in all.
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_mins(10),
            // Not less than the one before: a timer that is due earlier than the last one wakes the runtime.
            idle: Duration::from_mins(10),
            total: Duration::from_mins(30),
        }
    }
}

impl Timeouts {
    /// With this limit until there is a connection.
    #[must_use]
    pub const fn with_connect(mut self, limit: Duration) -> Self {
        self.connect = limit;
        self
    }

    /// With this limit until the answer's first byte.
    #[must_use]
    pub const fn with_first_byte(mut self, limit: Duration) -> Self {
        self.first_byte = limit;
        self
    }

    /// With this limit between two pieces of a reply.
    #[must_use]
    pub const fn with_idle(mut self, limit: Duration) -> Self {
        self.idle = limit;
        self
    }

    /// With this limit for the whole call.
    #[must_use]
    pub const fn with_total(mut self, limit: Duration) -> Self {
        self.total = limit;
        self
    }
}

/// When a request is sent again after a fault of the transport: a broken connection, too many requests, a server
/// that failed. What the provider found wrong with the request itself is never sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retry {
    /// At most so many further attempts; 0 for none.
    pub max_retries: u32,
    /// The pause before the first of them. Each further one is twice as long, and a random part of up to a quarter
    /// is taken off, so that clients that failed together do not come back together.
    pub first_pause: Duration,
    /// The longest pause of our own.
    pub longest_pause: Duration,
    /// The longest pause that a provider may ask for (`Retry-After`). Where it asks for more, or for more than the
    /// deadline leaves, the error comes at once and says how much.
    pub longest_wait: Duration,
}

impl Default for Retry {
    /// Two further attempts, after half a second and a second; a provider may ask for up to a minute.
    fn default() -> Self {
        Self {
            max_retries: 2,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(8),
            longest_wait: Duration::from_mins(1),
        }
    }
}

impl Retry {
    /// No second attempt.
    #[must_use]
    pub const fn never() -> Self {
        Self {
            max_retries: 0,
            first_pause: Duration::ZERO,
            longest_pause: Duration::ZERO,
            longest_wait: Duration::ZERO,
        }
    }

    /// With at most so many further attempts.
    #[must_use]
    pub const fn with_max_retries(mut self, most: u32) -> Self {
        self.max_retries = most;
        self
    }

    /// With pauses of our own from `first`, doubling, up to `longest`.
    #[must_use]
    pub const fn with_pauses(mut self, first: Duration, longest: Duration) -> Self {
        self.first_pause = first;
        self.longest_pause = longest;
        self
    }

    /// With this limit on the pauses that a provider asks for.
    #[must_use]
    pub const fn with_longest_wait(mut self, longest: Duration) -> Self {
        self.longest_wait = longest;
        self
    }

    /// The pause before the next attempt, after `retries` further attempts so far; `None` where there is none.
    pub(super) fn pause(&self, retries: u32, asked: Option<Duration>) -> Option<Duration> {
        if retries >= self.max_retries {
            return None;
        }
        if let Some(asked) = asked {
            return (asked <= self.longest_wait).then_some(asked);
        }
        let doubled = self.first_pause.saturating_mul(2_u32.saturating_pow(retries));
        Some(doubled.min(self.longest_pause).mul_f64(1.0 - fastrand::f64() / 4.0))
    }
}

/// How long the provider asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date.
pub(super) fn asked_pause(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    // `try_from_secs_f64` refuses what is negative, not finite or beyond all measure.
    let seconds = |text: &str| text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    if let Some(milliseconds) = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok()) {
        return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
    }
    let asked = text(RETRY_AFTER.as_str())?;
    seconds(asked).or_else(|| {
        let date = httpdate::parse_http_date(asked).ok()?;
        // A date that has passed asks for no pause.
        Some(date.duration_since(std::time::SystemTime::now()).unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    fn headers(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name.parse().unwrap(), value.parse().unwrap())])
    }

    #[test]
    fn providers_ask_in_seconds_milliseconds_and_dates() {
        assert_eq!(asked_pause(&headers("retry-after", "7")), Some(Duration::from_secs(7)));
        assert_eq!(asked_pause(&headers("retry-after", "0.5")), Some(Duration::from_millis(500)));
        assert_eq!(asked_pause(&headers("retry-after-ms", "250")), Some(Duration::from_millis(250)));
        let soon = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(30));
        let pause = asked_pause(&headers("retry-after", &soon)).unwrap();
        assert!((28..=30).contains(&pause.as_secs()), "{pause:?}");
        assert_eq!(asked_pause(&headers("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT")), Some(Duration::ZERO));
        for nonsense in ["", "-1", "soon", "NaN", "inf", "1e300"] {
            assert_eq!(asked_pause(&headers("retry-after", nonsense)), None, "{nonsense}");
        }
    }

    #[test]
    fn pauses_double_to_a_limit_and_differ() {
        let retry = Retry::default()
            .with_max_retries(40)
            .with_pauses(Duration::from_millis(100), Duration::from_secs(1))
            .with_longest_wait(Duration::from_secs(5));
        for (retries, most) in [(0, 100), (1, 200), (2, 400), (3, 800), (4, 1000), (39, 1000)] {
            for _ in 0..50 {
                let pause = retry.pause(retries, None).unwrap();
                let most = Duration::from_millis(most);
                assert!(pause <= most && pause >= most.mul_f64(0.75), "{retries}: {pause:?}");
            }
        }
        assert_eq!(retry.pause(40, None), None);
        assert_eq!(retry.pause(0, Some(Duration::from_secs(5))), Some(Duration::from_secs(5)));
        assert_eq!(retry.pause(0, Some(Duration::from_secs(6))), None);
        assert_eq!(Retry::never().pause(0, None), None);
    }
}

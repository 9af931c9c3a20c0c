//! Regular expressions for dates and times without an offset.
//!
//! JSON Schema's `date-time` and `time` demand an offset, and the parsers of local times refuse
//! one. They also refuse days that there are not, so the expression for dates knows the calendar,
//! leap years too.

/// A date of the years 0000 to 9999.
macro_rules! date {
    () => {
        concat!(
            "(",
            "[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])",
            "|(0[469]|11)-(0[1-9]|[12][0-9]|30)",
            "|02-(0[1-9]|1[0-9]|2[0-8]))",
            "|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29",
            ")"
        )
    };
}

/// A time of day, without a leap second. The argument says how often the fraction occurs.
macro_rules! clock {
    ($fraction:literal) => {
        concat!("([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})", $fraction)
    };
}

pub(crate) use {clock, date};

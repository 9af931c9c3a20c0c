//! Numbers as text: what JSON has, what models write, and which of it has one reading.
//!
//! Nothing here computes with floats. A number is rewritten as text, digit by digit.

/// Why text is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum No {
    /// It is none.
    Number,
    /// It is more than one.
    OneReading,
}

/// Whether the text is a number by JSON's grammar.
pub(super) fn is_json_number(text: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = text.strip_prefix('-').unwrap_or(text);
    let whole = digits(rest);
    if whole == 0 || whole > 1 && rest.starts_with('0') {
        return false;
    }
    let mut rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        match digits(fraction) {
            0 => return false,
            n => rest = &fraction[n..],
        }
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        return !exponent.is_empty() && digits(exponent) == exponent.len();
    }
    rest.is_empty()
}

/// The JSON number that a number of another language stands for: `1_000`, `+1`, `.5`, `5.`, `0x1F`.
pub(super) fn plain_number(token: &str) -> Option<String> {
    let (sign, body) = match token.strip_prefix('-') {
        Some(body) => ("-", body),
        None => ("", token.strip_prefix('+').unwrap_or(token)),
    };
    if let Some(hex) = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")) {
        let plain = hex.bytes().all(|byte| byte.is_ascii_hexdigit());
        return u64::from_str_radix(hex, 16).ok().filter(|_| plain).map(|value| format!("{sign}{value}"));
    }
    let mut number = String::with_capacity(token.len() + 2);
    number.push_str(sign);
    if body.starts_with('.') {
        number.push('0');
    }
    let bytes = body.as_bytes();
    for (i, byte) in bytes.iter().enumerate() {
        match byte {
            b'_' => {
                let between =
                    i > 0 && bytes[i - 1].is_ascii_digit() && bytes.get(i + 1).is_some_and(u8::is_ascii_digit);
                if !between {
                    return None;
                }
            }
            b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-' => number.push(char::from(*byte)),
            _ => return None,
        }
    }
    if number.ends_with('.') {
        number.push('0');
    }
    (is_json_number(&number)).then_some(number)
}

/// A number in full-width characters in the usual ones.
pub(super) fn narrow(text: &str) -> Option<String> {
    if !text.contains(|c| matches!(c, '０'..='９')) {
        return None;
    }
    let narrow = |c: char| match c {
        '＋' | '－' | '．' | '，' | '０'..='９' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        _ => c,
    };
    Some(text.chars().map(narrow).collect())
}

/// The whole number that a JSON number is, written plainly, if it is one: `4.0`, `1.2e3`.
pub(super) fn whole(number: &str) -> Option<String> {
    /// No integer type of ours has more digits.
    const MOST_DIGITS: i64 = 40;
    let (sign, body) = match number.strip_prefix('-') {
        Some(body) => ("-", body),
        None => ("", number),
    };
    let (mantissa, exponent) = match body.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (body, 0),
    };
    let (int, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = format!("{int}{fraction}");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    let zeros = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    if zeros >= 0 {
        let length = i64::try_from(digits.len()).ok()?.checked_add(zeros)?;
        let zeros = usize::try_from(zeros).ok()?;
        return (length <= MOST_DIGITS).then(|| format!("{sign}{digits}{}", "0".repeat(zeros)));
    }
    // `120e-1`: zeros at the end of the whole part make up for the exponent.
    let drop = usize::try_from(-zeros).ok()?;
    let kept = digits.strip_suffix(&"0".repeat(drop.min(digits.len())))?;
    (drop < digits.len()).then(|| format!("{sign}{kept}"))
}

/// The whole number that a text means.
pub(super) fn integer(text: &str) -> Result<String, No> {
    if let Some(text) = narrow(text) {
        return integer(&text);
    }
    let text = trimmed(text);
    if let Some(number) = without_octal(text)? {
        return Ok(number);
    }
    if is_json_number(text) {
        // "12.000" is twelve here and twelve thousand there.
        if grouped(text, '.').is_some() {
            return Err(No::OneReading);
        }
        return whole(text).ok_or(No::Number);
    }
    if let Some(number) = plain_number(text) {
        return whole(&number).ok_or(No::Number);
    }
    let (sign, body) = amount(text);
    // Of the two readings of "12,500" only one is whole.
    let number = [',', ' ', '\'', '’', '\u{a0}', '\u{202f}', '\u{2009}'].iter().find_map(|mark| grouped(body, *mark));
    match number {
        Some(number) => Ok(format!("{sign}{number}")),
        None => decimal(text).and_then(|number| whole(&number).ok_or(No::Number)),
    }
}

/// The number that a text means.
pub(super) fn decimal(text: &str) -> Result<String, No> {
    if let Some(text) = narrow(text) {
        return decimal(&text);
    }
    let text = trimmed(text);
    if let Some(number) = without_octal(text)? {
        return Ok(number);
    }
    if is_json_number(text) {
        return Ok(text.to_owned());
    }
    if let Some(number) = plain_number(text) {
        return Ok(number);
    }
    let (sign, body) = amount(text);
    if is_json_number(body) {
        return Ok(format!("{sign}{body}"));
    }
    for (group, point) in
        [(',', '.'), ('.', ','), (' ', '.'), (' ', ','), ('\'', '.'), ('’', '.'), ('\u{a0}', ','), ('\u{202f}', ',')]
    {
        if let Some((int, fraction)) = body.split_once(point)
            && let Some(int) = grouped(int, group)
            && !fraction.is_empty()
            && fraction.bytes().all(|byte| byte.is_ascii_digit())
        {
            return Ok(format!("{sign}{int}.{fraction}"));
        }
    }
    for mark in [' ', '\'', '’', '\u{a0}', '\u{202f}', '\u{2009}'] {
        if let Some(number) = grouped(body, mark) {
            return Ok(format!("{sign}{number}"));
        }
    }
    for mark in [',', '.'] {
        if let Some(number) = grouped(body, mark) {
            // "1,234,567" has one reading, "12,500" two.
            return if body.matches(mark).count() > 1 { Ok(format!("{sign}{number}")) } else { Err(No::OneReading) };
        }
    }
    match body.split_once(',') {
        Some((int, fraction))
            if is_json_number(&format!("{int}.{fraction}")) && fraction.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            Ok(format!("{sign}{int}.{fraction}"))
        }
        _ => Err(No::Number),
    }
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}'))
}

/// A number with zeros in front, where octal digits would not change it.
fn without_octal(text: &str) -> Result<Option<String>, No> {
    let (sign, body) = match text.strip_prefix('-') {
        Some(body) => ("-", body),
        None => ("", text),
    };
    let digits = body.trim_start_matches('0');
    if body.len() < 2 || !body.starts_with('0') || !body.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    match digits.len() {
        0 => Ok(Some("0".to_owned())),
        1 => Ok(Some(format!("{sign}{digits}"))),
        _ if digits.contains(['8', '9']) => Ok(Some(format!("{sign}{digits}"))),
        _ => Err(No::OneReading),
    }
}

/// The sign and the number of an amount: without its currency.
fn amount(text: &str) -> (&str, &str) {
    const SIGNS: [char; 6] = ['$', '€', '£', '¥', '₹', '₩'];
    let (mut sign, mut body) = match text.strip_prefix(['-', '−']) {
        Some(body) => ("-", body),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    body = match body.strip_prefix(SIGNS) {
        Some(rest) => rest.trim_start(),
        None => body.strip_suffix(SIGNS).map_or(body, str::trim_end),
    };
    if sign.is_empty()
        && let Some(rest) = body.strip_prefix('-')
    {
        (sign, body) = ("-", rest);
    }
    (sign, body)
}

/// The digits of a number in groups of three: `1,234,567`. None without any group.
fn grouped(text: &str, mark: char) -> Option<String> {
    let mut groups = text.split(mark);
    let first = groups.next()?;
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    if !(1..=3).contains(&first.len()) || !digits(first) || first.starts_with('0') {
        return None;
    }
    let mut number = first.to_owned();
    for group in groups {
        if group.len() != 3 || !digits(group) {
            return None;
        }
        number.push_str(group);
    }
    (number.len() > first.len()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_grammar() {
        for yes in ["0", "-0", "10", "1.5", "1e5", "-1.5E-7", "18446744073709551616"] {
            assert!(is_json_number(yes), "{yes}");
        }
        for no in ["", "-", "01", "1.", ".5", "+1", "1e", "1e+", "NaN", "0x1", "1_0", "1.2.3", "--1"] {
            assert!(!is_json_number(no), "{no}");
        }
    }

    #[test]
    fn whole_numbers_stay_exact() {
        for (text, expected) in [
            ("4.0", Some("4")),
            ("4.5", None),
            ("1e3", Some("1000")),
            ("1.2e3", Some("1200")),
            ("120e-1", Some("12")),
            ("125e-1", None),
            ("100e-3", None),
            ("100e-2", Some("1")),
            ("-0.0", Some("0")),
            ("9007199254740993.0", Some("9007199254740993")),
            ("1e400", None),
            ("1e-400", None),
            ("0e999999999999", Some("0")),
        ] {
            assert_eq!(whole(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn one_reading_or_none() {
        use No::{Number, OneReading};
        for (text, whole, any) in [
            ("4", Ok("4"), Ok("4")),
            (" 4 ", Ok("4"), Ok("4")),
            ("4.0", Ok("4"), Ok("4.0")),
            ("12.000", Err(OneReading), Ok("12.000")),
            ("12,500", Ok("12500"), Err(OneReading)),
            ("1,234,567", Ok("1234567"), Ok("1234567")),
            ("1.234.567", Ok("1234567"), Ok("1234567")),
            ("$1,234.50", Err(Number), Ok("1234.50")),
            ("1.234,50 €", Err(Number), Ok("1234.50")),
            ("12,5", Err(Number), Ok("12.5")),
            ("12 500", Ok("12500"), Ok("12500")),
            ("-$12", Ok("-12"), Ok("-12")),
            ("123_456.789", Err(Number), Ok("123456.789")),
            ("0x1F", Ok("31"), Ok("31")),
            ("05", Ok("5"), Ok("5")),
            ("09", Ok("9"), Ok("9")),
            ("010", Err(OneReading), Err(OneReading)),
            ("four", Err(Number), Err(Number)),
            ("50%", Err(Number), Err(Number)),
            ("4 legs", Err(Number), Err(Number)),
            ("", Err(Number), Err(Number)),
            ("NaN", Err(Number), Err(Number)),
            ("1,23", Err(Number), Ok("1.23")),
            ("1,2,3", Err(Number), Err(Number)),
            ("１２．５", Err(Number), Ok("12.5")),
            ("－１２", Ok("-12"), Ok("-12")),
            ("１２，５００", Ok("12500"), Err(OneReading)),
        ] {
            assert_eq!(integer(text), whole.map(str::to_owned), "integer {text}");
            assert_eq!(decimal(text), any.map(str::to_owned), "decimal {text}");
        }
    }
}

//! Text in the `format`s of JSON Schema.
//!
//! The dates are ones that every calendar crate takes: no leap seconds, and no year whose instant
//! falls out of range once the offset is added.

use super::random::Random;

/// Text in the format `name`; `None` for a format that is not known here.
pub(crate) fn text(name: &str, random: &mut Random) -> Option<String> {
    Some(match name {
        "date" => date(random),
        "time" => time(random),
        "date-time" => format!("{}T{}", date(random), time(random)),
        "duration" => duration(random),
        "email" => format!("{}@{}", atom(random), hostname(random)),
        "hostname" => hostname(random),
        "ipv4" => ipv4(random),
        "ipv6" => ipv6(random),
        "uuid" => uuid(random),
        "uri" => uri(random),
        _ => return None,
    })
}

fn date(random: &mut Random) -> String {
    if random.once_in(8) {
        return (*random.pick(&["2000-02-29", "1970-01-01", "1969-12-31", "2038-01-19"])).to_owned();
    }
    let year = if random.once_in(4) { random.between(1, 9998) } else { random.between(1900, 2100) };
    format!("{year:04}-{:02}-{:02}", random.between(1, 12), random.between(1, 28))
}

fn time(random: &mut Random) -> String {
    let clock = format!("{:02}:{:02}:{:02}", random.between(0, 23), random.between(0, 59), random.between(0, 59));
    let fraction = match random.below(4) {
        0 => format!(".{:03}", random.between(0, 999)),
        1 => format!(".{:09}", random.between(0, 999_999_999)),
        _ => String::new(),
    };
    let offset = match random.below(4) {
        0 => format!("+{:02}:{:02}", random.between(0, 14), *random.pick(&[0, 30, 45])),
        1 => format!("-{:02}:00", random.between(1, 12)),
        _ => "Z".to_owned(),
    };
    format!("{clock}{fraction}{offset}")
}

fn duration(random: &mut Random) -> String {
    let mut n = || random.between(0, 99);
    match n() % 6 {
        0 => format!("P{}D", n()),
        1 => format!("PT{}S", n()),
        2 => format!("PT{}H{}M", n(), n()),
        3 => format!("P{}DT{}H{}M{}S", n(), n(), n(), n()),
        4 => format!("PT{}M{}S", n(), n()),
        _ => format!("P{}DT{}H", n(), n()),
    }
}

/// A few letters and digits, the first a letter.
fn atom(random: &mut Random) -> String {
    let more = random.below(8);
    let mut text = String::from(char::from(b'a' + u8::try_from(random.below(26)).unwrap_or(0)));
    text.extend((0..more).map(|_| *random.pick(&['a', 'k', 'z', '0', '7', 'q', 'x'])));
    text
}

fn hostname(random: &mut Random) -> String {
    let mut labels: Vec<_> = (0..random.below(3)).map(|_| atom(random)).collect();
    if random.once_in(3) {
        labels.push(format!("{}-{}", atom(random), atom(random)));
    }
    labels.push((*random.pick(&["example", "com", "test"])).to_owned());
    labels.join(".")
}

fn ipv4(random: &mut Random) -> String {
    let mut part = || match random.below(4) {
        0 => 0,
        1 => 255,
        _ => random.between(0, 255),
    };
    format!("{}.{}.{}.{}", part(), part(), part(), part())
}

fn ipv6(random: &mut Random) -> String {
    let group = |random: &mut Random| format!("{:x}", random.between(0, 0xffff));
    let groups = |count: usize, random: &mut Random| (0..count).map(|_| group(random)).collect::<Vec<_>>().join(":");
    match random.below(4) {
        0 => (*random.pick(&["::", "::1", "fe80::1", "2001:db8::"])).to_owned(),
        1 => {
            let (front, back) = (1 + random.below(3), 1 + random.below(3));
            format!("{}::{}", groups(front, random), groups(back, random))
        }
        _ => groups(8, random),
    }
}

fn uuid(random: &mut Random) -> String {
    let (a, b) = (random.next(), random.next());
    let hex = format!("{a:016x}{b:016x}");
    let (front, back) = hex.split_at(16);
    format!("{}-{}-{}-{}-{}", &front[..8], &front[8..12], &front[12..], &back[..4], &back[4..])
}

fn uri(random: &mut Random) -> String {
    let scheme = *random.pick(&["https", "http", "ftp"]);
    let path = (0..random.below(3)).map(|_| atom(random)).collect::<Vec<_>>().join("/");
    let query = if random.once_in(3) { format!("?{}={}", atom(random), atom(random)) } else { String::new() };
    let fragment = if random.once_in(4) { format!("#{}", atom(random)) } else { String::new() };
    format!("{scheme}://{}/{path}{query}{fragment}", hostname(random))
}

//! One level of escaping or marking too many around the whole reply.
//!
//! None of these texts is JSON, and none holds a bracket that JSON could begin with as it
//! stands, so undoing the level is the one way to read them.

/// The text with one level undone, and what was undone.
pub(super) fn unescape(text: &str) -> Option<(String, &'static str)> {
    if text.contains('&') && ["&quot;", "&#34;", "&#x22;"].iter().any(|quote| opens_with(text, quote)) {
        return Some((html(text), "HTML entities"));
    }
    if text.contains('\\') && opens_with(text, "\\\"") {
        return backslashes(text).map(|text| (text, "backslashes"));
    }
    text.contains('>').then(|| quoted(text)).flatten().map(|text| (text, "a block quote"))
}

/// Whether some bracket is followed by `mark`, with nothing but space between.
fn opens_with(text: &str, mark: &str) -> bool {
    text.match_indices(mark).any(|(at, _)| {
        let mut before = text[..at].trim_end();
        // A line break may be escaped, too.
        while let Some(rest) = ["\\n", "\\t", "\\r"].iter().find_map(|space| before.strip_suffix(space)) {
            before = rest.trim_end();
        }
        before.ends_with(['{', '['])
    })
}

fn html(text: &str) -> String {
    const ENTITIES: &[(&str, &str)] = &[
        ("&quot;", "\""),
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&apos;", "'"),
        ("&nbsp;", " "),
        ("&#34;", "\""),
        ("&#x22;", "\""),
        ("&#38;", "&"),
    ];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (entity, plain) = ENTITIES.iter().find(|(entity, _)| rest.starts_with(entity)).unwrap_or(&("&", "&"));
        out.push_str(plain);
        rest = &rest[entity.len()..];
    }
    out.push_str(rest);
    out
}

/// Undoes one level of backslashes, if the text is escaped throughout.
fn backslashes(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '"']) {
        out.push_str(&rest[..at]);
        let mut tail = rest[at..].chars();
        // A quote without its backslash: not one level too many, but a mixture.
        if tail.next() == Some('"') {
            return None;
        }
        out.push(match tail.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            c @ ('"' | '\\' | '/') => c,
            _ => return None,
        });
        rest = tail.as_str();
    }
    out.push_str(rest);
    Some(out)
}

/// Takes the marks of a block quote off the lines that have them.
fn quoted(text: &str) -> Option<String> {
    let unmarked = |line: &'_ str| -> Option<usize> {
        let mark = line.len() - line.trim_start_matches([' ', '\t']).len();
        line[mark..].strip_prefix('>').map(|rest| line.len() - rest.strip_prefix(' ').unwrap_or(rest).len())
    };
    let opens =
        text.lines().any(|line| unmarked(line).is_some_and(|at| line[at..].trim_start().starts_with(['{', '['])));
    if !opens {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        out.push_str(unmarked(line).map_or(line, |at| &line[at..]));
    }
    Some(out)
}

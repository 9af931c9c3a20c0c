//! Doc comments as descriptions.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// The doc comment among `attrs` as running text: lines of a paragraph joined, paragraphs kept.
///
/// Documentation that is not a literal (`#[doc = include_str!("…")]`) is passed over: its text is
/// not known here.
pub(crate) fn description(attrs: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attr in attrs {
        if let Meta::NameValue(pair) = &attr.meta
            && pair.path.is_ident("doc")
            && let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value
        {
            let block: Vec<String> = text.value().split('\n').map(|line| line.trim_end().to_owned()).collect();
            lines.extend(unstar(block));
        }
    }
    flow(&unindent(&lines))
}

/// The lines of a block comment without its column of stars, if every line but the first has one.
fn unstar(lines: Vec<String>) -> Vec<String> {
    let column = |line: &String| line.find('*').filter(|&star| line[..star].trim().is_empty());
    let mut columns = lines.iter().skip(1).filter(|line| !line.is_empty()).map(column);
    let Some(Some(star)) = columns.next() else { return lines };
    if columns.any(|column| column != Some(star)) {
        return lines;
    }
    let bare = |(i, line): (usize, String)| match line.get(star + 1..) {
        Some(rest) if i > 0 => rest.to_owned(),
        _ => line,
    };
    lines.into_iter().enumerate().map(bare).collect()
}

/// The lines without the white space that all of them begin with.
fn unindent(lines: &[String]) -> Vec<String> {
    let margin = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start_matches([' ', '\t']).len())
        .min()
        .unwrap_or(0);
    lines.iter().map(|line| line.get(margin..).unwrap_or("").to_owned()).collect()
}

/// Joins the lines of each paragraph with spaces; what has a layout of its own keeps it.
fn flow(lines: &[String]) -> String {
    let mut text = String::new();
    let mut fenced = false;
    let mut glue = false;
    for line in lines {
        let fence = line.trim_start().starts_with("```");
        // As in Markdown, an indented line goes on with a paragraph but does not begin one.
        let keeps = fenced || fence || has_mark(line) || !glue && line.starts_with("    ");
        if line.is_empty() && !fenced {
            if !text.is_empty() && !text.ends_with("\n\n") {
                text.truncate(text.trim_end().len());
                text.push_str("\n\n");
            }
            glue = false;
            continue;
        }
        if glue && !keeps {
            text.push(' ');
        } else if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(if keeps { line } else { line.trim_start() });
        glue = !(fenced || fence || line.starts_with(['#', '|']));
        fenced ^= fence;
    }
    text.truncate(text.trim_end().len());
    text
}

/// Whether a line begins with the mark of something that must stand on its own line: a list item, a table row, a
/// heading, a quotation.
fn has_mark(line: &str) -> bool {
    let body = line.trim_start();
    let numbered = || {
        let rest = body.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < body.len() && (rest.starts_with(". ") || rest.starts_with(") "))
    };
    body.starts_with(['|', '#', '>']) || ["- ", "* ", "+ "].iter().any(|mark| body.starts_with(mark)) || numbered()
}

#[cfg(test)]
mod tests {
    use syn::{Attribute, parse_quote};

    use super::description;

    #[test]
    fn lines_flow_and_paragraphs_stay() {
        let attrs: Vec<Attribute> = vec![
            parse_quote!(#[doc = " One sentence"]),
            parse_quote!(#[doc = " over two lines."]),
            parse_quote!(#[doc = ""]),
            parse_quote!(#[doc = " - a list"]),
            parse_quote!(#[doc = "   goes on"]),
            parse_quote!(#[doc = " - of two"]),
        ];
        assert_eq!(description(&attrs), "One sentence over two lines.\n\n- a list goes on\n- of two");
    }

    #[test]
    fn blocks_lose_their_stars() {
        let attrs: Vec<Attribute> = vec![parse_quote!(#[doc = "\n * First\n * second.\n "])];
        assert_eq!(description(&attrs), "First second.");
        let attrs: Vec<Attribute> = vec![parse_quote!(#[doc = " First\n     * second.\n     *\n     * Third."])];
        assert_eq!(description(&attrs), "First second.\n\nThird.");
    }

    #[test]
    fn paragraphs_begin_without_space() {
        // The first is written as a comment, the second as an attribute: rustdoc knows, a derive does not.
        for lines in [&[" one ", "two"][..], &["\tone", "\ttwo "], &[" one", "     two"]] {
            let attrs: Vec<Attribute> = lines.iter().map(|line| parse_quote!(#[doc = #line])).collect();
            assert_eq!(description(&attrs), "one two");
        }
        let attrs: Vec<Attribute> = vec![parse_quote!(#[doc = " one\n\n     code"])];
        assert_eq!(description(&attrs), "one\n\n    code");
    }

    #[test]
    fn lists_keep_their_stars() {
        let lines = [" One of", " * a", " * b"];
        let attrs: Vec<Attribute> = lines.iter().map(|line| parse_quote!(#[doc = #line])).collect();
        assert_eq!(description(&attrs), "One of\n* a\n* b");
    }

    #[test]
    fn text_that_is_not_a_literal_is_passed_over() {
        let attrs: Vec<Attribute> =
            vec![parse_quote!(#[doc = concat!("a", "b")]), parse_quote!(#[doc(hidden)]), parse_quote!(#[doc = " c"])];
        assert_eq!(description(&attrs), "c");
    }
}

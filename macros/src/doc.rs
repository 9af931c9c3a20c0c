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
            lines.extend(text.value().split('\n').map(|line| line.trim_end().to_owned()));
        }
    }
    flow(&unindent(&lines))
}

/// The lines without the white space that all of them begin with; `/** … */` blocks often have a
/// star in front of each line too.
fn unindent(lines: &[String]) -> Vec<String> {
    let starred = lines.len() > 1
        && lines.iter().skip(1).all(|line| line.trim_start().starts_with('*') || line.trim().is_empty())
        && lines.iter().skip(1).any(|line| line.trim_start().starts_with("* "))
        && lines
            .iter()
            .skip(1)
            .all(|line| line.is_empty() || line.starts_with(' ') && line.trim_start().starts_with('*'))
        && lines[0].trim().is_empty();
    let bare = |line: &String| {
        if starred { line.trim_start().strip_prefix('*').unwrap_or(line.trim_start()).to_owned() } else { line.clone() }
    };
    let lines: Vec<String> = lines.iter().map(bare).collect();
    let margin = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| line.len() - line.trim_start_matches(' ').len())
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
        let keeps = fenced || fence || has_layout(line);
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
        text.push_str(if glue && !keeps { line.trim_start() } else { line });
        glue = !(fenced || fence || line.starts_with(['#', '|']));
        fenced ^= fence;
    }
    text.truncate(text.trim_end().len());
    text
}

/// Whether a line begins something that must stand on its own line: a list item, a table row, a
/// heading, a quotation, indented code.
fn has_layout(line: &str) -> bool {
    let body = line.trim_start();
    let numbered = || {
        let rest = body.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < body.len() && (rest.starts_with(". ") || rest.starts_with(") "))
    };
    line.starts_with("    ")
        || body.starts_with(['|', '#', '>'])
        || ["- ", "* ", "+ "].iter().any(|mark| body.starts_with(mark))
        || numbered()
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
    }

    #[test]
    fn text_that_is_not_a_literal_is_passed_over() {
        let attrs: Vec<Attribute> =
            vec![parse_quote!(#[doc = concat!("a", "b")]), parse_quote!(#[doc(hidden)]), parse_quote!(#[doc = " c"])];
        assert_eq!(description(&attrs), "c");
    }
}

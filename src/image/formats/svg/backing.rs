//! The background of a whole drawing: CSS allows a background on the outermost element, as on any box of a page (SVG 2,
//! 6.2). usvg ignores it, so a rectangle is inserted behind everything. Only plain colours in the `style` attribute are
//! supported.

use resvg::usvg::roxmltree::Document;

/// The text of a drawing with its background as its first element; `None` without a background that is a plain colour.
pub(super) fn backed(text: &str, document: &Document<'_>) -> Option<String> {
    let root = document.root_element();
    let colour = colour(root.attribute("style")?)?;
    let area = area(root.attribute("viewBox"));
    let from = root.range().start;
    let tag = text.get(from..)?;
    let name = tag.get(1..)?;
    let name = &name[..name.find(|c: char| c.is_whitespace() || matches!(c, '/' | '>'))?];
    let prefix = name.rfind(':').map_or("", |colon| &name[..=colon]);
    let rectangle = format!("<{prefix}rect {area} style=\"fill:{colour};stroke:none\"/>");
    let end = end_of(tag)?;
    let (before, after) = text.split_at(from + end);
    // An outermost element without content gets an end tag.
    Some(match before.strip_suffix('/') {
        Some(before) => format!("{before}>{rectangle}</{name}{after}"),
        None => format!("{before}>{rectangle}{}", after.get(1..)?),
    })
}

/// Position of the `>` that ends a start tag.
fn end_of(tag: &str) -> Option<usize> {
    let mut quote = None;
    tag.char_indices().find_map(|(at, c)| match (quote, c) {
        (None, '>') => Some(at),
        (None, '"' | '\'') => {
            quote = Some(c);
            None
        }
        (Some(open), c) if c == open => {
            quote = None;
            None
        }
        _ => None,
    })
}

/// The background colour among declarations; the last one takes effect. `None` if it is not a plain colour.
fn colour(style: &str) -> Option<&str> {
    let values = style.split(';').filter_map(|one| one.split_once(':'));
    let own = values.filter(|(name, _)| {
        let name = name.trim();
        name.eq_ignore_ascii_case("background") || name.eq_ignore_ascii_case("background-color")
    });
    let value = own.map(|(_, value)| value.trim()).reduce(|_, last| last)?;
    let is_plain =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '#' | '(' | ')' | ',' | '.' | '%' | ' ');
    let is_colour = !value.is_empty()
        && value.chars().all(is_plain)
        && !value.contains("url")
        && !value.contains("gradient")
        && (value.contains('(') || !value.contains(' '))
        && !["none", "inherit", "initial"].contains(&value);
    is_colour.then_some(value)
}

/// The visible area of a drawing, as attributes of a rectangle.
fn area(view: Option<&str>) -> String {
    let numbers = view.map(|view| {
        let parts = view.split(|c: char| c == ',' || c.is_whitespace());
        let parts = parts.filter(|part| !part.is_empty());
        parts
            .map(|part| part.parse::<f64>().ok())
            .collect::<Option<Vec<f64>>>()
    });
    match numbers.flatten().as_deref() {
        Some([x, y, width, height]) => {
            format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
        }
        _ => "width=\"100%\" height=\"100%\"".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, wanted: Option<&str>) {
        let document = Document::parse(text).unwrap();
        let backed = backed(text, &document);
        assert_eq!(backed.as_deref(), wanted);
        if let Some(backed) = backed {
            Document::parse(&backed).unwrap();
        }
    }

    #[test]
    fn the_background_becomes_the_first_element() {
        check(
            "<svg style='fill: red; background: green'><g/></svg>",
            Some(
                "<svg style='fill: red; background: green'>\
                 <rect width=\"100%\" height=\"100%\" style=\"fill:green;stroke:none\"/><g/></svg>",
            ),
        );
        check(
            "<s:svg xmlns:s='a>b' viewBox='0 0 2,3' style='background-color:#fff'/>",
            Some(
                "<s:svg xmlns:s='a>b' viewBox='0 0 2,3' style='background-color:#fff'>\
                 <s:rect x=\"0\" y=\"0\" width=\"2\" height=\"3\" style=\"fill:#fff;stroke:none\"/></s:svg>",
            ),
        );
        check("<svg style='background: url(a.png)'/>", None);
        check("<svg><g style='background: red'/></svg>", None);
    }
}

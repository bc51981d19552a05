//! Charts (ECMA-376 part 1, 21.2), by the values that are cached in them. Never opens the workbook that they come from.

use super::number;
use crate::{
    containers::xml::{Node, Reader},
    error::Result,
};

/// The limit on the series of a chart, and on the points of one.
const MAX_SERIES: usize = 255;
const MAX_POINTS: usize = 32_000;

/// A chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Chart {
    /// Its title, if the file says it in words.
    pub(crate) title: Option<String>,
    /// The titles of its axes.
    pub(crate) axes: Vec<String>,
    /// Its series, in their order.
    pub(crate) series: Vec<Series>,
}

/// A series of values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Series {
    /// Its name.
    pub(crate) name: String,
    /// The kind of chart that shows it: `bar`, `line`, `pie`, `scatter` …
    pub(crate) kind: Box<str>,
    /// What its points are called, or their position on the other axis.
    pub(crate) categories: Vec<String>,
    /// Its values, as the file writes them. Empty where there is none.
    pub(crate) values: Vec<String>,
}

impl Chart {
    /// Reads the part of a chart. `xml` is at its beginning.
    pub(crate) fn read(xml: &mut Reader<'_>) -> Result<Self> {
        let mut all = Self::default();
        xml.root()?;
        while let Some(element) = xml.next_element(1)? {
            if element.name != "chart" {
                continue;
            }
            let chart = Node::read(xml, element)?;
            all.title = chart.child("c", "title").map(words);
            let Some(plot) = chart.child("c", "plotArea") else {
                continue;
            };
            for group in &plot.children {
                if let Some(kind) = group.element.name.strip_suffix("Chart") {
                    let series = group.children.iter().filter(|child| child.is("c", "ser"));
                    let room = MAX_SERIES.saturating_sub(all.series.len());
                    all.series
                        .extend(series.take(room).map(|node| series_of(kind, node)));
                } else if matches!(group.element.name, "catAx" | "valAx" | "dateAx" | "serAx") {
                    let title = group.child("c", "title").map(words);
                    all.axes.extend(title.filter(|title| !title.is_empty()));
                }
            }
        }
        all.title = all.title.filter(|title| !title.trim().is_empty());
        Ok(all)
    }

    /// The columns of a table of its values: the name of each, its points, and whether they are values. In a chart of points,
    /// each series has positions of its own.
    pub(crate) fn columns(&self) -> Vec<(&str, &[String], bool)> {
        let first = self.series.first().map(|first| &first.categories);
        let shares = self.series.iter().all(|one| Some(&one.categories) == first);
        let columns = self.series.iter().enumerate().flat_map(|(nth, series)| {
            let own = (nth == 0 || !shares).then_some(("", &*series.categories, !shares));
            own.into_iter()
                .chain([(&*series.name, &*series.values, true)])
        });
        columns.collect()
    }
}

fn series_of(kind: &str, node: &Node<'_>) -> Series {
    let points = |names: [&str; 2]| {
        let data = names.iter().find_map(|name| node.child("c", name));
        data.map(cached).unwrap_or_default()
    };
    let name = node.child("c", "tx").map(|tx| match tx.child("c", "v") {
        Some(value) => value.text.trim().to_owned(),
        None => cached(tx).join(" "),
    });
    Series {
        name: name.unwrap_or_default(),
        kind: kind.into(),
        categories: points(["cat", "xVal"]),
        values: points(["val", "yVal"]),
    }
}

/// The cached points of a reference or literal. Of several levels of categories, the innermost.
fn cached(node: &Node<'_>) -> Vec<String> {
    let mut cache = node;
    // A reference, its cache, and a level of it.
    for _ in 0..3 {
        let inner = cache.children.iter().find(|child| {
            matches!(
                child.element.name,
                "strRef"
                    | "numRef"
                    | "multiLvlStrRef"
                    | "strCache"
                    | "numCache"
                    | "multiLvlStrCache"
                    | "strLit"
                    | "numLit"
                    | "lvl"
            )
        });
        let Some(inner) = inner else {
            break;
        };
        cache = inner;
    }
    let mut points = Vec::new();
    let own = cache.children.iter().filter(|child| child.is("c", "pt"));
    for (nth, point) in own.enumerate().take(MAX_POINTS) {
        let at = number(point, "idx").and_then(|at| usize::try_from(at).ok());
        let at = at.unwrap_or(nth);
        if at >= MAX_POINTS {
            continue;
        }
        if points.len() <= at {
            points.resize(at + 1, String::new());
        }
        let value = point.child("c", "v").map(|value| plain(value.text.trim()));
        points[at] = value.unwrap_or_default();
    }
    points
}

/// A number without the digits that only its binary form has: 8.1999999999999993 is 8.2.
fn plain(text: &str) -> String {
    let is_long = text.len() > 15 && text.contains('.');
    match text.parse::<f64>() {
        Ok(number) if is_long && number.is_finite() => {
            let short = format!("{number:.14e}").parse::<f64>();
            short.map_or_else(|_| text.to_owned(), |short| short.to_string())
        }
        _ => text.to_owned(),
    }
}

/// The text of a title.
fn words(node: &Node<'_>) -> String {
    let mut text = String::new();
    collect(node, &mut text, 0);
    text.trim().to_owned()
}

fn collect(node: &Node<'_>, text: &mut String, depth: usize) {
    // A title is no deeper than tx, rich, p, r, t, or than tx, strRef, strCache, pt, v.
    if depth > 8 {
        return;
    }
    if matches!(node.element.name, "p") && !text.is_empty() {
        text.push(' ');
    }
    if matches!(node.element.name, "t" | "v") {
        text.push_str(&node.text);
    }
    for child in &node.children {
        collect(child, text, depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn numbers_lose_what_only_their_binary_form_has() {
        assert_eq!(plain("8.1999999999999993"), "8.2");
        assert_eq!(plain("0.10000000000000001"), "0.1");
        assert_eq!(plain("4.3"), "4.3");
        assert_eq!(plain("1234567890123456789"), "1234567890123456789");
        assert_eq!(plain("Quarter 1.5 of 2026"), "Quarter 1.5 of 2026");
    }
}

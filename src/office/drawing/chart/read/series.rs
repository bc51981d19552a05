//! Series of a chart part: their points, markers and labels (ECMA-376 part 1, 21.2.2). Reads no axes.

use super::super::{
    elements::{MAX_SPECIAL, letters_of, limited, listed, shape, words},
    model::{Labels, Marker, Point, Points, Series, Symbol},
};
use super::{format, truth, value, word};
use crate::containers::xml::Node;

/// Reads `c:ser` with its cached values.
pub(super) fn series_of(node: &Node<'_>, left: &mut usize) -> Series {
    let mut points = |names: [&str; 2]| {
        let data = names.iter().find_map(|name| node.named(name));
        data.map(|data| cached(data, left)).unwrap_or_default()
    };
    let name = node.named("tx").map(|tx| match tx.named("v") {
        Some(value) => limited(&value.text),
        None => cached(tx, &mut { MAX_SPECIAL }).texts.join(" "),
    });
    let special = node.all_named("dPt");
    let special = special.take(MAX_SPECIAL).filter_map(|point| {
        let at = usize::try_from(value(point, "idx")? as i64).ok()?;
        let own = Point {
            shape: shape(point),
            marker: point.named("marker").map(marker),
            explosion: explosion(point),
        };
        Some((at, own))
    });
    Series {
        index: value(node, "idx").map_or(0, |at| at.clamp(0.0, 1e6) as usize),
        name: name.unwrap_or_default(),
        categories: points(["cat", "xVal"]),
        values: points(["val", "yVal"]),
        sizes: points(["bubbleSize", ""]),
        shape: shape(node),
        marker: node.named("marker").map(marker),
        smooth: node.named("smooth").map(|_| truth(node, "smooth", true)),
        points: special.collect(),
        labels: node.named("dLbls").map(labels).unwrap_or_default(),
        explosion: explosion(node).unwrap_or(0.0),
        ..Series::default()
    }
}

/// Distance by which a slice is moved outwards, as a share of the radius (21.2.2.61).
fn explosion(node: &Node<'_>) -> Option<f64> {
    value(node, "explosion").map(|share| share.clamp(0.0, 400.0) / 100.0)
}

/// Reads `c:marker`: symbol, size, fill and line.
fn marker(node: &Node<'_>) -> Marker {
    let symbol = word(node, "symbol").and_then(|symbol| {
        Some(match &*symbol {
            "none" => Symbol::None,
            "diamond" => Symbol::Diamond,
            "square" => Symbol::Square,
            "triangle" => Symbol::Triangle,
            "x" => Symbol::Cross,
            "star" => Symbol::Star,
            "circle" => Symbol::Circle,
            "plus" => Symbol::Plus,
            "dash" => Symbol::Dash,
            "dot" => Symbol::Dot,
            _ => return None,
        })
    });
    Marker {
        symbol,
        size: value(node, "size").map(|size| size.clamp(1.0, 72.0)),
        shape: shape(node),
    }
}

/// Reads `c:dLbls` (21.2.2.49): the parts that labels show, and exceptions for single points.
pub(super) fn labels(node: &Node<'_>) -> Labels {
    let shown = |name| node.named(name).map(|_| truth(node, name, false));
    let deleted = node.named("delete").is_some() && truth(node, "delete", false);
    let own = node.all_named("dLbl");
    let own = own.take(MAX_SPECIAL).filter_map(|label| {
        let at = usize::try_from(value(label, "idx")? as i64).ok()?;
        if label.named("delete").is_some() && truth(label, "delete", false) {
            return Some((at, None));
        }
        let words = label
            .named("tx")
            .map(words)
            .filter(|words| !words.is_empty())?;
        Some((at, Some(words)))
    });
    Labels {
        value: shown("showVal")
            .map(|shown| shown && !deleted)
            .or(deleted.then_some(false)),
        category: shown("showCatName"),
        series: shown("showSerName"),
        percent: shown("showPercent"),
        format: node.named("numFmt").and_then(format),
        place: word(node, "dLblPos"),
        separator: node.named("separator").map(|own| own.text.as_ref().into()),
        letters: node.named("txPr").map(letters_of).unwrap_or_default(),
        shape: shape(node),
        points: own.collect(),
    }
}

/// Reads the cached points of a reference or literal. If categories have several levels, the innermost is read.
fn cached(node: &Node<'_>, left: &mut usize) -> Points {
    let mut cache = node;
    // Descends through a reference, its cache, and a level of the cache.
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
    Points {
        texts: listed(cache, left),
        format: cache
            .named("formatCode")
            .map(|code| limited(&code.text).into()),
    }
}

//! Counts the elements of a drawing and the cost of laying out its text before usvg parses it, because the parser
//! copies every element that is used, and cannot be stopped.
//!
//! Three features multiply the work. A `use` repeats the element that it refers to, with everything that is used in it.
//! A marker is repeated at each vertex of a line, whether an attribute, a group or a rule of CSS applies it. And every
//! rule of CSS is compared with every element. If any line may have a marker, all lines are assumed to have the most
//! expensive one.

use super::lettering;
use resvg::usvg::roxmltree::{Document, Node, NodeId};
use std::collections::HashMap;

/// A number of elements above every limit.
const TOO_MANY: u64 = 1 << 40;

/// Number of elements that are drawn after every `use` and every marker has been expanded. Elements and references
/// together may nest at most twice `depth` deep; a deeper drawing counts as [`TOO_MANY`].
pub(crate) fn elements(document: &Document<'_>, depth: usize) -> u64 {
    weigh(document, depth, Weighed::Elements)
}

/// Cost of laying out all text, in steps of about a nanosecond. Text counts each time that it is used.
pub(crate) fn letters(document: &Document<'_>, depth: usize) -> u64 {
    weigh(document, depth, Weighed::Letters)
}

/// Quantity that is counted.
#[derive(Clone, Copy, PartialEq)]
enum Weighed {
    Elements,
    Letters,
}

/// Estimates the work for a drawing with all references expanded.
fn weigh(document: &Document<'_>, depth: usize, weighed: Weighed) -> u64 {
    let mut by_id = HashMap::new();
    for node in document.descendants() {
        if let Some(id) = node.attribute("id") {
            by_id.insert(id, node);
        }
    }
    let mut count = Count {
        weighed,
        paths: HashMap::new(),
        by_id,
        known: HashMap::new(),
        depth: 2 * depth,
        markers: Markers::of(document),
        marker: 0,
    };
    if count.markers.most != Most::None {
        let all = || document.descendants().filter(|node| is(*node, "marker"));
        // Lines in markers may have markers themselves. A chain of markers contains each one at most once, which limits
        // the rounds.
        let levels = if count.markers.nested {
            all().count()
        } else {
            1
        };
        for _ in 0..levels {
            count.known.clear();
            let heaviest = all().map(|marker| count.weight(marker, 0)).max();
            let before = std::mem::replace(&mut count.marker, heaviest.unwrap_or(0));
            if count.marker == before || count.marker >= TOO_MANY {
                break;
            }
        }
        count.known.clear();
    }
    count.weight(document.root(), 0)
}

/// Number of selectors in all CSS rules. Each `{` and each comma ends a selector.
pub(crate) fn selectors(document: &Document<'_>) -> u64 {
    let styles = document.descendants().filter(|node| is(*node, "style"));
    let texts = styles.flat_map(|style| style.children().filter_map(|child| child.text()));
    texts
        .map(|text| {
            text.bytes()
                .filter(|byte| matches!(byte, b'{' | b','))
                .count() as u64
        })
        .sum()
}

/// Largest number of consecutive closings of a path. The parser of paths recurses once for each of them.
const MAX_CLOSINGS: usize = 200;

/// Returns whether a path has more than [`MAX_CLOSINGS`] consecutive closings.
pub(crate) fn closes_too_often(document: &Document<'_>) -> bool {
    let mut paths = (document.descendants()).filter_map(|path| path.attribute("d"));
    paths.any(|path| closings(path) > MAX_CLOSINGS)
}

/// Length of the longest sequence of closings (`z`) in a path with nothing else between them.
fn closings(path: &str) -> usize {
    let is_between = |c: char| !matches!(c, 'z' | 'Z' | ',') && !c.is_whitespace();
    let runs = path.split(is_between);
    runs.map(|run| run.matches(['z', 'Z']).count())
        .max()
        .unwrap_or(0)
}

/// Returns whether a node is an element of this name, in any namespace.
fn is(node: Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

/// Attributes and properties that apply markers to a line.
const NAMES: [&str; 4] = ["marker", "marker-start", "marker-mid", "marker-end"];

/// Returns whether a declaration only removes the markers of a line.
fn is_none(declaration: &str) -> bool {
    declaration
        .split_once(':')
        .is_some_and(|(name, value)| NAMES.contains(&name.trim()) && value.trim() == "none")
}

/// Positions on a line at which markers may appear.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Most {
    None,
    /// The beginning and the end.
    Ends,
    /// Every vertex.
    Vertices,
}

/// Markers that a drawing may use.
#[derive(Clone, Copy)]
struct Markers {
    most: Most,
    /// Whether lines within markers may have markers, too.
    nested: bool,
}

impl Markers {
    fn of(document: &Document<'_>) -> Self {
        let mut found = Self {
            most: Most::None,
            nested: false,
        };
        for node in document.descendants() {
            let is_sheet = is(node, "style");
            let most = Most::of(node, is_sheet);
            if most == Most::None {
                continue;
            }
            found.most = if most > found.most { most } else { found.most };
            found.nested |= is_sheet
                || node.ancestors().any(|node| is(node, "marker"))
                || node.descendants().any(|node| is(node, "marker"));
        }
        found
    }
}

impl Most {
    /// Positions that an element or a style sheet applies markers to.
    fn of(node: Node<'_, '_>, is_sheet: bool) -> Self {
        let attributes = node
            .attributes()
            .filter(|attribute| attribute.value().trim() != "none");
        let names = attributes
            .map(|attribute| attribute.name())
            .filter(|name| NAMES.contains(name));
        // Inkscape states `none` for the lines in its markers. Such declarations apply no marker.
        let style = node.attribute("style").unwrap_or_default().split(';');
        let style = style.filter(|declaration| !is_none(declaration));
        let sheet = node.children().filter_map(|child| child.text());
        let sheet = sheet.filter(|_| is_sheet);
        let mut most = Self::None;
        for text in names.chain(style).chain(sheet) {
            if text.contains("marker") {
                // `marker-mid` applies markers to the vertices in between, and the shorthand `marker` to all of them.
                let rest = text.replace("marker-start", "").replace("marker-end", "");
                let is_any = rest.contains("marker") || most == Self::Vertices;
                most = if is_any { Self::Vertices } else { Self::Ends };
            }
        }
        most
    }
}

/// State of counting.
struct Count<'a, 'i> {
    /// The quantity that is counted.
    weighed: Weighed,
    /// Upper bound for the number of vertices of each path that text runs along, by the path's element. Counted once,
    /// because thousands of texts may use one path.
    paths: HashMap<NodeId, u64>,
    /// Elements by their IDs.
    by_id: HashMap<&'a str, Node<'a, 'i>>,
    /// Weights that have been computed.
    known: HashMap<NodeId, u64>,
    /// Largest number of nested elements and references.
    depth: usize,
    markers: Markers,
    /// Weight of the heaviest marker.
    marker: u64,
}

impl<'a, 'i> Count<'a, 'i> {
    /// Weight of an element and everything that it draws: its children, and the targets of its references. Computed
    /// once for each element.
    fn weight(&mut self, node: Node<'a, 'i>, depth: usize) -> u64 {
        if let Some(&weight) = self.known.get(&node.id()) {
            return weight;
        }
        // References can nest deeper than elements, so their depth is limited here.
        if depth > self.depth {
            return TOO_MANY;
        }
        // Prevents endless recursion: a reference to the element from within counts as 1.
        self.known.insert(node.id(), 1);
        let before = self.markers.most;
        if is(node, "marker") && !self.markers.nested {
            self.markers.most = Most::None;
        }
        let markers = match self.markers.most {
            Most::None => 0,
            Most::Ends => vertices(node).min(2),
            Most::Vertices => vertices(node),
        };
        let own = match self.weighed {
            Weighed::Elements => 1,
            Weighed::Letters if is(node, "text") => {
                // Thousands of texts may run along the same path.
                let paths = &mut self.paths;
                let numbers = |path: Node<'a, 'i>| {
                    let known = paths.entry(path.id());
                    *known.or_insert_with(|| vertices(path))
                };
                lettering::steps(node, &self.by_id, numbers)
            }
            Weighed::Letters => 0,
        };
        let mut total = markers.saturating_mul(self.marker).saturating_add(own);
        for attribute in node.attributes() {
            let value = attribute.value();
            let target = value.strip_prefix('#').or_else(|| {
                let (_, rest) = value.split_once("url(#")?;
                rest.split(')').next()
            });
            if let Some(&target) = target.and_then(|id| self.by_id.get(id)) {
                total = total.saturating_add(self.weight(target, depth + 1));
            }
        }
        for child in node.children().filter(Node::is_element) {
            total = total.saturating_add(self.weight(child, depth + 1));
        }
        self.markers.most = before;
        let total = total.min(TOO_MANY);
        self.known.insert(node.id(), total);
        total
    }
}

/// Upper bound for the number of vertices of a line, from the number of numbers in its attributes.
fn vertices(node: Node<'_, '_>) -> u64 {
    let numbers = |name| {
        let text = node.attribute(name).unwrap_or_default().as_bytes();
        let is_digit = |byte: u8| byte.is_ascii_digit();
        let starts = text
            .windows(2)
            .filter(|pair| !is_digit(pair[0]) && is_digit(pair[1]));
        starts.count() as u64 + u64::from(text.first().is_some_and(|byte| is_digit(*byte)))
    };
    match node.tag_name().name() {
        "line" => 2,
        // A vertex has two numbers.
        "polyline" | "polygon" => numbers("points") / 2 + 1,
        "path" => numbers("d") + 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(drawing: &str, expected: u64) {
        let text = format!("<svg>{drawing}</svg>");
        let document = Document::parse(&text).unwrap();
        // The root of the document and the drawing itself are counted, too.
        assert_eq!(elements(&document, 200), expected + 2, "{drawing}");
    }

    #[test]
    fn every_use_counts() {
        check("<g id='a'><path/></g><use href='#a'/>", 2 + 3);
        check("<g id='a'><use href='#a'/></g>", 3);
        let mut text = String::from("<svg><g id='a0'><path/></g>");
        for level in 1..20 {
            let below = level - 1;
            let uses = format!("<use href='#a{below}'/>").repeat(10);
            text += &format!("<g id='a{level}'>{uses}</g>");
        }
        text += "</svg>";
        assert!(elements(&Document::parse(&text).unwrap(), 200) > 1 << 30);
    }

    #[test]
    fn markers_count_at_every_possible_position() {
        let marker = "<marker id='m' markerWidth='3'><path/><path/></marker>";
        let line = "<polyline points='1,2 3,4 5,6'/>";
        check(&format!("{marker}{line}"), 3 + 1);
        let ends = format!("{marker}<g marker-end='url(#x)'>{line}</g>");
        check(&ends, 3 + 1 + 1 + 2 * 3);
        let none = format!("{marker}<g marker-end='none' style='marker: none;'>{line}</g>");
        check(&none, 3 + 1 + 1);
        let hidden = "marker-start: /*; marker-start: none; */ url(#x)";
        let hidden = format!("{marker}<g style='{hidden}'>{line}</g>");
        check(&hidden, 3 + 1 + 1 + 2 * 3);
        let all = format!("{marker}<g style='marker: url(#m)'>{line}</g>");
        check(&all, 3 + (1 + 3) + 1 + 4 * 3);
        // If a style sheet sets the marker, the lines within the marker may have it as well.
        let rule = format!("<style>polyline {{ marker-mid: url(#m) }}</style>{marker}{line}");
        check(&rule, 1 + (1 + 2 * (1 + 3)) + 1 + 4 * 3);
    }

    #[test]
    fn lines_in_markers_may_exclude_markers() {
        let arrow = |style| format!("<path d='M0 0 5 5' style='fill: none; {style}'/>");
        let count = |style| {
            let marker = format!("<marker id='m'>{}</marker>", arrow(style));
            let line = arrow("marker-end: url(#m)");
            let text = format!("<svg>{}{line}</svg>", marker.repeat(4));
            elements(&Document::parse(&text).unwrap(), 200)
        };
        // The line refers to a marker, and has one at each end.
        assert_eq!(count("marker-start:none;"), 2 + 4 * 2 + 1 + 2 + 2 * 2);
        // With a reference in place of `none`, markers contain one another.
        assert!(count("marker-start:url(#m)") > 100);
    }

    #[test]
    fn markers_of_markers_are_counted() {
        let mut text = String::from("<svg><path d='M1 1 2 2 3 3' marker-mid='url(#m9)'/>");
        for level in 0..10_i32 {
            let (points, below) = ("1,1 ".repeat(30), level - 1);
            text += &format!(
                "<marker id='m{level}'>\
                 <polyline points='{points}' marker-mid='url(#m{below})'/></marker>"
            );
        }
        text += "</svg>";
        assert!(elements(&Document::parse(&text).unwrap(), 200) > 1 << 30);
    }

    #[test]
    fn the_cost_of_text_follows_its_layout() {
        #[track_caller]
        fn check(drawing: &str, seconds: std::ops::Range<f64>) {
            let text = format!("<svg>{drawing}</svg>");
            let steps = letters(&Document::parse(&text).unwrap(), 200);
            assert!(seconds.contains(&(steps as f64 / 1e9)), "{steps}");
        }
        check("<path d='M1 2 3 4'/>", 0.0..1e-9);
        check("<text>words</text>", 1e-5..1e-4);
        let page = "<tspan x='1' y='2'>words and words</tspan>".repeat(1000);
        check(&format!("<text>{page}</text>"), 0.05..0.2);
        // The time grows with the square of the number of letters in one piece.
        let words = "lorem ipsum ".repeat(5000);
        check(&format!("<text>{words}</text>"), 7.0..9.0);
        let pieces = words.replace("m i", "m<tspan x='0'>i</tspan>");
        check(&format!("<text>{pieces}</text>"), 0.3..1.0);
        // The time also grows with the number of spans in a piece, because the piece is shaped again for each span.
        let spans = "<tspan>lo</tspan><tspan>rem</tspan>".repeat(2000);
        check(&format!("<text>{spans}</text>"), 10.0..20.0);
        // The time also grows with the segments of a path, for each text along it and each use of that text.
        let path = format!("<path id='p' d='M0 0{}'/>", " L9 9".repeat(20_000));
        let along = "<text id='t'><textPath href='#p'>ab</textPath></text>";
        check(&format!("{path}{}", along.repeat(1000)), 2.0..5.0);
        let uses = "<use href='#t'/>".repeat(1000);
        check(&format!("{path}{along}{uses}"), 2.0..5.0);
    }

    #[test]
    fn consecutive_closings_are_counted() {
        assert_eq!(closings("M0 0L9 9z Z,\nz m1 1zM"), 3);
        assert_eq!(closings("M0 0"), 0);
    }

    #[test]
    fn selectors_of_all_rules_are_counted() {
        let text = "<svg><style>a, b { fill: red } c > d { x: y }</style><style>e{}</style></svg>";
        assert_eq!(selectors(&Document::parse(text).unwrap()), 4);
    }
}

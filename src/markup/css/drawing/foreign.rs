//! HTML text inside a drawing (`foreignObject`, SVG 2, 12.4), converted to SVG text line by line.
//! Supports no boxes side by side; widths are estimated, because fonts are chosen only later.

use super::{ElementStyle, Inherited, Resolver, XHTML, values::number};
use resvg::usvg::roxmltree::Node;

/// Average width of a letter, in em. An estimate for common sans-serif fonts.
const LETTER: f32 = 0.52;
/// Distance of the baseline from the top of a line, in em. An estimate for common sans-serif fonts.
const ASCENT: f32 = 0.8;
/// Height of a line with `line-height: normal`, in em.
const LINE: f32 = 1.2;
/// Elements that begin and end a line.
const BLOCKS: [&str; 14] = [
    "div", "p", "li", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "tr", "section", "pre",
];
/// Limit on the lines of a `foreignObject`, against hostile drawings.
const MAX_LINES: usize = 1000;
/// Limit on the depth of elements in a `foreignObject`, against hostile drawings.
const DEEPEST: usize = 100;

/// Style of text; empty strings are unset.
#[derive(Clone)]
struct Type {
    inherited: Inherited,
    weight: String,
    style: String,
    family: String,
    /// Background of the innermost element that has one.
    back: Option<Back>,
}

/// Background of an element.
#[derive(Clone, PartialEq)]
struct Back {
    colour: String,
    /// Whether it extends over the width of the rectangle, as that of a block does.
    is_wide: bool,
}

/// Text in one style.
struct Piece {
    text: String,
    kind: Type,
}

/// Lines of a `foreignObject`, with the alignment of all of them. The last element that specifies
/// an alignment decides for all lines.
#[derive(Default)]
struct Lines {
    lines: Vec<Vec<Piece>>,
    /// Horizontal alignment as an SVG `text-anchor`; `None` is left.
    align: Option<&'static str>,
    /// Line height in px.
    line_height: Option<f32>,
    never_wraps: bool,
    /// Whether the lines are centred vertically.
    is_centred: bool,
    /// Whether a border is left out, or a background behind a part of a line.
    is_simplified: bool,
}

/// Returns whether an alternative has only the beginning of a text. draw.io cuts long labels in
/// this way, and adds dots.
fn is_cut(alternative: Node<'_, '_>, whole: Node<'_, '_>) -> bool {
    let letters = |node: Node<'_, '_>| -> String {
        let texts = node.descendants().filter(|node| node.is_text());
        let texts = texts.filter_map(|node| node.text());
        texts
            .flat_map(str::chars)
            .filter(|c| !c.is_whitespace())
            .collect()
    };
    let (shown, whole) = (letters(alternative), letters(whole));
    let begin = shown.trim_end_matches(['.', '…']);
    begin.len() < shown.len() && shown != whole && whole.starts_with(begin)
}

/// Writes the text of a `foreignObject` as `text` elements.
///
/// The text is collected into lines first, because their number decides where a centred block
/// begins. Each line becomes a `text` element, each run of one style a `tspan` in it.
pub(super) fn lines(resolver: &mut Resolver<'_>, node: Node<'_, '_>, look: &ElementStyle) {
    // In a `switch`, the next element is an alternative. It is used instead, unless it has only the beginning of the
    // text.
    let parent = node.parent().map(|parent| parent.tag_name().name());
    if parent == Some("switch")
        && let Some(alternative) = node.next_sibling_element()
        && !is_cut(alternative, node)
    {
        return;
    }
    // Values in px, or percentages of the viewport (SVG 2, 8.9).
    let size = |name: &str| -> f32 {
        let own = look.get(name).unwrap_or("0").trim_end_matches("px");
        let whole = match name {
            "width" | "x" => resolver.viewport.0,
            _ => resolver.viewport.1,
        };
        match own.strip_suffix('%') {
            Some(percent) => percent
                .parse()
                .map_or(0.0, |percent: f32| percent * whole / 100.0),
            None => own.parse().unwrap_or(0.0),
        }
    };
    // The rectangle of the `foreignObject`, in px.
    let (x, y, width, height) = (size("x"), size("y"), size("width"), size("height"));
    let kind = Type {
        inherited: look.inherited.clone(),
        weight: String::new(),
        style: String::new(),
        family: String::new(),
        back: None,
    };
    let mut lines = Lines::default();
    lines.lines.push(Vec::new());
    for child in node.children() {
        match child.is_element() {
            true => lines.read(resolver, child, &kind, 0),
            false => lines.text(child, &kind),
        }
    }
    // Lines with white space only are left out.
    lines
        .lines
        .retain(|line| line.iter().any(|piece| !piece.text.trim().is_empty()));
    let wrapped = lines.wrapped(width);
    let heights = wrapped.iter().map(|line| {
        let size = line
            .iter()
            .map(|piece| piece.kind.inherited.size)
            .fold(0.0, f32::max);
        (size, lines.line_height.map_or(size * LINE, |height| height))
    });
    let heights: Vec<(f32, f32)> = heights.collect();
    let total: f32 = heights.iter().map(|(_, height)| height).sum();
    // A block that is centred vertically begins below half of the free height.
    let mut top = match lines.is_centred && height > total {
        true => y + (height - total) / 2.0,
        false => y,
    };
    // `text-anchor` aligns each line at one x coordinate, so no width needs to be known.
    let (anchor, at) = match lines.align {
        Some("middle") => ("middle", x + width / 2.0),
        Some("end") => ("end", x + width),
        _ => ("start", x),
    };
    // Properties of the `foreignObject` itself apply to a group around its lines.
    resolver.out.push_str("<g");
    for name in [
        "transform",
        "transform-origin",
        "opacity",
        "display",
        "visibility",
    ] {
        if let Some(value) = look.get(name) {
            resolver.attribute(name, value);
        }
    }
    resolver.out.push('>');
    let place = (at, top, width);
    lines.is_simplified |= backgrounds(resolver, &wrapped, &heights, anchor, place);
    resolver.is_simplified |= lines.is_simplified;
    for (line, (size, height)) in wrapped.iter().zip(heights) {
        resolver.out.push_str("<text stroke=\"none\"");
        resolver.attribute("text-anchor", anchor);
        resolver.attribute("x", &number(at));
        // The baseline: the text is in the middle of the height of its line.
        resolver.attribute("y", &number(top + (height - size) / 2.0 + size * ASCENT));
        resolver.out.push('>');
        for piece in line {
            resolver.out.push_str("<tspan");
            resolver.attribute("fill", &piece.kind.inherited.colour);
            resolver.attribute("font-size", &number(piece.kind.inherited.size));
            for (name, value) in [
                ("font-weight", &piece.kind.weight),
                ("font-style", &piece.kind.style),
                ("font-family", &piece.kind.family),
            ] {
                if !value.is_empty() {
                    resolver.attribute(name, value);
                }
            }
            resolver.out.push('>');
            resolver.text(&piece.text);
            resolver.out.push_str("</tspan>");
        }
        resolver.out.push_str("</text>");
        top += height;
    }
    resolver.out.push_str("</g>");
}

/// Draws the backgrounds of all lines, below all texts. `place` is the position at which lines are aligned, the top of
/// the first line, and the width of the rectangle. Returns whether a background of a part of a line is left out.
fn backgrounds(
    resolver: &mut Resolver<'_>,
    lines: &[Vec<Piece>],
    heights: &[(f32, f32)],
    anchor: &str,
    (at, mut top, width): (f32, f32, f32),
) -> bool {
    let mut is_simplified = false;
    for (line, (_, height)) in lines.iter().zip(heights) {
        let mut backs = line.iter().map(|piece| piece.kind.back.as_ref());
        let mut back = backs.clone().next().flatten();
        if backs.clone().any(|other| other != back) {
            // If backgrounds differ within a line, only that of a block is painted, behind the whole line.
            is_simplified = true;
            back = backs.find_map(|back| back.filter(|back| back.is_wide));
        }
        if let Some(Back { colour, is_wide }) = back {
            let wide = if *is_wide { width } else { estimated(line) };
            let left = match anchor {
                "middle" => at - wide / 2.0,
                "end" => at - wide,
                _ => at,
            };
            resolver.out.push_str("<rect stroke=\"none\"");
            for (name, value) in [
                ("x", left),
                ("y", top),
                ("width", wide),
                ("height", *height),
            ] {
                resolver.attribute(name, &number(value));
            }
            resolver.attribute("fill", colour);
            resolver.out.push_str("/>");
        }
        top += height;
    }
    is_simplified
}

/// Estimated width of a line in px.
fn estimated(line: &[Piece]) -> f32 {
    let widths = line.iter().map(|piece| {
        let letters = piece.text.trim_end().chars().count() as f32;
        letters * LETTER * piece.kind.inherited.size
    });
    widths.sum()
}

/// Marker of an item of a list: a bullet, or its number. `None` for other elements, and in lists without markers.
fn marker(resolver: &Resolver<'_>, node: Node<'_, '_>) -> Option<String> {
    let parent = node.parent().filter(|_| node.tag_name().name() == "li")?;
    let declared = [parent, node]
        .into_iter()
        .flat_map(|node| resolver.declared(node));
    let is_type = |name: &str| matches!(name, "list-style" | "list-style-type");
    let mut types = declared.filter(|((name, ..), _)| is_type(name));
    let is_none = types.any(|((_, value, _), _)| super::values::text(&value).contains("none"));
    let before = node
        .prev_siblings()
        .filter(|other| other.has_tag_name(node.tag_name()));
    match parent.tag_name().name() {
        _ if is_none => None,
        "ul" => Some("•\u{a0}".to_owned()),
        // The node itself is among its previous siblings.
        "ol" => Some(format!("{}.\u{a0}", before.count())),
        _ => None,
    }
}

impl Lines {
    /// Collects the text of an element and its descendants, with white space collapsed.
    fn read(&mut self, resolver: &mut Resolver<'_>, node: Node<'_, '_>, kind: &Type, depth: usize) {
        let name = node.tag_name().name();
        let is_html = matches!(node.tag_name().namespace(), None | Some(XHTML));
        if !is_html || depth > DEEPEST || matches!(name, "script" | "style" | "head") {
            return;
        }
        let look = resolver.look(node, &kind.inherited, false);
        let mut kind = Type {
            inherited: look.inherited.clone(),
            ..kind.clone()
        };
        // The default styles of HTML elements are set here, because drawings have no default style sheet.
        match name {
            "b" | "strong" | "th" | "h1" | "h2" | "h3" => "bold".clone_into(&mut kind.weight),
            "i" | "em" => "italic".clone_into(&mut kind.style),
            _ => {}
        }
        // Type that the element itself states.
        for (name, slot) in [
            ("font-weight", &mut kind.weight),
            ("font-style", &mut kind.style),
            ("font-family", &mut kind.family),
        ] {
            if let Some(value) = look.get(name) {
                value.clone_into(slot);
            }
        }
        if look.get("display") == Some("none") {
            return;
        }
        // Layout properties apply to all lines, wherever they are specified.
        self.layout(resolver, node, &look);
        let breaks = BLOCKS.contains(&name) || name == "br";
        if let Some(colour) = look.get("background-color") {
            let display = look.get("display").unwrap_or("block");
            kind.back = Some(Back {
                colour: colour.to_owned(),
                is_wide: breaks && !display.starts_with("inline"),
            });
        }
        if breaks {
            self.next_line();
        }
        if self.lines.len() < MAX_LINES
            && let (Some(text), Some(line)) = (marker(resolver, node), self.lines.last_mut())
        {
            let kind = kind.clone();
            line.push(Piece { text, kind });
        }
        for child in node.children() {
            match child.is_element() {
                true => self.read(resolver, child, &kind, depth + 1),
                false => self.text(child, &kind),
            }
        }
        if breaks {
            self.next_line();
        }
    }

    /// Adds the text of a text node; ignores other nodes. White space collapses to single spaces, and is removed at the
    /// start of a line (CSS Text 3, 4.1.1).
    fn text(&mut self, node: Node<'_, '_>, kind: &Type) {
        let Some(text) = node.text().filter(|_| node.is_text()) else {
            return;
        };
        let mut words = String::new();
        for c in text.chars() {
            match c.is_whitespace() && c != '\u{a0}' {
                true if words.ends_with(' ') => {}
                true => words.push(' '),
                false => words.push(c),
            }
        }
        if let Some(line) = self.lines.last_mut()
            && !words.is_empty()
        {
            let is_after_space = line.last().is_none_or(|last| last.text.ends_with(' '));
            let text = match is_after_space {
                true => words.trim_start_matches(' ').to_owned(),
                false => words,
            };
            if !text.is_empty() {
                line.push(Piece {
                    text,
                    kind: kind.clone(),
                });
            }
        }
    }

    /// Applies alignment, wrapping and line height of an element to all lines.
    fn layout(&mut self, resolver: &Resolver<'_>, node: Node<'_, '_>, look: &ElementStyle) {
        for ((name, value, _), _) in resolver.declared(node) {
            let value = super::values::text(&value).trim().to_ascii_lowercase();
            match (name.as_str(), value.as_str()) {
                ("text-align", "center") | ("justify-content", "center" | "safe center") => {
                    self.align = Some("middle");
                }
                ("text-align", "right" | "end") => self.align = Some("end"),
                ("text-align", "left" | "start") => self.align = None,
                ("align-items", "center" | "safe center" | "unsafe center")
                | ("vertical-align", "middle") => self.is_centred = true,
                (
                    "border" | "border-top" | "border-right" | "border-bottom" | "border-left",
                    value,
                ) if !value.starts_with('0') && !value.contains("none") => {
                    self.is_simplified = true;
                }
                ("white-space", value) => self.never_wraps = matches!(value, "nowrap" | "pre"),
                // A number is relative to the font size, as in CSS 2.2, 10.8.1.
                ("line-height", value) => {
                    let size = look.inherited.size;
                    let of = |unit: &str| value.strip_suffix(unit)?.parse::<f32>().ok();
                    let height = value.parse::<f32>().map(|times| times * size).ok();
                    let height = height
                        .or(of("px"))
                        .or(of("%").map(|part| part * size / 100.0));
                    self.line_height = height.filter(|height| *height > 0.0).or(self.line_height);
                }
                _ => {}
            }
        }
    }

    /// Ends a line, unless it is empty or the limit is reached.
    fn next_line(&mut self) {
        let is_open = self.lines.last().is_some_and(|line| !line.is_empty());
        if is_open && self.lines.len() < MAX_LINES {
            self.lines.push(Vec::new());
        }
    }

    /// Breaks lines between words where their estimated width exceeds `width` px. Greedy: a line
    /// takes as many words as fit.
    fn wrapped(&mut self, width: f32) -> Vec<Vec<Piece>> {
        let lines = std::mem::take(&mut self.lines);
        if self.never_wraps || width <= 0.0 {
            return lines;
        }
        let mut out: Vec<Vec<Piece>> = Vec::new();
        for line in lines {
            out.push(Vec::new());
            let mut used = 0.0;
            for piece in line {
                // Estimated width of a letter.
                let letter = LETTER * piece.kind.inherited.size;
                let mut text = String::new();
                // The space after a word may hang over the end of the line.
                for word in piece.text.split_inclusive(' ') {
                    let wide = word.trim_end().chars().count() as f32 * letter;
                    if used > 0.0 && used + wide > width && out.len() < MAX_LINES {
                        // The words so far stay on the line, as a separate run.
                        let rest = std::mem::take(&mut text);
                        let kind = piece.kind.clone();
                        if let Some(last) = out.last_mut()
                            && !rest.is_empty()
                        {
                            last.push(Piece { text: rest, kind });
                        }
                        out.push(Vec::new());
                        used = 0.0;
                    }
                    text.push_str(word);
                    used += word.chars().count() as f32 * letter;
                }
                if let Some(last) = out.last_mut()
                    && !text.is_empty()
                {
                    last.push(Piece {
                        text,
                        kind: piece.kind,
                    });
                }
            }
        }
        out
    }
}

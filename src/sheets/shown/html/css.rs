//! CSS classes of a page: one for each distinct cell format. Writes no cells.

use super::round;
use crate::shown::{
    book::{Bar, Book},
    style::{Down, Edge, Font, HorizontalAlignment, Position, Stroke, Style, Turn, Underline},
};
use convertd_tree::Colour;
use std::{
    collections::{HashMap, hash_map::Entry},
    fmt::Write as _,
    rc::Rc,
};

/// Rules of all pages. `.o` is overflowing text, `.n` a number, `.w` a truth value or error, and `.stays` a frozen
/// cell.
const COMMON: &str = "\
body { margin: 1em; background: #fff; }
.sheet { position: relative; width: max-content; }
.sheet > img { position: absolute; }
table.grid { border-collapse: collapse; table-layout: fixed; }
table.grid td { padding: 0 1.5pt 0 2.25pt; overflow: hidden; white-space: nowrap; vertical-align: bottom; }
table.lines td { border: 0.75pt solid #d9d9d9; }
table.grid td.o { overflow: visible; }
table.grid td.n { text-align: right; font-variant-numeric: tabular-nums; }
table.grid td.w { text-align: center; }
table.grid td.stays { position: sticky; background-color: #fff; z-index: 1; }
table.grid a { color: inherit; text-decoration: inherit; }
";

/// Declarations of a cell format, and those of the rotated text in its cells.
type Declarations = (String, Option<String>);

/// Classes of all formats of a workbook.
pub(super) struct Classes {
    /// Class of each format, by the format's address.
    numbers: HashMap<*const Style, usize>,
    /// Declarations of each class. Formats with equal declarations share a class.
    rules: Vec<Declarations>,
    /// Class of each set of declarations.
    known: HashMap<Declarations, usize>,
    /// Keeps the formats alive, because `numbers` compares addresses.
    _kept: Vec<Rc<Style>>,
}

impl Classes {
    /// Collects the formats of all cells, rows, columns and conditional formats.
    pub(super) fn new(book: &Book) -> Self {
        let mut classes = Self {
            numbers: HashMap::new(),
            rules: Vec::new(),
            known: HashMap::new(),
            _kept: Vec::new(),
        };
        let used = book.grids.iter().flat_map(|grid| {
            let of_cells = grid.rows.iter().flat_map(|line| {
                let cells = line.cells.iter().map(|cell| cell.style);
                cells.chain(line.style)
            });
            of_cells.chain(grid.columns.iter().map(|column| column.style))
        });
        // The default format always has class `s0`, which unknown formats fall back to.
        classes.add(book.style(0));
        let mut seen = std::collections::HashSet::new();
        for number in used.filter(|number| seen.insert(*number)) {
            classes.add(book.style(number));
        }
        for grid in &book.grids {
            // The overlays are sorted, because a hash map has another order each time, and the same workbook must
            // become the same page.
            let mut overlays: Vec<_> = grid.overlays.iter().collect();
            overlays.sort_by_key(|(place, _)| **place);
            for style in overlays
                .iter()
                .filter_map(|(_, overlay)| overlay.style.as_ref())
            {
                classes.add(style.clone());
            }
        }
        classes
    }

    /// Adds a format, unless it is known.
    fn add(&mut self, style: Rc<Style>) {
        let Entry::Vacant(slot) = self.numbers.entry(Rc::as_ptr(&style)) else {
            return;
        };
        let written = (rule(&style), turn(&style));
        let number = *self.known.entry(written).or_insert_with_key(|written| {
            self.rules.push(written.clone());
            self.rules.len() - 1
        });
        slot.insert(number);
        self._kept.push(style);
    }

    /// Name of the class of a format.
    pub(super) fn of(&self, style: &Rc<Style>) -> String {
        let number = self.numbers.get(&Rc::as_ptr(style));
        format!("s{}", number.copied().unwrap_or(0))
    }

    /// Writes the style sheet.
    pub(super) fn write(&self, out: &mut String) {
        out.push_str(COMMON);
        for (number, (rule, turn)) in self.rules.iter().enumerate() {
            let _ = writeln!(out, "table.grid td.s{number} {{ {rule}}}");
            if let Some(turn) = turn {
                let _ = writeln!(out, "td.s{number} .t {{ {turn} }}");
            }
        }
    }
}

/// Declaration of a data bar as a background image, with the axis on top of it.
pub(super) fn bar(bar: &Bar) -> String {
    let stripe = |from: &str, to: &str, shade: Colour| {
        let shade = colour(shade);
        let begin = match from {
            "0%" => String::new(),
            from => format!("transparent {from},{shade} {from},"),
        };
        format!("linear-gradient(to right,{begin}{shade} {to},transparent {to})")
    };
    let percent = |at: f32| format!("{}%", round(100.0 * at));
    let axis = bar.axis.map(|(at, shade)| {
        let at = percent(at);
        stripe(&at, &format!("calc({at} + 1px)"), shade) + ","
    });
    format!(
        "background-image:{}{};",
        axis.unwrap_or_default(),
        stripe(&percent(bar.from), &percent(bar.to), bar.colour)
    )
}

/// A colour as `#` and six hexadecimal digits.
pub(super) fn colour(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Declarations of a font.
pub(super) fn font(font: &Font) -> String {
    // The name comes from the file, so only characters without a meaning in CSS are kept.
    let name: String = font
        .name
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.'))
        .collect();
    let mut css = format!("font-family:'{name}',sans-serif;font-size:{}pt;", font.size);
    if font.bold {
        css.push_str("font-weight:bold;");
    }
    if font.italic {
        css.push_str("font-style:italic;");
    }
    match (font.underline, font.strike) {
        (Underline::None, false) => {}
        (Underline::None, true) => css.push_str("text-decoration:line-through;"),
        (Underline::Single, false) => css.push_str("text-decoration:underline;"),
        (Underline::Single, true) => css.push_str("text-decoration:underline line-through;"),
        (Underline::Double, _) => css.push_str("text-decoration:underline double;"),
    }
    if let Some(own) = font.colour {
        let _ = write!(css, "color:{};", colour(own));
    }
    match font.position {
        Position::Baseline => {}
        Position::Superscript => css.push_str("vertical-align:super;font-size:65%;"),
        Position::Subscript => css.push_str("vertical-align:sub;font-size:65%;"),
    }
    css
}

/// CSS declarations of a cell style.
fn rule(style: &Style) -> String {
    let mut css = font(&style.font);
    let align = &style.align;
    if let Some(fill) = style.fill {
        let _ = write!(css, "background-color:{};", colour(fill.colour));
    }
    let edges = style.edges;
    let sides = [
        ("top", edges.top),
        ("right", edges.right),
        ("bottom", edges.bottom),
        ("left", edges.left),
    ];
    for (side, edge) in sides {
        if let Some(edge) = edge {
            let _ = write!(css, "border-{side}:{};", border(edge));
        }
    }
    let across = match align.across {
        HorizontalAlignment::General => None,
        HorizontalAlignment::Left | HorizontalAlignment::Fill => Some("left"),
        HorizontalAlignment::Centre | HorizontalAlignment::CentreContinuous => Some("center"),
        HorizontalAlignment::Right => Some("right"),
        HorizontalAlignment::Justify | HorizontalAlignment::Distributed => Some("justify"),
    };
    if let Some(across) = across {
        // `!important` wins over the classes `.n` and `.w`, which apply to the alignment "general" only.
        let _ = write!(css, "text-align:{across} !important;");
    }
    match align.down {
        Down::Top | Down::Justify => css.push_str("vertical-align:top;"),
        Down::Centre | Down::Distributed => css.push_str("vertical-align:middle;"),
        Down::Bottom => css.push_str("vertical-align:bottom;"),
    }
    if align.wrap
        || matches!(
            align.across,
            HorizontalAlignment::Justify | HorizontalAlignment::Distributed
        )
    {
        css.push_str("white-space:pre-wrap;overflow-wrap:break-word;");
    }
    if align.indent > 0 {
        let side = if align.across == HorizontalAlignment::Right {
            "right"
        } else {
            "left"
        };
        let _ = write!(
            css,
            "padding-{side}:{}pt;",
            f32::from(align.indent) * 6.75 + 2.25
        );
    }
    if align.backwards {
        css.push_str("direction:rtl;");
    }
    css
}

/// Declarations that rotate the text in a cell, or `None` for upright text. CSS counts degrees clockwise, cell styles
/// counter-clockwise.
fn turn(style: &Style) -> Option<String> {
    match style.align.turn {
        Turn::None => None,
        Turn::Stacked => Some("writing-mode:vertical-lr;text-orientation:upright;".to_owned()),
        Turn::By(90) => Some(
            "writing-mode:vertical-rl;transform:rotate(180deg);display:inline-block;".to_owned(),
        ),
        Turn::By(-90) => Some("writing-mode:vertical-rl;display:inline-block;".to_owned()),
        Turn::By(degrees) => Some(format!(
            "display:inline-block;transform:rotate({}deg);",
            -degrees
        )),
    }
}

/// A border in CSS, which has fewer line styles than a spreadsheet.
fn border(edge: Edge) -> String {
    let (width, kind) = match edge.stroke {
        Stroke::Hair | Stroke::Dotted => ("0.75pt", "dotted"),
        Stroke::DashDotDot | Stroke::DashDot | Stroke::Dashed => ("0.75pt", "dashed"),
        Stroke::Thin => ("0.75pt", "solid"),
        Stroke::MediumDashDotDot
        | Stroke::SlantDashDot
        | Stroke::MediumDashDot
        | Stroke::MediumDashed => ("1.5pt", "dashed"),
        Stroke::Medium => ("1.5pt", "solid"),
        Stroke::Thick => ("2.25pt", "solid"),
        Stroke::Double => ("2.25pt", "double"),
    };
    format!("{width} {kind} {}", colour(edge.colour))
}

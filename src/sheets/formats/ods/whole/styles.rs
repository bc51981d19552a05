//! Styles of cells, columns, rows and tables of a written spreadsheet (part 3, 16). Writes no cells.

use super::super::number_style;
use crate::coding::escape::escaped;
use crate::{
    meaning::Meaning,
    shown::{
        book::{Book, Value},
        style::{Down, Edge, Font, HorizontalAlignment, Position, Stroke, Style, Turn, Underline},
    },
};
use convertd_tree::Colour;
use std::{
    collections::{BTreeSet, HashMap},
    fmt::Write as _,
    rc::Rc,
};

/// Names of the text styles, and meanings of the cell styles.
pub(super) struct Names {
    /// Index of the text style of each font, by the font's address.
    runs: HashMap<*const Font, usize>,
    /// Meaning of numbers in each cell style.
    meanings: Vec<Meaning>,
}

impl Names {
    /// Meaning of a number in a cell with this style.
    pub(super) fn meaning(&self, style: u32) -> Meaning {
        let meaning = self.meanings.get(style as usize);
        meaning
            .or(self.meanings.first())
            .copied()
            .unwrap_or_default()
    }

    /// Name of the text style of a font.
    pub(super) fn run(&self, font: &Rc<Font>) -> String {
        format!(
            "T{}",
            self.runs.get(&Rc::as_ptr(font)).copied().unwrap_or(0)
        )
    }
}

/// Name of the style of a column, from its width in points and whether a page begins there.
pub(super) fn column(width: f32, breaks: bool) -> String {
    format!("co{}{}", hundredths(width), if breaks { "b" } else { "" })
}

/// Name of the style of a row, from its height in points and whether a page begins there. `x` stands for the optimal
/// height.
pub(super) fn row(height: Option<f32>, breaks: bool) -> String {
    let height = height.map_or("x".to_owned(), |height| hundredths(height).to_string());
    format!("ro{height}{}", if breaks { "b" } else { "" })
}

/// Writes all automatic styles. Returns the names and meanings that are needed to write the cells.
pub(super) fn write(book: &Book, out: &mut String) -> Names {
    let mut codes: HashMap<(&str, Option<u32>), usize> = HashMap::new();
    for style in &book.styles {
        let next = codes.len();
        let key = (&*style.format.code, style.format.built_in);
        if !key.0.eq_ignore_ascii_case("general") && !codes.contains_key(&key) {
            out.push_str(&number_style::to_xml(key.0, &format!("N{next}"), key.1));
            codes.insert(key, next);
        }
    }
    for (number, style) in book.styles.iter().enumerate() {
        let format = codes.get(&(&*style.format.code, style.format.built_in));
        let format = format.map(|format| format!(" style:data-style-name=\"N{format}\""));
        let _ = write!(
            out,
            "<style:style style:name=\"ce{number}\" style:family=\"table-cell\" style:parent-style-name=\"Default\"{}>{}</style:style>",
            format.unwrap_or_default(),
            cell(style)
        );
    }
    sizes(book, out);
    let meanings = (book.styles.iter()).map(|style| Meaning::of(&style.format.code));
    let mut names = Names {
        runs: HashMap::new(),
        meanings: meanings.collect(),
    };
    let cells = book
        .grids
        .iter()
        .flat_map(|grid| &grid.rows)
        .flat_map(|line| &line.cells);
    for cell in cells {
        let Value::Rich(runs) = &cell.value else {
            continue;
        };
        for font in runs.iter().filter_map(|run| run.font.as_ref()) {
            let next = names.runs.len();
            if let std::collections::hash_map::Entry::Vacant(slot) =
                names.runs.entry(Rc::as_ptr(font))
            {
                slot.insert(next);
                let _ = write!(
                    out,
                    "<style:style style:name=\"T{next}\" style:family=\"text\">{}</style:style>",
                    self::text_properties(font)
                );
            }
        }
    }
    names
}

/// Converts a size to whole hundredths of a point, which are part of the names of styles. A size that was computed from
/// hundredths gives the same number again.
fn hundredths(points: f32) -> i64 {
    (points * 100.0).round() as i64
}

/// Writes the styles of sheets, and a style for each distinct width of columns and height of rows.
fn sizes(book: &Book, out: &mut String) {
    let (mut columns, mut rows) = (BTreeSet::new(), BTreeSet::new());
    for (number, grid) in book.grids.iter().enumerate() {
        let display = if grid.sheet.hidden { "false" } else { "true" };
        let mode = if grid.backwards {
            " style:writing-mode=\"rl-tb\""
        } else {
            ""
        };
        let _ = write!(
            out,
            "<style:style style:name=\"ta{number}\" style:family=\"table\" style:master-page-name=\"mp{number}\"><style:table-properties table:display=\"{display}\"{mode}/></style:style>"
        );
        columns.insert((hundredths(grid.default_width * 0.75), false));
        for column in &grid.columns {
            let width = column.width.unwrap_or(grid.default_width) * 0.75;
            columns.insert((hundredths(width), false));
        }
        for at in &grid.print.column_breaks {
            let width = grid.column(*at).and_then(|column| column.width);
            columns.insert((hundredths(width.unwrap_or(grid.default_width) * 0.75), true));
        }
        rows.insert((grid.default_height.map(hundredths), false));
        // Rows of the default height may begin a page or not, so both styles are written.
        rows.insert((grid.default_height.map(hundredths), true));
        for line in &grid.rows {
            let breaks = grid.print.row_breaks.contains(&line.number);
            rows.insert((line.height.or(grid.default_height).map(hundredths), breaks));
        }
    }
    let breaking = |breaks: bool| {
        if breaks {
            " fo:break-before=\"page\""
        } else {
            ""
        }
    };
    for (width, breaks) in columns {
        let width = width as f32 / 100.0;
        let _ = write!(
            out,
            "<style:style style:name=\"{}\" style:family=\"table-column\"><style:table-column-properties style:column-width=\"{width}pt\"{}/></style:style>",
            column(width, breaks),
            breaking(breaks)
        );
    }
    for (height, breaks) in rows {
        let height = height.map(|height| height as f32 / 100.0);
        let own = height.map(|height| {
            format!(" style:row-height=\"{height}pt\" style:use-optimal-row-height=\"false\"")
        });
        let _ = write!(
            out,
            "<style:style style:name=\"{}\" style:family=\"table-row\"><style:table-row-properties{}{}/></style:style>",
            row(height, breaks),
            own.unwrap_or_else(|| " style:use-optimal-row-height=\"true\"".to_owned()),
            breaking(breaks)
        );
    }
}

/// Returns a colour in CSS notation.
fn colour(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Writes the properties of a cell, its paragraphs and its text.
pub(super) fn cell(style: &Style) -> String {
    let align = &style.align;
    let mut xml = String::from("<style:table-cell-properties");
    if let Some(fill) = style.fill {
        let _ = write!(xml, " fo:background-color=\"{}\"", colour(fill.colour));
    }
    let edges = style.edges;
    let sides = [
        ("fo:border-left", edges.left),
        ("fo:border-right", edges.right),
        ("fo:border-top", edges.top),
        ("fo:border-bottom", edges.bottom),
        ("style:diagonal-bl-tr", edges.up),
        ("style:diagonal-tl-br", edges.down),
    ];
    for (name, edge) in sides {
        if let Some(edge) = edge {
            let _ = write!(xml, " {name}=\"{}\"", border(edge));
            if edge.stroke == Stroke::Double && name.starts_with("fo:") {
                let width = name.replace("fo:border", "style:border-line-width");
                let _ = write!(xml, " {width}=\"0.75pt 0.75pt 0.75pt\"");
            }
        }
    }
    let down = match align.down {
        Down::Top => "top",
        Down::Centre | Down::Justify | Down::Distributed => "middle",
        Down::Bottom => "bottom",
    };
    let _ = write!(xml, " style:vertical-align=\"{down}\"");
    // Programs show the lines of a text below one another unless the style forbids it.
    xml += match align.wrap {
        true => " fo:wrap-option=\"wrap\"",
        false => " fo:wrap-option=\"no-wrap\"",
    };
    if align.shrink {
        xml += " style:shrink-to-fit=\"true\"";
    }
    match align.turn {
        Turn::None => {}
        Turn::Stacked => xml += " style:direction=\"ttb\"",
        Turn::By(degrees) => {
            let degrees = i32::from(degrees).rem_euclid(360);
            let _ = write!(xml, " style:rotation-angle=\"{degrees}\"");
        }
    }
    if align.across == HorizontalAlignment::Fill {
        xml += " style:repeat-content=\"true\"";
    }
    let across = match align.across {
        HorizontalAlignment::General | HorizontalAlignment::Fill => None,
        HorizontalAlignment::Left => Some("start"),
        HorizontalAlignment::Centre | HorizontalAlignment::CentreContinuous => Some("center"),
        HorizontalAlignment::Right => Some("end"),
        HorizontalAlignment::Justify | HorizontalAlignment::Distributed => Some("justify"),
    };
    let source = if across.is_some() {
        "fix"
    } else {
        "value-type"
    };
    let _ = write!(
        xml,
        " style:text-align-source=\"{source}\"/><style:paragraph-properties"
    );
    if let Some(across) = across {
        let _ = write!(xml, " fo:text-align=\"{across}\"");
    }
    let _ = write!(
        xml,
        " fo:margin-left=\"{}pt\"",
        f32::from(align.indent) * INDENT
    );
    if align.backwards {
        xml += " style:writing-mode=\"rl-tb\"";
    }
    xml += "/>";
    xml + &text_properties(&style.font)
}

/// Width of an indentation step, in points.
pub(in crate::formats::ods) const INDENT: f32 = 7.5;

/// Writes the text properties of a font.
fn text_properties(font: &Font) -> String {
    let mut xml = format!(
        "<style:text-properties fo:font-family=\"{}\" fo:font-size=\"{}pt\"",
        escaped(&font.name),
        font.size
    );
    let weight = if font.bold { "bold" } else { "normal" };
    let slant = if font.italic { "italic" } else { "normal" };
    let _ = write!(
        xml,
        " fo:font-weight=\"{weight}\" fo:font-style=\"{slant}\""
    );
    match font.underline {
        Underline::None => {}
        Underline::Single => xml += " style:text-underline-style=\"solid\"",
        Underline::Double => {
            xml += " style:text-underline-style=\"solid\" style:text-underline-type=\"double\"";
        }
    }
    if font.strike {
        xml += " style:text-line-through-style=\"solid\"";
    }
    if let Some(own) = font.colour {
        let _ = write!(xml, " fo:color=\"{}\"", colour(own));
    }
    match font.position {
        Position::Baseline => {}
        Position::Superscript => xml += " style:text-position=\"super 58%\"",
        Position::Subscript => xml += " style:text-position=\"sub 58%\"",
    }
    xml + "/>"
}

/// Value of a border property. Widths and line styles are those that the [reader](super::super::shown) distinguishes.
fn border(edge: Edge) -> String {
    let (width, kind) = match edge.stroke {
        Stroke::Hair => (0.25, "solid"),
        Stroke::Dotted => (0.75, "dotted"),
        Stroke::DashDotDot => (0.75, "dash-dot-dot"),
        Stroke::DashDot => (0.75, "dash-dot"),
        Stroke::Dashed => (0.75, "dashed"),
        Stroke::Thin => (0.75, "solid"),
        Stroke::MediumDashDotDot => (1.75, "dash-dot-dot"),
        Stroke::SlantDashDot | Stroke::MediumDashDot => (1.75, "dash-dot"),
        Stroke::MediumDashed => (1.75, "dashed"),
        Stroke::Medium => (1.75, "solid"),
        Stroke::Thick => (2.5, "solid"),
        Stroke::Double => (2.25, "double"),
    };
    format!("{width}pt {kind} {}", colour(edge.colour))
}

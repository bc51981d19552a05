//! A deck of slides, as all formats have it: what is on each slide and where, with everything that masters and themes
//! contribute already in it. Knows no format, and neither pages nor documents.

use crate::{error::Result, job::Notes};
use convertd_office::drawing::{
    Chart, Crop, Fill, Geometry, Line, POINT, Palette, Rgba, Theme, draw_chart,
};
use convertd_tree::{
    Alignment, Delimiter, Length, Metadata, Numbering, Numeral, VerticalAlignment,
};
use std::rc::Rc;

pub(crate) use convertd_office::drawing::Place;

/// A file that is open. Slides are read one after another, so that memory does not depend on their number. It leases what it
/// takes.
pub(crate) trait Deck {
    /// Facts that hold for all slides.
    fn facts(&self) -> &Facts;

    /// Reads the slide with this index.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if it is damaged.
    fn slide(&mut self, number: usize) -> Result<Slide>;

    /// The file of a picture by the name that a frame or a fill gives it. `None` if it is missing.
    fn picture(&mut self, name: &str) -> Result<Option<Vec<u8>>>;

    /// Adds notes about what was left out.
    fn tell(&mut self, notes: &mut Notes);
}

/// Facts that hold for all slides.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The width and height of every slide.
    pub(crate) size: (Length, Length),
    /// The number of slides, hidden ones included.
    pub(crate) slides: usize,
    /// Title, authors and so on.
    pub(crate) metadata: Metadata,
}

/// A slide.
#[derive(Debug, Default)]
pub(crate) struct Slide {
    /// Whether the show leaves it out.
    pub(crate) hidden: bool,
    /// Background of the slide.
    pub(crate) background: Fill,
    /// Frames of master and layout, painted behind its own, from back to front.
    pub(crate) behind: Vec<Rc<Vec<Frame>>>,
    /// Its frames, from back to front.
    pub(crate) frames: Vec<Frame>,
    /// Speaker notes.
    pub(crate) notes: Vec<Paragraph>,
}

/// Something on a slide.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// Place on the slide. `None` if neither the shape nor its placeholder has one.
    pub(crate) place: Option<Place>,
    pub(crate) role: Role,
    /// Alternative text; may be empty.
    pub(crate) alternative: Box<str>,
    /// Target of a click on it.
    pub(crate) link: Option<Box<str>>,
    pub(crate) content: Content,
}

impl Frame {
    /// Frames that belong together, in the smallest rectangle around all of them.
    pub(crate) fn group(frames: Vec<Self>) -> Self {
        Self {
            place: around(&frames),
            role: Role::Other,
            alternative: Box::default(),
            link: None,
            content: Content::Group(frames),
        }
    }
}

/// The rectangle around all frames.
fn around(frames: &[Frame]) -> Option<Place> {
    let mut all = frames.iter().filter_map(|frame| frame.place);
    let first = all.next()?;
    let (mut left, mut top) = (first.x, first.y);
    let (mut right, mut bottom) = (first.x + first.width, first.y + first.height);
    for place in all {
        left = left.min(place.x);
        top = top.min(place.y);
        right = right.max(place.x + place.width);
        bottom = bottom.max(place.y + place.height);
    }
    Some(Place {
        x: left,
        y: top,
        width: right - left,
        height: bottom - top,
        ..Place::default()
    })
}

/// Role of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The title of the slide.
    Title,
    /// The text below the title.
    Subtitle,
    /// The slide's main text.
    Body,
    /// A date, a footer, or the number of the slide.
    Furniture,
    /// Anything else.
    Other,
}

/// Content of a frame.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Shape(Box<Shape>),
    Picture(Box<Picture>),
    Table(Box<Table>),
    Chart(Box<Charted>),
    /// Frames that belong together, placed on the slide like all others.
    Group(Vec<Frame>),
}

/// A chart, with what its colours and fonts come from.
#[derive(Clone, Debug)]
pub(crate) struct Charted {
    pub(crate) chart: Chart,
    pub(crate) theme: Rc<Theme>,
    pub(crate) palette: Palette,
}

impl Charted {
    /// A drawing of it for a place, as SVG. `None` if it cannot be drawn.
    pub(crate) fn draw(&self, place: &Place) -> Option<Vec<u8>> {
        let size = (place.width / POINT, place.height / POINT);
        draw_chart(&self.chart, &self.theme, &self.palette, size)
    }
}

/// A shape, which may have text in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    pub(crate) geometry: Geometry,
    pub(crate) fill: Fill,
    pub(crate) line: Option<Line>,
    pub(crate) text: Option<Body>,
}

/// A picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Picture {
    /// The name by which the deck gives its file. Empty if absent.
    pub(crate) name: Box<str>,
    pub(crate) crop: Crop,
    pub(crate) line: Option<Line>,
}

/// A table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// The widths of its columns in English Metric Units.
    pub(crate) columns: Vec<f64>,
    pub(crate) rows: Vec<Row>,
    /// Whether the first row names the columns.
    pub(crate) headed: bool,
}

impl Table {
    /// Ends a cell that spans rows where one stands below that is not marked as covered. The place of a cell is its number in its
    /// row here; elsewhere a cell moves to the right of what reaches into its row, so that a small file in which each row
    /// reaches over a thousand others would become a table of a thousand columns.
    pub(crate) fn end_spans_at_cells(&mut self) {
        let columns = self.rows.iter().map(|row| row.cells.len()).max();
        // For each column, how many cells in a row are covered below the row that is looked at.
        let mut covered = vec![0_u16; columns.unwrap_or(0)];
        for row in self.rows.iter_mut().rev() {
            for (cell, covered) in row.cells.iter_mut().zip(&mut covered) {
                let most = covered.saturating_add(1);
                cell.spans.0 = cell.spans.0.min(most);
                *covered = if cell.spans.0 == 0 { most } else { 0 };
            }
        }
    }
}

/// A row of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// The least height in English Metric Units.
    pub(crate) height: f64,
    /// As many cells as there are columns, those that others cover included.
    pub(crate) cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// The number of rows and columns that it spans, at least 1. 0 for one that another cell covers.
    pub(crate) spans: (u16, u16),
    pub(crate) text: Body,
    pub(crate) fill: Fill,
    /// Its edges: left, top, right, bottom.
    pub(crate) borders: [Option<Line>; 4],
}

impl Default for Cell {
    /// An empty cell.
    fn default() -> Self {
        Self {
            spans: (1, 1),
            text: Body::default(),
            fill: Fill::None,
            borders: Default::default(),
        }
    }
}

/// Text in a rectangle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub(crate) paragraphs: Vec<Paragraph>,
    /// The distances from the edges to the text: left, top, right, bottom, in English Metric Units.
    pub(crate) insets: [f64; 4],
    /// Vertical anchor of text that is lower than the rectangle.
    pub(crate) anchor: Option<VerticalAlignment>,
    /// Whether lines are broken at the edge.
    pub(crate) wraps: bool,
    /// Rotation of the text within the frame, clockwise in degrees.
    pub(crate) turn: f64,
}

impl Body {
    /// Returns whether there is anything to read in it.
    pub(crate) fn is_blank(&self) -> bool {
        self.paragraphs.iter().all(Paragraph::is_blank)
    }
}

/// A paragraph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paragraph {
    /// The level of its bullet, from 0.
    pub(crate) level: u8,
    pub(crate) bullet: Bullet,
    /// Look of its bullet where it differs from that of the first letter.
    pub(crate) bullet_look: BulletLook,
    pub(crate) alignment: Option<Alignment>,
    /// Whether it is read from right to left.
    pub(crate) backwards: bool,
    /// From the edge to its lines, and from there to its first line, in English Metric Units.
    pub(crate) indents: (f64, f64),
    pub(crate) before: Spacing,
    pub(crate) after: Spacing,
    /// The height of its lines: 1 for that of the font.
    pub(crate) lines: Spacing,
    pub(crate) runs: Vec<Run>,
    /// The look of its end, which decides how high it is without text.
    pub(crate) look: Rc<Look>,
}

impl Paragraph {
    /// Returns whether there is anything to read in it.
    pub(crate) fn is_blank(&self) -> bool {
        self.runs.iter().all(|run| match &run.text {
            Words::Text(text) => text.trim().is_empty(),
            Words::Break => true,
            Words::Number | Words::Formula(_) => false,
        })
    }

    /// Its text alone, with a space for each line end.
    pub(crate) fn plain(&self) -> String {
        let mut text = String::new();
        for run in &self.runs {
            match &run.text {
                Words::Text(words) => text.push_str(words),
                Words::Formula(tex) => text.push_str(tex),
                Words::Break => text.push(' '),
                Words::Number => {}
            }
        }
        text
    }
}

/// Label in front of the first line of a paragraph.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Bullet {
    /// Nothing.
    #[default]
    None,
    /// A character.
    Character(Box<str>),
    /// A number, which counts the paragraphs of its level. The start is that of the first one.
    Number(Numbering),
    /// A picture.
    Picture(Box<str>),
}

/// Look of a bullet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BulletLook {
    pub(crate) font: Option<Rc<str>>,
    /// In points, if it does not depend on the text.
    pub(crate) size: Option<f64>,
    /// The size as a share of that of the text.
    pub(crate) scale: Option<f64>,
    pub(crate) colour: Option<Rgba>,
}

/// A distance that may depend on the font.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Spacing {
    /// As a share of the height of a line.
    Lines(f64),
    /// In points.
    Points(f64),
}

impl Default for Spacing {
    fn default() -> Self {
        Self::Points(0.0)
    }
}

/// A piece of a paragraph.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) text: Words,
    pub(crate) look: Rc<Look>,
}

/// Content of a piece of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Words {
    Text(String),
    /// A line break.
    Break,
    /// The number of the slide.
    Number,
    /// A formula in TeX.
    Formula(String),
}

/// Look of a piece of text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Look {
    /// The families of its letters: the preferred one first, and others separated by commas.
    pub(crate) font: Option<Rc<str>>,
    /// In points.
    pub(crate) size: f64,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) underlined: bool,
    pub(crate) struck: bool,
    pub(crate) caps: Caps,
    /// Rise of the baseline, as a share of the size; negative for subscripts.
    pub(crate) raised: f64,
    pub(crate) colour: Rgba,
    pub(crate) highlight: Option<Rgba>,
    pub(crate) language: Option<Rc<str>>,
    /// Target of a click on it: an address, or `#` and the number of a slide.
    pub(crate) link: Option<Rc<str>>,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            font: None,
            size: 18.0,
            bold: false,
            italic: false,
            underlined: false,
            struck: false,
            caps: Caps::None,
            raised: 0.0,
            colour: Rgba::BLACK,
            highlight: None,
            language: None,
            link: None,
        }
    }
}

/// Whether letters are shown as capitals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Caps {
    #[default]
    None,
    Small,
    All,
}

/// The numbering of DrawingML (ECMA-376 part 1, 20.1.10.61), by the name of its scheme.
pub(crate) fn numbering(scheme: &str, start: u32) -> Numbering {
    let numeral = match scheme {
        _ if scheme.starts_with("alphaLc") => Numeral::LowerAlpha,
        _ if scheme.starts_with("alphaUc") => Numeral::UpperAlpha,
        _ if scheme.starts_with("romanLc") => Numeral::LowerRoman,
        _ if scheme.starts_with("romanUc") => Numeral::UpperRoman,
        _ => Numeral::Decimal,
    };
    let delimiter = match scheme {
        _ if scheme.ends_with("ParenBoth") => Delimiter::Parentheses,
        _ if scheme.ends_with("ParenR") => Delimiter::Parenthesis,
        _ if scheme.ends_with("Plain") => Delimiter::None,
        _ => Delimiter::Period,
    };
    Numbering {
        start,
        numeral,
        delimiter,
        nested: false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Row, Table};

    #[test]
    fn a_cell_spans_no_more_rows_than_are_covered_below() {
        #[track_caller]
        fn check(rows: &[&[u16]], expected: &[&[u16]]) {
            let cell = |rows: &u16| Cell {
                spans: (*rows, 1),
                ..Cell::default()
            };
            let rows = rows.iter().map(|cells| Row {
                height: 0.0,
                cells: cells.iter().map(cell).collect(),
            });
            let mut table = Table {
                rows: rows.collect(),
                ..Table::default()
            };
            table.end_spans_at_cells();
            let found: Vec<Vec<u16>> = table
                .rows
                .iter()
                .map(|row| row.cells.iter().map(|cell| cell.spans.0).collect())
                .collect();
            assert_eq!(found, expected);
        }
        check(&[&[2, 1], &[0, 1]], &[&[2, 1], &[0, 1]]);
        check(&[&[1000], &[1000], &[1000]], &[&[1], &[1], &[1]]);
        check(&[&[9, 3], &[0, 0], &[1, 0]], &[&[2, 3], &[0, 0], &[1, 0]]);
        // A row that lacks cells covers nothing, and ends nothing.
        check(&[&[1, 3], &[1], &[1, 0]], &[&[1, 2], &[1], &[1, 0]]);
    }
}

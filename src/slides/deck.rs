//! Model of a deck of slides that all formats share. A slide contains its frames with their positions and their final
//! formatting, including everything inherited from masters and themes. The model does not depend on any file format
//! or target.
//!
//! Lengths are in English Metric Units (914,400 per inch) unless stated otherwise.

use crate::{error::Result, job::Notes};
use convertd_office::drawing::{
    Chart, Crop, Fill, Geometry, Line, Palette, Rgba, Theme, draw_chart,
};
use convertd_tree::{
    Alignment, Delimiter, Length, Metadata, Numbering, Numeral, POINT, TabStop, VerticalAlignment,
};
use std::rc::Rc;

pub(crate) use convertd_office::drawing::Place;

/// An open file. Slides are read one by one, so that memory does not depend on their number. The implementation
/// leases the memory for the file and the current slide.
pub(crate) trait Deck {
    /// Properties of the whole presentation.
    fn facts(&self) -> &Facts;

    /// Reads the slide with this index.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the slide is damaged.
    fn slide(&mut self, number: usize) -> Result<Slide>;

    /// Returns the bytes of the picture that a frame or a fill refers to by this name. `None` if it is missing.
    fn picture(&mut self, name: &str) -> Result<Option<Vec<u8>>>;

    /// Adds notes about losses.
    fn add_notes(&mut self, notes: &mut Notes);
}

/// Properties of the whole presentation.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Width and height of all slides.
    pub(crate) size: (Length, Length),
    /// Number of slides, hidden slides included.
    pub(crate) slides: usize,
    /// Title, authors and other metadata.
    pub(crate) metadata: Metadata,
}

/// A slide.
#[derive(Debug, Default)]
pub(crate) struct Slide {
    /// Whether the slide is hidden, so that the show skips it.
    pub(crate) hidden: bool,
    /// Background of the slide.
    pub(crate) background: Fill,
    /// Frames of master and layout, which are behind those of the slide. From back to front.
    pub(crate) master_frames: Vec<Rc<Vec<Frame>>>,
    /// Frames of the slide, from back to front.
    pub(crate) frames: Vec<Frame>,
    /// Speaker notes.
    pub(crate) notes: Vec<Paragraph>,
}

/// An object on a slide: a shape, picture, table, chart or group.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// Place on the slide. `None` if neither the shape nor its placeholder states one.
    pub(crate) place: Option<Place>,
    pub(crate) role: Role,
    /// Alternative text. May be empty.
    pub(crate) alternative: Box<str>,
    /// Target of a click on the frame.
    pub(crate) link: Option<Box<str>>,
    pub(crate) content: Content,
}

impl Frame {
    /// Creates a group, whose place is the smallest rectangle around its frames.
    pub(crate) fn group(frames: Vec<Self>) -> Self {
        Self {
            place: bounding_rectangle(&frames),
            role: Role::Other,
            alternative: Box::default(),
            link: None,
            content: Content::Group(frames),
        }
    }
}

/// Smallest rectangle around some frames. `None` if no frame has a place.
fn bounding_rectangle(frames: &[Frame]) -> Option<Place> {
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
    /// Text below the title.
    Subtitle,
    /// Main text of the slide.
    Body,
    /// Date, footer or slide number.
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
    /// Frames that form a group. Their places are relative to the slide, like those of all frames.
    Group(Vec<Frame>),
}

/// A chart, with the source of its colours and fonts.
#[derive(Clone, Debug)]
pub(crate) struct Charted {
    pub(crate) chart: Chart,
    pub(crate) theme: Rc<Theme>,
    pub(crate) palette: Palette,
}

impl Charted {
    /// Draws the chart in the size of this place, as SVG. `None` if it cannot be drawn.
    pub(crate) fn draw(&self, place: &Place) -> Option<Vec<u8>> {
        let size = (place.width / POINT, place.height / POINT);
        draw_chart(&self.chart, &self.theme, &self.palette, size)
    }
}

/// A shape with an optional text.
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
    /// Name by which the deck finds the file. Empty if the picture has none.
    pub(crate) name: Box<str>,
    /// Parts that are cropped off.
    pub(crate) crop: Crop,
    /// Outline.
    pub(crate) line: Option<Line>,
}

/// A table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Widths of the columns.
    pub(crate) columns: Vec<f64>,
    pub(crate) rows: Vec<Row>,
    /// Whether the first row is a header.
    pub(crate) headed: bool,
}

impl Table {
    /// Limits the row span of each cell: below its own row, the cell spans only rows in which its column is marked as
    /// covered.
    ///
    /// In this model, the index of a cell in its row is its column. In other models a cell moves to the right of
    /// cells that span into its row, so a small file in which each row spans a thousand others would become a
    /// table of a thousand columns.
    pub(crate) fn end_spans_at_cells(&mut self) {
        let columns = self.rows.iter().map(|row| row.cells.len()).max();
        // Number of consecutive covered cells below the current row, for each column.
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
    /// Minimum height.
    pub(crate) height: f64,
    /// Cells in the order of the columns, covered cells included. A damaged file may have too few or too many.
    pub(crate) cells: Vec<Cell>,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// Numbers of rows and columns that the cell spans. (0, 0) for a covered cell.
    pub(crate) spans: (u16, u16),
    pub(crate) text: Body,
    pub(crate) fill: Fill,
    /// Borders: left, top, right, bottom.
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

/// Text of a shape or cell.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    pub(crate) paragraphs: Vec<Paragraph>,
    /// Distances of the text from the edges: left, top, right, bottom.
    pub(crate) insets: [f64; 4],
    /// Vertical alignment of text that does not fill the rectangle.
    pub(crate) anchor: Option<VerticalAlignment>,
    /// Whether lines are wrapped at the edge.
    pub(crate) wraps: bool,
    /// Rotation of the text within its frame, clockwise, in degrees.
    pub(crate) turn: f64,
    /// Columns of the text.
    pub(crate) columns: Columns,
}

/// Columns of a text, which are equally wide and filled one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Columns {
    /// Number of columns, at least 1.
    pub(crate) count: u8,
    /// Distance between two columns, in English Metric Units.
    pub(crate) gap: f64,
}

impl Default for Columns {
    fn default() -> Self {
        Self { count: 1, gap: 0.0 }
    }
}

impl Body {
    /// Returns whether no paragraph has visible text.
    pub(crate) fn is_blank(&self) -> bool {
        self.paragraphs.iter().all(Paragraph::is_blank)
    }
}

/// A paragraph.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paragraph {
    /// List level, from 0.
    pub(crate) level: u8,
    pub(crate) bullet: Bullet,
    /// Properties of the bullet that differ from those of the first run.
    pub(crate) bullet_look: BulletLook,
    pub(crate) alignment: Option<Alignment>,
    /// Whether the text runs from right to left.
    pub(crate) backwards: bool,
    /// Distance of the lines from the edge, and indentation of the first line relative to the others.
    pub(crate) indents: (f64, f64),
    /// Space above the paragraph.
    pub(crate) before: Spacing,
    /// Space below the paragraph.
    pub(crate) after: Spacing,
    /// Line height. `Lines(1.0)` is the height of the font.
    pub(crate) lines: Spacing,
    /// Tab stops, in the order of their positions.
    pub(crate) tabs: Vec<TabStop>,
    pub(crate) runs: Vec<Run>,
    /// Text properties of the paragraph mark. They determine the height of an empty paragraph.
    pub(crate) look: Rc<ComputedStyle>,
}

impl Paragraph {
    /// Returns whether all runs are white space.
    pub(crate) fn is_blank(&self) -> bool {
        self.runs.iter().all(|run| match &run.text {
            Words::Text(text) => text.trim().is_empty(),
            Words::Break => true,
            Words::Number | Words::Formula(_) => false,
        })
    }

    /// Text without formatting. Line breaks become spaces.
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

/// Bullet or number in front of a paragraph.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Bullet {
    /// No bullet.
    #[default]
    None,
    /// A character.
    Character(Box<str>),
    /// A number that counts the paragraphs of its level. The first paragraph has the start value.
    Number(Numbering),
    /// A picture, by its name in the deck.
    Picture(Box<str>),
}

/// Properties of a bullet. For `None`, the bullet has the property of the text.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BulletLook {
    pub(crate) font: Option<Rc<str>>,
    /// Size in points.
    pub(crate) size: Option<f64>,
    /// Size as a fraction of the font size of the text.
    pub(crate) scale: Option<f64>,
    pub(crate) colour: Option<Rgba>,
}

/// A distance that may depend on the font size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Spacing {
    /// Multiple of the line height.
    Lines(f64),
    /// Distance in points.
    Points(f64),
}

impl Default for Spacing {
    fn default() -> Self {
        Self::Points(0.0)
    }
}

/// A run of text with the same properties.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) text: Words,
    pub(crate) look: Rc<ComputedStyle>,
}

/// Content of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Words {
    Text(String),
    /// A line break.
    Break,
    /// Number of the slide.
    Number,
    /// A formula in TeX.
    Formula(String),
}

/// Text properties of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ComputedStyle {
    /// Font families, the preferred one first, separated by commas.
    pub(crate) font: Option<Rc<str>>,
    /// Font size in points.
    pub(crate) size: f64,
    /// Whether the text is bold.
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) underlined: bool,
    pub(crate) struck: bool,
    /// Capital letters or small capitals.
    pub(crate) caps: Caps,
    /// Shift of the baseline upwards, as a share of the font size. Negative for subscripts.
    pub(crate) raised: f64,
    /// Additional space after each letter, in points.
    pub(crate) spacing: f64,
    /// Colour of the letters.
    pub(crate) colour: Rgba,
    /// Whether only the edges of the letters are drawn, in their colour.
    pub(crate) outlined: bool,
    /// Colour behind the text. `None` without highlighting.
    pub(crate) highlight: Option<Rgba>,
    /// Language of the text, as a tag such as `en-GB`.
    pub(crate) language: Option<Rc<str>>,
    /// Target of a click: a URL, or `#` and the number of a slide.
    pub(crate) link: Option<Rc<str>>,
}

impl Default for ComputedStyle {
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
            spacing: 0.0,
            colour: Rgba::BLACK,
            outlined: false,
            highlight: None,
            language: None,
            link: None,
        }
    }
}

/// Display of letters as capitals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Caps {
    #[default]
    None,
    /// Small capitals.
    Small,
    All,
}

/// Returns the numbering of a DrawingML scheme (ECMA-376 part 1, 20.1.10.61), such as `arabicPeriod`.
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
        // A row with too few cells neither covers other cells nor ends a span.
        check(&[&[1, 3], &[1], &[1, 0]], &[&[1, 2], &[1], &[1, 0]]);
    }
}

//! Drawing pages (OpenDocument 1.3, part 3, 10.2): placeholders, text frames, tables, pictures and notes. Does no
//! layout.

use super::{
    automatic::Automatic,
    length, picture,
    text::{self, Container},
};
use crate::{
    containers::xml::Writer,
    write::{Grid, GridPlace, Layout, Line, Page, Placed, Shown, SlideObject},
};
use convertd_tree::{Alignment, Document};
use std::collections::BTreeSet;

/// Position of a title, in English Metric Units: left, top, width and height. The positions of all placeholders are
/// those of PowerPoint's default template.
const TITLE: [i64; 4] = [838_200, 365_125, 10_515_600, 1_325_563];
/// Place of the title on a title slide, in the form of [`TITLE`].
const FIRST_TITLE: [i64; 4] = [1_524_000, 1_122_363, 9_144_000, 2_387_600];
/// Place of the subtitle on a title slide, in the form of [`TITLE`].
const SUBTITLE: [i64; 4] = [1_524_000, 3_602_038, 9_144_000, 1_655_762];
/// Place of the title on a section slide, in the form of [`TITLE`].
const SECTION: [i64; 4] = [831_850, 1_709_738, 10_515_600, 2_852_737];

/// Place of the picture of the slide on a notes page, in the form of [`TITLE`].
pub(super) const THUMBNAIL: [i64; 4] = [685_800, 1_143_000, 5_486_400, 3_086_100];
/// Place of the notes on a notes page, in the form of [`TITLE`].
pub(super) const NOTES: [i64; 4] = [685_800, 4_400_550, 5_486_400, 3_600_450];

/// Writer of pages.
pub(super) struct Pages<'d> {
    document: &'d Document,
    pub(super) xml: Writer,
    pub(super) automatic: Automatic,
    /// Indices of the pictures in use.
    pub(super) pictures: BTreeSet<usize>,
}

impl<'d> Pages<'d> {
    pub(super) fn new(document: &'d Document) -> Self {
        Self {
            document,
            xml: Writer::fragment(),
            automatic: Automatic::default(),
            pictures: BTreeSet::new(),
        }
    }

    /// Writes a page.
    pub(super) fn page(&mut self, index: usize, page: &Page) {
        self.xml
            .start("draw:page")
            .attribute("draw:name", text::name(index))
            .attribute("draw:style-name", "dp1")
            .attribute("draw:master-page-name", "Plain");
        if !page.title.is_empty() {
            let is_first = page.layout == Layout::Title;
            let line = Line {
                runs: page.title.clone(),
                alignment: is_first.then_some(Alignment::Centre),
                ..Line::default()
            };
            let (style, place, container) = match page.layout {
                Layout::Title => ("pr1", FIRST_TITLE, Container::Large),
                Layout::Section => ("pr1", SECTION, Container::Large),
                Layout::Content | Layout::TitleOnly => ("Plain-title", TITLE, Container::Plain),
            };
            self.placeholder("title", style, place, &[line], container);
        }
        if !page.subtitle.is_empty() {
            self.placeholder(
                "subtitle",
                "Plain-subtitle",
                SUBTITLE,
                &page.subtitle,
                Container::Plain,
            );
        }
        for placed in &page.parts {
            let place = [placed.x, placed.y, placed.width, placed.height];
            match &placed.part {
                SlideObject::Text(lines) if placed.is_body => {
                    self.placeholder("outline", "Plain-outline1", place, lines, Container::Body);
                }
                SlideObject::Text(lines) => {
                    self.frame("gr1", place);
                    self.xml.start("draw:text-box");
                    text::lines(&mut self.xml, &mut self.automatic, lines, Container::Body);
                    self.xml.end().end();
                }
                SlideObject::Table(grid) => self.table(placed, grid),
                SlideObject::Picture(shown) => self.picture(place, shown),
            }
        }
        if !page.notes.is_empty() {
            self.xml.start("presentation:notes");
            self.xml.start("draw:page-thumbnail");
            rectangle(&mut self.xml, THUMBNAIL);
            self.xml.number("draw:page-number", index as i64 + 1);
            self.xml.attribute("presentation:class", "page").end();
            self.placeholder("notes", "Plain-notes", NOTES, &page.notes, Container::Plain);
            self.xml.end();
        }
        self.xml.end();
    }

    /// Writes a placeholder of a class, such as `title` or `outline`.
    fn placeholder(
        &mut self,
        class: &str,
        style: &str,
        place: [i64; 4],
        lines: &[Line],
        container: Container,
    ) {
        self.xml
            .start("draw:frame")
            .attribute("presentation:style-name", style)
            .attribute("draw:layer", "layout");
        rectangle(&mut self.xml, place);
        self.xml.attribute("presentation:class", class);
        self.xml.start("draw:text-box");
        text::lines(&mut self.xml, &mut self.automatic, lines, container);
        self.xml.end().end();
    }

    /// Begins a frame, which the caller ends.
    fn frame(&mut self, style: &str, place: [i64; 4]) {
        self.xml
            .start("draw:frame")
            .attribute("draw:style-name", style)
            .attribute("draw:layer", "layout");
        rectangle(&mut self.xml, place);
    }

    /// Writes a picture in its frame, with its alternative text and link.
    fn picture(&mut self, place: [i64; 4], shown: &Shown) {
        let number = shown.id.index();
        self.pictures.insert(number);
        let link = shown.link.as_ref().and_then(text::address);
        if let Some(link) = &link {
            self.xml
                .start("draw:a")
                .attribute("xlink:type", "simple")
                .attribute("xlink:href", link);
        }
        self.frame("gr1", place);
        self.xml
            .start("draw:image")
            .attribute("xlink:href", picture(self.document, number))
            .attribute("xlink:type", "simple")
            .attribute("xlink:show", "embed")
            .attribute("xlink:actuate", "onLoad")
            .end();
        if !shown.alternative.is_empty() {
            self.xml.leaf("svg:desc", &shown.alternative);
        }
        self.xml.end();
        if link.is_some() {
            self.xml.end();
        }
    }

    /// Writes a table with the column widths and row heights of the layout, a header row and banded rows.
    fn table(&mut self, placed: &Placed, grid: &Grid) {
        let place = [placed.x, placed.y, placed.width, placed.height];
        self.xml
            .start("draw:frame")
            .attribute("draw:layer", "layout");
        rectangle(&mut self.xml, place);
        self.xml.start("table:table");
        if grid.head > 0 {
            self.xml.attribute("table:use-first-row-styles", "true");
        }
        self.xml.attribute("table:use-banding-rows-styles", "true");
        for width in &grid.columns {
            let style = self.automatic.column(*width);
            self.xml
                .start("table:table-column")
                .attribute("table:style-name", style)
                .end();
        }
        for (nth, row) in grid.rows.iter().enumerate() {
            let style = self.automatic.row(row.height);
            self.xml
                .start("table:table-row")
                .attribute("table:style-name", style);
            let look = match nth {
                nth if nth < grid.head => "ce1",
                nth if (nth - grid.head).is_multiple_of(2) => "ce2",
                _ => "ce3",
            };
            for place in &row.places {
                let GridPlace::Cell(cell) = place else {
                    self.xml.start("table:covered-table-cell").end();
                    continue;
                };
                self.xml
                    .start("table:table-cell")
                    .attribute("table:style-name", look);
                if cell.rows > 1 {
                    self.xml.number("table:number-rows-spanned", cell.rows);
                }
                if cell.columns > 1 {
                    self.xml
                        .number("table:number-columns-spanned", cell.columns);
                }
                text::lines(
                    &mut self.xml,
                    &mut self.automatic,
                    &cell.lines,
                    Container::Plain,
                );
                self.xml.end();
            }
            self.xml.end();
        }
        self.xml.end().end();
    }
}

/// Writes the position and size of a frame.
fn rectangle(xml: &mut Writer, [x, y, width, height]: [i64; 4]) {
    xml.attribute("svg:width", length(width))
        .attribute("svg:height", length(height))
        .attribute("svg:x", length(x))
        .attribute("svg:y", length(y));
}

//! Writes page layouts and master pages (OpenDocument 1.3, part 3, 16.5 and 16.9). A section begins with a paragraph
//! whose style names a master page. Writes no main text.

use super::{
    automatic::{Automatic, StyleFamily},
    context::{Master, Odt},
    properties::{self, points},
};
use crate::{containers::xml::Writer, error::Result};
use convertd_office::wordprocessing::{Use, write::open_numeral};
use convertd_tree::{
    Block, BorderedPages, Document, Length, LineCount, LineNumbers, Margins, PageSetup, Section,
    SectionStart,
    losses::{Loss, Losses},
};

/// Page setups of a document. Each becomes a page layout and a master page.
#[derive(Default)]
pub(super) struct Pages<'a> {
    /// Page setups by the number of their master page.
    all: Vec<Paged<'a>>,
}

/// A page setup, and whether the columns of its first section belong to the page. Otherwise they belong to a text
/// section, because another section on the same page has different columns.
type Paged<'a> = (&'a PageSetup, bool);

/// Borders on some pages of a section only.
static BORDERED: Loss = Loss {
    one: "The page borders of a section are on all of its pages: OpenDocument cannot leave out the first page, or all \
          others.",
    many: "The page borders of {} sections are on all of their pages: OpenDocument cannot leave out the first page, or \
           all others.",
};

/// Sections that begin on odd or even pages.
static SIDES: Loss = Loss {
    one: "A section that should begin on an odd or even page begins on the next page.",
    many: "{} sections that should begin on odd or even pages begin on the next pages.",
};

/// Line numbers that differ within a document, do not begin with 1, or restart in each of several sections.
static COUNTED: Loss = Loss {
    one: "All lines are numbered in the same way: OpenDocument cannot number the lines of one section differently.",
    many: "All lines are numbered in the same way: OpenDocument cannot number the lines of one section differently.",
};

/// Name of a master page. The first master page is the default.
fn name(number: usize) -> String {
    match number {
        0 => "Standard".to_owned(),
        number => format!("Page{number}"),
    }
}

impl<'a> Odt<'a> {
    /// Prepares the next paragraph to begin the first of these sections. Without a page setup, the pages of the
    /// section before continue.
    pub(super) fn begin_section(
        &mut self,
        pages: &mut Pages<'a>,
        sections: &'a [Section],
        first: bool,
    ) {
        let Some((section, after)) = sections.split_first() else {
            return;
        };
        let Some(page) = section.page.as_deref() else {
            return;
        };
        // Width of the text, for pictures and tables.
        self.context.text_width = page.width - page.left - page.right;
        // A section on the same page cannot have another master page. Its columns are those of a text section.
        if page.begins == SectionStart::SamePage && !first {
            let has_columns = pages
                .all
                .last()
                .is_some_and(|(page, own)| *own && page.columns > 1);
            if page.columns > 1 && !has_columns {
                self.begin_columns(page);
            }
            return;
        }
        // Sections after this section that are on the same page. Columns belong to the page only if all these
        // sections have the same columns.
        let mut on_same = after
            .iter()
            .map_while(|section| section.page.as_deref())
            .take_while(|other| other.begins == SectionStart::SamePage);
        let own_columns = on_same.all(|other| columns_of(other) == columns_of(page));
        let as_before = pages.all.last().is_some_and(|(last, own)| {
            let PageSetup { begins, .. } = **last;
            let page = PageSetup {
                begins,
                ..page.clone()
            };
            page == **last && *own == own_columns && page.first_number.is_none()
        });
        if matches!(page.begins, SectionStart::OddPage | SectionStart::EvenPage) && !first {
            self.context.losses.add(&SIDES);
        }
        if as_before {
            self.context.break_pending = true;
        } else {
            if page
                .borders
                .as_ref()
                .is_some_and(|borders| borders.on != BorderedPages::All)
            {
                self.context.losses.add(&BORDERED);
            }
            // Without a page setup at the beginning, the first pages have the default page setup.
            if pages.all.is_empty() && !first {
                pages.all.push((&STANDARD, true));
            }
            pages.all.push((page, own_columns));
            // The style of the next paragraph refers to the master page, which implies a page break. The first master
            // page applies from the beginning, without being named.
            if !first || page.first_number.is_some() {
                self.context.break_pending = false;
                self.master_pending = Some(Master {
                    name: name(pages.all.len() - 1),
                    number: page.first_number,
                });
            }
        }
        if page.columns > 1 && !own_columns {
            self.begin_columns(page);
        }
    }

    /// Begins a text section with the columns of a page setup.
    fn begin_columns(&mut self, page: &PageSetup) {
        let mut properties = Writer::fragment();
        properties.start("style:section-properties");
        columns(&mut properties, page);
        let style = self
            .automatic
            .name(StyleFamily::Section, &[], &properties.finish());
        self.sections += 1;
        self.xml
            .start("text:section")
            .attribute("text:style-name", style)
            .attribute("text:name", format!("Section{}", self.sections));
        self.in_columns = true;
    }

    /// Ends the text section, if one is open.
    pub(super) fn end_columns(&mut self) {
        if std::mem::take(&mut self.in_columns) {
            self.xml.end();
        }
    }

    /// Writes the master pages with their headers and footers.
    pub(super) fn masters(&mut self, pages: &Pages<'a>) -> Result<String> {
        self.automatic = Automatic::of_pages();
        // The master pages are written to an empty `xml`. Its previous content is restored afterwards.
        let body = std::mem::replace(&mut self.xml, Writer::fragment());
        let standard: [Paged<'a>; 1] = [(&*STANDARD, true)];
        let all = if pages.all.is_empty() {
            &standard[..]
        } else {
            &pages.all
        };
        for (number, (page, _)) in all.iter().enumerate() {
            self.xml
                .start("style:master-page")
                .attribute("style:name", name(number))
                .attribute("style:page-layout-name", format!("pm{}", number + 1));
            self.context.text_width = page.width - page.left - page.right;
            self.margins(&page.headers, HEADERS, Use::Header)?;
            self.margins(&page.footers, FOOTERS, Use::Footer)?;
            self.xml.end();
        }
        Ok(std::mem::replace(&mut self.xml, body).finish())
    }

    /// Writes headers or footers: those of all pages, of left pages and of first pages.
    fn margins(
        &mut self,
        margins: &'a Margins,
        names: [&'static str; 3],
        place: Use,
    ) -> Result<()> {
        if !has_any(margins) {
            return Ok(());
        }
        // Left and first pages without headers of their own have the headers of all pages.
        let all: [Option<&'a [Block]>; 3] = [
            Some(&margins.all),
            margins.even.as_deref(),
            margins.first.as_deref(),
        ];
        for (name, blocks) in names.into_iter().zip(all) {
            let Some(blocks) = blocks else { continue };
            self.xml.start(name);
            self.separate_text(place, blocks)?;
            self.xml.end();
        }
        Ok(())
    }
}

/// Element names of headers on all, left and first pages.
const HEADERS: [&str; 3] = ["style:header", "style:header-left", "style:header-first"];
/// Element names of footers on all, left and first pages.
const FOOTERS: [&str; 3] = ["style:footer", "style:footer-left", "style:footer-first"];

/// Returns whether headers (or footers) of any page have content.
fn has_any(margins: &Margins) -> bool {
    let has_blocks =
        |blocks: &Option<Vec<Block>>| blocks.as_ref().is_some_and(|all| !all.is_empty());
    !margins.all.is_empty() || has_blocks(&margins.first) || has_blocks(&margins.even)
}

/// Page setup of a document that states none.
static STANDARD: std::sync::LazyLock<PageSetup> = std::sync::LazyLock::new(PageSetup::default);

impl Pages<'_> {
    /// Writes the page layouts.
    pub(super) fn layouts(&self) -> String {
        let mut xml = Writer::fragment();
        if self.all.is_empty() {
            layout(&mut xml, 0, (&STANDARD, true));
        }
        for (number, page) in self.all.iter().enumerate() {
            layout(&mut xml, number, *page);
        }
        xml.finish()
    }
}

/// Writes a page layout. OpenDocument separates the margin of the page from the height of its header.
fn layout(xml: &mut Writer, number: usize, (page, own_columns): Paged<'_>) {
    // In the tree, the page margin ends at the text. In OpenDocument it ends at the header.
    let side = |margins: &Margins, margin: Length, distance: Length| {
        if has_any(margins) && distance < margin {
            (distance, Some(margin - distance))
        } else {
            (margin, None)
        }
    };
    let (top, header) = side(&page.headers, page.top, page.header_distance);
    let (bottom, footer) = side(&page.footers, page.bottom, page.footer_distance);
    xml.start("style:page-layout")
        .attribute("style:name", format!("pm{}", number + 1));
    xml.start("style:page-layout-properties");
    let [top, bottom, left, right] = page_borders(xml, page, [top, bottom, page.left, page.right]);
    for (name, length) in [
        ("fo:page-width", page.width),
        ("fo:page-height", page.height),
        ("fo:margin-top", top),
        ("fo:margin-bottom", bottom),
        ("fo:margin-left", left),
        ("fo:margin-right", right),
    ] {
        xml.attribute(name, points(length));
    }
    if let Some(pitch) = page.grid {
        xml.attribute("style:layout-grid-mode", "line")
            .attribute("style:layout-grid-base-height", points(pitch))
            .attribute("style:layout-grid-ruby-height", "0pt");
    }
    if let Some(colour) = page.background {
        xml.attribute("fo:background-color", format!("#{}", colour.hex()));
    }
    xml.attribute("style:num-format", open_numeral(page.numeral));
    // Programs expect the orientation in addition to the size.
    let landscape = page.width > page.height;
    let orientation = if landscape { "landscape" } else { "portrait" };
    xml.attribute("style:print-orientation", orientation);
    if own_columns && page.columns > 1 {
        columns(xml, page);
    }
    xml.end();
    for (name, height, gap) in [
        ("style:header-style", header, "fo:margin-bottom"),
        ("style:footer-style", footer, "fo:margin-top"),
    ] {
        xml.start(name);
        // The height includes the distance to the text.
        if let Some(height) = height {
            xml.start("style:header-footer-properties")
                .attribute("fo:min-height", points(height))
                .attribute(gap, "0pt")
                .end();
        }
        xml.end();
    }
    xml.end();
}

/// Writes the columns of a page or of a text section (17.12).
fn columns(xml: &mut Writer, page: &PageSetup) {
    xml.start("style:columns")
        .number("fo:column-count", page.columns)
        .attribute("fo:column-gap", points(page.column_gap));
    // The line between columns comes first.
    if page.column_line {
        xml.start("style:column-sep")
            .attribute("style:width", "0.5pt")
            .attribute("style:color", "#000000")
            .attribute("style:height", "100%")
            .end();
    }
    // Columns are equally wide unless the widths of all columns are stated.
    let all = page.column_widths.iter();
    let all = if page.column_widths.len() == usize::from(page.columns) {
        all
    } else {
        [].iter()
    };
    // Half of each gap belongs to the column before it, and half to the column after it.
    let mut before = Length::ZERO;
    for (width, gap) in all {
        let after = gap.scaled(0.5);
        let whole = *width + before + after;
        xml.start("style:column")
            .attribute("style:rel-width", format!("{}*", whole.to_twips().max(1)))
            .attribute("fo:start-indent", points(before))
            .attribute("fo:end-indent", points(after))
            .end();
        before = after;
    }
    xml.end();
}

/// Number, gap, widths and line of the columns of a page.
fn columns_of(page: &PageSetup) -> (u8, Length, &[(Length, Length)], bool) {
    // A single column has no gap.
    let gap = if page.columns > 1 {
        page.column_gap
    } else {
        Length::ZERO
    };
    (
        page.columns,
        gap,
        &page.column_widths,
        page.column_line && page.columns > 1,
    )
}

/// Writes the borders of pages, and returns the page margins, which end at the border in OpenDocument. `margins` are
/// the margins without a border. The result and `margins` are in the order top, bottom, left, right.
fn page_borders(xml: &mut Writer, page: &PageSetup, margins: [Length; 4]) -> [Length; 4] {
    let Some(borders) = &page.borders else {
        return margins;
    };
    let (lines, away) = (&borders.lines, &borders.distances);
    properties::borders(xml, lines);
    let sides = [
        ("fo:padding-top", lines.top, away.top),
        ("fo:padding-bottom", lines.bottom, away.bottom),
        ("fo:padding-left", lines.start, away.left),
        ("fo:padding-right", lines.end, away.right),
    ];
    let mut outer = margins;
    for (margin, (name, line, distance)) in outer.iter_mut().zip(sides) {
        let Some(line) = line else { continue };
        // Distance from the edge of the page to the text without the width of the line. The margin (outside of the
        // line) and the padding (inside of it) share this distance.
        let gap = (*margin - line.width).max(Length::ZERO);
        let padding = match borders.from_page {
            true => gap - distance,
            false => distance,
        };
        let padding = padding.clamp(Length::ZERO, gap);
        xml.attribute(name, points(padding));
        *margin = gap - padding;
    }
    outer
}

/// Writes the line numbers of the document (16.29.6): those of the first section with line numbers.
pub(super) fn line_numbers(xml: &mut Writer, document: &Document) {
    let mut all = numbered(document);
    let Some(numbers) = all.find_map(|numbers| numbers) else {
        return;
    };
    xml.start("text:linenumbering-configuration")
        .attribute("text:number-lines", "true")
        .attribute("style:num-format", "1")
        .attribute("text:number-position", "left")
        .attribute("text:count-empty-lines", "true")
        .number("text:increment", numbers.every);
    if let Some(distance) = numbers.distance {
        xml.attribute("text:offset", points(distance));
    }
    if numbers.restart == LineCount::Page {
        xml.attribute("text:restart-on-page", "true");
    }
    xml.end();
}

/// Counts the loss of line numbers that differ within the document, do not begin with 1, or restart in each of several
/// sections.
pub(super) fn count_lines(losses: &mut Losses, document: &Document) {
    let mut all = numbered(document);
    let first = all.next().flatten();
    let differs = all.any(|numbers| numbers != first);
    let odd = numbered(document).flatten().any(|numbers| {
        numbers.first > 1 || numbers.restart == LineCount::Section && document.sections().len() > 1
    });
    if differs || odd {
        losses.add(&COUNTED);
    }
}

/// Line numbers of each section.
fn numbered(document: &Document) -> impl Iterator<Item = Option<LineNumbers>> {
    let sections = document.sections().iter();
    sections.map(|section| section.page.as_ref().and_then(|page| page.line_numbers))
}

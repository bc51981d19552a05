//! Writes page layouts and master pages (part 3, 16.5 and 16.9). A section begins with a paragraph whose style names a
//! master page. Writes no main text.

use super::{automatic::Automatic, context::Odt, properties::points};
use crate::{containers::xml::Writer, error::Result};
use convertd_office::wordprocessing::Use;
use convertd_tree::{Block, Length, Margins, Numeral, PageSetup, SectionStart};

/// Page setups of a document. Each becomes a page layout and a master page.
#[derive(Default)]
// The index is the number of the master page.
pub(super) struct Pages<'a> {
    all: Vec<&'a PageSetup>,
}

/// Name of a master page. The first one is the default.
fn name(number: usize) -> String {
    match number {
        0 => "Standard".to_owned(),
        number => format!("Page{number}"),
    }
}

impl<'a> Odt<'a> {
    /// Lets the next paragraph begin a section with this page setup. Without a setup, the pages of the section before
    /// continue.
    pub(super) fn begin_section(
        &mut self,
        pages: &mut Pages<'a>,
        page: Option<&'a PageSetup>,
        first: bool,
    ) {
        let Some(page) = page else { return };
        // Width of the text, for pictures and tables.
        self.context.text_width = page.width - page.left - page.right;
        // A section on the same page cannot have another master page, so it is not a section here. With an equal setup,
        // a page break is enough.
        let on_same = page.begins == SectionStart::SamePage && !first;
        let as_before = pages.all.last().is_some_and(|last| {
            let PageSetup { begins, .. } = **last;
            PageSetup {
                begins,
                ..page.clone()
            } == **last
        });
        if on_same {
            return;
        }
        if as_before {
            self.context.break_pending = true;
            return;
        }
        if first {
            // The first master page applies from the beginning, without being named.
            pages.all.push(page);
            return;
        }
        // Without a page setup at the beginning, the first pages have the default one.
        if pages.all.is_empty() {
            pages.all.push(&STANDARD);
        }
        pages.all.push(page);
        // The style of the next paragraph refers to the master page, which implies a page break.
        self.context.break_pending = false;
        self.master_pending = Some(name(pages.all.len() - 1));
    }

    /// Writes the master pages with their headers and footers.
    pub(super) fn masters(&mut self, pages: &Pages<'a>) -> Result<String> {
        self.automatic = Automatic::of_pages();
        // The body is written already, and is continued afterwards.
        let body = std::mem::replace(&mut self.xml, Writer::fragment());
        let standard: [&'a PageSetup; 1] = [&*STANDARD];
        let all = if pages.all.is_empty() {
            &standard[..]
        } else {
            &pages.all
        };
        for (number, page) in all.iter().enumerate() {
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
            self.apart(place, blocks)?;
            self.xml.end();
        }
        Ok(())
    }
}

// Element names for all, left and first pages.
const HEADERS: [&str; 3] = ["style:header", "style:header-left", "style:header-first"];
const FOOTERS: [&str; 3] = ["style:footer", "style:footer-left", "style:footer-first"];

/// Returns whether any page has such a header or footer.
fn has_any(margins: &Margins) -> bool {
    let some = |blocks: &Option<Vec<Block>>| blocks.as_ref().is_some_and(|all| !all.is_empty());
    !margins.all.is_empty() || some(&margins.first) || some(&margins.even)
}

/// Page setup of a document without one.
static STANDARD: std::sync::LazyLock<PageSetup> = std::sync::LazyLock::new(PageSetup::default);

impl Pages<'_> {
    /// Writes the page layouts.
    pub(super) fn layouts(&self) -> String {
        let mut xml = Writer::fragment();
        if self.all.is_empty() {
            layout(&mut xml, 0, &STANDARD);
        }
        for (number, page) in self.all.iter().enumerate() {
            layout(&mut xml, number, page);
        }
        xml.finish()
    }
}

/// Writes a page layout. OpenDocument separates the margin of the page from the height of its header.
fn layout(xml: &mut Writer, number: usize, page: &PageSetup) {
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
    for (name, length) in [
        ("fo:page-width", page.width),
        ("fo:page-height", page.height),
        ("fo:margin-top", top),
        ("fo:margin-bottom", bottom),
        ("fo:margin-left", page.left),
        ("fo:margin-right", page.right),
    ] {
        xml.attribute(name, points(length));
    }
    if let Some(colour) = page.background {
        xml.attribute("fo:background-color", format!("#{}", colour.hex()));
    }
    let format = match page.numeral {
        Numeral::Decimal => "1",
        Numeral::LowerAlpha => "a",
        Numeral::UpperAlpha => "A",
        Numeral::LowerRoman => "i",
        Numeral::UpperRoman => "I",
    };
    xml.attribute("style:num-format", format);
    // Programs expect the orientation in addition to the size.
    let landscape = page.width > page.height;
    let orientation = if landscape { "landscape" } else { "portrait" };
    xml.attribute("style:print-orientation", orientation);
    if page.columns > 1 {
        xml.start("style:columns")
            .number("fo:column-count", page.columns)
            .attribute("fo:column-gap", points(page.column_gap));
        // Without widths for all columns, they are equal.
        let all = page.column_widths.iter();
        let all = if page.column_widths.len() == usize::from(page.columns) {
            all
        } else {
            [].iter()
        };
        // Each column has half of the gap beside it.
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

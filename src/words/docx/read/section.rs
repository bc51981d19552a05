//! Section properties (ECMA-376 part 1, 17.6): page size, page margins, headers and footers. Reads no main text.

use super::{
    super::NAMESPACES,
    body::Body,
    context::Context,
    lengths::twips,
    notes::note_setup,
    properties::{is_on, on, set_border},
};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_office::wordprocessing::Story;
use convertd_tree::{
    Block, BorderedPages, Borders, Length, LineCount, LineNumbers, Margins, Numeral, PageBorders,
    PageSetup, SectionStart, numerals::Format,
};

impl<'a> Context<'a> {
    /// Reads `w:sectPr`, which is the innermost open element, and ends the section that it describes.
    pub(super) fn section(&mut self, story: &mut Story<'a>, xml: &mut Reader<'_>) -> Result<()> {
        let mut page = PageSetup::default();
        let mut first_differs = false;
        // The space for the binding, and whether it is on the right.
        let (mut gutter, mut is_right) = (Length::ZERO, false);
        let mut references = Vec::new();
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            if element.space != "w" {
                continue;
            }
            match element.name {
                "cols" => {
                    set(&mut page, &mut gutter, &element);
                    if element
                        .attribute("equalWidth")
                        .is_some_and(|equal| !is_on(&equal))
                    {
                        column_widths(xml, &mut page)?;
                    }
                }
                "pgSz" | "pgMar" | "pgNumType" | "type" => set(&mut page, &mut gutter, &element),
                "rtlGutter" => is_right = on(&element),
                "footnotePr" | "endnotePr" => {
                    let document = story.build.note_setups;
                    let setups = page.notes.get_or_insert(document);
                    note_setup(xml, &element, setups)?;
                }
                "lnNumType" => page.line_numbers = line_numbers(&element),
                "pgBorders" => page.borders = page_borders(xml, &element)?,
                "docGrid" => page.grid = grid(&element),
                "titlePg" => first_differs = on(&element),
                "headerReference" | "footerReference" => {
                    let value = |name| element.attribute(name).unwrap_or_default().into_owned();
                    references.push((
                        element.name == "headerReference",
                        value("type"),
                        value("id"),
                    ));
                }
                _ => {}
            }
        }
        // It is in addition to the margin of that side (17.6.11, 17.6.16, 17.15.1.49).
        let bound = match self.gutter_at_top {
            true => &mut page.top,
            false if is_right => &mut page.right,
            false => &mut page.left,
        };
        *bound = *bound + gutter;
        self.text_width = page.width - page.left - page.right;
        // A reference replaces the header or footer that the section has inherited from the previous section.
        for (header, kind, id) in references {
            let (blocks, size) = self.margin(story, &id)?;
            let margins = if header {
                &mut self.headers
            } else {
                &mut self.footers
            };
            let at = match kind.as_str() {
                "first" => {
                    margins.first = Some(blocks);
                    2
                }
                "even" => {
                    margins.even = Some(blocks);
                    1
                }
                _ => {
                    margins.all = blocks;
                    0
                }
            };
            self.margin_sizes[usize::from(header)][at] = size;
        }
        // Each section of the tree has copies of the headers and footers that it inherits, which the builder does not
        // count. 16 is an estimate of the bytes in the tree per byte of XML.
        let sizes = self.margin_sizes.iter().flatten();
        let held = sizes.fold(0, |sum: u64, size| sum.saturating_add(*size));
        story.hold(held.saturating_mul(16))?;
        let shown = |margins: &Margins| Margins {
            all: margins.all.clone(),
            first: first_differs.then(|| margins.first.clone().unwrap_or_default()),
            even: self
                .even_and_odd
                .then(|| margins.even.clone().unwrap_or_default()),
        };
        page.headers = shown(&self.headers);
        page.footers = shown(&self.footers);
        story.end_section(Some(page))
    }

    /// Reads the header or footer part with this relationship identifier. Returns its blocks, and its size in bytes of
    /// XML. Without such a part in the file, it is empty.
    fn margin(&mut self, story: &mut Story<'a>, id: &str) -> Result<(Vec<Block>, u64)> {
        let relationships = self.relationships.clone();
        let Some(part) = relationships.get(id).filter(|part| !part.external) else {
            return Ok((Vec::new(), 0));
        };
        let Some(text) = self.part(story, &part.target)? else {
            return Ok((Vec::new(), 0));
        };
        self.relationships = self.package.relationships(&part.target)?;
        let mut xml = Reader::new(self.job, &text, NAMESPACES);
        xml.root()?;
        story.open_margin();
        Body::new(self, story, xml).blocks()?;
        self.relationships = relationships;
        Ok((story.close_margin()?, text.len() as u64))
    }
}

/// Reads the widths of columns (`w:col`, 17.6.3) that differ in width. Their `w:cols` is the innermost open element.
fn column_widths(xml: &mut Reader<'_>, page: &mut PageSetup) -> Result<()> {
    // Max. number of columns in Word.
    const MAX: usize = 45;
    let level = xml.level();
    while let Some(column) = xml.next_element(level)? {
        let length = |name| column.attribute(name).and_then(|value| twips(&value));
        if column.name == "col" && page.column_widths.len() < MAX {
            let gap = length("space").unwrap_or_default();
            page.column_widths
                .push((length("w").unwrap_or_default(), gap));
        }
    }
    page.columns = page.column_widths.len().max(1) as u8;
    Ok(())
}

/// Reads `w:lnNumType` (17.6.8). `None` without an interval, which means that no number is shown. The stored start is
/// one less than the first number.
fn line_numbers(element: &Element<'_>) -> Option<LineNumbers> {
    let number = |name| element.attribute(name)?.parse::<u32>().ok();
    let every = number("countBy").filter(|every| *every > 0)?;
    let distance = element.attribute("distance");
    Some(LineNumbers {
        every,
        first: number("start").map_or(1, |before| before.saturating_add(1)),
        distance: distance
            .and_then(|distance| twips(&distance))
            .filter(|distance| *distance > Length::ZERO),
        restart: match element.attribute("restart").as_deref() {
            Some("continuous") => LineCount::Document,
            Some("newSection") => LineCount::Section,
            _ => LineCount::Page,
        },
    })
}

/// Reads `w:pgBorders` (17.6.10), which is the innermost open element. Art borders (pictures) become plain lines.
fn page_borders(xml: &mut Reader<'_>, element: &Element<'_>) -> Result<Option<Box<PageBorders>>> {
    let states = |name: &str, value: &str| element.attribute(name).as_deref() == Some(value);
    let mut borders = PageBorders {
        from_page: states("offsetFrom", "page"),
        on: match () {
            () if states("display", "firstPage") => BorderedPages::First,
            () if states("display", "notFirstPage") => BorderedPages::Others,
            () => BorderedPages::All,
        },
        ..PageBorders::default()
    };
    let level = xml.level();
    while let Some(side) = xml.next_element(level)? {
        set_border(&mut borders.lines, &side);
        let distance = match side.name {
            "top" => &mut borders.distances.top,
            "right" => &mut borders.distances.right,
            "bottom" => &mut borders.distances.bottom,
            "left" => &mut borders.distances.left,
            _ => continue,
        };
        // The distance is in points, at most 31 (17.6.21).
        let points = side.attribute("space").and_then(|text| text.parse().ok());
        *distance = Length::points(points.unwrap_or(0.0f64).clamp(0.0, 31.0));
    }
    Ok((borders.lines != Borders::default()).then(|| Box::new(borders)))
}

/// Reads the line pitch of a document grid (17.6.5). A grid without a type has no effect.
fn grid(element: &Element<'_>) -> Option<Length> {
    let kind = element.attribute("type");
    let snaps = matches!(
        kind.as_deref(),
        Some("lines" | "linesAndChars" | "snapToChars")
    );
    let pitch = element.attribute("linePitch").filter(|_| snaps)?;
    twips(&pitch).filter(|pitch| *pitch > Length::ZERO)
}

/// Applies the attributes of `w:pgSz`, `w:pgMar`, `w:cols`, `w:pgNumType` and `w:type`. Sets `gutter` to the space for
/// the binding.
fn set(page: &mut PageSetup, gutter: &mut Length, element: &Element<'_>) {
    for (name, value) in element.attributes() {
        let length = twips(&value);
        // A width or height of half an inch or less counts as damage, and is ignored.
        let side = |own: Length| match length {
            Some(length) if length > Length::inches(0.5) => length,
            _ => own,
        };
        // A negative margin has the same size, but lets the header overlap the text (17.6.11). The overlap is ignored.
        let margin = |own: Length| match length {
            Some(length) if length < Length::ZERO => Length::ZERO - length,
            Some(length) => length,
            None => own,
        };
        match (element.name, name) {
            ("pgSz", "w") => page.width = side(page.width),
            ("pgSz", "h") => page.height = side(page.height),
            ("pgMar", "top") => page.top = margin(page.top),
            ("pgMar", "bottom") => page.bottom = margin(page.bottom),
            ("pgMar", "left" | "start") => page.left = margin(page.left),
            ("pgMar", "right" | "end") => page.right = margin(page.right),
            ("pgMar", "gutter") => *gutter = margin(*gutter),
            ("pgMar", "header") => page.header_distance = margin(page.header_distance),
            ("pgMar", "footer") => page.footer_distance = margin(page.footer_distance),
            ("cols", "num") => page.columns = value.parse().unwrap_or(1).clamp(1, 45),
            ("cols", "space") => page.column_gap = margin(page.column_gap),
            ("cols", "sep") => page.column_line = is_on(&value),
            ("pgNumType", "start") => page.first_number = value.parse().ok(),
            ("pgNumType", "fmt") => {
                let format = Format::of_word(&value, None);
                page.numeral = format.map_or(Numeral::Decimal, Format::numeral);
            }
            ("type", "val") => {
                page.begins = match &*value {
                    "continuous" | "nextColumn" => SectionStart::SamePage,
                    "oddPage" => SectionStart::OddPage,
                    "evenPage" => SectionStart::EvenPage,
                    _ => SectionStart::NewPage,
                }
            }
            _ => {}
        }
    }
}

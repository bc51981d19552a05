//! Page layouts (OpenDocument 1.3, part 3, 16.5): paper size, margins and columns. Master pages refer to page
//! layouts; the module `page` reads the master pages with their headers and footers.

use super::properties::{border_attribute, pad};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_tree::{
    Border, Borders, Colour, Edges, Length, LineCount, LineNumbers, Margins, Numeral, PageBorders,
    PageSetup,
};
use std::{collections::HashMap, rc::Rc};

/// Master pages of a document, and the state of the current section.
#[derive(Default)]
pub(super) struct Pages {
    pub(super) masters: HashMap<Box<str>, Master>,
    /// Name of the master page of the current section.
    pub(super) current: Option<Box<str>>,
    /// Number of the section's first page, if stated.
    pub(super) first_number: Option<u32>,
    /// Columns of the text section around the position.
    pub(super) columns: Option<Rc<PageSetup>>,
    /// Whether the current section begins on the page where the previous section ends.
    pub(super) begins_on_same_page: bool,
    /// Estimate of the size of all headers and footers: twice the bytes of their text, and 1000 bytes for each.
    pub(super) size: u64,
}

/// A master page (part 3, 16.9).
#[derive(Default)]
pub(super) struct Master {
    /// Name of the page layout.
    pub(super) layout: Box<str>,
    /// Name of the master page for the pages after it.
    pub(super) next: Option<Box<str>>,
    pub(super) headers: Margins,
    pub(super) footers: Margins,
}

/// Reads the properties of a text section (17.11), which are the innermost open element. `None` for a single column.
/// The widths of columns are those on a default page; [`set_columns`] adapts them to the page.
pub(super) fn of_section(xml: &mut Reader<'_>) -> Result<Option<Rc<PageSetup>>> {
    let mut page = PageSetup::default();
    let level = xml.level();
    while let Some(child) = xml.next_element(level)? {
        if child.name == "columns" {
            columns(xml, &child, &mut page)?;
        }
    }
    Ok((page.columns > 1).then(|| Rc::new(page)))
}

/// Sets the columns of a page to those of a text section.
pub(super) fn set_columns(page: &mut PageSetup, section: &PageSetup) {
    let text = |page: &PageSetup| (page.width - page.left - page.right).to_points();
    page.columns = section.columns;
    page.column_gap = section.column_gap;
    page.column_line = section.column_line;
    // Gaps are absolute, and the columns share the remaining width.
    let gaps: f64 = section
        .column_widths
        .iter()
        .map(|(_, gap)| gap.to_points())
        .sum();
    let scale = match text(section) - gaps {
        columns if columns > 0.0 => ((text(page) - gaps) / columns).max(0.0),
        _ => 1.0,
    };
    let widths = section.column_widths.iter();
    page.column_widths = widths
        .map(|(width, gap)| (width.scaled(scale), *gap))
        .collect();
}

/// Reads `text:linenumbering-configuration` (16.29.6). `None` if lines have no numbers.
pub(super) fn line_numbers(element: &Element<'_>) -> Option<LineNumbers> {
    let states = |name: &str, value: &str| element.attribute(name).as_deref() == Some(value);
    if states("number-lines", "false") {
        return None;
    }
    let every = element.attribute("increment");
    let every = every.and_then(|every| every.parse().ok()).unwrap_or(1_u32);
    let distance = element.attribute("offset");
    Some(LineNumbers {
        every: every.max(1),
        first: 1,
        distance: distance
            .and_then(|distance| Length::parse(&distance))
            .filter(|distance| *distance > Length::ZERO),
        restart: match states("restart-on-page", "true") {
            true => LineCount::Page,
            false => LineCount::Document,
        },
    })
}

/// Reads `style:columns` (17.12), which is the innermost open element. Columns of unequal width have relative widths,
/// which include the indents on both sides of the text.
fn columns(xml: &mut Reader<'_>, element: &Element<'_>, page: &mut PageSetup) -> Result<()> {
    let count = element.attribute("column-count");
    let count = count.and_then(|count| count.parse().ok());
    page.columns = count.unwrap_or(1_u8).clamp(1, 45);
    let gap = element.attribute("column-gap");
    page.column_gap = gap
        .and_then(|gap| Length::parse(&gap))
        .unwrap_or(page.column_gap);
    // Max. number of columns.
    const MAX: usize = 45;
    let level = xml.level();
    // Relative width, start indent and end indent of each column.
    let mut shares: Vec<(f64, Length, Length)> = Vec::new();
    while let Some(child) = xml.next_element(level)? {
        let length = |name| {
            child
                .attribute(name)
                .and_then(|length| Length::parse(&length))
        };
        match child.name {
            "column-sep" => page.column_line = true,
            "column" if shares.len() < MAX => {
                let share = child.attribute("rel-width");
                let share = share.and_then(|share| share.trim_end_matches('*').parse().ok());
                shares.push((
                    share.filter(|share| *share > 0.0).unwrap_or(1.0),
                    length("start-indent").unwrap_or_default(),
                    length("end-indent").unwrap_or_default(),
                ));
            }
            _ => {}
        }
    }
    let all: f64 = shares.iter().map(|(share, ..)| share).sum();
    let text = page.width - page.left - page.right;
    if shares.len() < 2 || shares.len() != usize::from(page.columns) {
        return Ok(());
    }
    // A gap is the sum of the end indent of a column and the start indent of the next column.
    let starts = shares.iter().skip(1).map(|(_, start, _)| *start);
    let starts: Vec<Length> = starts.chain([Length::ZERO]).collect();
    let widths = shares.iter().zip(starts);
    let widths: Vec<(Length, Length)> = widths
        .map(|((share, start, end), next)| {
            let whole = text.scaled(share / all);
            (whole - *start - *end, *end + next)
        })
        .collect();
    let points = |length: Length| length.to_points();
    let (least, most) = widths
        .iter()
        .fold((f64::MAX, 0.0_f64), |(least, most), column| {
            (least.min(points(column.0)), most.max(points(column.0)))
        });
    // Differences below a point are rounding errors.
    const TOLERANCE: f64 = 1.0;
    if most - least > TOLERANCE {
        page.column_widths = widths;
    } else if let Some((_, gap)) = widths.first() {
        page.column_gap = *gap;
    }
    Ok(())
}

/// Reads `style:page-layout`, which is the innermost open element.
pub(super) fn layout(xml: &mut Reader<'_>) -> Result<PageSetup> {
    let mut page = PageSetup::default();
    let (mut distances, mut insets) = ([Length::ZERO; 2], Edges::default());
    let level = xml.level();
    while let Some(element) = xml.next_element(level)? {
        match element.name {
            "page-layout-properties" => {
                set(&mut page, &element);
                insets = frame(&mut page, &element);
                while let Some(child) = xml.next_element(level + 1)? {
                    if child.name == "columns" {
                        columns(xml, &child, &mut page)?;
                    }
                }
            }
            "header-style" | "footer-style" => {
                let at = usize::from(element.name == "footer-style");
                while let Some(child) = xml.next_element(level + 1)? {
                    let length = |name| {
                        child
                            .attribute(name)
                            .and_then(|length| Length::parse(&length))
                    };
                    let height = length("height").or(length("min-height"));
                    let side = ["margin-bottom", "margin-top"][at];
                    distances[at] = height.unwrap_or_default() + length(side).unwrap_or_default();
                }
            }
            _ => {}
        }
    }
    page.left = page.left + insets.left;
    page.right = page.right + insets.right;
    page.top = page.top + insets.top;
    page.bottom = page.bottom + insets.bottom;
    // In OpenDocument, the page margin ends at the header. In the tree it ends at the text, and the distance of the
    // header from the edge of the page is stated separately.
    let sides = [
        (&mut page.top, &mut page.header_distance),
        (&mut page.bottom, &mut page.footer_distance),
    ];
    for ((margin, distance), own) in sides.into_iter().zip(distances) {
        if own > Length::ZERO {
            *distance = *margin;
            *margin = *margin + own;
        }
    }
    Ok(page)
}

/// Reads the background and the borders of a page. Returns the distances from the outer edges of its borders to the
/// text.
fn frame(page: &mut PageSetup, element: &Element<'_>) -> Edges {
    let (mut lines, mut away) = (Borders::default(), Edges::default());
    for (name, value) in element.attributes() {
        let length = Length::parse(&value).filter(|length| *length >= Length::ZERO);
        let length = length.unwrap_or_default();
        match name {
            "background-color" => page.background = Colour::parse(&value),
            name if name.starts_with("padding") => pad(&mut away, name, Some(length)),
            name => border_attribute(&mut lines, name, &value),
        }
    }
    if lines != Borders::default() {
        page.borders = Some(Box::new(PageBorders {
            lines,
            distances: Edges {
                left: page.left,
                top: page.top,
                right: page.right,
                bottom: page.bottom,
            },
            from_page: true,
            ..PageBorders::default()
        }));
    }
    let thick = |line: Option<Border>| line.map_or(Length::ZERO, |line| line.width);
    Edges {
        left: away.left + thick(lines.start),
        top: away.top + thick(lines.top),
        right: away.right + thick(lines.end),
        bottom: away.bottom + thick(lines.bottom),
    }
}

/// Applies the attributes of `style:page-layout-properties` (17.2).
fn set(page: &mut PageSetup, element: &Element<'_>) {
    let (mut grid, mut has_grid) = (Length::ZERO, false);
    for (name, value) in element.attributes() {
        let length = Length::parse(&value).filter(|length| *length >= Length::ZERO);
        // A page size below half an inch is damage, and is ignored.
        let side = length.filter(|length| *length > Length::inches(0.5));
        match name {
            "page-width" => page.width = side.unwrap_or(page.width),
            "page-height" => page.height = side.unwrap_or(page.height),
            "margin" => {
                for margin in [
                    &mut page.top,
                    &mut page.bottom,
                    &mut page.left,
                    &mut page.right,
                ] {
                    *margin = length.unwrap_or(*margin);
                }
            }
            "margin-top" => page.top = length.unwrap_or(page.top),
            "margin-bottom" => page.bottom = length.unwrap_or(page.bottom),
            "margin-left" => page.left = length.unwrap_or(page.left),
            "margin-right" => page.right = length.unwrap_or(page.right),
            // The height of a line is that of its text and of the annotations (ruby) above it.
            "layout-grid-base-height" | "layout-grid-ruby-height" => {
                grid = grid + length.unwrap_or_default();
            }
            "layout-grid-mode" => has_grid = value != "none",
            "num-format" => {
                page.numeral = match &*value {
                    "a" => Numeral::LowerAlpha,
                    "A" => Numeral::UpperAlpha,
                    "i" => Numeral::LowerRoman,
                    "I" => Numeral::UpperRoman,
                    _ => Numeral::Decimal,
                }
            }
            _ => {}
        }
    }
    page.grid = Some(grid).filter(|grid| has_grid && *grid > Length::ZERO);
}

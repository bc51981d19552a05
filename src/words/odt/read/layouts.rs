//! Page layouts (part 3, 16.5): paper size and margins. Master pages assign them to pages; headers and footers are read
//! by the module `page`.

use super::properties::{border_attribute, pad};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
};
use convertd_tree::{
    Border, Borders, Colour, Edges, Length, Margins, Numeral, PageBorders, PageSetup,
};
use std::collections::HashMap;

/// The master pages of a document.
#[derive(Default)]
pub(super) struct Pages {
    pub(super) masters: HashMap<Box<str>, Master>,
    /// The master page of the current section.
    pub(super) current: Option<Box<str>>,
    pub(super) first_number: Option<u32>,
    /// The size of all headers and footers, in bytes of XML.
    pub(super) size: u64,
}

#[derive(Default)]
pub(super) struct Master {
    pub(super) layout: Box<str>,
    /// The master page of the following pages.
    pub(super) next: Option<Box<str>>,
    pub(super) headers: Margins,
    pub(super) footers: Margins,
}

/// Reads `style:columns` (17.12), which is the innermost open element: the columns and the line between them. Columns
/// of unequal width have each a share of the width, which includes the space on both sides of the text.
fn columns(xml: &mut Reader<'_>, page: &mut PageSetup) -> Result<()> {
    const MOST: usize = 45;
    let level = xml.level();
    let mut shares: Vec<(f64, Length, Length)> = Vec::new();
    while let Some(child) = xml.next_element(level)? {
        let length = |name| child.attribute(name).and_then(|one| Length::parse(&one));
        match child.name {
            "column-sep" => page.column_line = true,
            "column" if shares.len() < MOST => {
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
        .fold((f64::MAX, 0.0_f64), |(least, most), one| {
            (least.min(points(one.0)), most.max(points(one.0)))
        });
    // Smaller differences are rounding errors.
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
                        let count = child.attribute("column-count");
                        let count = count.and_then(|count| count.parse().ok());
                        page.columns = count.unwrap_or(1_u8).clamp(1, 45);
                        let gap = child.attribute("column-gap");
                        page.column_gap = gap
                            .and_then(|gap| Length::parse(&gap))
                            .unwrap_or(page.column_gap);
                        columns(xml, &mut page)?;
                    }
                }
            }
            "header-style" | "footer-style" => {
                let at = usize::from(element.name == "footer-style");
                while let Some(child) = xml.next_element(level + 1)? {
                    let length = |name| child.attribute(name).and_then(|one| Length::parse(&one));
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
    // In OpenDocument, the page margin ends where the header begins. In the tree it ends where the text begins, and the
    // distance of the header is stated in addition.
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

/// Reads the background of a page and its borders. Returns the distance of the borders from the text, including their
/// thickness.
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

/// Takes the attributes of `style:page-layout-properties` (17.2).
fn set(page: &mut PageSetup, element: &Element<'_>) {
    for (name, value) in element.attributes() {
        let length = Length::parse(&value).filter(|length| *length >= Length::ZERO);
        // Ignore page sizes that leave no room for text.
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
}

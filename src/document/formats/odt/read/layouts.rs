//! Page layouts (part 3, 16.5): paper size and margins. Master pages assign them to pages; headers and footers are read by
//! the module `page`.

use crate::{
    containers::xml::{Element, Reader},
    document::tree::{Length, Margins, Numeral, PageSetup},
    error::Result,
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

/// Reads `style:page-layout`, which is the innermost open element.
pub(super) fn layout(xml: &mut Reader<'_>) -> Result<PageSetup> {
    let mut page = PageSetup::default();
    let mut distances = [Length::ZERO; 2];
    let level = xml.level();
    while let Some(element) = xml.next_element(level)? {
        match element.name {
            "page-layout-properties" => {
                set(&mut page, &element);
                while let Some(child) = xml.next_element(level + 1)? {
                    if child.name == "columns" {
                        let count = child.attribute("column-count");
                        let count = count.and_then(|count| count.parse().ok());
                        page.columns = count.unwrap_or(1_u8).clamp(1, 45);
                        let gap = child.attribute("column-gap");
                        page.column_gap = gap
                            .and_then(|gap| Length::parse(&gap))
                            .unwrap_or(page.column_gap);
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

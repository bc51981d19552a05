//! Pages (part 3, 16.5 and 16.9): the paper, its margins, and what stands in them. A text says which pages it is set on by the styles
//! of its paragraphs.

use super::{
    super::NAMESPACES,
    context::{Context, Story},
    styles::Scope,
};
use crate::{
    containers::xml::{Element, Reader},
    document::tree::{Block, Builder, Length, Margins, Numeral, PageSetup},
    error::Result,
};
use std::collections::HashMap;

/// The kinds of pages that a document has.
#[derive(Default)]
pub(super) struct Pages {
    masters: HashMap<Box<str>, Master>,
    /// The kind of the section that is being read.
    current: Option<Box<str>>,
    first_number: Option<u32>,
    /// How many bytes of XML headers and footers are.
    size: u64,
}

#[derive(Default)]
struct Master {
    layout: Box<str>,
    /// The kind of the pages after the first.
    next: Option<Box<str>>,
    headers: Margins,
    footers: Margins,
}

/// Reads `style:page-layout`, the innermost element.
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
    // Headers stand within the margins of the page here, and between margin and text there.
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
        // A page has to have room for text, whatever the file says.
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

impl Context<'_> {
    /// Reads the kinds of pages, with their headers and footers. `scope` is where their automatic styles count.
    pub(super) fn read_pages(
        &mut self,
        build: &mut Builder<'_>,
        text: &str,
        scope: Scope,
    ) -> Result<()> {
        let before = std::mem::replace(&mut self.styles.scope, scope);
        let mut xml = Reader::new(self.job, text, NAMESPACES);
        xml.root()?;
        while let Some(group) = xml.next_element(1)? {
            if !(group.space == "office" && group.name == "master-styles") {
                continue;
            }
            while let Some(element) = xml.next_element(2)? {
                if element.name == "master-page" {
                    let master = self.master(build, &mut xml, &element)?;
                    let name = element.attribute("name").unwrap_or_default();
                    self.pages.masters.insert(name.into(), master);
                }
            }
        }
        self.styles.scope = before;
        Ok(())
    }

    fn master(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
    ) -> Result<Master> {
        let mut master = Master {
            layout: element
                .attribute("page-layout-name")
                .unwrap_or_default()
                .into(),
            next: element.attribute("next-style-name").map(Into::into),
            ..Master::default()
        };
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            if child.attribute("display").as_deref() == Some("false") {
                continue;
            }
            let (margins, kind) = match child.name.split_once('-') {
                None if child.name == "header" => (&mut master.headers, ""),
                None if child.name == "footer" => (&mut master.footers, ""),
                Some(("header", kind)) => (&mut master.headers, kind),
                Some(("footer", kind)) => (&mut master.footers, kind),
                _ => continue,
            };
            // Text, and about as much again for what it stands in.
            self.pages.size += 2 * xml.clone().text()?.len() as u64 + 1000;
            let blocks: Vec<Block> =
                build.fragment(|build| self.story(build, xml, Story::new()))?;
            match kind {
                "" => margins.all = blocks,
                "left" => margins.even = Some(blocks),
                "first" => margins.first = Some(blocks),
                _ => {}
            }
        }
        Ok(master)
    }

    /// Begins pages of another kind, if a paragraph says so, or if it is the first.
    pub(super) fn begin_page(
        &mut self,
        build: &mut Builder<'_>,
        story: &mut Story<'_>,
        name: Option<&str>,
        number: Option<u32>,
    ) -> Result<()> {
        let first = self.pages.current.is_none();
        if !first && name.is_none() {
            return Ok(());
        }
        let name = name.unwrap_or("Standard");
        if !first {
            story.flow.end(build)?;
            self.end_section(build)?;
            build.begin_section()?;
        }
        self.pages.current = Some(name.into());
        self.pages.first_number = number.filter(|number| *number > 0);
        story.page_break = false;
        Ok(())
    }

    /// The text is at its end.
    pub(super) fn end_document(&mut self, build: &mut Builder<'_>) -> Result<()> {
        self.pages.current.get_or_insert("Standard".into());
        self.end_section(build)
    }

    /// Says on what pages the section is set that has been read.
    fn end_section(&mut self, build: &mut Builder<'_>) -> Result<()> {
        // Every section holds headers and footers of its own, which the tree does not count.
        let held = self.pages.size.saturating_mul(16);
        self.hold(build, held)?;
        let masters = &self.pages.masters;
        let master = |name: &str| masters.get(name);
        let Some(own) = self.pages.current.as_deref().and_then(master) else {
            return Ok(());
        };
        // A kind for one page alone says what stands on the first page of the section.
        let next = own.next.as_deref().and_then(master);
        let rest = next.unwrap_or(own);
        let Some(layout) = self.styles.layouts.get(&rest.layout) else {
            return Ok(());
        };
        let mut page = PageSetup {
            headers: rest.headers.clone(),
            footers: rest.footers.clone(),
            first_number: self.pages.first_number,
            ..layout.clone()
        };
        if next.is_some() {
            page.headers.first = Some(own.headers.all.clone());
            page.footers.first = Some(own.footers.all.clone());
        }
        // Either both of a pair say what stands on the first page, or on even ones, or none does.
        let Margins { first, even, .. } = &page.headers;
        let (first, even) = (
            first.is_some() || page.footers.first.is_some(),
            even.is_some() || page.footers.even.is_some(),
        );
        for margins in [&mut page.headers, &mut page.footers] {
            if first {
                margins.first.get_or_insert_default();
            }
            if even {
                let all = margins.all.clone();
                margins.even.get_or_insert(all);
            }
        }
        build.set_page(page);
        Ok(())
    }
}

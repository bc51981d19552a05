//! Reads sections: the paper, its margins, headers and footers. Reads no text in them itself.

use super::body::Body;
use crate::{containers::iwa::Message, error::Result};
use convertd_office::iwork::has_words;
use convertd_tree::{Alignment, Block, Length, Margins, PageSetup, SectionStart};

/// Archive type of a section.
const SECTION: u64 = 10_011;
/// Archive type of a template: the headers and footers of one kind of page.
const TEMPLATE: u64 = 10_143;

/// The pages of a document while it is being read.
pub(super) struct Pages {
    paper: PageSetup,
    /// The section that is being read.
    section: Option<u64>,
    /// Headers and footers of the section before.
    margins: (Margins, Margins),
}

impl Pages {
    /// Reads the paper and its margins, which all sections share.
    pub(super) fn new(document: Message<'_>) -> Self {
        let default = PageSetup::default();
        let least = Length::inches(0.5);
        let points = |field: u32| {
            let points = document
                .single(field)
                .filter(|points| (0.0..20_000.0).contains(points));
            points.map(Length::points)
        };
        let side = |field: u32| points(field).filter(|side| *side > least);
        let paper = PageSetup {
            width: side(30).unwrap_or(default.width),
            height: side(31).unwrap_or(default.height),
            left: points(32).unwrap_or(default.left),
            right: points(33).unwrap_or(default.right),
            top: points(34).unwrap_or(default.top),
            bottom: points(35).unwrap_or(default.bottom),
            header_distance: points(36).unwrap_or(default.header_distance),
            footer_distance: points(37).unwrap_or(default.footer_distance),
            ..default
        };
        Self {
            paper,
            section: None,
            margins: Default::default(),
        }
    }
}

impl Body<'_, '_> {
    /// Begins the section of the object with this number. Only the main text has sections.
    pub(super) fn begin_section(&mut self, number: u64) -> Result<()> {
        if self.depth != 1 {
            return Ok(());
        }
        if let Some(before) = self.pages.section.replace(number) {
            let page = self.page(before)?;
            self.story.end_section(Some(page))?;
        }
        Ok(())
    }

    /// Ends the last section.
    pub(super) fn end_document(&mut self) -> Result<()> {
        let page = match self.pages.section {
            Some(section) => self.page(section)?,
            None => self.pages.paper.clone(),
        };
        self.story.build.set_page(page);
        Ok(())
    }

    /// Page setup of a section, with its headers and footers.
    fn page(&mut self, number: u64) -> Result<PageSetup> {
        let mut page = self.pages.paper.clone();
        let Some(section) = self.objects.of(number, &[SECTION]) else {
            return Ok(page);
        };
        page.begins = match section.number(20) {
            Some(1) => SectionStart::OddPage,
            Some(2) => SectionStart::EvenPage,
            _ => page.begins,
        };
        // The page numbers restart if the section states this.
        let first = section
            .number(22)
            .and_then(|first| u32::try_from(first).ok());
        page.first_number = first.filter(|_| section.number(21) == Some(1));
        let templates = [25, 23, 24].map(|field| {
            let template = section.reference(field);
            self.objects.of(template, &[TEMPLATE])
        });
        let [odd, first, even] = templates;
        let odd_margins = self.margins(odd)?;
        let has_own = [&odd_margins.0, &odd_margins.1]
            .iter()
            .any(|own| !own.is_empty());
        // Field 17: the section has the headers and footers of the section before, unless its own have content.
        if section.flag(17) == Some(true) && !has_own {
            (page.headers, page.footers) = self.pages.margins.clone();
            return Ok(page);
        }
        (page.headers.all, page.footers.all) = odd_margins;
        // Fields 18 and 19: the first page and even pages have their own headers and footers. Field 28: the first
        // page has no header or footer.
        if section.flag(18) == Some(true) {
            let (header, footer) = match section.flag(28) {
                Some(true) => Default::default(),
                _ => self.margins(first)?,
            };
            page.headers.first = Some(header);
            page.footers.first = Some(footer);
        }
        if section.flag(19) == Some(true) {
            let (header, footer) = self.margins(even)?;
            page.headers.even = Some(header);
            page.footers.even = Some(footer);
        }
        self.pages.margins = (page.headers.clone(), page.footers.clone());
        Ok(page)
    }

    /// Header and footer of a template. Both are empty without a template.
    fn margins(&mut self, template: Option<Message<'_>>) -> Result<(Vec<Block>, Vec<Block>)> {
        let Some(template) = template else {
            return Ok(Default::default());
        };
        // Each section of the tree holds copies of the headers and footers, which the builder does not count.
        self.story.hold(16 * template.0.len() as u64)?;
        Ok((self.margin(template, 1)?, self.margin(template, 2)?))
    }

    /// Reads a header or footer. It has up to three texts: at the start, in the middle and at the end of the line.
    fn margin(&mut self, template: Message<'_>, field: u32) -> Result<Vec<Block>> {
        const SIDES: [Option<Alignment>; 3] = [None, Some(Alignment::Centre), Some(Alignment::End)];
        let texts = template.all(field).map(|text| text.number(1));
        let texts: Vec<(Option<u64>, Option<Alignment>)> = texts.zip(SIDES).collect();
        self.story.open_margin();
        for (text, side) in texts {
            let text = text.filter(|text| has_words(self.objects, *text));
            if let Some(text) = text {
                let size = self.objects.get(text).map_or(0, |(_, text)| text.0.len());
                self.story.hold(16 * size as u64)?;
                self.aligned_text(text, side)?;
            }
        }
        self.story.close_margin()
    }
}

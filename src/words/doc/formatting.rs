//! Formatted disk pages (FKPs, MS-DOC 2.9.33, 2.9.174): blocks of 512 bytes in the stream of the text, which map
//! offsets in the stream (FCs) to property lists. Interprets no properties.

use super::plex::Plex;
use crate::containers::fields::Fields;

/// Size of a page, in bytes.
const PAGE: usize = 512;

/// Content of the pages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PageContent {
    Characters,
    Paragraphs,
}

/// All pages with the properties of characters or of paragraphs (FKPs).
#[derive(Clone, Copy, Debug)]
pub(super) struct Pages<'a> {
    /// Stream of the text.
    stream: Fields<'a>,
    /// PLC (array of positions with records) that maps offsets to page numbers.
    plex: Plex<'a>,
    kind: PageContent,
    is_old: bool,
}

/// Formatting found for an offset.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Found<'a> {
    /// Offset in bytes where the formatting ends.
    pub(super) end: u32,
    /// Number of the paragraph style. Character styles are among the properties instead.
    pub(super) style: u16,
    pub(super) properties: &'a [u8],
}

impl<'a> Pages<'a> {
    pub(super) fn new(
        stream: &'a [u8],
        table: Fields<'a>,
        kind: PageContent,
        is_old: bool,
    ) -> Self {
        Self {
            stream: Fields(stream),
            plex: Plex::new(table, if is_old { 2 } else { 4 }),
            kind,
            is_old,
        }
    }

    /// Finds the formatting of the character at an offset in two steps: the page in the PLC, and the entry in the page.
    /// If no entry covers the offset, the property list is empty and has no end.
    pub(super) fn find(&self, place: u32) -> Found<'a> {
        let nothing = Found {
            end: u32::MAX,
            ..Found::default()
        };
        let Some(at) = self.plex.find(place) else {
            return nothing;
        };
        let number = match self.is_old {
            true => self.plex.record(at).u16(0).into(),
            // The page number has 22 bits.
            false => self.plex.record(at).u32(0) & 0x3f_ffff,
        };
        let page = self.stream.part(number as usize * PAGE, PAGE);
        if page.len() < PAGE {
            return nothing;
        }
        // A page begins with the offsets in the stream (FCs) at which its entries apply, followed by the entries
        // themselves. The last byte is the number of entries.
        let count = usize::from(page.u8(PAGE - 1)).min(PAGE / 5);
        let after = (0..=count).position(|at| page.u32(at * 4) > place);
        let Some(at) = after.and_then(|after| after.checked_sub(1)) else {
            return nothing;
        };
        // An entry begins with the offset of a property list in the page, in 16-bit words. In an entry of paragraphs,
        // layout data follow (BxPap).
        let size = match (self.kind, self.is_old) {
            (PageContent::Characters, _) => 1,
            (PageContent::Paragraphs, true) => 7,
            (PageContent::Paragraphs, false) => 13,
        };
        let offset = usize::from(page.u8((count + 1) * 4 + at * size)) * 2;
        Found {
            end: page.u32(at * 4 + 4),
            ..self.properties(page, offset)
        }
    }

    /// Reads a property list at an offset of a page. Offset 0 means an empty list.
    fn properties(&self, page: Fields<'a>, offset: usize) -> Found<'a> {
        if offset == 0 {
            return Found::default();
        }
        let len = usize::from(page.u8(offset));
        let properties = match self.kind {
            PageContent::Characters => page.part(offset + 1, len),
            PageContent::Paragraphs if self.is_old => page.part(offset + 1, len * 2),
            // The length is in 16-bit words, and includes the byte of the length. If it is 0, the next byte is the
            // length, and does not include itself (MS-DOC 2.9.175).
            PageContent::Paragraphs if len == 0 => {
                page.part(offset + 2, usize::from(page.u8(offset + 1)) * 2)
            }
            PageContent::Paragraphs => page.part(offset + 1, len * 2 - 1),
        };
        match self.kind {
            PageContent::Characters => Found {
                properties: properties.0,
                ..Found::default()
            },
            PageContent::Paragraphs => Found {
                style: properties.u16(0),
                properties: properties.from(2).0,
                ..Found::default()
            },
        }
    }
}

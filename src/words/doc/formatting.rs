//! The pages of formatting (MS-DOC 2.9.33, 2.9.174): blocks of 512 bytes in the stream of the text that say, by places in the
//! stream, which properties characters and paragraphs have. Interprets no properties.

use super::plex::Plex;
use crate::containers::fields::Fields;

/// Bytes of a page.
const PAGE: usize = 512;

/// Kind of a formatted disk page: of characters or of paragraphs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Characters,
    Paragraphs,
}

/// All pages of a kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pages<'a> {
    stream: Fields<'a>,
    plex: Plex<'a>,
    kind: Kind,
    is_old: bool,
}

/// The formatting of a stretch of text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Found<'a> {
    /// The place where it ends.
    pub(super) end: u32,
    /// The number of its paragraph style. Characters have theirs among their properties.
    pub(super) style: u16,
    pub(super) properties: &'a [u8],
}

impl<'a> Pages<'a> {
    pub(super) fn new(stream: &'a [u8], table: Fields<'a>, kind: Kind, is_old: bool) -> Self {
        Self {
            stream: Fields(stream),
            plex: Plex::new(table, if is_old { 2 } else { 4 }),
            kind,
            is_old,
        }
    }

    /// Formatting at a position. Empty if no page has it.
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
            false => self.plex.record(at).u32(0) & 0x3f_ffff,
        };
        let page = self.stream.part(number as usize * PAGE, PAGE);
        if page.len() < PAGE {
            return nothing;
        }
        // The number of stretches is at the end; then come their places, and what they refer to.
        let count = usize::from(page.u8(PAGE - 1)).min(PAGE / 5);
        let after = (0..=count).position(|at| page.u32(at * 4) > place);
        let Some(at) = after.and_then(|after| after.checked_sub(1)) else {
            return nothing;
        };
        let size = match (self.kind, self.is_old) {
            (Kind::Characters, _) => 1,
            (Kind::Paragraphs, true) => 7,
            (Kind::Paragraphs, false) => 13,
        };
        let offset = usize::from(page.u8((count + 1) * 4 + at * size)) * 2;
        Found {
            end: page.u32(at * 4 + 4),
            ..self.properties(page, offset)
        }
    }

    /// Properties at an offset of a page. Offset 0 means no properties.
    fn properties(&self, page: Fields<'a>, offset: usize) -> Found<'a> {
        if offset == 0 {
            return Found::default();
        }
        let len = usize::from(page.u8(offset));
        let properties = match self.kind {
            Kind::Characters => page.part(offset + 1, len),
            Kind::Paragraphs if self.is_old => page.part(offset + 1, len * 2),
            // Where the length is 0, it is in the byte behind it.
            Kind::Paragraphs if len == 0 => {
                page.part(offset + 2, usize::from(page.u8(offset + 1)) * 2)
            }
            Kind::Paragraphs => page.part(offset + 1, len * 2 - 1),
        };
        match self.kind {
            Kind::Characters => Found {
                properties: properties.0,
                ..Found::default()
            },
            Kind::Paragraphs => Found {
                style: properties.u16(0),
                properties: properties.from(2).0,
                ..Found::default()
            },
        }
    }
}

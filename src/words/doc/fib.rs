//! The file information block (MS-DOC 2.5), with which the stream begins: how long each part of the text is, and where the tables
//! are that say everything else. Reads none of them.

use crate::{
    containers::fields::Fields,
    error::{Reason, Result},
    job::Job,
};

/// The parts of the text, in the order in which they follow each other (2.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    Main = 0,
    Footnotes = 1,
    Headers = 2,
    // Macros and comments come between.
    Endnotes = 5,
    Boxes = 6,
    HeaderBoxes = 7,
}

/// The number of parts.
const PARTS: usize = 8;

/// The tables.
#[derive(Clone, Copy, Debug)]
pub(super) enum Table {
    Styles,
    FootnoteReferences,
    FootnoteTexts,
    Sections,
    Headers,
    CharacterPages,
    ParagraphPages,
    Fonts,
    BookmarkNames,
    BookmarkStarts,
    Properties,
    Pieces,
    Shapes,
    HeaderShapes,
    EndnoteReferences,
    EndnoteTexts,
    Drawings,
    BoxTexts,
    HeaderBoxTexts,
    Lists,
    Overrides,
}

impl Table {
    /// The number of its entry in the block of Word 97 (2.5.5), and the place of its entry in that of Word 6, which has fewer.
    fn place(self) -> (usize, Option<usize>) {
        match self {
            Self::Styles => (1, Some(0x60)),
            Self::FootnoteReferences => (2, Some(0x68)),
            Self::FootnoteTexts => (3, Some(0x70)),
            Self::Sections => (6, Some(0x88)),
            Self::Headers => (11, Some(0xb0)),
            Self::CharacterPages => (12, Some(0xb8)),
            Self::ParagraphPages => (13, Some(0xc0)),
            Self::Fonts => (15, Some(0xd0)),
            Self::BookmarkNames => (21, Some(0x100)),
            Self::BookmarkStarts => (22, Some(0x108)),
            Self::Properties => (31, Some(0x150)),
            Self::Pieces => (33, Some(0x160)),
            Self::Shapes => (40, None),
            Self::HeaderShapes => (41, None),
            Self::EndnoteReferences => (46, Some(0x1d2)),
            Self::EndnoteTexts => (47, Some(0x1da)),
            Self::Drawings => (50, None),
            Self::BoxTexts => (56, None),
            Self::HeaderBoxTexts => (58, None),
            Self::Lists => (73, None),
            Self::Overrides => (74, None),
        }
    }
}

/// The file information block.
pub(super) struct Fib<'a> {
    block: Fields<'a>,
    /// Whether it is of Word 6 or 95.
    pub(super) is_old: bool,
    /// Whether the characters of Word 95 have two bytes, as those of East Asian versions may.
    pub(super) is_wide: bool,
    /// The language of the program that wrote it, which tells the code page of Word 6.
    pub(super) language: u16,
    /// Whether the program ran on a Macintosh of before 2001, whose bytes are other characters.
    pub(super) is_macintosh: bool,
    /// Start of the text of a document without pieces.
    pub(super) start: u32,
    /// The length of each part, in characters.
    lengths: [u32; PARTS],
    /// Start of the entries of tables, and their number.
    entries: (usize, usize),
}

/// Flags of FibBase (2.5.2).
const ENCRYPTED: u16 = 0x100;
const TABLE_1: u16 = 0x200;
const WIDE: u16 = 0x1000;

impl<'a> Fib<'a> {
    /// Reads the block.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if it is of another program, or the document is encrypted.
    pub(super) fn read(job: &Job<'_>, stream: &'a [u8]) -> Result<Self> {
        let block = Fields(stream);
        let version = block.u16(2);
        let is_old = match (block.u16(0), version) {
            (_, 0..=100) => {
                return Err(job.unreadable("it is of Word 2 or before, or damaged"));
            }
            (0xa5ec, _) => version < 0xc0,
            (0xa5dc, _) => true,
            // Programs that made documents without Word wrote other numbers here.
            _ if stream.len() < 512 => return Err(job.unreadable("its first block is damaged")),
            _ => version < 0xc0,
        };
        if block.u16(10) & ENCRYPTED != 0 {
            let why = "it is encrypted: remove the password and send it again";
            return Err(job.unreadable(why).because(Reason::Encrypted));
        }
        // Word 97 counts its numbers, so that later versions can add some.
        let words = usize::from(block.u16(32));
        let longs = 34 + words * 2;
        let entries = longs + 2 + usize::from(block.u16(longs)) * 4;
        let lengths = match is_old {
            true => 0x34,
            false => longs + 2 + 12,
        };
        Ok(Self {
            block,
            is_old,
            is_wide: is_old && block.u16(10) & WIDE != 0,
            language: block.u16(6),
            is_macintosh: is_old && block.u16(0x14) == 0x100,
            start: block.u32(0x18),
            lengths: std::array::from_fn(|at| block.u32(lengths + at * 4).min(i32::MAX as u32)),
            entries: (entries + 2, block.u16(entries).into()),
        })
    }

    /// The name of the stream with the tables. In Word 6 they are in the stream of the text.
    pub(super) fn table_stream(&self) -> Option<&'static str> {
        match self.block.u16(10) & TABLE_1 {
            _ if self.is_old => None,
            0 => Some("0Table"),
            _ => Some("1Table"),
        }
    }

    /// The CPs of a part.
    pub(super) fn part(&self, part: Part) -> std::ops::Range<u32> {
        let at = part as usize;
        let before = self.lengths[..at].iter();
        let start = before.fold(0_u32, |sum, len| sum.saturating_add(*len));
        start..start.saturating_add(self.lengths[at])
    }

    /// The length of all parts together, with the mark that ends the last one.
    pub(super) fn characters(&self) -> u32 {
        self.part(Part::HeaderBoxes).end.saturating_add(1)
    }

    /// Fields from a table on, in the table stream.
    pub(super) fn behind<'t>(&self, table: Table, stream: &'t [u8]) -> Fields<'t> {
        let entry = self.entry(table);
        Fields(stream).from((entry.u32(0) as usize).saturating_add(entry.u32(4) as usize))
    }

    /// The bytes of a table, in the stream that has the tables.
    pub(super) fn table<'t>(&self, table: Table, stream: &'t [u8]) -> Fields<'t> {
        let entry = self.entry(table);
        Fields(stream).part(entry.u32(0) as usize, entry.u32(4) as usize)
    }

    /// The place and the length of a table. Both are 0 without such a table.
    fn entry(&self, table: Table) -> Fields<'a> {
        let (number, old) = table.place();
        match (self.is_old, old) {
            (true, Some(place)) => self.block.from(place),
            (false, _) if number < self.entries.1 => self.block.from(self.entries.0 + number * 8),
            _ => Fields::default(),
        }
    }
}

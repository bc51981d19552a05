//! File information block (FIB, MS-DOC 2.5), the beginning of the stream: the length of each part of the text, and the
//! positions of all tables. Does not read the tables.

use crate::{
    containers::fields::Fields,
    error::{Reason, Result},
    job::Job,
};

/// Parts of the text, in their order in the document (MS-DOC 2.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum DocumentPart {
    Main = 0,
    // The value is the index of the part's length in the FIB.
    Footnotes = 1,
    Headers = 2,
    // Part 3 (macros) is obsolete, and part 4 (comments) is not read.
    Endnotes = 5,
    /// Text boxes of the main text.
    Boxes = 6,
    /// Text boxes of headers and footers.
    HeaderBoxes = 7,
}

/// Number of parts whose length the FIB states, including parts that are not read.
const PARTS: usize = 8;

/// Tables that the FIB locates, as far as they are used here.
#[derive(Clone, Copy, Debug)]
pub(super) enum Table {
    Styles,
    FootnoteReferences,
    FootnoteTexts,
    Sections,
    Headers,
    /// Pages of character formatting.
    CharacterPages,
    /// Pages of paragraph formatting.
    ParagraphPages,
    Fonts,
    BookmarkNames,
    BookmarkStarts,
    /// Document properties (DOP).
    Properties,
    /// Piece table.
    Pieces,
    /// Anchors of drawings in the main text.
    Shapes,
    /// Anchors of drawings in headers and footers.
    HeaderShapes,
    EndnoteReferences,
    EndnoteTexts,
    /// Drawings and their pictures (OfficeArt).
    Drawings,
    /// Ranges of the texts of text boxes in the main text.
    BoxTexts,
    /// Ranges of the texts of text boxes in headers and footers.
    HeaderBoxTexts,
    /// Definitions of lists (LSTF).
    Lists,
    /// Lists that refer to the definitions in `Lists`, and override them (LFO).
    Overrides,
}

impl Table {
    /// Index of the entry in the FIB of Word 97 (MS-DOC 2.5.5), and offset of the entry in the FIB of Word 6, which has
    /// fewer tables.
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
    /// Whether the block has the format of Word 6 or 95.
    pub(super) is_old: bool,
    /// Whether characters of Word 95 have two bytes, as in East Asian versions.
    pub(super) is_wide: bool,
    /// Language of the program that wrote the file, which determines the code page of Word 6.
    pub(super) language: u16,
    /// Whether a Macintosh wrote the file, with Mac OS Roman as its code page. Only set for Word 6 and 95.
    pub(super) is_macintosh: bool,
    /// Offset of the text in a document without a piece table.
    pub(super) start: u32,
    /// Length of each part, in characters.
    lengths: [u32; PARTS],
    /// Offset of the table entries in the block, and their number.
    entries: (usize, usize),
}

/// Flag of FibBase (MS-DOC 2.5.2): the file is encrypted.
const ENCRYPTED: u16 = 0x100;
/// Flag of FibBase: the table stream is `1Table`, and not `0Table`.
const TABLE_1: u16 = 0x200;
/// Flag of FibBase: characters have two bytes. Only used for Word 6 and 95.
const WIDE: u16 = 0x1000;

impl<'a> Fib<'a> {
    /// Reads the block.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is of Word 2 or before, damaged or
    /// encrypted.
    pub(super) fn read(job: &Job<'_>, stream: &'a [u8]) -> Result<Self> {
        let block = Fields(stream);
        let version = block.u16(2);
        let is_old = match (block.u16(0), version) {
            (_, 0..=100) => {
                return Err(job.unreadable("it was made by Word 2 or earlier, or is damaged"));
            }
            (0xa5ec, _) => version < 0xc0,
            (0xa5dc, _) => true,
            // Some programs write another signature. Then the version alone decides.
            _ if stream.len() < 512 => return Err(job.unreadable("its first block is damaged")),
            _ => version < 0xc0,
        };
        if block.u16(10) & ENCRYPTED != 0 {
            let reason = "it is encrypted: remove the password and send it again";
            return Err(job.unreadable(reason).because(Reason::Encrypted));
        }
        // Since Word 97, arrays follow the first 32 bytes of the block, each preceded by its length, so that later
        // versions can extend them: 16-bit values, 32-bit values, and table entries (8 bytes each).
        let words = usize::from(block.u16(32));
        let longs = 34 + words * 2;
        let entries = longs + 2 + usize::from(block.u16(longs)) * 4;
        // The lengths of the parts are the 32-bit values from index 3 on (`ccpText`).
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

    /// Name of the table stream. `None` for Word 6, whose tables are in the stream of the text.
    pub(super) fn table_stream(&self) -> Option<&'static str> {
        match self.block.u16(10) & TABLE_1 {
            _ if self.is_old => None,
            0 => Some("0Table"),
            _ => Some("1Table"),
        }
    }

    /// Range of character positions (CPs) of a part.
    pub(super) fn part(&self, part: DocumentPart) -> std::ops::Range<u32> {
        let at = part as usize;
        let before = self.lengths[..at].iter();
        let start = before.fold(0_u32, |sum, len| sum.saturating_add(*len));
        start..start.saturating_add(self.lengths[at])
    }

    /// Length of all parts together, including the final paragraph mark.
    pub(super) fn characters(&self) -> u32 {
        self.part(DocumentPart::HeaderBoxes).end.saturating_add(1)
    }

    /// Bytes of the table stream after the end of a table. The levels of lists follow the table [`Table::Lists`].
    pub(super) fn after_table<'t>(&self, table: Table, stream: &'t [u8]) -> Fields<'t> {
        let entry = self.entry(table);
        Fields(stream).from((entry.u32(0) as usize).saturating_add(entry.u32(4) as usize))
    }

    /// Bytes of a table, in the table stream.
    pub(super) fn table<'t>(&self, table: Table, stream: &'t [u8]) -> Fields<'t> {
        let entry = self.entry(table);
        Fields(stream).part(entry.u32(0) as usize, entry.u32(4) as usize)
    }

    /// Entry of a table: offset and length, both 32 bits. Both are 0 if the file has no such table.
    fn entry(&self, table: Table) -> Fields<'a> {
        let (number, old) = table.place();
        match (self.is_old, old) {
            (true, Some(place)) => self.block.from(place),
            (false, _) if number < self.entries.1 => self.block.from(self.entries.0 + number * 8),
            _ => Fields::default(),
        }
    }
}

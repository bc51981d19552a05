//! Record 0 of a book. It contains three parts one after another: the header of PalmDOC, the header of Mobipocket, and
//! the metadata (EXTH). Reads no text.
//!
//! The header of Mobipocket grew over the years and states its own length. Fields beyond this length are missing.

use super::database::{Database, Record};
use crate::{coding::code_page::CodePage, error::Result, job::Job};

/// Value of a field that is not used.
const NONE: u32 = u32::MAX;

/// Offset of the header of Mobipocket in record 0.
const MOBI: usize = 16;

/// The first version of a book in KF8.
const KF8: u32 = 8;

/// Beginning of the record between the two books of a [joint file](Header::joint).
const BOUNDARY: &[u8] = b"BOUNDARY";

/// Compression of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Compression {
    /// Stored without compression.
    Stored,
    /// The LZ77 of PalmDOC.
    Lz77,
    /// Huffman codes for phrases of a dictionary.
    Huffman,
}

/// Content of record 0.
pub(super) struct Header<'d> {
    /// Number of this record. In the file, numbers of other records are relative to it. In this structure, they are
    /// absolute.
    pub(super) start: usize,
    pub(super) compression: Compression,
    /// Number of records with text. They directly follow this one.
    pub(super) texts: usize,
    /// Whether the text is encrypted.
    pub(super) is_encrypted: bool,
    /// Version of the format. `None` for a book of PalmDOC.
    pub(super) version: Option<u32>,
    pub(super) code_page: CodePage,
    /// Kinds of additional entries at the end of each record of text, as bits.
    pub(super) trailing: u16,
    /// Number of the record with the first picture.
    pub(super) resources: Option<usize>,
    /// Number of the first record of Huffman codes, and the count of these records.
    pub(super) huffman: (usize, usize),
    /// Title of the book.
    pub(super) title: &'d [u8],
    /// Language identifier of Windows.
    pub(super) language: u32,
    /// Metadata: the kind and the value of each entry.
    pub(super) metadata: Vec<(u32, &'d [u8])>,
    /// Number of the first record of the index with the table of contents.
    pub(super) contents: Option<usize>,
    pub(super) kf8: Kf8Records,
}

/// Numbers of the records that only KF8 has.
pub(super) struct Kf8Records {
    /// Number of the record with the bounds of the flows.
    pub(super) flows: Option<usize>,
    /// Number of the first record of the index of fragments.
    pub(super) fragments: Option<usize>,
    /// Number of the first record of the index of skeletons.
    pub(super) skeletons: Option<usize>,
}

impl<'d> Header<'d> {
    /// Reads the record with this number.
    ///
    /// Errors: [`BadInput`](crate::error::Kind::BadInput) for an unknown compression.
    pub(super) fn read(job: &Job<'_>, database: &'d Database, start: usize) -> Result<Self> {
        let record = database.record(start);
        let compression = match record.u16(0) {
            1 => Compression::Stored,
            2 => Compression::Lz77,
            0x4448 => Compression::Huffman,
            other => {
                return Err(
                    job.unreadable(format!("its text has an unknown compression ({other})"))
                );
            }
        };
        let is_mobi = record.part(MOBI, 4).is(b"MOBI");
        let len = if is_mobi { record.size(MOBI + 4) } else { 0 };
        let end = MOBI.saturating_add(len);
        let field = |at: usize| Some(record.u32(at)).filter(|field| at < end && *field != NONE);
        let place = |at: usize| Some(start.saturating_add(field(at)? as usize));
        let version = is_mobi.then(|| record.u32(36));
        let is_kf8 = version.is_some_and(|version| version >= KF8);
        let title = record.part(record.size(84), record.size(88));
        let metadata = match field(128) {
            Some(flags) if flags & 0x40 != 0 => metadata(record.from(end)),
            _ => Vec::new(),
        };
        Ok(Self {
            start,
            compression,
            texts: record.u16(8).into(),
            // A record that ends with the header of PalmDOC has another field here, the position of a reader, and its
            // book is not encrypted.
            is_encrypted: record.u16(12) != 0 && (is_mobi || record.0.len() > MOBI),
            version,
            code_page: field(28)
                .and_then(|number| CodePage::by_number(i32::try_from(number).ok()?))
                .unwrap_or(CodePage::DEFAULT),
            // In books of older versions, these bytes have another meaning.
            trailing: match field(240) {
                Some(flags) if version >= Some(5) => flags as u16,
                _ => 0,
            },
            resources: place(108),
            huffman: (place(112).unwrap_or(0), field(116).unwrap_or(0) as usize),
            title: if is_mobi { title.0 } else { &[] },
            language: field(92).unwrap_or(0),
            metadata,
            contents: place(244).filter(|_| version >= Some(5)),
            // If the book has only one flow, the field has another meaning.
            kf8: Kf8Records {
                flows: place(192).filter(|_| is_kf8 && field(196) > Some(1)),
                fragments: place(248).filter(|_| is_kf8),
                skeletons: place(252).filter(|_| is_kf8),
            },
        })
    }

    /// Returns whether the book is in KF8.
    pub(super) fn is_kf8(&self) -> bool {
        self.version >= Some(KF8)
    }

    /// The value of the first entry of this kind in the metadata that is long enough for a 32-bit number.
    pub(super) fn number(&self, kind: u32) -> Option<u32> {
        let mut entries = self.metadata.iter();
        let (_, value) = entries.find(|(known, value)| *known == kind && value.len() >= 4)?;
        Some(Record(value).u32(0)).filter(|number| *number != NONE)
    }

    /// Finds the header of the KF8 book in a joint file. A joint file contains the book twice: in the older format, and
    /// in KF8 after a boundary record. The metadata of the older book state where the KF8 book begins.
    pub(super) fn joint(&self, database: &Database) -> Option<usize> {
        let start = self.number(121)? as usize;
        let before = database.record(start.checked_sub(1)?);
        (before.is(BOUNDARY) && !self.is_kf8()).then_some(start)
    }
}

/// Returns the kind and the value of each entry of EXTH, up to the first damaged entry.
fn metadata(exth: Record<'_>) -> Vec<(u32, &[u8])> {
    let mut entries = Vec::new();
    if !exth.is(b"EXTH") {
        return entries;
    }
    let mut rest = exth.part(12, exth.size(4).saturating_sub(12));
    for _ in 0..exth.u32(8) {
        let len = rest.size(4);
        if len < 8 || len > rest.0.len() {
            break;
        }
        entries.push((rest.u32(0), &rest.0[8..len]));
        rest = rest.from(len);
    }
    entries
}

//! OpenType files (OpenType 1.9, "Organization of an OpenType Font"): a directory and tables, each with a checksum.
//! Packs nothing.

use super::{BEYOND, Font, MAX_TABLES, Name, Record, SHORT, TABLES, in_order, reader::ByteReader};

/// Length of the header in bytes.
const HEAD: usize = 12;
/// Length of an entry of the directory in bytes.
const ENTRY: usize = 16;
/// Offset of the field `checksumAdjustment` in the table `head`.
const ADJUSTMENT: usize = 8;
/// Sum of the field `checksumAdjustment` and of the checksum of the file without that field.
const MAGIC: u32 = 0xb1b0_afba;

/// Reads the tables of an OpenType file.
pub(super) fn read(bytes: &[u8]) -> Result<Font, &'static str> {
    let mut head = ByteReader(bytes);
    let flavour = head.array().ok_or(SHORT)?;
    let count = usize::from(head.u16().ok_or(SHORT)?);
    if count == 0 || count > MAX_TABLES {
        return Err(TABLES);
    }
    let entries = bytes.get(HEAD..HEAD + ENTRY * count).ok_or(SHORT)?;
    let record = |entry: &[u8]| {
        let mut entry = ByteReader(entry);
        let (name, checksum) = (entry.array()?, entry.u32()?);
        let (at, len) = (entry.u32()? as usize, entry.u32()? as usize);
        Some(Record {
            name,
            at,
            stored: len,
            len,
            checksum,
        })
    };
    let records: Option<Vec<Record>> = entries.chunks(ENTRY).map(record).collect();
    let mut records = records.ok_or(SHORT)?;
    in_order(&mut records, HEAD + ENTRY * count)?;
    let (mut tables, mut unsound) = (Vec::new(), Vec::new());
    for record in records {
        let table = bytes.get(record.at..record.at + record.len).ok_or(BEYOND)?;
        if checksum(&record.name, table) != record.checksum {
            unsound.push(record.name);
        }
        tables.push((record.name, table.to_vec()));
    }
    Ok(Font {
        flavour,
        tables,
        unsound,
        has_more: false,
    })
}

/// Sum of a table as 32-bit numbers. The sum of `head` excludes the checksum of the file.
pub fn checksum(name: &Name, table: &[u8]) -> u32 {
    let sum = sum(table);
    match (
        name,
        table.get(ADJUSTMENT..).and_then(|rest| rest.first_chunk()),
    ) {
        (b"head", Some(adjustment)) => sum.wrapping_sub(u32::from_be_bytes(*adjustment)),
        _ => sum,
    }
}

fn sum(bytes: &[u8]) -> u32 {
    let (words, rest) = bytes.as_chunks::<4>();
    let mut last = [0; 4];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]);
    words.fold(0, |sum: u32, word| {
        sum.wrapping_add(u32::from_be_bytes(*word))
    })
}

/// The header and the directory of a font file, and the length of the whole file.
fn directory(font: &Font) -> (Vec<u8>, usize) {
    let count = font.tables.len() as u16;
    let log = count.checked_ilog2().unwrap_or(0) as u16;
    let range = 16_u16 << log.min(11);
    let mut out = font.flavour.to_vec();
    for field in [count, range, log, (16 * count).saturating_sub(range)] {
        out.extend(field.to_be_bytes());
    }
    let mut at = HEAD + ENTRY * font.tables.len();
    let mut entries: Vec<(Name, [u32; 3])> = Vec::new();
    for (name, table) in &font.tables {
        let fields = [checksum(name, table), at as u32, table.len() as u32];
        entries.push((*name, fields));
        at += table.len().next_multiple_of(4);
    }
    entries.sort_unstable();
    for (name, fields) in entries {
        out.extend(name);
        out.extend(fields.into_iter().flat_map(u32::to_be_bytes));
    }
    (out, at)
}

/// Corrects the checksum of the whole font, which the table `head` holds, so that the sum of the file becomes `MAGIC`.
pub fn settle(font: &mut Font) {
    let (directory, _) = directory(font);
    let sums = font
        .tables
        .iter()
        .map(|(name, table)| checksum(name, table));
    let adjustment = MAGIC.wrapping_sub(sums.fold(sum(&directory), u32::wrapping_add));
    let adjustment_field = font
        .table_mut(b"head")
        .and_then(|head| head.get_mut(ADJUSTMENT..ADJUSTMENT + 4));
    if let Some(adjustment_field) = adjustment_field {
        adjustment_field.copy_from_slice(&adjustment.to_be_bytes());
    }
}

/// The font as an OpenType file: its tables in the order of [`Font::tables`], with all checksums.
pub fn written(mut font: Font) -> Vec<u8> {
    settle(&mut font);
    let (mut out, len) = directory(&font);
    out.reserve(len - out.len());
    for (_, mut table) in font.tables {
        out.append(&mut table);
        out.resize(out.len().next_multiple_of(4), 0);
    }
    out
}

//! Writes packed fonts for the web: compresses each table with Deflate (WOFF 1.0), or all tables together with Brotli
//! (WOFF 2.0, W3C Recommendations of 2012 and 2024). Does not use the transformations of outlines, which are optional
//! in WOFF 2.0.
//!
//! Brotli is implemented by the crate `brotli`, which is a dependency already, because the PDF reader uses its decoder.
//! With the highest effort, fonts become as small as with Google's encoder without transformations.

use crate::{
    error::{Error, Result},
    fonts::web::{self, Font, KNOWN, Name, Table, checksum},
    job::{Job, Notes},
};
use brotli::{
    CompressorWriter,
    enc::{BrotliEncoderParams, backward_references::BrotliEncoderMode},
};
use std::io::Write;

/// Flag of a lossless transformation, which changed the font's bytes but not its glyphs. It is bit 11 of the flags in
/// the table `head`, so bit 3 of their first byte.
const LOSSLESS: u8 = 1 << 3;
/// Offset of the flags in the table `head`, in bytes.
const FLAGS: usize = 16;
/// Version bits in the flags of a directory entry (4.1) for the tables `glyf` and `loca` without transformation.
const UNTRANSFORMED: u8 = 3 << 6;
/// Number in a directory entry (4.1) for a table whose name is not one of the numbered ones.
const UNNUMBERED: u8 = 63;

/// Compression levels of Deflate for low, medium and high quality.
const DEFLATE: [u8; 3] = [3, 6, 9];
/// Compression levels of Brotli for low, medium and high quality.
const BROTLI: [i32; 3] = [5, 9, 11];
/// Number of bytes that are compressed between two checks of the job's deadline.
const STEP: usize = 1 << 16;
/// Fixed part of the memory of the Brotli compressor, in bytes.
const PACKER: u64 = 16 << 20;
/// Variable part of the memory of the Brotli compressor, as a multiple of the font's size.
const TIMES: u64 = 12;

/// Length of the font as a plain OpenType file, in bytes.
fn plain_len(tables: &[Table]) -> usize {
    let len = |(_, table): &Table| 16 + table.len().next_multiple_of(4);
    12 + tables.iter().map(len).sum::<usize>()
}

/// The revision of a font, a 16.16 fixed-point number in the table `head`.
fn revision(font: &Font) -> [u8; 4] {
    let revision = font.table(b"head").and_then(|head| head.get(4..8));
    revision
        .and_then(|bytes| bytes.first_chunk().copied())
        .unwrap_or_default()
}

/// Indices of the tables in the order of their names, which the directory requires.
fn by_name(tables: &[Table]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..tables.len()).collect();
    order.sort_by_key(|nth| tables[*nth].0);
    order
}

/// Packs a font as WOFF 1.0.
pub(super) fn woff(job: &Job<'_>, font: &Font) -> Result<Vec<u8>> {
    let effort = job.quality().pick(DEFLATE[0], DEFLATE[1], DEFLATE[2]);
    let count = font.tables.len();
    let head = 44 + 20 * count;
    let (mut entries, mut data) = (vec![[0_u32; 4]; count], Vec::new());
    for (entry, (name, table)) in entries.iter_mut().zip(&font.tables) {
        job.check()?;
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(table, effort);
        let stored = if packed.len() < table.len() {
            &packed
        } else {
            table
        };
        *entry = [
            (head + data.len()) as u32,
            stored.len() as u32,
            table.len() as u32,
            checksum(name, table),
        ];
        data.extend_from_slice(stored);
        data.resize(data.len().next_multiple_of(4), 0);
    }
    let mut file = b"wOFF".to_vec();
    file.extend(font.flavour);
    file.extend(((head + data.len()) as u32).to_be_bytes());
    file.extend([count as u16, 0].into_iter().flat_map(u16::to_be_bytes));
    file.extend((plain_len(&font.tables) as u32).to_be_bytes());
    file.extend(revision(font));
    // Offsets and lengths of extended metadata and private data: all 0, because both are left out.
    file.resize(44, 0);
    for nth in by_name(&font.tables) {
        file.extend(font.tables[nth].0);
        file.extend(entries[nth].into_iter().flat_map(u32::to_be_bytes));
    }
    file.append(&mut data);
    Ok(file)
}

/// Packs a font as WOFF 2.0. Sets the flag that this requires, and removes the signature, which is no longer valid.
pub(super) fn woff2(job: &Job<'_>, font: &mut Font, notes: &mut Notes) -> Result<Vec<u8>> {
    let signature: &Name = b"DSIG";
    if font.table(signature).is_some() {
        font.tables.retain(|(name, _)| name != signature);
        notes.add("The signature of the font was left out, because it is not valid for a woff2.");
    }
    if let Some(flags) = font.table_mut(b"head").and_then(|head| head.get_mut(FLAGS)) {
        *flags |= LOSSLESS;
    }
    // A reader restores the tables in the order of this directory, and the checksum of the whole font depends on the
    // order. Tables are sorted by name, except that `loca` must directly follow `glyf`.
    font.tables.sort_by_key(|(name, _)| match name {
        b"loca" => (*b"glyf", true),
        name => (*name, false),
    });
    web::settle(font);
    let (mut entries, mut all) = (Vec::new(), Vec::new());
    for (name, table) in &font.tables {
        let version = match name {
            b"glyf" | b"loca" => UNTRANSFORMED,
            _ => 0,
        };
        match KNOWN.chunks(4).position(|known| known == name) {
            Some(number) => entries.push(version | number as u8),
            None => {
                entries.push(version | UNNUMBERED);
                entries.extend(name);
            }
        }
        base128(table.len() as u32, &mut entries);
        all.extend_from_slice(table);
    }
    let packed = packed(job, &all)?;
    let len = (48 + entries.len() + packed.len()).next_multiple_of(4);
    let mut file = b"wOF2".to_vec();
    file.extend(font.flavour);
    file.extend((len as u32).to_be_bytes());
    let count = font.tables.len() as u16;
    file.extend([count, 0].into_iter().flat_map(u16::to_be_bytes));
    let lengths = [plain_len(&font.tables) as u32, packed.len() as u32];
    file.extend(lengths.into_iter().flat_map(u32::to_be_bytes));
    file.extend(revision(font));
    file.resize(48, 0);
    file.extend(entries);
    file.extend(packed);
    file.resize(len, 0);
    Ok(file)
}

fn packed(job: &Job<'_>, bytes: &[u8]) -> Result<Vec<u8>> {
    let _lease = job.lease(PACKER + TIMES * bytes.len() as u64)?;
    let window = bytes.len().next_power_of_two().ilog2().clamp(10, 24);
    let parameters = BrotliEncoderParams {
        mode: BrotliEncoderMode::BROTLI_MODE_FONT,
        quality: job.quality().pick(BROTLI[0], BROTLI[1], BROTLI[2]),
        lgwin: window as i32,
        size_hint: bytes.len(),
        ..BrotliEncoderParams::default()
    };
    let mut writer = CompressorWriter::with_params(Vec::new(), STEP, &parameters);
    for part in bytes.chunks(STEP) {
        job.check()?;
        writer.write_all(part).map_err(Error::unwritten)?;
    }
    Ok(writer.into_inner())
}

/// Appends a number in the variable-length encoding UIntBase128 (WOFF 2.0, 4.1), with seven bits in each byte.
fn base128(number: u32, out: &mut Vec<u8>) {
    let groups = (32 - number.leading_zeros()).div_ceil(7).max(1);
    for group in (0..groups).rev() {
        let more = if group > 0 { 0x80 } else { 0 };
        out.push((number >> (7 * group)) as u8 & 0x7f | more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_as_few_bytes_as_they_need() {
        #[track_caller]
        fn check(number: u32, expected: &[u8]) {
            let mut out = Vec::new();
            base128(number, &mut out);
            assert_eq!(out, expected);
        }
        check(0, &[0]);
        check(127, &[127]);
        check(128, &[0x81, 0]);
        check(u32::MAX, &[0x8f, 0xff, 0xff, 0xff, 0x7f]);
    }
}

//! Writes Truevision TGA 2.0: grey, 24 or 32 bits, without palettes. The footer of version 2 makes the format
//! recognisable.

use crate::{
    pixels::{Channels, Rows},
    target::{Extras, each_row},
};
use convertd_core::{
    error::{Error, Result},
    job::{Job, Notes, Output},
};
use std::io::{BufWriter, Write};

pub(crate) const QUALITY: &str = "low stores pixels uncompressed, medium and high use run-length encoding. No level changes a pixel";

/// Writes the header, the rows, and the footer of version 2.
pub(crate) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let layout = rows.layout();
    let packed = job.quality().pick(false, true, true);
    // Image types 2 and 3, or 10 and 11 with run-length encoding.
    let (kind, depth) = match layout.channels {
        Channels::Grey | Channels::GreyAlpha => (3, 8),
        Channels::Rgb => (2, 24),
        Channels::Rgba => (2, 32),
    };
    let mut header = vec![0, 0, kind + if packed { 8 } else { 0 }];
    header.extend([0; 9]);
    header.extend((layout.width as u16).to_le_bytes());
    header.extend((layout.height as u16).to_le_bytes());
    // Bit 5: rows go from top to bottom. The low bits are the number of alpha bits.
    header.extend([depth, 0x20 | if depth == 32 { 8 } else { 0 }]);
    let mut output = BufWriter::with_capacity(1 << 16, output);
    output.write_all(&header).map_err(Error::unwritten)?;
    let mut line = Vec::new();
    each_row(job, rows, |row| {
        line.clear();
        match layout.channels {
            Channels::Grey | Channels::GreyAlpha => put(&mut line, row.as_chunks::<1>().0, packed),
            Channels::Rgb => {
                let swapped: Vec<_> = row
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&[r, g, b]| [b, g, r])
                    .collect();
                put(&mut line, &swapped, packed);
            }
            Channels::Rgba => {
                let swapped: Vec<_> = row
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&[r, g, b, a]| [b, g, r, a])
                    .collect();
                put(&mut line, &swapped, packed);
            }
        }
        output.write_all(&line).map_err(Error::unwritten)
    })?;
    output
        .write_all(b"\0\0\0\0\0\0\0\0TRUEVISION-XFILE.\0")
        .and_then(|()| output.flush())
        .map_err(Error::unwritten)
}

/// Appends a row, either plain or in packets: runs of equal pixels, and raw packets, of at most 128 pixels each.
fn put<const N: usize>(line: &mut Vec<u8>, mut row: &[[u8; N]], packed: bool) {
    if !packed {
        line.extend_from_slice(row.as_flattened());
        return;
    }
    while let Some(first) = row.first() {
        let run = row
            .iter()
            .take(128)
            .take_while(|pixel| *pixel == first)
            .count();
        if run > 1 {
            line.push(127 + run as u8);
            line.extend_from_slice(first);
            row = &row[run..];
            continue;
        }
        // A raw packet ends where two neighbours are equal.
        let different = row
            .windows(2)
            .take(128)
            .position(|pair| pair[0] == pair[1])
            .unwrap_or(row.len().min(128))
            .max(1);
        line.push(different as u8 - 1);
        line.extend_from_slice(row[..different].as_flattened());
        row = &row[different..];
    }
}

//! Writes the formats of netpbm: a header and uncompressed rows. Never writes the text variants.

use crate::{
    pixels::{Channels, Depth, Layout, Rows},
    target::{Extras, each_row, write_big_endian},
};
use convertd_core::{
    error::{Error, Result},
    job::{Job, Notes, Output},
};
use std::io::{BufWriter, SeekFrom, Write};

/// Description of the quality levels of PBM for the manual.
pub(crate) const BILEVEL_QUALITY: &str =
    "low makes every pixel darker than middle grey black; medium and high dither (Floyd–Steinberg)";

/// Writes a PGM: grey.
pub(crate) fn write_pgm(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let header = plain_header("P5", rows.layout());
    write_big_endian(job, rows, output, header.as_bytes())
}

/// Writes a PPM: RGB.
pub(crate) fn write_ppm(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let header = plain_header("P6", rows.layout());
    write_big_endian(job, rows, output, header.as_bytes())
}

/// Writes a PAM, whose header names the channels.
pub(crate) fn write_pam(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let layout = rows.layout();
    let kind = match layout.channels {
        Channels::Grey => "GRAYSCALE",
        Channels::GreyAlpha => "GRAYSCALE_ALPHA",
        Channels::Rgb => "RGB",
        Channels::Rgba => "RGB_ALPHA",
    };
    let header = format!(
        "P7\nWIDTH {}\nHEIGHT {}\nDEPTH {}\nMAXVAL {}\nTUPLTYPE {kind}\nENDHDR\n",
        layout.width,
        layout.height,
        layout.channels.count(),
        max_value(layout),
    );
    write_big_endian(job, rows, output, header.as_bytes())
}

/// Writes a PFM: 32-bit floating-point samples, from the bottom row to the top one.
pub(crate) fn write_pfm(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let layout = rows.layout();
    let magic = if layout.channels.is_grey() {
        "Pf"
    } else {
        "PF"
    };
    // A negative scale states that samples are little-endian.
    let header = format!("{magic}\n{} {}\n-1.0\n", layout.width, layout.height);
    output
        .write_all(header.as_bytes())
        .map_err(Error::unwritten)?;
    // Rows arrive from the top, so they are written from the end of the file towards its beginning.
    let mut offset = header.len() as u64 + layout.bytes();
    let mut swapped = vec![0; layout.row_bytes()];
    each_row(job, rows, |row| {
        for (bytes, sample) in swapped.as_chunks_mut().0.iter_mut().zip(row.as_chunks().0) {
            *bytes = f32::from_ne_bytes(*sample).to_le_bytes();
        }
        offset -= row.len() as u64;
        output
            .seek(SeekFrom::Start(offset))
            .and_then(|_| output.write_all(&swapped))
            .map_err(Error::unwritten)
    })
}

/// Writes a PBM: one bit for each pixel, in which 1 is black.
pub(crate) fn write_pbm(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let layout = rows.layout();
    let mut output = BufWriter::with_capacity(1 << 16, output);
    write!(output, "P4\n{} {}\n", layout.width, layout.height).map_err(Error::unwritten)?;
    let diffuse = job.quality().pick(false, true, true);
    // Quantisation errors of this row and of the next in sixteenths (Floyd–Steinberg), with a margin on both sides.
    let mut errors = vec![0i32; layout.width as usize + 2];
    let mut below = errors.clone();
    each_row(job, rows, |row| {
        below.fill(0);
        for pixels in row.chunks(8).enumerate() {
            let (byte, pixels) = pixels;
            let mut packed = 0u8;
            for (bit, &grey) in pixels.iter().enumerate() {
                let x = byte * 8 + bit + 1;
                let wanted = i32::from(grey) + errors[x] / 16;
                let black = wanted < 128;
                packed |= u8::from(black) << (7 - bit);
                if diffuse {
                    let error = wanted - if black { 0 } else { 255 };
                    errors[x + 1] += 7 * error;
                    below[x - 1] += 3 * error;
                    below[x] += 5 * error;
                    below[x + 1] += error;
                }
            }
            output.write_all(&[packed]).map_err(Error::unwritten)?;
        }
        std::mem::swap(&mut errors, &mut below);
        Ok(())
    })?;
    output.flush().map_err(Error::unwritten)
}

/// The header of PGM and PPM.
fn plain_header(magic: &str, layout: Layout) -> String {
    format!(
        "{magic}\n{} {}\n{}\n",
        layout.width,
        layout.height,
        max_value(layout)
    )
}

/// Value of white (MAXVAL).
fn max_value(layout: Layout) -> u16 {
    match layout.depth {
        Depth::Eight => 255,
        Depth::Sixteen | Depth::Float => 65_535,
    }
}

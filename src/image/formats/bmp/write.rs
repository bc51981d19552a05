//! Writes uncompressed Windows bitmaps: 8-bit grey or palette, 24-bit colour, or 32 bits with alpha (BITMAPV4HEADER).
//! The bottom row comes first, because many readers do not support the other order.

use crate::{
    metadata::Resolution,
    pixels::{Channels, Layout, Rows, palette::Colours},
    target::{Extras, each_row},
};
use convertd_core::{
    error::{Error, Kind, Result},
    job::{Job, Notes, Output},
};
use std::io::SeekFrom;

/// Length in bytes of the rows whose order is reversed in memory before they are written.
const BAND: usize = 1 << 17;

/// Writes rows from bottom to top, each padded to four bytes. Grey has 8 bits with a palette, and pictures with alpha
/// have 32 bits.
pub(crate) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    extras: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let layout = rows.layout();
    let (bits, palette): (u16, Vec<u8>) = match layout.channels {
        Channels::Grey | Channels::GreyAlpha => (8, palette(extras.colours)),
        Channels::Rgb => (24, Vec::new()),
        Channels::Rgba => (32, Vec::new()),
    };
    let row_len = (layout.width as usize * usize::from(bits / 8)).next_multiple_of(4);
    let offset = 14 + info_len(bits) + palette.len() as u32;
    let image_len = row_len as u64 * u64::from(layout.height);
    let Ok(file_len) = u32::try_from(image_len + u64::from(offset)) else {
        return Err(Error::new(
            Kind::BadInput,
            "the picture is too large for a BMP file, which holds at most 4 GiB",
        ));
    };

    let resolution = extras.metadata.resolution.map(Resolution::metres);
    let mut header = header(
        layout,
        (bits, &palette),
        (file_len, image_len as u32),
        resolution,
    );
    header.extend(palette);
    output.write_all(&header).map_err(Error::unwritten)?;

    // The band is filled from its end, so that its last row comes first.
    let band_rows = (BAND / row_len).clamp(1, layout.height as usize);
    let mut band = vec![0; band_rows * row_len];
    let mut free = band.len();
    let mut left = layout.height;
    each_row(job, rows, |row| {
        free -= row_len;
        left -= 1;
        let target = &mut band[free..][..row_len];
        match layout.channels {
            Channels::Grey | Channels::GreyAlpha => target[..row.len()].copy_from_slice(row),
            Channels::Rgb => {
                for (target, &[r, g, b]) in target
                    .as_chunks_mut::<3>()
                    .0
                    .iter_mut()
                    .zip(row.as_chunks().0)
                {
                    *target = [b, g, r];
                }
            }
            Channels::Rgba => {
                for (target, &[r, g, b, a]) in target
                    .as_chunks_mut::<4>()
                    .0
                    .iter_mut()
                    .zip(row.as_chunks().0)
                {
                    *target = [b, g, r, a];
                }
            }
        }
        if free == 0 || left == 0 {
            let at = u64::from(offset) + u64::from(left) * row_len as u64;
            output
                .seek(SeekFrom::Start(at))
                .and_then(|_| output.write_all(&band[free..]))
                .map_err(Error::unwritten)?;
            free = band.len();
        }
        Ok(())
    })?;
    output
        .seek(SeekFrom::End(0))
        .map_err(Error::unwritten)
        .map(|_| ())
}

/// The header of a file, without the palette: BITMAPFILEHEADER, and the bitmap header. The lengths of the file and of
/// the pixels are in bytes. `resolution` is in pixels per metre, and its flag says whether the unit is known.
fn header(
    layout: Layout,
    (bits, palette): (u16, &[u8]),
    (file_len, image_len): (u32, u32),
    resolution: Option<([u32; 2], bool)>,
) -> Vec<u8> {
    let mut header = b"BM".to_vec();
    header.extend(file_len.to_le_bytes());
    // BITMAPFILEHEADER: the length of the file, two reserved fields, and the offset of the pixels; then the bitmap
    // header.
    header.extend([0; 4]);
    let info_len = info_len(bits);
    header.extend((14 + info_len + palette.len() as u32).to_le_bytes());
    header.extend(info_len.to_le_bytes());
    header.extend(layout.width.to_le_bytes());
    header.extend(layout.height.to_le_bytes());
    header.extend(1u16.to_le_bytes());
    header.extend(bits.to_le_bytes());
    // BI_BITFIELDS (3) for pixels with masks, otherwise BI_RGB (0).
    let fields = if bits == 32 { 3u32 } else { 0 };
    header.extend(fields.to_le_bytes());
    header.extend(image_len.to_le_bytes());
    // BMP cannot store a ratio of pixel sides without a unit; 0 means that the resolution is unknown.
    let metres = match resolution {
        Some((metres, true)) => metres,
        Some((_, false)) | None => [0; 2],
    };
    header.extend(metres.map(u32::to_le_bytes).as_flattened());
    header.extend((palette.len() as u32 / 4).to_le_bytes());
    header.extend(0u32.to_le_bytes());
    if bits == 32 {
        for mask in [0x00ff_0000u32, 0x0000_ff00, 0x0000_00ff, 0xff00_0000] {
            header.extend(mask.to_le_bytes());
        }
        // "sRGB", reversed (LCS_sRGB), and the fields for other colour spaces.
        header.extend(b"BGRs");
        header.extend([0; 48]);
    }
    header
}

/// Length of the bitmap header, in bytes: BITMAPV4HEADER for pixels with alpha, otherwise BITMAPINFOHEADER.
fn info_len(bits: u16) -> u32 {
    if bits == 32 { 108 } else { 40 }
}

/// The palette of a picture, or 256 shades of grey for a picture without one. Each entry is blue, green, red and a
/// reserved byte.
fn palette(colours: Option<Colours>) -> Vec<u8> {
    match colours {
        Some(colours) => {
            let entries = colours.entries().iter();
            entries.flat_map(|&[r, g, b, _]| [b, g, r, 0]).collect()
        }
        None => (0..=255).flat_map(|grey| [grey, grey, grey, 0]).collect(),
    }
}

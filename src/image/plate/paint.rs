//! Encodes decoded rows, and passes them to a canvas. Decodes nothing.

use super::{
    Canvas, Coding, Mask, Plate, Space,
    split::{Alpha, Split, big_endian},
    squeeze::Squeezer,
};
use crate::{
    formats::write_jpeg,
    pixels::{
        Channels, Depth, Rows,
        convert::convert as retype,
        palette::{self, Colours},
    },
    target::{Extras, each_row},
};
use convertd_core::{
    error::{Error, Result},
    job::{Job, Notes, Output},
};
use image::metadata::Orientation;
use std::io::{self, Seek, SeekFrom, Write};

/// Encodes decoded rows for the canvas: colours from a lossy source as JPEG, palette indices and all others as Flate.
pub(crate) fn paint(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    extras: Extras,
    canvas: &mut dyn Canvas,
) -> Result<()> {
    let orientation = extras.orientation.unwrap_or(Orientation::NoTransforms);
    if let Some(colours) = &extras.colours {
        return paint_indices(job, rows, colours, extras.icc, orientation, canvas);
    }
    let is_photo = !extras.lossless;
    let rows = match is_photo {
        true => {
            let channels = rows.layout().channels;
            retype(rows, channels, Depth::Eight, [255; 3])
        }
        false => rows,
    };
    let layout = rows.layout();
    let has_mask = layout.channels.has_alpha();
    let bits = 8 * layout.depth.bytes() as u8;
    canvas.begin(Plate {
        width: layout.width,
        height: layout.height,
        bits,
        space: match layout.channels.without_alpha() {
            Channels::Grey | Channels::GreyAlpha => Space::Grey,
            Channels::Rgb | Channels::Rgba => Space::Rgb,
        },
        icc: extras.icc,
        coding: if is_photo {
            Coding::Jpeg
        } else {
            Coding::Flate
        },
        has_mask,
        orientation,
    })?;
    // Alpha is collected while the rows pass, because the mask follows the picture.
    let mut alpha = has_mask.then(|| Alpha::new(layout));
    let rows: Box<dyn Rows + '_> = match &mut alpha {
        Some(alpha) => Box::new(Split::new(rows, alpha)),
        None => rows,
    };
    if is_photo {
        let mut output = Pieces {
            canvas,
            error: None,
        };
        let written = write_jpeg::write(
            job,
            rows,
            Extras::default(),
            &mut output,
            &mut Notes::default(),
        );
        match output.error {
            Some(error) => return Err(error),
            None => written?,
        }
    } else {
        let mut squeezer =
            Squeezer::filtered(rows.layout(), job.quality().pick(false, false, true));
        let mut stored = Vec::new();
        each_row(job, rows, |row| {
            let row = match layout.depth {
                Depth::Eight => row,
                Depth::Sixteen | Depth::Float => {
                    stored.clear();
                    stored.extend_from_slice(row);
                    big_endian(&mut stored);
                    &stored
                }
            };
            squeezer.row(row, |data| canvas.data(data))
        })?;
    }
    canvas.end(alpha.map(|alpha| Mask {
        bits,
        data: alpha.finish(),
    }))
}

/// Writes palette indices with as few bits as they need. The alpha of the palette becomes a mask.
fn paint_indices(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    colours: &Colours,
    icc: Option<Vec<u8>>,
    orientation: Orientation,
    canvas: &mut dyn Canvas,
) -> Result<()> {
    let layout = rows.layout();
    let bits = colours.bits();
    let has_mask = !colours.is_opaque();
    let entries = colours.entries();
    canvas.begin(Plate {
        width: layout.width,
        height: layout.height,
        bits: bits as u8,
        space: Space::Indexed(entries.iter().map(|&[r, g, b, _]| [r, g, b]).collect()),
        icc,
        coding: Coding::Flate,
        has_mask,
        orientation,
    })?;
    let mut squeezer = Squeezer::plain(layout);
    let grey = layout.with(Channels::Grey, Depth::Eight);
    let mut mask = has_mask.then(|| Squeezer::filtered(grey, true));
    let (mut packed, mut alphas, mut masked) = (Vec::new(), Vec::new(), Vec::new());
    each_row(job, rows, |row| {
        palette::pack(row, bits, &mut packed);
        if let Some(mask) = &mut mask {
            alphas.clear();
            let alpha = |&index: &u8| {
                entries
                    .get(usize::from(index))
                    .map_or(255, |entry| entry[3])
            };
            alphas.extend(row.iter().map(alpha));
            mask.row(&alphas, |data| {
                masked.extend_from_slice(data);
                Ok(())
            })?;
        }
        squeezer.row(&packed, |data| canvas.data(data))
    })?;
    canvas.end(has_mask.then_some(Mask {
        bits: 8,
        data: masked,
    }))
}

/// The output of an encoder, which is passed to a canvas piece by piece. Seeking and clearing are errors.
struct Pieces<'c> {
    canvas: &'c mut dyn Canvas,
    /// The error of the canvas. It is stored here, because the encoder returns an error of its own instead.
    error: Option<Error>,
}

impl Write for Pieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.canvas.data(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(error) => {
                self.error = Some(error);
                Err(io::Error::other("the canvas takes no more"))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Pieces<'_> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl Output for Pieces<'_> {
    fn clear(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

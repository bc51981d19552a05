//! JPEG streams within files of other formats: with three components, or of the lossless process (T.81, annex H).

use super::{
    decode::{Decoder, Process, Structure, lossless},
    markers::{EOI, SOF0, SOF2, SOF3, SOF5, SOF7, SOF9, SOF11, SOF13, SOF15, SOS, Walk},
};
use std::io::Cursor;

/// Decodes a stream with three components, of at most `most` pixels, to rows of RGB, or without colour conversion if
/// `as_they_are`. `None` if the stream is damaged or of an unsupported kind, or does not have rows of `row_len` bytes,
/// or has fewer rows than `rows` can hold.
pub(crate) fn decode(
    stream: &[u8],
    most: usize,
    row_len: usize,
    rows: &mut [u8],
    as_they_are: bool,
) -> Option<()> {
    let structure = Structure::parse(&mut Cursor::new(stream)).ok()?;
    let (width, height) = (structure.width as usize, structure.height as usize);
    if !Decoder::supports(&structure)
        || structure.is_deep()
        || structure.components.len() * width != row_len
        || structure.components.len() != 3
        || height * row_len < rows.len()
        || width * height > most
    {
        return None;
    }
    let mut decoder = Decoder::new(stream.to_vec(), structure, 1, false);
    if as_they_are {
        decoder.leave_colours();
    }
    let mut rows = rows.chunks_exact_mut(row_len);
    rows.try_for_each(|row| decoder.next_row(row).ok())
}

/// A decoded picture of the lossless process.
pub(crate) struct Lossless {
    structure: Structure,
    samples: lossless::Samples,
}

/// Returns whether the frame header of a stream announces the lossless process. Returns `false` without a frame header.
pub(crate) fn is_lossless(stream: &[u8]) -> bool {
    let mut input = Cursor::new(stream);
    let Ok(mut walk) = Walk::new(&mut input) else {
        return false;
    };
    while let Ok(marker) = walk.marker() {
        match marker {
            SOF3 => return true,
            SOF0..=SOF2 | SOF5..=SOF7 | SOF9..=SOF11 | SOF13..=SOF15 | SOS | EOI => return false,
            _ if walk.segment().is_err() => return false,
            _ => {}
        }
    }
    false
}

impl Lossless {
    /// Decodes a stream of at most `most` pixels. `None` if the stream is larger, damaged, or of another process.
    pub(crate) fn decode(stream: &[u8], most: usize) -> Option<Self> {
        let structure = Structure::parse(&mut Cursor::new(stream)).ok()?;
        let pixels = u64::from(structure.width) * u64::from(structure.height);
        if structure.process != Process::Lossless || pixels > most as u64 {
            return None;
        }
        let samples = lossless::decode(stream, &structure).ok()?;
        Some(Self { structure, samples })
    }

    /// Width in pixels.
    pub(crate) fn width(&self) -> usize {
        self.structure.width as usize
    }

    /// Height in pixels.
    pub(crate) fn height(&self) -> usize {
        self.structure.height as usize
    }

    /// The number of samples per pixel.
    pub(crate) fn count(&self) -> usize {
        self.structure.components.len()
    }

    /// Bytes per sample in the rows that [`put`](Self::put) writes: one, or two in the byte order of this machine.
    pub(crate) fn sample_bytes(&self) -> usize {
        if self.structure.precision > 8 { 2 } else { 1 }
    }

    /// Writes a row, scaled to the full range of 8 or 16 bits.
    pub(crate) fn put(&self, y: usize, row: &mut [u8]) {
        put(&self.structure, &self.samples, y, row);
    }
}

/// Writes row `y` of `samples` in the same way as [`Lossless::put`], for a picture that the caller has decoded.
pub(crate) fn put(structure: &Structure, samples: &lossless::Samples, y: usize, row: &mut [u8]) {
    let most = (1 << structure.precision) - 1;
    let scaled = |sample: u16, to: u32| (u32::from(sample).min(most) * to + most / 2) / most;
    let values = samples.row(y, structure.width as usize);
    if structure.precision > 8 {
        for (pair, value) in row.as_chunks_mut().0.iter_mut().zip(values) {
            *pair = (scaled(value, 65_535) as u16).to_ne_bytes();
        }
    } else {
        for (byte, value) in row.iter_mut().zip(values) {
            *byte = scaled(value, 255) as u8;
        }
    }
}

//! PNG pictures that a PDF can hold as they are: what PNG and PDF call Flate with predictors is the same. Decodes no pixels.

use super::file::File;
use miniz_oxide::inflate::{
    TINFLStatus,
    core::{DecompressorOxide, decompress, inflate_flags},
};
use pdf_writer::{Chunk, Filter, Finish, Name, Ref, types::Predictor};

/// A PNG without transparency (but for one colour) and without interlacing.
pub(crate) struct Plain<'a> {
    width: u32,
    height: u32,
    bits: u8,
    palette: Option<&'a [u8]>,
    grey: bool,
    /// The colour that is not drawn.
    clear: Option<Vec<i32>>,
    data: Vec<u8>,
}

impl<'a> Plain<'a> {
    /// None if a PDF cannot hold it as it is, or it is damaged.
    pub(crate) fn of(bytes: &'a [u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
        let (mut head, mut palette, mut clear, mut data) = (None, None, None, Vec::new());
        while let Some((length, after)) = rest.split_first_chunk::<4>() {
            let length = u32::from_be_bytes(*length) as usize;
            let (kind, after) = after.split_first_chunk::<4>()?;
            let body = after.get(..length)?;
            match kind {
                b"IHDR" => head = body.first_chunk::<13>(),
                b"PLTE" => palette = Some(body),
                b"tRNS" => clear = Some(body),
                b"IDAT" => data.extend_from_slice(body),
                b"IEND" => break,
                _ => {}
            }
            rest = after.get(length + 4..)?;
        }
        let head = head?;
        let number =
            |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (width, height, bits) = (number(0), number(4), head[8]);
        let (channels, grey, palette) = match head[9] {
            0 => (1, true, None),
            2 => (3, false, None),
            // Shades of transparency for each colour are more than one colour that is clear.
            3 if clear.is_none() => (1, false, Some(palette?)),
            _ => return None,
        };
        if !matches!(bits, 1 | 2 | 4 | 8) || head[10..13] != [0, 0, 0] || width == 0 || height == 0
        {
            return None;
        }
        let clear = clear.map(|values| {
            let value = |pair: &[u8]| i32::from(pair[0]) << 8 | i32::from(pair[1]);
            let values = values.chunks_exact(2).take(channels).map(value);
            values.flat_map(|value| [value, value]).collect::<Vec<_>>()
        });
        if clear
            .as_ref()
            .is_some_and(|values| values.len() != 2 * channels)
        {
            return None;
        }
        let row = (u64::from(width) * channels as u64 * u64::from(bits)).div_ceil(8) + 1;
        whole(&data, row * u64::from(height)).then_some(Self {
            width,
            height,
            bits,
            palette,
            grey,
            clear,
            data,
        })
    }

    pub(crate) fn write(&self, file: &mut File<'_>) -> Ref {
        let id = file.next();
        let mut chunk = Chunk::new();
        let mut image = chunk.image_xobject(id, &self.data);
        image.filter(Filter::FlateDecode);
        let colours = if self.grey || self.palette.is_some() {
            1
        } else {
            3
        };
        let mut parameters = image.decode_parms();
        parameters.predictor(Predictor::PngOptimum).colors(colours);
        parameters
            .bits_per_component(i32::from(self.bits))
            .columns(self.width as i32);
        parameters.finish();
        image
            .width(self.width as i32)
            .height(self.height as i32)
            .bits_per_component(i32::from(self.bits));
        match self.palette {
            Some(palette) => {
                // Colours that no pixel can name are of no use.
                let most = (palette.len() / 3).clamp(1, 1 << self.bits);
                let palette = palette.get(..3 * most).unwrap_or(palette);
                image
                    .color_space()
                    .indexed(Name(b"DeviceRGB"), most as i32 - 1, palette);
            }
            None => {
                image.color_space_name(Name(if self.grey {
                    b"DeviceGray"
                } else {
                    b"DeviceRGB"
                }));
            }
        }
        if let Some(clear) = &self.clear {
            image.color_mask(clear.iter().copied());
        }
        image.finish();
        file.object(id, &chunk);
        id
    }
}

/// Whether packed data unpacks, and to how many bytes, in little memory.
fn whole(packed: &[u8], expected: u64) -> bool {
    const WINDOW: usize = 1 << 15;
    let mut state = Box::<DecompressorOxide>::default();
    let mut window = vec![0; WINDOW];
    let (mut from, mut at, mut total) = (0, 0, 0_u64);
    let flags = inflate_flags::TINFL_FLAG_PARSE_ZLIB_HEADER;
    loop {
        let (status, read, written) =
            decompress(&mut state, &packed[from..], &mut window, at, flags);
        from += read;
        total += written as u64;
        at = (at + written) % WINDOW;
        match status {
            TINFLStatus::Done => return total == expected,
            TINFLStatus::HasMoreOutput if total <= expected => {}
            _ => return false,
        }
    }
}

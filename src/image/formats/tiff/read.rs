//! Reads TIFF 6.0 with whole bytes of grey or RGB by the crate `tiff`, one strip or one row of tiles at a time. Other
//! kinds, and most tiled images, are read by the module `packed`, and kinds that neither supports by the `image` crate.

use super::{check, packed};
use crate::{
    adapter::read::{self as adapter, Codec},
    associated,
    formats::jpeg,
    limits,
    pixels::{Channels, Depth, Layout, Rows},
    source::{Header, Source, failed, head, rewind},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use image::{codecs::tiff::TiffDecoder, metadata::Orientation};
use tiff::{
    ColorType, TiffResult,
    decoder::{ChunkType, Decoder, Limits},
    tags::{SampleFormat, Tag},
};

/// The decoder of the `image` crate.
static CODEC: Codec = Codec {
    open: |input| Ok(Box::new(TiffDecoder::new(input)?)),
    memory: adapter::output_and_copy,
    density: None,
    lossless: true,
};

/// Opens a TIFF. Its directory is checked first, because tags may point anywhere. The input may also be the JPEG file
/// of a single page (see [`pages`](super::pages)), which is left to the reader of JPEG.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    if head(job, input)? == [0xff, 0xd8] {
        rewind(input)?;
        return jpeg::read::open(job, input);
    }
    rewind(input)?;
    let tag_memory = check::check(job, input)?;
    if let Some(found) = packed::recognise(job, input)? {
        return Ok(packed::open(job, input, found, tag_memory));
    }
    rewind(input)?;
    let (header, multiplied) = {
        let mut decoder = Decoder::new(&mut *input).map_err(|err| failed(job, err))?;
        let multiplied = is_associated(&mut decoder);
        let header = described(job, &mut decoder).map_err(|err| failed(job, err))?;
        (header, multiplied)
    };
    rewind(input)?;
    let source: Box<dyn Source<'a> + 'a> = if let Some(mut header) = header {
        header.memory = header.memory.saturating_add(tag_memory);
        limits::check(job, header.layout.width, header.layout.height, None)?;
        Box::new(Tiff { job, header, input })
    } else {
        adapter::open_keeping(job, Box::new(input), &CODEC, tag_memory)?
    };
    Ok(if multiplied {
        associated::straight(source)
    } else {
        source
    })
}

/// Returns whether colours have been multiplied by alpha (TIFF 6.0, section 18: ExtraSamples is 1).
fn is_associated<R: Input>(decoder: &mut Decoder<R>) -> bool {
    let extra = decoder.find_tag_unsigned_vec::<u16>(Tag::ExtraSamples);
    extra.is_ok_and(|extra| extra.is_some_and(|extra| extra.first() == Some(&1)))
}

/// The header of an image. `None` if the image is left to the `image` crate.
fn described<R: Input>(job: &Job<'_>, decoder: &mut Decoder<R>) -> TiffResult<Option<Header>> {
    let (width, height) = decoder.dimensions()?;
    let (channels, bits) = match decoder.colortype()? {
        ColorType::Gray(bits) => (Channels::Grey, bits),
        ColorType::RGB(bits) => (Channels::Rgb, bits),
        ColorType::RGBA(bits) => (Channels::Rgba, bits),
        ColorType::Multiband {
            bit_depth,
            num_samples: 2,
        } => (Channels::GreyAlpha, bit_depth),
        _ => return Ok(None),
    };
    let depth = match bits {
        8 => Depth::Eight,
        16 => Depth::Sixteen,
        _ => return Ok(None),
    };
    let layout = Layout {
        width,
        height,
        channels,
        depth,
    };
    let formats = decoder.find_tag_unsigned_vec::<u16>(Tag::SampleFormat)?;
    let integers = formats.is_none_or(|formats| {
        let unsigned = SampleFormat::Uint.to_u16();
        formats.iter().all(|&format| format == unsigned)
    });
    let planar = decoder.find_tag_unsigned::<u16>(Tag::PlanarConfiguration)?;
    if !integers || planar.unwrap_or(1) != 1 {
        return Ok(None);
    }
    // Compression 7 is JPEG.
    let lossy = decoder.find_tag_unsigned::<u16>(Tag::Compression)? == Some(7);
    let (chunk_width, chunk_height) = decoder.chunk_dimensions();
    if chunk_width == 0 || chunk_height == 0 {
        return Ok(None);
    }
    let chunk = u64::from(chunk_width) * u64::from(chunk_height.min(height));
    let band = layout.row_bytes() as u64 * u64::from(chunk_height.min(height));
    Ok(Some(Header {
        layout,
        orientation: decoder
            .find_tag_unsigned::<u8>(Tag::Orientation)
            .ok()
            .flatten()
            .and_then(Orientation::from_exif)
            .unwrap_or(Orientation::NoTransforms),
        icc: profile(decoder),
        // A row of tiles, and one tile both compressed and decompressed.
        memory: band
            .saturating_add(chunk.saturating_mul(2 * layout.pixel_bytes() as u64))
            .saturating_add(if lossy { job.input_len } else { 0 }),
        animated: false,
        lossless: !lossy,
    }))
}

/// The colour profile. One that cannot be read is empty, so that it is left out with a note.
fn profile<R: Input>(decoder: &mut Decoder<R>) -> Option<Vec<u8>> {
    match decoder.find_tag(Tag::IccProfile) {
        Ok(profile) => Some(profile?.into_u8_vec().unwrap_or_default()),
        Err(_) => Some(Vec::new()),
    }
}

/// An image before decoding.
struct Tiff<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
}

impl<'a> Source<'a> for Tiff<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Self { job, header, input } = *self;
        let layout = header.layout;
        let mut caps = Limits::default();
        caps.intermediate_buffer_size = (header.memory + limits::BASE) as usize;
        let decoder = Decoder::new(input).map_err(|err| failed(job, err))?;
        let decoder = decoder.with_limits(caps);
        let (chunk_width, chunk_height) = decoder.chunk_dimensions();
        Ok(Box::new(TiffRows {
            job,
            layout,
            across: match decoder.get_chunk_type() {
                ChunkType::Strip => 1,
                ChunkType::Tile => layout.width.div_ceil(chunk_width),
            },
            chunk_height: chunk_height.min(layout.height),
            decoder,
            band: Vec::new(),
            tile: Vec::new(),
            next: 0,
        }))
    }
}

/// Rows of an image.
struct TiffRows<'a> {
    job: &'a Job<'a>,
    layout: Layout,
    decoder: Decoder<&'a mut dyn Input>,
    /// Number of tiles in a row; 1 for strips.
    across: u32,
    chunk_height: u32,
    /// The decoded strip or row of tiles.
    band: Vec<u8>,
    tile: Vec<u8>,
    next: u32,
}

impl TiffRows<'_> {
    /// Decodes the strip or the row of tiles that starts with the next row.
    fn fill(&mut self) -> TiffResult<()> {
        let row_bytes = self.layout.row_bytes();
        let count = self.chunk_height.min(self.layout.height - self.next);
        self.band.resize(count as usize * row_bytes, 0);
        let first = self.next / self.chunk_height * self.across;
        if self.across == 1 {
            return self.decoder.read_chunk_bytes(first, &mut self.band);
        }
        let mut left = 0;
        for chunk in first..first + self.across {
            let (width, _) = self.decoder.chunk_data_dimensions(chunk);
            let len = width as usize * self.layout.pixel_bytes();
            self.tile.resize(count as usize * len, 0);
            self.decoder.read_chunk_bytes(chunk, &mut self.tile)?;
            let rows = self.band.chunks_exact_mut(row_bytes);
            for (row, part) in rows.zip(self.tile.chunks_exact(len)) {
                row[left..left + len].copy_from_slice(part);
            }
            left += len;
        }
        Ok(())
    }
}

impl Rows for TiffRows<'_> {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        let within = self.next % self.chunk_height;
        if within == 0 {
            self.job.check()?;
            self.fill().map_err(|err| failed(self.job, err))?;
        }
        let at = within as usize * row.len();
        row.copy_from_slice(&self.band[at..][..row.len()]);
        self.next += 1;
        Ok(())
    }
}

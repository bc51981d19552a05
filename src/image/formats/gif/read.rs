//! Reads the first frame of a GIF as indices into its colour table. Leaves a frame that does not fill the logical
//! screen, or has no colour table, to the `image` crate.

use super::blocks::{self, Blocks};
use crate::{
    adapter::read::{self as adapter, Codec},
    edited_input::EditedInput,
    limits,
    pixels::{
        Channels, Depth, Frame, Layout, Rows,
        palette::{Colours, LookedUp},
    },
    salvage::Partial,
    source::{Header, Source, failed, rewind},
};
use convertd_core::{
    error::Result,
    job::{Damage, Input, Job},
};
use gif::{ColorOutput, DecodeOptions, Decoder, DecodingError, MemoryLimit};
use image::{codecs::gif::GifDecoder, metadata::Orientation};
use std::io::Read;

/// The decoder of the `image` crate.
static CODEC: Codec = Codec {
    open: |input| Ok(Box::new(GifDecoder::new(input)?)),
    memory: adapter::output_and_copy,
    density: Some(limits::PIXELS_PER_BYTE),
    lossless: true,
};

/// A GIF before decoding.
struct Gif<'a> {
    job: &'a Job<'a>,
    header: Header,
    colours: Colours,
    /// Whether indices are replaced by their colours. False only if the target takes indices.
    looks_up: bool,
    input: EditedInput<'a>,
}

/// Opens a GIF. Walks its blocks first, to count the frames and to correct sizes.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let blocks = blocks::walk(job, input)?;
    let animated = blocks.as_ref().is_some_and(|gif| gif.frames > 1);
    rewind(input)?;
    let edits = blocks.as_ref().map(Blocks::edits).unwrap_or_default();
    let mut input = EditedInput::edited(input, edits);
    let (width, height, colours) = {
        let decoder = first_frame(&mut input).map_err(|err| failed(job, err))?;
        (
            decoder.width().into(),
            decoder.height().into(),
            colours(&decoder),
        )
    };
    rewind(&mut input)?;
    let Some(colours) = colours else {
        let beyond = blocks.map_or(0, |blocks| 8 * blocks.beyond);
        let mut source = adapter::open_keeping(job, Box::new(input), &CODEC, beyond)?;
        source.header().animated = animated;
        return Ok(source);
    };
    limits::check(job, width, height, Some(limits::PIXELS_PER_BYTE))?;
    let layout = Layout {
        width,
        height,
        channels: colours.channels(),
        depth: Depth::Eight,
    };
    Ok(Box::new(Gif {
        job,
        header: Header {
            layout,
            orientation: Orientation::NoTransforms,
            icc: None,
            memory: layout.pixels() + u64::from(width),
            animated,
            lossless: true,
        },
        colours,
        looks_up: true,
        input,
    }))
}

/// Creates a decoder, and moves it to the pixels of the first frame.
fn first_frame<R: Read>(input: R) -> std::result::Result<Decoder<R>, DecodingError> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    // Unknown extensions are not part of the picture (GIF89a, appendix C), and are skipped.
    options.allow_unknown_blocks(true);
    // The decoder needs no memory limit, because it decodes frames into a buffer of this module.
    options.set_memory_limit(MemoryLimit::Unlimited);
    let mut decoder = options.read_info(input)?;
    decoder.next_frame_info()?;
    Ok(decoder)
}

/// The colour table of the first frame. `None` if there is no table, or if the frame does not fill the logical screen.
fn colours<R: Read>(decoder: &Decoder<R>) -> Option<Colours> {
    let frame = decoder.current_frame_info()?;
    let rectangle = (frame.left, frame.top, frame.width, frame.height);
    if rectangle != (0, 0, decoder.width(), decoder.height()) {
        return None;
    }
    let palette = decoder.palette().ok()?;
    let mut colours: Vec<[u8; 4]> = palette
        .as_chunks()
        .0
        .iter()
        .map(|&[r, g, b]| [r, g, b, 255])
        .collect();
    if let Some(transparent) = frame.transparent {
        let transparent = usize::from(transparent);
        if colours.len() <= transparent {
            colours.resize(transparent + 1, [0, 0, 0, 255]);
        }
        colours[transparent] = [0; 4];
    }
    Some(Colours::new(colours))
}

impl<'a> Source<'a> for Gif<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn index(&mut self, transparency: bool) -> Option<Colours> {
        if !transparency && !self.colours.is_opaque() {
            return None;
        }
        self.looks_up = false;
        self.header.layout = self.header.layout.with(Channels::Grey, Depth::Eight);
        Some(self.colours.clone())
    }

    fn decode(mut self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let job = self.job;
        let mut frame = Frame::new(self.header.layout.with(Channels::Grey, Depth::Eight));
        let mut decoder = first_frame(&mut self.input).map_err(|err| failed(job, err))?;
        let known = match Damage::of(job.options()) {
            Damage::Keep => Some(decode_rows(&mut decoder, &mut frame)),
            Damage::Refuse => {
                let whole = decoder.read_into_buffer(&mut frame.pixels);
                whole.map_err(|err| failed(job, err))?;
                None
            }
        };
        self.colours.limit(&mut frame.pixels);
        let rows: Box<dyn Rows + 'a> = match known {
            Some(known) => Box::new(Partial::new(job, frame, known)?),
            None => Box::new(frame),
        };
        if self.looks_up {
            Ok(Box::new(LookedUp::new(rows, &self.colours)))
        } else {
            Ok(rows)
        }
    }
}

/// Decodes rows into `frame` until one is damaged. Returns for each row whether it is complete.
fn decode_rows<R: Read>(decoder: &mut Decoder<R>, frame: &mut Frame) -> Vec<bool> {
    let interlaced = decoder
        .current_frame_info()
        .is_some_and(|info| info.interlaced);
    // GIF89a, appendix E: four passes, each with its first row and the distance between rows.
    let passes: &[(usize, usize)] = if interlaced {
        &[(0, 8), (4, 8), (2, 4), (1, 2)]
    } else {
        &[(0, 1)]
    };
    let height = frame.layout.height as usize;
    let width = frame.layout.row_bytes();
    let mut known = vec![false; height];
    let order = passes
        .iter()
        .flat_map(|&(first, step)| (first..height).step_by(step));
    for y in order {
        let row = &mut frame.pixels[y * width..][..width];
        if !matches!(decoder.fill_buffer(row), Ok(true)) {
            break;
        }
        known[y] = true;
    }
    known
}

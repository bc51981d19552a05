//! GIF (GIF89a): its blocks, walked to the end, and the first frame as indices into its palette. A frame that does not
//! fill the screen is left to the decoder of others.

use super::{Header, Source, failed, guarded, other, rewind};
use crate::{
    error::Result,
    image::{
        layout::{Channels, Depth, Layout},
        limits,
        palette::{Colours, LookedUp},
        rows::{Frame, Rows},
    },
    job::{Input, Job},
};
use gif::{ColorOutput, DecodeOptions, Decoder, DecodingError, MemoryLimit};
use image::metadata::Orientation;
use std::io::{self, Read, SeekFrom};

/// What the blocks tell.
pub(crate) struct Blocks {
    pub(crate) frames: u32,
    /// How often the frames are shown; for ever, if `None`.
    pub(crate) plays: Option<u32>,
}

struct Gif<'a> {
    job: &'a Job<'a>,
    header: Header,
    colours: Colours,
    looks_up: bool,
    input: &'a mut dyn Input,
}

pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    let animated = walk(job, input)?.is_some_and(|gif| gif.frames > 1);
    rewind(input)?;
    let (width, height, colours) = {
        let decoder = first_frame(&mut *input).map_err(|err| failed(job, err))?;
        (
            decoder.width().into(),
            decoder.height().into(),
            colours(&decoder),
        )
    };
    rewind(input)?;
    let Some(colours) = colours else {
        let mut source = other::open(job, input)?;
        source.header().animated = animated;
        return Ok(source);
    };
    limits::check(job, width, height)?;
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

/// A decoder that stands before the pixels of the first frame.
fn first_frame<R: Read>(input: R) -> std::result::Result<Decoder<R>, DecodingError> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    // It allocates nothing for a frame whose buffer is ours.
    options.set_memory_limit(MemoryLimit::Unlimited);
    let mut decoder = options.read_info(input)?;
    decoder.next_frame_info()?;
    Ok(decoder)
}

/// The palette of a first frame that fills the screen.
fn colours<R: Read>(decoder: &Decoder<R>) -> Option<Colours> {
    let frame = decoder.current_frame_info()?;
    let place = (frame.left, frame.top, frame.width, frame.height);
    if place != (0, 0, decoder.width(), decoder.height()) {
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

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let job = self.job;
        let mut frame = Frame::new(self.header.layout.with(Channels::Grey, Depth::Eight));
        guarded(job, || {
            first_frame(&mut *self.input)
                .and_then(|mut decoder| decoder.read_into_buffer(&mut frame.pixels))
                .map_err(|err| failed(job, err))
        })?;
        self.colours.limit(&mut frame.pixels);
        if self.looks_up {
            Ok(Box::new(LookedUp::new(Box::new(frame), &self.colours)))
        } else {
            Ok(Box::new(frame))
        }
    }
}

/// Walks all blocks. A file that ends between two of them, without its trailer, passes: many do.
///
/// Errors: bad input, if it ends within a block.
pub(crate) fn walk(job: &Job<'_>, input: &mut dyn Input) -> Result<Option<Blocks>> {
    blocks(input).map_err(|err| failed(job, err))
}

fn blocks(input: &mut dyn Input) -> io::Result<Option<Blocks>> {
    let mut found = Blocks {
        frames: 0,
        plays: Some(1),
    };
    let mut screen = [0; 13];
    input.seek(SeekFrom::Start(0))?;
    input.read_exact(&mut screen)?;
    skip_palette(input, screen[10])?;
    loop {
        match byte(input) {
            Ok(0x21) => {
                let label = byte(input)?;
                let mut first = true;
                while let Some(block) = sub_block(input)? {
                    let loops = label == 0xff && !first && block.len() == 3 && block[0] == 1;
                    if loops && found.frames == 0 {
                        let repeats = u32::from(u16::from_le_bytes([block[1], block[2]]));
                        // Repeats come after the first time.
                        found.plays = (repeats > 0).then_some(repeats + 1);
                    }
                    first = false;
                }
            }
            Ok(0x2c) => {
                let mut descriptor = [0; 9];
                input.read_exact(&mut descriptor)?;
                skip_palette(input, descriptor[8])?;
                byte(input)?;
                while sub_block(input)?.is_some() {}
                found.frames += 1;
            }
            Ok(0x3b) => break,
            Ok(_) if found.frames > 0 => break,
            Ok(_) => return Ok(None),
            Err(err) if err.kind() == io::ErrorKind::UnexpectedEof && found.frames > 0 => break,
            Err(err) => return Err(err),
        }
    }
    Ok(Some(found))
}

fn byte(input: &mut dyn Input) -> io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    Ok(byte[0])
}

fn skip_palette(input: &mut dyn Input, flags: u8) -> io::Result<()> {
    if flags & 0x80 != 0 {
        let mut palette = [0; 768];
        let len = 3 << ((flags & 7) + 1);
        input.read_exact(&mut palette[..len])?;
    }
    Ok(())
}

/// The next of a sequence of sub-blocks, or `None` at its end.
fn sub_block(input: &mut dyn Input) -> io::Result<Option<Vec<u8>>> {
    let len = byte(input)?;
    let mut block = vec![0; len.into()];
    input.read_exact(&mut block)?;
    Ok((len > 0).then_some(block))
}

//! Walks over the blocks of a GIF (GIF89a), to find the number of frames, and how often the animation plays. Decodes no
//! frame.
//!
//! The logical screen descriptor and its colour table are followed by extensions and images. Each of these has a head,
//! and a chain of data sub-blocks, which begin with their length and end with a sub-block of length 0. The application
//! extension `NETSCAPE2.0` states how often the animation plays.

use crate::{edited_input::Edit, limits, source::failed};
use convertd_core::{
    error::Result,
    job::{Damage, Input, Job},
};
use std::io;

// Types of blocks, by their first byte.
const EXTENSION: u8 = 0x21;
const IMAGE: u8 = 0x2c;
const TRAILER: u8 = 0x3b;

/// The label of an application extension.
const APPLICATION: u8 = 0xff;

/// The flag of the logical screen descriptor and of an image descriptor for a colour table that follows. The lowest
/// three bits of the same byte state the size of the table.
const HAS_PALETTE: u8 = 0x80;

/// Largest number of frames without width or height that get a size. More such frames mean damage.
const MAX_UNSIZED: usize = 4096;

/// Properties from the blocks of a file.
pub(crate) struct Blocks {
    pub(crate) frames: u32,
    /// Size of the logical screen, enlarged for the first frame: see [`Blocks::edits`].
    screen: (u32, u32),
    /// Number of times that the animation plays; `None` means endlessly.
    pub(crate) plays: Option<u32>,
    /// Number of pixels of the largest frame that is wider or higher than the logical screen, or 0. Decoders allocate
    /// all of it, but display only the part on the screen.
    pub(crate) beyond: u64,
    /// Width and height of the frame that `beyond` counts.
    largest: (u32, u32),
    /// Offsets of the sizes of frames without width or height: see [`Blocks::edits`].
    unsized_frames: Vec<u64>,
}

impl Blocks {
    /// Edits of the file that give a decoder a logical screen that is large enough for the whole first frame, and a
    /// size to frames without width or height.
    ///
    /// GIF89a (section 18) requires images within the screen, but in some files the screen is too small, or empty.
    /// Browsers and libvips enlarge the screen for the first frame, and clip only later frames. This module does the
    /// same. A frame whose width or height is 0 gets the size of the screen, as in browsers.
    pub(crate) fn edits(&self) -> Vec<Edit> {
        let bytes = [self.screen.0, self.screen.1]
            .map(|side| (side as u16).to_le_bytes())
            .concat();
        [6].iter()
            .chain(&self.unsized_frames)
            .map(|&start| Edit {
                start,
                bytes: bytes.clone(),
            })
            .collect()
    }
}

/// Walks over all blocks. Accepts a file that ends after a frame without the trailer, because many files do. `None` if
/// a block before the first frame is of an unknown type.
///
/// Errors: bad input, if the file ends within a block, unless damage is accepted and a frame precedes the end; and if a
/// frame is wider or higher than the screen, and larger than the limit.
pub(crate) fn walk(job: &Job<'_>, input: &mut dyn Input) -> Result<Option<Blocks>> {
    let mut found = Blocks {
        frames: 0,
        screen: (0, 0),
        plays: Some(1),
        beyond: 0,
        largest: (0, 0),
        unsized_frames: Vec::new(),
    };
    let found = match blocks(input, &mut found) {
        Ok(is_known) => is_known.then_some(found),
        Err(err)
            if err.kind() == io::ErrorKind::UnexpectedEof
                && found.frames > 0
                && Damage::of(job.options()) == Damage::Keep =>
        {
            Some(found)
        }
        Err(err) => return Err(failed(job, err)),
    };
    if let Some(blocks) = &found
        && blocks.beyond > 0
    {
        let (width, height) = blocks.largest;
        limits::check(job, width, height, Some(limits::PIXELS_PER_BYTE))?;
    }
    Ok(found)
}

/// Adds the properties of the blocks to `found`. Returns whether all blocks before the first frame are known. After it,
/// an unknown block ends the file.
fn blocks(input: &mut dyn Input, found: &mut Blocks) -> io::Result<bool> {
    let mut screen = [0; 13];
    input.read_exact(&mut screen)?;
    let sides = |bytes: &[u8; 4]| {
        let [w0, w1, h0, h1] = *bytes;
        let (width, height) = (u16::from_le_bytes([w0, w1]), u16::from_le_bytes([h0, h1]));
        (u32::from(width), u32::from(height))
    };
    let [_, _, _, _, _, _, w0, w1, h0, h1, ..] = screen;
    found.screen = sides(&[w0, w1, h0, h1]);
    skip_palette(input, screen[10])?;
    loop {
        match byte(input) {
            Ok(EXTENSION) => {
                let label = byte(input)?;
                let mut first = true;
                while let Some(block) = sub_block(input)? {
                    let loops = label == APPLICATION && !first && block.len() == 3 && block[0] == 1;
                    if loops && found.frames == 0 {
                        let repeats = u32::from(u16::from_le_bytes([block[1], block[2]]));
                        // The file states the number of repetitions after the first time; 0 means endlessly.
                        found.plays = (repeats > 0).then_some(repeats + 1);
                    }
                    first = false;
                }
            }
            Ok(IMAGE) => {
                let mut descriptor = [0; 9];
                input.read_exact(&mut descriptor)?;
                let [l0, l1, t0, t1, w0, w1, h0, h1, _] = descriptor;
                let (left, top) = sides(&[l0, l1, t0, t1]);
                let (width, height) = sides(&[w0, w1, h0, h1]);
                if found.frames == 0 {
                    let (screen_width, screen_height) = &mut found.screen;
                    let most = u32::from(u16::MAX);
                    *screen_width = (left + width).min(most).max(*screen_width);
                    *screen_height = (top + height).min(most).max(*screen_height);
                }
                if (width == 0 || height == 0) && found.unsized_frames.len() < MAX_UNSIZED {
                    found.unsized_frames.push(input.stream_position()? - 5);
                }
                let (screen_width, screen_height) = found.screen;
                let pixels = u64::from(width) * u64::from(height);
                if (width > screen_width || height > screen_height) && pixels > found.beyond {
                    found.beyond = pixels;
                    found.largest = (width, height);
                }
                found.frames += 1;
                skip_palette(input, descriptor[8])?;
                byte(input)?;
                while sub_block(input)?.is_some() {}
            }
            Ok(TRAILER) => break,
            Ok(_) if found.frames > 0 => break,
            Ok(_) => return Ok(false),
            Err(err) if err.kind() == io::ErrorKind::UnexpectedEof && found.frames > 0 => break,
            Err(err) => return Err(err),
        }
    }
    Ok(true)
}

/// The next byte.
fn byte(input: &mut dyn Input) -> io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    Ok(byte[0])
}

/// Skips a colour table, if the flags say that one follows.
fn skip_palette(input: &mut dyn Input, flags: u8) -> io::Result<()> {
    if flags & HAS_PALETTE != 0 {
        let mut palette = [0; 768];
        let len = 3 << ((flags & 7) + 1);
        input.read_exact(&mut palette[..len])?;
    }
    Ok(())
}

/// Reads the next data sub-block. `None` at the block terminator.
fn sub_block(input: &mut dyn Input) -> io::Result<Option<Vec<u8>>> {
    let len = byte(input)?;
    let mut block = vec![0; len.into()];
    input.read_exact(&mut block)?;
    Ok((len > 0).then_some(block))
}

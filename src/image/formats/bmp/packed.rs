//! Reads bitmaps with run-length or fax coding as whole pictures. Decides on the colour of pixels that the runs skip.

use super::{
    header::{Coding, Head},
    runs::{Bits, Runs, Seen},
};
use crate::{
    pixels::{
        Channels, Depth, Frame, Rows,
        palette::{Colours, unpack},
    },
    salvage::Partial,
    source::failed,
};
use convertd_core::{
    coding::fax,
    error::Result,
    job::{Damage, Input, Job},
};
use std::io::{ErrorKind, Read as _, SeekFrom};

/// Scans the runs once. If they skip some pixels, these get an index that no other pixel uses, and its colour becomes
/// transparent. A picture without a palette gets alpha instead.
pub(crate) fn find_skipped(
    job: &Job<'_>,
    head: &mut Head,
    bits: Bits,
    input: &mut dyn Input,
) -> Result<()> {
    let seen = each(job, head, bits, input, |_, _| {})?;
    if seen.pixels == head.layout.pixels() {
        return Ok(());
    }
    match &mut head.coding {
        Coding::Index { colours, .. } => {
            let mut entries = colours.entries().to_vec();
            // If every index is in use, the first one stands for skipped pixels, as in other programs.
            if let Some(free) = free(&seen.indices, entries.len()) {
                entries.resize(entries.len().max(free + 1), [0, 0, 0, 255]);
                entries[free] = [0; 4];
                *colours = Colours::new(entries);
            }
        }
        _ => head.layout.channels = Channels::Rgba,
    }
    Ok(())
}

/// Finds an index that no pixel uses, preferably one after the palette.
fn free(used: &[bool; 256], colours: usize) -> Option<usize> {
    (colours..256)
        .chain(0..colours.min(256))
        .find(|&index| !used[index])
}

/// Decodes a picture that consists of runs.
pub(crate) fn runs<'a>(
    job: &'a Job<'a>,
    head: &Head,
    bits: Bits,
    input: &mut dyn Input,
) -> Result<Box<dyn Rows + 'a>> {
    let mut frame = Frame::new(head.layout);
    let (width, height) = (head.layout.width as usize, head.layout.height as usize);
    let step = head.layout.pixel_bytes();
    if let Coding::Index { colours, .. } = &head.coding {
        let transparent = colours.entries().iter().position(|colour| colour[3] == 0);
        frame.pixels.fill(transparent.unwrap_or(0) as u8);
    }
    let mut begun = 0;
    let seen = each(job, head, bits, input, |at, [b, g, r]| {
        let (x, y) = (at % width, at / width);
        begun = begun.max(y + 1);
        let y = if head.top_down { y } else { height - 1 - y };
        let pixel = &mut frame.pixels[(y * width + x) * step..][..step];
        let colour = [r, g, b, 255];
        match step {
            1 => pixel[0] = b,
            _ => pixel.copy_from_slice(&colour[..step]),
        }
    })?;
    if let Coding::Index { colours, .. } = &head.coding {
        colours.limit(&mut frame.pixels);
    }
    if seen.whole {
        return Ok(Box::new(frame));
    }
    let known = |y| if head.top_down { y } else { height - 1 - y } < begun;
    let known = (0..height).map(known).collect();
    Ok(Box::new(Partial::new(job, frame, known)?))
}

/// Decodes the runs to their end. An early end of the file is not an error if the job keeps damaged pictures
/// ([`Damage::Keep`]).
fn each(
    job: &Job<'_>,
    head: &Head,
    bits: Bits,
    input: &mut dyn Input,
    put: impl FnMut(usize, [u8; 3]),
) -> Result<Seen> {
    job.check()?;
    let mut seen = Seen::default();
    let result = input.seek(SeekFrom::Start(head.offset)).and_then(|_| {
        let mut input = input;
        let runs = Runs {
            input: &mut input,
            bits,
            width: head.layout.width as usize,
            height: head.layout.height as usize,
        };
        runs.each(&mut seen, put)
    });
    match result {
        Err(err)
            if err.kind() != ErrorKind::UnexpectedEof
                || Damage::of(job.options()) == Damage::Refuse =>
        {
            Err(failed(job, err))
        }
        Ok(()) | Err(_) => Ok(seen),
    }
}

/// Decodes a picture in fax coding (ITU-T T.4, one-dimensional).
pub(crate) fn fax(job: &Job<'_>, head: &Head, input: &mut dyn Input) -> Result<Frame> {
    let mut data = Vec::new();
    input
        .seek(SeekFrom::Start(head.offset))
        .and_then(|_| input.take(job.input_len).read_to_end(&mut data))
        .map_err(|err| failed(job, err))?;
    let (width, height) = (head.layout.width, head.layout.height as usize);
    let row = width.div_ceil(8) as usize;
    let mut packed = vec![0; row * height];
    let coding = fax::Coding::Three {
        two_dimensional: false,
    };
    fax::unpack(&data, coding, width, &mut packed)
        .ok_or_else(|| job.unreadable("its Huffman codes are invalid or end early"))?;
    let mut frame = Frame::new(head.layout.with(Channels::Grey, Depth::Eight));
    let rows = packed.chunks_exact(row);
    let upwards = frame.pixels.chunks_exact_mut(width as usize).rev();
    for (row, packed) in upwards.zip(rows) {
        unpack(packed, 1, row);
    }
    Ok(frame)
}

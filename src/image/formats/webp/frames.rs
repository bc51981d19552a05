//! All frames of an animated WebP, by the `image` crate, which puts them together on a canvas.

use crate::{
    error::Result,
    image::{
        adapter::moving,
        animation::Animation,
        limits,
        source::{failed, rewind},
    },
    job::{Input, Job},
};
use image::{AnimationDecoder, ImageDecoder, codecs::webp::WebPDecoder};
use std::io::{self, SeekFrom};

/// Opens a WebP that is an animation. `None` for a still picture.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Option<Animation<'a>>> {
    let Some((plays, count)) = walk(input).map_err(|err| failed(job, err))? else {
        return Ok(None);
    };
    rewind(input)?;
    let input: Box<dyn Input + 'a> = Box::new(input);
    let mut decoder = WebPDecoder::new(input).map_err(|err| failed(job, err))?;
    let (width, height) = decoder.dimensions();
    limits::check(job, width, height, None)?;
    let icc = decoder.icc_profile().unwrap_or(None);
    let frames = moving::frames(job, decoder.into_frames());
    let animation = Animation::new(job, (width, height), plays, count, frames);
    Ok(Some(Animation {
        icc,
        lossless: false,
        ..animation
    }))
}

/// How often the frames are shown, if not for ever, and how many there are: from the heads of the chunks alone.
fn walk(input: &mut dyn Input) -> io::Result<Option<(Option<u32>, u32)>> {
    let mut plays = None;
    let mut frames = 0;
    let mut head = [0; 8];
    input.seek(SeekFrom::Start(12))?;
    while input.read_exact(&mut head).is_ok() {
        let [n0, n1, n2, n3, l0, l1, l2, l3] = head;
        let len = i64::from(u32::from_le_bytes([l0, l1, l2, l3]));
        let mut skip = len + (len & 1);
        match &[n0, n1, n2, n3] {
            b"ANIM" if len >= 6 => {
                let mut data = [0; 6];
                input.read_exact(&mut data)?;
                plays = Some(u32::from(u16::from_le_bytes([data[4], data[5]])));
                skip -= 6;
            }
            b"ANMF" => frames += 1,
            _ => {}
        }
        input.seek_relative(skip)?;
    }
    Ok(plays
        .filter(|_| frames > 0)
        .map(|plays| (Some(plays).filter(|plays| *plays > 0), frames)))
}

//! Writes animated PNG (W3C PNG, third edition, 11.3.6). Each frame after the first stores only the rectangle that
//! differs from the frame before. Equal frames are not merged, because the number of frames is written before the first
//! of them.

use super::write::{failed, profile_chunk};
use crate::{
    animation::{Animation, Area, changed},
    delays::ticks,
    pixels::Frame,
};
use convertd_core::{
    error::Result,
    job::{Job, Notes, Output},
};
use png::{BitDepth, BlendOp, ColorType, Compression, Encoder, Filter, Info, chunk::ChunkType};
use std::time::Duration;

/// Writes an animation.
pub(crate) fn write(
    job: &Job<'_>,
    animation: Animation<'_>,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let layout = animation.layout;
    let mut info = Info::with_size(layout.width, layout.height);
    info.color_type = ColorType::Rgba;
    info.bit_depth = BitDepth::Eight;
    let mut encoder = Encoder::with_info(&mut *output, info).map_err(failed)?;
    encoder.set_compression(job.quality().pick(
        Compression::Fast,
        Compression::Fast,
        Compression::Balanced,
    ));
    encoder.set_filter(Filter::Adaptive);
    encoder
        .set_animated(animation.count, animation.plays.unwrap_or(0))
        .map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    // Programs recognise an animation by the chunk `acTL` after the header, before which the encoder would write the
    // profile.
    if let Some(icc) = animation.icc {
        let data = profile_chunk(&icc);
        writer
            .write_chunk(ChunkType(*b"iCCP"), &data)
            .map_err(failed)?;
    }
    let mut canvas: Option<Frame> = None;
    for frame in animation.frames {
        job.check()?;
        let (frame, delay) = frame?;
        let area = match &canvas {
            Some(before) => changed(before, &frame),
            None => Area::whole(layout),
        };
        let part = area.cut(&frame);
        let (delay, parts) = fraction(delay);
        // The encoder checks a new size against the position of the previous frame, so the position is reset first.
        writer
            .set_frame_position(0, 0)
            .and_then(|()| writer.set_frame_dimension(area.width, area.height))
            .and_then(|()| writer.set_frame_position(area.left, area.top))
            .and_then(|()| writer.set_frame_delay(delay, parts))
            .and_then(|()| writer.set_blend_op(BlendOp::Source))
            .and_then(|()| writer.write_image_data(&part.pixels))
            .map_err(failed)?;
        canvas = Some(frame);
    }
    writer.finish().map_err(failed)
}

/// A delay as a fraction of two 16-bit numbers. The denominator is the largest that the length of the delay allows.
fn fraction(delay: Duration) -> (u16, u16) {
    [1000, 100, 10, 1]
        .into_iter()
        .find_map(|parts| Some((u16::try_from(ticks(delay, parts.into())).ok()?, parts)))
        .unwrap_or((u16::MAX, 1))
}

#[cfg(test)]
mod tests {
    use super::{super::frames, *};
    use crate::pixels::{Channels, Depth, Layout};
    use convertd_core::job::testing::with_job;
    use std::io::Cursor;

    #[test]
    fn delays_are_as_fine_as_their_length_allows() {
        #[track_caller]
        fn check(millis: u64, expected: (u16, u16)) {
            assert_eq!(fraction(Duration::from_millis(millis)), expected);
        }
        check(0, (0, 1000));
        check(65_535, (65_535, 1000));
        check(65_536, (6554, 100));
        check(70_000, (7000, 100));
        check(655_360, (6554, 10));
        check(3_600_000, (36_000, 10));
        check(65_535_000, (65_535, 1));
        check(99_999_999, (65_535, 1));
    }

    #[test]
    fn animations_keep_their_profile_and_their_name_and_note_losses() {
        with_job(|job| {
            let layout = Layout {
                width: 2,
                height: 1,
                channels: Channels::Rgba,
                depth: Depth::Eight,
            };
            let frames = [1, 2].map(|shade| -> Result<_> {
                let frame = Frame::from_pixels(layout, vec![shade; 8]);
                Ok((frame, Duration::from_millis(40)))
            });
            let frames = Box::new(frames.into_iter());
            let mut animation = Animation::new(job, (2, 1), None, 2, frames);
            animation.icc = Some(vec![7; 300]);
            let mut file = Cursor::new(Vec::new());
            write(job, animation, &mut file, &mut Notes::default()).unwrap();
            let mut file = file.into_inner();
            assert_eq!(&file[37..41], b"acTL");
            let mut input = Cursor::new(file.clone());
            let read = frames::open(job, &mut input).unwrap().unwrap();
            assert_eq!(read.icc.as_deref(), Some(&[7; 300][..]));
            assert_eq!(read.notes, Vec::<String>::new());
            // A chunk with code points of a matrix that a PNG cannot have.
            let chunk = [b"cICP", &[9, 16, 9, 1][..]].concat();
            let sum = crc32fast::hash(&chunk).to_be_bytes();
            let chunk = [&[0, 0, 0, 4], &chunk[..], &sum].concat();
            file.splice(33..33, chunk);
            let mut input = Cursor::new(file);
            let read = frames::open(job, &mut input).unwrap().unwrap();
            let [note] = &read.notes[..] else {
                panic!("{:?}", read.notes)
            };
            assert!(note.contains("cICP"), "{note}");
        });
    }
}

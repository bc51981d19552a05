//! Reads image sequences (ISO/IEC 23008-12, 7) as animations, if the codec supports them. Holds one picture in memory,
//! and the earlier pictures to which the decoder may refer.

use super::{
    checked::{check, opening},
    codec::{self, Codec, Follow, Following},
    fault::Fault,
    recognise::is_branded,
    render::{self, File, transparent},
    track::{self, Sample, Sequence},
    tree::{self, Base, Leaf, Picture},
};
use crate::{
    animation::Animation,
    pixels::{Channels, Depth, Frame, colour, convert::convert, orient, rows::Rows},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};
use image::metadata::Orientation;
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

/// The major brand of files whose main content is a sequence (AVIF, 6.3). In other files, the sequence accompanies a
/// picture.
const BRAND: &[u8] = b"avis";

/// Number of pictures that a decoder of sequences holds: eight references, and the current one.
const REFERENCES: u64 = 9;

/// Opens the sequence of a file. `None` if a sequence of several pictures is not the main content of the file, or the
/// codec does not support sequences.
pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    codec: &'static Codec,
) -> Result<Option<Animation<'a>>> {
    let Some((follow, found)) = opening(job, sequence(input, codec))? else {
        return Ok(None);
    };
    let main = opening(job, tree::first(&found, codec))?;
    check(job, &main.picture)?;
    let file = File {
        job,
        codec,
        input: Arc::new(Mutex::new(input)),
    };
    let Some(frames) = Moving::new(file, follow, main.picture, found)? else {
        return Ok(None);
    };
    let icc = main
        .icc
        .or_else(|| colour::of_primaries(main.code?.primaries));
    let orientation = frames.picture.placement.orientation();
    let layout = orient::upright(frames.picture.layout(), orientation);
    let memory = frames.memory();
    let (count, plays) = (frames.colours.len() as u32, frames.plays);
    let frames = Box::new(frames);
    let animation = Animation::new(job, (layout.width, layout.height), plays, count, frames);
    Ok(Some(Animation {
        icc,
        lossless: false,
        memory: animation.memory.saturating_add(memory),
        ..animation
    }))
}

/// The sequence of a file, if it is the main content of the file, and a decoder for it. `None` also if the sequence has
/// only one picture, or the codec does not support sequences.
pub(super) fn sequence(
    input: &mut dyn Input,
    codec: &Codec,
) -> std::result::Result<Option<(Follow, Sequence)>, Fault> {
    let Some(follow) = codec.follow else {
        return Ok(None);
    };
    let mut head = [0; 12];
    input.rewind()?;
    input.read_exact(&mut head)?;
    if !is_branded(&head, &[BRAND]) {
        return Ok(None);
    }
    let found = track::sequence(input, codec.kind)?;
    let found = found.filter(|found| found.colours.samples.len() > 1);
    Ok(found.map(|found| (follow, found)))
}

/// The samples of a track that have not been decoded yet, and their decoder.
struct Samples {
    left: std::vec::IntoIter<Sample>,
    decoder: Box<dyn Following>,
}

impl Samples {
    /// Prepares to decode samples. `leaf` and `picture` describe the first one.
    fn new(
        file: &File<'_>,
        follow: Follow,
        (leaf, picture): (&Leaf, &Picture),
        samples: Vec<Sample>,
    ) -> Result<Self> {
        let coded = leaf.coded(picture, file.job.spare_threads);
        Ok(Self {
            decoder: follow(file.job, &coded)?,
            left: samples.into_iter(),
        })
    }

    fn len(&self) -> usize {
        self.left.len()
    }

    /// Decodes the next picture. Returns its rows, and how long it is displayed.
    fn next<'a>(
        &mut self,
        file: &File<'a>,
        (leaf, picture): (&Leaf, &Picture),
    ) -> Option<Result<(Box<dyn Rows + 'a>, Duration)>> {
        let sample = self.left.next()?;
        let rows = file.data(&sample.extents()).and_then(|data| {
            let planes = self.decoder.next(file.job, data)?;
            file.decoded(planes, leaf, picture)
        });
        Some(rows.map(|rows| (rows, sample.delay)))
    }
}

/// The frames of a sequence. The iteration ends after a frame that cannot be decoded, because later frames may refer to
/// that frame.
struct Moving<'a> {
    file: File<'a>,
    picture: Picture,
    colours: Samples,
    alphas: Option<Samples>,
    plays: Option<u32>,
    is_over: bool,
}

impl<'a> Moving<'a> {
    fn new(
        file: File<'a>,
        follow: Follow,
        picture: Picture,
        found: Sequence,
    ) -> Result<Option<Self>> {
        let Some(leaf) = coded(&picture) else {
            return Ok(None);
        };
        let colours = Samples::new(&file, follow, leaf, found.colours.samples)?;
        let alphas = match (picture.alpha.as_deref().and_then(coded), found.alpha) {
            (Some(leaf), Some(track)) => Some(Samples::new(&file, follow, leaf, track.samples)?),
            _ => None,
        };
        Ok(Some(Self {
            file,
            plays: found.plays,
            colours,
            alphas,
            is_over: false,
            picture,
        }))
    }

    /// Memory for decoding, in bytes.
    fn memory(&self) -> u64 {
        let pictures = [Some(&self.picture), self.picture.alpha.as_deref()];
        let references = pictures.into_iter().flatten().filter_map(coded);
        let sizes = references.map(|(leaf, picture)| {
            let pixels = codec::coded_pixels(picture.width, picture.height);
            let depth = if leaf.shape.bits > 8 { 2 } else { 1 };
            // The samples of a picture, and the state that the decoder keeps for its blocks.
            let bytes = depth * (100 + leaf.shape.chroma) / 100 + 1;
            REFERENCES * pixels * bytes
        });
        render::memory(self.file.job, self.file.codec, &self.picture) + sizes.sum::<u64>()
    }

    /// Decodes the next frame, and combines it with its alpha.
    fn frame(&mut self) -> Option<Result<(Frame, Duration)>> {
        let leaf = coded(&self.picture)?;
        let (mut rows, delay) = match self.colours.next(&self.file, leaf)? {
            Ok(found) => found,
            Err(err) => return Some(Err(err)),
        };
        if let (Some(alpha), Some(samples)) = (&self.picture.alpha, &mut self.alphas) {
            match samples.next(&self.file, coded(alpha)?)? {
                Ok((alphas, _)) => rows = transparent(&self.picture, rows, alpha, alphas),
                Err(err) => return Some(Err(err)),
            }
        }
        let frame = convert(rows, Channels::Rgba, Depth::Eight, [0; 3]).into_frame();
        let orientation = self.picture.placement.orientation();
        Some(frame.map(|frame| match orientation {
            Orientation::NoTransforms => (frame, delay),
            _ => (orient::apply(frame, orientation), delay),
        }))
    }
}

impl Iterator for Moving<'_> {
    type Item = Result<(Frame, Duration)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let frame = self.frame();
        self.is_over = !matches!(frame, Some(Ok(_)));
        frame
    }
}

/// The coded image of a picture. `None` for a derived image, which the pictures of sequences never are.
fn coded(picture: &Picture) -> Option<(&Leaf, &Picture)> {
    match &picture.base {
        Base::Coded(leaf) => Some((leaf, picture)),
        _ => None,
    }
}

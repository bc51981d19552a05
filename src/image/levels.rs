//! Levels of quality: keeps the result of a lower level from being larger than that of a higher one, for still pictures
//! of at most 2^18 pixels. Does not do so for larger pictures, for qualities as numbers, where the memory for several
//! results is not available, or where a higher level fails.
//!
//! Encoders have no such rule. In a picture with hardly any detail, such as a ramp of grey, a small icon or an empty
//! page, coarse quantisation leaves errors that cost more bytes than the detail does. Measured over gradients, noise,
//! logos and drawings of up to 512 pixels a side, the file of a lower level is larger only where the picture is an icon,
//! or the file has less than 1 KiB (8 KiB with alpha, which takes the same bytes at each level), or less than a sixteenth
//! of a bit for each pixel. Such a picture is encoded at the higher levels as well, and the smallest file is the result.
//! Photographs have much more detail, and are encoded once.

use super::{
    fitting::Encode,
    pixels::Layout,
    target::{Extras, Target, Tuning},
};
use convertd_core::{
    error::{Error, Result},
    job::{Job, Notes, Output, Quality, Task},
};
use std::io::Cursor;

/// The largest picture that is encoded at several levels, in pixels.
const MAX_PIXELS: u64 = 1 << 18;
/// The number of pixels up to which a picture is an icon.
const ICON: u64 = 64 * 64;
/// The length in bytes below which a picture without alpha is encoded at the higher levels as well.
const SMALL: u64 = 1 << 10;
/// The length in bytes below which a picture with alpha is encoded at the higher levels as well.
const SMALL_WITH_ALPHA: u64 = 8 << 10;

/// The levels above that of a job; empty for numbers, which have no levels.
fn above(quality: Quality) -> &'static [Quality] {
    match quality {
        Quality::Low => &[Quality::Medium, Quality::High],
        Quality::Medium => &[Quality::High],
        Quality::High | Quality::Number(_) => &[],
    }
}

/// Additional memory in bytes for encoding a picture at several levels, with the smallest possible file at each.
/// `carried` is the number of bytes of its metadata and its profile, and `whole` the length of the file that may be
/// stored instead. `None` if the picture is encoded once, because it is large, no level is above that of the job, or
/// the format has no levels.
pub(crate) fn memory(
    target: &Target,
    (layout, quality, lossless): (Layout, Quality, bool),
    carried: u64,
    whole: u64,
) -> Option<u64> {
    let has_levels = target.tuning != Tuning::None && !above(quality).is_empty();
    if !has_levels || layout.pixels() > MAX_PIXELS {
        return None;
    }
    let at = |quality| (target.memory)(layout, quality, lossless);
    let less = (target.memory_for_less)(layout, Quality::High, lossless);
    // The picture, its copy for the encoder, and the files.
    let copies = 4 * layout.bytes();
    // The encoder gets a copy of everything else, too. Metadata and profile are in the best file so far, and twice in
    // the file that is being written, which may be moved while it grows.
    let beside = 4 * carried + whole;
    Some(at(Quality::High).saturating_sub(at(quality)) + less.unwrap_or(0) + copies + beside)
}

/// Encodes a picture at the level of the job, and at the higher ones if they may give a smaller file. `carried` is the
/// number of bytes besides the picture, such as its metadata.
///
/// Errors: those of `encode` at the level of the job. A higher level that fails is passed over, unless the job ends.
pub(crate) fn write(
    job: &Job<'_>,
    layout: Layout,
    carried: u64,
    encode: &mut Encode<'_>,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut encoded = |quality: Quality| {
        let task = Task {
            quality,
            ..job.task.clone()
        };
        let job = Job {
            task: &task,
            ..*job
        };
        let (mut file, mut notes) = (Cursor::new(Vec::new()), Notes::default());
        encode(&job, &mut file, &mut notes)?;
        Ok::<_, Error>((file.into_inner(), notes))
    };
    let (mut best, mut best_notes) = encoded(job.quality())?;
    let len = (best.len() as u64).saturating_sub(carried);
    let small = match layout.channels.has_alpha() {
        true => SMALL_WITH_ALPHA,
        false => SMALL,
    };
    if layout.pixels() <= ICON || len < small || len * 8 * 16 < layout.pixels() {
        for &quality in above(job.quality()) {
            job.check()?;
            let Ok((file, its_notes)) = encoded(quality) else {
                continue;
            };
            if file.len() < best.len() {
                (best, best_notes) = (file, its_notes);
            }
        }
    }
    // A higher level may have failed because the job ended.
    job.check()?;
    notes.extend(best_notes.0);
    output.write_all(&best).map_err(Error::unwritten)
}

/// Bytes of a file besides its picture.
pub(crate) fn carried(extras: &Extras) -> u64 {
    let metadata = &extras.metadata;
    let parts = [&metadata.exif, &metadata.xmp, &extras.icc];
    let lengths = parts.map(|part| part.as_ref().map_or(0, Vec::len) as u64);
    lengths.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::{Channels, Depth};
    use convertd_core::{
        error::Kind,
        job::{Gate, Need, Progress, testing::with_job_behind},
    };
    use std::sync::atomic::{AtomicBool, Ordering};

    /// A gate that closes at some point.
    #[derive(Default)]
    struct Closing(AtomicBool);

    impl Gate for Closing {
        fn reserve(&self, _: Need) -> Result<()> {
            Ok(())
        }

        fn check(&self) -> Result<()> {
            match self.0.load(Ordering::Relaxed) {
                true => Err(Error::new(Kind::Busy, "closed")),
                false => Ok(()),
            }
        }

        fn progress(&self, _: Progress) {}
    }

    /// Writes an icon at low quality. The encoder gives files of these lengths; it fails where the length is `None`, and
    /// the job then ends if `closes`.
    fn write_icon(lengths: [Option<usize>; 3], closes: bool) -> Result<usize> {
        let gate = Closing::default();
        with_job_behind(&gate, |job| {
            let task = Task {
                quality: Quality::Low,
                ..job.task.clone()
            };
            let job = Job {
                task: &task,
                ..*job
            };
            let layout = Layout {
                width: 1,
                height: 1,
                channels: Channels::Grey,
                depth: Depth::Eight,
            };
            let mut lengths = lengths.into_iter();
            let mut encode = |_: &Job<'_>, file: &mut dyn Output, _: &mut Notes| match lengths
                .next()
                .flatten()
            {
                Some(len) => file.write_all(&vec![0; len]).map_err(Error::unwritten),
                None => {
                    gate.0.store(closes, Ordering::Relaxed);
                    Err(Error::new(Kind::OutOfMemory, "too large"))
                }
            };
            let (mut file, mut notes) = (Cursor::new(Vec::new()), Notes::default());
            write(&job, layout, 0, &mut encode, &mut file, &mut notes)?;
            Ok(file.into_inner().len())
        })
    }

    #[test]
    fn the_smallest_file_is_the_result() {
        assert_eq!(write_icon([Some(9), Some(7), Some(8)], false).unwrap(), 7);
    }

    #[test]
    fn a_higher_level_that_fails_is_passed_over() {
        assert_eq!(write_icon([Some(9), None, Some(8)], false).unwrap(), 8);
        assert_eq!(write_icon([Some(9), None, None], false).unwrap(), 9);
        let failed = write_icon([None, Some(8), Some(8)], false).unwrap_err();
        assert_eq!(failed.kind(), Kind::OutOfMemory);
    }

    #[test]
    fn a_job_that_ends_at_a_higher_level_fails() {
        for lengths in [[Some(9), None, Some(8)], [Some(9), Some(8), None]] {
            assert_eq!(write_icon(lengths, true).unwrap_err().kind(), Kind::Busy);
        }
    }
}

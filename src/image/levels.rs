//! Levels of quality: the result of a lower level is never larger than that of a higher one.
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
/// The length in bytes below which any picture is encoded at the higher levels as well, without and with alpha.
const SMALL: u64 = 1 << 10;
const SMALL_WITH_ALPHA: u64 = 8 << 10;

/// The levels above that of a job; empty for numbers, which have no levels.
fn above(quality: Quality) -> &'static [Quality] {
    match quality {
        Quality::Low => &[Quality::Medium, Quality::High],
        Quality::Medium => &[Quality::High],
        Quality::High | Quality::Number(_) => &[],
    }
}

/// Additional memory in bytes for encoding a picture at several levels, each of them as small as it can be. `None` if it
/// is encoded once, because it is large, no level is above that of the job, or the format has no levels.
pub(crate) fn memory(
    target: &Target,
    layout: Layout,
    quality: Quality,
    lossless: bool,
) -> Option<u64> {
    let has_levels = target.tuning != Tuning::None && !above(quality).is_empty();
    if !has_levels || layout.pixels() > MAX_PIXELS {
        return None;
    }
    let at = |quality| (target.memory)(layout, quality, lossless);
    let less = (target.memory_for_less)(layout, Quality::High, lossless);
    // The picture, its copy for the encoder, and the files.
    let copies = 4 * layout.bytes();
    Some(at(Quality::High).saturating_sub(at(quality)) + less.unwrap_or(0) + copies)
}

/// Encodes a picture at the level of the job, and at the higher ones if they may give a smaller file. `carried` is the
/// number of bytes besides the picture, such as its metadata.
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
            let (file, its_notes) = encoded(quality)?;
            if file.len() < best.len() {
                (best, best_notes) = (file, its_notes);
            }
        }
    }
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

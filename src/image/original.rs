//! Files that contain another complete file: a JPEG XL file can contain a JPEG. This module packs a file in that way,
//! and restores the original from such a file. In both directions, it removes EXIF and XMP unless they are to be kept.
//! Never claims that bytes are identical when they are not.

use super::{
    limits,
    options::Wishes,
    pixels::resize::Bounds,
    source::{Original, Source},
    target::Target,
};
use convertd_core::{
    error::Result,
    job::{Job, Notes},
};
use image::metadata::Orientation;

/// Restores the file that `source` was made from, if it has the target format and needs no change except that EXIF and
/// XMP are removed. Adds a note about the restored file, or about the reason why it cannot be restored.
pub(crate) fn of(
    job: &Job<'_>,
    target: &Target,
    wishes: &Wishes,
    source: &mut dyn Source<'_>,
    notes: &mut Notes,
) -> Result<Option<Vec<u8>>> {
    if !is_wanted(job, wishes) || !(wishes.keep_metadata || target.without_metadata.is_some()) {
        return Ok(None);
    }
    let found = match source.original(job.to, wishes.keep_metadata)? {
        Original::None => return Ok(None),
        Original::Lost(why) => Err(why),
        Original::File(whole) => match target.without_metadata.filter(|_| !wishes.keep_metadata) {
            None => Ok((whole, true)),
            Some(without) => without(&whole)
                .map(|bare| {
                    let is_whole = bare.len() == whole.len();
                    (bare, is_whole)
                })
                .map_err(|_| "cannot be separated from its metadata"),
        },
    };
    let which = format!(
        "The {} that the {} was made from",
        job.to.name, job.from.name
    );
    let (file, note) = match found {
        Err(why) => (
            None,
            format!("{which} {why}; the result was made from the pixels instead."),
        ),
        Ok((file, true)) => (
            Some(file),
            format!("{which} was restored byte for byte; quality has no effect on it."),
        ),
        Ok((file, false)) => (
            Some(file),
            format!(
                "{which} was restored without its metadata, and is otherwise unchanged; quality has no effect on it. metadata=keep restores it byte for byte."
            ),
        ),
    };
    notes.add(note);
    Ok(file)
}

/// Packs `source` as a whole into the target format, if it needs no change except that EXIF and XMP are removed, and
/// the client wants the best quality. Adds a note about it.
pub(super) fn packed(
    job: &Job<'_>,
    target: &Target,
    wishes: &Wishes,
    source: &mut dyn Source<'_>,
    notes: &mut Notes,
) -> Result<Option<Vec<u8>>> {
    let best = wishes.lossless || job.quality().pick(false, false, true);
    let Some(packer) = target.packs else {
        return Ok(None);
    };
    if packer.of != job.from.name || !best || !is_wanted(job, wishes) {
        return Ok(None);
    }
    let header = source.header();
    let memory = (packer.memory)(header.layout, job.input_len);
    let is_turned = header.orientation != Orientation::NoTransforms;
    job.reserve(limits::BASE + memory)?;
    let Some(file) = source.whole_file(wishes.keep_metadata)? else {
        return Ok(None);
    };
    let packed = (packer.pack)(job, &file)?;
    let (from, to) = (job.from.name, job.to.name);
    notes.add(match &packed {
        None => format!(
            "The {from} cannot be stored in {to} without loss; the {to} was made from its pixels."
        ),
        Some(_) if wishes.keep_metadata => format!(
            "The {from} is stored without loss: converting the {to} to {from} restores it byte for byte."
        ),
        Some(_) => {
            let but = if is_turned { " except its orientation" } else { "" };
            format!(
                "The {from} is stored without loss: converting the {to} to {from} restores it without its metadata{but}, or byte for byte with metadata=keep."
            )
        }
    });
    Ok(packed)
}

/// Returns whether no option changes the picture. At low quality, the client wants a small file, which the original may
/// not be.
fn is_wanted(job: &Job<'_>, wishes: &Wishes) -> bool {
    wishes.bounds == Bounds::default()
        && wishes.turn == Orientation::NoTransforms
        && wishes.crop.is_none()
        && wishes.max_size.is_none()
        && wishes.page.is_none()
        && !wishes.strip_profile
        && (wishes.lossless || job.quality().pick(false, true, true))
}

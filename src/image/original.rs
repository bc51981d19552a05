//! Files that contain another complete file: a JPEG XL file can contain a JPEG. This module packs a file in that way,
//! and restores the original from such a file. In both directions, it removes EXIF and XMP unless they are to be kept.
//! It also offers the file of the source itself, without metadata ([`bare`]). Never claims that bytes are identical
//! when they are not.

use super::{
    limits,
    options::Wishes,
    pixels::resize::Bounds,
    source::{Original, Source},
    target::Target,
    whole::Whole,
};
use convertd_core::{
    error::Result,
    job::{Job, Notes},
};
use image::metadata::Orientation;

/// Restores the file that `source` was made from, if that file has the target format and needs no change except that
/// EXIF and XMP are removed; at low quality, only if the client wants no loss. Adds a note about the restored file, or
/// about the reason why it cannot be restored.
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
    let subject = format!(
        "The {} that the {} was made from",
        job.to.name, job.from.name
    );
    let (file, note) = match found {
        Err(why) => (
            None,
            format!("{subject} {why}; the result was made from the pixels instead."),
        ),
        Ok((file, true)) => (
            Some(file),
            format!("{subject} was restored byte for byte; quality has no effect on it."),
        ),
        Ok((file, false)) => (
            Some(file),
            format!(
                "{subject} was restored without its metadata, and is otherwise unchanged; quality has no effect on it. metadata=keep restores it byte for byte."
            ),
        ),
    };
    notes.add(note);
    Ok(file)
}

/// Packs `source` as a whole into the target format, if it needs no change except that EXIF and XMP are removed, and
/// the client wants the best quality. Adds a note about the packed file, or that it cannot be packed.
pub(super) fn packed(
    job: &Job<'_>,
    target: &Target,
    wishes: &Wishes,
    source: &mut dyn Source<'_>,
    notes: &mut Notes,
) -> Result<Option<Vec<u8>>> {
    if !is_best(job, wishes) {
        return Ok(None);
    }
    let Some(whole) = whole(job, target, wishes, source)? else {
        return Ok(None);
    };
    job.reserve(whole.memory)?;
    let packed = (whole.packer.pack)(job, &whole.file)?;
    let (from, to) = (job.from.name, job.to.name);
    notes.add(match &packed {
        None => format!(
            "The {from} cannot be stored in {to} without loss; the {to} was made from its pixels."
        ),
        Some(_) => whole.note,
    });
    Ok(packed)
}

/// The file of `source`, as an alternative for the writer at a quality below the best: a lower quality must not give a
/// larger file than the best one.
pub(super) fn beside(
    job: &Job<'_>,
    target: &Target,
    wishes: &Wishes,
    source: &mut dyn Source<'_>,
) -> Result<Option<Whole>> {
    if is_best(job, wishes) {
        return Ok(None);
    }
    whole(job, target, wishes, source)
}

/// The file of `source`, if it has the target format and needs no change except the removal of its metadata. It is the
/// result if encoding its pixels again would not make it smaller, so that a coarse file never grows at any quality.
pub(super) fn bare(
    job: &Job<'_>,
    wishes: &Wishes,
    source: &mut dyn Source<'_>,
) -> Result<Option<Vec<u8>>> {
    // Only the reader of jpg can provide such a file.
    let is_jpg = job.to.name == "jpg";
    if !is_jpg || job.from != job.to || wishes.keep_metadata || !is_unchanged(wishes) {
        return Ok(None);
    }
    // Memory holds the file and two more copies of it at the same time. If memory is short, the picture is encoded
    // again instead.
    let need = limits::BASE + 3 * job.input_len;
    if need > job.gate.max_memory() {
        return Ok(None);
    }
    job.reserve(need)?;
    source.bare_file()
}

/// Returns whether the client wants the best quality.
fn is_best(job: &Job<'_>, wishes: &Wishes) -> bool {
    wishes.lossless || job.quality().pick(false, false, true)
}

/// The file of `source`, if the target can store this file as a whole, and no option changes the picture. EXIF and XMP
/// are removed unless the client keeps them.
fn whole(
    job: &Job<'_>,
    target: &Target,
    wishes: &Wishes,
    source: &mut dyn Source<'_>,
) -> Result<Option<Whole>> {
    let packer = target.packs.filter(|packer| packer.of == job.from.name);
    let Some(packer) = packer.filter(|_| is_unchanged(wishes)) else {
        return Ok(None);
    };
    let header = source.header();
    let memory = limits::BASE + (packer.memory)(header.layout, job.input_len);
    let is_turned = header.orientation != Orientation::NoTransforms;
    // Memory holds the file and a copy without its metadata at the same time.
    job.reserve(limits::BASE + 2 * job.input_len)?;
    let Some(file) = source.whole_file(wishes.keep_metadata)? else {
        return Ok(None);
    };
    let (from, to) = (job.from.name, job.to.name);
    let exception = if is_turned {
        " except its orientation"
    } else {
        ""
    };
    let note = match wishes.keep_metadata {
        true => format!(
            "The {from} is stored without loss: converting the {to} to {from} restores it byte for byte."
        ),
        false => format!(
            "The {from} is stored without loss: converting the {to} to {from} restores it without its metadata{exception}, or byte for byte with metadata=keep."
        ),
    };
    Ok(Some(Whole {
        file,
        packer,
        memory,
        note,
    }))
}

/// Returns whether no option changes the picture, and the quality is not low or the client wants no loss. At low
/// quality, the client wants a small file, and the original may be a large one.
fn is_wanted(job: &Job<'_>, wishes: &Wishes) -> bool {
    is_unchanged(wishes) && (wishes.lossless || job.quality().pick(false, true, true))
}

/// Returns whether no option changes the picture, whatever the quality is.
fn is_unchanged(wishes: &Wishes) -> bool {
    wishes.bounds == Bounds::default()
        && wishes.turn == Orientation::NoTransforms
        && wishes.crop.is_none()
        && wishes.max_size.is_none()
        && wishes.page.is_none()
        && !wishes.strip_profile
}

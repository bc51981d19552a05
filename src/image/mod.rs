//! Pictures: header first, then memory, then pixels, row by row wherever both formats allow it.
//! Never decodes anything that the header has not paid for.
//!
//! Each format says in its [row](formats) how it is read and written: a [source] tells size and pixel type of a picture, a
//! [target] what the result can hold. In between stand [pixels], which know no format.

mod adapter;
mod animation;
mod associated;
mod delays;
mod formats;
mod limits;
mod metadata;
mod open;
mod options;
mod pages;
mod patched;
mod pixels;
mod row;
mod source;
mod target;
#[cfg(test)]
mod tests;

use crate::job::{Converter, Input, Job, Notes, Output, Pair};
use crate::{
    error::{Error, Result},
    format::Format,
};
use animation::Animation;
use formats::ROWS;
use image::metadata::Orientation;
use metadata::Metadata;
use options::Wishes;
use pixels::{
    ahead, colour,
    layout::{Channels, Depth},
    orient, resize,
    rows::Rows,
};
use row::Row;
use target::{Palettes, Target};

/// All pictures.
pub static CONVERTER: Converter = Converter {
    name: "image",
    formats: || ROWS.iter().map(|row| &row.format).collect(),
    pairs,
    recognise,
    convert,
};

/// The row of a format of this category.
fn row(format: &Format) -> Option<&'static Row> {
    ROWS.iter().copied().find(|row| row.format == *format)
}

/// Every format that is read becomes every one that is written.
fn pairs() -> Vec<Pair> {
    let readable = ROWS.iter().filter(|row| row.read.is_some());
    readable
        .flat_map(|from| {
            ROWS.iter().filter_map(|to| {
                Some(Pair {
                    from: &from.format,
                    to: &to.format,
                    quality: to.write.as_ref()?.quality,
                    options: options::SPECS,
                })
            })
        })
        .collect()
}

/// Tells files by their content that have no magic bytes.
fn recognise(
    head: &[u8],
    input: &mut dyn Input,
    extension: Option<&str>,
) -> Option<&'static Format> {
    let found = ROWS.iter().find(|row| {
        let recognise = row.read.as_ref().and_then(|reader| reader.recognise);
        recognise.is_some_and(|recognise| recognise(head, input, extension))
    });
    found.map(|row| &row.format)
}

fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let reader = row(job.from).and_then(|row| row.read.as_ref());
    let target = row(job.to).and_then(|row| row.write.as_ref());
    let (Some(reader), Some(target)) = (reader, target) else {
        return Err(Error::internal("no such conversion", job.to.name));
    };
    let wishes = Wishes::of(job.options());
    if let Some(write) = target.write_moving
        && wishes.page.is_none()
        && let Some(animation) = open::moving(job, reader, input)?
    {
        return animate(job, target, write, animation, &wishes, output);
    }
    let mut notes = Notes::default();
    let mut input = open::Still::new(reader, input, wishes.page, &mut notes)?;
    let mut metadata = Metadata::default();
    if wishes.keep_metadata {
        metadata = input.metadata()?;
    }
    let mut source = input.open(job)?;
    notes.0.extend(source.notes());

    // The size of the result, as the file's own sides go: the picture is turned upright last.
    let orientation = source.header().orientation;
    let swaps = orient::swaps_sides(orientation);
    let full = source.header().layout;
    let (width, height) = if swaps {
        (full.height, full.width)
    } else {
        (full.width, full.height)
    };
    let mut resize = resize::Plan::of(&wishes, width, height);
    let (wide, high) = resize.map_or((width, height), |plan| (plan.width, plan.height));
    if let Some(smaller) = target
        .scales_to
        .and_then(|side| resize::Plan::within(side, wide, high))
    {
        notes.add(format!(
            "Scaled down from {wide} × {high} pixels to fit the format."
        ));
        resize = Some(resize.map_or(smaller, |plan| plan.then(smaller)));
    }
    let mut resize = resize.map(|plan| if swaps { plan.swapped() } else { plan });
    if let Some(plan) = resize {
        limits::check_size(plan.width, plan.height)?;
        if plan.keeps_everything() && source.draw_at(plan.width, plan.height) {
            resize = None;
        } else {
            source.reduce(plan.ratio(full));
        }
    }

    // Indices stay what they are, where nothing changes their colours.
    let icc_stays = target.carries_icc && !wishes.strip_profile || source.header().icc.is_none();
    let indices = match target.palettes {
        _ if resize.is_some() || !icc_stays => None,
        Palettes::None => None,
        Palettes::Opaque => source.index(false),
        Palettes::Any => source.index(true),
    };
    let header = source.header();
    let from = header.layout;
    // In linear light where it is worth it.
    let filtered = match resize {
        Some(plan) => {
            let depth = job.quality().pick(from.depth, from.depth, Depth::Float);
            from.with(from.channels, depth)
                .sized(plan.width, plan.height)
        }
        None => from,
    };
    let upright = if swaps {
        filtered.sized(filtered.height, filtered.width)
    } else {
        filtered
    };
    let (channels, depth) = match indices {
        Some(_) => (from.channels, from.depth),
        None => (target.accepts)(from.channels, from.depth),
    };
    let colour = if indices.is_some() {
        Channels::Rgb
    } else {
        channels
    };
    let wanted = upright.with(channels, depth);
    limits::check_target(wanted, job.to.name, target.max_side)?;
    // A profile is carried, or its colours are converted, or it was of no use.
    let icc = header.icc.take();
    let (carried, applied) = match icc {
        Some(icc)
            if target.carries_icc
                && !wishes.strip_profile
                && from.depth != Depth::Float
                && colour::fits(&icc, colour) =>
        {
            (Some(icc), None)
        }
        Some(icc) if colour::fits(&icc, from.channels) && !colour::is_srgb(&icc) => {
            (None, Some(icc))
        }
        _ => (None, None),
    };
    if metadata.limit(target.keeps_metadata) {
        notes.add(match target.keeps_metadata {
            0 => format!(
                "EXIF and XMP are dropped: {} cannot hold them here.",
                job.to.name
            ),
            most => format!(
                "EXIF or XMP is dropped: {} holds at most {most} bytes of it.",
                job.to.name
            ),
        });
    }
    metadata.adapt(wanted.width, wanted.height);
    let lossless = header.lossless && resize.is_none();
    if header.animated {
        notes.add("Only the first frame is kept; the field page chooses another.");
    }

    // A picture that has to be turned is held as a whole, whether its source streams or not.
    let turning = match orientation {
        Orientation::NoTransforms => 0,
        _ if orient::needs_copy(orientation) => 2 * upright.bytes(),
        _ => upright.bytes(),
    };
    let resizing = resize.map_or(0, |plan| {
        plan.memory(from.with(from.channels, filtered.depth))
    });
    let overlaps = target.streams || resize.is_some();
    let parallel = job.spare_threads > 0 && overlaps && ahead::pays(from);
    let running = if parallel { ahead::memory(from) } else { 0 };
    let stage = 32 * u64::from(from.width) + 8 * upright.row_bytes() as u64;
    job.reserve(
        limits::BASE
            + header.memory
            + resizing
            + turning
            + stage
            + running
            + 4 * metadata.bytes()
            + (target.memory)(wanted, job.quality(), lossless)
            + wanted.row_bytes() as u64,
    )?;

    let mut rows = source.decode()?;
    if let Some(icc) = applied {
        rows = colour::to_srgb(rows, &icc);
    }
    let extras = target::Extras {
        colours: indices,
        icc: carried,
        metadata,
        lossless,
    };
    let write = |mut rows: Box<dyn Rows + '_>| {
        if let Some(plan) = resize {
            rows = pixels::convert::convert(rows, from.channels, filtered.depth, wishes.background);
            rows = plan.apply(rows);
        }
        if orientation != Orientation::NoTransforms {
            rows = Box::new(orient::apply(rows.into_frame()?, orientation));
        }
        let rows = pixels::convert::convert(rows, channels, depth, wishes.background);
        (target.write)(job, rows, extras, output, &mut notes)
    };
    if parallel && !rows.in_memory() {
        ahead::run(rows, write)?;
    } else {
        write(rows)?;
    }
    Ok(notes)
}

/// Converts all frames of a moving picture.
fn animate(
    job: &Job<'_>,
    target: &Target,
    write: target::WriteMoving,
    mut animation: Animation<'_>,
    wishes: &Wishes,
    output: &mut dyn Output,
) -> Result<Notes> {
    animation.check()?;
    let from = animation.layout;
    if let Some(icc) = animation.icc.take() {
        animation.memory += 2 * icc.len() as u64;
        if target.carries_icc && !wishes.strip_profile && colour::fits(&icc, from.channels) {
            animation.icc = Some(icc);
        } else if !colour::is_srgb(&icc)
            && let Some(transform) = colour::ToSrgb::of(&icc, from)
        {
            animation.memory += from.bytes();
            animation.frames = Box::new(animation.frames.map(move |frame| {
                let (frame, delay) = frame?;
                Ok((transform.rows(Box::new(frame)).into_frame()?, delay))
            }));
        }
    }
    let resize = resize::Plan::of(wishes, from.width, from.height);
    let to = resize.map_or(from, |plan| from.sized(plan.width, plan.height));
    limits::check_size(to.width, to.height)?;
    limits::check_target(to, job.to.name, target.max_side)?;
    job.reserve(
        limits::BASE
            + animation.memory
            + resize.map_or(0, |plan| plan.memory(from))
            + animation::writing(to),
    )?;
    if let Some(plan) = resize {
        animation.layout = to;
        animation.frames = Box::new(animation.frames.map(move |frame| {
            let (frame, delay) = frame?;
            Ok((plan.apply(Box::new(frame)).into_frame()?, delay))
        }));
    }
    let mut notes = Notes::default();
    write(job, animation, output, &mut notes)?;
    if wishes.keep_metadata {
        notes.add("EXIF and XMP are kept in still pictures only.");
    }
    Ok(notes)
}

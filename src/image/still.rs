//! Converts one picture: opens it, makes a [plan](super::plan), reserves the memory, and then passes rows from the
//! source to the target. Contains nothing that is specific to a format.

use super::{
    cropped, fitting, levels,
    metadata::{Metadata, Resolution, adapt::adapt},
    open,
    options::Wishes,
    original,
    pixels::{
        Rows, ahead, colour, convert::convert as retype, orient, palette::Colours, stages::Stages,
    },
    plan::{Plan, Profile, Terms},
    salvage::{self, Missing},
    source::{Decoding, Reader, Source},
    target::{Extras, Target},
};
use convertd_core::{
    error::{Error, Result},
    job::{Damage, Input, Job, Notes, Output, Quality},
};
use image::metadata::Orientation;

/// A picture that has been prepared for a writer.
pub(crate) enum Made<'r> {
    /// Rows in the layout for the target, and additional data.
    Rows(Box<dyn Rows + 'r>, Box<Extras>),
    /// A complete file in the target format, which is written as it is: the restored original of the source, or the
    /// file of the source in packed form.
    File(Vec<u8>),
}

/// A function that takes the prepared picture, and writes the result.
pub(crate) type Put<'p> = dyn for<'r> FnMut(Made<'r>, &mut Notes) -> Result<()> + 'p;

/// A conversion of one picture: the job, the target format, and the wishes of the client.
#[derive(Clone, Copy)]
pub(crate) struct Goal<'a> {
    pub(crate) job: &'a Job<'a>,
    pub(crate) target: &'a Target,
    pub(crate) wishes: &'a Wishes,
}

/// Converts the requested picture of a file.
pub(crate) fn convert(
    job: &Job<'_>,
    reader: &Reader,
    target: &Target,
    wishes: &Wishes,
    input: &mut dyn Input,
    output: &mut dyn Output,
) -> Result<Notes> {
    let mut notes = Notes::default();
    let mut put = |made: Made<'_>, notes: &mut Notes| {
        write(job, target, wishes.max_size, made, output, notes)
    };
    let goal = Goal {
        job,
        target,
        wishes,
    };
    make(goal, reader, input, &mut notes, &mut put)?;
    Ok(notes)
}

/// Writes a picture that has been prepared for the target, in at most `most` bytes if there is a limit.
pub(crate) fn write(
    job: &Job<'_>,
    target: &Target,
    most: Option<u32>,
    made: Made<'_>,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    match (made, most) {
        (Made::File(bytes), _) => output.write_all(&bytes).map_err(Error::unwritten),
        (Made::Rows(rows, mut extras), None) => {
            let bare = extras.bare.take();
            if extras.has_levels {
                let frame = rows.into_frame()?;
                let (layout, carried) = (frame.layout, levels::carried(&extras));
                let mut encode = |job: &Job<'_>, file: &mut dyn Output, notes: &mut Notes| {
                    (target.write)(job, Box::new(frame.clone()), (*extras).clone(), file, notes)
                };
                levels::write(job, layout, carried, &mut encode, output, notes)?;
            } else {
                (target.write)(job, rows, *extras, output, notes)?;
            }
            let len = output.stream_position().map_err(Error::unwritten)?;
            let Some(bare) = bare.filter(|bare| bare.len() as u64 <= len) else {
                return Ok(());
            };
            output.clear().map_err(Error::unwritten)?;
            output.write_all(&bare).map_err(Error::unwritten)?;
            notes.add(format!(
                "The {0} stays as it is, without its metadata: encoding it again would not make it smaller.",
                job.from.name
            ));
            Ok(())
        }
        (Made::Rows(rows, extras), Some(most)) => {
            // The picture is encoded several times until it fits, so it must be in memory.
            let frame = rows.into_frame()?;
            let mut encode = |job: &Job<'_>, file: &mut dyn Output, notes: &mut Notes| {
                (target.write)(job, Box::new(frame.clone()), (*extras).clone(), file, notes)
            };
            fitting::write(job, most, &mut encode, output, notes)
        }
    }
}

/// Prepares the requested picture for the target, and passes it to `put`.
pub(crate) fn make(
    goal: Goal<'_>,
    reader: &Reader,
    input: &mut dyn Input,
    notes: &mut Notes,
    put: &mut Put<'_>,
) -> Result<()> {
    let mut file = open::Still::new(reader, input, goal.wishes.page, notes)?;
    let metadata = file.metadata(goal.wishes.keep_metadata)?;
    let source = file.open(goal.job)?;
    make_of(goal, source, metadata, notes, put)
}

/// Prepares a picture whose header has been read, in the same way as [`make`].
pub(crate) fn make_of<'a>(
    goal: Goal<'a>,
    mut source: Box<dyn Source<'a> + 'a>,
    mut metadata: Metadata,
    notes: &mut Notes,
    put: &mut Put<'_>,
) -> Result<()> {
    let Goal {
        job,
        target,
        wishes,
    } = goal;
    let header = source.header();
    header.orientation = orient::then(header.orientation, wishes.turn);
    if orient::swaps_sides(header.orientation) {
        metadata.resolution = metadata.resolution.map(Resolution::swapped);
    }
    if source
        .header()
        .icc
        .take_if(|icc| colour::is_cut(icc))
        .is_some()
    {
        notes.add("The colour profile is cut short, and was left out.");
    }
    notes.extend(source.notes());
    let missing = Missing::default();
    if wishes.damage == Damage::Keep {
        source = salvage::keep(job, source, missing.clone());
    }
    if let Some(area) = wishes.crop {
        source = cropped::crop(source, area)?;
    }
    let terms = Terms {
        wishes,
        target,
        name: job.to.name,
        quality: job.quality(),
        spare_threads: job.spare_threads,
    };
    // The result may need no decoding: it may be the original from which the source was made, or the file of the
    // source, packed as a whole.
    for held in [original::of, original::packed] {
        if let Some(file) = held(job, target, wishes, &mut *source, notes)? {
            return put(Made::File(file), notes);
        }
    }
    // At the best quality, the packed file may be the result. Then results at lower qualities must not be larger.
    let whole = original::beside(job, target, wishes, &mut *source)?;
    let bare = original::bare(job, wishes, &mut *source)?;
    let hdr = source.hdr();
    let hdr = hdr.filter(|_| target.carries_hdr && !wishes.strip_profile);
    if hdr.is_some() && !target.carries_icc {
        // The HDR colour space describes the colours better than the profile, which must not be applied to them.
        source.header().icc = None;
    }
    let dropped = metadata.limit(target.keeps_metadata);
    let (plan, colours, orientation) = planned(&terms, &mut *source, &metadata, notes)?;
    if dropped {
        notes.add(match target.keeps_metadata {
            0 => format!(
                "EXIF and XMP were dropped: in this conversion, {} cannot hold them.",
                job.to.name
            ),
            most => format!(
                "EXIF or XMP was dropped: {} holds at most {most} bytes of it.",
                job.to.name
            ),
        });
    }
    let header = source.header();
    if header.animated {
        notes.add("Only the first frame was kept; the field page chooses another.");
    }
    adapt(&mut metadata, plan.to.width, plan.to.height);
    let icc = header.icc.take();
    let fitting = wishes.max_size.map_or(0, |most| {
        let encoding = (target.memory)(plan.to, Quality::High, plan.lossless);
        // Memory holds two copies of the picture, the file that is being written (twice, because it may be moved while
        // it grows), and the best file so far, all at the same time.
        encoding + 4 * plan.to.bytes() + u64::from(most).min(plan.to.bytes())
    });
    let mut need = plan.memory + fitting;
    let bare = bare.filter(|bare| need + bare.len() as u64 <= job.gate.max_memory());
    need += bare.as_ref().map_or(0, |bare| bare.len() as u64);
    let whole = whole.filter(|whole| {
        let packing = 2 * plan.to.bytes() + whole.memory;
        let is_possible = packing <= job.gate.max_memory();
        need = need.max(if is_possible { packing } else { 0 });
        is_possible
    });
    let quality = match wishes.max_size {
        Some(_) => Quality::High,
        None => terms.quality,
    };
    let more = (target.memory_for_less)(plan.to, quality, plan.lossless)
        .filter(|more| need + more <= job.gate.max_memory());
    need += more.unwrap_or(0);
    let levels = match wishes.max_size {
        None if !wishes.lossless => {
            let carried = metadata.bytes() + icc.as_ref().map_or(0, Vec::len) as u64;
            let file_len = whole.as_ref().map_or(0, |whole| whole.file.len()) as u64;
            let wanted = (plan.to, quality, plan.lossless);
            levels::memory(target, wanted, carried, file_len)
        }
        _ => None,
    };
    let levels = levels.filter(|levels| need + levels <= job.gate.max_memory());
    job.reserve(need + levels.unwrap_or(0))?;

    let mut extras = Extras {
        colours,
        icc: None,
        hdr: hdr.filter(|_| plan.profile != Profile::Applied),
        metadata,
        lossless: plan.lossless,
        orientation,
        whole,
        bare,
        has_memory: more.is_some() || levels.is_some(),
        has_levels: levels.is_some(),
    };
    let decoding = match (plan.profile, icc) {
        (Profile::Applied, Some(icc)) => Decoding::Rows(colour::to_srgb(source.decode()?, &icc)),
        (profile, icc) => {
            extras.icc = icc.filter(|_| profile == Profile::Carried);
            if plan.splits {
                source.decode_in_stages()?
            } else {
                Decoding::Rows(source.decode()?)
            }
        }
    };
    let write = |rows: Box<dyn Rows + '_>| {
        let rows = run(&plan, rows, wishes.background)?;
        put(Made::Rows(rows, Box::new(extras)), notes)
    };
    match decoding {
        Decoding::Stages(stages) => ahead::run(stages, write)?,
        Decoding::Rows(rows) if plan.runs_ahead && !rows.in_memory() => {
            ahead::run(Stages::of(rows), write)?;
        }
        Decoding::Rows(rows) => write(rows)?,
    }
    wishes.damage.judge(missing.rows(), notes)
}

/// Makes the plan step by step, and informs the source after each step. Also returns the palette if the picture keeps
/// its indices, and the orientation if the target stores it instead of turning pixels.
fn planned(
    terms: &Terms<'_>,
    source: &mut dyn Source<'_>,
    metadata: &Metadata,
    notes: &mut Notes,
) -> Result<(Plan, Option<Colours>, Option<Orientation>)> {
    let header = source.header();
    let full = header.layout;
    let size = terms.size(full, header.orientation)?;
    if let Some((width, height)) = size.too_large {
        notes.add(format!(
            "The picture was scaled down from {width} × {height} pixels to fit the format."
        ));
    }
    let upright = Orientation::NoTransforms;
    let orientation = terms
        .target
        .turns
        .then(|| std::mem::replace(&mut source.header().orientation, upright));
    let mut resize = size.resize;
    if let Some(to) = resize {
        // If no part is cut off, a drawing is rendered at the new size, and needs no resizing. Other sources may decode
        // at a fraction of their size.
        if to.keeps_everything() && source.draw_at(to.width, to.height) {
            resize = None;
        } else {
            source.reduce(to.ratio(full));
        }
    }
    let colours = terms
        .indices(source.header(), resize.is_some())
        .and_then(|transparency| source.index(transparency));
    let plan = terms.plan(source.header(), resize, colours.is_some(), metadata.bytes())?;
    Ok((plan, colours, orientation))
}

/// Decodes the rows, and converts them to the layout for the target: resizes, turns, and changes the pixel type.
fn run<'a>(
    plan: &Plan,
    mut rows: Box<dyn Rows + 'a>,
    background: [u8; 3],
) -> Result<Box<dyn Rows + 'a>> {
    if let Some((to, depth)) = plan.resize {
        rows = to.apply(retype(rows, plan.from.channels, depth, background));
    }
    if plan.orientation != Orientation::NoTransforms {
        rows = Box::new(orient::apply(rows.into_frame()?, plan.orientation));
    }
    Ok(retype(rows, plan.to.channels, plan.to.depth, background))
}

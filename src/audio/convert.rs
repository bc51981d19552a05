//! Runs a conversion: opens the file, plans the result, and passes blocks from the source to the sink. The properties
//! of the formats come from the rows of the table of formats. Depends on no single format.

use super::{
    formats::ROWS,
    options::{self, Excerpt},
    out::{MAX_OUTPUT, Out, too_large},
    row::Row,
    sink::{Rate, Settings},
    sound::{
        adapt::Adapter,
        channels::speaker::LOW_FREQUENCY,
        pcm::{Block, Depth, Spec},
    },
    stream::Stream,
    tags::chapters::FROM_MARKERS,
};
use convertd_core::{
    error::{Error, Kind, Result},
    format::Format,
    job::{Damage, Input, Job, Notes, Output, Progress, Unit},
};
use std::mem;

/// Memory of a conversion in bytes, for sound of any length: tables of the largest codec, buffers, tags, a cover
/// picture.
pub(super) const MEMORY: u64 = 16 << 20;

/// The longest sound that is converted, in seconds.
const MAX_DURATION: u64 = 24 * 60 * 60;

/// Converts a file. `rate` is the bit rate of a lossy result; if it is `None`, the job's options and quality determine
/// the bit rate.
///
/// Errors: [`Kind::BadInput`] for a file of another format than stated, for damage unless the job's options accept it,
/// and for sound or output beyond the limits; and errors of the job, such as its limit on memory.
pub(super) fn run(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    rate: Option<Rate>,
) -> Result<Notes> {
    let mut notes = Notes::default();
    let notes = &mut notes;
    let mut stream = Stream::new(input, job.gate)
        .map_err(|err| Error::storage("the upload could not be read", err))?;
    let reader = row(job.from).ok_or_else(|| unknown(job.from))?;
    let writer = row(job.to).and_then(|row| row.write.as_ref());
    let writer = writer.ok_or_else(|| unknown(job.to))?;
    let extra = match reader.extra_memory {
        Some(extra_memory) => extra_memory(&mut stream)?,
        None => 0,
    };
    job.reserve(MEMORY + extra)?;

    let mut opened = (reader.open)(stream)?;
    let source = opened.source.as_mut();
    let from = source.spec();
    let options = job.options();
    let wanted = options::wanted(options, from)?;
    let plan = (writer.plan)(match source.lossy() {
        // The output of a lossy codec has no depth of its own, so 16 bits are planned for it.
        true => Spec {
            depth: Depth::Int(16),
            ..wanted
        },
        false => wanted,
    })?;
    let mut part = Excerpt::new(options, from.rate);
    let total = part.of(source.frames().unwrap_or(0));
    if total.saturating_mul(plan.frame_bytes) > MAX_OUTPUT {
        return Err(too_large());
    }
    for sentence in opened.tags.left_out.drain(..) {
        notes.add(sentence);
    }
    for remark in opened.remarks.drain(..) {
        notes.add(remark);
    }
    options::retag(options, &mut opened.tags);
    part.cut_chapters(&mut opened.tags);
    let tags = &opened.tags;
    if writer.has_chapters && tags.has_markers && !tags.chapters().is_empty() {
        notes.add(FROM_MARKERS);
    }
    let damage = Damage::of(options);
    damage.judge(opened.losses, notes)?;
    describe(job, (from, wanted), plan.spec, source.lossy(), notes);
    if let Some(left_out) = writer.left_out {
        left_out(plan.spec, &opened.tags)
            .into_iter()
            .for_each(|remark| notes.add(remark));
    }

    let mut adapter = Adapter::new(from, plan.spec)?;
    let settings = Settings {
        spec: plan.spec,
        tags: &opened.tags,
        quality: job.quality(),
        rate,
        bit_rate: options::bit_rate(options).filter(|_| rate.is_none()),
        spare_threads: job.spare_threads,
    };
    let mut sink = (writer.create)(Out::new(output), &settings)?;
    let mut block = Block::new(from);
    let mut clock = Clock::new(job, from.rate, total)?;
    while source.read(&mut block)? {
        job.check()?;
        let goes_on = part.cut(&mut block);
        clock.advance(&block)?;
        let adapted = adapter.push(&mut block)?;
        if adapted.frames() > 0 {
            sink.write(adapted)?;
        }
        if !goes_on {
            break;
        }
    }
    part.judge()?;
    damage.judge(source.losses(), notes)?;
    sink.write(adapter.finish())?;
    sink.finish()?;
    Ok(mem::take(notes))
}

/// The row of a format in the table.
pub(crate) fn row(format: &Format) -> Option<&'static Row> {
    ROWS.iter().copied().find(|row| row.format == *format)
}

fn unknown(format: &Format) -> Error {
    Error::internal("a format without a row", format.name)
}

/// Counts the length of the sound in milliseconds, and limits it to [`MAX_DURATION`].
struct Clock<'a> {
    /// The job to which progress is reported.
    job: &'a Job<'a>,
    /// Milliseconds of sound so far.
    done: f64,
    /// Milliseconds of the whole sound according to its file; 0 if unknown.
    total: u64,
}

impl<'a> Clock<'a> {
    fn new(job: &'a Job<'a>, rate: u32, frames: u64) -> Result<Self> {
        let total = frames.saturating_mul(1000) / u64::from(rate);
        if total > MAX_DURATION * 1000 {
            return Err(too_long());
        }
        Ok(Self {
            job,
            done: 0.0,
            total,
        })
    }

    /// Counts a block and reports progress.
    fn advance(&mut self, block: &Block) -> Result<()> {
        self.done += block.frames() as f64 * 1000.0 / f64::from(block.spec.rate);
        // Rounding errors of the sum are far below a thousandth.
        let done = (self.done + 0.001) as u64;
        if done > MAX_DURATION * 1000 {
            return Err(too_long());
        }
        self.job.progress(Progress {
            done,
            total: self.total.max(done),
            unit: Unit::Milliseconds,
        });
        Ok(())
    }
}

fn too_long() -> Error {
    Error::new(
        Kind::BadInput,
        format!(
            "the sound is longer than {} hours, the limit; convert it in parts",
            MAX_DURATION / 3600
        ),
    )
}

/// Adds notes about properties that the target format cannot hold. A change that was `wanted` needs no note.
fn describe(job: &Job<'_>, (from, wanted): (Spec, Spec), to: Spec, lossy: bool, notes: &mut Notes) {
    let is_mixed = from.channels != to.channels;
    if is_mixed && (wanted.channels == from.channels || wanted.channels != to.channels) {
        let has_bass = |spec: Spec| spec.channels.mask() & LOW_FREQUENCY != 0;
        let without = match has_bass(from) && !has_bass(to) {
            true => ", without its low-frequency channel",
            false => "",
        };
        notes.add(format!(
            "The {} was mixed to {}{without}.",
            from.channels.sound(),
            to.channels
        ));
    }
    if from.rate != to.rate && (wanted.rate == from.rate || wanted.rate != to.rate) {
        notes.add(format!(
            "The sample rate was changed from {} to {} Hz.",
            from.rate, to.rate
        ));
    }
    match (from.depth, to.depth) {
        (Depth::Float, Depth::Int(bits)) if !lossy => {
            notes.add(format!("Floating-point samples became {bits}-bit integers; values above full scale were clipped."));
        }
        (Depth::Int(before), Depth::Int(after)) if after < before && !lossy => {
            notes.add(format!(
                "Samples of {before} bits were reduced to {after} bits, the most that {} can hold.",
                job.to.name
            ));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognise::recognise;
    use convertd_core::job::{Ledger, Options, Quality, Task, Unlimited};
    use std::io::Cursor;

    fn run(from: &'static Row, to: &'static Row, file: &[u8]) -> Vec<u8> {
        let task = Task {
            from: from.format.name.to_owned(),
            to: to.format.name.to_owned(),
            quality: Quality::Medium,
            options: Options::default(),
            file_title: None,
        };
        let job = Job {
            task: &task,
            from: &from.format,
            to: &to.format,
            input_len: file.len() as u64,
            spare_threads: 0,
            gate: &Ledger::new(&Unlimited),
            beside: None,
        };
        let mut output = Cursor::new(Vec::new());
        super::run(&job, &mut Cursor::new(file), &mut output, None).unwrap();
        output.into_inner()
    }

    #[test]
    fn a_format_needs_only_its_row() {
        let toy = ROWS
            .iter()
            .find(|row| row.format.is_called("rattle"))
            .unwrap();
        let file = b"toy!\0\0\x1f\x40\0\x01\x80\0\x7f\xff";
        assert!(toy.format.matches(file));
        let found = recognise(&mut Cursor::new(b"old toy!"), None).unwrap();
        assert_eq!(found.format, toy.format);
        for other in ROWS.iter().filter(|row| row.write.is_some()) {
            let converted = run(toy, other, file);
            let back = run(other, toy, &converted);
            assert_eq!(&back[..4], b"toy!");
            // A lossless format with any sample rate gives the original file back.
            if (other.write.as_ref())
                .is_some_and(|writer| writer.quality.contains("samples, depth and rate are kept"))
            {
                assert_eq!(back, file, "{}", other.format.name);
            }
        }
    }
}

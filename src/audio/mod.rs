//! Sound: from and to every common format, in blocks, in memory that does not depend on the length.
//!
//! ```text
//! read::open ──► Source ──► Adapter (mix, resample, quantise) ──► Sink ──► output
//!   one file a container       only what has to change              one file a target
//! ```
//! Integers stay integers from end to end where nothing has to change. Never holds a whole file.

mod adapt;
mod bytes;
mod comments;
mod id3;
mod known;
mod mix;
mod ogg;
mod options;
mod pcm;
mod read;
mod resample;
mod sniff;
mod stream;
mod tags;
mod write;

use self::{
    adapt::Adapter,
    options::Damage,
    pcm::{Block, Depth, Spec},
    stream::Stream,
};
use crate::error::{Error, Kind, Result};
use crate::job::{Converter, Input, Job, Notes, Output, Pair, Progress, Unit};

/// All sound.
pub static CONVERTER: Converter = Converter {
    name: "audio",
    formats: || known::FORMATS.iter().collect(),
    pairs,
    recognise: |head, input, extension| {
        let name = sniff::recognise(head, input, extension)?;
        known::FORMATS.iter().find(|format| format.name == name)
    },
    convert,
};

const WRITES: &[&str] = &["mp3", "wav", "flac", "m4a", "ogg", "opus", "aiff", "au"];

const READS: &[&str] = &[
    "mp3", "wav", "flac", "m4a", "ogg", "opus", "aac", "aiff", "au", "caf", "mp2", "mka", "mp4",
    "mov", "mkv", "webm",
];

fn pairs() -> Vec<Pair> {
    let of = |names: &'static [&'static str]| {
        known::FORMATS
            .iter()
            .filter(|format| names.contains(&format.name))
    };
    of(READS)
        .flat_map(|from| {
            of(WRITES).map(move |to| Pair {
                from,
                to,
                quality: write::quality(to),
                options: options::SPECS,
            })
        })
        .collect()
}

/// Memory of a conversion whatever its length, in bytes: the largest codec's tables, buffers, tags, a cover picture.
const MEMORY: u64 = 16 << 20;

/// Longest sound, in seconds.
const MAX_DURATION: u64 = 24 * 60 * 60;

fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let mut notes = Notes::default();
    match run(job, input, output, &mut notes) {
        Ok(()) => Ok(notes),
        // A gate that closed while a codec was reading shows up as that codec's error; its own says why.
        Err(err) => job.check().and(Err(err)),
    }
}

fn run(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut stream = Stream::new(input, job.gate)
        .map_err(|err| Error::storage("the upload could not be read", err))?;
    let extra = read::extra_memory(job, &mut stream)?;
    job.reserve(MEMORY + extra)?;

    let mut opened = read::open(job, stream)?;
    let source = opened.source.as_mut();
    let from = source.spec();
    let plan = write::plan(job.to, from, source.lossy())?;
    let total = source.frames().unwrap_or(0);
    if total.saturating_mul(plan.frame_bytes) > write::MAX_OUTPUT {
        return Err(write::too_large());
    }
    if opened.tags.picture_dropped {
        notes.add("The cover picture is too large and was left out.");
    }
    for remark in opened.remarks.drain(..) {
        notes.add(remark);
    }
    let damage = Damage::of(job.options());
    damage.judge(opened.losses, notes)?;
    describe(job, from, plan.spec, source.lossy(), notes);

    let mut adapter = Adapter::new(from, plan.spec)?;
    let mut sink = write::create(job, output, plan.spec, &opened.tags)?;
    let mut block = Block::new(from);
    let mut clock = Clock::new(job, from.rate, total)?;
    while source.read(&mut block)? {
        job.check()?;
        clock.advance(&block)?;
        let adapted = adapter.push(&mut block)?;
        if adapted.frames() > 0 {
            sink.write(adapted)?;
        }
    }
    damage.judge(source.losses(), notes)?;
    sink.write(adapter.finish())?;
    sink.finish()
}

/// Counts the time of the sound, in milliseconds.
struct Clock<'a> {
    job: &'a Job<'a>,
    done: f64,
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

    fn advance(&mut self, block: &Block) -> Result<()> {
        self.done += block.frames() as f64 * 1000.0 / f64::from(block.spec.rate);
        let done = self.done as u64;
        if done > MAX_DURATION * 1000 {
            return Err(too_long());
        }
        self.job.gate.progress(Progress {
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
        format!("the sound is longer than {} hours", MAX_DURATION / 3600),
    )
}

/// Tells what the target cannot hold.
fn describe(job: &Job<'_>, from: Spec, to: Spec, lossy: bool, notes: &mut Notes) {
    if from.channels != to.channels {
        notes.add(format!(
            "The {} sound was mixed to {}.",
            from.channels, to.channels
        ));
    }
    if from.rate != to.rate {
        notes.add(format!(
            "The sample rate was changed from {} to {} Hz.",
            from.rate, to.rate
        ));
    }
    match (from.depth, to.depth) {
        (Depth::Float, Depth::Int(bits)) if !lossy => {
            notes.add(format!("Floating-point samples became {bits}-bit integers; what exceeded full scale was clipped."));
        }
        (Depth::Int(before), Depth::Int(after)) if after < before && !lossy => {
            notes.add(format!(
                "Samples of {before} bits became {after} bits; {} holds no more.",
                job.to.name
            ));
        }
        _ => {}
    }
}

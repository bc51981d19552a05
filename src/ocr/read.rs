//! Reads pages: finds the lines, reads them on all free threads, and computes the position of each word. The result is
//! the same for any number of threads.

use crate::{
    Model, Page, Reading, Scratch, Text, Turn,
    assemble::{self, Placed},
    layout::{self, Layout},
    raster,
};
use convertd_core::{
    error::{Error, Kind, Result},
    job::Job,
};
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// The longest side of a page in pixels.
pub const MAX_SIDE: usize = 30_000;
/// The largest number of additional threads.
const MAX_THREADS: usize = 7;
/// The number of lines after which the share of readable ones is checked.
const BATCH: usize = 128;
/// The number of batches after which reading stops if hardly any line so far was readable. Such a page is noise.
const MAX_NOISY_BATCHES: usize = 3;
/// Minimum share of readable lines: one in this many.
const READABLE: usize = 25;
/// The number of lines that are read to decide how a page must be turned, and which model reads it.
const SAMPLE: usize = 4;
/// A page counts as upright if the mean probability of its sampled lines is at least this value.
const UPRIGHT: f32 = 0.88;
/// Another orientation is chosen if its mean probability is higher by more than this than that of the page as it is.
const MIN_ADVANTAGE: f32 = 0.06;

/// Choice among several models for a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Each line is read with the model that is most certain of it, for pages with several languages.
    #[default]
    EachLine,
    /// The whole page is read with the model that is most certain of a few sample lines, for pages in an unknown
    /// language.
    WholePage,
}

/// Settings for reading a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Choice among several models.
    pub choice: Choice,
    /// Whether to detect pages that are turned by 90, 180 or 270 degrees, and to read them upright.
    pub turns: bool,
}

/// Reads a page. A page without text has no lines.
///
/// Errors: [`Kind::BadInput`] for a page with a side above [`MAX_SIDE`]; errors of the job if its memory or its time
/// does not suffice.
pub fn read<'a>(
    job: &Job<'a>,
    page: &Page<'_>,
    models: &[&Model<'_>],
    settings: &Settings,
) -> Result<Text> {
    if page.width.max(page.height) > MAX_SIDE {
        let text = format!(
            "the page has {} × {} pixels; OCR reads at most {MAX_SIDE} on a side",
            page.width, page.height
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    if page.width * page.height != page.grey.len() || page.grey.is_empty() || models.is_empty() {
        return Ok(Text::default());
    }
    if layout::is_static(job, page)? {
        return Ok(Text::default());
    }
    let upright = layout::analyse(job, page)?;
    if !settings.turns {
        return read_lines(job, page, &upright, Turn::Upright, models, settings, None);
    }
    let first = sample(job, &upright, models)?;
    if first.mean >= UPRIGHT {
        let sampled = Some(first);
        return read_lines(
            job,
            page,
            &upright,
            Turn::Upright,
            models,
            settings,
            sampled,
        );
    }
    drop(upright);
    let (lines, mut least) = (first.lines.min(2), first.mean + MIN_ADVANTAGE);
    let mut best = (Turn::Upright, first);
    for turn in [Turn::Clockwise, Turn::CounterClockwise, Turn::UpsideDown] {
        let turned = raster::turned(job, page, turn)?;
        let layout = layout::analyse(job, &turned.page())?;
        let sample = sample(job, &layout, models)?;
        if sample.lines >= lines && sample.mean > least {
            least = sample.mean;
            best = (turn, sample);
        }
    }
    let (turn, sample) = best;
    match turn {
        Turn::Upright => {
            let layout = layout::analyse(job, page)?;
            read_lines(job, page, &layout, turn, models, settings, Some(sample))
        }
        turn => {
            let turned = raster::turned(job, page, turn)?;
            let layout = layout::analyse(job, &turned.page())?;
            read_lines(job, page, &layout, turn, models, settings, Some(sample))
        }
    }
}

/// Result of reading a few lines.
struct Sample {
    /// Number of lines in the sample.
    lines: usize,
    /// The mean probability of the most certain model over the lines; 0 without lines.
    mean: f32,
    /// The mean probability of each model over the lines.
    models: Vec<f32>,
}

/// Reads at most [`SAMPLE`] long lines with all models; lines that are not doubtful, and then the longest, first.
fn sample<'a>(job: &Job<'a>, layout: &Layout<'a, '_>, models: &[&Model<'_>]) -> Result<Sample> {
    let mut lines: Vec<usize> = (0..layout.lines.len())
        .filter(|&at| {
            let area = &layout.lines[at].area;
            // Lines that are long enough for a decision, and short enough to be cheap.
            area.width() > 4 * area.height() && area.width() < 50 * area.height()
        })
        .collect();
    lines.sort_by_key(|&at| (layout.lines[at].doubtful, -layout.lines[at].area.width()));
    lines.truncate(SAMPLE);
    let mut scratch = Scratch::new(job);
    let mut sums = vec![0.0; models.len()];
    for &at in &lines {
        job.check()?;
        let Some(crop) = layout.crop(at) else {
            continue;
        };
        for (model, sum) in models.iter().zip(&mut sums) {
            *sum += model.read(job, &crop.image(), &mut scratch)?.mean;
        }
    }
    let count = lines.len().max(1) as f32;
    sums.iter_mut().for_each(|sum| *sum /= count);
    Ok(Sample {
        lines: lines.len(),
        mean: sums.iter().copied().fold(0.0, f32::max),
        models: sums,
    })
}

/// Reads all lines of a page in this orientation. `sampled` is the sample of this layout, if there is one.
fn read_lines<'a>(
    job: &Job<'a>,
    page: &Page<'_>,
    layout: &Layout<'a, '_>,
    turn: Turn,
    models: &[&Model<'_>],
    settings: &Settings,
    sampled: Option<Sample>,
) -> Result<Text> {
    let chosen: Vec<&Model<'_>> = match settings.choice {
        Choice::WholePage if models.len() > 1 => {
            let sampled = match sampled {
                Some(sampled) => sampled,
                None => sample(job, layout, models)?,
            };
            let means = sampled.models;
            let best =
                (0..models.len()).max_by(|&a, &b| means[a].total_cmp(&means[b]).then(b.cmp(&a)));
            vec![models[best.unwrap_or(0)]]
        }
        _ => models.to_vec(),
    };
    let mut placed = Vec::with_capacity(layout.lines.len());
    for begin in (0..layout.lines.len()).step_by(BATCH) {
        let end = layout.lines.len().min(begin + BATCH);
        let batch = read_batch(job, layout, begin..end, &chosen)?;
        let is_readable = |one: &Placed<'_>| assemble::is_readable(one, &layout.lines[one.line]);
        placed.extend(batch.into_iter().filter(is_readable));
        if begin / BATCH + 1 >= MAX_NOISY_BATCHES && placed.len() * READABLE < end {
            break;
        }
    }
    Ok(assemble::text(layout, placed, page, turn))
}

/// Reads some lines on all free threads, the longest first. Lines without anything to read are left out.
fn read_batch<'a, 'm>(
    job: &Job<'a>,
    layout: &Layout<'a, '_>,
    lines: std::ops::Range<usize>,
    models: &[&'m Model<'_>],
) -> Result<Vec<Placed<'m>>> {
    let mut queue: Vec<usize> = lines.clone().collect();
    queue.sort_by_key(|&at| std::cmp::Reverse(layout.lines[at].area.width()));
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Result<Option<Placed<'m>>>>>> =
        Mutex::new(lines.clone().map(|_| None).collect());
    let work = || {
        let mut scratch = Scratch::new(job);
        while let Some(&at) = queue.get(next.fetch_add(1, Ordering::Relaxed)) {
            let read = read_with(job, layout, at, models, &mut scratch);
            let failed = read.is_err();
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done[at - lines.start] = Some(read);
            drop(done);
            if failed {
                // Lets the other threads stop after the lines that they are reading.
                next.store(queue.len(), Ordering::Relaxed);
            }
        }
    };
    let threads = job.spare_threads.min(MAX_THREADS).min(lines.len() / 2);
    thread::scope(|scope| {
        for number in 0..threads {
            // If a thread cannot be started, the others do its work.
            let _ = thread::Builder::new()
                .name(format!("ocr-{number}"))
                .spawn_scoped(scope, work);
        }
        work();
    });
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    // If reading a line has failed, some lines were not tried, and the result is the error.
    let tried = done.into_iter().flatten();
    tried.filter_map(Result::transpose).collect()
}

/// Reads a line with the model that is most certain of it.
fn read_with<'a, 'm>(
    job: &Job<'a>,
    layout: &Layout<'a, '_>,
    line: usize,
    models: &[&'m Model<'_>],
    scratch: &mut Scratch<'a>,
) -> Result<Option<Placed<'m>>> {
    job.check()?;
    let Some(crop) = layout.crop(line) else {
        return Ok(None);
    };
    let image = crop.image();
    let mut best: Option<Reading<'m>> = None;
    for model in models {
        let reading = model.read(job, &image, scratch)?;
        if best.as_ref().is_none_or(|best| reading.mean > best.mean) {
            best = Some(reading);
        }
    }
    Ok(best.map(|reading| Placed {
        line,
        left: crop.left as f32,
        reading,
    }))
}

//! `damaged=keep`: delivers as much of a damaged picture as can be decoded. Missing rows become neutral grey, and a
//! missing frame repeats the previous one. Does not decide whether damage is accepted.
//!
//! Most decoders deliver rows from the top until one fails, and nothing after it. Formats in which each row has a known
//! position [continue](Rows::goes_on) after a damaged row. One of them is BMP, which stores the last row first, so a
//! file that is cut short lacks the rows at the top.

use super::{
    animation::Frames,
    hdr_colour::HdrColour,
    pixels::{Channels, Depth, Frame, Layout, Rows},
    source::{Header, Source},
};
use convertd_core::{
    error::{Kind, Result},
    job::Job,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

/// Counters of missing rows or frames, and of rows that have lost detail. All clones share the counters: one clone
/// counts during decoding, another one is read afterwards.
#[derive(Clone, Debug, Default)]
pub(crate) struct Missing(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    /// Number of rows or frames that could not be decoded.
    missing: AtomicU32,
    /// Number of rows that were decoded with less detail, because coefficients are missing.
    coarse: AtomicU32,
}

impl Missing {
    fn add_one(&self) {
        self.0.missing.fetch_add(1, Ordering::Relaxed);
    }

    /// Describes the rows that are missing or have lost detail, as parts of a sentence that begins with "the file is
    /// damaged: ". Empty if there are no such rows.
    pub(crate) fn rows(&self) -> Vec<String> {
        let mut lost = match self.0.missing.load(Ordering::Relaxed) {
            0 => Vec::new(),
            1 => vec!["one row of pixels could not be decoded, and is grey".into()],
            rows => vec![format!(
                "{rows} rows of pixels could not be decoded, and are grey"
            )],
        };
        match self.0.coarse.load(Ordering::Relaxed) {
            0 => {}
            1 => lost.push("one row of pixels has lost detail".into()),
            rows => lost.push(format!("{rows} rows of pixels have lost detail")),
        }
        lost
    }

    /// Describes the missing frames, in the same form as [`rows`](Self::rows).
    pub(crate) fn frames(&self) -> Vec<String> {
        match self.0.missing.load(Ordering::Relaxed) {
            0 => Vec::new(),
            1 => vec!["one frame could not be decoded, and looks like the one before".into()],
            frames => vec![format!(
                "{frames} frames could not be decoded, and look like the one before them"
            )],
        }
    }
}

/// Wraps a source so that damage does not end the conversion, unless the first row cannot be decoded and decoding
/// cannot go on after it. The rows are colours, and never palette indices, because a palette may lack a neutral grey.
pub(crate) fn keep<'a>(
    job: &'a Job<'a>,
    source: Box<dyn Source<'a> + 'a>,
    missing: Missing,
) -> Box<dyn Source<'a> + 'a> {
    Box::new(Keeping {
        job,
        source,
        missing,
    })
}

/// A source whose rows are salvaged.
struct Keeping<'a> {
    job: &'a Job<'a>,
    source: Box<dyn Source<'a> + 'a>,
    missing: Missing,
}

impl<'a> Source<'a> for Keeping<'a> {
    fn header(&mut self) -> &mut Header {
        self.source.header()
    }

    fn notes(&self) -> Vec<String> {
        self.source.notes()
    }

    fn hdr(&self) -> Option<HdrColour> {
        self.source.hdr()
    }

    fn reduce(&mut self, ratio: f64) {
        self.source.reduce(ratio);
    }

    fn draw_at(&mut self, width: u32, height: u32) -> bool {
        self.source.draw_at(width, height)
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        Ok(Box::new(Salvaged {
            job: self.job,
            rows: self.source.decode()?,
            missing: self.missing,
            next: 0,
            ended: false,
        }))
    }
}

/// The rows of a decoder, with grey rows instead of those that cannot be decoded.
struct Salvaged<'a> {
    job: &'a Job<'a>,
    rows: Box<dyn Rows + 'a>,
    missing: Missing,
    /// Number of the next row.
    next: u32,
    /// Whether the decoder has failed, and cannot continue.
    ended: bool,
}

impl Rows for Salvaged<'_> {
    fn layout(&self) -> Layout {
        self.rows.layout()
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        let is_first = self.next == 0;
        self.next += 1;
        if !self.ended {
            match self.rows.next_row(row) {
                Err(err) if err.kind() == Kind::BadInput => {
                    // If the error comes from a job that was stopped, rather than from damage, this check returns the
                    // error of the job.
                    self.job.check()?;
                    self.ended = !self.rows.goes_on();
                    if self.ended && is_first {
                        // A file without a single row that can be decoded is rejected.
                        return Err(err);
                    }
                }
                result => {
                    if self.rows.is_coarse() {
                        self.missing.0.coarse.fetch_add(1, Ordering::Relaxed);
                    }
                    return result;
                }
            }
        }
        self.missing.add_one();
        grey(self.layout(), row);
        Ok(())
    }
}

/// Frames of an animation that may be damaged. If a frame cannot be decoded, the last one is repeated until there are
/// as many as the header states.
pub(crate) struct SalvagedFrames<'a> {
    job: &'a Job<'a>,
    frames: Frames<'a>,
    missing: Missing,
    /// Number of frames that are still to be delivered.
    left: u32,
    /// The last decoded frame with its duration.
    last: Option<(Frame, Duration)>,
    /// Whether a frame could not be decoded.
    ended: bool,
}

impl<'a> SalvagedFrames<'a> {
    /// Delivers `count` frames: all that can be decoded, then repetitions of the last one.
    pub(crate) fn new(job: &'a Job<'a>, frames: Frames<'a>, count: u32, missing: Missing) -> Self {
        Self {
            job,
            frames,
            missing,
            left: count,
            last: None,
            ended: false,
        }
    }
}

impl Iterator for SalvagedFrames<'_> {
    type Item = Result<(Frame, Duration)>;

    fn next(&mut self) -> Option<Self::Item> {
        if !self.ended {
            match self.frames.next()? {
                Ok(frame) => {
                    self.left = self.left.saturating_sub(1);
                    self.last = Some(frame.clone());
                    return Some(Ok(frame));
                }
                // Returns errors other than damage, and rejects a file whose first frame cannot be decoded.
                Err(err) if err.kind() != Kind::BadInput || self.last.is_none() => {
                    return Some(Err(err));
                }
                Err(_) => self.ended = true,
            }
        }
        if let Err(stopped) = self.job.check() {
            return Some(Err(stopped));
        }
        self.left = self.left.checked_sub(1)?;
        self.missing.add_one();
        self.last.clone().map(Ok)
    }
}

/// A decoded picture with some rows missing.
pub(crate) struct Partial<'a> {
    job: &'a Job<'a>,
    frame: Frame,
    /// Whether each row has been decoded.
    known: Vec<bool>,
    next: usize,
}

impl<'a> Partial<'a> {
    /// A picture of which only the rows marked in `known` have been decoded.
    ///
    /// Errors: [`Kind::BadInput`] if all rows are missing.
    pub(crate) fn new(job: &'a Job<'a>, frame: Frame, known: Vec<bool>) -> Result<Self> {
        if !known.contains(&true) {
            return Err(job.unreadable("it ends before the first row of pixels does"));
        }
        Ok(Self {
            job,
            frame,
            known,
            next: 0,
        })
    }
}

impl Rows for Partial<'_> {
    fn layout(&self) -> Layout {
        self.frame.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        let is_known = self.known.get(self.next).copied().unwrap_or(false);
        self.next += 1;
        self.frame.next_row(row)?;
        if is_known {
            Ok(())
        } else {
            Err(self.job.unreadable("a row of pixels is missing"))
        }
    }

    fn goes_on(&self) -> bool {
        true
    }
}

/// Fills a row with opaque mid-grey, which looks half as bright as white.
fn grey(layout: Layout, row: &mut [u8]) {
    let alpha = match layout.channels {
        Channels::Grey | Channels::Rgb => None,
        Channels::GreyAlpha | Channels::Rgba => Some(layout.channels.count() - 1),
    };
    let size = layout.depth.bytes();
    for (at, sample) in row.chunks_exact_mut(size).enumerate() {
        let is_alpha = alpha == Some(at % layout.channels.count());
        match layout.depth {
            Depth::Eight => sample[0] = if is_alpha { 255 } else { 128 },
            Depth::Sixteen => {
                let value: u16 = if is_alpha { u16::MAX } else { 0x8080 };
                sample.copy_from_slice(&value.to_ne_bytes());
            }
            Depth::Float => {
                // Floats are in linear light: 0.216 is the linear value of the gamma-encoded 0.5.
                let value: f32 = if is_alpha { 1.0 } else { 0.216 };
                sample.copy_from_slice(&value.to_ne_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_rows_are_grey_and_opaque() {
        #[track_caller]
        fn check(channels: Channels, depth: Depth, expected: &[u8]) {
            let layout = Layout {
                width: 1,
                height: 1,
                channels,
                depth,
            };
            let mut row = vec![0; layout.row_bytes()];
            grey(layout, &mut row);
            assert_eq!(row, expected);
        }
        check(Channels::Rgb, Depth::Eight, &[128; 3]);
        check(Channels::Rgba, Depth::Eight, &[128, 128, 128, 255]);
        check(Channels::GreyAlpha, Depth::Sixteen, &[128, 128, 255, 255]);
    }
}

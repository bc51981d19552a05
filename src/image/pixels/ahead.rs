//! Runs a decoder on a second thread while the first thread encodes. The decoder is ahead by at most a few bands of
//! rows.
//!
//! Rows are passed in bands of a quarter of a megabyte. There are three of them: one is being filled, one is being
//! emptied, and one waits. If one of the threads stops, so does the other: the decoder when its bands are no longer
//! received, the encoder when it receives an error.

use super::{
    layout::Layout,
    rows::Rows,
    stages::{First, Second, Stages},
};
use convertd_core::error::{Error, Result};
use crossbeam_channel::{Receiver, Sender, bounded};
use std::thread;

/// Approximate size of a band in bytes.
const BAND: usize = 1 << 18;

/// Number of bands: one being filled, one being emptied, and one waiting.
const BANDS: usize = 3;

/// Returns whether a picture is large enough to be worth a second thread.
pub(crate) fn pays(layout: Layout) -> bool {
    layout.bytes() > 4 * BAND as u64
}

/// Memory of the bands in bytes. A band has at least one line, the output of the first stage for one row, which may be
/// up to 8 bytes longer than the row.
pub(crate) fn memory(layout: Layout) -> u64 {
    (BANDS * (BAND + layout.row_bytes() + 8)) as u64
}

/// Passes rows to `consume`. Their first stage runs on a thread of its own, and their second stage on the thread of
/// `consume`.
pub(crate) fn run<'a, T>(
    stages: Stages<'a>,
    consume: impl FnOnce(Box<dyn Rows + 'a>) -> Result<T>,
) -> Result<T> {
    let Stages {
        layout,
        line_bytes,
        first,
        second,
    } = stages;
    let band_lines = (BAND / line_bytes).clamp(1, layout.height as usize);
    let (filled, bands) = bounded(BANDS);
    let (emptied, empty) = bounded(BANDS);
    for _ in 0..BANDS {
        // The channel can hold all bands, so sending does not wait.
        let _ = emptied.send(vec![0; band_lines * line_bytes]);
    }
    thread::scope(|scope| {
        thread::Builder::new()
            .name("decode".into())
            .spawn_scoped(scope, move || {
                produce(first, layout.height, line_bytes, &empty, &filled)
            })
            .map_err(|err| Error::internal("no thread could be started", err))?;
        consume(Box::new(Ahead {
            layout,
            line_bytes,
            second,
            bands,
            emptied,
            band: Vec::new(),
            at: 0,
        }))
    })
}

/// Fills bands until the picture ends, decoding fails, or the bands are no longer received.
fn produce(
    mut first: First<'_>,
    lines: u32,
    line_bytes: usize,
    empty: &Receiver<Vec<u8>>,
    filled: &Sender<Result<Vec<u8>>>,
) {
    let mut left = lines as usize;
    while left > 0 {
        let Ok(mut band) = empty.recv() else {
            return;
        };
        let count = left.min(band.len() / line_bytes);
        band.truncate(count * line_bytes);
        left -= count;
        let result = band.chunks_exact_mut(line_bytes).try_for_each(&mut first);
        let failed = result.is_err();
        if filled.send(result.map(|()| band)).is_err() || failed {
            return;
        }
    }
}

/// Rows that arrive in bands from the decoding thread.
struct Ahead {
    layout: Layout,
    line_bytes: usize,
    second: Second,
    bands: Receiver<Result<Vec<u8>>>,
    emptied: Sender<Vec<u8>>,
    /// The lines that have arrived last.
    band: Vec<u8>,
    /// Position of the next line in `band`.
    at: usize,
}

impl Rows for Ahead {
    fn layout(&self) -> Layout {
        self.layout
    }

    fn next_row(&mut self, row: &mut [u8]) -> Result<()> {
        if self.at == self.band.len() {
            let next = self.bands.recv().map_err(|_| {
                Error::internal("the picture could not be decoded", "its thread has gone")
            })??;
            let used = std::mem::replace(&mut self.band, next);
            if !used.is_empty() {
                // Sending fails if the decoder has ended. It needs no more bands then, so the error is ignored.
                let _ = self.emptied.send(used);
            }
            self.at = 0;
        }
        let line = &self.band[self.at..][..self.line_bytes];
        (self.second)(line, row);
        self.at += self.line_bytes;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pixels::{
        layout::{Channels, Depth},
        rows::Frame,
    };

    fn frame() -> Frame {
        let layout = Layout {
            width: 1000,
            height: 1500,
            channels: Channels::Grey,
            depth: Depth::Eight,
        };
        let pixels = (0..layout.bytes()).map(|at| (at * 7 / 3) as u8).collect();
        Frame::from_pixels(layout, pixels)
    }

    #[test]
    fn rows_pass_unchanged() {
        let same = run(Stages::of(Box::new(frame())), |rows| rows.into_frame()).unwrap();
        assert_eq!(same.pixels, frame().pixels);
    }

    #[test]
    fn the_second_stage_receives_lines_in_order() {
        let (mut made, mut seen) = (0u32, 0);
        let stages = Stages {
            layout: frame().layout,
            line_bytes: 4,
            first: Box::new(move |line| {
                line.copy_from_slice(&made.to_ne_bytes());
                made += 1;
                Ok(())
            }),
            second: Box::new(move |line, row| {
                assert_eq!(line, u32::to_ne_bytes(seen));
                row.fill(seen as u8);
                seen += 1;
            }),
        };
        let made = run(stages, |rows| rows.into_frame()).unwrap();
        let rows = made.pixels.chunks_exact(1000).enumerate();
        assert!(rows.into_iter().all(|(y, row)| row == [y as u8; 1000]));
    }

    #[test]
    fn a_consumer_may_stop() {
        let stopped = run(Stages::of(Box::new(frame())), |mut rows| {
            rows.next_row(&mut vec![0; 1000])?;
            Ok(())
        });
        assert!(stopped.is_ok());
    }
}

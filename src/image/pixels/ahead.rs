//! Decoding on a second thread while the first one encodes. Runs ahead by a few bands of rows and never further.

use super::{layout::Layout, rows::Rows};
use crate::error::{Error, Result};
use crossbeam_channel::{Receiver, Sender, bounded};
use std::thread;

/// Bytes of rows that change hands at a time, about.
const BAND: usize = 1 << 18;

/// Bands that exist at a time: one being filled, one being emptied, one between.
const BANDS: usize = 3;

/// Whether a picture is large enough to be worth a thread.
pub(crate) fn pays(layout: Layout) -> bool {
    layout.bytes() > 4 * BAND as u64
}

/// Bytes that running ahead takes.
pub(crate) fn memory(layout: Layout) -> u64 {
    (BANDS * (BAND + layout.row_bytes())) as u64
}

/// Hands `rows` to `consume`, while they are produced on a thread of their own.
pub(crate) fn run<T>(
    rows: Box<dyn Rows + '_>,
    consume: impl FnOnce(Box<dyn Rows + '_>) -> Result<T>,
) -> Result<T> {
    let layout = rows.layout();
    let row_bytes = layout.row_bytes();
    let band_rows = (BAND / row_bytes).clamp(1, layout.height as usize);
    let (filled, bands) = bounded(BANDS);
    let (emptied, empty) = bounded(BANDS);
    for _ in 0..BANDS {
        // There is room for all of them.
        let _ = emptied.send(vec![0; band_rows * row_bytes]);
    }
    thread::scope(|scope| {
        thread::Builder::new()
            .name("decode".into())
            .spawn_scoped(scope, move || produce(rows, &empty, &filled))
            .map_err(|err| Error::internal("no thread could be started", err))?;
        consume(Box::new(Ahead {
            layout,
            bands,
            emptied,
            band: Vec::new(),
            at: 0,
        }))
    })
}

/// Fills bands until the picture ends, fails, or nobody wants it any more.
fn produce(
    mut rows: Box<dyn Rows + '_>,
    empty: &Receiver<Vec<u8>>,
    filled: &Sender<Result<Vec<u8>>>,
) {
    let layout = rows.layout();
    let mut left = layout.height as usize;
    while left > 0 {
        let Ok(mut band) = empty.recv() else {
            return;
        };
        let count = left.min(band.len() / layout.row_bytes());
        band.truncate(count * layout.row_bytes());
        left -= count;
        let result = band
            .chunks_exact_mut(layout.row_bytes())
            .try_for_each(|row| rows.next_row(row));
        let failed = result.is_err();
        if filled.send(result.map(|()| band)).is_err() || failed {
            return;
        }
    }
}

struct Ahead {
    layout: Layout,
    bands: Receiver<Result<Vec<u8>>>,
    emptied: Sender<Vec<u8>>,
    band: Vec<u8>,
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
                // After the last band nobody waits for another.
                let _ = self.emptied.send(used);
            }
            self.at = 0;
        }
        row.copy_from_slice(&self.band[self.at..][..row.len()]);
        self.at += row.len();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::pixels::{
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
    fn rows_come_out_as_they_went_in() {
        let same = run(Box::new(frame()), |rows| rows.into_frame()).unwrap();
        assert_eq!(same.pixels, frame().pixels);
    }

    #[test]
    fn a_consumer_may_stop() {
        let stopped = run(Box::new(frame()), |mut rows| {
            rows.next_row(&mut vec![0; 1000])?;
            Ok(())
        });
        assert!(stopped.is_ok());
    }
}

//! The packets of a Matroska track, in a walk over the blocks of its clusters (RFC 9559, sections 5.1.3 and 10). Blocks
//! of other tracks are skipped.

use super::{facts::Treatment, lacing};
use crate::{
    sources::demuxed::{Packet, Packets},
    stream::Stream,
};
use convertd_core::containers::ebml::{Elements, Number};
use std::collections::VecDeque;

/// The second walk over a file, after one that collected the file's [facts](super::facts).
pub(super) struct Blocks<'a> {
    elements: Elements<Stream<'a>>,
    /// Number of the track whose packets are read.
    number: u64,
    /// Reason why the first walk ended early.
    stop: Option<String>,
    /// Packets of the last block that have not been returned.
    queue: VecDeque<Vec<u8>>,
}

impl<'a> Blocks<'a> {
    /// Starts at the beginning of the file.
    pub(super) fn new(stream: Stream<'a>, number: u64, stop: Option<String>) -> Self {
        Self {
            elements: Elements::new(stream),
            number,
            stop,
            queue: VecDeque::new(),
        }
    }

    /// Reads a block, if it belongs to the track. A block whose lacing is invalid yields one packet that cannot be
    /// decoded, so that the gap is reported.
    fn block(&mut self, size: u64) -> Option<()> {
        let mut block = self.elements.body(super::facts::HEAD.min(size))?;
        let number = Number::read(&mut block.as_slice()).map(Number::value);
        if number != Some(self.number) {
            return Some(());
        }
        block.extend(self.elements.body(size)?);
        let mut rest = block.as_slice();
        Number::read(&mut rest)?;
        let is_whole = block.len() as u64 == size;
        match rest.get(2..).filter(|_| is_whole).and_then(lacing::packets) {
            Some(packets) => self.queue.extend(packets.into_iter().map(<[u8]>::to_vec)),
            None => self.queue.push_back(Vec::new()),
        }
        Some(())
    }
}

impl Packets for Blocks<'_> {
    fn next(&mut self) -> Result<Option<Packet>, String> {
        loop {
            if let Some(data) = self.queue.pop_front() {
                return Ok(Some(Packet { data, frames: 0 }));
            }
            let Some(element) = self.elements.next_element() else {
                return self.stop.take().map_or(Ok(None), Err);
            };
            match (super::facts::treatment(element.id), element.size) {
                (Treatment::Entered, _) => self.elements.enter(),
                (Treatment::Block, Some(size)) if self.block(size).is_none() => return Ok(None),
                _ => {}
            }
        }
    }
}

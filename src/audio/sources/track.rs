//! Decodes the packets of a track, cuts the sound at both ends, and counts damage. Reads no container.
//!
//! Lossy codecs add a delay at the beginning and padding at the end. Each container states their lengths in its own
//! way: an edit list, granule positions, an encoder's tag. So the reader of the container sets how many sample frames
//! the track drops and returns. A packet that cannot be decoded becomes silence as long as the last good packet, so
//! that everything after it keeps its time.

use crate::{
    codecs::decoder::Decoder,
    damage::{cut_short, nothing_decoded},
    sound::pcm::{Block, Spec},
};
use convertd_core::error::Result;
use symphonia::core::packet::PacketRef;

/// A track that is decoded, cut at both ends, and checked for damage.
pub(crate) struct Track {
    decoder: Box<dyn Decoder>,
    spec: Spec,
    lossy: bool,
    /// Sample frames that are still to be dropped at the beginning.
    skip: u64,
    /// Sample frames to return in all; `None` if that is unknown.
    total: Option<u64>,
    /// Whether fewer frames than `total` count as a loss.
    strict: bool,
    /// Number of sample frames that have been returned.
    done: u64,
    /// Number of packets that were decoded.
    good: u64,
    /// Number of sample frames in the last packet that was decoded.
    last_frames: usize,
    /// Number of packets that could not be decoded.
    damaged: u64,
    /// Position of the first packet that could not be decoded, in sample frames, and the reason.
    first_damage: Option<(u64, String)>,
}

impl Track {
    /// Makes a track without delay or padding.
    pub(crate) fn new(decoder: Box<dyn Decoder>, spec: Spec, lossy: bool) -> Self {
        Self {
            decoder,
            spec,
            lossy,
            skip: 0,
            total: None,
            strict: false,
            done: 0,
            good: 0,
            last_frames: 0,
            damaged: 0,
            first_damage: None,
        }
    }

    /// See [`Decoder::advance`].
    pub(crate) fn advance(&self, packets: &[Vec<u8>]) -> u64 {
        self.decoder.advance(packets)
    }

    /// See [`Decoder::remark`].
    pub(crate) fn remark(&self) -> Option<&'static str> {
        self.decoder.remark()
    }

    /// Drops `skip` sample frames at the beginning, and ends after `total` more.
    pub(crate) fn cut(&mut self, skip: u64, total: Option<u64>) {
        self.skip = skip;
        self.total = total;
    }

    /// Ends after `total` sample frames, not counting those that are dropped. Fewer mean that the file is incomplete.
    pub(crate) fn end_after(&mut self, total: u64) {
        self.total = Some(total);
        self.strict = true;
    }

    /// From now on, fewer frames than the total mean that the file is incomplete.
    pub(crate) fn be_strict(&mut self) {
        self.strict = true;
    }

    pub(crate) fn spec(&self) -> Spec {
        self.spec
    }

    pub(crate) fn total(&self) -> Option<u64> {
        self.total
    }

    pub(crate) fn lossy(&self) -> bool {
        self.lossy
    }

    /// Returns the number of sample frames that have been returned.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// Returns whether there was no packet so far.
    pub(crate) fn is_unused(&self) -> bool {
        self.good == 0 && self.damaged == 0
    }

    /// Returns whether all sample frames have been returned.
    pub(crate) fn is_complete(&self) -> bool {
        self.total.is_some_and(|total| self.done >= total)
    }

    /// Decodes a packet into `block`. A damaged packet becomes silence as long as the last good packet.
    pub(crate) fn push(&mut self, packet: &PacketRef<'_>, block: &mut Block) {
        match self.decoder.decode(packet, block) {
            Ok(()) => {
                if self.good == 0 {
                    self.settle(block.spec);
                }
                self.good += 1;
                self.last_frames = block.frames();
            }
            Err(error) => {
                self.damaged += 1;
                self.first_damage.get_or_insert((self.done, error));
                block.silence(self.spec, self.last_frames);
            }
        }
        let frames = block.frames();
        let skip = self.skip.min(frames as u64) as usize;
        self.skip -= skip as u64;
        let left = self
            .total
            .map_or(u64::MAX, |total| total.saturating_sub(self.done));
        block.trim(skip, usize::try_from(left).unwrap_or(usize::MAX));
        self.done += block.frames() as u64;
    }

    /// Drops sample frames from the end of the block that has just been decoded.
    pub(crate) fn drop_end(&mut self, block: &mut Block, frames: u64) {
        let before = block.frames();
        let frames = usize::try_from(frames).unwrap_or(usize::MAX);
        block.trim(0, before.saturating_sub(frames));
        self.done -= (before - block.frames()) as u64;
    }

    /// Adopts the decoder's description instead of the container's, which may state a wrong depth, and the sample rate
    /// of HE-AAC before it is doubled.
    fn settle(&mut self, spec: Spec) {
        let (from, to) = (u64::from(self.spec.rate), u64::from(spec.rate));
        self.skip = self.skip * to / from;
        self.total = self.total.map(|total| total.saturating_mul(to) / from);
        self.spec = spec;
    }

    /// Describes, at the end, what is missing or damaged; see [`Source`](crate::source::Source).
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if nothing could be decoded.
    pub(crate) fn finish(&mut self) -> Result<Vec<String>> {
        if self.good == 0 {
            let cause = match (self.first_damage.take(), self.total) {
                (Some((_, cause)), _) => cause,
                (None, Some(total)) if total > 0 => {
                    let seconds = total as f64 / f64::from(self.spec.rate);
                    format!(
                        "its header promises {seconds:.2} s, but the file ends before its first packet is complete"
                    )
                }
                (None, _) => "its audio track is empty".to_owned(),
            };
            return Err(nothing_decoded(&cause));
        }
        let mut losses = Vec::new();
        if let Some((at, cause)) = self.first_damage.take() {
            losses.push(format!(
                "{} of its packets cannot be decoded, the first at {:.2} s ({cause})",
                self.damaged,
                at as f64 / f64::from(self.spec.rate)
            ));
        }
        if let (true, Some(total)) = (self.strict, self.total) {
            losses.extend(cut_short(self.spec.rate, total, self.done));
        }
        if losses.is_empty() && self.decoder.verified() == Some(false) {
            losses.push("the MD5 checksum of its samples is wrong".to_owned());
        }
        Ok(losses)
    }
}

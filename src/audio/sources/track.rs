//! Decoded frames, less what has to be cut off at both ends, with an account of what went wrong. Opens no container.
//!
//! Lossy codecs begin with a delay and end with padding, and only containers know how much of either, each in its own
//! way: edit lists, granule positions, an encoder's tag. A track is told how many frames to drop and how many to hand
//! over. A packet that cannot be decoded becomes silence of the same length, so that what follows stays where it was.

use crate::{
    audio::{
        codecs::decoder::Decoder,
        damage::{cut_short, nothing_decoded},
        sound::pcm::{Block, Spec},
    },
    error::Result,
};
use symphonia::core::packet::PacketRef;

/// A stream of packets that is decoded, cut at both ends, and accounted for.
pub(crate) struct Track {
    decoder: Box<dyn Decoder>,
    spec: Spec,
    lossy: bool,
    /// Frames still to drop at the beginning.
    skip: u64,
    /// Frames to hand over in all, if that is known.
    total: Option<u64>,
    /// Whether fewer frames than `total` mean that something is missing.
    strict: bool,
    done: u64,
    good: u64,
    last_frames: usize,
    /// How many packets could not be decoded; where the first of them was, and why.
    damaged: u64,
    first_damage: Option<(u64, String)>,
}

impl Track {
    /// A track whose decoder says nothing about delays.
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

    /// Drops `skip` frames at the beginning and ends after `total` more.
    pub(crate) fn cut(&mut self, skip: u64, total: Option<u64>) {
        self.skip = skip;
        self.total = total;
    }

    /// Ends after `total` frames, counted without those to drop; fewer mean that the file is incomplete.
    pub(crate) fn end_after(&mut self, total: u64) {
        self.total = Some(total);
        self.strict = true;
    }

    /// Says that fewer frames than the total mean that the file is incomplete.
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

    /// Frames handed over so far.
    pub(crate) fn done(&self) -> u64 {
        self.done
    }

    /// Whether everything has been handed over.
    pub(crate) fn is_complete(&self) -> bool {
        self.total.is_some_and(|total| self.done >= total)
    }

    /// Decodes a packet. A damaged one becomes silence of the same length.
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

    /// Takes frames off the end of the block that has just been decoded.
    pub(crate) fn drop_end(&mut self, block: &mut Block, frames: u64) {
        let before = block.frames();
        let frames = usize::try_from(frames).unwrap_or(usize::MAX);
        block.trim(0, before.saturating_sub(frames));
        self.done -= (before - block.frames()) as u64;
    }

    /// Believes the decoder rather than the container, which is vague about depth and knows nothing of the doubled
    /// rate of HE-AAC.
    fn settle(&mut self, spec: Spec) {
        let (from, to) = (u64::from(self.spec.rate), u64::from(spec.rate));
        self.skip = self.skip * to / from;
        self.total = self.total.map(|total| total.saturating_mul(to) / from);
        self.spec = spec;
    }

    /// The losses, once the end has been reached: what is missing or damaged, see [`Source`](crate::audio::source::Source).
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if nothing could be decoded.
    pub(crate) fn finish(&mut self) -> Result<Vec<String>> {
        if self.good == 0 {
            let cause = match (self.first_damage.take(), self.total) {
                (Some((_, cause)), _) => cause,
                (None, Some(total)) if total > 0 => {
                    let seconds = total as f64 / f64::from(self.spec.rate);
                    format!(
                        "its header promises {seconds:.2} s, and the file ends before its first packet is complete"
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

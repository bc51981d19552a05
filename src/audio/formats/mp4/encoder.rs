//! AAC-LC access units by `syom` (ISO 14496-3, section 4), at a bit rate that the channels with sound can take. Writes
//! no container.
//!
//! An element of a packet may have 6144 bits for each of its channels. For surround sound, `syom` searches for one
//! precision of all elements that spends the bits of the whole packet, and drops the highest bands of an element that
//! becomes too large at that precision. If only one channel of six has sound, such as the speech of films, that channel
//! would lose everything above 8 kHz at the highest bit rate. So the rate follows the number of channels that are not
//! silent: a single channel that cannot get more bits is quantised more coarsely, but keeps its bandwidth.
//!
//! The rate of an encoder is fixed. To change it, a new encoder is first fed the last packets again, so that its
//! windows overlap as the windows of the old encoder would have.

use crate::{
    sink::encoder_error,
    sound::channels::{Channels, speaker},
};
use convertd_core::error::Result;
use syom::{EncodeOptions, Encoder};

/// Sample frames in a packet.
pub(super) const FRAME: usize = 1024;
/// Limit on the bits of a packet for each channel (ISO 14496-3, section 4.5.3).
const MAX_BITS: u32 = 6144;
/// Packets that a new encoder is fed before its output is used. Its transient detectors do not use earlier samples.
const WARM_UP: usize = 4;
/// Peak below which a channel is silent: dither of 16 bits.
const SILENCE: f32 = 1.5 / 32768.0;

/// An encoder of sound with any number of channels.
pub(super) struct Packer {
    encoder: Encoder,
    rate: u32,
    /// Bit rate for a channel in bit/s, if all channels have sound.
    each: u32,
    /// Bit rate for all channels in bit/s.
    bits: u32,
    /// Whether a channel counts towards the rate, for each channel. The low-frequency channel does not, because it
    /// takes next to no bits.
    counts: Vec<bool>,
    /// Samples of the last packets and of the packet that is being filled, for each channel. Empty for one or two
    /// channels, whose samples go directly to the encoder.
    planes: Vec<Vec<f32>>,
    /// Number of sample frames at the beginning of the planes that have already been fed to the encoder.
    fed_frames: usize,
    /// Whether a channel had sound in the last packet, for each channel.
    had_sound: Vec<bool>,
}

impl Packer {
    /// Makes an encoder for `each` bit/s per channel, but at most for nine tenths of the limit of AAC.
    pub(super) fn new(rate: u32, channels: Channels, each: u32) -> Result<Self> {
        let count = channels.count();
        let most = MAX_BITS * (rate / FRAME as u32);
        let each = each.min(most * 9 / 10);
        let bits = each * count as u32;
        let speakers = channels.speakers();
        let mut counts: Vec<bool> = speakers
            .map(|mask| mask != speaker::LOW_FREQUENCY)
            .collect();
        counts.resize(count, true);
        Ok(Self {
            encoder: encoder(rate, count, bits)?,
            rate,
            each,
            bits,
            counts,
            planes: vec![Vec::new(); count],
            fed_frames: 0,
            had_sound: vec![false; count],
        })
    }

    /// Returns the `AudioSpecificConfig`.
    pub(super) fn configuration(&self) -> &[u8] {
        self.encoder.asc()
    }

    /// Encodes samples of all channels, which lie within ±1, and calls `packet` with each complete packet.
    pub(super) fn feed(
        &mut self,
        planes: &[Vec<f32>],
        packet: &mut dyn FnMut(&[u8]),
    ) -> Result<()> {
        if planes.len() <= 2 {
            return feed(&mut self.encoder, planes, 0, planes[0].len(), packet);
        }
        for (own, plane) in self.planes.iter_mut().zip(planes) {
            own.extend_from_slice(plane);
        }
        while self.planes[0].len() - self.fed_frames >= FRAME {
            self.adapt()?;
            let end = self.fed_frames + FRAME;
            feed(
                &mut self.encoder,
                &self.planes,
                self.fed_frames,
                end,
                packet,
            )?;
            self.fed_frames = end;
            let old = self.fed_frames.saturating_sub(WARM_UP * FRAME);
            // The planes are shifted once for many packets.
            if old >= WARM_UP * FRAME {
                for plane in &mut self.planes {
                    plane.drain(..old);
                }
                self.fed_frames -= old;
            }
        }
        Ok(())
    }

    /// Encodes the rest, and returns the number of sample frames that the encoder added in front.
    pub(super) fn finish(&mut self, packet: &mut dyn FnMut(&[u8])) -> Result<u64> {
        let end = self.planes[0].len();
        if end > self.fed_frames {
            feed(
                &mut self.encoder,
                &self.planes,
                self.fed_frames,
                end,
                packet,
            )?;
        }
        let info = self.encoder.finish(|done| {
            packet(done.au);
            Ok(())
        });
        Ok(info.map_err(encoder_error)?.priming)
    }

    /// Sets the rate to the sum that the channels with sound in the next packet can use.
    fn adapt(&mut self) -> Result<()> {
        let next = |plane: &Vec<f32>| {
            let samples = &plane[self.fed_frames..self.fed_frames + FRAME];
            samples.iter().any(|sample| sample.abs() > SILENCE)
        };
        let sounds: Vec<bool> = self.planes.iter().map(next).collect();
        // A window reaches over two packets. A channel with sound in only one of them takes fewer bits than the
        // others, so it counts only if no channel has sound in both.
        let before = std::mem::replace(&mut self.had_sound, sounds.clone());
        let channels = sounds.iter().zip(before).zip(&self.counts);
        let (mut whole, mut part) = (0, 0);
        for ((now, before), counts) in channels {
            whole += u32::from(*now && before && *counts);
            part += u32::from((*now || before) && *counts);
        }
        let loud = if whole > 0 { whole } else { part };
        // The rate stays for silence, which takes no bits at any rate.
        if loud == 0 {
            return Ok(());
        }
        let bits = bits(self.rate, self.each, self.planes.len() as u32, loud);
        if bits == self.bits {
            return Ok(());
        }
        self.bits = bits;
        self.encoder = encoder(self.rate, self.planes.len(), bits)?;
        let from = self.fed_frames.saturating_sub(WARM_UP * FRAME);
        feed(
            &mut self.encoder,
            &self.planes,
            from,
            self.fed_frames,
            &mut |_| (),
        )
    }
}

/// Returns the bit rate in bit/s for all channels, `loud` of which have sound.
fn bits(rate: u32, each: u32, channels: u32, loud: u32) -> u32 {
    // A channel with sound may take the bits of two, if there are silent channels, which need none.
    let wanted = each * channels.min(2 * loud);
    // A packet that uses bits saved by earlier packets may be half as large again as the average, and must still be
    // within the limit. So the average is at most two thirds of the limit.
    let most = MAX_BITS * (rate / FRAME as u32) * loud * 2 / 3;
    wanted.min(most)
}

fn encoder(rate: u32, channels: usize, bits: u32) -> Result<Encoder> {
    let options = EncodeOptions::raw()
        .with_bitrate_bps(bits)
        .with_short_group(true);
    // The encoder can look ahead for attacks only with one or two channels.
    let options = options.with_lookahead(channels <= 2);
    Encoder::new(rate, channels, &options).map_err(encoder_error)
}

/// Feeds the sample frames `from..to` of the planes to the encoder.
fn feed(
    encoder: &mut Encoder,
    planes: &[Vec<f32>],
    from: usize,
    to: usize,
    packet: &mut dyn FnMut(&[u8]),
) -> Result<()> {
    let planes: Vec<&[f32]> = planes.iter().map(|plane| &plane[from..to]).collect();
    let fed = encoder.feed(&planes, |done| {
        packet(done.au);
        Ok(())
    });
    fed.map_err(encoder_error)?;
    Ok(())
}

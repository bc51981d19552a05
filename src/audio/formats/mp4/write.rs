//! Writes AAC-LC in M4A (ISO 14496-12 and -14) with `syom`, and an edit list that removes the encoder's delay exactly.
//! The sound is not kept in memory.
//!
//! The samples come first in the file, and the `moov` box with their table last, because the table is complete only at
//! the end. The table takes two bytes of memory for 23 ms of sound. The size of the `mdat` box has 64 bits from the
//! beginning, so that its head never has to grow.

use super::{
    encoder::{FRAME, Packer},
    movie::Movie,
    packets::Packets,
    program,
};
use crate::{
    out::Out,
    sink::{Plan, Settings, Sink, layout_among, rate_among, sanitised},
    sound::{
        channels::QUAD,
        pcm::{Block, Depth, Samples, Spec},
    },
    tags::Tags,
};
use convertd_core::error::{Error, Kind, Result};

/// The sample rates of AAC from 8 kHz on, in hertz.
const RATES: [u32; 12] = [
    8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
];

/// The layouts of the channel configurations 1 to 7 (ISO 14496-3, table 1.19), and quad, which a [program] describes.
const LAYOUTS: [u32; 8] = [0x4, 0x3, 0x7, 0x107, QUAD, 0x37, 0x3f, 0x63f];

/// Lowest bit rate of a channel at which sound is still recognisable, in bit/s.
const MIN_CHANNEL_RATE: u32 = 16_000;

/// Returns the sample rate and the channels that AAC can hold and that are closest to those of the source.
pub(crate) fn plan(source: Spec) -> Result<Plan> {
    Ok(Plan::compressed(Spec {
        rate: rate_among(&RATES, source.rate),
        channels: layout_among(&LAYOUTS, source.channels)?,
        depth: Depth::Float,
    }))
}

/// Begins an M4A file.
pub(crate) fn create<'a>(out: Out<'a>, settings: &Settings<'_>) -> Result<Box<dyn Sink + 'a>> {
    Ok(Box::new(M4a::new(out, settings)?))
}

/// An M4A file that is being written.
pub(crate) struct M4a<'a> {
    out: Out<'a>,
    encoder: Packer,
    planes: Vec<Vec<f32>>,
    packets: Packets,
    bytes: Vec<u8>,
    data: u64,
    frames: u64,
    spec: Spec,
    tags: Tags,
}

impl<'a> M4a<'a> {
    /// Writes the beginning of the file. The size of `mdat` is filled in at the end, and the tables follow the sound.
    pub(crate) fn new(mut out: Out<'a>, settings: &Settings<'_>) -> Result<Self> {
        let (spec, tags) = (settings.spec, settings.tags);
        let channels = spec.channels.count();
        let stereo: u32 = settings.pick(64e3, 96e3, 160e3, 256e3).round() as u32;
        let each = match settings.bit_rate {
            Some(rate) => (rate * 1000 / channels as u32).max(MIN_CHANNEL_RATE),
            None => stereo / 2,
        };
        let encoder = Packer::new(spec.rate, spec.channels, each)?;
        out.put(b"\0\0\0\x20ftypM4A \0\0\0\0M4A mp42isom\0\0\0\0")?;
        out.put(b"\0\0\0\x01mdat")?;
        out.put(&[0; 8])?;
        Ok(Self {
            data: out.position(),
            out,
            encoder,
            planes: vec![Vec::new(); channels],
            packets: Packets::default(),
            bytes: Vec::new(),
            frames: 0,
            spec,
            tags: tags.clone(),
        })
    }

    fn feed(&mut self) -> Result<()> {
        let (packets, bytes) = (&mut self.packets, &mut self.bytes);
        bytes.clear();
        self.encoder.feed(&self.planes, &mut |packet| {
            packets.push(packet.len());
            bytes.extend_from_slice(packet);
        })?;
        self.out.put(&self.bytes)
    }
}

impl Sink for M4a<'_> {
    fn write(&mut self, block: &Block) -> Result<()> {
        let Samples::Float(samples) = &block.samples else {
            return Ok(());
        };
        let channels = self.planes.len();
        for (channel, plane) in self.planes.iter_mut().enumerate() {
            plane.clear();
            // The encoder refuses samples beyond full scale.
            plane.extend(
                samples
                    .iter()
                    .skip(channel)
                    .step_by(channels)
                    .map(|x| sanitised(*x).clamp(-1.0, 1.0)),
            );
        }
        self.frames += block.frames() as u64;
        if self.planes[0].is_empty() {
            return Ok(());
        }
        self.feed()
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        if self.frames == 0 {
            return Err(Error::new(
                Kind::BadInput,
                "the file holds no sound: its audio track is empty",
            ));
        }
        let (packets, bytes) = (&mut self.packets, &mut self.bytes);
        bytes.clear();
        let delay = self.encoder.finish(&mut |packet| {
            packets.push(packet.len());
            bytes.extend_from_slice(packet);
        })?;
        self.out.put(&self.bytes)?;
        let end = self.out.position();
        // Packets after the last sample stay in the file, but are not entered into the table.
        let total = delay + self.frames;
        self.packets.truncate(total.div_ceil(FRAME as u64) as usize);
        let setup = match self.spec.channels.mask() {
            QUAD => program::quad(self.encoder.configuration()),
            _ => self.encoder.configuration().to_vec(),
        };
        let movie = Movie {
            rate: self.spec.rate,
            channels: self.spec.channels.count() as u16,
            setup: &setup,
            delay,
            frames: self.frames,
            packet_frames: FRAME as u64,
            packets: &self.packets,
            data: self.data,
            tags: &self.tags,
        };
        movie.write(&mut self.out)?;
        self.out
            .patch(self.data - 8, &(end - self.data + 16).to_be_bytes())?;
        self.out.finish()
    }
}

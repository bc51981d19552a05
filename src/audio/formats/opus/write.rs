//! Writes Opus in Ogg (RFC 7845) with `opus-pure`, mono to 7.1.
//!
//! The encoder delays the sound. The header states by how many samples (pre-skip), and silence after the sound pushes
//! the last samples through the encoder. The last packet gets a page of its own, because the granule position of that
//! page states the exact end of the sound.

use crate::{
    ogg,
    out::Out,
    sink::{Plan, Settings, Sink, encoder_error, layout_among, sanitised},
    sound::{
        channels::{LAYOUTS, VORBIS_ORDER},
        pcm::{Block, Depth, Samples, Spec},
    },
    tags::{Tags, comments},
};
use convertd_core::error::Result;
use opus_pure::{Application, MAX_PACKET_BYTES, OpusEncoder, OpusMSEncoder, RateControl};

/// The sample rate of every Opus stream, in hertz.
const RATE: u32 = 48_000;
/// Sample frames in a packet, which make 20 ms.
const FRAME: usize = 960;
/// The serial number of the stream. Any number is valid, because the file has no other stream.
const SERIAL: u32 = 0x6f70_7573;

/// Returns the channels that Opus can hold and that are closest to those of the source, at 48 kHz.
pub(crate) fn plan(source: Spec) -> Result<Plan> {
    Ok(Plan::compressed(Spec {
        rate: RATE,
        channels: layout_among(&LAYOUTS, source.channels)?,
        depth: Depth::Float,
    }))
}

/// Returns a remark if the tags have peaks of ReplayGain. RFC 7845, section 5.2.1, forbids the fields of ReplayGain.
pub(crate) fn left_out(_: Spec, tags: &Tags) -> Vec<String> {
    let has_peak = tags.own().any(|(name, _)| name.ends_with("_PEAK"));
    let remark = "The peaks of ReplayGain were left out, because opus has no place for them.";
    has_peak.then(|| remark.to_owned()).into_iter().collect()
}

enum Encoder {
    One(Box<OpusEncoder>),
    Many(Box<OpusMSEncoder>),
}

/// Begins an Opus file.
pub(crate) fn create<'a>(out: Out<'a>, settings: &Settings<'_>) -> Result<Box<dyn Sink + 'a>> {
    Ok(Box::new(Opus::new(out, settings)?))
}

/// An Opus file that is being written.
pub(crate) struct Opus<'a> {
    out: Out<'a>,
    encoder: Encoder,
    pages: ogg::Writer,
    channels: usize,
    delay: usize,
    pending: Vec<f32>,
    packet: Vec<u8>,
    /// The latest packet. It is held back, because the last packet gets a page of its own.
    held: Vec<u8>,
    packets: u64,
    frames: u64,
}

impl<'a> Opus<'a> {
    /// Writes the headers (RFC 7845, section 5), and prepares one encoder, or several for surround sound.
    pub(crate) fn new(out: Out<'a>, settings: &Settings<'_>) -> Result<Self> {
        let (spec, tags) = (settings.spec, settings.tags);
        let channels = spec.channels.count();
        let stereo = settings.pick(32e3, 64e3, 96e3, 160e3).round() as i32;
        let bits = match (settings.bit_rate, channels) {
            (Some(rate), _) => (rate as i32 * 1000).min(256_000 * channels as i32),
            (None, 1) => stereo * 6 / 10,
            (None, _) => stereo / 2 * channels as i32,
        };
        let (encoder, delay, layout) = if channels <= 2 {
            let mut encoder = OpusEncoder::new(RATE as i32, channels, Application::Audio)
                .map_err(encoder_error)?;
            encoder.bitrate_bps = bits;
            encoder.rate_control = RateControl::Vbr;
            let delay = encoder.lookahead();
            (Encoder::One(Box::new(encoder)), delay, None)
        } else {
            let mut encoder = OpusMSEncoder::new(RATE as i32, channels, 1, Application::Audio)
                .map_err(encoder_error)?;
            encoder.set_bitrate(bits);
            for stream in encoder.streams_mut() {
                stream.rate_control = RateControl::Vbr;
            }
            let delay = encoder
                .streams()
                .first()
                .map_or(312, OpusEncoder::lookahead);
            let layout = encoder.layout().clone();
            (Encoder::Many(Box::new(encoder)), delay, Some(layout))
        };
        let mut head = b"OpusHead\x01".to_vec();
        head.push(channels as u8);
        head.extend((delay as u16).to_le_bytes());
        head.extend(RATE.to_le_bytes());
        head.extend([0; 2]);
        match layout {
            None => head.push(0),
            Some(layout) => {
                head.extend([1, layout.nb_streams as u8, layout.nb_coupled_streams as u8]);
                head.extend(layout.mapping);
            }
        }
        let mut opus = Self {
            out,
            encoder,
            pages: ogg::Writer::new(SERIAL),
            channels,
            delay,
            pending: Vec::new(),
            packet: vec![0; MAX_PACKET_BYTES * channels.max(2)],
            held: Vec::new(),
            packets: 0,
            frames: 0,
        };
        opus.out.packet(&mut opus.pages, &head, 0)?;
        opus.out.page(&mut opus.pages, ogg::FIRST)?;
        let mut header = b"OpusTags".to_vec();
        header.append(&mut comments::write(tags, comments::Stream::Opus, None));
        opus.out.packet(&mut opus.pages, &header, 0)?;
        opus.out.page(&mut opus.pages, 0)?;
        Ok(opus)
    }

    /// Encodes all complete frames. The last packet is held back, because the end of the stream belongs to it.
    fn encode(&mut self) -> Result<()> {
        let size = FRAME * self.channels;
        let mut start = 0;
        while self.pending.len() - start >= size {
            let frame = &self.pending[start..start + size];
            let encoded = match &mut self.encoder {
                Encoder::One(encoder) => encoder.encode(frame, FRAME, &mut self.packet),
                Encoder::Many(encoder) => encoder.encode(frame, FRAME, &mut self.packet),
            };
            let length = encoded.map_err(encoder_error)?;
            start += size;
            if self.packets > 0 {
                let granule = (self.packets as usize * FRAME) as i64;
                self.out.packet(&mut self.pages, &self.held, granule)?;
                if self.pages.is_full() {
                    self.out.page(&mut self.pages, 0)?;
                }
            }
            self.held.clear();
            self.held.extend_from_slice(&self.packet[..length]);
            self.packets += 1;
        }
        self.pending.drain(..start);
        Ok(())
    }
}

impl Sink for Opus<'_> {
    fn write(&mut self, block: &Block) -> Result<()> {
        let Samples::Float(samples) = &block.samples else {
            return Ok(());
        };
        self.frames += block.frames() as u64;
        let order = VORBIS_ORDER[self.channels - 1];
        for frame in samples.chunks_exact(self.channels) {
            // `order` maps each of our channels to its index in the Opus order, so the sample goes to that index.
            let start = self.pending.len();
            self.pending.resize(start + self.channels, 0.0);
            for (index, sample) in order.iter().zip(frame) {
                self.pending[start + index] = sanitised(*sample);
            }
        }
        self.encode()
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        // Silence pushes the last samples through the encoder's delay.
        let end = self.delay as u64 + self.frames;
        let total = end.div_ceil(FRAME as u64).max(1) * FRAME as u64;
        let silence = (total - self.frames) as usize * self.channels;
        self.pending.resize(self.pending.len() + silence, 0.0);
        self.encode()?;
        if !self.pages.is_empty() {
            self.out.page(&mut self.pages, 0)?;
        }
        self.out.packet(&mut self.pages, &self.held, end as i64)?;
        self.out.page(&mut self.pages, ogg::LAST)?;
        self.out.finish()
    }
}

//! MPEG audio, layer 2 (ISO 11172-3, section 2.4), by Symphonia's decoder, also at rates that the standard forbids.
//! `crate::formats` reads the containers.
//!
//! The standard does not allow 224 to 384 kbit/s for one channel (section 2.4.2.3), and Symphonia refuses frames with
//! such headers; ffmpeg and others write and read them, and also frames of free format above 192 kbit/s. The data of
//! such a frame has the usual layout. So the frame is disguised as a frame of two channels, whose second channel has no
//! bits in any subband: the only addition is the bit allocation of that channel, a zero after each allocation of the
//! first channel. These zeros take up to 12 bytes, so the header also claims 32 kHz, the rate with the longest frames.
//! The allocation tables for 32 and 44.1 kHz are the same (3-B.2b), and the table for 48 kHz (3-B.2a) lacks the last
//! three subbands, which get no bits here. In a frame at 384 kbit/s and 32 kHz, data may reach into the last 12 bytes.
//! Then the zeros do not fit, and the frame is reported as damaged.

use super::{
    decoder::{Decoder, packet},
    flac::encode::bits::Writer,
    mpeg::Header,
    symphonic::{Symphonic, positions},
};
use crate::sound::{
    channels::Channels,
    pcm::{Block, Depth, Samples, Spec},
};
use convertd_core::{coding::bits::MsbReader, error::Result as Opened};
use symphonia::core::{
    codecs::audio::{AudioCodecParameters, well_known::CODEC_ID_MP2},
    packet::PacketRef,
};

/// The header that Symphonia sees: MPEG 1, layer 2, no checksum, 384 kbit/s, 32 kHz, one byte of padding, two channels.
const WIDE_HEADER: [u8; 4] = [0xff, 0xfd, 0xea, 0x00];

/// The length of a frame with that header.
const WIDE_LENGTH: usize = 144 * 384 / 32 + 1;

/// Groups of subbands whose bit allocations have the same length (tables 3-B.2a and 3-B.2b): the number of subbands,
/// and the length of each allocation in bits.
const ALLOCATIONS: [(usize, u32); 3] = [(11, 4), (12, 3), (7, 2)];

/// Subbands at 48 kHz; there are 30 at other rates.
const SUBBANDS_AT_48_KHZ: usize = 27;

/// A decoder for the frames of a stream.
pub(crate) struct Layer2 {
    /// Decoder for the frames as they are, or, if `wide`, for the frames disguised as two-channel ones.
    inner: Symphonic,
    /// Whether a frame had to be disguised as one of two channels. All later frames are disguised as well, because the
    /// filter bank continues from one frame to the next.
    wide: bool,
}

impl Layer2 {
    /// Makes a decoder. Fails with [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if Symphonia was built
    /// without layer 2.
    pub(crate) fn new(params: &AudioCodecParameters) -> Opened<Self> {
        Ok(Self {
            inner: Symphonic::new(params)?,
            wide: false,
        })
    }
}

impl Decoder for Layer2 {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        let header = Header::read(packet.data);
        if !self.wide {
            if !header.is_some_and(|header| header.is_forbidden_mono()) {
                return self.inner.decode(packet, block);
            }
            let mut params = AudioCodecParameters::new();
            params
                .for_codec(CODEC_ID_MP2)
                .with_sample_rate(32_000)
                .with_channels(positions(Channels::STEREO));
            self.inner = Symphonic::new(&params).map_err(|err| err.to_string())?;
            self.wide = true;
        }
        let header = header
            .filter(|header| (header.layer, header.version, header.mono) == (2, 3, true))
            .ok_or("the kind of a frame differs from that of the frames before it")?;
        let frame = widened(&header, packet.data)
            .ok_or("a full frame of 384 kbit/s at 32 kHz is not supported for one channel")?;
        let spec = Spec::new(header.rate(), Channels::MONO, Depth::Float)
            .map_err(|err| err.to_string())?;
        self.inner.decode(&self::packet(&frame, 1152), block)?;
        if let Samples::Float(samples) = &mut block.samples {
            let mut side = 0;
            samples.retain(|_| {
                side ^= 1;
                side == 1
            });
        }
        block.spec = spec;
        Ok(())
    }
}

/// Rewrites a frame to have two channels, the second of which has no bits. `None` if the changed frame would be too
/// long.
fn widened(header: &Header, frame: &[u8]) -> Option<Vec<u8>> {
    let checksum = if frame.get(1)? & 1 == 0 { 2 } else { 0 };
    let data = frame.get(Header::SIZE + checksum..)?;
    let subbands = match header.rate() {
        48_000 => SUBBANDS_AT_48_KHZ,
        _ => usize::MAX,
    };
    let mut from = MsbReader::new(data);
    let mut to = Writer::default();
    let bits = ALLOCATIONS
        .iter()
        .flat_map(|(count, bits)| std::iter::repeat_n(*bits, *count));
    let mut read = 0;
    for (subband, bits) in bits.enumerate() {
        if subband < subbands {
            to.put(from.take(bits), bits);
            read += bits as usize;
        } else {
            to.put(0, bits);
        }
        to.put(0, bits);
    }
    for _ in 0..(8 * data.len()).saturating_sub(read).div_ceil(24) {
        to.put(from.take(24), 24);
    }
    to.align();
    let end = to.bytes.iter().rposition(|byte| *byte != 0);
    to.bytes.truncate(end.map_or(0, |end| end + 1));
    let mut wide = [&WIDE_HEADER, &to.bytes[..]].concat();
    (wide.len() <= WIDE_LENGTH).then(|| {
        wide.resize(WIDE_LENGTH, 0);
        wide
    })
}

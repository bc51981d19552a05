//! WavPack in packets of Matroska ("Matroska Codec Mappings", WavPack): the blocks of all channels, with shortened
//! headers. Ignores the corrections of lossy blocks, which are stored as additions to a packet.
//!
//! A packet begins with the number of its sample frames. Its blocks follow, each with its flags and its checksum. If
//! there are several blocks, each also has its length. The version is in the track's setup.

use super::{Flags, Header, WavPack, header::spec};
use crate::{
    codecs::decoder::Decoder,
    sound::{
        channels::MAX_CHANNELS,
        pcm::{Block, Depth},
    },
};
use symphonia::core::packet::PacketRef;

/// Largest number of samples of all channels in a packet. Half a second of eight channels at 192 kHz has fewer.
const MAX_SAMPLES: u64 = 1 << 20;

/// Memory of a decoder in bytes: the samples of a packet twice, once by blocks and once interleaved.
pub(crate) const MEMORY: u64 = 2 * 4 * MAX_SAMPLES;

/// Version of the stream if the track has no setup data.
const DEFAULT: u16 = 0x410;

/// The decoder of a track.
pub(crate) struct Packets {
    version: u16,
    blocks: WavPack,
    /// The number of channels of each block, and its samples. Entries beyond the blocks of a packet are left from
    /// earlier packets, to reuse their memory.
    parts: Vec<(usize, Vec<i32>)>,
    /// Whether a block so far was lossy.
    is_lossy: bool,
}

impl Packets {
    pub(crate) fn new(setup: &[u8]) -> Self {
        let version = setup.first_chunk().copied();
        Self {
            version: version.map_or(DEFAULT, u16::from_le_bytes),
            blocks: WavPack::new(),
            parts: Vec::new(),
            is_lossy: false,
        }
    }
}

impl Decoder for Packets {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        const SHORT: &str = "a packet is cut short";
        let mut rest: &[u8] = packet.data;
        let frames = long(&mut rest).ok_or(SHORT)?;
        let (mut channels, mut first) = (0, None);
        let mut count = 0;
        while !rest.is_empty() {
            let [flags, checksum] = [long(&mut rest), long(&mut rest)];
            let (flags, checksum) = (flags.ok_or(SHORT)?, checksum.ok_or(SHORT)?);
            let header = Header::of_packet(self.version, frames, flags, checksum);
            let header = header.ok_or("a block has an invalid header")?;
            if header.flags.has(Flags::DSD) {
                return Err("it is DSD (Direct Stream Digital)".to_owned());
            }
            let is_alone = header.flags.has(Flags::FIRST) && header.flags.has(Flags::LAST);
            let len = match is_alone {
                true => rest.len(),
                false => long(&mut rest).ok_or(SHORT)? as usize,
            };
            let (body, after) = rest.split_at_checked(len).ok_or(SHORT)?;
            rest = after;
            self.is_lossy |= header.flags.has(Flags::HYBRID);
            channels += header.flags.channels();
            let is_possible = channels <= usize::from(MAX_CHANNELS);
            if !is_possible || channels as u64 * u64::from(frames) > MAX_SAMPLES {
                return Err("a packet has more channels or samples than are supported".to_owned());
            }
            if self.parts.len() == count {
                self.parts.push((0, Vec::new()));
            }
            let (of_part, samples) = &mut self.parts[count];
            *of_part = header.flags.channels();
            self.blocks.decode(&header, body, samples)?;
            first.get_or_insert((header.flags, body));
            count += 1;
        }
        let (flags, body) = first.ok_or(SHORT)?;
        let spec = spec(flags, channels, body)?;
        let parts = &self.parts[..count];
        let samples = (0..frames as usize).flat_map(|frame| {
            parts.iter().flat_map(move |(channels, samples)| {
                let at = frame * channels;
                samples[at..at + channels].iter().copied()
            })
        });
        match spec.depth {
            Depth::Int(_) => block.ints(spec).extend(samples),
            Depth::Float => {
                let samples = samples.map(|bits| f32::from_bits(bits as u32));
                block.floats(spec).extend(samples);
            }
        }
        Ok(())
    }

    fn remark(&self) -> Option<&'static str> {
        self.is_lossy.then_some(
            "The track is the lossy part of hybrid WavPack; it was converted without corrections.",
        )
    }
}

/// Takes the next number of four bytes; `None` if fewer bytes are left.
fn long(rest: &mut &[u8]) -> Option<u32> {
    let (bytes, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(u32::from_le_bytes(*bytes))
}

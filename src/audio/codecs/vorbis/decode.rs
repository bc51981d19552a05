//! Decodes Vorbis packets (xiph.org, Vorbis I) with `rusty_vorbis`. `crate::formats` reads the containers.

use crate::{
    codecs::decoder::Decoder,
    damage::bad,
    sound::{
        channels::{Channels, VORBIS_ORDER},
        pcm::{Block, Depth, Spec},
    },
};
use convertd_core::error::Result;
use rusty_vorbis::decode::Decoder as VorbisDecoder;
use symphonia::core::packet::PacketRef;

/// A decoder for the packets of one stream.
pub(crate) struct Vorbis {
    inner: VorbisDecoder,
    spec: Spec,
    order: Vec<usize>,
    decoded: Vec<f32>,
}

impl Vorbis {
    /// Makes a decoder from the first and the third header packet.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) for damaged headers.
    pub(crate) fn new(identification: &[u8], setup: &[u8]) -> Result<Self> {
        // The second header holds comments, which may include a picture of several megabytes. The decoder does not use
        // comments, so it gets a header without comments.
        const NO_COMMENTS: &[u8] = b"\x03vorbis\0\0\0\0\0\0\0\0\x01";
        Channels::of(identification.get(11).copied().unwrap_or(0).into())?;
        let inner = VorbisDecoder::new(identification, NO_COMMENTS, setup).map_err(|err| {
            bad(format!(
                "the headers of the Vorbis stream cannot be read: {err}"
            ))
        })?;
        let count = inner.channels();
        let channels = Channels::of(count as u32)?;
        let spec = Spec::new(inner.sample_rate(), channels, Depth::Float)?;
        let order = match VORBIS_ORDER.get(count - 1) {
            Some(order) => order.to_vec(),
            None => (0..count).collect(),
        };
        let decoded = vec![0.0; inner.max_frames_per_packet() * count];
        Ok(Self {
            inner,
            spec,
            order,
            decoded,
        })
    }

    /// Makes a decoder from the two headers joined together, as Symphonia returns them. The first has a fixed length.
    pub(crate) fn from_joined_headers(setup: &[u8]) -> Result<Self> {
        const IDENTIFICATION: usize = 30;
        let (identification, setup) = setup
            .split_at_checked(IDENTIFICATION)
            .ok_or_else(|| bad("the headers of the Vorbis stream are cut short"))?;
        Self::new(identification, setup)
    }

    /// The rate, channels and depth of the decoded sound.
    pub(crate) fn spec(&self) -> Spec {
        self.spec
    }
}

impl Decoder for Vorbis {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        let frames = self
            .inner
            .decode_interleaved(packet.data, &mut self.decoded)
            .map_err(|err| err.to_string())?;
        let count = self.order.len();
        let samples = block.floats(self.spec);
        samples.reserve(frames * count);
        for frame in self.decoded.chunks_exact(count).take(frames) {
            samples.extend(self.order.iter().map(|from| frame[*from]));
        }
        Ok(())
    }
    /// A packet adds a quarter of its own block size and a quarter of the block size of the previous packet (Vorbis I,
    /// section A.2).
    fn advance(&self, packets: &[Vec<u8>]) -> u64 {
        let sizes = packets
            .iter()
            .filter_map(|packet| self.inner.packet_blocksize(packet).ok());
        let sizes: Vec<u64> = sizes.map(|size| size as u64).collect();
        sizes.windows(2).map(|pair| (pair[0] + pair[1]) / 4).sum()
    }
}

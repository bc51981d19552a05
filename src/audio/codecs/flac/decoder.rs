//! Decodes the frames of a FLAC stream into blocks, by its STREAMINFO, and checks the MD5 of all samples.
//! `crate::formats` reads the containers.
//!
//! The MD5 (RFC 9639, section 8.2) covers the interleaved samples as little-endian bytes. It reveals errors that the
//! CRCs of the frames cannot, such as mistakes of the encoder. It is computed while decoding if STREAMINFO has one, and
//! compared unless the number of decoded samples differs from the number in STREAMINFO.

use super::decode::{
    bits::Fault,
    frame::{self, Header},
};
use crate::{
    codecs::decoder::Decoder,
    damage::bad,
    sound::{
        bytes,
        channels::Channels,
        pcm::{Block, Depth, Spec},
    },
};
use convertd_core::error::Result;
use symphonia::core::{checksum::Md5, io::Monitor, packet::PacketRef};

/// Length of the `STREAMINFO` block in bytes.
pub(crate) const STREAM_INFO: usize = 34;

/// The content of a `STREAMINFO` block (RFC 9639, section 8.2).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Info {
    pub(crate) spec: Spec,
    bits: u32,
    /// The number of samples in each channel; `None` if the encoder did not know it.
    pub(crate) total: Option<u64>,
    /// Whether the smallest and the largest block size differ.
    pub(crate) varies: bool,
    checksum: Option<[u8; 16]>,
}

impl Info {
    /// Reads a `STREAMINFO` block. `speakers` is the speaker mask that the stream's comments state, or 0.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) for a block that is too short, or samples that
    /// are not supported.
    pub(crate) fn read(block: &[u8], speakers: u32) -> Result<Self> {
        let block: &[u8; STREAM_INFO] = block.first_chunk().ok_or_else(|| {
            bad("the STREAMINFO block of the FLAC stream is missing or too short")
        })?;
        let (sizes, rest) = block.split_at(10);
        let (word, checksum) = rest.split_at(8);
        let word = word.iter().fold(0, |word, b| word << 8 | u64::from(*b));
        let (rate, channels) = ((word >> 44) as u32, (word >> 41 & 7) as u32 + 1);
        let (bits, total) = ((word >> 36 & 31) as u32 + 1, word & 0xf_ffff_ffff);
        Ok(Self {
            spec: Spec::new(
                rate,
                Channels::with_mask(channels, speakers)?,
                Depth::Int(bits),
            )?,
            bits,
            total: (total > 0).then_some(total),
            varies: sizes[..2] != sizes[2..4],
            checksum: checksum
                .first_chunk()
                .copied()
                .filter(|sum| *sum != [0; 16]),
        })
    }
}

/// A decoder of the frames of one stream.
pub(crate) struct Flac {
    info: Info,
    inner: frame::Decoder,
    md5: Md5,
    /// Number of samples of each channel that `md5` covers.
    hashed: u64,
    bytes: Vec<u8>,
}

impl Flac {
    pub(crate) fn new(info: Info) -> Self {
        Self {
            info,
            inner: frame::Decoder::default(),
            md5: Md5::default(),
            hashed: 0,
            bytes: Vec::new(),
        }
    }

    pub(crate) fn info(&self) -> &Info {
        &self.info
    }

    /// Returns whether a frame may belong to this stream: whether its channels and bits per sample are those of
    /// STREAMINFO.
    pub(crate) fn takes(&self, header: &Header) -> bool {
        header.channels == self.info.spec.channels.count()
            && header.bits.is_none_or(|bits| bits == self.info.bits)
    }

    /// Decodes the frame at the beginning of `bytes` and returns its length in bytes.
    pub(crate) fn frame(
        &mut self,
        header: &Header,
        bytes: &[u8],
        block: &mut Block,
    ) -> std::result::Result<usize, Fault> {
        let samples = block.ints(self.info.spec);
        let length = self.inner.decode(header, self.info.bits, bytes, samples)?;
        if self.info.checksum.is_some() {
            bytes::encode(block, false, &mut self.bytes);
            self.md5.process_buf_bytes(&self.bytes);
            self.hashed += header.length as u64;
        }
        Ok(length)
    }
}

impl Decoder for Flac {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        let decoded = match Header::parse(packet.data) {
            Ok(header) if self.takes(&header) => self.frame(&header, packet.data, block),
            Ok(_) => Err(Fault::Wrong(
                "its channels or bits per sample differ from STREAMINFO",
            )),
            Err(fault) => Err(fault),
        };
        match decoded {
            Ok(_) => Ok(()),
            Err(Fault::Short) => Err("a frame is cut short".to_owned()),
            Err(Fault::Wrong(cause)) => Err(format!("a frame cannot be decoded: {cause}")),
        }
    }

    fn verified(&mut self) -> Option<bool> {
        let all = self.info.total.is_none_or(|total| total == self.hashed);
        let checksum = self.info.checksum.filter(|_| all)?;
        Some(self.md5.md5() == checksum)
    }
}

//! Packets of samples that are stored one after another, as a decoder. Opens no container.

use super::decoder::Decoder;
use crate::audio::{
    sound::pcm::{Block, Spec},
    sources::linear::{self, Encoding},
};
use symphonia::core::packet::PacketRef;

/// A decoder of packets that hold whole sample frames.
pub(crate) struct Raw {
    pub(crate) encoding: Encoding,
    pub(crate) spec: Spec,
}

impl Decoder for Raw {
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String> {
        linear::decode(self.encoding, packet.data, self.spec, block);
        Ok(())
    }
}

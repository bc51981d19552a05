//! What every decoder is to the rest: something that turns packets into blocks. Knows no codec and no container.

use crate::audio::sound::pcm::Block;
use symphonia::core::{
    packet::PacketRef,
    units::{Duration, Timestamp},
};

/// A decoder of one stream's packets.
pub(crate) trait Decoder {
    /// Decodes one packet. The block's description says what came out.
    ///
    /// Errors: what is wrong with the packet; the next one may be good again.
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String>;

    /// By how much the first packets of a stream move the position in its container, in frames.
    fn advance(&self, _packets: &[Vec<u8>]) -> u64 {
        0
    }

    /// Whether the checksum of all samples is the one in the stream's header, if it has one.
    fn verified(&mut self) -> Option<bool> {
        None
    }
}

/// A packet of `frames` frames, 0 where the decoder finds out itself.
pub(crate) fn packet(data: &[u8], frames: u64) -> PacketRef<'_> {
    PacketRef::new(0, Timestamp::ZERO, Duration::from(frames), data)
}

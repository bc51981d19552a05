//! The interface of every decoder: it turns packets into blocks of samples. Depends on no codec and no container.

use crate::sound::pcm::Block;
use symphonia::core::{
    packet::PacketRef,
    units::{Duration, Timestamp},
};

/// A decoder of one stream's packets.
pub(crate) trait Decoder {
    /// Decodes one packet into `block`. The description of the block states the rate, channels and depth of the result.
    ///
    /// Errors: the fault of this packet. The caller may continue with the next one.
    fn decode(&mut self, packet: &PacketRef<'_>, block: &mut Block) -> Result<(), String>;

    /// Number of sample frames that the granule position of an Ogg page counts for `packets`, which are the first
    /// packets of a stream. 0 for codecs whose granule positions are not used.
    fn advance(&self, _packets: &[Vec<u8>]) -> u64 {
        0
    }

    /// Remark for the user on the packets so far, in whole sentences.
    fn remark(&self) -> Option<&'static str> {
        None
    }

    /// Returns whether the samples match the checksum in the stream's header. `None` if the header has no checksum, or
    /// samples were left out.
    fn verified(&mut self) -> Option<bool> {
        None
    }
}

/// A packet of `frames` sample frames; 0 if the decoder finds the number itself.
pub(crate) fn packet(data: &[u8], frames: u64) -> PacketRef<'_> {
    PacketRef::new(0, Timestamp::ZERO, Duration::from(frames), data)
}

//! Decodes frames of AC-3 to samples in the order of speakers. Never goes on with a frame whose checksum is wrong.

use super::{
    blocks::{Blocks, LOW},
    header::{BLOCKS, Header, enhanced_bytes, is_intact},
    transform::{BLOCK, Transform},
};
use crate::{
    audio::{
        codecs::decoder::Decoder,
        sound::{
            channels::{Channels, speaker},
            pcm::{Block, Depth, Spec},
        },
    },
    coding::bits::MsbReader,
    error::Result,
};
use symphonia::core::packet::PacketRef;

/// The decoder of a stream.
pub(crate) struct Ac3 {
    transform: Transform,
    /// What each channel adds to the next block.
    overlaps: [[f32; BLOCK]; 6],
    /// The state of the generator of noise.
    seed: u32,
    /// The rate and the channels of the first frame, which the others must have, too.
    spec: Option<Spec>,
}

impl Ac3 {
    pub(crate) fn new() -> Self {
        Self {
            transform: Transform::new(),
            overlaps: [[0.0; BLOCK]; 6],
            seed: 1,
            spec: None,
        }
    }

    fn frame(
        &mut self,
        header: Header,
        frame: &[u8],
        samples: &mut Vec<f32>,
    ) -> std::result::Result<(), &'static str> {
        let mut bits = MsbReader::new(frame);
        header.pass(&mut bits);
        let mut blocks = Blocks::new(header, self.seed);
        let order = order(header);
        let mut planes = [[0.0; BLOCK]; 6];
        for block in 0..BLOCKS {
            blocks.next(&mut bits, block == 0)?;
            if bits.overran() {
                return Err("an audio block ends early");
            }
            for &at in &order {
                let channel = blocks.amplified(at);
                self.transform.run(
                    &channel.coefficients,
                    channel.is_short,
                    &mut self.overlaps[at],
                    &mut planes[at],
                );
            }
            let (planes, order) = (&planes, &order);
            samples.extend(
                (0..BLOCK).flat_map(|place| order.iter().map(move |&at| planes[at][place])),
            );
        }
        self.seed = blocks.seed();
        Ok(())
    }
}

impl Decoder for Ac3 {
    fn decode(
        &mut self,
        packet: &PacketRef<'_>,
        block: &mut Block,
    ) -> std::result::Result<(), String> {
        let mut rest: &[u8] = packet.data;
        let mut samples = Vec::new();
        loop {
            let header = Header::read(rest).ok_or_else(|| match enhanced_bytes(rest) {
                Some(_) => "it is Dolby Digital Plus (E-AC-3)",
                None => "it is no AC-3 frame",
            })?;
            let spec = spec(header).map_err(|err| err.to_string())?;
            if *self.spec.get_or_insert(spec) != spec {
                return Err("its sample rate or its channels change".to_owned());
            }
            let frame = rest.get(..header.bytes).ok_or("a frame is cut short")?;
            if !is_intact(frame) {
                return Err("the checksum of a frame is wrong".to_owned());
            }
            self.frame(header, frame, &mut samples)?;
            rest = &rest[header.bytes..];
            // A packet may end with padding.
            if rest.len() < 2 || !rest.starts_with(&[0x0b, 0x77]) {
                block.floats(spec).append(&mut samples);
                return Ok(());
            }
        }
    }
}

/// The places of the channels in the order of their speakers.
fn order(header: Header) -> Vec<usize> {
    let front: &[usize] = match header.mode {
        1 => &[0],
        // The one in the centre comes second.
        3 | 5 | 7 => &[0, 2, 1],
        _ => &[0, 1],
    };
    let low = header.has_low.then_some(LOW);
    let rest = front.len()..header.full_channels();
    front.iter().copied().chain(low).chain(rest).collect()
}

/// The rate and the speakers. Two programs, which may be in a stream of mode 0, count as left and right.
pub(crate) fn spec(header: Header) -> Result<Spec> {
    use speaker::{
        BACK_CENTRE, FRONT_CENTRE, FRONT_LEFT, FRONT_RIGHT, LOW_FREQUENCY, SIDE_LEFT, SIDE_RIGHT,
    };
    let front = match header.mode {
        1 => FRONT_CENTRE,
        3 | 5 | 7 => FRONT_LEFT | FRONT_RIGHT | FRONT_CENTRE,
        _ => FRONT_LEFT | FRONT_RIGHT,
    };
    let rest = match header.mode {
        4 | 5 => BACK_CENTRE,
        6 | 7 => SIDE_LEFT | SIDE_RIGHT,
        _ => 0,
    };
    let low = if header.has_low { LOW_FREQUENCY } else { 0 };
    let mask: u32 = front | rest | low;
    let channels = Channels::with_mask(mask.count_ones(), mask)?;
    Spec::new(header.rate, channels, Depth::Float)
}

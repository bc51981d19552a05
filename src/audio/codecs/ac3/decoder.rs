//! Decodes frames of AC-3 and of Enhanced AC-3 to samples in the order of speakers. A frame with a wrong checksum is an
//! error.
//!
//! A stream of Enhanced AC-3 may have several frames for the same time: an independent frame, which is a program, and
//! after it dependent frames with more channels. Only the first program is decoded.

use super::{
    blocks::{Blocks, LOW},
    enhanced::{
        blocks::Reading,
        frame::Frame,
        header::{Enhanced, StreamType},
    },
    header::{BLOCKS, Header, is_intact},
    speakers,
    transform::{BLOCK, Transform},
};
use crate::{
    codecs::decoder::Decoder,
    sound::{
        channels::Channels,
        pcm::{Block, Depth, Spec},
    },
};
use convertd_core::{coding::bits::MsbReader, error::Result};
use symphonia::core::packet::PacketRef;

/// Largest number of dependent frames of an independent frame (A/52, E.1.3.1.2).
const MAX_DEPENDENT: usize = 8;

/// The decoder of a stream.
pub(crate) struct Ac3 {
    transform: Transform,
    /// Second half of each channel's windowed block, which overlaps with the next block: six channels of independent
    /// frames, then those of each dependent frame.
    overlaps: Vec<[[f32; BLOCK]; 6]>,
    /// State of the random generator for dither.
    seed: u32,
    /// Sample rate and channels of the first unit: an independent frame with its dependent frames. All other units must
    /// have the same.
    spec: Option<Spec>,
    /// Remark about content that was dropped or mixed into other channels.
    remark: Option<&'static str>,
}

/// The decoded channels of an independent frame and its dependent frames.
struct Unit {
    rate: u32,
    /// The bit of each channel's speaker, and its samples.
    planes: Vec<(u32, Vec<f32>)>,
    /// The number of dependent frames so far.
    dependent: usize,
}

/// The header of a frame of either kind.
#[derive(Clone, Copy)]
enum Any {
    Plain(Header),
    Enhanced(Enhanced),
}

impl Any {
    /// Reads the header of a frame; `None` if the bytes are not the beginning of a frame of either kind.
    fn read(frame: &[u8]) -> Option<Self> {
        let plain = Header::read(frame).map(Self::Plain);
        plain.or_else(|| Enhanced::read(frame).map(Self::Enhanced))
    }

    /// The fields that both kinds have.
    fn header(self) -> Header {
        match self {
            Self::Plain(header) => header,
            Self::Enhanced(enhanced) => enhanced.common,
        }
    }

    /// The role of the frame in a unit. Plain frames are always independent.
    fn kind(self) -> StreamType {
        match self {
            Self::Plain(_) => StreamType::Independent(0),
            Self::Enhanced(enhanced) => enhanced.kind,
        }
    }
}

impl Ac3 {
    pub(crate) fn new() -> Self {
        Self {
            transform: Transform::new(),
            overlaps: Vec::new(),
            seed: 1,
            spec: None,
            remark: None,
        }
    }

    /// Decodes a frame to the samples of its channels, and returns with them the speaker locations that the frame
    /// states, if any. `stream` is 0 for an independent frame, and otherwise the number of the dependent frame, from 1.
    fn frame(
        &mut self,
        any: Any,
        frame: &[u8],
        stream: usize,
    ) -> std::result::Result<(Option<u16>, Vec<Vec<f32>>), &'static str> {
        let header = any.header();
        let mut bits = MsbReader::new(frame);
        let mut blocks = Blocks::new(header, self.seed);
        let (mut reading, mut count, mut locations) = (None, BLOCKS, None);
        match any {
            Any::Plain(header) => header.pass(&mut bits),
            Any::Enhanced(enhanced) => {
                let rest = enhanced.pass(&mut bits);
                (count, locations) = (enhanced.blocks, rest.locations);
                if rest.has_objects {
                    self.remark = Some(
                        "The sound has Dolby Atmos objects; the result has them mixed into its channels.",
                    );
                }
                let frame = Frame::read(enhanced, &mut bits)?;
                reading = Some(Reading::new(frame, &mut blocks));
            }
        }
        let coded: Vec<usize> = (0..header.full_channels())
            .chain(header.has_low.then_some(LOW))
            .collect();
        let mut planes = vec![Vec::with_capacity(count * BLOCK); coded.len()];
        if self.overlaps.len() <= stream {
            self.overlaps.resize(stream + 1, [[0.0; BLOCK]; 6]);
        }
        for block in 0..count {
            match &mut reading {
                None => blocks.next(&mut bits, block == 0)?,
                Some(reading) => reading.next(&mut blocks, &mut bits, block)?,
            }
            if bits.overran() {
                return Err("an audio block ends early");
            }
            for (&at, plane) in coded.iter().zip(&mut planes) {
                let mut samples = [0.0; BLOCK];
                let channel = blocks.amplified(at);
                self.transform.run(
                    &channel.coefficients,
                    channel.is_short,
                    &mut self.overlaps[stream][at],
                    &mut samples,
                );
                plane.extend(samples);
            }
        }
        self.seed = blocks.seed;
        Ok((locations, planes))
    }

    /// Begins a unit with an independent frame.
    fn begin(&mut self, any: Any, frame: &[u8]) -> std::result::Result<Unit, &'static str> {
        let header = any.header();
        let (_, planes) = self.frame(any, frame, 0)?;
        let speakers = speakers::of(header.mode, header.has_low);
        Ok(Unit {
            rate: header.rate,
            planes: speakers.into_iter().zip(planes).collect(),
            dependent: 0,
        })
    }

    /// Adds a dependent frame. Its channels replace earlier ones of the same speakers.
    fn add(
        &mut self,
        unit: &mut Unit,
        any: Any,
        frame: &[u8],
    ) -> std::result::Result<(), &'static str> {
        let header = any.header();
        unit.dependent += 1;
        if unit.dependent > MAX_DEPENDENT || header.rate != unit.rate {
            return Err("a dependent frame does not match its independent frame");
        }
        let (locations, planes) = self.frame(any, frame, unit.dependent)?;
        let speakers = match locations {
            Some(locations) => speakers::placed(locations, header.full_channels(), header.has_low),
            None => speakers::of(header.mode, header.has_low),
        };
        for (speaker, plane) in speakers.into_iter().zip(planes) {
            if unit
                .planes
                .first()
                .is_some_and(|(_, first)| first.len() != plane.len())
            {
                return Err("a dependent frame does not match its independent frame");
            }
            let same = unit.planes.iter_mut().find(|(other, _)| *other == speaker);
            match same {
                _ if speaker == 0 => {
                    self.remark = Some(
                        "Channels of unusual loudspeakers (such as those above the listener) were left out.",
                    );
                }
                Some((_, own)) => *own = plane,
                None => unit.planes.push((speaker, plane)),
            }
        }
        Ok(())
    }

    /// Appends the samples of a complete unit, interleaved in the order of speakers.
    fn end(
        &mut self,
        unit: Option<Unit>,
        samples: &mut Vec<f32>,
    ) -> std::result::Result<(), String> {
        let Some(mut unit) = unit else {
            return Ok(());
        };
        unit.planes.sort_by_key(|(speaker, _)| *speaker);
        let mask = unit
            .planes
            .iter()
            .fold(0, |mask, (speaker, _)| mask | speaker);
        let spec = spec_of(unit.rate, mask).map_err(|err| err.to_string())?;
        if *self.spec.get_or_insert(spec) != spec {
            return Err("its sample rate or its channels change".to_owned());
        }
        let count = unit.planes.first().map_or(0, |(_, plane)| plane.len());
        samples
            .extend((0..count).flat_map(|at| unit.planes.iter().map(move |(_, plane)| plane[at])));
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
        let (mut samples, mut unit, mut is_other) = (Vec::new(), None, false);
        loop {
            let any = Any::read(rest).ok_or("it is not an AC-3 frame")?;
            let bytes = any.header().bytes;
            let frame = rest.get(..bytes).ok_or("a frame is cut short")?;
            if !is_intact(frame) {
                return Err("the checksum of a frame is wrong".to_owned());
            }
            match (any.kind(), &mut unit) {
                (StreamType::Independent(0), _) => {
                    is_other = false;
                    self.end(unit.take(), &mut samples)?;
                    unit = Some(self.begin(any, frame)?);
                }
                (StreamType::Independent(_), _) => {
                    is_other = true;
                    self.remark =
                        Some("The sound has several programs; the result is the first one.");
                }
                // This dependent frame belongs to a program that is not decoded.
                (StreamType::Dependent, _) if is_other => {}
                (StreamType::Dependent, Some(unit)) => self.add(unit, any, frame)?,
                (StreamType::Dependent, None) => {
                    return Err("a frame depends on one that is missing".to_owned());
                }
            }
            rest = &rest[bytes..];
            // If no frame follows, the rest of the packet is padding.
            if rest.len() < 2 || !rest.starts_with(&[0x0b, 0x77]) {
                break;
            }
        }
        self.end(unit, &mut samples)?;
        let spec = self.spec.ok_or("it contains no program")?;
        block.floats(spec).append(&mut samples);
        Ok(())
    }

    fn remark(&self) -> Option<&'static str> {
        self.remark
    }
}

/// The sample rate and the speakers of an independent frame; `None` if `frame` does not begin with a header. Dependent
/// frames that follow may add speakers.
pub(crate) fn spec(frame: &[u8]) -> Option<Result<Spec>> {
    let header = Any::read(frame)?.header();
    let mask = speakers::of(header.mode, header.has_low)
        .iter()
        .fold(0, |mask, speaker| mask | speaker);
    Some(spec_of(header.rate, mask))
}

/// A description of samples with this rate and these speakers.
fn spec_of(rate: u32, mask: u32) -> Result<Spec> {
    let channels = Channels::with_mask(mask.count_ones(), mask)?;
    Spec::new(rate, channels, Depth::Float)
}

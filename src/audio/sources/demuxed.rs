//! A track of a container as a source: MP4, Matroska, CAF. The modules of the formats read the containers.
//!
//! The first track whose codec is supported is chosen, and a remark tells of other tracks. The description of the sound
//! comes from the first decoded packet, because containers may state a wrong depth, and for HE-AAC half the sample
//! rate.

use super::{stored::Stored, track::Track};
use crate::{
    codecs::{
        decoder::{Decoder, packet},
        decoder_for, is_lossy,
        symphonic::channels,
    },
    damage::bad,
    sound::{
        channels::Channels,
        pcm::{Block, Depth, Spec, frames_in},
    },
    source::{Opened, Source},
    tags::Tags,
};
use convertd_core::error::Result;
use symphonia::core::codecs::audio::AudioCodecParameters;

/// A packet of a track.
pub(crate) struct Packet {
    pub(crate) data: Vec<u8>,
    /// Sample frames according to the container; 0 if the decoder finds the number itself.
    pub(crate) frames: u64,
}

/// The packets of a track, in playing order.
pub(crate) trait Packets {
    /// Returns the next packet; `None` after the last one.
    ///
    /// Errors: the reason why the packets cannot be read to their end, as a clause that follows "the file is damaged:
    /// ".
    fn next(&mut self) -> std::result::Result<Option<Packet>, String>;
}

/// A sound track of a container.
pub(crate) struct Candidate {
    /// The number of the track in its container.
    pub(crate) id: u64,
    /// Parameters of its codec, or the reason why it cannot be decoded.
    pub(crate) params: std::result::Result<AudioCodecParameters, String>,
}

/// The track that was chosen.
pub(crate) struct Choice {
    pub(crate) id: u64,
    /// Parameters of its codec.
    params: AudioCodecParameters,
    decoder: Box<dyn Decoder>,
    /// A remark about other tracks of the file.
    remark: Option<String>,
}

/// Chooses the first sound track that can be decoded.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if no track can be decoded.
pub(crate) fn choose(candidates: Vec<Candidate>, has_video: bool) -> Result<Choice> {
    let count = candidates.len();
    let mut first_error = None;
    for (before, Candidate { id, params }) in candidates.into_iter().enumerate() {
        let params = params.map_err(bad);
        let decoder = params.and_then(|params| Ok((decoder_for(&params)?, params)));
        let (decoder, params) = match decoder {
            Ok(found) => found,
            Err(err) => {
                first_error.get_or_insert(err);
                continue;
            }
        };
        let remark = if before > 0 {
            Some(format!(
                "The result is audio track {} of the file; the codecs of the tracks before it are not supported.",
                before + 1
            ))
        } else if has_video {
            Some("The file is a video; the result is its first audio track.".to_owned())
        } else {
            (count > 1)
                .then(|| format!("The file has {count} audio tracks; the result is the first one."))
        };
        return Ok(Choice {
            id,
            params,
            decoder,
            remark,
        });
    }
    Err(first_error.unwrap_or_else(|| bad("the file holds no audio track")))
}

impl Choice {
    /// Opens the track. `adjust` may first correct the source, for example its padding.
    pub(crate) fn open<'a>(
        self,
        packets: impl Packets + 'a,
        tags: Tags,
        adjust: impl FnOnce(&AudioCodecParameters, &mut Demuxed<'a>),
    ) -> Result<Opened<'a>> {
        let Self {
            params,
            decoder,
            remark,
            ..
        } = self;
        let layout = match &params.channels {
            Some(layout) => channels(layout)?,
            None => Channels::STEREO,
        };
        let lossy = is_lossy(params.codec);
        let depth = if lossy { Depth::Float } else { Depth::Int(16) };
        let spec = Spec::new(params.sample_rate.unwrap_or(0), layout, depth)?;
        let mut source = Demuxed {
            packets: Box::new(packets),
            track: Track::new(decoder, spec, lossy),
            count: 0,
            padding: Vec::new(),
            stored: Stored::Plain,
            ended: false,
            losses: Vec::new(),
        };
        adjust(&params, &mut source);
        let first = source.first()?;
        let mut remarks: Vec<String> = remark.into_iter().collect();
        remarks.extend(source.track.remark().map(str::to_owned));
        Ok(Opened {
            source: Box::new(Peeked { source, first }),
            tags,
            remarks,
            losses: Vec::new(),
        })
    }
}

/// A track of a container.
pub(crate) struct Demuxed<'a> {
    packets: Box<dyn Packets + 'a>,
    pub(crate) track: Track,
    /// The number of packets so far.
    count: u64,
    /// The packets that end with padding: their number in the track, counted from 1, and the padding in nanoseconds.
    pub(crate) padding: Vec<(u64, u64)>,
    /// Compression of the packets by the container.
    pub(crate) stored: Stored,
    /// Whether the last packet has been decoded.
    ended: bool,
    losses: Vec<String>,
}

impl Demuxed<'_> {
    /// Reports, at the end, what is missing or damaged. `why` is the reason for an early end.
    fn report_losses(&mut self, why: Option<String>) -> Result<Vec<String>> {
        let mut losses = self.track.finish()?;
        if let Some(why) = why
            && losses.is_empty()
        {
            losses.push(format!(
                "{why}, after {:.2} s",
                self.track.done() as f64 / f64::from(self.track.spec().rate)
            ));
        }
        Ok(losses)
    }
}

impl Source for Demuxed<'_> {
    fn spec(&self) -> Spec {
        self.track.spec()
    }

    fn frames(&self) -> Option<u64> {
        self.track.total()
    }

    fn lossy(&self) -> bool {
        self.track.lossy()
    }

    fn read(&mut self, block: &mut Block) -> Result<bool> {
        if self.ended {
            return Ok(false);
        }
        let why = match self.packets.next() {
            // If the track is complete, further data does not matter, for example tables after sound of unknown length.
            Ok(Some(_)) | Err(_) if self.track.is_complete() => None,
            Ok(Some(Packet { data, frames })) => {
                let restored = self.stored.restored(&data);
                self.track.push(&packet(&restored, frames), block);
                self.count += 1;
                if let Some((_, padding)) = self.padding.iter().find(|(at, _)| *at == self.count) {
                    let frames = frames_in(*padding, self.track.spec().rate);
                    self.track.drop_end(block, frames);
                }
                return Ok(true);
            }
            Ok(None) => None,
            Err(why) => Some(why),
        };
        self.ended = true;
        self.losses = self.report_losses(why)?;
        Ok(false)
    }

    fn losses(&mut self) -> Vec<String> {
        std::mem::take(&mut self.losses)
    }
}

/// A source whose first block has been decoded already.
struct Peeked<'a> {
    source: Demuxed<'a>,
    first: Option<Block>,
}

impl Demuxed<'_> {
    /// Decodes the first block that is not empty.
    fn first(&mut self) -> Result<Option<Block>> {
        let mut block = Block::new(self.track.spec());
        loop {
            if !self.read(&mut block)? {
                return Ok(None);
            }
            if block.frames() > 0 {
                return Ok(Some(block));
            }
        }
    }
}

impl Source for Peeked<'_> {
    fn spec(&self) -> Spec {
        self.source.spec()
    }

    fn frames(&self) -> Option<u64> {
        self.source.frames()
    }

    fn lossy(&self) -> bool {
        self.source.lossy()
    }

    fn read(&mut self, block: &mut Block) -> Result<bool> {
        match self.first.take() {
            Some(first) => {
                *block = first;
                Ok(true)
            }
            None => self.source.read(block),
        }
    }

    fn losses(&mut self) -> Vec<String> {
        self.source.losses()
    }
}

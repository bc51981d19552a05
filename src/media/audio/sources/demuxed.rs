//! Takes one audio track from a container that Symphonia demultiplexes: MP4, Matroska, CAF. Decodes nothing of other tracks.
//!
//! The first track whose codec is supported is taken, and the user is told about tracks that were passed over. The track's
//! description comes from decoding its first packet, because containers are vague about depth, and do not know that HE-AAC
//! doubles the sample rate.

use super::{stored::Stored, track::Track};
use crate::{
    audio::{
        codecs::{decoder_for, is_lossy, opus, symphonic::channels},
        damage::bad,
        sound::{
            channels::Channels,
            pcm::{Block, Depth, Spec, frames_in},
        },
        source::{Opened, Source},
        stream::Stream,
        tags::{Key, Tags},
    },
    error::{Error, Result},
};
use symphonia::core::{
    codecs::{
        CodecParameters,
        audio::{AudioCodecParameters, well_known::CODEC_ID_OPUS},
    },
    errors::Error as SymphoniaError,
    formats::{FormatReader, Track as SymphoniaTrack, TrackType},
    io::MediaSourceStream,
    meta::{MetadataRevision, StandardTag},
};

/// Packets of other tracks that may come before one of this track: more than a minute of video.
const MAX_FOREIGN: usize = 1 << 16;

/// One track of a container.
pub(crate) struct Demuxed<'a> {
    reader: Box<dyn FormatReader + 'a>,
    id: u32,
    pub(crate) track: Track,
    packets: u64,
    /// The packets that end with padding: their number in the track, counted from 1, and the padding in nanoseconds.
    pub(crate) padding: Vec<(u64, u64)>,
    pub(crate) stored: Stored,
    ended: bool,
    losses: Vec<String>,
}

impl<'a> Demuxed<'a> {
    fn new(reader: Box<dyn FormatReader + 'a>, id: u32, track: Track) -> Self {
        Self {
            reader,
            id,
            track,
            packets: 0,
            padding: Vec::new(),
            stored: Stored::Plain,
            ended: false,
            losses: Vec::new(),
        }
    }

    /// Finds out at the end what is missing or damaged. `why` is the reason if the end came irregularly.
    fn take_stock(&mut self, why: Option<String>) -> Result<Vec<String>> {
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
        let mut why = None;
        for _ in 0..MAX_FOREIGN {
            let packet = match self.reader.next_packet() {
                Ok(Some(packet)) if packet.track_id == self.id => packet,
                Ok(Some(_)) => continue,
                Ok(None) => break,
                Err(SymphoniaError::IoError(err))
                    if err.kind() == std::io::ErrorKind::UnexpectedEof =>
                {
                    if !self.track.is_complete() {
                        why = Some("it ends early: within a packet".to_owned());
                    }
                    break;
                }
                // What follows the last packet does not matter, such as tables behind sound whose length is left open.
                Err(_) if self.track.is_complete() => break,
                Err(err) => {
                    why = Some(format!("its packets cannot be read further ({err})"));
                    break;
                }
            };
            if self.track.is_complete() {
                break;
            }
            let restored = self.stored.restored(&packet.data);
            let mut packet = packet.as_packet_ref();
            packet.data = &restored;
            self.track.push(&packet, block);
            self.packets += 1;
            if let Some((_, padding)) = self.padding.iter().find(|(at, _)| *at == self.packets) {
                let frames = frames_in(*padding, self.track.spec().rate);
                self.track.drop_end(block, frames);
            }
            return Ok(true);
        }
        self.ended = true;
        self.losses = self.take_stock(why)?;
        Ok(false)
    }

    fn losses(&mut self) -> Vec<String> {
        std::mem::take(&mut self.losses)
    }
}

/// Wraps a stream for Symphonia's demultiplexers.
pub(crate) fn media(stream: Stream<'_>) -> MediaSourceStream<'_> {
    MediaSourceStream::new(Box::new(stream), Default::default())
}

/// The error for a container that cannot be read. If a part of the file is missing, that is given as the reason.
pub(crate) fn unopened(err: SymphoniaError, loss: &Option<String>) -> Error {
    let message = match loss {
        Some(loss) => format!("the file is damaged: {loss}"),
        None => format!("the container cannot be read: {err}"),
    };
    bad(message).caused_by(err)
}

/// Takes the first audio track that can be decoded.
pub(crate) fn pick<'a>(
    mut reader: Box<dyn FormatReader + 'a>,
    codec: impl Fn(&SymphoniaTrack, &mut AudioCodecParameters),
    adjust: impl FnOnce(&SymphoniaTrack, &mut Demuxed<'a>, &AudioCodecParameters),
) -> Result<Opened<'a>> {
    let is = |track: &SymphoniaTrack, kind| track.track_type() == Some(kind);
    let video = reader
        .tracks()
        .iter()
        .any(|track| is(track, TrackType::Video));
    let audio = reader.tracks().iter();
    let audio: Vec<_> = audio.filter(|track| is(track, TrackType::Audio)).collect();
    let mut obstacle = match audio.is_empty() {
        true => bad("the file holds no audio track"),
        false => bad("the codec of the audio track is not supported"),
    };
    let mut chosen = None;
    for (i, found) in audio.iter().enumerate() {
        if let Some(CodecParameters::Audio(params)) = &found.codec_params {
            let mut params = params.clone();
            codec(found, &mut params);
            match decoder_for(&params) {
                Ok(decoder) => {
                    chosen = Some((i, SymphoniaTrack::clone(found), params, decoder));
                    break;
                }
                Err(err) if i == 0 => obstacle = err,
                Err(_) => {}
            }
        }
    }
    let (before, found, params, decoder) = chosen.ok_or(obstacle)?;
    let mut remarks = Vec::new();
    if before > 0 {
        remarks.push(format!(
            "The result is audio track {} of the file; the codecs of those before it are not supported.",
            before + 1
        ));
    } else if video {
        remarks.push("The file is a video; the result is its first audio track.".to_owned());
    } else if audio.len() > 1 {
        remarks.push(format!(
            "The file has {} audio tracks; the result is the first one.",
            audio.len()
        ));
    }
    let layout = match &params.channels {
        Some(layout) => channels(layout)?,
        None => Channels::STEREO,
    };
    let depth = if is_lossy(params.codec) {
        Depth::Float
    } else {
        Depth::Int(16)
    };
    // Opus always comes out at the same rate. Containers may state that of the sound it was made of.
    let rate = match params.codec {
        CODEC_ID_OPUS => opus::RATE,
        _ => params.sample_rate.unwrap_or(0),
    };
    let spec = Spec::new(rate, layout, depth)?;
    let track = Track::new(decoder, spec, is_lossy(params.codec));
    let tags = tags(reader.as_mut());
    let mut source = Demuxed::new(reader, found.id, track);
    adjust(&found, &mut source, &params);
    let first = source.first()?;
    remarks.extend(source.track.remark().map(str::to_owned));
    Ok(Opened {
        source: Box::new(Peeked { source, first }),
        tags,
        remarks,
        losses: Vec::new(),
    })
}

/// A source whose first block has been decoded already.
struct Peeked<'a> {
    source: Demuxed<'a>,
    first: Option<Block>,
}

impl Demuxed<'_> {
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

/// The tags of a container.
pub(crate) fn tags(reader: &mut dyn FormatReader) -> Tags {
    let mut tags = Tags::default();
    let mut metadata = reader.metadata();
    if let Some(revision) = metadata.skip_to_latest() {
        collect(revision, &mut tags);
    }
    tags
}

fn collect(revision: &MetadataRevision, tags: &mut Tags) {
    let mut totals = Vec::new();
    let tracks = revision
        .per_track
        .iter()
        .flat_map(|track| &track.metadata.tags);
    for tag in revision.media.tags.iter().chain(tracks) {
        let Some(standard) = &tag.std else {
            continue;
        };
        match standard {
            StandardTag::TrackTitle(text) => tags.add(Key::Title, text),
            StandardTag::Artist(text) => tags.add(Key::Artist, text),
            StandardTag::Album(text) => tags.add(Key::Album, text),
            StandardTag::AlbumArtist(text) => tags.add(Key::AlbumArtist, text),
            StandardTag::Composer(text) => tags.add(Key::Composer, text),
            StandardTag::Genre(text) => tags.add(Key::Genre, text),
            StandardTag::Comment(text) | StandardTag::Description(text) => {
                tags.add(Key::Comment, text)
            }
            StandardTag::ReleaseDate(text) | StandardTag::RecordingDate(text) => {
                tags.add(Key::Date, text)
            }
            StandardTag::ReleaseYear(year) | StandardTag::RecordingYear(year) => {
                tags.add_if_missing(Key::Date, &year.to_string());
            }
            StandardTag::TrackNumber(n) => tags.add(Key::Track, &n.to_string()),
            StandardTag::TrackTotal(n) => totals.push((Key::Track, *n)),
            StandardTag::DiscNumber(n) => tags.add(Key::Disc, &n.to_string()),
            StandardTag::DiscTotal(n) => totals.push((Key::Disc, *n)),
            _ => {}
        }
    }
    for (key, total) in totals {
        tags.set_total(key, &total.to_string());
    }
    for visual in &revision.media.visuals {
        tags.add_picture(&visual.data);
    }
}

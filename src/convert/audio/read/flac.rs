//! FLAC (RFC 9639) in its own container. Never hands over less than the header promises without saying so.

use super::{
    super::{
        comments, id3,
        stream::Stream,
        tags::{MAX_PICTURE, Tags},
    },
    Opened, bad,
    demuxed::Demuxed,
    header_error,
    symphonic::Symphonic,
    track::Track,
};
use crate::error::Result;
use std::io::{self, Read, Seek, SeekFrom};
use symphonia::{
    core::{
        codecs::audio::{AudioCodecParameters, well_known::CODEC_ID_FLAC},
        formats::{FormatOptions, FormatReader},
        io::{MediaSource, MediaSourceStream},
    },
    default::formats::FlacReader,
};

/// Metadata blocks looked at.
const MAX_BLOCKS: usize = 1000;

/// Length of the `STREAMINFO` block.
pub(in super::super) const STREAM_INFO: usize = 34;

/// Opens the sound of a FLAC file.
pub(super) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let mut tags = id3::strip(&mut stream).map_err(header_error)?;
    let info = read_metadata(&mut stream, &mut tags)?;
    let start = stream.position();
    stream.narrow(start, u64::MAX).map_err(header_error)?;

    let track = track(&info)?;
    // The demultiplexer sees the one block that it needs, whatever else the file has.
    let mut head = b"fLaC\x80\0\0\x22".to_vec();
    head.extend(info);
    let input = MediaSourceStream::new(
        Box::new(Prefixed {
            head,
            position: 0,
            stream,
        }),
        Default::default(),
    );
    let reader = FlacReader::try_new(input, FormatOptions::default())
        .map_err(|err| bad(format!("the FLAC file holds no sound: {err}")).caused_by(err))?;
    let id = reader.tracks().first().map_or(0, |track| track.id);
    let source = Demuxed::new(Box::new(reader), id, track).with_exact_positions();
    Ok(Opened::new(source, tags))
}

/// A decoder that knows how long the stream is.
pub(super) fn track(info: &[u8; STREAM_INFO]) -> Result<Track> {
    let decoder = decoder(info)?;
    let (spec, total) = describe(info)?;
    let mut track = Track::new(Box::new(decoder), spec, false);
    track.cut(0, (total > 0).then_some(total));
    track.be_strict();
    Ok(track)
}

fn decoder(info: &[u8; STREAM_INFO]) -> Result<Symphonic> {
    let mut params = AudioCodecParameters::new();
    params
        .for_codec(CODEC_ID_FLAC)
        .with_extra_data(info.to_vec().into_boxed_slice());
    Symphonic::new(&params)
}

/// What a `STREAMINFO` block says of the samples, and their number; 0 is unknown.
fn describe(info: &[u8; STREAM_INFO]) -> Result<(super::Spec, u64)> {
    use super::super::pcm::{Channels, Depth};
    let word = info[10..18]
        .iter()
        .fold(0u64, |word, byte| word << 8 | u64::from(*byte));
    let (rate, channels) = ((word >> 44) as u32, (word >> 41 & 7) as u32 + 1);
    let (bits, total) = ((word >> 36 & 31) as u32 + 1, word & 0xf_ffff_ffff);
    Ok((
        super::Spec::new(rate, Channels::of(channels)?, Depth::Int(bits))?,
        total,
    ))
}

/// Reads the metadata blocks and leaves the stream at the first frame.
fn read_metadata(stream: &mut Stream<'_>, tags: &mut Tags) -> Result<[u8; STREAM_INFO]> {
    let mut info = None;
    if stream.array::<4>().map_err(header_error)? != *b"fLaC" {
        return Err(bad(
            "the file is not a readable flac: its signature is missing",
        ));
    }
    for _ in 0..MAX_BLOCKS {
        let head = stream.array::<4>().map_err(header_error)?;
        let size = u64::from(u32::from_be_bytes([0, head[1], head[2], head[3]]));
        let next = stream.position() + size;
        match head[0] & 0x7f {
            0 if size >= STREAM_INFO as u64 => info = Some(stream.array().map_err(header_error)?),
            4 if size <= 2 * MAX_PICTURE as u64 => {
                comments::read(&stream.up_to(size).map_err(header_error)?, tags);
            }
            6 if size <= MAX_PICTURE as u64 + 1024 => {
                comments::read_picture(&stream.up_to(size).map_err(header_error)?, tags);
            }
            6 => tags.picture_dropped = true,
            _ => {}
        }
        stream.seek(SeekFrom::Start(next)).map_err(header_error)?;
        if head[0] & 0x80 != 0 {
            return info.ok_or_else(|| bad("the FLAC file has no stream information"));
        }
    }
    Err(bad(
        "the FLAC file has more metadata than any encoder writes",
    ))
}

/// A stream with something before it.
struct Prefixed<'a> {
    head: Vec<u8>,
    position: u64,
    stream: Stream<'a>,
}

impl Read for Prefixed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let head = self.head.len() as u64;
        let read = if self.position < head {
            (&self.head[self.position as usize..]).read(buffer)?
        } else {
            self.stream.read(buffer)?
        };
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for Prefixed<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let head = self.head.len() as u64;
        let target = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::End(offset) => (head + self.stream.len()).checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = target.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        self.stream
            .seek(SeekFrom::Start(self.position.saturating_sub(head)))?;
        Ok(self.position)
    }
}

impl MediaSource for Prefixed<'_> {
    fn is_seekable(&self) -> bool {
        true
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.head.len() as u64 + self.stream.len())
    }
}

//! Reads Ogg streams of Vorbis, Opus and FLAC (RFC 3533, RFC 7845, RFC 9639 section 10), including chained and
//! multiplexed ones. Of several multiplexed streams, it reads only the first one with a known codec.
//!
//! In Vorbis and Opus, the granule positions of pages state where the sound begins and ends. The first granule position
//! of a stream is smaller than the number of samples in its packets if the beginning must be dropped, and larger if the
//! stream was cut out of a longer one. The last granule position is smaller if the end must be dropped. In FLAC, the
//! number of samples in the header is used instead. A page with a wrong checksum is dropped with its packets, and
//! reported.

use super::track::Track;
use crate::{
    codecs::{
        decoder::packet,
        flac::decoder::{Flac, Info, STREAM_INFO},
        opus::Opus,
        vorbis::decode::Vorbis,
    },
    damage::{bad, header_error},
    ogg,
    probe::Probe,
    sound::pcm::{Block, Spec},
    source::{Opened, Source},
    stream::Stream,
    tags::{MAX_PICTURE, Tags, comments, id3},
};
use convertd_core::{error::Result, job::Gate};
use std::{
    collections::VecDeque,
    io::{BufReader, Read},
};

/// Longest header packet in bytes. Comments may contain a picture in Base64.
const MAX_HEADER: usize = MAX_PICTURE / 3 * 4 + (64 << 10);
/// Largest number of multiplexed streams that are examined.
const MAX_STREAMS: usize = 16;
/// Longest audio packet in bytes.
const MAX_PACKET: usize = 1 << 20;

/// A logical stream, which is a link of the chain.
struct Link {
    serial: u32,
    packets: ogg::Packets,
    queue: VecDeque<Vec<u8>>,
    track: Track,
    /// Number of sample frames to drop at the beginning (pre-skip). The decoder needs them to converge.
    delay: u64,
    /// Whether granule positions state where the sound begins and ends. In FLAC, the header does.
    positioned: bool,
    /// Granule position of the first sample; `None` before the first audio page.
    base: Option<u64>,
    ended: bool,
    /// Whether one of the multiplexed streams is a video.
    video: bool,
}

/// The logical streams of a file, one after another.
struct Chain<'a> {
    input: BufReader<Stream<'a>>,
    link: Link,
    /// A page that was read ahead. It begins the next link.
    next: Option<ogg::Page>,
    /// Number of pages with a wrong checksum or a missing end.
    damaged: u64,
    losses: Vec<String>,
}

/// Codec of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Vorbis,
    Opus,
    Flac,
}

impl Codec {
    /// Returns the codec of a stream with this first packet.
    fn of(first_packet: &[u8]) -> Option<Self> {
        if first_packet.starts_with(b"OpusHead") {
            Some(Self::Opus)
        } else if first_packet.starts_with(b"\x01vorbis") {
            Some(Self::Vorbis)
        } else if first_packet.starts_with(b"\x7fFLAC") {
            Some(Self::Flac)
        } else {
            None
        }
    }
}

/// Returns the codec of the first stream with a known codec, among those that are multiplexed at the beginning.
pub(crate) fn codec(probe: &mut Probe<'_>) -> Option<Codec> {
    if !probe.head.starts_with(b"OggS") {
        return None;
    }
    let mut input = BufReader::new(probe.stream().ok()?.take(1 << 20));
    let mut damaged = 0;
    for _ in 0..MAX_STREAMS {
        let page = ogg::read_page(&mut input, &mut damaged).ok()??;
        let codec = page.parts().first().map(|(packet, _)| Codec::of(packet))?;
        if codec.is_some() {
            return codec;
        }
    }
    None
}

/// Opens an Ogg file.
pub(crate) fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let around = id3::strip(&mut stream).map_err(header_error)?;
    let mut tags = Tags::default();
    let mut input = BufReader::with_capacity(1 << 16, stream);
    let mut damaged = 0;
    let link = open_link(&mut input, None, &mut damaged, &mut tags)?
        .ok_or_else(|| bad("the Ogg file holds no stream of Vorbis, Opus or FLAC"))?;
    tags.merge(around);
    let video = link.video;
    let chain = Chain {
        input,
        link,
        next: None,
        damaged,
        losses: Vec::new(),
    };
    let mut opened = Opened::new(chain, tags);
    if video {
        let remark = "The file is a video; the result is its first audio track.";
        opened.remarks.push(remark.to_owned());
    }
    Ok(opened)
}

/// Reads the first pages of all multiplexed streams, and all headers of the selected one. `None` without a known codec.
fn open_link(
    input: &mut BufReader<Stream<'_>>,
    mut first: Option<ogg::Page>,
    damaged: &mut u64,
    tags: &mut Tags,
) -> Result<Option<Link>> {
    let mut chosen: Option<(u32, ogg::Packets, Vec<Vec<u8>>)> = None;
    let mut video = false;
    loop {
        let page = match first.take() {
            Some(page) => page,
            None => match ogg::read_page(input, damaged).map_err(header_error)? {
                Some(page) => page,
                None if chosen.is_some() => {
                    return Err(bad("the Ogg file ends within the headers of its stream"));
                }
                None => return Ok(None),
            },
        };
        video |= page.flags & ogg::FIRST != 0
            && page
                .parts()
                .first()
                .is_some_and(|(packet, _)| is_video(packet));
        match &mut chosen {
            None if page.flags & ogg::FIRST != 0 => {
                let mut packets = ogg::Packets::default();
                let headers = packets.push(&page, MAX_HEADER);
                if headers
                    .first()
                    .is_some_and(|packet| header_packets(packet).is_some())
                {
                    chosen = Some((page.serial, packets, headers));
                }
            }
            Some((serial, packets, headers)) if page.serial == *serial => {
                headers.extend(packets.push(&page, MAX_HEADER));
            }
            _ => {}
        }
        if let Some((serial, packets, headers)) = &mut chosen {
            let wanted = headers
                .first()
                .and_then(|packet| header_packets(packet))
                .unwrap_or(1);
            // FLAC may leave the number of header packets open. Then the last metadata block has a flag.
            let complete = match wanted {
                0 => {
                    headers.len() > 1
                        && headers
                            .last()
                            .is_some_and(|header| header.first().is_some_and(|b| b & 0x80 != 0))
                }
                wanted => headers.len() >= wanted,
            };
            if complete {
                let wanted = if wanted == 0 { headers.len() } else { wanted };
                let queue = headers.split_off(wanted).into();
                let (track, delay) = start(headers, tags, input.get_ref().gate())?;
                let link = Link {
                    serial: *serial,
                    packets: std::mem::take(packets),
                    queue,
                    track,
                    delay,
                    positioned: wanted > 1 && !headers[0].starts_with(b"\x7fFLAC"),
                    base: None,
                    ended: false,
                    video,
                };
                return Ok(Some(link));
            }
            if headers.len() > 1000 {
                return Err(bad("the stream in the Ogg file has more than 1000 headers"));
            }
        }
    }
}

/// Returns whether this is the first packet of a video: Theora, VP8, Dirac, or the legacy OGM format.
fn is_video(packet: &[u8]) -> bool {
    let signatures: [&[u8]; 4] = [b"\x80theora", b"OVP80", b"BBCD\0", b"\x01video\0"];
    signatures.iter().any(|start| packet.starts_with(start))
}

/// Returns the number of header packets of a stream with this first packet. 0 means unknown; `None` means an unknown
/// codec.
fn header_packets(packet: &[u8]) -> Option<usize> {
    if packet.starts_with(b"OpusHead") {
        Some(2)
    } else if packet.starts_with(b"\x01vorbis") {
        Some(3)
    } else if packet.starts_with(b"\x7fFLAC") && packet.len() >= 17 + STREAM_INFO {
        match u16::from_be_bytes([packet[7], packet[8]]) {
            0 => Some(0),
            more => Some(1 + usize::from(more)),
        }
    } else {
        None
    }
}

/// Creates a track from the headers. Also returns the pre-skip.
fn start(headers: &[Vec<u8>], tags: &mut Tags, gate: &dyn Gate) -> Result<(Track, u64)> {
    let Some((first, others)) = headers.split_first() else {
        return Err(bad("the stream in the Ogg file has no headers"));
    };
    if first.starts_with(b"OpusHead") {
        let decoder = Opus::new(first)?;
        if let Some(rest) = others
            .first()
            .and_then(|packet| packet.strip_prefix(b"OpusTags"))
        {
            comments::read(rest, tags, gate)?;
        }
        let delay = u64::from(u16::from_le_bytes([first[10], first[11]]));
        let spec = decoder.spec();
        let mut track = Track::new(Box::new(decoder), spec, true);
        track.cut(delay, None);
        Ok((track, delay))
    } else if first.starts_with(b"\x01vorbis") {
        if let Some(rest) = others
            .first()
            .and_then(|packet| packet.strip_prefix(b"\x03vorbis"))
        {
            comments::read(rest, tags, gate)?;
        }
        let setup = others.get(1).map(Vec::as_slice).unwrap_or_default();
        let decoder = Vorbis::new(first, setup)?;
        let spec = decoder.spec();
        Ok((Track::new(Box::new(decoder), spec, true), 0))
    } else {
        let mut speakers = 0;
        for block in others {
            match block.split_first_chunk::<4>() {
                Some((head, rest)) if head[0] & 0x7f == 4 => {
                    comments::read(rest, tags, gate)?;
                    speakers = comments::read_speakers(rest);
                }
                Some((head, rest)) if head[0] & 0x7f == 6 => comments::read_picture(rest, tags),
                _ => {}
            }
        }
        let info = first.get(17..).unwrap_or_default();
        Ok((flac_track(info, speakers)?, 0))
    }
}

/// Creates the track of a FLAC stream, whose first header states the number of samples.
fn flac_track(info: &[u8], speakers: u32) -> Result<Track> {
    let info = Info::read(info, speakers)?;
    let mut track = Track::new(Box::new(Flac::new(info)), info.spec, false);
    track.cut(0, info.total);
    track.be_strict();
    Ok(track)
}

impl Link {
    /// Takes a page of this stream: queues its packets, and applies its granule position.
    fn page(&mut self, page: &ogg::Page) {
        let packets = self.packets.push(page, MAX_PACKET);
        self.ended |= page.flags & ogg::LAST != 0;
        if let (true, Ok(position)) = (self.positioned, u64::try_from(page.granule)) {
            let base = *self.base.get_or_insert_with(|| {
                let frames = self.track.advance(&packets);
                if position < frames && !self.ended {
                    // The position is smaller than the number of samples so far, so the beginning must be dropped
                    // (Vorbis I, section A.2).
                    self.track.cut(frames - position + self.delay, None);
                }
                position.saturating_sub(frames)
            });
            if self.ended {
                let total = position.saturating_sub(base).saturating_sub(self.delay);
                self.track.end_after(total);
            }
        }
        // Some encoders end a stream with an empty packet, so empty packets are left out.
        self.queue
            .extend(packets.into_iter().filter(|packet| !packet.is_empty()));
    }
}

impl Source for Chain<'_> {
    fn spec(&self) -> Spec {
        self.link.track.spec()
    }

    fn frames(&self) -> Option<u64> {
        self.link.track.total()
    }

    fn lossy(&self) -> bool {
        self.link.track.lossy()
    }

    fn read(&mut self, block: &mut Block) -> Result<bool> {
        loop {
            if let Some(data) = self.link.queue.pop_front() {
                if self.link.track.is_complete() {
                    continue;
                }
                self.link.track.push(&packet(&data, 0), block);
                return Ok(true);
            }
            let page = match self.next.take() {
                Some(page) => Some(page),
                None => ogg::read_page(&mut self.input, &mut self.damaged).map_err(header_error)?,
            };
            match page {
                Some(page)
                    if page.serial == self.link.serial
                        && !self.link.ended
                        && page.flags & ogg::FIRST == 0 =>
                {
                    self.link.page(&page);
                }
                // All multiplexed streams begin together. So a stream that begins later is the next link of the chain.
                Some(page) if page.flags & ogg::FIRST != 0 => {
                    let mut ignored = Tags::default();
                    if let Some(link) =
                        open_link(&mut self.input, Some(page), &mut self.damaged, &mut ignored)?
                    {
                        // A stream may begin twice; then the first beginning has only headers, and is not reported.
                        if !self.link.track.is_unused() || self.link.ended {
                            self.end_link()?;
                        }
                        self.link = link;
                    }
                }
                Some(_) => {}
                None => {
                    self.end_link()?;
                    if self.damaged > 0 {
                        self.losses.push(format!(
                            "{} of its pages are cut short or have a wrong checksum",
                            self.damaged
                        ));
                    }
                    return Ok(false);
                }
            }
        }
    }

    fn losses(&mut self) -> Vec<String> {
        std::mem::take(&mut self.losses)
    }
}

impl Chain<'_> {
    /// Ends the current link, and describes its losses.
    fn end_link(&mut self) -> Result<()> {
        self.losses.extend(self.link.track.finish()?);
        if self.link.packets.lost > 0 {
            self.losses.push(format!(
                "pages are missing at {} positions",
                self.link.packets.lost
            ));
        }
        // Recorders may be stopped at any time, and do not mark their last page. So the file is complete if it ends
        // with a complete page, and no packet continues after it.
        if !self.link.ended && self.link.packets.is_open() {
            let track = &self.link.track;
            self.losses.push(format!(
                "it ends early: after {:.2} s, within a packet",
                track.done() as f64 / f64::from(track.spec().rate)
            ));
        }
        Ok(())
    }
}

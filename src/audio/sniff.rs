//! What a file is, where a few bytes at fixed places do not tell. Believes a frame only if others follow it.

use super::{
    id3, ogg,
    read::{AdtsHeader, MpegHeader},
    stream::Stream,
};
use crate::job::{Input, Unlimited};
use std::io::{Read, Seek, SeekFrom};

/// How much of a file that is called one is searched for MPEG audio.
const MAX_JUNK: u64 = 256 << 10;
/// Frames that have to follow one another.
const ENOUGH_FRAMES: usize = 4;
/// First pages of streams side by side that are looked at.
const MAX_STREAMS: usize = 16;
/// Tags one behind the other that are passed over.
const MAX_TAGS: usize = 16;

/// Names of the brands of MP4 (`ftyp` boxes) that hold sound, and not pictures.
const BRANDS: [&[u8; 4]; 24] = [
    b"isom", b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"iso7", b"iso8", b"iso9", b"mp41",
    b"mp42", b"avc1", b"M4V ", b"M4VP", b"M4VH", b"MSNV", b"dash", b"f4v ", b"3gp4", b"3gp5",
    b"3gp6", b"3g2a", b"mmp4", b"M4P ",
];

/// The format of a file whose first bytes are `head`, if it is one of those that are read here.
pub(crate) fn recognise(
    head: &[u8],
    input: &mut dyn Input,
    extension: Option<&str>,
) -> Option<&'static str> {
    let called = |names: &[&str]| extension.is_some_and(|extension| names.contains(&extension));
    if head.get(4..8) == Some(b"ftyp") {
        let brand = head.get(8..12)?;
        return match BRANDS.iter().any(|known| brand == &known[..]) {
            true if called(&["m4a", "m4b"]) => Some("m4a"),
            true if called(&["mov", "qt"]) => Some("mov"),
            true => Some("mp4"),
            false => None,
        };
    }
    if head.starts_with(b"\x1a\x45\xdf\xa3") {
        let says = |name: &[u8]| {
            head.windows(name.len())
                .take(80)
                .any(|window| window == name)
        };
        return match (says(b"webm"), says(b"matroska")) {
            (true, _) => Some("webm"),
            (_, true) if called(&["mka"]) => Some("mka"),
            (_, true) => Some("mkv"),
            _ => None,
        };
    }
    let mut stream = Stream::new(input, &Unlimited).ok()?;
    if head.starts_with(b"OggS") {
        return multiplexed(stream);
    }
    // Tags may stand before what they describe.
    let mut tagged = false;
    for _ in 0..MAX_TAGS {
        let start = stream.up_to(10).ok()?;
        let length = id3::length(&start);
        if length == 0 || length >= stream.len() {
            break;
        }
        stream.narrow(length, u64::MAX).ok()?;
        tagged = true;
    }
    stream.seek(SeekFrom::Start(0)).ok()?;
    let start = stream.up_to(4).ok()?;
    if tagged && start.starts_with(b"fLaC") {
        return Some("flac");
    }
    if tagged && start.starts_with(b"OggS") {
        stream.seek(SeekFrom::Start(0)).ok()?;
        return multiplexed(stream);
    }
    let named = called(&["mp3", "mp2", "mp1", "mpa", "mpga", "aac", "adts"]);
    let reach = if tagged || named { MAX_JUNK } else { 1 };
    frames(&mut stream, reach)
}

/// The first stream that is known among those that begin side by side.
fn multiplexed(stream: Stream<'_>) -> Option<&'static str> {
    let mut input = std::io::BufReader::new(stream.take(1 << 20));
    let mut damaged = 0;
    for _ in 0..MAX_STREAMS {
        let page = ogg::read_page(&mut input, &mut damaged).ok()??;
        let parts = page.parts();
        let (packet, _) = parts.first()?;
        if packet.starts_with(b"OpusHead") {
            return Some("opus");
        }
        if packet.starts_with(b"\x01vorbis") || packet.starts_with(b"\x7fFLAC") {
            return Some("ogg");
        }
    }
    None
}

/// Looks for a run of frames that begins within the first `reach` bytes.
fn frames(stream: &mut Stream<'_>, reach: u64) -> Option<&'static str> {
    stream.seek(SeekFrom::Start(0)).ok()?;
    let bytes = stream.up_to(reach + (32 << 10)).ok()?;
    let whole = bytes.len() as u64 == stream.len();
    (0..bytes.len().min(reach as usize))
        .filter(|at| bytes[*at] == 0xff)
        .find_map(|at| {
            let adts = run(&bytes[at..], whole, |b| {
                AdtsHeader::parse(b).map(|h| (h.length, h.kind()))
            });
            let mpeg = || {
                run(&bytes[at..], whole, |b| {
                    MpegHeader::parse(b).map(|h| (h.length, h.kind()))
                })?;
                MpegHeader::parse(&bytes[at..])
            };
            match adts {
                Some(_) => Some("aac"),
                None => mpeg().map(|header| if header.layer == 3 { "mp3" } else { "mp2" }),
            }
        })
}

/// The kind of the frames at the beginning of `bytes`, if there are enough of one kind or nothing else.
fn run(bytes: &[u8], whole: bool, parse: impl Fn(&[u8]) -> Option<(usize, u32)>) -> Option<u32> {
    let (mut at, mut count, mut kind) = (0, 0, None);
    while let Some((length, this)) = bytes.get(at..).and_then(&parse) {
        if kind.is_some_and(|kind| kind != this) {
            return None;
        }
        kind = Some(this);
        at += length;
        count += 1;
        if count >= ENOUGH_FRAMES {
            return kind;
        }
    }
    // A short file may end, with a tag, after fewer.
    let rest = bytes.get(at..).unwrap_or_default();
    let ended =
        whole && (rest.is_empty() || rest.starts_with(b"TAG") || rest.starts_with(b"APETAGEX"));
    kind.filter(|_| ended && (count > 1 || at <= bytes.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::HEAD_LEN;
    use std::io::Cursor;

    #[track_caller]
    fn check(bytes: &[u8], extension: Option<&str>, expected: Option<&str>) {
        let head = &bytes[..bytes.len().min(HEAD_LEN)];
        let mut input = Cursor::new(bytes.to_vec());
        assert_eq!(recognise(head, &mut input, extension), expected);
    }

    fn mp3(frames: usize) -> Vec<u8> {
        let mut frame = vec![0; 417];
        frame[..4].copy_from_slice(&[0xff, 0xfb, 0x90, 0x64]);
        frame.repeat(frames)
    }

    #[test]
    fn frames_are_believed_in_company_only() {
        check(&mp3(4), None, Some("mp3"));
        check(&mp3(1), None, Some("mp3"));
        check(&mp3(4)[..500], None, Some("mp3"));
        check(&mp3(4)[..400], None, None);
        let mut junk = vec![0x55; 70_000];
        junk.extend(mp3(5));
        check(&junk, None, None);
        check(&junk, Some("mp3"), Some("mp3"));
        let mut tagged = b"ID3\x04\0\0\0\0\0\x05.....".to_vec();
        tagged.extend(mp3(3));
        check(&tagged, None, Some("mp3"));
        let mut aac = [0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc].to_vec();
        aac.resize(16, 0);
        check(&aac.repeat(4), None, Some("aac"));
        check(b"\xff\xd8\xff\xe0 a picture", None, None);
        check(b"", None, None);
        check(b"just text", Some("mp3"), None);
    }

    #[test]
    fn containers_are_told_apart_by_content_first() {
        check(b"\0\0\0\x20ftypisom\0\0\0\0", None, Some("mp4"));
        check(b"\0\0\0\x20ftypisom\0\0\0\0", Some("m4a"), Some("m4a"));
        check(b"\0\0\0\x20ftypavif\0\0\0\0", Some("m4a"), None);
        check(
            b"\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1f\x42\x82\x84webm",
            Some("mkv"),
            Some("webm"),
        );
        check(
            b"\x1a\x45\xdf\xa3\x42\x82\x88matroska",
            Some("mka"),
            Some("mka"),
        );
        check(b"ID3\x04\0\0\0\0\0\x01.fLaC", None, Some("flac"));
    }
}

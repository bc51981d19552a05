//! Recognises the format of a file that has no magic bytes, by asking one row after another. A file's extension alone
//! is not enough.
//!
//! MPEG audio, ADTS and AC-3 have no signature. Their frames begin with eleven or twelve set bits, or, in AC-3, with
//! two fixed bytes. Such bits and bytes occur in pictures and text, too. So a frame counts only if more frames follow
//! that agree with it in everything that is constant within a stream. Four such frames in a row occur by chance at
//! about one of 2⁴⁰ positions.

use super::{
    formats::ROWS,
    probe::Probe,
    row::{Frame, Recognise, Row},
};
use convertd_core::job::Input;

/// Bytes of a file that are searched for frames if the file's name or a tag says that it has frames. Web radio and old
/// programs leave junk before the first frame.
const MAX_JUNK: u64 = 1 << 20;
/// The number of frames that have to follow one another.
const ENOUGH_FRAMES: usize = 4;
/// Bytes that are enough for [`ENOUGH_FRAMES`] frames.
const RUN: u64 = 32 << 10;

/// Returns the format of a file. `None` if no audio format recognises the content of the file.
pub(crate) fn recognise(input: &mut dyn Input, extension: Option<&str>) -> Option<&'static Row> {
    let mut probe = Probe::new(input, extension).ok()?;
    let by_content = ROWS.iter().find(|row| match row.recognise {
        Recognise::Content(matches_content) => matches_content(row, &mut probe),
        _ => false,
    });
    by_content.or_else(|| by_frames(&mut probe)).copied()
}

/// Returns the format whose run of frames comes first in the file.
fn by_frames(probe: &mut Probe<'_>) -> Option<&'static &'static Row> {
    let rows = ROWS.iter().filter_map(|row| match row.recognise {
        Recognise::Frames(parse) => Some((row, parse)),
        _ => None,
    });
    let rows: Vec<_> = rows.collect();
    let is_called = rows.iter().any(|(row, _)| probe.is_called(&row.format));
    let reach = match probe.is_tagged || is_called {
        true => MAX_JUNK,
        false => 1,
    };
    let stream = probe.stream().ok()?;
    let bytes = stream.up_to(reach + RUN).ok()?;
    let is_whole = bytes.len() as u64 == stream.len();
    (0..bytes.len().min(reach as usize))
        .filter(|at| matches!(bytes[*at], 0xff | 0x0b))
        .find_map(|at| {
            let found = rows
                .iter()
                .find(|(_, parse)| is_run(&bytes[at..], is_whole, parse));
            found.map(|(row, _)| *row)
        })
}

/// Returns whether `bytes` begin with enough frames of one kind. If `bytes` are the rest of the file (`is_whole`), one
/// complete frame suffices, but only a tag may follow the frames.
fn is_run(bytes: &[u8], is_whole: bool, parse: impl Fn(&[u8]) -> Option<Frame>) -> bool {
    let (mut at, mut count, mut kind) = (0, 0, None);
    while let Some(frame) = bytes.get(at..).and_then(&parse) {
        if kind.is_some_and(|kind| kind != frame.kind) {
            return false;
        }
        kind = Some(frame.kind);
        at += frame.length;
        count += 1;
        if count >= ENOUGH_FRAMES {
            return true;
        }
    }
    // A short file may end after fewer frames, or have a tag after them.
    let rest = bytes.get(at..).unwrap_or_default();
    let is_end = rest.is_empty() || rest.starts_with(b"TAG") || rest.starts_with(b"APETAGEX");
    is_whole && is_end && (count > 1 || count == 1 && at <= bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    #[track_caller]
    fn check(bytes: &[u8], extension: Option<&str>, expected: Option<&str>) {
        let mut input = Cursor::new(bytes.to_vec());
        let found = recognise(&mut input, extension);
        assert_eq!(found.map(|row| row.format.name), expected);
    }

    fn mp3(frames: usize) -> Vec<u8> {
        let mut frame = vec![0; 417];
        frame[..4].copy_from_slice(&[0xff, 0xfb, 0x90, 0x64]);
        frame.repeat(frames)
    }

    #[test]
    fn frames_are_recognised_in_an_uninterrupted_run() {
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
    fn content_decides_before_the_extension() {
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

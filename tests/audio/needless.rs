//! Parts of a file that its sound does not depend on: chapters, tags, cues, the flag of the last page. Errors in them
//! affect only these parts. Chapters and tags are kept if the target can store them.

use crate::{
    bad::refused,
    flac::{crc, sound},
    harness::{Scratch, convert, fixture, has, made_by_ffmpeg, run},
};
use serde_json::Value;

/// An element of Matroska.
fn element(id: &[u8], body: &[u8]) -> Vec<u8> {
    let size = 1u64 << 56 | body.len() as u64;
    [id, &size.to_be_bytes(), body].concat()
}

const SEGMENT: &[u8] = b"\x18\x53\x80\x67";
const CHAPTERS: &[u8] = b"\x10\x43\xa7\x70";
const TAGS: &[u8] = b"\x12\x54\xc3\x67";
const CUES: &[u8] = b"\x1c\x53\xbb\x6b";
const SEEK_HEAD: &[u8] = b"\x11\x4d\x9b\x74";
const ATTACHMENTS: &[u8] = b"\x19\x41\xa4\x69";

/// A fixture with additional elements at the beginning of its segment, which gets an unknown size.
fn with(more: &[Vec<u8>]) -> Vec<u8> {
    let file = fixture("opus.webm");
    let at = file.windows(4).position(|w| w == SEGMENT).unwrap();
    // The size of the segment has eight bytes.
    let body = at + 12;
    let open = b"\x01\xff\xff\xff\xff\xff\xff\xff";
    [&file[..at + 4], open, &more.concat(), &file[body..]].concat()
}

fn chapter(start: u64, title: &str) -> Vec<u8> {
    let shown = element(b"\x80", &element(b"\x85", title.as_bytes()));
    let start = element(b"\x91", &start.to_be_bytes());
    element(b"\xb6", &[start, shown].concat())
}

/// Chapters as ffmpeg writes them: neither the edition nor the chapters have a number.
fn chapters() -> Vec<u8> {
    let both = [chapter(0, "One: Début"), chapter(60_000_000, "Two")].concat();
    element(CHAPTERS, &element(b"\x45\xb9", &both))
}

/// A tag, with a target level if one is given.
fn tag(level: Option<u8>, name: &str, text: &str) -> Vec<u8> {
    let level = level.map(|level| element(b"\x68\xca", &[level]));
    let targets = element(b"\x63\xc0", &level.unwrap_or_default());
    let simple = [
        element(b"\x45\xa3", name.as_bytes()),
        element(b"\x44\x87", text.as_bytes()),
    ];
    let simple = element(b"\x67\xc8", &simple.concat());
    element(b"\x73\x73", &[targets, simple].concat())
}

fn probe(extension: &str, bytes: &[u8]) -> Value {
    let file = Scratch::new(extension, bytes);
    let wanted = [
        "-v",
        "error",
        "-show_format",
        "-show_streams",
        "-show_chapters",
    ];
    let json = run(
        "ffprobe",
        &[&wanted[..], &["-of", "json", file.path()]].concat(),
    );
    serde_json::from_slice(&json).unwrap()
}

/// The chapters that ffprobe finds: their starts in seconds, and their titles.
fn chapters_of(probe: &Value) -> Vec<(f64, String)> {
    let all = probe["chapters"].as_array().unwrap().iter();
    all.map(|chapter| {
        let start = chapter["start_time"].as_str().unwrap().parse().unwrap();
        let title = chapter["tags"]["title"].as_str().unwrap_or_default();
        (start, title.to_owned())
    })
    .collect()
}

fn text_of(probe: &Value, name: &str) -> Option<String> {
    let places = [&probe["format"]["tags"], &probe["streams"][0]["tags"]];
    places.into_iter().find_map(|tags| {
        let mut all = tags.as_object()?.iter();
        let found = all.find(|(key, _)| key.eq_ignore_ascii_case(name));
        found?.1.as_str().map(str::to_owned)
    })
}

#[test]
fn errors_outside_of_the_sound_do_not_affect_it() {
    let (expected, _) = convert("a.webm", &fixture("opus.webm"), "wav").unwrap();
    #[track_caller]
    fn check(more: Vec<u8>, expected: &[u8]) {
        let (wav, _) = convert("a.webm", &with(&[more]), "wav").unwrap();
        assert!(sound(&wav) == sound(expected));
    }
    check(chapters(), &expected);
    check(element(CHAPTERS, b"\xb6\x8f\x00"), &expected);
    check(
        element(TAGS, &element(b"\x73\x73", b"\x67\xc8\xff")),
        &expected,
    );
    check(element(CUES, &element(b"\xbb", b"")), &expected);
    check(
        element(SEEK_HEAD, &element(b"\x4d\xbb", b"\x53\xac\x81")),
        &expected,
    );
    check(element(ATTACHMENTS, &element(b"\x61\xa7", b"")), &expected);
    // A child that claims to be longer than its parent.
    check(element(ATTACHMENTS, b"\x61\xa7\x4f\xff"), &expected);
}

#[test]
fn truncated_tables_after_the_sound_are_ignored() {
    let mut file = with(&[]);
    file.extend(CUES);
    file.extend(b"\x01\0\0\0\0\0\x10\0 and so on");
    let (expected, _) = convert("a.webm", &fixture("opus.webm"), "wav").unwrap();
    let (wav, notes) = convert("a.webm", &file, "wav").unwrap();
    assert!(sound(&wav) == sound(&expected));
    assert_eq!(notes.0, [""; 0]);
}

#[test]
fn tags_of_matroska_describe_the_target_of_their_level() {
    if !has("ffprobe") {
        return;
    }
    #[track_caller]
    fn check(tags: &[Vec<u8>], expected: &[(&str, &str)]) {
        let file = with(&[element(TAGS, &tags.concat())]);
        let (flac, _) = convert("a.webm", &file, "flac").unwrap();
        let probe = probe("flac", &flac);
        for (name, text) in expected {
            assert_eq!(text_of(&probe, name).as_deref(), Some(*text), "{name}");
        }
    }
    check(
        &[tag(None, "ARTIST", "Singer"), tag(None, "TITLE", "Song")],
        &[("artist", "Singer"), ("title", "Song")],
    );
    check(
        &[
            tag(Some(50), "TITLE", "Album"),
            tag(Some(50), "ARTIST", "Band"),
            tag(Some(30), "TITLE", "Song"),
            tag(Some(30), "ARTIST", "Singer"),
            tag(Some(30), "PART_NUMBER", "3"),
            tag(Some(50), "TOTAL_PARTS", "12"),
        ],
        &[
            ("title", "Song"),
            ("artist", "Singer"),
            ("album", "Album"),
            ("album_artist", "Band"),
            ("track", "3"),
            ("tracktotal", "12"),
        ],
    );
}

#[test]
fn chapters_and_free_texts_survive_conversions() {
    if !has("ffprobe") {
        return;
    }
    let tags = [
        tag(None, "REPLAYGAIN_TRACK_GAIN", "-8.58 dB"),
        tag(None, "LYRICS", "la la"),
        tag(None, "ISRC", "XX1"),
        tag(None, "MY OWN", "mine"),
    ];
    let file = with(&[chapters(), element(TAGS, &tags.concat())]);
    let targets = ["mp3", "flac", "ogg", "opus", "m4a"];
    for first in targets {
        let (bytes, notes) = convert("a.webm", &file, first).unwrap();
        assert!(
            !notes.0.join(" ").contains("left out"),
            "{first}: {notes:?}"
        );
        for second in targets {
            let (bytes, _) = convert(&format!("a.{first}"), &bytes, second).unwrap();
            let probe = probe(second, &bytes);
            let found = chapters_of(&probe);
            let expected = [(0.0, "One: Début".to_owned()), (0.06, "Two".to_owned())];
            assert_eq!(found, expected, "{first} to {second}");
            let gain = match second {
                "opus" => ("R128_TRACK_GAIN", "-3476"),
                _ => ("replaygain_track_gain", "-8.58 dB"),
            };
            for (name, text) in [gain, ("my own", "mine")] {
                assert_eq!(
                    text_of(&probe, name).as_deref(),
                    Some(text),
                    "{name}, {first} to {second}"
                );
            }
        }
    }
    let (_, notes) = convert("a.webm", &file, "au").unwrap();
    assert!(notes.0.join(" ").contains("chapters"), "{notes:?}");
}

/// A stopped recorder leaves complete pages, of which none is flagged as the last.
#[test]
fn a_last_page_need_not_be_marked() {
    for name in ["music.opus", "vorbis.ogg"] {
        let mut file = fixture(name);
        let (expected, _) = convert("a.ogg", &file, "wav").unwrap();
        let at = file.windows(4).rposition(|w| w == b"OggS").unwrap();
        file[at + 5] &= !4;
        file[at + 22..at + 26].fill(0);
        let check = crc(&file[at..], 0x04c1_1db7, 32);
        file[at + 22..at + 26].copy_from_slice(&(check as u32).to_le_bytes());
        let (wav, notes) = convert("a.ogg", &file, "wav").unwrap();
        assert_eq!(notes.0, [""; 0], "{name}");
        assert!(sound(&wav).len() >= sound(&expected).len(), "{name}");
    }
}

#[test]
fn core_audio_files_are_decoded() {
    if !has("ffmpeg") {
        return;
    }
    let sine = ["-f", "lavfi", "-i", "sine=duration=1:sample_rate=48000"];
    for (codec, frames) in [
        ("libopus", 48_000..=49_000),
        ("pcm_s8", 48_000..=48_000),
        ("pcm_s24le", 48_000..=48_000),
        ("pcm_f32be", 48_000..=48_000),
        ("pcm_alaw", 48_000..=48_000),
        ("alac", 48_000..=48_000),
        ("adpcm_ima_qt", 48_000..=48_064),
    ] {
        let caf = made_by_ffmpeg("caf", &[&sine[..], &["-c:a", codec]].concat());
        let (wav, notes) = convert("a.caf", &caf, "wav").unwrap();
        assert_eq!(notes.0, [""; 0], "{codec}");
        let judged = crate::harness::ffmpeg("wav", &wav);
        assert!(
            frames.contains(&judged.frames()),
            "{codec}: {}",
            judged.frames()
        );
        assert!(judged.samples.iter().any(|x| x.abs() > 0.1), "{codec}");
    }
}

#[test]
fn a_codec_that_is_not_supported_is_named() {
    if !has("ffmpeg") {
        return;
    }
    let sine = ["-f", "lavfi", "-i", "sine=duration=1"];
    let made = |extension: &str, codec: &str| {
        let wanted = ["-c:a", codec, "-strict", "-2"];
        made_by_ffmpeg(extension, &[&sine[..], &wanted].concat())
    };
    refused("a.mkv", &made("mkv", "dca"), "wav", "DTS");
    refused("a.mkv", &made("mkv", "tta"), "wav", "TTA");
    refused("a.mkv", &made("mkv", "wmav2"), "wav", "Windows Media Audio");
    // In WAV, the format tag identifies the codec.
    for codec in ["pcm_alaw", "pcm_mulaw"] {
        let (wav, notes) = convert("a.mkv", &made("mkv", codec), "wav").unwrap();
        assert_eq!(notes.0, [""; 0]);
        assert_eq!(sound(&wav).len() / 2, 44_100);
    }
}

#[test]
fn flac_comments_take_precedence_over_preceding_id3() {
    if !has("ffprobe") {
        return;
    }
    let mut file = b"ID3\x03\0\0\0\0\0\x0fTIT2\0\0\0\x05\0\0\0Mask".to_vec();
    file.extend(fixture("tagged.flac"));
    let (flac, _) = convert("a.flac", &file, "flac").unwrap();
    let title = text_of(&probe("flac", &flac), "title");
    assert_eq!(title.as_deref(), Some("Täuschung"));
}

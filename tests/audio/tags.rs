//! Title, artist and other tags through every pair of formats that can store them; ffprobe reads the results.

use crate::harness::{Scratch, convert, fixture, has, run};
use serde_json::Value;

const EXPECTED: [(&str, &str); 7] = [
    ("title", "Täuschung"),
    ("artist", "Ärtist"),
    ("album", "Album"),
    ("track", "3/12"),
    ("date", "2024"),
    ("genre", "Jazz"),
    ("comment", "Ümläut"),
];

/// A picture of one pixel.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x56\xc7\x2f\x0d\0\0\0\0IEND\xaeB`\x82";

fn probe(extension: &str, bytes: &[u8]) -> Value {
    let file = Scratch::new(extension, bytes);
    let json = run(
        "ffprobe",
        &[
            "-v",
            "error",
            "-show_format",
            "-show_streams",
            "-of",
            "json",
            file.path(),
        ],
    );
    serde_json::from_slice(&json).unwrap()
}

/// A tag of the file or, as in Ogg, of its stream.
fn tag(probe: &Value, name: &str) -> Option<String> {
    let places = [&probe["format"]["tags"], &probe["streams"][0]["tags"]];
    places.into_iter().find_map(|tags| {
        let (_, value) = tags
            .as_object()?
            .iter()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))?;
        value.as_str().map(str::to_owned)
    })
}

#[test]
fn texts_survive_every_pair() {
    if !has("ffprobe") {
        return;
    }
    for source in [
        "tagged.flac",
        "lame.mp3",
        "vorbis.ogg",
        "music.opus",
        "aac.m4a",
    ] {
        for target in ["mp3", "flac", "ogg", "opus", "m4a", "wav", "aiff"] {
            let (bytes, _) = convert(source, &fixture(source), target).unwrap();
            let probe = probe(target, &bytes);
            for (name, expected) in EXPECTED {
                let mut found = tag(&probe, name);
                // Vorbis comments have a field for the total.
                if name == "track" && matches!(target, "flac" | "ogg" | "opus") {
                    found = found
                        .zip(tag(&probe, "tracktotal"))
                        .map(|(number, total)| format!("{number}/{total}"));
                }
                assert_eq!(
                    found.as_deref(),
                    Some(expected),
                    "{name} of {source} to {target}"
                );
            }
        }
    }
}

#[test]
fn covers_survive_every_pair() {
    if !has("ffprobe") {
        return;
    }
    let with_cover = |target: &str| {
        let mut mp3 = id3_with_picture();
        mp3.extend(fixture("lame.mp3"));
        convert("a.mp3", &mp3, target).unwrap().0
    };
    for source in ["mp3", "flac", "ogg", "opus", "m4a", "wav", "aiff"] {
        let first = with_cover(source);
        for target in ["mp3", "flac", "ogg", "opus", "m4a"] {
            let (bytes, notes) = convert(&format!("a.{source}"), &first, target).unwrap();
            let probe = probe(target, &bytes);
            let pictures = probe["streams"].as_array().unwrap().iter();
            let codecs: Vec<&str> = pictures
                .filter_map(|stream| stream["codec_name"].as_str())
                .filter(|name| *name == "png")
                .collect();
            assert_eq!(codecs, ["png"], "{source} to {target}");
            assert!(
                !notes.0.iter().any(|note| note.contains("picture")),
                "{notes:?}"
            );
            assert!(bytes.windows(PNG.len()).any(|w| w == PNG) || matches!(target, "ogg" | "opus"));
        }
    }
}

fn id3_with_picture() -> Vec<u8> {
    let mut body = b"\0image/png\0\x03\0".to_vec();
    body.extend(PNG);
    let mut tag = b"ID3\x03\0\0\0\0".to_vec();
    let length = body.len() as u32 + 10;
    tag.extend([(length >> 7) as u8, length as u8 & 0x7f]);
    tag.extend(b"APIC");
    tag.extend((body.len() as u32).to_be_bytes());
    tag.extend([0, 0]);
    tag.extend(body);
    tag
}

#[test]
fn an_enormous_picture_is_left_out_with_a_note() {
    let mut body = b"\0image/jpeg\0\x03\0\xff\xd8\xff".to_vec();
    body.resize(5 << 20, 0);
    let length = body.len() as u32 + 10;
    let mut mp3 = b"ID3\x03\0\0".to_vec();
    mp3.extend([21, 14, 7, 0].map(|shift| (length >> shift) as u8 & 0x7f));
    mp3.extend(b"APIC");
    mp3.extend((body.len() as u32).to_be_bytes());
    mp3.extend([0, 0]);
    mp3.extend(body);
    mp3.extend(fixture("lame.mp3"));
    let (_, notes) = convert("a.mp3", &mp3, "flac").unwrap();
    assert!(
        notes.0.iter().any(|note| note.contains("picture")),
        "{notes:?}"
    );
}

#[test]
fn what_au_cannot_hold_is_left_out_with_a_note() {
    let notes = convert("a.flac", &fixture("tagged.flac"), "au").unwrap().1;
    assert!(
        notes.0.iter().any(|note| note.contains("tags")),
        "{notes:?}"
    );
    let mut mp3 = id3_with_picture();
    mp3.extend(fixture("lame.mp3"));
    let notes = convert("a.mp3", &mp3, "au").unwrap().1;
    assert!(
        notes.0.iter().any(|note| note.contains("cover picture")),
        "{notes:?}"
    );
    let notes = convert("s16.wav", &fixture("s16.wav"), "au").unwrap().1;
    assert_eq!(notes.0, [""; 0]);
}

#[test]
fn gains_and_identifiers_of_id3_are_those_of_other_formats() {
    if !has("ffprobe") {
        return;
    }
    let mut frames = Vec::new();
    let mut frame = |name: &[u8], body: &[u8]| {
        frames.extend(name);
        frames.extend([0, 0, 0, body.len() as u8, 0, 0]);
        frames.extend(body);
    };
    // A gain of -3.5 dB, and a peak of 0.75 in 16 bits.
    frame(b"RVA2", b"track\0\x01\xf9\x00\x10\x60\x00");
    frame(b"RVA2", b"mine\0\x01\x01\x00\x00");
    frame(b"TXXX", b"\x03replaygain_album_gain\0-2.25 dB");
    frame(b"RVA2", b"album\0\x01\xfb\x81\x00");
    frame(
        b"UFID",
        b"http://musicbrainz.org\0b1a9c0e9-d987-4042-ae91-78d6a3267d69",
    );
    frame(b"UFID", b"http://example.org\0x");
    frame(b"WOAR", b"http://example.org");
    let mut mp3 = b"ID3\x04\0\0\0\0".to_vec();
    mp3.extend([(frames.len() >> 7) as u8, frames.len() as u8 & 0x7f]);
    mp3.extend(frames);
    mp3.extend(fixture("lame.mp3"));
    let (flac, notes) = convert("a.mp3", &mp3, "flac").unwrap();
    let probe = probe("flac", &flac);
    for (name, expected) in [
        ("replaygain_track_gain", "-3.50 dB"),
        ("replaygain_track_peak", "0.750000"),
        ("replaygain_album_gain", "-2.25 dB"),
        (
            "musicbrainz_trackid",
            "b1a9c0e9-d987-4042-ae91-78d6a3267d69",
        ),
    ] {
        assert_eq!(tag(&probe, name).as_deref(), Some(expected), "{name}");
    }
    assert_eq!(notes.0, ["A link among the tags was left out."]);
}

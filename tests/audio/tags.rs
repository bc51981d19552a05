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
fn an_enormous_picture_is_dropped_with_a_note() {
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
fn tags_that_au_cannot_hold_are_dropped_with_a_note() {
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
fn gains_and_identifiers_of_id3_convert_to_other_formats() {
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

/// A tag of this version with these frames, before a sound.
fn with_id3(version: u8, frames: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let mut all = Vec::new();
    for (name, body) in frames {
        all.extend(*name);
        all.extend([0, 0, 0, body.len() as u8, 0, 0]);
        all.extend(*body);
    }
    let mut mp3 = b"ID3".to_vec();
    mp3.extend([version, 0, 0, 0, 0]);
    mp3.extend([(all.len() >> 7) as u8, all.len() as u8 & 0x7f]);
    mp3.extend(all);
    mp3.extend(fixture("lame.mp3"));
    mp3
}

/// Checks the tags of the FLAC that is made from an MP3 with these frames, and the notes about it.
#[track_caller]
fn check_id3(version: u8, frames: &[(&[u8; 4], &[u8])], expected: &[(&str, &str)], notes: &[&str]) {
    let (flac, found) = convert("a.mp3", &with_id3(version, frames), "flac").unwrap();
    assert_eq!(found.0, notes);
    let probe = probe("flac", &flac);
    for (name, value) in expected {
        assert_eq!(tag(&probe, name).as_deref(), Some(*value), "{name}");
    }
}

#[test]
fn people_works_and_dates_of_id3_are_kept() {
    if !has("ffprobe") {
        return;
    }
    check_id3(
        4,
        &[
            (b"TIPL", b"\x03producer\0Ann\0DJ-mix\0Cy"),
            (b"TMCL", b"\x03guitar\0Bob"),
            (b"TIT1", b"\x03Work"),
            (b"GRP1", b"\x03Group"),
            (b"TSST", b"\x03First"),
            (b"TOPE", b"\x03Before"),
            (b"COMM", b"\x03eng\0one\0two"),
            (b"COMM", b"\x03engMine\0described"),
            (b"COMM", b"\x03engiTunNORM\0 00000000"),
            (b"TSSE", b"\x03Encoder"),
            (b"TLEN", b"\x031000"),
        ],
        &[
            ("producer", "Ann"),
            ("djmixer", "Cy"),
            ("performer", "Bob (guitar)"),
            ("work", "Work"),
            ("grouping", "Group"),
            ("discsubtitle", "First"),
            ("originalartist", "Before"),
            ("mine", "described"),
        ],
        &[],
    );
    check_id3(
        3,
        &[
            (b"TIT1", b"\0Group"),
            (b"TYER", b"\x002004"),
            (b"TDAT", b"\x000211"),
            (b"TORY", b"\x001999"),
            // UTF-16 without the byte order mark that the specification demands, in both orders.
            (b"TIT2", b"\x01T\0i\0t\0l\0e\0"),
            (b"TALB", b"\x01\0A\0l\0b\0u\0m"),
        ],
        &[
            ("grouping", "Group"),
            ("date", "2004-11-02"),
            ("originaldate", "1999"),
            ("title", "Title"),
            ("album", "Album"),
        ],
        &[],
    );
    check_id3(
        4,
        &[(b"TPRO", b"\x032004 Somebody")],
        &[],
        &["A text among the tags was left out."],
    );
}

#[test]
fn several_comments_are_joined_in_one_frame() {
    let source = with_id3(
        4,
        &[(b"COMM", b"\x03eng\0one\0two"), (b"TPE1", b"\x03A\0B")],
    );
    let (flac, _) = convert("a.mp3", &source, "flac").unwrap();
    let (mp3, _) = convert("a.flac", &flac, "mp3").unwrap();
    let comment = b"COMM\0\0\0\x0c\0\0\x03und\0one\ntwo";
    assert!(mp3.windows(comment.len()).any(|part| part == comment));
    let artists = b"TPE1\0\0\0\x04\0\0\x03A\0B";
    assert!(mp3.windows(artists.len()).any(|part| part == artists));
}

/// Taggers change ID3 and leave INFO alone, which may stand before it or after it.
#[test]
fn id3_in_wav_takes_precedence_over_info() {
    if !has("ffprobe") {
        return;
    }
    let mut info = b"INFO".to_vec();
    for (name, text) in [(b"INAM", b"Old\0"), (b"IGNR", b"Folk")] {
        info.extend(name);
        info.extend(4u32.to_le_bytes());
        info.extend(text);
    }
    let id3 = b"ID3\x04\0\0\0\0\0\x0eTIT2\0\0\0\x04\0\0\x03New".to_vec();
    let chunks = [(b"LIST", info), (b"id3 ", id3)];
    for order in [[0, 1], [1, 0]] {
        let mut wav = fixture("s16.wav");
        for at in order {
            let (name, data) = &chunks[at];
            wav.extend(*name);
            wav.extend((data.len() as u32).to_le_bytes());
            wav.extend(data);
            wav.resize(wav.len().next_multiple_of(2), 0);
        }
        let length = wav.len() as u32 - 8;
        wav[4..8].copy_from_slice(&length.to_le_bytes());
        let (flac, _) = convert("a.wav", &wav, "flac").unwrap();
        let probe = probe("flac", &flac);
        for (name, expected) in [("title", "New"), ("genre", "Folk")] {
            assert_eq!(tag(&probe, name).as_deref(), Some(expected), "{name}");
        }
    }
}

#[test]
fn texts_of_wav_are_kept() {
    if !has("ffprobe") {
        return;
    }
    let mut wav = fixture("s16.wav");
    let mut list = b"INFO".to_vec();
    for (name, text) in [
        (b"ICOP", b"Mine"),
        (b"IENG", b"Anna"),
        (b"TRCK", b"7\0\0\0"),
    ] {
        list.extend(name);
        list.extend(4u32.to_le_bytes());
        list.extend(text);
    }
    wav.extend(b"LIST");
    wav.extend((list.len() as u32).to_le_bytes());
    wav.extend(list);
    let length = wav.len() as u32 - 8;
    wav[4..8].copy_from_slice(&length.to_le_bytes());
    let (flac, _) = convert("a.wav", &wav, "flac").unwrap();
    let probe = probe("flac", &flac);
    for (name, expected) in [("copyright", "Mine"), ("engineer", "Anna"), ("track", "7")] {
        assert_eq!(tag(&probe, name).as_deref(), Some(expected), "{name}");
    }
}

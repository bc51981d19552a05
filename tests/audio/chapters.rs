//! Chapters in ID3 tags: their ends, their number, and what they hold besides titles. Lyrics, long texts and pictures.

use crate::harness::{Scratch, convert, fixture, has, made_by_ffmpeg, run};

/// The arguments with which ffmpeg writes chapters as comments.
fn comments(count: usize) -> Vec<String> {
    let of = |i: usize| {
        [
            format!(
                "-metadata\0CHAPTER{i:03}=00:00:{:02}.{:03}",
                i / 1000,
                i % 1000
            ),
            format!("-metadata\0CHAPTER{i:03}NAME=Chapter {i}"),
        ]
    };
    let all = (1..=count).flat_map(of);
    all.flat_map(|pair| pair.split('\0').map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// A sound of three seconds with chapters.
fn sound(extension: &str, codec: &str, count: usize) -> Vec<u8> {
    let comments = comments(count);
    let mut arguments = vec!["-f", "lavfi", "-i", "sine=440:d=3", "-c:a", codec];
    arguments.extend(comments.iter().map(String::as_str));
    made_by_ffmpeg(extension, &arguments)
}

/// The bodies of all frames with this name, which may be within other frames.
fn frames<'a>(file: &'a [u8], name: &[u8; 4]) -> Vec<&'a [u8]> {
    let starts = (0..file.len().saturating_sub(10)).filter(|at| file[*at..].starts_with(name));
    let body = |at: usize| {
        let size = &file[at + 4..at + 8];
        let size = size.iter().fold(0, |n, byte| n << 7 | usize::from(*byte));
        &file[at + 10..at + 10 + size]
    };
    starts.map(body).collect()
}

/// A tag with these frames before a sound.
fn tagged(frames: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
    let size = |n: usize| [21, 14, 7, 0].map(|shift| (n >> shift) as u8 & 0x7f);
    let mut all = Vec::new();
    for (name, body) in frames {
        all.extend(*name);
        all.extend(size(body.len()));
        all.extend([0, 0]);
        all.extend(*body);
    }
    let mut mp3 = b"ID3\x04\0\0".to_vec();
    mp3.extend(size(all.len()));
    mp3.extend(all);
    mp3.extend(fixture("lame.mp3"));
    mp3
}

/// The headers of Ogg and of a FLAC that went through a pipe do not state the length of the sound.
#[test]
fn the_last_chapter_ends_with_a_sound_of_unknown_length() {
    if !has("ffmpeg") {
        return;
    }
    let mut piped = sound("flac", "flac", 2);
    piped[21] &= 0xf0;
    piped[22..26].fill(0);
    for (name, file) in [
        ("a.opus", sound("opus", "libopus", 2)),
        ("a.ogg", sound("ogg", "libvorbis", 2)),
        ("a.oga", sound("oga", "flac", 2)),
        ("a.flac", piped),
    ] {
        for target in ["mp3", "wav", "aiff"] {
            let (made, _) = convert(name, &file, target).unwrap();
            let last = *frames(&made, b"CHAP").last().unwrap();
            let times = &last[b"chp1\0".len()..];
            let time = |at: usize| u32::from_be_bytes(times[at..at + 4].try_into().unwrap());
            assert_eq!(time(0), 2, "{name} to {target}");
            let end = time(4);
            assert!((2990..=3010).contains(&end), "{name} to {target}: {end}");
        }
    }
}

/// A table of contents lists at most 255 chapters.
#[test]
fn more_chapters_than_a_table_holds_are_kept() {
    if !has("ffmpeg") {
        return;
    }
    let flac = sound("flac", "flac", 600);
    let (mp3, notes) = convert("a.flac", &flac, "mp3").unwrap();
    assert_eq!(notes.0, [""; 0]);
    assert_eq!(frames(&mp3, b"CHAP").len(), 600);
    let tables = frames(&mp3, b"CTOC");
    let top: Vec<_> = tables
        .iter()
        .filter(|table| table.starts_with(b"toc\0\x03\x03"))
        .collect();
    assert_eq!((tables.len(), top.len()), (4, 1));
    let listed = tables.concat();
    let is_missing = |i: &u32| {
        let name = format!("chp{i}\0");
        !listed
            .windows(name.len())
            .any(|part| part == name.as_bytes())
    };
    assert_eq!((0..600).find(is_missing), None);

    let file = Scratch::new("mp3", &mp3);
    let shown = run(
        "ffprobe",
        &["-v", "error", "-show_chapters", "-of", "csv", file.path()],
    );
    assert_eq!(String::from_utf8(shown).unwrap().lines().count(), 600);
    let (back, _) = convert("a.mp3", &mp3, "flac").unwrap();
    assert!(
        back.windows(26)
            .any(|part| part == b"CHAPTER600NAME=Chapter 600")
    );
    let (_, notes) = convert("a.mp3", &mp3, "m4a").unwrap();
    let note = "The chapters after the first 255 were left out, because m4a has no place for more.";
    assert_eq!(notes.0, [note]);
    let (_, notes) = convert("a.flac", &sound("flac", "flac", 1200), "mp3").unwrap();
    assert!(
        notes.0.iter().any(|note| note.contains("more than 1,000")),
        "{notes:?}"
    );
}

/// Podcasts have a picture and a link in each chapter, often before its title.
#[test]
fn chapters_with_pictures_keep_their_titles() {
    let mut body = b"a\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff".to_vec();
    let mut picture = b"\0image/jpeg\0\0\0\xff\xd8\xff".to_vec();
    picture.resize(100_000, 7);
    body.extend(b"APIC\0\x06\x0d\x20\0\0");
    body.extend(&picture);
    body.extend(b"TIT2\0\0\0\x06\0\0\x03Intro");
    let (flac, notes) = convert("a.mp3", &tagged(&[(b"CHAP", &body)]), "flac").unwrap();
    assert!(flac.windows(20).any(|part| part == b"CHAPTER001NAME=Intro"));
    assert_eq!(
        notes.0,
        ["The pictures and links of chapters were left out."]
    );
}

#[test]
fn lyrics_keep_their_languages() {
    let lyrics: [(&[u8; 4], &[u8]); 2] = [
        (b"USLT", b"\x03deu\0Alle meine Entchen"),
        (b"USLT", b"\x03eng\0All my ducklings"),
    ];
    for target in ["mp3", "wav", "aiff"] {
        let (made, _) = convert("a.mp3", &tagged(&lyrics), target).unwrap();
        let found = frames(&made, b"USLT");
        assert_eq!(found, lyrics.map(|(_, body)| body), "{target}");
    }
    let (flac, _) = convert("a.mp3", &tagged(&lyrics), "flac").unwrap();
    let (mp3, _) = convert("a.flac", &flac, "mp3").unwrap();
    let expected = b"\x03und\0Alle meine Entchen\nAll my ducklings";
    assert_eq!(frames(&mp3, b"USLT"), [expected]);
}

#[test]
fn texts_are_kept_whole_or_cut_with_a_note() {
    let comment = |length: usize| [&b"\x03eng\0"[..], &vec![b'x'; length]].concat();
    let (mp3, notes) = convert("a.mp3", &tagged(&[(b"COMM", &comment(10_000))]), "mp3").unwrap();
    assert_eq!(frames(&mp3, b"COMM")[0].len(), 10_005);
    assert_eq!(notes.0, [""; 0]);
    for length in [70_000, 200_000] {
        let source = tagged(&[(b"COMM", &comment(length))]);
        let (mp3, notes) = convert("a.mp3", &source, "mp3").unwrap();
        assert_eq!(frames(&mp3, b"COMM")[0].len(), 5 + (64 << 10));
        assert_eq!(notes.0, ["A text among the tags was cut after 64 KiB."]);
    }
}

#[test]
fn pictures_that_are_left_out_are_noted() {
    #[track_caller]
    fn check(picture: &[u8], note: &str) {
        let body = [b"\0image/tiff\0\x03\0", picture].concat();
        let (_, notes) = convert("a.mp3", &tagged(&[(b"APIC", &body)]), "flac").unwrap();
        assert!(notes.0.join("\n").contains(note), "{notes:?}");
        assert_eq!(notes.0.is_empty(), note.is_empty());
    }
    check(b"", "");
    check(b"\xff\xd8\xff\xe0", "");
    check(b"II*\0", "it is not a jpg, png, gif, bmp or webp");
    let mut large = b"\xff\xd8\xff".to_vec();
    large.resize(5 << 20, 0);
    check(&large, "exceed 4 MiB");
}

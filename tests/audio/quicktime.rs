//! QuickTime's ways to store sound, with and without the box that states the file type. Results are compared with WAV
//! files of the same samples, and with ffmpeg for compressed sound.

use crate::{
    bad::{refused, wav},
    flac::sound,
    harness::{Scratch, convert, ffmpeg, fixture, has, made_by_ffmpeg},
};

fn boxed(kind: &[u8; 4], content: &[&[u8]]) -> Vec<u8> {
    let content = content.concat();
    let length = (content.len() as u32 + 8).to_be_bytes();
    [&length[..], kind, &content].concat()
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// The sample entry of a track: its codec, its version, the number of bits, and the bytes after the first fields.
struct Entry<'a>(&'a [u8; 4], u16, u16, &'a [u8]);

/// A file with two channels at 44.1 kHz and without a `ftyp` box. Its samples are in chunks of 100, 100 and the rest,
/// and the sample size in the tables is `size`.
fn mov(
    Entry(kind, version, bits, more): Entry<'_>,
    size: u32,
    frame: usize,
    data: &[u8],
) -> Vec<u8> {
    let frames = (data.len() / frame) as u32;
    let description = [
        &[0, 0, 0, 0, 0, 0, 0, 1][..],
        &version.to_be_bytes(),
        &[0; 6],
        &2u16.to_be_bytes(),
        &bits.to_be_bytes(),
        &[0; 4],
        &words(&[44_100 << 16]),
        more,
    ];
    let stsd = boxed(b"stsd", &[&words(&[0, 1]), &boxed(kind, &description)]);
    let tables = [
        stsd,
        boxed(b"stts", &[&words(&[0, 1, frames, 1])]),
        boxed(b"stsc", &[&words(&[0, 2, 1, 100, 1, 3, frames - 200, 1])]),
        boxed(b"stsz", &[&words(&[0, size, frames])]),
        boxed(
            b"stco",
            &[
                &words(&[0, 3]),
                &words(&[0, 1, 2].map(|i| 16 + i * 100 * frame as u32)),
            ],
        ),
    ]
    .concat();
    let handler = boxed(b"hdlr", &[&[0; 4], b"mhlrsoun", &[0; 13]]);
    let header = boxed(b"mdhd", &[&words(&[0, 0, 0, 44_100, frames, 0])]);
    let media = boxed(b"minf", &[&boxed(b"stbl", &[&tables])]);
    let track = boxed(
        b"trak",
        &[
            &boxed(b"tkhd", &[&words(&[7, 0, 0, 1])]),
            &boxed(b"mdia", &[&header, &handler, &media]),
        ],
    );
    let movie = boxed(b"mvhd", &[&words(&[0, 0, 0, 600, 0])]);
    [
        boxed(b"wide", &[]),
        boxed(b"mdat", &[data]),
        boxed(b"moov", &[&movie, &track]),
    ]
    .concat()
}

/// The same samples in the other byte order.
fn swapped(data: &[u8], size: usize) -> Vec<u8> {
    data.chunks(size)
        .flat_map(|sample| sample.iter().rev().copied())
        .collect()
}

#[test]
fn samples_are_read_in_every_encoding() {
    /// Checks a track against a WAV file of the same data, whose header has `tag` and `bits`.
    #[track_caller]
    fn check(entry: Entry<'_>, big: bool, tag: u16, bits: u16) {
        let bytes = usize::from(bits / 8);
        let frame = 2 * bytes;
        let data: Vec<u8> = match (tag, bits) {
            (3, 32) => (0..500u16)
                .flat_map(|i| (f32::from(i) / 500.0).to_le_bytes())
                .collect(),
            (3, _) => (0..500u16)
                .flat_map(|i| (f64::from(i) / 500.0).to_le_bytes())
                .collect(),
            _ => (0..500 * bytes).map(|i| (i * 7 + i / 90) as u8).collect(),
        };
        let stored = if big {
            swapped(&data, bytes)
        } else {
            data.clone()
        };
        let expected = convert("a.wav", &wav(44_100, 2, bits, tag, &data), "wav")
            .unwrap()
            .0;
        let Entry(kind, version, width, more) = entry;
        // Writers put one of these into the table of sizes: the size of a frame, the size of a sample, or 1.
        for size in [frame, bytes, 1] {
            let entry = Entry(kind, version, width, more);
            let file = mov(entry, size as u32, frame, &stored);
            let (found, notes) = convert("a", &file, "wav").unwrap();
            assert_eq!(sound(&found), sound(&expected), "{kind:?} {size} {notes:?}");
        }
    }
    let little = boxed(b"wave", &[&boxed(b"enda", &[&[0, 1]])]);
    let version1 = |bytes: u32| words(&[1, bytes, 2 * bytes, bytes]);
    let version2 = |bits: u32, flags: u32| {
        let rate = words(&[72]).into_iter().chain(44_100f64.to_be_bytes());
        let rest = words(&[2, 0x7f00_0000, bits, flags, bits / 4, 1]);
        rate.chain(rest).collect::<Vec<u8>>()
    };
    check(Entry(b"twos", 0, 16, &[]), true, 1, 16);
    check(Entry(b"sowt", 0, 16, &[]), false, 1, 16);
    check(Entry(b"raw ", 0, 8, &[]), true, 1, 8);
    check(Entry(b"in24", 1, 16, &version1(3)), true, 1, 24);
    check(Entry(b"in32", 1, 16, &version1(4)), true, 1, 32);
    check(
        Entry(b"in24", 1, 16, &[&version1(3)[..], &little].concat()),
        false,
        1,
        24,
    );
    check(
        Entry(b"in32", 1, 16, &[&version1(4)[..], &little].concat()),
        false,
        1,
        32,
    );
    check(Entry(b"fl32", 1, 16, &version1(4)), true, 3, 32);
    check(Entry(b"fl64", 1, 16, &version1(8)), true, 3, 64);
    check(
        Entry(b"fl32", 1, 16, &[&version1(4)[..], &little].concat()),
        false,
        3,
        32,
    );
    check(Entry(b"alaw", 0, 16, &[]), true, 6, 8);
    check(Entry(b"ulaw", 1, 16, &version1(1)), true, 7, 8);
    check(Entry(b"lpcm", 2, 16, &version2(16, 0b1110)), true, 1, 16);
    // As in MP4 (ISO/IEC 23003-5), where a `pcmC` box overrides the number of bits.
    let pcm = |little: u8, bits: u8| boxed(b"pcmC", &[&[0, 0, 0, 0, little, bits]]);
    check(Entry(b"ipcm", 0, 16, &pcm(0, 16)), true, 1, 16);
    check(Entry(b"ipcm", 0, 16, &pcm(1, 24)), false, 1, 24);
    check(Entry(b"ipcm", 0, 16, &pcm(1, 32)), false, 1, 32);
    check(Entry(b"fpcm", 0, 16, &pcm(1, 32)), false, 3, 32);
    check(Entry(b"fpcm", 0, 16, &pcm(0, 64)), true, 3, 64);
    check(Entry(b"lpcm", 2, 16, &version2(24, 0b1100)), false, 1, 24);
    check(Entry(b"lpcm", 2, 16, &version2(32, 0b1001)), false, 3, 32);
}

#[test]
fn files_need_no_type_box() {
    #[track_caller]
    fn check(name: &str) {
        let mut file = fixture(name);
        let expected = convert(name, &file, "wav").unwrap().0;
        let at = file.windows(4).position(|w| w == b"ftyp").unwrap();
        for kind in [b"skip", b"free"] {
            file[at..at + 4].copy_from_slice(kind);
            for name in ["a.mov", "a.mp4", "a.m4a", "a"] {
                let found = convert(name, &file, "wav").unwrap().0;
                assert_eq!(sound(&found), sound(&expected), "{name}");
            }
        }
    }
    check("big.mov");
    check("aac.m4a");
    check("alac24.m4a");
    check("video.mp4");
    // An unknown brand.
    let mut file = fixture("aac.m4a");
    let at = file.windows(4).position(|w| w == b"ftyp").unwrap();
    file[at + 4..at + 8].copy_from_slice(b"xyz1");
    assert!(convert("a", &file, "wav").is_ok());
}

#[test]
fn codecs_of_quicktime_are_decoded() {
    if !has("ffmpeg") {
        return;
    }
    let source = Scratch::new("wav", &fixture("s16.wav"));
    for (codec, format) in [
        ("adpcm_ima_qt", "mov"),
        ("adpcm_ima_qt", "aiff"),
        ("adpcm_ima_qt", "caf"),
        ("alac", "mov"),
        ("pcm_s8", "mov"),
        ("pcm_s24be", "mov"),
    ] {
        let bytes = made_by_ffmpeg(format, &["-i", source.path(), "-c:a", codec]);
        let (found, _) = convert(&format!("a.{format}"), &bytes, "wav").unwrap();
        let (found, expected) = (ffmpeg("wav", &found), ffmpeg(format, &bytes));
        let length = found.samples.len();
        assert!(
            found == expected || found.samples[..] == expected.samples[..length],
            "{codec} in {format}"
        );
    }
}

#[test]
fn unsupported_codecs_are_named() {
    #[track_caller]
    fn check(kind: &[u8; 4], name: &str) {
        refused(
            "a.mov",
            &mov(Entry(kind, 0, 16, &[]), 1, 4, &[0; 2000]),
            "wav",
            name,
        );
    }
    check(b"sawp", "AMR-WB+");
    check(b"QDM2", "QDesign");
}

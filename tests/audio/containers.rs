//! Ogg and Matroska as other programs write them: multiplexed streams, laced packets, unknown sizes, delays and
//! padding.

use crate::{
    flac::{crc, sound},
    harness::{Scratch, convert, ffmpeg, fixture, has, made_by_ffmpeg},
};

/// Converts a file to WAV. Returns the number of its 16-bit stereo frames, and the notes.
#[track_caller]
fn frames(name: &str, bytes: &[u8]) -> (usize, String) {
    let (wav, notes) = convert(name, bytes, "wav").unwrap();
    (sound(&wav).len() / 4, notes.0.join(" "))
}

/// The pages of an Ogg file.
fn pages(mut ogg: &[u8]) -> Vec<&[u8]> {
    let mut pages = Vec::new();
    while !ogg.is_empty() {
        let segments = usize::from(ogg[26]);
        let body: usize = ogg[27..27 + segments].iter().map(|s| usize::from(*s)).sum();
        let (page, rest) = ogg.split_at(27 + segments + body);
        pages.push(page);
        ogg = rest;
    }
    pages
}

/// The packets of an Ogg file with one stream.
fn packets(ogg: &[u8]) -> Vec<Vec<u8>> {
    let (mut packets, mut open) = (vec![Vec::new()], 0);
    for page in pages(ogg) {
        let segments = usize::from(page[26]);
        let mut body = &page[27 + segments..];
        for segment in &page[27..27 + segments] {
            let (part, rest) = body.split_at(usize::from(*segment));
            packets[open].extend(part);
            body = rest;
            if *segment < 255 {
                packets.push(Vec::new());
                open += 1;
            }
        }
    }
    packets.pop();
    packets
}

/// A page with one short packet.
fn page(flags: u8, serial: u32, sequence: u32, packet: &[u8]) -> Vec<u8> {
    let mut page = b"OggS\0".to_vec();
    page.push(flags);
    page.extend([0; 8]);
    page.extend(serial.to_le_bytes());
    page.extend(sequence.to_le_bytes());
    page.extend([0; 4]);
    page.extend([1, packet.len() as u8]);
    page.extend(packet);
    let check = crc(&page, 0x04c1_1db7, 32);
    page[22..26].copy_from_slice(&(check as u32).to_le_bytes());
    page
}

/// The same stream under another serial number.
fn renumbered(ogg: &[u8], serial: u32) -> Vec<u8> {
    let mut all = Vec::new();
    for page in pages(ogg) {
        let mut page = page.to_vec();
        page[14..18].copy_from_slice(&serial.to_le_bytes());
        page[22..26].fill(0);
        let check = crc(&page, 0x04c1_1db7, 32);
        page[22..26].copy_from_slice(&(check as u32).to_le_bytes());
        all.extend(page);
    }
    all
}

/// Multiplexed streams: first the first page of each, and then the other pages in turn.
fn multiplexed(streams: &[Vec<u8>]) -> Vec<u8> {
    let streams: Vec<_> = streams.iter().map(|stream| pages(stream)).collect();
    let longest = streams.iter().map(Vec::len).max().unwrap();
    let by_turns = (0..longest).flat_map(|i| streams.iter().filter_map(move |s| s.get(i)));
    by_turns.flat_map(|page| page.iter().copied()).collect()
}

#[test]
fn the_first_known_of_multiplexed_streams_is_read() {
    let (vorbis, opus) = (fixture("vorbis.ogg"), fixture("music.opus"));
    let skeleton = [
        page(2, 99, 0, b"fishead\0\x03\0\0\0"),
        page(0, 99, 1, b"fisbone\0\x2c\0\0\0"),
        page(4, 99, 2, b""),
    ]
    .concat();
    let (one, two) = (renumbered(&vorbis, 1), renumbered(&opus, 2));
    #[track_caller]
    fn check(name: &str, bytes: &[u8], expected: usize, note: &str) {
        let (found, notes) = frames(name, bytes);
        assert_eq!(found, expected);
        assert!(notes.starts_with(note), "{notes}");
    }
    check("a.ogg", &multiplexed(&[one.clone(), two.clone()]), 6615, "");
    check("a.ogg", &multiplexed(&[two.clone(), one.clone()]), 7200, "");
    check(
        "a.ogg",
        &multiplexed(&[skeleton.clone(), one.clone()]),
        6615,
        "",
    );
    check("a.ogg", &multiplexed(&[one, skeleton.clone()]), 6615, "");
    let video = fixture("video.ogv");
    check("a.ogv", &video, 6615, "The file is a video");
    check(
        "a.ogg",
        &[&video[..], &video].concat(),
        2 * 6615,
        "The file is a video",
    );
    // Links of a chain with several streams, and a link without any known stream.
    let stranger = [page(2, 7, 0, b"stranger"), page(4, 7, 1, b"more")].concat();
    let chain = [
        &multiplexed(&[skeleton, two]),
        &stranger,
        &video,
        &stranger,
        &opus,
    ];
    let (found, _) = frames("a.ogg", &chain.map(|link| link.to_vec()).concat());
    let expected = 7200 + 7200 + 7200;
    assert!(found.abs_diff(expected) <= 1, "{found}, not {expected}");
}

/// An element of Matroska with its size.
fn element(id: &[u8], body: &[u8]) -> Vec<u8> {
    let size = 1u64 << 56 | body.len() as u64;
    [id, &size.to_be_bytes(), body].concat()
}

/// An element of Matroska of unknown size.
fn open(id: &[u8], body: &[u8]) -> Vec<u8> {
    [id, &[0xff; 1], body].concat()
}

const SEGMENT: &[u8] = b"\x18\x53\x80\x67";
const TRACKS: &[u8] = b"\x16\x54\xae\x6b";
const CLUSTER: &[u8] = b"\x1f\x43\xb6\x75";

fn track(number: u8, kind: u8, codec: &str, more: &[Vec<u8>]) -> Vec<u8> {
    let all = [
        element(b"\xd7", &[number]),
        element(b"\x73\xc5", &[number]),
        element(b"\x83", &[kind]),
        element(b"\x86", codec.as_bytes()),
        more.concat(),
    ];
    element(b"\xae", &all.concat())
}

/// A track entry for an Opus stream with this header.
fn opus_track(number: u8, head: &[u8]) -> Vec<u8> {
    let delay = u64::from(u16::from_le_bytes([head[10], head[11]])) * 1_000_000_000 / 48_000;
    let audio = [
        element(b"\xb5", &48_000f64.to_be_bytes()),
        element(b"\x9f", &[head[9]]),
    ];
    let more = [
        element(b"\x63\xa2", head),
        element(b"\x56\xaa", &delay.to_be_bytes()),
        element(b"\xe1", &audio.concat()),
    ];
    track(number, 2, "A_OPUS", &more)
}

/// The content of a block: one packet, or several in a kind of lacing.
fn block(number: u8, time: u16, lacing: u8, packets: &[Vec<u8>]) -> Vec<u8> {
    let mut block = vec![0x80 | number];
    block.extend(time.to_be_bytes());
    block.push(lacing << 1);
    let mut before: Option<usize> = None;
    if lacing > 0 {
        block.push(packets.len() as u8 - 1);
        for packet in packets.iter().take(packets.len() - 1) {
            let size = packet.len();
            match (lacing, before) {
                (1, _) => {
                    block.extend(std::iter::repeat_n(255, size / 255));
                    block.push((size % 255) as u8);
                }
                (3, None) => block.extend((0x4000 | size as u16).to_be_bytes()),
                (3, Some(before)) => {
                    let difference = size as i32 - before as i32 + 0x1fff;
                    block.extend((0x4000 | difference as u16).to_be_bytes());
                }
                _ => {}
            }
            before = Some(size);
        }
    }
    block.extend(packets.concat());
    block
}

/// A WebM file with tracks and clusters of blocks.
fn webm(tracks: &[Vec<u8>], clusters: &[Vec<u8>], sized: bool) -> Vec<u8> {
    let close = if sized { element } else { open };
    let info = element(
        b"\x15\x49\xa9\x66",
        &[
            element(b"\x2a\xd7\xb1", b"\x0f\x42\x40"),
            element(b"\x4d\x80", b"test"),
            element(b"\x57\x41", b"test"),
        ]
        .concat(),
    );
    let mut body = [info, element(TRACKS, &tracks.concat())].concat();
    for (i, cluster) in clusters.iter().enumerate() {
        let time = element(b"\xe7", &(i as u16 * 60).to_be_bytes());
        body.extend(close(CLUSTER, &[&time[..], cluster].concat()));
    }
    let head = element(b"\x1a\x45\xdf\xa3", &element(b"\x42\x82", b"webm"));
    [head, close(SEGMENT, &body)].concat()
}

/// The header of an Opus stream, and its packets.
fn opus() -> (Vec<u8>, Vec<Vec<u8>>) {
    let mut packets = packets(&fixture("music.opus"));
    let sound = packets.split_off(2);
    (packets.swap_remove(0), sound)
}

/// Nanoseconds of padding with which an Opus stream has the same duration as in Ogg.
fn padding(head: &[u8], packets: usize) -> u64 {
    let delay = usize::from(u16::from_le_bytes([head[10], head[11]]));
    ((packets * 960 - delay - 7200) * 1_000_000_000 / 48_000) as u64
}

/// A block group: a block with its padding in nanoseconds.
fn group(block: &[u8], padding: u64) -> Vec<u8> {
    let inner = [
        element(b"\xa1", block),
        element(b"\x75\xa2", &padding.to_be_bytes()),
    ];
    element(b"\xa0", &inner.concat())
}

#[test]
fn lacing_and_unknown_sizes_do_not_change_the_sound() {
    let (head, packets) = opus();
    let expected = convert("a.opus", &fixture("music.opus"), "wav").unwrap().0;
    let tracks = [opus_track(1, &head)];
    for sized in [true, false] {
        for lacing in 0..4u8 {
            let mut blocks: Vec<&[Vec<u8>]> = Vec::new();
            // Programs differ in the meaning of padding for laced packets, so the last packet has a block of its own.
            let (last, mut rest) = packets.split_last().unwrap();
            while !rest.is_empty() {
                // Fixed-size lacing requires packets of equal size.
                let alike = rest.iter().take_while(|p| p.len() == rest[0].len()).count();
                let count = [1, rest.len().min(3), alike.min(3), rest.len().min(3)];
                let (now, later) = rest.split_at(count[usize::from(lacing)]);
                blocks.push(now);
                rest = later;
            }
            let mut clusters: Vec<Vec<u8>> = blocks
                .iter()
                .map(|packets| element(b"\xa3", &block(1, 0, lacing, packets)))
                .collect();
            let padding = padding(&head, packets.len());
            let last = block(1, 0, 0, std::slice::from_ref(last));
            clusters.push(group(&last, padding));
            let file = webm(&tracks, &clusters, sized);
            let (wav, notes) = convert("a.webm", &file, "wav").unwrap();
            assert!(notes.0.is_empty(), "{notes:?}");
            assert!(
                sound(&wav) == sound(&expected),
                "lacing {lacing}, sized {sized}: {} bytes",
                sound(&wav).len()
            );
            if has("ffmpeg") {
                assert_eq!(ffmpeg("webm", &file).frames(), 7200, "lacing {lacing}");
            }
        }
    }
}

#[test]
fn other_tracks_are_skipped() {
    let (head, packets) = opus();
    let video = track(
        1,
        1,
        "V_VP8",
        &[element(
            b"\xe0",
            &[element(b"\xb0", &[16]), element(b"\xba", &[16])].concat(),
        )],
    );
    let unknown = track(2, 2, "A_DTS", &[element(b"\xe1", &element(b"\x9f", &[2]))]);
    let mut clusters = Vec::new();
    for (i, packet) in packets.iter().enumerate() {
        let junk = |number: u8| element(b"\xa3", &block(number, 0, 0, &[vec![7; 40]]));
        let ours = block(3, 0, 0, std::slice::from_ref(packet));
        let ours = match i + 1 == packets.len() {
            true => group(&ours, padding(&head, packets.len())),
            false => element(b"\xa3", &ours),
        };
        clusters.push([junk(1), junk(2), ours, junk(1)].concat());
    }
    let file = webm(
        &[video.clone(), unknown.clone(), opus_track(3, &head)],
        &clusters,
        true,
    );
    let (found, notes) = frames("a.webm", &file);
    assert_eq!(found, 7200);
    assert!(notes.contains("audio track 2"), "{notes}");
    let Err(err) = convert("a.webm", &webm(&[video, unknown], &clusters, true), "wav") else {
        panic!("sound came from nowhere");
    };
    assert!(err.message().contains("cannot be decoded"), "{err}");
}

#[test]
fn padding_is_dropped_wherever_it_is() {
    let (head, packets) = opus();
    let delay = usize::from(u16::from_le_bytes([head[10], head[11]]));
    let mut clusters = Vec::new();
    for (i, packet) in packets.iter().enumerate() {
        let one = block(1, 0, 0, std::slice::from_ref(packet));
        // The fourth packet from the end has padding of 10 ms, the second one from the end 5 ms, and the last one 2.5
        // ms.
        clusters.push(match packets.len() - i {
            4 => group(&one, 10_000_000),
            2 => group(&one, 5_000_000),
            1 => group(&one, 2_500_000),
            _ => element(b"\xa3", &one),
        });
    }
    let file = webm(&[opus_track(1, &head)], &clusters, true);
    let expected = packets.len() * 960 - delay - 480 - 240 - 120;
    // Some programs write the sampling rate of the source. Delay and padding still count at the rate of Opus.
    let mut other = file.clone();
    let rate = 48_000_f64.to_be_bytes();
    let at = other.windows(8).position(|at| at == rate).unwrap();
    other[at..at + 8].copy_from_slice(&44_100_f64.to_be_bytes());
    assert_eq!(frames("a.webm", &other).0, expected);
    assert_eq!(frames("a.webm", &file).0, expected);
    if has("ffmpeg") {
        assert_eq!(ffmpeg("webm", &file).frames(), expected);
        // For MP3, only the delay that the file states is cut off.
        let (found, _) = frames("mp3.mka", &fixture("mp3.mka"));
        assert_eq!(found, ffmpeg("mka", &fixture("mp3.mka")).frames());
    }
}

#[test]
fn stated_codec_delay_is_dropped() {
    // 1105 samples at 44.1 kHz, written over the element with the language.
    let mut file = fixture("mp3.mka");
    let (plain, _) = frames("mp3.mka", &file);
    let language = b"\x22\xb5\x9c\x83und";
    let at = file.windows(7).position(|w| w == language).unwrap();
    file[at..at + 3].copy_from_slice(b"\x56\xaa\x84");
    file[at + 3..at + 7].copy_from_slice(&25_056_689u32.to_be_bytes());
    assert_eq!(frames("mp3.mka", &file).0, plain - 1105);
}

/// For some years, mkvmerge by default left out bytes with which all packets begin; it can also compress packets.
#[test]
fn packets_are_restored_before_they_are_decoded() {
    let coded = fixture("surround.ac3");
    let (expected, _) = convert("a.ac3", &coded, "wav").unwrap();
    let check = |settings: &[Vec<u8>], store: &dyn Fn(&[u8]) -> Vec<u8>| {
        let compression = element(b"\x50\x34", &settings.concat());
        let encodings = element(b"\x6d\x80", &element(b"\x62\x40", &compression));
        let audio = [
            element(b"\xb5", &48_000f64.to_be_bytes()),
            element(b"\x9f", &[6]),
        ];
        let audio = element(b"\xe1", &audio.concat());
        let track = track(1, 2, "A_AC3", &[audio, encodings]);
        let frames = coded.chunks(768).map(|frame| {
            assert!(frame.starts_with(b"\x0b\x77"));
            element(b"\xa3", &block(1, 0, 0, &[store(frame)]))
        });
        let file = webm(&[track], &frames.collect::<Vec<_>>(), true);
        let (wav, notes) = convert("a.webm", &file, "wav").unwrap();
        assert!(wav == expected, "{settings:?}");
        assert_eq!(notes.0.len(), 0, "{notes:?}");
        if has("ffmpeg") {
            assert_eq!(ffmpeg("webm", &file).frames(), coded.len() / 768 * 1536);
        }
    };
    let algorithm = |number| element(b"\x42\x54", &[number]);
    let settings = element(b"\x42\x55", b"\x0b\x77");
    let shorter = |frame: &[u8]| frame[2..].to_vec();
    check(&[algorithm(3), settings.clone()], &shorter);
    check(&[settings, algorithm(3)], &shorter);
    let packed = |frame: &[u8]| miniz_oxide::deflate::compress_to_vec_zlib(frame, 6);
    check(&[algorithm(0)], &packed);
    check(&[], &packed);
}

/// The samples of the first track may continue in fragments. The duration is then that of the first part, or unknown.
#[test]
fn fragments_are_read_to_their_end() {
    if !has("ffmpeg") {
        return;
    }
    let sine = ["-f", "lavfi", "-i", "sine=duration=2", "-c:a", "aac"];
    let flags = |flags| [&sine[..], &["-movflags", flags, "-frag_duration", "500000"]].concat();
    for (name, flags) in [
        ("first", flags("frag_keyframe")),
        ("none", flags("frag_keyframe+empty_moov")),
        ("cut", flags("frag_keyframe+empty_moov+delay_moov")),
    ] {
        let mut file = made_by_ffmpeg("mp4", &flags);
        let expected = ffmpeg("mp4", &file).frames();
        assert!(expected > 80_000, "{expected}");
        #[track_caller]
        fn check(name: &str, file: &[u8], expected: usize) {
            let (wav, notes) = convert("a.mp4", file, "wav").unwrap();
            let found = sound(&wav).len() / 2;
            assert!(notes.0.is_empty(), "{notes:?}");
            // ffmpeg drops the encoder's delay even if the file does not state it.
            assert!(
                found.abs_diff(expected) <= 1024,
                "{name}: {found} {expected}"
            );
        }
        check(name, &file, expected);
        // The field follows the box name, the version, two times and the timescale.
        let length = file.windows(4).position(|at| at == b"mdhd").unwrap() + 20;
        file[length..length + 4].fill(0xff);
        check(name, &file, expected);
    }
}

#[test]
fn mpeg_audio_of_a_lower_layer_may_be_in_mp4() {
    if !has("ffmpeg") {
        return;
    }
    let sine = ["-f", "lavfi", "-i", "sine=duration=1", "-c:a", "mp2"];
    let file = made_by_ffmpeg("mp4", &[&sine[..], &["-b:a", "96k"]].concat());
    let (wav, notes) = convert("a.mp4", &file, "wav").unwrap();
    assert!(notes.0.is_empty(), "{notes:?}");
    let expected = ffmpeg("mp4", &file).frames();
    assert!((sound(&wav).len() / 2).abs_diff(expected) <= 1152);
    assert!(sound(&wav).iter().any(|byte| *byte > 64));
}

/// The last box may have an unknown size (ISO/IEC 14496-12, 4.2).
#[test]
fn the_last_box_may_extend_to_the_end_of_the_file() {
    if !has("ffmpeg") {
        return;
    }
    let sine = ["-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac"];
    let mut file = made_by_ffmpeg("m4a", &[&sine[..], &["-movflags", "faststart"]].concat());
    let (expected, _) = convert("a.m4a", &file, "wav").unwrap();
    let at = file.windows(4).position(|at| at == b"mdat").unwrap();
    file[at - 4..at].fill(0);
    let (wav, notes) = convert("a.m4a", &file, "wav").unwrap();
    assert!(notes.0.is_empty(), "{notes:?}");
    assert!(wav == expected);
}

#[test]
fn an_ogg_stream_may_begin_twice() {
    let file = fixture("music.opus");
    let headers: usize = pages(&file)[..2].iter().map(|page| page.len()).sum();
    let twice = [&file[..headers], &file].concat();
    let (expected, _) = convert("a.opus", &file, "wav").unwrap();
    let (wav, notes) = convert("a.opus", &twice, "wav").unwrap();
    assert!(notes.0.is_empty(), "{notes:?}");
    assert!(wav == expected);
    // Headers without sound.
    assert!(convert("a.opus", &file[..headers], "wav").is_err());
}

/// The configuration of x265 contains all its options as a text, and is longer than Symphonia expects.
#[test]
fn sound_beside_hevc_is_read() {
    if !has("ffmpeg") {
        return;
    }
    let picture = ["-f", "lavfi", "-i", "testsrc=duration=1:size=64x64"];
    let sine = ["-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac"];
    let video = ["-c:v", "libx265", "-x265-params", "log-level=error"];
    let file = made_by_ffmpeg("mp4", &[picture, sine[..4].try_into().unwrap()].concat());
    let (_, notes) = convert("a.mp4", &file, "wav").unwrap();
    assert!(notes.0.join(" ").contains("video"), "{notes:?}");
    let file = made_by_ffmpeg("mp4", &[&picture[..], &sine, &video].concat());
    let at = file.windows(4).position(|at| at == b"hvcC").unwrap();
    assert!(u32::from_be_bytes(file[at - 4..at].try_into().unwrap()) > 1024);
    let (wav, notes) = convert("a.mp4", &file, "wav").unwrap();
    assert!(notes.0.join(" ").contains("video"), "{notes:?}");
    assert_eq!(sound(&wav).len() / 2, 44_100);
}

/// The names of the programs that made a file are not needed for its sound.
#[test]
fn matroska_need_not_name_its_writer() {
    if !has("ffmpeg") {
        return;
    }
    let coded = fixture("surround.ac3");
    let from = Scratch::new("ac3", &coded);
    let mut file = made_by_ffmpeg("mkv", &["-i", from.path(), "-c", "copy"]);
    let (expected, _) = convert("a.mkv", &file, "wav").unwrap();
    for name in [b"\x4d\x80", b"\x57\x41"] {
        let at = file.windows(2).position(|bytes| bytes == name).unwrap();
        // The element becomes the family of the segment, which is not checked.
        file[at..at + 2].copy_from_slice(b"\x44\x44");
    }
    let (wav, _) = convert("a.mkv", &file, "wav").unwrap();
    assert!(wav == expected);
}

/// A box of unknown size extends to the end of its parent.
#[test]
fn the_last_box_in_its_parent_needs_no_length() {
    if !has("ffmpeg") {
        return;
    }
    let coded = fixture("surround.ac3");
    let from = Scratch::new("ac3", &coded);
    let mut file = made_by_ffmpeg("mov", &["-i", from.path(), "-c", "copy"]);
    let (expected, _) = convert("a.mov", &file, "wav").unwrap();
    // The last box of a track is its media, the last box of the media is the media information, and the last box of the
    // media information is the sample table.
    for name in [b"mdia", b"minf", b"stbl"] {
        let at = file.windows(4).rposition(|bytes| bytes == name).unwrap();
        file[at - 4..at].fill(0);
    }
    let (wav, _) = convert("a.mov", &file, "wav").unwrap();
    assert!(wav == expected);
}

//! AAC in containers that say little about it.

use crate::harness::{convert, ffmpeg, fixture, has};

#[test]
fn rates_above_16_bits_are_read() {
    // A sample entry has only 16 bits for the rate (ISO 14496-12, section 12.2.3), so it is 0 here.
    let (m4a, _) = convert("a.wav", &fixture("rate96.wav"), "m4a").unwrap();
    let (wav, notes) = convert("a.m4a", &m4a, "wav").unwrap();
    assert_eq!(notes.0, [""; 0]);
    assert_eq!(wav[24..28], 96_000_u32.to_le_bytes());
    if has("ffmpeg") {
        let (ours, theirs) = (ffmpeg("wav", &wav), ffmpeg("m4a", &m4a));
        assert_eq!(ours.rate, theirs.rate);
        let pairs = ours.samples.iter().zip(&theirs.samples);
        let most = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // Our samples are rounded to 16 bits, with dither.
        assert!(most < 4.0 / 32768.0, "{most}");
    }
}

#[test]
fn missing_bytes_of_a_configuration_count_as_zeros() {
    let (whole, _) = convert("a.wav", &fixture("rate96.wav"), "m4a").unwrap();
    // The DecoderSpecificInfo of the esds box (ISO 14496-1, section 7.2.6.7) has two bytes. The bit dependsOnCoreCoder
    // announces 14 more bits, coreCoderDelay.
    let esds = memchr::memmem::find(&whole, b"esds").unwrap();
    let info = esds + memchr::memmem::find(&whole[esds..], &[5, 2]).unwrap();
    let mut cut = whole.clone();
    cut[info + 3] |= 2;
    assert_ne!(cut, whole);
    assert_eq!(
        convert("a.m4a", &cut, "wav").unwrap(),
        convert("a.m4a", &whole, "wav").unwrap()
    );
}

#[test]
fn delay_is_dropped_if_only_a_tag_states_it() {
    let (whole, _) = convert("a.wav", &fixture("rate96.wav"), "m4a").unwrap();
    // Without the edit list, the file is like one of iTunes.
    let edits = memchr::memmem::find(&whole, b"edts").unwrap();
    let mut file = whole.clone();
    file[edits..edits + 4].copy_from_slice(b"free");
    let (expected, _) = convert("a.m4a", &whole, "wav").unwrap();
    assert!(convert("a.m4a", &file, "wav").unwrap().0 == expected);
    // Without the list and the tag, nothing is cut off.
    let tag = memchr::memmem::find(&file, b"iTunSMPB").unwrap();
    file[tag] = b'x';
    let (longer, _) = convert("a.m4a", &file, "wav").unwrap();
    assert!(longer.len() > expected.len() + 2 * 1024);
}

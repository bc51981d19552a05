//! Presentations from before 2007: the content of a file that another program wrote, and damaged copies of it.

use crate::harness::{convert_with, text_of};
use convertd::error::Kind;

/// A file of LibreOffice; see `make.py` beside it.
fn talk() -> Vec<u8> {
    data("talk.ppt")
}

fn data(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/presentations/");
    std::fs::read(folder.to_owned() + name).unwrap()
}

#[test]
fn slides_have_titles_bullets_and_notes() {
    let text = text_of("talk.ppt", &talk(), "md").unwrap();
    let expected = [
        "# A talk",
        "# What it is about\n\n- First of all\n  - Below the first\n- Größe, Ελληνικά\n\n> Speak slowly.",
        "# Shapes\n\nRound",
        "**Bold and large**",
    ];
    let mut rest = text.as_str();
    for part in expected {
        let at = rest
            .find(part)
            .unwrap_or_else(|| panic!("{part} in {text}"));
        rest = &rest[at + part.len()..];
    }
    assert!(text.contains("data:image/png"), "{text}");
    assert!(!text.contains("Not for everybody"), "{text}");
}

#[test]
fn groups_of_cells_are_tables() {
    let text = text_of("drawn.ppt", &data("drawn.ppt"), "md").unwrap();
    let expected = "| Item     | Amount |\n|----------|--------|\n| Apples   | 12     |\n| Together | 12     |";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn shapes_are_drawn_point_by_point() {
    // A blue triangle that points down, on a slide 25.4 cm wide.
    let fields = [("page", "2"), ("width", "254")];
    let (picture, _) = convert_with("drawn.ppt", &data("drawn.ppt"), "png", &fields).unwrap();
    let picture = image::load_from_memory(&picture).unwrap().to_rgb8();
    #[track_caller]
    fn check(picture: &image::RgbImage, x: u32, y: u32, expected: [u8; 3]) {
        assert_eq!(picture.get_pixel(x, y).0, expected, "at {x}, {y}");
    }
    let (blue, white) = ([0x20, 0x40, 0xc0], [255; 3]);
    check(&picture, 60, 65, blue);
    check(&picture, 60, 110, blue);
    check(&picture, 35, 110, white);
    check(&picture, 85, 110, white);
}

#[test]
fn hidden_slides_are_kept_if_asked_for() {
    let (text, _) = convert_with("talk.ppt", &talk(), "txt", &[("hidden", "keep")]).unwrap();
    assert!(
        String::from_utf8(text)
            .unwrap()
            .contains("Not for everybody")
    );
}

/// Checks that a conversion to text succeeds or is refused.
#[track_caller]
fn check(bytes: &[u8]) {
    if let Err(err) = convert_with("talk.ppt", bytes, "txt", &[]) {
        assert_eq!(err.kind(), Kind::BadInput, "{err}");
    }
}

#[test]
fn records_with_false_lengths_are_refused_or_read() {
    let whole = talk();
    // The header of each record of these kinds gets four false lengths in turn, from 0 to 4 GiB.
    let kinds: [u16; 8] = [1000, 1006, 1016, 4080, 4085, 6002, 0xf003, 0xf004];
    for at in 512..whole.len() - 8 {
        let kind = u16::from_le_bytes([whole[at + 2], whole[at + 3]]);
        if !kinds.contains(&kind) || whole[at] & 15 != 15 && !matches!(kind, 4085 | 6002) {
            continue;
        }
        for len in [0, 7, 0x7fff_ffff, u32::MAX] {
            let mut bytes = whole.clone();
            bytes[at + 4..at + 8].copy_from_slice(&len.to_le_bytes());
            check(&bytes);
        }
        // Edits and directories with references beyond the file.
        if matches!(kind, 4085 | 6002) {
            for field in 0..7 {
                let mut bytes = whole.clone();
                let at = at + 8 + field * 4;
                if at + 4 <= bytes.len() {
                    bytes[at..at + 4].copy_from_slice(&[0xff; 4]);
                    check(&bytes);
                }
            }
        }
    }
}

#[test]
fn damaged_presentations_are_refused_or_read() {
    let whole = talk();
    let mut random = 0x5eed_u64;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below as u64) as usize
    };
    for part in 1..20 {
        check(&whole[..whole.len() * part / 20]);
    }
    for _ in 0..200 {
        let mut bytes = whole.clone();
        for _ in 0..=next(8) {
            let at = next(bytes.len());
            bytes[at] = next(256) as u8;
        }
        check(&bytes);
    }
}

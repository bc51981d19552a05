//! Presentations of before 2007: what is read of one that another program made, and what becomes of it when it is damaged.

use crate::harness::{convert_with, text_of};
use convertd::error::Kind;

/// Made by LibreOffice; see `make.py` beside it.
fn talk() -> Vec<u8> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/presentations/talk.ppt"
    );
    std::fs::read(path).unwrap()
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
fn hidden_slides_are_kept_if_asked_for() {
    let (text, _) = convert_with("talk.ppt", &talk(), "txt", &[("hidden", "keep")]).unwrap();
    assert!(
        String::from_utf8(text)
            .unwrap()
            .contains("Not for everybody")
    );
}

/// Converts to a text, which has to be made or refused.
#[track_caller]
fn check(bytes: &[u8]) {
    if let Err(err) = convert_with("talk.ppt", bytes, "txt", &[]) {
        assert_eq!(err.kind(), Kind::BadInput, "{err}");
    }
}

#[test]
fn records_that_lie_are_refused_or_read() {
    let whole = talk();
    // Every header of a record gets lengths of 4 GiB and of nothing, each record in turn.
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
        // Edits and directories that lead to themselves.
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

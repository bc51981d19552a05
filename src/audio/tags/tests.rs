//! Tests of tags: which texts, chapters and pictures are kept, replaced and left out.

use super::*;

#[test]
fn texts_are_trimmed_shortened_and_deduplicated() {
    let mut tags = Tags::default();
    tags.add(Key::Title, " A\0");
    tags.add(Key::Title, "A");
    tags.add(Key::Title, "");
    tags.add(Key::Comment, &"ä".repeat(5000));
    assert_eq!(tags.left_out, [""; 0]);
    tags.add(Key::Comment, &"ö".repeat(MAX_TEXT));
    assert_eq!(tags.left_out, [TEXT_CUT]);
    let lengths: Vec<_> = tags.texts().map(|(_, text)| text.len()).collect();
    assert_eq!(lengths, [1, 10_000, MAX_TEXT]);
    for letter in 'a'..'e' {
        tags.add(Key::Comment, &String::from(letter).repeat(MAX_TEXT - 1));
    }
    assert_eq!(tags.left_out, [TEXT_CUT, TEXTS_OMITTED]);
}

#[test]
fn the_limits_apply_to_all_texts_together() {
    let mut tags = Tags::default();
    let numbers: Vec<_> = (0..2 * MAX_TEXTS).map(|i| i.to_string()).collect();
    tags.add(Key::Comment, &numbers[..MAX_TEXTS].join("\0\0"));
    assert_eq!(tags.left_out, [""; 0]);
    assert_eq!(tags.texts().count(), MAX_TEXTS);
    tags.set(Key::Comment, "1");
    tags.set_total(Key::Comment, "2");
    assert_eq!(tags.texts_len, "1/2".len());
    tags.add_own("X", &numbers.join("\0"));
    assert_eq!(tags.own().count(), MAX_TEXTS);
    assert_eq!(tags.left_out, [TEXTS_OMITTED]);
    let held: usize = tags.own().map(|(name, text)| name.len() + text.len()).sum();
    assert_eq!(tags.own_len, held);
}

#[test]
fn only_lyrics_that_are_kept_have_a_language() {
    #[track_caller]
    fn check(own: &[(&str, Option<Language>)], expected: &[(&str, Language)]) {
        let mut tags = Tags::default();
        for (text, language) in own {
            match language {
                Some(language) => tags.add_lyrics(text, *language),
                None => tags.add_own(fields::LYRICS, text),
            }
        }
        let mut other = Tags::default();
        other.add_lyrics("la", *b"deu");
        tags.merge(other);
        let found = tags.languages.iter();
        let found: Vec<_> = found.map(|(text, code)| (text.as_str(), *code)).collect();
        assert_eq!(found, expected);
    }
    check(&[], &[("la", *b"deu")]);
    check(&[("la", None)], &[("la", *b"deu")]);
    check(&[("la", Some(*b"eng"))], &[("la", *b"eng")]);
    check(&[("lu", Some(*b"eng"))], &[("lu", *b"eng")]);
}

#[test]
fn a_sound_has_one_gain() {
    let mut tags = Tags::default();
    tags.add_own("REPLAYGAIN_TRACK_GAIN", "-3.00 dB");
    tags.add_own("R128_TRACK_GAIN", "0");
    tags.add_own("replaygain_track_gain", "1 dB");
    let own: Vec<_> = tags.own().collect();
    assert_eq!(own, [("REPLAYGAIN_TRACK_GAIN", "-3.00 dB")]);
}

#[test]
fn totals_are_joined_with_their_numbers() {
    let mut tags = Tags::default();
    tags.add(Key::Track, "3");
    tags.set_total(Key::Track, "12");
    tags.set_total(Key::Track, "13");
    assert_eq!(tags.get(Key::Track), Some("3/12"));
}

#[test]
fn only_supported_pictures_of_limited_size_are_kept() {
    let mut tags = Tags::default();
    tags.add_picture(b"");
    assert_eq!(tags.left_out, [""; 0]);
    tags.add_picture(b"<html>");
    assert!(tags.picture().is_none());
    assert_eq!(tags.left_out, [PICTURE_UNKNOWN]);
    tags.add_picture(b"\xff\xd8\xff\xe0");
    assert_eq!(tags.picture().unwrap().media_type, "image/jpeg");
    let mut large = b"\xff\xd8\xff".to_vec();
    large.resize(MAX_PICTURE + 1, 0);
    tags.add_picture(&large);
    assert_eq!(tags.left_out, [PICTURE_UNKNOWN, PICTURES_OMITTED]);
}

//! Subtitles: times, formatting and positions in the results, and the content that ffmpeg reads in them.

use crate::harness::{convert, convert_with, directory, has};
use std::{fs, process::Command};

const SRT: &str = "1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>First</i> & <b>bold</b>\r\nsecond line\r\n\r\n\
    2\r\n00:00:03,000 --> 01:00:04,040 X1:0 X2:9\r\n{\\an8}<font color=\"red\">Above</font>\r\n\r\n\
    3\r\n00:00:05,000 --> 00:00:06,000\r\n\r\n";

const VTT: &str = "\u{feff}WEBVTT - A title\n\nNOTE a remark\n\nSTYLE\n::cue { color: red }\n\nintro\n\
    00:01.000 --> 00:02.500 line:0 align:start\n<v Ann>Hi &amp; <c.loud>you</c>\nthere\n\n\
    01:00:03.000 --> 01:00:04.000\n<b>Later</b> <01:00:03.500>on\n";

const ASS: &str = "[Script Info]\nTitle: A\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n\n[Events]\n\
    Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n\
    Dialogue: 0,0:00:03.50,0:00:04.00,Default,,0,0,0,,{\\an8}Later, above\n\
    Comment: 0,0:00:00.00,0:00:01.00,Default,,0,0,0,,hidden\n\
    Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}Slanted{\\i0}\\Nnext\n\
    Dialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,{\\p1}m 0 0 l 9 9{\\p0}\n";

#[track_caller]
fn check(name: &str, text: &str, to: &str, expected: &str, notes: usize) {
    let (result, told) = convert_with(name, text.as_bytes(), to, "medium", &[]).unwrap();
    assert_eq!(String::from_utf8(result).unwrap(), expected, "{name}");
    assert_eq!(told.0.len(), notes, "{:?}", told.0);
}

#[test]
fn cues_keep_times_styles_and_positions() {
    check(
        "a.srt",
        SRT,
        "vtt",
        "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n<i>First</i> &amp; <b>bold</b>\nsecond line\n\n\
         00:00:03.000 --> 01:00:04.040 line:0\nAbove\n\n",
        0,
    );
    check(
        "a.vtt",
        VTT,
        "srt",
        "1\n00:00:01,000 --> 00:00:02,500\n{\\an8}Ann: Hi & you\nthere\n\n\
         2\n01:00:03,000 --> 01:00:04,000\n<b>Later</b> on\n\n",
        1,
    );
    check(
        "a.ass",
        ASS,
        "srt",
        "1\n00:00:01,000 --> 00:00:02,000\n<i>Slanted</i>\nnext\n\n2\n00:00:03,500 --> 00:00:04,000\n{\\an8}Later, above\n\n",
        2,
    );
    check("a", SRT, "txt", "First & bold\nsecond line\nAbove\n", 0);
}

#[test]
fn blank_lines_inside_subrip_cues_are_dropped() {
    let text = "1\n00:00:01,000 --> 00:00:02,000\n\nabove\n\nbelow\n\n2\n00:00:03,000 --> 00:00:02,000\nnext\n";
    check(
        "a.srt",
        text,
        "vtt",
        "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nabove\nbelow\n\n00:00:03.000 --> 00:00:02.000\nnext\n\n",
        1,
    );
}

#[test]
fn encodings_are_detected() {
    let text = "1\n00:00:01,000 --> 00:00:02,000\ncafé, déjà vu, garçon\n";
    let latin: Vec<u8> = text.chars().map(|c| c as u32 as u8).collect();
    let wide = text.encode_utf16().flat_map(u16::to_le_bytes);
    let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(wide).collect();
    for bytes in [text.as_bytes(), &latin, &wide] {
        let words = String::from_utf8(convert("a.srt", bytes, "txt").unwrap()).unwrap();
        assert_eq!(words, "café, déjà vu, garçon\n");
    }
}

#[test]
fn files_without_cues_are_refused() {
    for (name, text) in [
        ("a.vtt", "WEBVTT\n\nNOTE nothing\n"),
        ("a.ass", "[Script Info]\n[Events]\nDialogue: 0\n"),
        ("a.srt", "1\n00:00:01,000 --> 00:00:02,000\n\n"),
    ] {
        let error = convert(name, text.as_bytes(), "txt").unwrap_err();
        assert!(error.message().contains("no cue"), "{name}: {error}");
    }
}

#[test]
fn other_programs_read_what_is_written() {
    if !has("ffmpeg") {
        return;
    }
    let at = directory("subtitles");
    for (from, text, to) in [
        ("a.srt", SRT, "vtt"),
        ("a.vtt", VTT, "srt"),
        ("a.ass", ASS, "vtt"),
    ] {
        let made = convert(from, text.as_bytes(), to).unwrap();
        let path = at.join(format!("made.{to}"));
        fs::write(&path, made).unwrap();
        let read = Command::new("ffmpeg")
            .args(["-loglevel", "error", "-i"])
            .arg(&path)
            .args(["-f", "srt", "-"])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&read.stdout);
        assert!(read.status.success(), "{read:?}");
        assert_eq!(said.matches("-->").count(), 2, "{said}");
    }
    fs::remove_dir_all(at).unwrap();
}

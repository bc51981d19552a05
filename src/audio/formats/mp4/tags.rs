//! Reads the tags of MP4 and QuickTime files: Apple's item list (`ilst`) with fixed or free names (`mdta`), the texts
//! of QuickTime (such as `©nam` in `udta`), those of 3GPP (TS 26.244, section 8), and chapters. Checks every length
//! against the available bytes.

use super::boxes::{Description, Facts};
use crate::{
    damage::header_error,
    stream::Stream,
    tags::{
        Key, TEXT_OMITTED, Tags,
        chapters::{Chapter, MAX_CHAPTERS},
        fields::FIELDS,
        id3,
    },
};
use convertd_core::{containers::bmff::Content, error::Result};
use std::io::{Seek, SeekFrom};

/// Boxes of the usual texts. The byte 0xa9 in a type is © in Mac OS Roman.
pub(super) const TEXTS: [(Key, &[u8; 4]); 8] = [
    (Key::Title, b"\xa9nam"),
    (Key::Artist, b"\xa9ART"),
    (Key::Album, b"\xa9alb"),
    (Key::AlbumArtist, b"aART"),
    (Key::Composer, b"\xa9wrt"),
    (Key::Date, b"\xa9day"),
    (Key::Genre, b"\xa9gen"),
    (Key::Comment, b"\xa9cmt"),
];

/// Boxes of more texts, which are read but not written.
const MORE: [(&[u8; 4], &str); 14] = [
    (b"desc", "DESCRIPTION"),
    (b"\xa9des", "DESCRIPTION"),
    (b"\xa9inf", "DESCRIPTION"),
    (b"\xa9cpy", "COPYRIGHT"),
    (b"\xa9aut", "ARTIST"),
    (b"\xa9prf", "ARTIST"),
    (b"\xa9com", "COMPOSER"),
    (b"\xa9isr", "ISRC"),
    (b"\xa9lab", "ORGANIZATION"),
    (b"\xa9con", "CONDUCTOR"),
    (b"ldes", "DESCRIPTION"),
    (b"\xa9mvi", "MOVEMENT"),
    (b"\xa9mvc", "MOVEMENTTOTAL"),
    (b"shwm", "SHOWMOVEMENT"),
];

/// Boxes of the texts of 3GPP.
const MOBILE: [(&[u8; 4], &str); 7] = [
    (b"titl", "TITLE"),
    (b"perf", "ARTIST"),
    (b"auth", "COMPOSER"),
    (b"albm", "ALBUM"),
    (b"gnre", "GENRE"),
    (b"dscp", "DESCRIPTION"),
    (b"cprt", "COPYRIGHT"),
];

/// Texts about the file or its sale, not about the sound: its encoder, the account and the numbers of a shop.
const TECHNICAL: [&[u8; 4]; 7] = [
    b"\xa9too", b"\xa9enc", b"\xa9swr", b"purd", b"apID", b"ownr", b"xid ",
];

/// Prefix of the names in `mdta`.
const APPLE: &str = "com.apple.quicktime.";
/// Longest box with tags that is read, in bytes, including pictures.
const MAX_TAGS: u64 = 8 << 20;
/// Length of the longest chapter title that is read, in bytes.
const MAX_TITLE: u64 = 1024;
/// Length of the longest table of a chapter track that is read, in bytes.
const MAX_TABLE: u64 = 64 << 10;
/// Number of units in a millisecond for chapter times in Nero's format.
const NERO: u64 = 10_000;

/// Reads all tags of a file.
pub(super) fn read(stream: &mut Stream<'_>, facts: &Facts) -> Result<Tags> {
    let mut tags = Tags::default();
    for extent in &facts.tags {
        if extent.length > MAX_TAGS {
            tags.leave_out("Tags of more than 8 MiB were left out.");
            continue;
        }
        let bytes = at(stream, extent.start, extent.length)?;
        match &extent.kind {
            b"udta" => user_data(&bytes, &mut tags),
            _ => meta(&bytes, &mut tags),
        }
    }
    if tags.chapters().is_empty() {
        let wanted = facts.tracks.iter().flat_map(|track| track.chapters);
        let wanted: Vec<u32> = wanted.collect();
        let mut tracks = facts.tracks.iter();
        if let Some(track) = tracks.find(|track| wanted.contains(&track.edit.track)) {
            read_track(stream, track, &mut tags)?;
        }
    }
    Ok(tags)
}

/// Reads bytes at a position of the file.
fn at(stream: &mut Stream<'_>, start: u64, length: u64) -> Result<Vec<u8>> {
    stream.seek(SeekFrom::Start(start)).map_err(header_error)?;
    stream.up_to(length).map_err(header_error)
}

/// Reads a box `udta`.
fn user_data(bytes: &[u8], tags: &mut Tags) {
    let mut content = Content(bytes);
    let mut quicktime = Tags::default();
    while let Some((kind, inside)) = content.next_box() {
        match &kind {
            b"meta" => meta(inside.0, tags),
            b"chpl" => {
                let _ = nero(inside, tags);
            }
            [0xa9, ..] => {
                let _ = texts(&kind, inside, &mut quicktime);
            }
            b"yrrc" => {
                let year = inside.0.get(4..6).map(|b| u16::from_be_bytes([b[0], b[1]]));
                if let Some(year) = year.filter(|year| *year > 0) {
                    quicktime.add_if_missing(Key::Date, &year.to_string());
                }
            }
            _ => {
                let known = MOBILE.iter().find(|(known, _)| **known == kind);
                let text = inside.0.get(6..).map(mobile_text);
                if let (Some((_, name)), Some(text)) = (known, text) {
                    quicktime.add_named(name, &text);
                }
            }
        }
    }
    tags.merge(quicktime);
}

/// Decodes a text of 3GPP: UTF-8, or UTF-16 after a byte order mark. A zero ends the text.
fn mobile_text(bytes: &[u8]) -> String {
    if bytes.starts_with(&[0xfe, 0xff]) {
        let units = bytes.as_chunks::<2>().0.iter().skip(1);
        let units: Vec<u16> = units
            .map(|unit| u16::from_be_bytes(*unit))
            .take_while(|unit| *unit != 0)
            .collect();
        return String::from_utf16_lossy(&units);
    }
    let end = bytes.iter().position(|byte| *byte == 0);
    String::from_utf8_lossy(&bytes[..end.unwrap_or(bytes.len())]).into_owned()
}

/// Reads the texts of QuickTime. Each consists of its length, its language, and its bytes.
fn texts(kind: &[u8; 4], mut inside: Content<'_>, tags: &mut Tags) -> Option<()> {
    loop {
        let length = inside.number(2)? as usize;
        inside.take(2)?;
        let text = inside.take(length)?;
        let text = match std::str::from_utf8(text) {
            Ok(text) => text.to_owned(),
            // Old files use Mac OS Roman, of which only the ASCII letters are decoded correctly.
            Err(_) => text.iter().map(|byte| char::from(*byte)).collect(),
        };
        item_text(kind, &text, true, tags);
    }
}

/// Reads a box `meta`: a list of items, each identified by its type, or by its index in a table of names.
fn meta(bytes: &[u8], tags: &mut Tags) {
    // The `meta` box of QuickTime has no version and flags.
    let is_plain = bytes.get(4..8) == Some(b"hdlr");
    let mut content = Content(
        bytes
            .get(if is_plain { 0 } else { 4 }..)
            .unwrap_or_default(),
    );
    let mut keys: Vec<String> = Vec::new();
    while let Some((kind, inside)) = content.next_box() {
        match &kind {
            b"keys" => keys = names(inside),
            b"ilst" => items(inside, &keys, tags),
            _ => {}
        }
    }
}

/// Returns the names in a box `keys`, without the prefix [`APPLE`].
fn names(mut inside: Content<'_>) -> Vec<String> {
    let mut names = Vec::new();
    if inside.take(8).is_some() {
        while let Some((_, name)) = inside.next_box() {
            let name = String::from_utf8_lossy(name.0);
            names.push(name.strip_prefix(APPLE).unwrap_or(&name).to_owned());
        }
    }
    names
}

/// Reads the items of a list. Items with a free name have an index into `keys`, or a box `name`.
fn items(mut list: Content<'_>, keys: &[String], tags: &mut Tags) {
    let mut totals = Vec::new();
    while let Some((kind, mut item)) = list.next_box() {
        let number = u32::from_be_bytes(kind) as usize;
        let key = number.checked_sub(1).and_then(|at| keys.get(at));
        let mut name = key.cloned();
        while let Some((part, mut inside)) = item.next_box() {
            match &part {
                b"name" => {
                    let text = inside.0.get(4..).unwrap_or_default();
                    name = Some(String::from_utf8_lossy(text).into_owned());
                }
                b"data" => {
                    let Some(data_kind) = inside.number(4) else {
                        continue;
                    };
                    if inside.take(4).is_none() {
                        continue;
                    }
                    match &name {
                        Some(name) => {
                            if let Some(text) = value(data_kind, inside.0) {
                                tags.add_named(name, &text);
                            }
                        }
                        None => item_data(&kind, data_kind, inside.0, tags, &mut totals),
                    }
                }
                _ => {}
            }
        }
    }
    for (key, total) in totals {
        tags.set_total(key, &total);
    }
}

/// Returns the text of a value: UTF-8, UTF-16 or a number (QuickTime File Format, "Well-known types"). `None` for
/// other types.
fn value(kind: u64, data: &[u8]) -> Option<String> {
    Some(match kind {
        0 | 1 => std::str::from_utf8(data).ok()?.to_owned(),
        2 => {
            let units = data.as_chunks::<2>().0.iter();
            let units: Vec<u16> = units.map(|unit| u16::from_be_bytes(*unit)).collect();
            String::from_utf16_lossy(&units)
        }
        21 | 22 if (1..=8).contains(&data.len()) => Content(data).number(data.len())?.to_string(),
        23 => f32::from_be_bytes(data.try_into().ok()?).to_string(),
        24 => f64::from_be_bytes(data.try_into().ok()?).to_string(),
        _ => return None,
    })
}

/// Adds the value of an item. Totals of tracks and discs are collected separately.
fn item_data(
    kind: &[u8; 4],
    data_kind: u64,
    data: &[u8],
    tags: &mut Tags,
    totals: &mut Vec<(Key, String)>,
) {
    let word = |at: usize| {
        let bytes = data.get(at..at + 2)?;
        Some(u16::from_be_bytes([bytes[0], bytes[1]])).filter(|word| *word > 0)
    };
    match kind {
        b"covr" => tags.add_picture(data),
        b"trkn" | b"disk" => {
            let key = if kind == b"trkn" {
                Key::Track
            } else {
                Key::Disc
            };
            if let Some(number) = word(2) {
                tags.add_if_missing(key, &number.to_string());
            }
            totals.extend(word(4).map(|total| (key, total.to_string())));
        }
        b"gnre" => {
            let name = word(0).and_then(|number| id3::genre_name(usize::from(number) - 1));
            name.into_iter().for_each(|name| tags.add(Key::Genre, name));
        }
        b"tmpo" | b"cpil" => {
            let number = Content(data).number(data.len().min(8)).unwrap_or(0);
            if number > 0 {
                item_text(kind, &number.to_string(), false, tags);
            }
        }
        _ => {
            if let Some(text) = value(data_kind, data) {
                item_text(kind, &text, matches!(data_kind, 1 | 2), tags);
            }
        }
    }
}

/// Adds the value of an item with this type. A value of an unknown type is noted as left out if it `is_text` and not
/// technical. Numbers without a name are about the file, such as its rating or its number in a shop.
fn item_text(kind: &[u8; 4], text: &str, is_text: bool, tags: &mut Tags) {
    if let Some((key, _)) = TEXTS.iter().find(|(_, known)| *known == kind) {
        tags.add(*key, text);
    } else if let Some(field) = FIELDS.iter().find(|field| field.mp4 == Some(kind)) {
        tags.add_own(field.name, text);
    } else if let Some((_, name)) = MORE.iter().find(|(known, _)| *known == kind) {
        tags.add_named(name, text);
    } else if is_text && !text.is_empty() && !TECHNICAL.contains(&kind) {
        tags.leave_out(TEXT_OMITTED);
    }
}

/// Reads a chapter list in Nero's format.
fn nero(mut inside: Content<'_>, tags: &mut Tags) -> Option<()> {
    let version = inside.number(4)? >> 24;
    if version > 0 {
        inside.take(4)?;
    }
    for _ in 0..inside.number(1)? {
        let start = inside.number(8)? / NERO;
        let length = inside.number(1)? as usize;
        let title = String::from_utf8_lossy(inside.take(length)?);
        tags.add_chapter(Chapter::new(start, &title));
    }
    Some(())
}

/// Reads the chapters of QuickTime: a text track with one sample for each chapter, which lasts as long as the chapter.
fn read_track(stream: &mut Stream<'_>, track: &Description, tags: &mut Tags) -> Result<()> {
    /// Largest number of chapters that are read: one beyond the limit is enough for the note about it.
    const MOST: usize = MAX_CHAPTERS + 1;
    let chunks = track.chunks;
    let chunks = chunks.numbers(stream, 8, track.wide_chunks, MAX_TABLE)?;
    let runs = track.runs.numbers(stream, 8, false, MAX_TABLE)?;
    let sizes = track.sizes.numbers(stream, 8, false, MAX_TABLE)?;
    let times = track.times.numbers(stream, 8, false, MAX_TABLE)?;
    let mut lengths = times.as_chunks::<2>().0.iter().flat_map(|[count, length]| {
        std::iter::repeat_n(*length, usize::try_from(*count).unwrap_or(0).min(MOST))
    });
    // The first number is the count of sizes.
    let mut sizes = sizes.into_iter().skip(1).take(MOST);
    let (runs, _) = runs.as_chunks::<3>();
    let scale = u64::from(track.edit.timescale.max(1));
    let mut start = 0u64;
    for (i, chunk) in chunks.into_iter().enumerate() {
        let run = runs.iter().rev().find(|run| run[0] <= i as u64 + 1);
        let mut offset = chunk;
        for _ in 0..run.map_or(1, |run| run[1]).min(MOST as u64) {
            let (Some(size), Some(length)) = (sizes.next(), lengths.next()) else {
                return Ok(());
            };
            let sample = at(stream, offset, size.min(MAX_TITLE))?;
            let text = Content(&sample).number(2).map(|length| length as usize);
            let text = sample.get(2..).zip(text).map(|(text, length)| {
                let text = &text[..length.min(text.len())];
                match text.starts_with(&[0xfe, 0xff]) {
                    true => mobile_text(text),
                    false => String::from_utf8_lossy(text).into_owned(),
                }
            });
            let milliseconds = u128::from(start) * 1000 / u128::from(scale);
            tags.add_chapter(Chapter::new(milliseconds as u64, &text.unwrap_or_default()));
            start = start.saturating_add(length);
            offset = offset.saturating_add(size);
        }
    }
    Ok(())
}

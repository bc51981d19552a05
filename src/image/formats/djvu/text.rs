//! The text layer of a page (DjVu3, 8.3.5): all its text, and a tree of zones, each with a rectangle and a range of the
//! text. The levels of the tree are page, columns, regions, paragraphs, lines, words and letters; any level may be
//! missing.
//!
//! The trap: positions and ranges are relative to the previous or to the enclosing zone, so a wrong number moves all
//! zones after it. Ranges are cut to the text. Zones may name the same text repeatedly, so the total length of the
//! result is limited to a few times that of the text.

use super::{chunks::File, page::Info};
use crate::{
    source::failed,
    words::{Line, OwnText, Word},
};
use convertd_core::{
    error::Result,
    job::{Input, Job},
};

/// Memory in bytes for each byte of compressed text.
const PACKED: u64 = 8;
/// Memory in bytes for each byte of uncompressed text.
const UNPACKED: u64 = 8;
/// Limit on the length of the result, as a multiple of the length of the text.
const TIMES: usize = 4;

// Kinds of zones, from the largest to the smallest.
const PAGE: u8 = 1;
const COLUMN: u8 = 2;
const REGION: u8 = 3;
const PARAGRAPH: u8 = 4;
const LINE: u8 = 5;
const WORD: u8 = 6;
const LETTER: u8 = 7;
/// Length of a zone in bytes, without its inner zones.
const ZONE: usize = 17;

/// Reads the text of the requested page.
pub(super) fn read<'j>(job: &Job<'j>, input: &mut dyn Input) -> Result<Option<OwnText<'j>>> {
    let damaged = |err| failed(job, err);
    let file = File::open(input).map_err(damaged)?;
    let Some(info) = Info::read(input, &file).map_err(damaged)? else {
        return Ok(None);
    };
    let packed = file.page.chunk(b"TXTz");
    let Some(chunk) = packed.or(file.page.chunk(b"TXTa")) else {
        return Ok(None);
    };
    let lease = job.lease(PACKED * chunk.len)?;
    let data = chunk.data(input).map_err(damaged)?;
    let data = match packed {
        Some(_) => match djvu_bzz::bzz_decode(&data) {
            Ok(data) => data,
            Err(_) => return Ok(None),
        },
        None => data,
    };
    lease.grow(UNPACKED * data.len() as u64)?;
    let Some(lines) = lines(job, &data, info.height as i32)? else {
        return Ok(None);
    };
    Ok(Some(OwnText {
        size: (info.width, info.height),
        lines,
        lease,
    }))
}

/// Splits the data into lines, for a page of this height. `None` if the data is shorter than its text.
fn lines(job: &Job<'_>, data: &[u8], height: i32) -> Result<Option<Vec<Line>>> {
    let Some((&[a, b, c], rest)) = data.split_first_chunk() else {
        return Ok(None);
    };
    let count = u32::from_be_bytes([0, a, b, c]) as usize;
    let Some((text, zones)) = rest.split_at_checked(count) else {
        return Ok(None);
    };
    // The zones follow a byte with the version.
    let zones = zones.get(1..).unwrap_or_default();
    let mut walk = Walk {
        job,
        text,
        zones,
        height,
        left: TIMES * text.len(),
        lines: Vec::new(),
        block: 0,
        is_within: false,
        is_new: true,
    };
    if let Some(page) = walk.zone(None, None) {
        walk.enter(page)?;
    }
    if walk.lines.is_empty() {
        // Without usable zones, the lines of the text are distributed over the height of the page, at its left edge.
        let all = Zone {
            kind: PAGE,
            bounds: [0, 0, 1, height],
            range: (0, text.len() as i64),
            inner: 0,
        };
        walk.spread(&all);
    }
    walk.lines.iter_mut().for_each(|line| part(&mut line.words));
    Ok(Some(walk.lines))
}

/// Divides a rectangle that consecutive words share among these words, in proportion to their lengths. Some programs
/// write one rectangle for several words.
fn part(words: &mut [Word]) {
    let letters = |word: &Word| word.text.chars().count() as i64 + 1;
    for run in words.chunk_by_mut(|one, other| one.bounds == other.bounds) {
        let all: i64 = run.iter().map(letters).sum::<i64>() - 1;
        let [left, _, right, _] = run[0].bounds.map(i64::from);
        if run.len() == 1 {
            continue;
        }
        let mut at = 0;
        for word in run {
            let end = at + letters(word);
            let column = |at: i64| (left + (right - left) * at / all) as i32;
            word.bounds[0] = column(at);
            word.bounds[2] = column(end - 1).max(column(at) + 1);
            at = end;
        }
    }
}

/// A zone, with its position on the page.
#[derive(Clone, Copy, Debug)]
struct Zone {
    kind: u8,
    /// Left, lower, right and upper edge in pixels, counted from the bottom left corner.
    bounds: [i32; 4],
    /// Range of its text: the first byte, and the byte after the last.
    range: (i64, i64),
    /// Number of its inner zones.
    inner: usize,
}

/// State of a walk through the tree.
struct Walk<'w, 'j> {
    job: &'w Job<'j>,
    text: &'w [u8],
    /// Zones that have not been read yet.
    zones: &'w [u8],
    height: i32,
    /// Number of bytes that may still be added to the result.
    left: usize,
    lines: Vec<Line>,
    block: usize,
    /// Whether the current zone is within a line.
    is_within: bool,
    /// Whether the next word begins a line.
    is_new: bool,
}

impl Walk<'_, '_> {
    /// Reads the next zone, inside the zone `around` and after its sibling `before`. `None` at the end of the data.
    fn zone(&mut self, around: Option<&Zone>, before: Option<&Zone>) -> Option<Zone> {
        let (zone, rest) = self.zones.split_first_chunk::<ZONE>()?;
        self.zones = rest;
        let kind = zone[0];
        let number = |at: usize| i32::from(u16::from_be_bytes([zone[at], zone[at + 1]])) - 0x8000;
        let long = |at: usize| u32::from_be_bytes([0, zone[at], zone[at + 1], zone[at + 2]]);
        let (x, y, width, height) = (number(1), number(3), number(5), number(7));
        let start = i64::from(number(9));
        let (left, bottom, start) = match (before, around) {
            (Some(before), _) => {
                let [left, bottom, right, _] = before.bounds;
                let start = start.saturating_add(before.range.1);
                match kind {
                    // Pages, paragraphs and lines follow each other downwards, all other zones to the right.
                    PAGE | PARAGRAPH | LINE => {
                        let top = bottom.saturating_sub(y);
                        (x.saturating_add(left), top.saturating_sub(height), start)
                    }
                    _ => (x.saturating_add(right), y.saturating_add(bottom), start),
                }
            }
            (None, Some(around)) => {
                let [left, _, _, top] = around.bounds;
                let top = top.saturating_sub(y);
                let start = start.saturating_add(around.range.0);
                (x.saturating_add(left), top.saturating_sub(height), start)
            }
            (None, None) => (x, y, start),
        };
        let (right, top) = (left.saturating_add(width), bottom.saturating_add(height));
        Some(Zone {
            kind,
            bounds: [left, bottom, right, top],
            range: (start, start.saturating_add(long(11).into())),
            inner: long(14) as usize,
        })
    }

    /// Adds the words of a zone and of its inner zones. Reading ends at an inner zone that is not smaller in kind, that
    /// is of an unknown kind, or that is a letter with zones of its own, because the tree is damaged there.
    fn enter(&mut self, zone: Zone) -> Result<()> {
        self.job.check()?;
        if matches!(zone.kind, COLUMN | REGION | PARAGRAPH) {
            self.block += 1;
            self.is_new = true;
        }
        if zone.kind == LINE {
            self.is_within = true;
            self.is_new = true;
        }
        let mut before: Option<Zone> = None;
        let mut has_words = false;
        for _ in 0..zone.inner {
            let Some(inner) = self.zone(Some(&zone), before.as_ref()) else {
                break;
            };
            let is_letter = inner.kind == LETTER;
            if inner.kind <= zone.kind || inner.kind > LETTER || is_letter && inner.inner > 0 {
                self.zones = &[];
                break;
            }
            // Letters add nothing: the zone around them has their text.
            if inner.kind < LETTER {
                has_words = true;
                self.enter(inner)?;
            }
            before = Some(inner);
        }
        if !has_words {
            match zone.kind {
                WORD => self.word(self.taken(zone.range), zone.bounds),
                _ => self.spread(&zone),
            }
        }
        if zone.kind == LINE {
            self.is_within = false;
            self.is_new = true;
        }
        Ok(())
    }

    /// The text of a range, with spaces in place of control characters other than line feeds. Empty if the text would
    /// exceed the limit on the result.
    fn taken(&self, (start, end): (i64, i64)) -> String {
        let len = self.text.len() as i64;
        let (start, end) = (start.clamp(0, len), end.clamp(0, len));
        let bytes = self.text.get(start as usize..end as usize);
        let bytes = bytes.filter(|bytes| bytes.len() <= self.left);
        let text = String::from_utf8_lossy(bytes.unwrap_or_default());
        text.replace(|letter: char| letter.is_control() && letter != '\n', " ")
    }

    /// Adds a word with a rectangle of its own.
    fn word(&mut self, text: String, [left, bottom, right, top]: [i32; 4]) {
        self.left = self.left.saturating_sub(text.len());
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let above = self.height.saturating_sub(top);
        let below = self
            .height
            .saturating_sub(bottom)
            .max(above.saturating_add(1));
        let bounds = [left, above, right.max(left.saturating_add(1)), below];
        let word = Word {
            text: text.replace('\n', " "),
            bounds,
        };
        let last = self.lines.last().and_then(|line| line.words.last());
        // Without zones of lines, a word whose middle is above or below the previous word begins a line.
        let is_beside = last.is_some_and(|last| {
            let [_, from, _, to] = last.bounds;
            let middle = i64::from(above) + i64::from(below);
            (2 * i64::from(from)..2 * i64::from(to)).contains(&middle)
        });
        let is_new = self.is_new || !self.is_within && !is_beside;
        match self.lines.last_mut() {
            Some(line) if !is_new => line.words.push(word),
            _ => self.lines.push(Line {
                words: vec![word],
                block: self.block,
            }),
        }
        self.is_new = false;
    }

    /// Adds the words of a zone without word zones. The rectangles of the words divide the zone's rectangle in
    /// proportion to their lengths.
    fn spread(&mut self, zone: &Zone) {
        let text = self.taken(zone.range);
        let [left, bottom, right, top] = zone.bounds.map(i64::from);
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let count = lines.len() as i64;
        for (nth, line) in (0..).zip(lines) {
            self.is_new = true;
            let edge = |nth: i64| (top - (top - bottom) * nth / count) as i32;
            let letters = line.chars().count().max(1) as i64;
            let column = |at: i64| (left + (right - left) * at / letters) as i32;
            let mut at = 0;
            for part in line.split(' ') {
                let end = at + part.chars().count() as i64;
                let bounds = [column(at), edge(nth + 1), column(end), edge(nth)];
                let was_within = std::mem::replace(&mut self.is_within, true);
                self.word(part.to_owned(), bounds);
                self.is_within = was_within;
                at = end + 1;
            }
        }
        self.is_new = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_core::job::{Ledger, Options, Quality, Task, Unlimited};

    /// A zone: kind, x, y, width, height, start, length, and the number of zones in it.
    fn zone(kind: u8, numbers: [i32; 5], len: u32, inner: u32) -> Vec<u8> {
        let mut bytes = vec![kind];
        for number in numbers {
            bytes.extend(((number + 0x8000) as u16).to_be_bytes());
        }
        bytes.extend(&len.to_be_bytes()[1..]);
        bytes.extend(&inner.to_be_bytes()[1..]);
        bytes
    }

    fn data(text: &str, zones: &[Vec<u8>]) -> Vec<u8> {
        let mut data = (text.len() as u32).to_be_bytes()[1..].to_vec();
        data.extend(text.as_bytes());
        data.push(1);
        data.extend(zones.concat());
        data
    }

    /// The words of each line with their left and upper edges, on a page that is 100 pixels high.
    fn read(data: &[u8]) -> Option<Vec<Vec<(String, i32, i32)>>> {
        let task = Task {
            from: "djvu".into(),
            to: "png".into(),
            quality: Quality::default(),
            options: Options::default(),
            file_title: None,
        };
        let ledger = Ledger::new(&Unlimited);
        let job = crate::tests::job(&task, 1000, 1, &ledger).unwrap();
        let lines = lines(&job, data, 100).unwrap()?;
        let words = |line: Line| {
            let words = line.words.into_iter();
            words
                .map(|word| (word.text, word.bounds[0], word.bounds[1]))
                .collect()
        };
        Some(lines.into_iter().map(words).collect())
    }

    fn expected(lines: &[&[(&str, i32, i32)]]) -> Option<Vec<Vec<(String, i32, i32)>>> {
        let line = |line: &&[(&str, i32, i32)]| {
            line.iter()
                .map(|(text, x, y)| ((*text).to_owned(), *x, *y))
                .collect()
        };
        Some(lines.iter().map(line).collect())
    }

    #[test]
    fn positions_are_relative_to_the_previous_or_enclosing_zone() {
        let zones = [
            zone(PAGE, [0, 0, 200, 100, 0], 14, 2),
            zone(LINE, [10, 10, 80, 20, 0], 8, 2),
            zone(WORD, [0, 0, 30, 20, 0], 3, 0),
            zone(WORD, [10, 0, 40, 20, 1], 3, 0),
            zone(LINE, [0, 5, 80, 20, 0], 6, 1),
            zone(WORD, [5, 0, 60, 20, 0], 5, 1),
            zone(LETTER, [0, 0, 10, 20, 0], 1, 0),
        ];
        let found = read(&data("one two\nthree\n", &zones));
        let lines: &[&[_]] = &[&[("one", 10, 10), ("two", 50, 10)], &[("three", 15, 35)]];
        assert_eq!(found, expected(lines));
    }

    #[test]
    fn zones_without_words_are_divided_among_their_words() {
        let page = zone(PAGE, [0, 0, 200, 100, 0], 11, 0);
        let lines: &[&[_]] = &[&[("one", 0, 0), ("two", 114, 0)], &[("six", 0, 50)]];
        assert_eq!(read(&data("one two\nsix", &[page])), expected(lines));
        // The data has no zones.
        assert_eq!(read(&data("one", &[])), expected(&[&[("one", 0, 0)]]));
    }

    #[test]
    fn words_with_the_same_rectangle_share_it() {
        let zones = [
            zone(PAGE, [0, 0, 200, 100, 0], 7, 1),
            zone(LINE, [10, 10, 70, 20, 0], 7, 2),
            zone(WORD, [0, 0, 70, 20, 0], 3, 0),
            zone(WORD, [-70, 0, 70, 20, 1], 3, 0),
        ];
        let lines: &[&[_]] = &[&[("one", 10, 10), ("two", 50, 10)]];
        assert_eq!(read(&data("one two", &zones)), expected(lines));
    }

    #[test]
    fn wrong_trees_end_with_limited_text() {
        let all = |inner| zone(PAGE, [0, 0, 200, 100, 0], 3, inner);
        let line = zone(LINE, [0, 0, 200, 20, 0], 3, 9);
        // A page within a line, more zones than the data has, and ranges beyond the text.
        let found = read(&data("one", &[all(9), line.clone(), all(0)]));
        assert_eq!(found.map(|lines| lines.len()), Some(1));
        let beyond = zone(WORD, [-30_000, 0, 9, 9, 30_000], 0xff_ffff, 0);
        assert!(read(&data("one", &[all(1), beyond])).is_some());
        assert_eq!(read(b"\0\0\x09one"), None);
        // Many zones, each of which names the whole text.
        let word = zone(WORD, [0, 0, 9, 9, -3], 3, 0);
        let many = [vec![all(1000)], vec![word; 1000]].concat();
        let found = read(&data("one", &many)).unwrap();
        let count: usize = found.iter().map(Vec::len).sum();
        assert!(count <= TIMES, "{count}");
    }
}

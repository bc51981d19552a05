//! Footnotes at the ends of columns and pages, with their marks in the text. A text counts as a note only if it is in
//! small type, and begins with a mark that also appears superscript in larger text on the same page.

use super::{
    block::{BlockKind, BodyStyle, Page, Span},
    lines::{Line, Run},
    passages,
    styles::{Shift, Style},
};
use std::collections::HashMap;

/// Limit on the font size of a note, as a fraction of the font size of the body.
const SMALLER: f32 = 0.95;

/// Limit on the length of a mark, in characters.
const LONGEST: usize = 4;

/// Largest line spacing in a note, in multiples of its font size.
const FARTHEST: f32 = 2.2;

/// Limit on the notes of a file.
const MAX: usize = u16::MAX as usize;

/// Removes the notes from the pages and links their marks to them. Returns the texts of the notes.
pub(super) fn take(pages: &mut [Page], body: &BodyStyle) -> Vec<Vec<Span>> {
    let mut notes = Vec::new();
    for page in pages {
        // Marks of the page's text, and the lines from which notes are taken.
        let mut marks = marks(&page.lines, body);
        let lines = std::mem::take(&mut page.lines);
        let mut kept: Vec<Line> = Vec::with_capacity(lines.len());
        let mut lines = lines.into_iter().peekable();
        let mut tied: Vec<(f32, f32, Run, u16)> = Vec::new();
        while let Some(line) = lines.next() {
            // A note is in smaller type than the body, and begins with a mark that is also in the text.
            let mark = own_mark(&line)
                .filter(|_| line.size < SMALLER * body.size && notes.len() < MAX)
                .and_then(|(mark, len)| Some((marks.remove(mark)?, len)));
            let Some((place, len)) = mark else {
                kept.push(line);
                continue;
            };
            // The note continues over the next lines of its column.
            let mut note = vec![line];
            while let Some(next) = lines.next_if(|next| continues(&note[note.len() - 1], next)) {
                note.push(next);
            }
            let mut spans = passages::spans(&[(&note, &page.links)], &BlockKind::Text, body);
            leave_out(&mut spans, len);
            notes.push(spans);
            tied.push((place.0, place.1, place.2, notes.len() as u16));
        }
        // Marks in the text are linked at the end, when the numbers of the notes are known.
        for (y, x, run, number) in tied {
            let lines = kept.iter_mut().filter(|line| (line.y, line.x.0) == (y, x));
            for own in lines
                .flat_map(|line| &mut line.runs)
                .filter(|own| own.end == run.end)
            {
                own.style.shift = Shift::Mark(number - 1);
            }
        }
        page.lines = kept;
    }
    notes
}

/// Superscript marks in the body text of a page, each at its first occurrence: baseline and left
/// edge of the line, and the run.
fn marks(lines: &[Line], body: &BodyStyle) -> HashMap<String, (f32, f32, Run)> {
    let mut marks = HashMap::new();
    for line in lines.iter().filter(|line| line.size >= SMALLER * body.size) {
        let mut start = 0;
        for run in &line.runs {
            let own = std::mem::replace(&mut start, run.end)..run.end;
            let before = line.text[..own.start].trim_end().chars().next_back();
            let mark = without_brackets(&line.text[own]);
            // A superscript after a digit is an exponent. At the beginning of a line, a superscript does not refer to a
            // footnote either.
            let is_exponent = before.is_none_or(|c| c.is_ascii_digit());
            if run.style.shift == Shift::Raised && !is_exponent && is_mark(mark) {
                marks
                    .entry(mark.to_owned())
                    .or_insert((line.y, line.x.0, *run));
            }
        }
    }
    marks
}

/// Mark at the start of a line, with its length in bytes including punctuation.
fn own_mark(line: &Line) -> Option<(&str, usize)> {
    let first = line.runs.first()?;
    let text = &line.text[..];
    // A superscript mark, digits with punctuation or a space, or a sign.
    let len = if first.style.shift == Shift::Raised {
        first.end
    } else {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        match text[digits..].chars().next()? {
            _ if digits == 0 => text.chars().next().filter(|c| is_sign(*c))?.len_utf8(),
            ')' | '.' => digits + 1,
            ' ' => digits,
            _ => return None,
        }
    };
    let mark = without_brackets(&text[..len]);
    is_mark(mark).then_some((mark, len))
}

/// Mark without spaces, and without brackets and dots around it.
fn without_brackets(mark: &str) -> &str {
    mark.trim().trim_matches(['(', ')', '[', ']', '.'])
}

/// Returns whether a text can be a mark: a short number, or signs.
fn is_mark(mark: &str) -> bool {
    let is_short = (1..=LONGEST).contains(&mark.chars().count());
    is_short && (mark.bytes().all(|byte| byte.is_ascii_digit()) || mark.chars().all(is_sign))
}

/// Returns whether a character is used as a mark.
fn is_sign(c: char) -> bool {
    matches!(c, '*' | '†' | '‡' | '§' | '¶' | '∗')
}

/// Returns whether a line continues a note.
fn continues(last: &Line, line: &Line) -> bool {
    let gap = line.y - last.y;
    let is_near = line.block == last.block && gap > 0.0 && gap < FARTHEST * last.size;
    let is_as_large = (line.size - last.size).abs() < 0.08 * last.size;
    is_near && is_as_large && line.object.is_none() && own_mark(line).is_none()
}

/// Removes the first bytes of a text, and the space after them.
fn leave_out(spans: &mut Vec<Span>, mut len: usize) {
    // The mark may extend over several spans.
    while let Some(first) = spans.first_mut().filter(|_| len > 0) {
        let own = len.min(first.text.len());
        first.text.drain(..own);
        len -= own;
        if first.text.is_empty() {
            spans.remove(0);
        }
    }
    if let Some(first) = spans.first_mut() {
        first.text = first.text.trim_start().to_owned();
        // The rest of a run that began with a superscript mark is ordinary text.
        first.style.shift = match first.style {
            Style {
                shift: Shift::Raised,
                ..
            } if first.text.len() > LONGEST => Shift::None,
            style => style.shift,
        };
    }
}

//! Reads SubStation Alpha and Advanced SubStation Alpha (the specification of 1.0, and the dialect of libass). Keeps
//! bold, italic and underlined text, and the edge of the picture at which text is shown, whether a style or an override
//! sets them. Leaves out fonts, colours, movement, karaoke and drawings.

use super::{
    ass_style::{self, Style, Styles},
    cue::{Cue, Edge, Emphasis, Piece},
    markup,
    read::{Take, moment},
};
use crate::{
    error::Result,
    job::{Job, Notes},
};

/// Default columns of an event, for files without a `Format` line.
const COLUMNS: [&str; 10] = [
    "Layer", "Start", "End", "Style", "Name", "MarginL", "MarginR", "MarginV", "Effect", "Text",
];

/// Reads the events in the order of their times. A file may store them in any order.
///
/// Errors: those of `take`, and of the job's deadline.
pub(super) fn read(job: &Job<'_>, text: &str, take: Take<'_>, notes: &mut Notes) -> Result<()> {
    let mut columns: Vec<&str> = COLUMNS.to_vec();
    let (mut is_inside, mut is_old) = (false, false);
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut styles = Styles::default();
    for line in text.lines() {
        job.check()?;
        let line = line.trim();
        if line.starts_with('[') {
            is_inside = line.eq_ignore_ascii_case("[Events]");
            is_old = line.eq_ignore_ascii_case("[V4 Styles]");
            continue;
        }
        let (key, value) = line.split_once(':').unwrap_or_default();
        match key {
            "Style" => styles.add(value, is_old),
            "Format" if is_inside => columns = ass_style::columns(value),
            "Format" => styles.set_columns(value),
            "Dialogue" if is_inside => events.extend(event(value, &columns)),
            _ => {}
        }
    }
    events.sort_by_key(|event| event.start);
    let mut drawings = 0;
    for Event {
        start,
        end,
        style,
        text,
    } in events
    {
        job.check()?;
        let (words, edge, is_drawing) = words(text, styles.find(style));
        if is_drawing {
            drawings += 1;
            continue;
        }
        take(Cue {
            start,
            end,
            edge,
            words,
        })?;
    }
    if !styles.is_empty() {
        notes.add("Fonts, colours and margins of the styles were left out: the player decides how the text looks.");
    }
    match drawings {
        0 => {}
        1 => notes.add("A drawing was left out."),
        count => notes.add(format!("{count} drawings were left out.")),
    }
    Ok(())
}

/// Times, style and text of an event.
struct Event<'t> {
    start: u64,
    end: u64,
    style: &'t str,
    text: &'t str,
}

/// Reads an event. The text is the last column, and may contain commas.
fn event<'t>(line: &'t str, columns: &[&str]) -> Option<Event<'t>> {
    let values: Vec<&str> = line.splitn(columns.len().max(1), ',').collect();
    let value = |name: &str| ass_style::value(columns, &values, name);
    let time = |name: &str| moment(value(name)?.trim());
    Some(Event {
        start: time("Start")?,
        end: time("End")?,
        style: value("Style").unwrap_or_default(),
        text: value("Text")?,
    })
}

/// Returns the words of an event in a style, their position, and whether the event has a vector drawing, which is
/// written as text.
fn words(text: &str, style: &Style) -> (Vec<Piece>, Edge, bool) {
    let mut open: Vec<Emphasis> = style.emphases.clone();
    let mut out: Vec<Piece> = open.iter().copied().map(Piece::Open).collect();
    let mut edge = style.edge;
    let (mut is_drawing, mut draws) = (false, false);
    let mut rest = text;
    while !rest.is_empty() {
        let is_begun = rest.starts_with('{');
        if let Some(end) = is_begun.then(|| markup::end_of(rest, b'}')).flatten() {
            let overrides = &rest[1..end];
            rest = &rest[end + 1..];
            edge = markup::alignment(overrides).unwrap_or(edge);
            for part in overrides.split('\\').skip(1) {
                draws = drawing(part).unwrap_or(draws);
                is_drawing |= draws;
                change(part, &style.emphases, &mut open, &mut out);
            }
            continue;
        }
        let end = next(rest);
        let (mut run, mut after) = rest.split_at(end);
        if let Some(escaped) = rest.strip_prefix('\\') {
            let second = escaped.chars().next().map_or(0, char::len_utf8);
            let escape;
            (escape, after) = rest.split_at(1 + second);
            match escape {
                "\\N" | "\\n" => {
                    out.push(Piece::Break);
                    run = "";
                }
                "\\h" => run = "\u{a0}",
                _ => run = escape,
            }
        }
        if !draws && !run.is_empty() {
            out.push(Piece::Text(run.into()));
        }
        rest = after;
    }
    out.extend(open.into_iter().rev().map(Piece::Close));
    (out, edge, is_drawing)
}

/// Length in bytes of the text up to the next override or escape; at least its first character.
fn next(text: &str) -> usize {
    let first = text.chars().next().map_or(1, char::len_utf8);
    let rest = &text[first..];
    first + rest.find(['{', '\\']).unwrap_or(rest.len())
}

/// Returns whether an override begins a drawing (true) or ends one (false). `None` for other overrides.
fn drawing(part: &str) -> Option<bool> {
    let scale = part.strip_prefix('p')?.trim().parse::<u8>().ok()?;
    Some(scale > 0)
}

/// Applies an override that opens or closes an emphasis: `b1`, `i0`, or for bold a weight. `r` returns to the emphases
/// of the event's style (`defaults`).
fn change(part: &str, defaults: &[Emphasis], open: &mut Vec<Emphasis>, out: &mut Vec<Piece>) {
    let mut letters = part.chars();
    let name = letters.next().map(String::from).unwrap_or_default();
    let Some(emphasis) =
        Emphasis::named(&name).filter(|_| name.bytes().all(|c| c.is_ascii_lowercase()))
    else {
        if part.starts_with('r') {
            out.extend(open.drain(..).rev().map(Piece::Close));
            out.extend(defaults.iter().copied().map(Piece::Open));
            open.extend(defaults);
        }
        return;
    };
    let Ok(value) = letters.as_str().trim().parse::<u32>() else {
        return;
    };
    let is_on = value == 1 || value >= 600;
    match open.iter().position(|known| *known == emphasis) {
        None if is_on => {
            open.push(emphasis);
            out.push(Piece::Open(emphasis));
        }
        Some(at) if !is_on => {
            // Emphases inside the one that ends are closed together with it, and opened again.
            let within = open.split_off(at);
            out.extend(within.iter().rev().copied().map(Piece::Close));
            for emphasis in within.into_iter().skip(1) {
                open.push(emphasis);
                out.push(Piece::Open(emphasis));
            }
        }
        None | Some(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overrides_become_formatting() {
        #[track_caller]
        fn check(text: &str, expected: &str, edge: Edge) {
            let (pieces, found, _) = words(text, &Style::default());
            let piece = |piece: &Piece| match piece {
                Piece::Text(text) => text.clone(),
                Piece::Open(emphasis) => format!("[{}]", emphasis.name()),
                Piece::Close(emphasis) => format!("[/{}]", emphasis.name()),
                Piece::Break => "|".into(),
            };
            assert_eq!(pieces.iter().map(piece).collect::<String>(), expected);
            assert_eq!(found, edge);
        }
        check("plain, with a comma", "plain, with a comma", Edge::Bottom);
        check("{\\i1}a{\\i0}b\\Nc", "[i]a[/i]b|c", Edge::Bottom);
        check("{\\an8\\b1}a", "[b]a[/b]", Edge::Top);
        check(
            "{\\b1}a{\\i1}b{\\b0}c",
            "[b]a[i]b[/i][/b][i]c[/i]",
            Edge::Bottom,
        );
        check("{\\bord2\\blur1}a\\hb", "a\u{a0}b", Edge::Bottom);
        check("é{\\r}\\é{", "é\\é{", Edge::Bottom);
        check("a\\", "a\\", Edge::Bottom);
        let style = Style {
            edge: Edge::Top,
            emphases: vec![Emphasis::Italic],
        };
        let (pieces, edge, _) = words("a{\\i0}b", &style);
        let text = |text: &str| Piece::Text(text.into());
        let (open, close) = (
            Piece::Open(Emphasis::Italic),
            Piece::Close(Emphasis::Italic),
        );
        assert_eq!(pieces, [open.clone(), text("a"), close.clone(), text("b")]);
        assert_eq!(edge, Edge::Top);
        let (pieces, ..) = words("a{\\r}b", &style);
        assert_eq!(
            pieces,
            [
                open.clone(),
                text("a"),
                close.clone(),
                open,
                text("b"),
                close
            ]
        );
    }

    #[test]
    fn drawings_are_recognised() {
        let is_drawing = |text| words(text, &Style::default()).2;
        assert!(is_drawing("{\\p1}m 0 0 l 1 1{\\p0}"));
        assert!(!is_drawing("{\\pos(1,2)}a"));
    }
}

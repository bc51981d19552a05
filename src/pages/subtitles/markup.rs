//! Tags in the text of SubRip, which took them from HTML, and of WebVTT (W3C, WebVTT 1, section 6.4). Fonts, colours
//! and classes are dropped, because the other formats cannot express them. The text in them stays.

use super::cue::{Edge, Emphasis, Piece};

/// Limit on a tag, and on a list of overrides, in bytes.
const LONGEST: usize = 4096;

/// Parses the lines of a cue into pieces.
pub(super) fn pieces(lines: &[&str], is_web: bool) -> (Vec<Piece>, Edge) {
    let mut out = Vec::new();
    let mut edge = Edge::default();
    let mut open = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        if number > 0 {
            out.push(Piece::Break);
        }
        let mut rest = *line;
        while let Some(at) = rest.find(['<', '{']) {
            let (before, tail) = rest.split_at(at);
            let after = match tail.as_bytes()[0] {
                b'<' => tag(tail, is_web, &mut open, (before, &mut out)),
                _ => braces(tail, &mut edge, (before, &mut out)),
            };
            rest = after.unwrap_or_else(|| {
                // A `<` or `{` without a tag is an ordinary character.
                text(&tail[..1], is_web, &mut out, before);
                &tail[1..]
            });
        }
        text("", is_web, &mut out, rest);
    }
    // Elements left open end with the text.
    out.extend(open.into_iter().rev().map(Piece::Close));
    (out, edge)
}

/// Reads a tag at the beginning of a text, and returns the rest of the text. Adds `before`, the text in front of the
/// tag, to `out` first. `None`, without any change, if the text does not begin with a known tag.
fn tag<'t>(
    from: &'t str,
    is_web: bool,
    open: &mut Vec<Emphasis>,
    (before, out): (&str, &mut Vec<Piece>),
) -> Option<&'t str> {
    let end = end_of(from, b'>')?;
    let content = &from[1..end];
    let closes = content.starts_with('/');
    let name = content.trim_start_matches('/');
    let annotation = name.split_once(char::is_whitespace).map(|(_, rest)| rest);
    let name = name.split(|c: char| c == '.' || c.is_whitespace()).next()?;
    // A timestamp within a cue, at which the text after it appears, is dropped.
    let is_moment = name.starts_with(|c: char| c.is_ascii_digit()) && name.contains(':');
    let is_known = ["b", "i", "u", "c", "v", "font", "lang", "ruby", "rt", "s"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name));
    if !is_moment && !is_known {
        return None;
    }
    text("", is_web, out, before);
    match Emphasis::named(name) {
        Some(emphasis) if closes => {
            // An end tag without a start tag is ignored. Elements opened inside the closed one end with it.
            if let Some(at) = open.iter().rposition(|known| *known == emphasis) {
                out.extend(open.drain(at..).rev().map(Piece::Close));
            }
        }
        Some(emphasis) if !open.contains(&emphasis) => {
            open.push(emphasis);
            out.push(Piece::Open(emphasis));
        }
        // The other formats have no field for the speaker, so the name becomes text.
        None if name == "v" && !closes => {
            if let Some(speaker) = annotation.map(str::trim).filter(|name| !name.is_empty()) {
                text(": ", true, out, speaker);
            }
        }
        Some(_) | None => {}
    }
    Some(&from[end + 1..])
}

/// Reads the SubStation Alpha override that players support in SubRip: the position on the picture. Other overrides are
/// dropped. Returns the rest of the text; `None` if the braces are ordinary text.
fn braces<'t>(
    from: &'t str,
    edge: &mut Edge,
    (before, out): (&str, &mut Vec<Piece>),
) -> Option<&'t str> {
    let end = end_of(from, b'}').filter(|_| from.starts_with("{\\"))?;
    text("", false, out, before);
    if let Some(found) = alignment(&from[1..end]) {
        *edge = found;
    }
    Some(&from[end + 1..])
}

/// Offset of the byte (`mark`) that ends the tag or the override list at the beginning of a text. `None` if the first
/// [`LONGEST`] bytes do not contain it.
pub(super) fn end_of(from: &str, mark: u8) -> Option<usize> {
    let window = &from.as_bytes()[..from.len().min(LONGEST)];
    memchr::memchr(mark, window)
}

/// Position that a list of overrides sets: `\an8` is the top, as on the keys of a numeric pad; `\a6` is the older form.
pub(super) fn alignment(overrides: &str) -> Option<Edge> {
    let mut found = None;
    for part in overrides.split('\\') {
        let number = |text: &str| text.trim().parse::<u8>().ok();
        if let Some(key) = part.strip_prefix("an").and_then(number) {
            found = Some(place_of(key));
        } else if let Some(key) = part.strip_prefix('a').and_then(number) {
            found = Some(old_place_of(key));
        }
    }
    found
}

/// Position by the keys of a numeric pad.
pub(super) fn place_of(key: u8) -> Edge {
    match key {
        7..=9 => Edge::Top,
        4..=6 => Edge::Middle,
        _ => Edge::Bottom,
    }
}

/// Position by the numbers of `\a` and of the older version: 1 to 3, plus 4 at the top and 8 in the middle.
pub(super) fn old_place_of(key: u8) -> Edge {
    match key {
        5..=7 => Edge::Top,
        9..=11 => Edge::Middle,
        _ => Edge::Bottom,
    }
}

/// Adds `text`, whose escapes are decoded if it is WebVTT, and after it `more`, which is added unchanged.
fn text(more: &str, is_web: bool, out: &mut Vec<Piece>, text: &str) {
    let text = match is_web && text.contains('&') {
        true => decoded(text) + more,
        false => [text, more].concat(),
    };
    if text.is_empty() {
        return;
    }
    match out.last_mut() {
        Some(Piece::Text(last)) => last.push_str(&text),
        _ => out.push(Piece::Text(text)),
    }
}

/// Replaces the escapes in a text by the characters they stand for (WebVTT 1, section 6.4).
fn decoded(text: &str) -> String {
    let escapes = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", "\u{a0}"),
        ("&lrm;", "\u{200e}"),
        ("&rlm;", "\u{200f}"),
        ("&amp;", "&"),
    ];
    let mut text = text.to_owned();
    for (escape, character) in escapes {
        text = text.replace(escape, character);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[Piece]) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Open(emphasis) => format!("[{}]", emphasis.name()),
            Piece::Close(emphasis) => format!("[/{}]", emphasis.name()),
            Piece::Break => "|".into(),
        };
        pieces.iter().map(piece).collect()
    }

    #[test]
    fn tags_become_emphases_and_others_stay_text() {
        #[track_caller]
        fn check(text: &str, is_web: bool, expected: &str) {
            let lines: Vec<&str> = text.split('\n').collect();
            assert_eq!(shown(&pieces(&lines, is_web).0), expected, "{text:?}");
        }
        check("a <i>b</i> c", false, "a [i]b[/i] c");
        check("<I>a\nb", false, "[i]a|b[/i]");
        check("<b><i>a</b>b</i>", false, "[b][i]a[/i][/b]b");
        check("<font color=\"#ff0000\">red</font>", false, "red");
        check("3 < 4 and {so} on >", false, "3 < 4 and {so} on >");
        check("a &lt; b", false, "a &lt; b");
        check("a &lt; b &amp;lt;", true, "a < b &lt;");
        check("<v Ann>Hi <c.yellow>you</c>", true, "Ann: Hi you");
        check("one <00:00:01.000>two", true, "one two");
        check("{\\an8}up", false, "up");
        check("<", false, "<");
    }

    #[test]
    fn places_are_those_of_keys() {
        #[track_caller]
        fn check(text: &str, expected: Edge) {
            assert_eq!(pieces(&[text], false).1, expected, "{text}");
        }
        check("{\\an8}a", Edge::Top);
        check("{\\an5}a", Edge::Middle);
        check("{\\a6}a", Edge::Top);
        check("{\\i1}a", Edge::Bottom);
    }
}

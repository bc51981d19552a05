//! Reads SubRip and WebVTT. A SubRip cue extends to the next line with times, because its text may contain blank lines;
//! a WebVTT cue ends at the first blank line (WebVTT 1, section 6.1), or at the next line with times.

use super::{
    cue::{Cue, Edge},
    markup,
};
use crate::{error::Result, job::Notes};
use convertd_core::clock;

/// Receiver of each cue.
pub(super) type Take<'t> = &'t mut dyn FnMut(Cue) -> Result<()>;

/// Parses a line `START --> END`. Returns both times in milliseconds, and the rest of the line. `None` for other lines.
pub(super) fn times(line: &str) -> Option<(u64, u64, &str)> {
    let (start, rest) = line.split_once("-->")?;
    let rest = rest.trim_start();
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    let (end, settings) = rest.split_at(end);
    Some((moment(start.trim())?, moment(end)?, settings.trim()))
}

/// Returns whether a text consists of digits.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Converts a time to milliseconds: hours, minutes and seconds, where the hours are optional. `None` for other texts.
pub(super) fn moment(text: &str) -> Option<u64> {
    text.contains(':').then(|| clock::milliseconds(text))?
}

/// Reads SubRip.
///
/// Errors: those of `take`.
pub(super) fn sub_rip(text: &str, take: Take<'_>) -> Result<()> {
    let mut open: Option<(u64, u64)> = None;
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        let Some((start, end, _)) = times(line) else {
            lines.push(line.trim_end());
            continue;
        };
        // A number in the line before belongs to this cue, not to the text of the previous one.
        if lines.last().is_some_and(|line| is_number(line.trim())) {
            lines.pop();
        }
        emit_cue(open, &lines, take)?;
        open = Some((start, end));
        lines.clear();
    }
    emit_cue(open, &lines, take)
}

/// Passes a cue to `take`, without the blank lines around its text. Does nothing without times or without text.
fn emit_cue(open: Option<(u64, u64)>, lines: &[&str], take: Take<'_>) -> Result<()> {
    let Some((start, end)) = open else {
        return Ok(());
    };
    let is_blank = |line: &&str| line.trim().is_empty();
    let first = lines.iter().position(|line| !is_blank(line));
    let last = lines.iter().rposition(|line| !is_blank(line));
    let (Some(first), Some(last)) = (first, last) else {
        return Ok(());
    };
    let (words, edge) = markup::pieces(&lines[first..=last], false);
    take(Cue {
        start,
        end,
        edge,
        words,
    })
}

/// Reads WebVTT.
///
/// Errors: those of `take`.
pub(super) fn web_vtt(text: &str, take: Take<'_>, notes: &mut Notes) -> Result<()> {
    let mut lines = text.lines().peekable();
    let mut has_styles = false;
    while let Some(line) = lines.next() {
        has_styles |= line.starts_with("STYLE") || line.starts_with("REGION");
        let Some((start, end, settings)) = times(line) else {
            continue;
        };
        let mut words = Vec::new();
        while let Some(line) = lines.peek() {
            if line.trim().is_empty() || times(line).is_some() {
                break;
            }
            words.push(line.trim_end());
            lines.next();
        }
        let (words, _) = markup::pieces(&words, true);
        take(Cue {
            start,
            end,
            edge: edge(settings),
            words,
        })?;
    }
    if has_styles {
        notes.add("Styles and regions were left out: the player decides how the text looks.");
    }
    Ok(())
}

/// Position that the settings of a cue give (WebVTT 1, section 6.3): lines count from the top, or as negative numbers
/// from the bottom. The first six lines are the top edge here.
fn edge(settings: &str) -> Edge {
    let mut lines = settings
        .split_whitespace()
        .filter_map(|setting| setting.strip_prefix("line:"));
    let Some(line) = lines.next() else {
        return Edge::Bottom;
    };
    let line = line.split(',').next().unwrap_or_default();
    match line.strip_suffix('%') {
        Some(percent) => match percent.parse::<f32>() {
            Ok(percent) if percent < 34.0 => Edge::Top,
            Ok(percent) if percent < 67.0 => Edge::Middle,
            _ => Edge::Bottom,
        },
        None => match line.parse::<i32>() {
            Ok(0..=5) => Edge::Top,
            _ => Edge::Bottom,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_programs_write_them() {
        #[track_caller]
        fn check(line: &str, expected: Option<(u64, u64)>) {
            assert_eq!(times(line).map(|(start, end, _)| (start, end)), expected);
        }
        check("00:00:01,000 --> 01:00:02,500", Some((1000, 3_602_500)));
        check("00:01.5 --> 00:02.25 line:0", Some((1500, 2250)));
        check("0:0:1 --> 0:0:2", Some((1000, 2000)));
        check(
            "100:00:00,000-->100:00:01,000",
            Some((360_000_000, 360_001_000)),
        );
        check("a --> b", None);
        check("1 --> 2", None);
        check("00:00:01,000 -> 00:00:02,000", None);
        check("99999999999999999999:00:00 --> 00:00:01", None);
        check("00:00:0é,000 --> 00:00:01,000", None);
    }

    #[test]
    fn settings_determine_the_position() {
        #[track_caller]
        fn check(settings: &str, expected: Edge) {
            assert_eq!(edge(settings), expected, "{settings}");
        }
        check("", Edge::Bottom);
        check("align:start line:0", Edge::Top);
        check("line:-1", Edge::Bottom);
        check("line:10%", Edge::Top);
        check("line:50%,center", Edge::Middle);
        check("line:x%", Edge::Bottom);
    }
}

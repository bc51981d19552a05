//! Assigns letters to the texts of a structure tree, by their marked content. Does not read the structure tree.

use super::{
    lines::{self, Line},
    page_text::Figure,
    page_text::{Letter, Letters},
};
use std::collections::{HashMap, HashSet};

/// Smallest gap between two words, as a fraction of the font size.
const GAP: f32 = 0.2;

/// Limit on the letters in a row that are taken for the entries of a menu or list.
const MAX_STRAY: usize = 400;

/// Part of a text on one page.
#[derive(Debug)]
pub(crate) struct TextFragment {
    /// Number of the text.
    pub(crate) text: u32,
    pub(crate) lines: Vec<Line>,
    /// Whether a space precedes the part.
    pub(crate) spaced: bool,
}

/// Texts of a page, and the counts by which `sanity` judges the structure.
#[derive(Debug, Default)]
pub(crate) struct Marked {
    pub(crate) parts: Vec<TextFragment>,
    /// Pictures inside a text: number of the text, and index of the picture on the page.
    pub(crate) figures: Vec<(u32, usize)>,
    /// Number of letters, without artifacts outside of the texts.
    pub(crate) letters: usize,
    /// Number of letters in texts.
    pub(crate) covered: usize,
    /// Number of letters in artifacts outside of the texts.
    pub(crate) artifacts: usize,
    /// Number of changes from one text to another in drawing order.
    pub(crate) steps: usize,
    /// Number of those changes that lead to a later text.
    pub(crate) forward: usize,
}

impl Marked {
    /// Collects the texts of a page. `texts` maps marked-content identifiers to texts, and `fields` are the identifiers
    /// in elements that may be form fields.
    pub(crate) fn of(letters: &Letters, texts: &HashMap<u32, u32>, fields: &HashSet<u32>) -> Self {
        let mut marked = Self::default();
        let text = |mark: Option<u32>| texts.get(&mark?).copied();
        // Letters by text and by `changes`, the number of changes so far between letters in marked content and letters
        // in entries of menus. So an entry follows its label, whatever their positions are.
        let mut members: HashMap<(u32, u32), Vec<u32>> = HashMap::new();
        let (mut changes, mut is_entry) = (0, false);
        let mut before: Option<u32> = None;
        let marks = marks(letters, fields);
        for ((index, letter), mark) in (0..).zip(&letters.all).zip(marks) {
            // Letters outside of the structure are artifacts, or not covered.
            let Some(text) = text(mark) else {
                match letter.artifact {
                    true => marked.artifacts += 1,
                    false => marked.letters += 1,
                }
                continue;
            };
            marked.letters += 1;
            marked.covered += 1;
            changes +=
                u32::from(std::mem::replace(&mut is_entry, letter.mark.is_none()) != is_entry);
            members.entry((text, changes)).or_default().push(index);
            // `steps` and `forward` measure how far texts are drawn in the order of the structure.
            if let Some(before) = before.filter(|before| *before != text) {
                marked.steps += 1;
                marked.forward += usize::from(before < text);
            }
            before = Some(text);
        }
        // Texts are numbered in tree order.
        let mut members: Vec<((u32, u32), Vec<u32>)> = members.into_iter().collect();
        members.sort_unstable_by_key(|(key, _)| *key);
        for ((text, _), members) in members {
            let lines = lines::of_some(letters, &members);
            match marked.parts.last_mut() {
                Some(part) if part.text == text => part.lines.extend(lines),
                _ => marked.parts.push(TextFragment {
                    text,
                    spaced: is_spaced(&letters.all, members[0] as usize),
                    lines,
                }),
            }
        }
        let figure = |(at, figure): (usize, &Figure)| Some((text(figure.mark)?, at));
        marked.figures = letters
            .figures
            .iter()
            .enumerate()
            .filter_map(figure)
            .collect();
        marked
    }
}

/// Marked-content identifier of each letter. Up to [`MAX_STRAY`] letters in a row outside of marked content get the
/// identifier of an empty form field drawn just before them: browsers tag the frames of menus and lists in forms, but
/// not their entries. Other empty content gets no letters, because the letters may be a running header without a tag.
fn marks(letters: &Letters, fields: &HashSet<u32>) -> Vec<Option<u32>> {
    let mut marks: Vec<Option<u32>> = letters.all.iter().map(|letter| letter.mark).collect();
    let figures = letters.figures.iter().map(|figure| figure.mark);
    let used: HashSet<u32> = marks.iter().copied().chain(figures).flatten().collect();
    let mut empty: Vec<u32> = fields.iter().copied().collect();
    empty.retain(|mark| !used.contains(mark));
    if empty.is_empty() {
        return marks;
    }
    empty.sort_unstable();
    let is_stray = |at: usize| letters.all[at].mark.is_none() && !letters.all[at].artifact;
    let mut at = 0;
    while at < marks.len() {
        if !is_stray(at) {
            at += 1;
            continue;
        }
        let end = (at..marks.len())
            .find(|at| !is_stray(*at))
            .unwrap_or(marks.len());
        // Identifiers increase in the order of drawing, so the field has the first unused one between those of the
        // letters around.
        let before = at.checked_sub(1).and_then(|before| marks[before]);
        let after = marks.get(end).copied().flatten();
        let next = empty.partition_point(|mark| before.is_some_and(|before| *mark <= before));
        let found = empty
            .get(next)
            .filter(|mark| after.is_none_or(|after| **mark < after));
        if let Some(mark) = found.filter(|_| end - at <= MAX_STRAY) {
            marks[at..end].fill(Some(*mark));
        }
        at = end;
    }
    marks
}

/// Returns whether a letter begins a word, judged by the letter drawn before it.
fn is_spaced(all: &[Letter], at: usize) -> bool {
    let letter = &all[at];
    let Some(before) = at.checked_sub(1).map(|before| &all[before]) else {
        return false;
    };
    // Words are separated by a gap, or by a change of the line or of the direction.
    let gap = letter.x.0 - before.x.1;
    let size = letter.size.max(before.size);
    letter.spaced
        || (letter.y - before.y).abs() > size
        || letter.angle != before.angle
        || !(-size..GAP * size).contains(&gap)
}

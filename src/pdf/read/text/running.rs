//! Running headers and footers: lines at the same height on page after page, lines at the edge with increasing page
//! numbers, and watermarks. All of these must appear on several pages, except for watermarks at an angle.

use super::{block::Page, compare::by, lines::Line, page_text::Figure, page_text::PageObject};
use std::collections::{HashMap, HashSet};

/// Minimum fraction of pages on which a line must repeat. It is less than a half, because a line may be only on left or
/// only on right pages.
const REPEATS: f64 = 0.4;
/// Minimum number of pages on which a line must repeat.
const LEAST_REPEATS: usize = 3;

/// Minimum fraction of pages on which a number must be at the same height.
const NUMBERED: f64 = 0.3;
/// Minimum fraction of these pages on which the number is larger than on the page before.
const INCREASING: f64 = 0.75;

/// Limit on the length of a line with a page number, in bytes.
const LONGEST: usize = 120;

/// Smallest font size of a watermark, as a multiple of that of the text.
const LARGE: f32 = 1.8;
/// Limit on the lines of a watermark.
const WATERMARK: usize = 3;

/// Removes artifacts, and content that repeats across pages: lines at the top and bottom (ignoring digits), increasing
/// page numbers, large text, and pictures. Also removes watermarks at an angle. Returns the number of lines removed,
/// artifacts not counted.
pub(super) fn leave_out(pages: &mut [Page]) -> usize {
    let mut known: HashMap<(String, i32), usize> = HashMap::new();
    let candidates: Vec<HashSet<usize>> = pages.iter().map(repeatable).collect();
    // First pass: count the pages on which a line is at the same height.
    for (page, candidates) in pages.iter().zip(&candidates) {
        for at in candidates {
            *known
                .entry(key(&page.lines[*at], &page.figures))
                .or_default() += 1;
        }
    }
    let least = ((REPEATS * pages.len() as f64).ceil() as usize).max(LEAST_REPEATS);
    let numbered = heights_of_numbers(pages);
    let mut left_out = 0;
    // Second pass: drop lines that repeat, increasing page numbers, and watermarks.
    for (page, candidates) in pages.iter_mut().zip(candidates) {
        let edges = edges(&page.lines);
        let size = median_size(&page.lines);
        // A page with many slanted lines is a drawing, not a page with a watermark.
        let askew = page.lines.iter().filter(|line| is_askew(line, size));
        let has_watermark = askew.count() <= WATERMARK;
        let mut at = 0;
        page.lines.retain(|line| {
            let index = at;
            at += 1;
            let count = candidates
                .contains(&index)
                .then(|| known.get(&key(line, &page.figures)));
            let repeats = count.flatten().is_some_and(|count| *count >= least)
                || (edges.contains(&index)
                    && number(line).is_some()
                    && numbered.contains(&height(line)))
                || (has_watermark && is_askew(line, size));
            left_out += usize::from(repeats && !line.artifact);
            !repeats && !line.artifact
        });
    }
    left_out
}

/// Key for comparing a line across pages: its text with digits replaced, or the picture, and its
/// height.
fn key(line: &Line, figures: &[Figure]) -> (String, i32) {
    let text: String = match line.object {
        Some(PageObject::Figure(at)) => format!("\u{0}{}", figures[usize::from(at)].file),
        _ => line
            .text
            .chars()
            .map(|c| if c.is_numeric() { '#' } else { c })
            .collect(),
    };
    // Numbers of one and of two digits give the same key, because page 9 is followed by page 10.
    (text.replace("##", "#"), height(line))
}

/// Baseline in whole points.
fn height(line: &Line) -> i32 {
    line.y.round() as i32
}

/// Indexes of lines that may repeat: the two highest and two lowest, large ones, and pictures.
fn repeatable(page: &Page) -> HashSet<usize> {
    let lines = &page.lines;
    let order = by_height(lines);
    let size = median_size(lines);
    let may_repeat = |at: &usize| {
        let line = &lines[*at];
        match line.object {
            Some(object) => matches!(object, PageObject::Figure(_)),
            None => line.size > LARGE * size,
        }
    };
    // A header or footer may have two lines.
    let highest = order.iter().copied().take(2);
    let lowest = order.iter().copied().rev().take(2);
    let others = (0..lines.len()).filter(may_repeat);
    highest.chain(lowest).chain(others).collect()
}

/// Indexes of the highest and the lowest line of text.
fn edges(lines: &[Line]) -> [usize; 2] {
    let order = by_height(lines);
    [order.first(), order.last()].map(|at| at.copied().unwrap_or(usize::MAX))
}

/// Indexes of the lines of text from top to bottom.
fn by_height(lines: &[Line]) -> Vec<usize> {
    let is_text = |at: &usize| lines[*at].object.is_none();
    let mut order: Vec<usize> = (0..lines.len()).filter(is_text).collect();
    order.sort_by(|a, b| by(lines[*a].y, lines[*b].y));
    order
}

/// Median font size of the lines.
fn median_size(lines: &[Line]) -> f32 {
    let lines = lines.iter().filter(|line| line.object.is_none());
    let mut sizes: Vec<f32> = lines.map(|line| line.size).collect();
    sizes.sort_by(|a, b| by(*a, *b));
    sizes.get(sizes.len() / 2).copied().unwrap_or(0.0)
}

/// Returns whether a line is large and at an angle other than quarter turns.
fn is_askew(line: &Line, size: f32) -> bool {
    line.angle % 90 != 0 && line.size > LARGE * size
}

/// Heights at which pages have numbers at the edge that increase from page to page.
fn heights_of_numbers(pages: &[Page]) -> HashSet<i32> {
    let mut found: HashMap<i32, Vec<u32>> = HashMap::new();
    for page in pages {
        let edges = edges(&page.lines);
        // The only line of a page is at both edges.
        let both = edges.iter().take(if edges[0] == edges[1] { 1 } else { 2 });
        for line in both.filter_map(|at| page.lines.get(*at)) {
            if let Some(number) = number(line) {
                found.entry(height(line)).or_default().push(number);
            }
        }
    }
    let least = ((NUMBERED * pages.len() as f64).ceil() as usize).max(LEAST_REPEATS);
    // Not every number must be larger than the one before: the numbering may restart after a
    // preface.
    let grow = |numbers: &Vec<u32>| {
        let growing = numbers.windows(2).filter(|pair| pair[0] < pair[1]).count();
        numbers.len() >= least && growing as f64 >= INCREASING * (numbers.len() - 1) as f64
    };
    let found = found.into_iter().filter(|(_, numbers)| grow(numbers));
    found.map(|(height, _)| height).collect()
}

/// Page number at the end or start of a line, in digits or else as a Roman numeral.
fn number(line: &Line) -> Option<u32> {
    if line.text.len() > LONGEST {
        return None;
    }
    let words = || line.text.split_whitespace();
    let ends = || [words().next_back(), words().next()].into_iter().flatten();
    let is_number = |word: &&str| word.len() <= 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    match ends().find(is_number) {
        Some(word) => word.parse().ok(),
        // A single letter may be a word, so it counts only if it is the whole line.
        None => ends()
            .filter(|word| word.len() > 1 || words().count() == 1)
            .find_map(roman),
    }
}

/// Value of a Roman numeral in lower case, up to eight letters.
fn roman(word: &str) -> Option<u32> {
    const LONGEST: usize = 8;
    let values = word.bytes().map(|byte| match byte {
        b'i' => Some(1),
        b'v' => Some(5),
        b'x' => Some(10),
        b'l' => Some(50),
        b'c' => Some(100),
        _ => None,
    });
    let values: Vec<u32> = values.take(LONGEST + 1).collect::<Option<_>>()?;
    let at = |at: usize| values.get(at + 1).copied().unwrap_or(0);
    let sum = (0..).zip(&values).fold(0i64, |sum, (nth, value)| {
        // A smaller numeral before a larger one is subtracted: iv, ix, xl.
        let value = i64::from(*value);
        if value < i64::from(at(nth)) {
            sum - value
        } else {
            sum + value
        }
    });
    (values.len() <= LONGEST).then_some(u32::try_from(sum).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_numbers_stand_first_or_last() {
        #[track_caller]
        fn check(text: &str, expected: Option<u32>) {
            let line = Line::with(text);
            assert_eq!(number(&line), expected, "{text}");
        }
        check("12", Some(12));
        check("Chapter 3. Means 15", Some(15));
        check("28 A book", Some(28));
        check("xiv", Some(14));
        check("28 Means for i", Some(28));
        check("Chapter 3. Means", None);
        check("in 2014 and later", None);
    }
}

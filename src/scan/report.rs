//! Notes about OCR: the numbers of the pages, the confidence, and the blank pages. Reads no page.

use crate::job::Notes;
use convertd_ocr::page::Text;

/// Mean confidence below which a note names the page, in per cent.
const DOUBTFUL: f32 = 60.0;
/// Limit on the page ranges in a note, and on the doubtful pages that a note lists.
const MAX_NAMED: usize = 20;

/// Results for the pages of a file so far.
#[derive(Debug, Default)]
pub struct Report {
    /// Pages with words, by their numbers from 1.
    read: Vec<usize>,
    /// Sum of the confidence of all words, weighted by their letters, and the number of letters.
    confidence: (f64, f64),
    /// Pages whose words are doubtful, with their confidence in per cent.
    doubtful: Vec<(usize, f32)>,
    /// Pages that were read, but have no words.
    blank: Vec<usize>,
    /// Pages without any content. A note mentions them only if other pages were read.
    empty: Vec<usize>,
    /// Pages that were read by OCR because their glyphs have no Unicode values.
    broken: Vec<usize>,
    /// Pages that were not read, because drawing them would take too long.
    beyond: Vec<usize>,
}

impl Report {
    /// Adds the recognised text of a page.
    pub fn add(&mut self, page: usize, text: &Text) {
        let Some(confidence) = text.confidence() else {
            self.blank.push(page);
            return;
        };
        let words = text.lines.iter().flat_map(|line| &line.words);
        let letters = words.map(|word| word.text.chars().count()).sum::<usize>() as f64;
        self.confidence.0 += letters * f64::from(confidence);
        self.confidence.1 += letters;
        self.read.push(page);
        if confidence < DOUBTFUL {
            self.doubtful.push((page, confidence));
        }
    }

    /// Adds a page without any content.
    pub fn empty(&mut self, page: usize) {
        self.empty.push(page);
    }

    /// Records that the glyphs of a page have no Unicode values.
    pub fn broken(&mut self, page: usize) {
        self.broken.push(page);
    }

    /// Adds a page whose drawing would take too long.
    pub fn beyond(&mut self, page: usize) {
        self.beyond.push(page);
    }

    /// Returns whether a page was read, with or without words.
    pub fn has_any(&self) -> bool {
        !self.read.is_empty() || !self.blank.is_empty()
    }

    /// Adds the notes.
    pub fn add_notes(&self, notes: &mut Notes) {
        if !self.read.is_empty() {
            let mean = self.confidence.0 / self.confidence.1.max(1.0);
            notes.add(format!(
                "{} read by OCR, with a confidence of {mean:.0} %.",
                subject(&self.read, "was", "were")
            ));
        }
        match &self.doubtful[..] {
            [] => {}
            [(page, confidence)] => notes.add(format!(
                "The text read on page {page} is doubtful: its confidence is {confidence:.0} %."
            )),
            pages => {
                let named = pages.iter().take(MAX_NAMED);
                let named: Vec<String> = named
                    .map(|(page, confidence)| format!("{page} ({confidence:.0} %)"))
                    .collect();
                let others = match pages.len() - named.len() {
                    0 => String::new(),
                    others => format!(" and {others} others"),
                };
                notes.add(format!(
                    "The text read on these pages is doubtful: {}{others}.",
                    named.join(", ")
                ));
            }
        }
        if !self.broken.is_empty() {
            notes.add(format!(
                "The fonts on {} do not map their glyphs to characters: text read by OCR is used there.",
                listed(&self.broken)
            ));
        }
        if self.has_any() {
            let mut blank = [&self.blank[..], &self.empty[..]].concat();
            blank.sort_unstable();
            if !blank.is_empty() {
                notes.add(format!("{} blank.", subject(&blank, "is", "are")));
            }
        }
        if !self.beyond.is_empty() {
            notes.add(format!(
                "{} not read by OCR, because drawing it takes too long.",
                subject(&self.beyond, "was", "were")
            ));
        }
    }
}

/// Returns the pages as the subject of a sentence, and its verb: `one` for a single page, `several` for more.
fn subject(pages: &[usize], one: &str, several: &str) -> String {
    let verb = if pages.len() == 1 { one } else { several };
    let mut text = listed(pages);
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    format!("{text} {verb}")
}

/// Lists page numbers, three or more consecutive ones as a range. Counts the pages beyond [`MAX_NAMED`] ranges as
/// others.
fn listed(pages: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for page in pages {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == *page => *last = *page,
            _ => runs.push((*page, *page)),
        }
    }
    let named: Vec<String> = runs
        .iter()
        .take(MAX_NAMED)
        .map(|(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first}, {last}"),
            _ => format!("{first}–{last}"),
        })
        .collect();
    let noun = if pages.len() == 1 { "page" } else { "pages" };
    let others: usize = runs
        .iter()
        .skip(MAX_NAMED)
        .map(|(first, last)| last - first + 1)
        .sum();
    match others {
        0 => format!("{noun} {}", named.join(", ")),
        _ => format!("{noun} {} and {others} others", named.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_ocr::page::{Line, Rect, Word};

    /// A page with one word.
    fn text(confidence: f32) -> Text {
        let word = Word {
            text: "word".into(),
            bounds: Rect::default(),
            confidence,
        };
        let line = Line {
            words: vec![word],
            bounds: Rect::default(),
            baseline: Default::default(),
            ascent: 10.0,
            block: 0,
            right_to_left: false,
        };
        Text {
            lines: vec![line],
            ..Text::default()
        }
    }

    #[track_caller]
    fn check(pages: &[(usize, Option<f32>)], expected: &[&str]) {
        let mut report = Report::default();
        for (page, confidence) in pages {
            let text = confidence.map_or_else(Text::default, text);
            report.add(*page, &text);
        }
        let mut notes = Notes::default();
        report.add_notes(&mut notes);
        assert_eq!(notes.0, expected);
    }

    #[test]
    fn pages_are_named_once_and_in_runs() {
        check(&[], &[]);
        check(
            &[(2, Some(91.0))],
            &["Page 2 was read by OCR, with a confidence of 91 %."],
        );
        check(
            &[
                (1, Some(80.0)),
                (2, Some(90.0)),
                (3, Some(100.0)),
                (7, Some(90.0)),
                (8, None),
            ],
            &[
                "Pages 1–3, 7 were read by OCR, with a confidence of 90 %.",
                "Page 8 is blank.",
            ],
        );
        check(
            &[(1, Some(50.0)), (2, Some(40.0))],
            &[
                "Pages 1, 2 were read by OCR, with a confidence of 45 %.",
                "The text read on these pages is doubtful: 1 (50 %), 2 (40 %).",
            ],
        );
        check(
            &[(3, Some(59.0))],
            &[
                "Page 3 was read by OCR, with a confidence of 59 %.",
                "The text read on page 3 is doubtful: its confidence is 59 %.",
            ],
        );
    }

    #[test]
    fn a_note_names_a_few_pages() {
        let pages: Vec<usize> = (0..30).map(|nth| 2 * nth + 1).collect();
        let text = listed(&pages);
        assert!(text.ends_with("37, 39 and 10 others"), "{text}");
    }
}

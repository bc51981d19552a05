//! OCR of PDF pages that are pictures. [`need`] decides which pages are read; [`survey`] counts the content of a page,
//! and [`grey`] gives the pixels of a page. Recognises no letters itself, and changes no page.

mod grey;
pub(super) mod need;
mod survey;

use crate::{error::Result, job::Job};
use convertd_ocr::page::{self, Text};
use convertd_scan::{models::Models, options::Mode, report::Report};
use hayro::{
    hayro_syntax::page::Page,
    kurbo::{Affine, Point, Rect},
};
use need::Need;

/// Fraction of a recognised word that must be covered by letters of the page for the word to be dropped as a duplicate.
const COVERED: f64 = 0.5;

/// Reads the pages of a file that need OCR.
pub(crate) struct Scanner<'j> {
    job: &'j Job<'j>,
    mode: Mode,
    /// Models; loaded for the first page that is read.
    models: Option<Models<'j>>,
    pub(crate) report: Report,
}

/// Outcome of OCR for a page.
pub(crate) enum Outcome {
    /// The page stays as it is.
    Kept,
    /// The page was examined, and has no words.
    Blank,
    Read(Box<Scan>),
}

/// Recognised text of a page, and its position.
pub(crate) struct Scan {
    pub(crate) text: Text,
    /// Width and height of the page in pixels.
    pub(crate) size: (usize, usize),
    /// Resolution, in pixels per inch.
    pub(crate) dpi: f64,
    /// Matrix from pixels to points of the upright page, measured from its upper left corner.
    pub(crate) to_upright: Affine,
    /// Matrix from pixels to the page's own coordinates.
    pub(crate) to_user: Affine,
    /// Whether the text replaces all letters of the page, instead of only the invisible ones.
    pub(crate) is_instead: bool,
    /// Whether the page has visible letters.
    pub(crate) has_letters: bool,
    /// Whether the page has invisible letters.
    pub(crate) has_hidden: bool,
}

impl<'j> Scanner<'j> {
    pub(crate) fn new(job: &'j Job<'j>, mode: Mode) -> Self {
        Self {
            job,
            mode,
            models: None,
            report: Report::default(),
        }
    }

    /// Returns whether a page is known to have usable text. Most pages have such text, and need not be examined.
    /// `unread` letters have no known character. Twice the necessary letters are enough: either half of them are
    /// visible, or half are the hidden text of another OCR program. If OCR is off, every page counts, and if it is
    /// forced or redone, no page does.
    pub(crate) fn takes_for_text(&self, letters: usize, unread: usize) -> bool {
        match self.mode {
            Mode::Off => true,
            Mode::Auto => letters >= 2 * need::FEWEST_LETTERS && 10 * unread < letters,
            Mode::Redo | Mode::Force => false,
        }
    }

    /// Reads a page, if it needs OCR. `number` counts from 1.
    ///
    /// Errors: there is not enough memory, or the job has to stop.
    pub(crate) fn page(&mut self, page: &Page<'_>, number: usize) -> Result<Outcome> {
        let survey = survey::survey(self.job, page)?;
        let is_instead = match need::need(&survey.content, self.mode) {
            Need::Nothing => return Ok(Outcome::Kept),
            Need::Blank => {
                self.report.empty(number);
                return Ok(Outcome::Blank);
            }
            Need::Beside => false,
            Need::Instead => true,
        };
        let Some(grey) = grey::of_page(self.job, page, &survey)? else {
            self.report.beyond(number);
            return Ok(Outcome::Kept);
        };
        let models = match &mut self.models {
            Some(models) => models,
            none => none.insert(Models::of(self.job)?),
        };
        let size = (grey.width, grey.height);
        let mut text = models.read(self.job, size, &grey.samples)?;
        if !is_instead {
            remove_present_words(&mut text, &survey.letters, grey.to_upright);
        }
        if text.lines.is_empty() && survey.content.letters > 0 {
            return Ok(Outcome::Kept);
        }
        self.report.add(number, &text);
        if text.lines.is_empty() {
            return Ok(Outcome::Blank);
        }
        if is_instead && self.mode != Mode::Force {
            self.report.broken(number);
        }
        let upright = Affine::new(page.initial_transform(true).as_coeffs());
        Ok(Outcome::Read(Box::new(Scan {
            text,
            size,
            dpi: grey.dpi,
            to_upright: grey.to_upright,
            to_user: upright.inverse() * grey.to_upright,
            is_instead: is_instead || survey.content.letters == 0,
            has_letters: survey.content.letters > 0,
            has_hidden: survey.content.hidden > 0,
        })))
    }
}

/// Removes the words at whose positions the page has letters of its own.
fn remove_present_words(text: &mut Text, letters: &[Rect], to_upright: Affine) {
    if letters.is_empty() {
        return;
    }
    for line in &mut text.lines {
        line.words.retain(|word| {
            let place = place(word.bounds, to_upright);
            let shared = letters.iter().map(|letter| {
                let both = place.intersect(*letter);
                both.width().max(0.0) * both.height().max(0.0)
            });
            shared.sum::<f64>() <= COVERED * place.area()
        });
    }
    text.lines.retain(|line| !line.words.is_empty());
}

/// Converts a rectangle in pixels to one on the page.
fn place(bounds: page::Rect, to_page: Affine) -> Rect {
    let corner = |x: f32, y: f32| to_page * Point::new(x.into(), y.into());
    Rect::from_points(
        corner(bounds.left, bounds.top),
        corner(bounds.right, bounds.bottom),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_ocr::page::{Baseline, Line, Word};

    #[test]
    fn words_that_the_page_has_already_are_dropped() {
        let word = |text: &str, left: f32| Word {
            text: text.into(),
            bounds: page::Rect {
                left,
                top: 20.0,
                right: left + 40.0,
                bottom: 40.0,
            },
            confidence: 90.0,
        };
        let line = |words: Vec<Word>| Line {
            bounds: words[0].bounds,
            words,
            baseline: Baseline::default(),
            ascent: 15.0,
            block: 0,
            right_to_left: false,
        };
        let mut text = Text {
            lines: vec![
                line(vec![word("7", 0.0), word("kept", 100.0)]),
                line(vec![word("8", 10.0)]),
            ],
            ..Text::default()
        };
        // Each pixel is half a point, so the letters are at 0 to 20 points.
        remove_present_words(
            &mut text,
            &[Rect::new(0.0, 9.0, 20.0, 21.0)],
            Affine::scale(0.5),
        );
        let words: Vec<&str> = text
            .lines
            .iter()
            .flat_map(|line| &line.words)
            .map(|word| &word.text[..])
            .collect();
        assert_eq!(words, ["kept"]);
    }
}

//! Pages that are pictures, and their text. Which pages are read is decided by [`need`]; what [`survey`] sees on them, and their pixels,
//! come from `hayro`. Recognises no letters itself, and changes no page.

mod grey;
pub(super) mod need;
mod survey;

use crate::{
    error::Result,
    job::Job,
    scan::{models::Models, options::Mode, report::Report},
};
use convertd_ocr::page::{self, Text};
use hayro::{
    hayro_syntax::page::Page,
    kurbo::{Affine, Point, Rect},
};
use need::Need;

/// The share of a word that letters of the page cover if the page has the word already.
const COVERED: f64 = 0.5;

/// Reads the pages of a file that have to be read.
pub(crate) struct Scanner<'j> {
    job: &'j Job<'j>,
    mode: Mode,
    /// Loaded when the first page is read.
    models: Option<Models<'j>>,
    pub(crate) report: Report,
}

/// Outcome of a page.
pub(crate) enum Outcome {
    /// It stays as it is.
    Kept,
    /// It was looked at, and has no words.
    Blank,
    Read(Box<Scan>),
}

/// Text of a page that was read, and its place.
pub(crate) struct Scan {
    pub(crate) text: Text,
    /// Width and height of the page in pixels, and pixels on an inch.
    pub(crate) size: (usize, usize),
    pub(crate) dpi: f64,
    /// Matrix from pixels to points of the page as it is seen, from its upper left corner.
    pub(crate) to_upright: Affine,
    /// Matrix from pixels to the page's own coordinates.
    pub(crate) to_user: Affine,
    /// Whether it counts in place of all letters that the page has; otherwise of those that are not seen.
    pub(crate) is_instead: bool,
    /// Whether the page has letters that are seen, and such that are not.
    pub(crate) has_letters: bool,
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

    /// Returns whether a page is known to have usable text, by how many letters it has and how many of them stand for no character: most
    /// pages, which are not looked at again. Half of twice the letters that are enough are seen, or the other half was read before.
    pub(crate) fn takes_for_text(&self, letters: usize, unread: usize) -> bool {
        match self.mode {
            Mode::Off => true,
            Mode::Auto => letters >= 2 * need::FEWEST_LETTERS && 10 * unread < letters,
            Mode::Redo | Mode::Force => false,
        }
    }

    /// Reads a page, if it has to be read. `number` counts from 1.
    ///
    /// Errors: there is not enough memory, or the job is to end.
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
            without(&mut text, &survey.letters, grey.to_upright);
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

/// Drops the words that stand where the page has letters of its own.
fn without(text: &mut Text, letters: &[Rect], to_upright: Affine) {
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

/// A rectangle of pixels on the page.
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
        // Half a point a pixel: the letters are at 0 to 20 points.
        without(
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

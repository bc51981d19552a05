//! Text of a cell with its styles. White space is collapsed as in browsers. Preformatted text keeps its line ends, but
//! its spaces are collapsed, too. Measures nothing.

use super::looks;
use crate::shown::book::{Run, Value};
use convertd_markup::css::style::{Text as Look, WhiteSpace};
use std::rc::Rc;

/// A text that is being collected.
#[derive(Default)]
pub(super) struct Text {
    /// Runs so far.
    parts: Vec<(String, Rc<Look>)>,
    /// Whether white space is pending. It is shown if text follows on the same line.
    space: bool,
    /// Number of pending line ends. They are shown if text follows.
    breaks: usize,
}

/// Maximum number of consecutive line ends.
const MAX_BREAKS: usize = 100;

impl Text {
    /// Adds text in a style.
    pub(super) fn add(&mut self, text: &str, look: &Rc<Look>) {
        let keeps = matches!(
            look.white_space,
            WhiteSpace::Pre | WhiteSpace::PreWrap | WhiteSpace::BreakSpaces | WhiteSpace::PreLine
        );
        for c in text.chars() {
            match c {
                '\n' if keeps => self.end_line(),
                ' ' | '\t' | '\n' | '\r' | '\x0c' => self.space = true,
                c => self.push(c, look),
            }
        }
    }

    /// Adds a visible character after the pending white space.
    fn push(&mut self, c: char, look: &Rc<Look>) {
        let is_first = self.parts.is_empty();
        let mut shown = String::new();
        if !is_first {
            match std::mem::take(&mut self.breaks) {
                0 if self.space => shown.push(' '),
                breaks => shown.extend(std::iter::repeat_n('\n', breaks)),
            }
        }
        (self.space, self.breaks) = (false, 0);
        // A no-break space does not collapse, so it comes here as a visible character. Cells contain a normal space.
        shown.push(if c == '\u{a0}' { ' ' } else { c });
        match self.parts.last_mut() {
            Some((text, known)) if Rc::ptr_eq(known, look) => text.push_str(&shown),
            _ => self.parts.push((shown, look.clone())),
        }
    }

    /// Ends a line, unless it is empty.
    pub(super) fn end_block(&mut self) {
        if self.breaks == 0 {
            self.end_line();
        }
    }

    /// Ends a line. Consecutive line ends beyond the limit are dropped.
    pub(super) fn end_line(&mut self) {
        self.breaks = (self.breaks + 1).min(MAX_BREAKS);
        self.space = false;
    }

    /// Returns the text without white space at its ends.
    pub(super) fn finish(mut self) -> Gathered {
        while let Some((text, _)) = self.parts.last_mut() {
            text.truncate(text.trim_end().len());
            if !text.is_empty() {
                break;
            }
            self.parts.pop();
        }
        while let Some((text, _)) = self.parts.first_mut() {
            let blank = text.len() - text.trim_start().len();
            text.drain(..blank);
            if !text.is_empty() {
                break;
            }
            self.parts.remove(0);
        }
        Gathered(self.parts)
    }
}

/// Runs of a text with their styles.
pub(super) struct Gathered(Vec<(String, Rc<Look>)>);

impl Gathered {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whole text.
    pub(super) fn text(&self) -> String {
        self.0.iter().map(|(text, _)| text.as_str()).collect()
    }

    /// Style of all runs, if they have the same.
    pub(super) fn only_look(&self) -> Option<Rc<Look>> {
        let (_, first) = self.0.first()?;
        let alike = self.0.iter().all(|(_, look)| look == first);
        alike.then(|| first.clone())
    }
}

impl From<Gathered> for Value {
    fn from(text: Gathered) -> Self {
        if text.is_empty() {
            return Self::Empty;
        }
        if text.only_look().is_some() {
            return Self::Text(text.text().into());
        }
        let runs = text.0.into_iter().map(|(text, look)| Run {
            text: text.into(),
            font: Some(Rc::new(looks::font(&look))),
        });
        Self::Rich(runs.collect())
    }
}

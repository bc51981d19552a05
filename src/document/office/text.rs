//! How text looks: which of several fonts counts, and what a run says that its paragraph does not. Reads no properties.

use super::{Look, RunProperties, symbol::is_symbol_font};
use crate::{
    document::tree::{Builder, Colour, TextStyle},
    error::Result,
};
use std::collections::HashMap;

/// Which of a run's fonts counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Script {
    /// And whatever is not one of the others.
    Latin,
    /// Chinese, Japanese, Korean.
    EastAsian,
    /// From right to left.
    Complex,
}

impl Script {
    /// That of most letters that have one.
    pub(crate) fn of(text: &str) -> Self {
        if text.is_ascii() {
            return Self::Latin;
        }
        let (mut latin, mut east, mut complex) = (0, 0, 0);
        for c in text.chars() {
            match u32::from(c) {
                0x590..=0x8ff | 0xfb1d..=0xfdff | 0xfe70..=0xfeff => complex += 1,
                0x1100..=0x11ff | 0x2e80..=0xd7ff | 0xf900..=0xfaff | 0xff00..=0xffef => east += 1,
                0x20000..=0x3ffff => east += 1,
                _ if c.is_alphabetic() => latin += 1,
                _ => {}
            }
        }
        if east > latin.max(complex) {
            Self::EastAsian
        } else if complex > latin {
            Self::Complex
        } else {
            Self::Latin
        }
    }
}

/// What `text` says that `base` does not.
pub(crate) fn difference(text: &TextStyle, base: &TextStyle) -> TextStyle {
    fn other<T: Clone + PartialEq>(own: &Option<T>, base: &Option<T>) -> Option<T> {
        own.clone().filter(|own| base.as_ref() != Some(own))
    }
    let primary = |tag: &Option<Box<str>>| {
        tag.as_deref()
            .map(|tag| tag.split('-').next().map(str::to_ascii_lowercase))
    };
    TextStyle {
        font: other(&text.font, &base.font),
        size: other(&text.size, &base.size),
        // Black letters in a paragraph of another colour say so; elsewhere black is what there is anyway.
        colour: match (text.colour, base.colour) {
            (None, Some(_)) => Some(Colour(0, 0, 0)),
            (own, base) => other(&own, &base),
        },
        background: other(&text.background, &base.background),
        // Programs mark every second word of a text as American or British.
        language: other(&text.language, &base.language)
            .filter(|_| primary(&text.language) != primary(&base.language)),
        direction: other(&text.direction, &base.direction),
        capitals: text.capitals && !base.capitals,
        bold: text.bold,
        italic: text.italic,
    }
}

/// Most looks that are kept.
const MAX_LOOKS: usize = 10_000;

/// Looks that have been worked out: a document has few, and very many runs.
#[derive(Debug, Default)]
pub(crate) struct Looks(HashMap<RunProperties, Vec<(TextStyle, Script, Look)>>);

impl Looks {
    /// How a run looks that has these properties, in a paragraph whose text looks like `base`. `make` works it out.
    pub(crate) fn get(
        &mut self,
        run: &RunProperties,
        base: &TextStyle,
        script: Script,
        make: impl FnOnce() -> Result<Look>,
    ) -> Result<Look> {
        if let Some(known) = self.0.get(run)
            && let Some((.., look)) = known
                .iter()
                .find(|(text, of, _)| *of == script && text == base)
        {
            return Ok(*look);
        }
        let look = make()?;
        // A file may be made to have a new one for every letter.
        if self.0.len() >= MAX_LOOKS {
            self.0.clear();
        }
        let known = self.0.entry(run.clone()).or_default();
        known.push((base.clone(), script, look));
        Ok(look)
    }
}

/// How a run looks. `own` is what it and its style say, `text` what comes of that and of its paragraph, whose own text looks like
/// `base`.
pub(crate) fn look(
    build: &mut Builder<'_>,
    own: &RunProperties,
    code: bool,
    mut text: TextStyle,
    base: &TextStyle,
) -> Result<Look> {
    if code || text.font.as_deref().is_some_and(is_symbol_font) {
        text.font.clone_from(&base.font);
    }
    if code {
        text.size = base.size;
    }
    let mut differs = difference(&text, base);
    differs.bold = None;
    differs.italic = None;
    Ok(Look {
        marks: own.marks(),
        style: build.text_style(differs)?,
        code,
        link: None,
    })
}

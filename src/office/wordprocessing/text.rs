//! Turns run properties into the look of text: which of a run's fonts applies, and where the run differs from its
//! paragraph. Parses no properties.

use super::{line::Look, properties::RunProperties, script::Script, symbol::is_symbol_font};
use crate::error::Result;
use convertd_tree::{Builder, Colour, Length, TextStyle};
use std::collections::HashMap;

/// The part of `text` that differs from `base`.
pub(super) fn difference(text: &TextStyle, base: &TextStyle) -> TextStyle {
    fn other<T: Clone + PartialEq>(own: &Option<T>, base: &Option<T>) -> Option<T> {
        own.clone().filter(|own| base.as_ref() != Some(own))
    }
    fn back<T: Copy + PartialEq>(own: Option<T>, base: Option<T>, none: T) -> Option<T> {
        match (own, base) {
            (None, Some(base)) if base != none => Some(none),
            (own, base) => own.filter(|own| *own != base.unwrap_or(none)),
        }
    }
    let primary = |tag: &Option<Box<str>>| {
        tag.as_deref()
            .map(|tag| tag.split('-').next().map(str::to_ascii_lowercase))
    };
    TextStyle {
        font: other(&text.font, &base.font),
        size: other(&text.size, &base.size),
        // Text in the automatic colour, inside a paragraph of another colour, has to be made black explicitly.
        // Elsewhere black is the default.
        colour: match (text.colour, base.colour) {
            (None, Some(_)) => Some(Colour(0, 0, 0)),
            (own, base) => other(&own, &base),
        },
        background: other(&text.background, &base.background),
        // Word processors tag runs as American or British English almost at random, so a difference in the region alone
        // is ignored.
        language: other(&text.language, &base.language)
            .filter(|_| primary(&text.language) != primary(&base.language)),
        direction: other(&text.direction, &base.direction),
        capitals: text.capitals && !base.capitals,
        outlined: text.outlined && !base.outlined,
        // A property of the paragraph that the run lacks has to be turned off.
        spacing: back(text.spacing, base.spacing, Length::ZERO),
        scale: back(text.scale, base.scale, 100),
        // It is not inherited: a run states its own.
        raised: text.raised,
        kerned_from: other(&text.kerned_from, &base.kerned_from),
        ligatures: other(&text.ligatures, &base.ligatures),
        bold: text.bold,
        italic: text.italic,
    }
}

/// The number of looks that are cached at most.
const MAX_LOOKS: usize = 10_000;

/// A cache of looks. A document has few different ones and very many runs.
#[derive(Debug, Default)]
pub(super) struct Looks(HashMap<RunProperties, Vec<(TextStyle, Script, Look)>>);

impl Looks {
    /// The look of a run with these properties, in a paragraph whose text has the style `base`. Calls `make` if it is
    /// not cached.
    pub(super) fn get(
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
        // A hostile file can give every letter a look of its own, so the cache starts over when it is full.
        if self.0.len() >= MAX_LOOKS {
            self.0.clear();
        }
        let known = self.0.entry(run.clone()).or_default();
        known.push((base.clone(), script, look));
        Ok(look)
    }
}

/// Computes the look of a run. `own` holds the properties of the run and its character style; `text` is its complete
/// text style, and `base` the text style of its paragraph.
pub(super) fn look(
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

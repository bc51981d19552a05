//! Computes the formatting of text: the font of a run, and the differences between a run and its paragraph. Parses no
//! properties.

use super::{line::Formatting, properties::RunProperties, script::Script, symbol::is_symbol_font};
use crate::error::Result;
use convertd_tree::{Builder, Colour, Length, TextStyle};
use std::collections::HashMap;

/// Returns the properties of `text` that differ from `base`. Bold, italics, underline, emphasis mark, border and
/// distance from the baseline are returned in any case.
pub(super) fn difference(text: &TextStyle, base: &TextStyle) -> TextStyle {
    /// Returns a property, if it differs.
    fn other<T: Clone + PartialEq>(own: &Option<T>, base: &Option<T>) -> Option<T> {
        own.clone().filter(|own| base.as_ref() != Some(own))
    }
    /// Returns the property `own`, if it differs from `base`. If only `base` has the property, returns `none`, which
    /// removes it.
    fn back<T: Copy + PartialEq>(own: Option<T>, base: Option<T>, none: T) -> Option<T> {
        match (own, base) {
            (None, Some(base)) if base != none => Some(none),
            (own, base) => own.filter(|own| *own != base.unwrap_or(none)),
        }
    }
    let primary = |tag: &Option<Box<str>>| {
        let tag = tag.as_deref()?;
        Some(tag.split(['-', '_']).next()?.to_ascii_lowercase())
    };
    TextStyle {
        font: other(&text.font, &base.font),
        size: other(&text.size, &base.size),
        // In a coloured paragraph, text in the automatic colour must be explicitly black. Elsewhere, black is the
        // default.
        colour: match (text.colour, base.colour) {
            (None, Some(_)) => Some(Colour(0, 0, 0)),
            (own, base) => other(&own, &base),
        },
        background: other(&text.background, &base.background),
        // Word processors mark runs as American or British English almost at random. Differences of the region alone
        // are ignored.
        language: other(&text.language, &base.language)
            .filter(|_| primary(&text.language) != primary(&base.language)),
        direction: other(&text.direction, &base.direction),
        capitals: text.capitals && !base.capitals,
        outlined: text.outlined && !base.outlined,
        // Properties of the paragraph must be turned off for runs without them.
        spacing: back(text.spacing, base.spacing, Length::ZERO),
        scale: back(text.scale, base.scale, 100),
        // Paragraph styles of the tree do not state these properties. Each run states its own, so a run without them
        // does not have to turn them off.
        raised: text.raised,
        underline: text.underline,
        emphasis: text.emphasis,
        border: text.border,
        kerned_from: other(&text.kerned_from, &base.kerned_from),
        ligatures: other(&text.ligatures, &base.ligatures),
        bold: text.bold,
        italic: text.italic,
    }
}

/// Max. number of different run properties in the cache.
const MAX_LOOKS: usize = 10_000;

/// Cache for the formatting of runs. Documents have many runs, but few different formattings of runs.
#[derive(Debug, Default)]
pub(super) struct Looks(HashMap<RunProperties, Vec<(TextStyle, Script, Formatting)>>);

impl Looks {
    /// Returns the formatting of a run in a paragraph with the text style `base`. Calls `make` if the formatting is not
    /// in the cache.
    pub(super) fn get(
        &mut self,
        run: &RunProperties,
        base: &TextStyle,
        script: Script,
        make: impl FnOnce() -> Result<Formatting>,
    ) -> Result<Formatting> {
        if let Some(known) = self.0.get(run)
            && let Some((.., look)) = known
                .iter()
                .find(|(text, of, _)| *of == script && text == base)
        {
            return Ok(*look);
        }
        let look = make()?;
        // Hostile files may have a different formatting for every letter. The cache is therefore emptied when it is
        // full.
        if self.0.len() >= MAX_LOOKS {
            self.0.clear();
        }
        let known = self.0.entry(run.clone()).or_default();
        known.push((base.clone(), script, look));
        Ok(look)
    }
}

/// Computes the formatting of a run. `own` contains the properties of the run and its character style, `text` is its
/// complete text style, and `base` the text style of its paragraph.
pub(super) fn look(
    build: &mut Builder<'_>,
    own: &RunProperties,
    code: bool,
    mut text: TextStyle,
    base: &TextStyle,
) -> Result<Formatting> {
    // Code implies its font, and a symbol font was needed only to convert the characters. Neither is stored.
    if code || text.font.as_deref().is_some_and(is_symbol_font) {
        text.font.clone_from(&base.font);
    }
    if code {
        text.size = base.size;
    }
    // Bold and italics are in the marks.
    let mut differs = difference(&text, base);
    differs.bold = None;
    differs.italic = None;
    Ok(Formatting {
        marks: own.marks(),
        style: build.text_style(differs)?,
        code,
        link: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use convertd_tree::{Stroke, Underline};

    #[test]
    fn each_run_states_its_own_underline() {
        let underlined = |stroke| TextStyle {
            underline: Some(Underline {
                stroke,
                ..Underline::default()
            }),
            ..TextStyle::default()
        };
        let wavy = underlined(Stroke::Wavy);
        assert_eq!(difference(&wavy, &wavy), wavy);
        assert_eq!(
            difference(&TextStyle::default(), &wavy),
            TextStyle::default()
        );
        let dotted = underlined(Stroke::Dotted);
        assert_eq!(difference(&dotted, &wavy), dotted);
    }
}

//! The looks of letters and paragraphs as styles of a document. Decides nothing about what they mean.

use super::styles::Appearance;
use crate::error::Result;
use convertd_tree::{
    Alignment, Builder, Colour, Length, ParagraphStyle, ParagraphStyleId, TextStyle, TextStyleId,
};
use std::collections::HashMap;

/// The styles of a document that were needed so far.
pub(crate) struct Looks<'a> {
    families: &'a [Box<str>],
    texts: HashMap<Appearance, TextStyleId>,
    paragraphs: HashMap<Alignment, ParagraphStyleId>,
    /// Whether there are any.
    are_kept: bool,
}

impl<'a> Looks<'a> {
    /// For letters of these font families; empty if the target keeps no looks.
    pub(crate) fn new(families: &'a [Box<str>]) -> Self {
        Self {
            families,
            texts: HashMap::new(),
            paragraphs: HashMap::new(),
            are_kept: !families.is_empty(),
        }
    }

    /// Whether letters keep their looks.
    pub(crate) fn are_kept(&self) -> bool {
        self.are_kept
    }

    /// The style of letters that look like this; `None` for the usual one.
    pub(crate) fn text(
        &mut self,
        builder: &mut Builder<'_>,
        look: Appearance,
    ) -> Result<Option<TextStyleId>> {
        if look == Appearance::default() {
            return Ok(None);
        }
        if let Some(known) = self.texts.get(&look) {
            return Ok(Some(*known));
        }
        let family = usize::from(look.family).checked_sub(1);
        let [r, g, b] = look.colour;
        let style = builder.text_style(TextStyle {
            font: family.and_then(|at| self.families.get(at)).cloned(),
            size: (look.size > 0).then(|| Length::points(0.5 * f64::from(look.size))),
            // Black, too: a heading would get the colour of its style.
            colour: Some(Colour(r, g, b)),
            ..TextStyle::default()
        })?;
        self.texts.insert(look, style);
        Ok(Some(style))
    }

    /// The style of paragraphs whose lines stand like this.
    pub(crate) fn paragraph(
        &mut self,
        builder: &mut Builder<'_>,
        alignment: Option<Alignment>,
    ) -> Result<ParagraphStyleId> {
        let Some(alignment) = alignment.filter(|_| self.are_kept) else {
            return Ok(ParagraphStyleId::DEFAULT);
        };
        if let Some(known) = self.paragraphs.get(&alignment) {
            return Ok(*known);
        }
        let style = builder.paragraph_style(ParagraphStyle {
            alignment: Some(alignment),
            ..ParagraphStyle::default()
        })?;
        self.paragraphs.insert(alignment, style);
        Ok(style)
    }
}

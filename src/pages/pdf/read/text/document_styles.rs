//! Text and paragraph styles of the document, for formats that keep them. Does not interpret looks.

use super::styles::Appearance;
use crate::error::Result;
use convertd_tree::{
    Alignment, Builder, Colour, Length, ParagraphStyle, ParagraphStyleId, TextStyle, TextStyleId,
};
use std::collections::HashMap;

/// Styles created so far.
pub(crate) struct Looks<'a> {
    /// Font families of the file, to which looks refer.
    families: &'a [Box<str>],
    texts: HashMap<Appearance, TextStyleId>,
    paragraphs: HashMap<Alignment, ParagraphStyleId>,
    /// Whether looks are kept in the target.
    are_kept: bool,
}

impl<'a> Looks<'a> {
    /// Prepares styles for these font families; without families, no looks are kept.
    pub(crate) fn new(families: &'a [Box<str>]) -> Self {
        Self {
            families,
            texts: HashMap::new(),
            paragraphs: HashMap::new(),
            are_kept: !families.is_empty(),
        }
    }

    /// Returns whether looks are kept.
    pub(crate) fn are_kept(&self) -> bool {
        self.are_kept
    }

    /// Text style for a look; `None` for the default look.
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
        // Families are numbered from 1 in looks; 0 is unknown.
        let family = usize::from(look.family).checked_sub(1);
        let [r, g, b] = look.colour;
        let style = builder.text_style(TextStyle {
            font: family.and_then(|at| self.families.get(at)).cloned(),
            size: (look.size > 0).then(|| Length::points(0.5 * f64::from(look.size))),
            // Black is set explicitly, because heading styles have a colour of their own.
            colour: Some(Colour(r, g, b)),
            ..TextStyle::default()
        })?;
        self.texts.insert(look, style);
        Ok(Some(style))
    }

    /// Paragraph style for an alignment.
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

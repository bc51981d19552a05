//! Text and paragraph styles of the document, for formats that keep fonts, sizes and colours.

use super::styles::Appearance;
use crate::error::Result;
use convertd_tree::{
    Alignment, Builder, Colour, Length, ParagraphStyle, ParagraphStyleId, TextStyle, TextStyleId,
};
use std::collections::HashMap;

/// Styles created so far.
pub(crate) struct DocumentStyles<'a> {
    /// Font families of the file, to which an [`Appearance`] refers.
    families: &'a [Box<str>],
    texts: HashMap<Appearance, TextStyleId>,
    paragraphs: HashMap<Alignment, ParagraphStyleId>,
    /// Whether the target keeps fonts, sizes and colours.
    are_kept: bool,
}

impl<'a> DocumentStyles<'a> {
    /// Prepares styles for these font families. Without families, the target counts as one that does not keep styles.
    pub(crate) fn new(families: &'a [Box<str>]) -> Self {
        Self {
            families,
            texts: HashMap::new(),
            paragraphs: HashMap::new(),
            are_kept: !families.is_empty(),
        }
    }

    /// Returns whether the target keeps fonts, sizes and colours.
    pub(crate) fn are_kept(&self) -> bool {
        self.are_kept
    }

    /// Text style for an appearance; `None` for the default appearance.
    pub(crate) fn text(
        &mut self,
        builder: &mut Builder<'_>,
        appearance: Appearance,
    ) -> Result<Option<TextStyleId>> {
        if appearance == Appearance::default() {
            return Ok(None);
        }
        if let Some(known) = self.texts.get(&appearance) {
            return Ok(Some(*known));
        }
        // Families are numbered from 1 in an appearance; 0 is unknown.
        let family = usize::from(appearance.family).checked_sub(1);
        let [r, g, b] = appearance.colour;
        let style = builder.text_style(TextStyle {
            font: family.and_then(|at| self.families.get(at)).cloned(),
            size: (appearance.size > 0).then(|| Length::points(0.5 * f64::from(appearance.size))),
            // Black is set explicitly, because heading styles have a colour of their own.
            colour: Some(Colour(r, g, b)),
            ..TextStyle::default()
        })?;
        self.texts.insert(appearance, style);
        Ok(Some(style))
    }

    /// Paragraph style for an alignment. The default style without an alignment, or if the target does not keep styles.
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

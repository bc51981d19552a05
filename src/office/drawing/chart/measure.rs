//! Measures the texts of a chart with the fonts of the program. Shapes no text: labels are short, and only their size
//! matters.

use crate::fonts::{Embedded, Family, SIGNS, TEXT, families};
use skrifa::{
    FontRef, MetadataProvider as _,
    charmap::Charmap,
    instance::{LocationRef, Size},
    metrics::GlyphMetrics,
};

/// Width of a character that the font lacks, as a share of the font size.
const DEFAULT: f64 = 0.6;

/// Font face for measuring text.
pub(super) struct Face {
    widths: Option<(Charmap<'static>, GlyphMetrics<'static>)>,
    /// Units per em.
    units: f64,
    /// Ascent, as a share of the font size.
    pub(super) above: f64,
    /// Descent, as a share of the font size.
    pub(super) below: f64,
}

impl Face {
    /// Returns the face that replaces the font with this name.
    pub(super) fn named(name: &str, bold: bool, italic: bool) -> Self {
        let family = families::family(name).unwrap_or(Family::Serif);
        let of_family = TEXT.iter().filter(|font| font.family == family);
        let best = of_family.max_by_key(|font| (font.bold == bold, font.italic == italic));
        Self::of(best.unwrap_or(&SIGNS))
    }

    fn of(font: &'static Embedded) -> Self {
        let mut face = Self {
            widths: None,
            units: 1.0,
            above: 0.9,
            below: 0.25,
        };
        if let Ok(font) = FontRef::from_index(font.data(), 0) {
            let (size, location) = (Size::unscaled(), LocationRef::default());
            let metrics = font.metrics(size, location);
            face.units = f64::from(metrics.units_per_em.max(1));
            face.above = f64::from(metrics.ascent) / face.units;
            face.below = f64::from(-metrics.descent) / face.units;
            face.widths = Some((font.charmap(), font.glyph_metrics(size, location)));
        }
        face
    }

    /// Width of a text, as a share of the font size.
    pub(super) fn width(&self, text: &str) -> f64 {
        let Some((characters, widths)) = &self.widths else {
            return text.chars().count() as f64 * DEFAULT;
        };
        let width = |character| {
            let glyph = characters.map(character)?;
            Some(f64::from(widths.advance_width(glyph)?) / self.units)
        };
        let all = text.chars().map(|c| width(c).unwrap_or(DEFAULT));
        all.sum()
    }
}

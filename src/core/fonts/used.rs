//! A font in use: its metrics, and the glyphs that the text has used so far. Chooses no font, and shapes nothing.
//!
//! In a font with TrueType outlines, each pair of a glyph and its text gets a number of its own. A subset of the font
//! then reproduces the text exactly, even where the font draws different characters with one glyph.

use skrifa::{
    FontRef, MetadataProvider,
    instance::{LocationRef, Size},
    metrics::{GlyphMetrics, Metrics},
    raw::TableProvider,
    string::StringId,
};
use std::collections::HashMap;

/// The format of the outlines of a font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlines {
    /// TrueType outlines, in the table `glyf`.
    TrueType,
    /// PostScript outlines, in the table `CFF `.
    PostScript,
}

impl Outlines {
    /// The format of a font's outlines. `None` for a font without outlines, such as a bitmap font.
    fn of(font: &FontRef<'_>) -> Option<Self> {
        let has = |tag: &[u8; 4]| font.table_data(skrifa::Tag::new(tag)).is_some();
        match () {
            () if has(b"glyf") => Some(Self::TrueType),
            () if has(b"CFF ") => Some(Self::PostScript),
            () => None,
        }
    }
}

/// A font in use, with the numbers of its used glyphs.
pub struct Font<'a> {
    data: &'a [u8],
    font: FontRef<'a>,
    widths: GlyphMetrics<'a>,
    /// Metrics of the whole font.
    pub metrics: Metrics,
    outlines: Outlines,
    /// Numbers of each glyph: one for each text that it shows, or a single one if the outlines are PostScript.
    numbers: HashMap<u16, Vec<u16>>,
    /// The glyph and text of each number, from 1.
    used: Vec<(u16, Box<str>)>,
}

impl<'a> Font<'a> {
    /// Reads an OpenType file. `None` if the file is not readable, or the font has no outlines.
    pub fn read(data: &'a [u8]) -> Option<Self> {
        let font = FontRef::from_index(data, 0).ok()?;
        let outlines = Outlines::of(&font)?;
        let (size, location) = (Size::unscaled(), LocationRef::default());
        Some(Self {
            data,
            widths: font.glyph_metrics(size, location),
            metrics: font.metrics(size, location),
            outlines,
            numbers: HashMap::new(),
            used: Vec::new(),
            font,
        })
    }

    /// The font itself, to shape text with.
    pub fn font(&self) -> &FontRef<'a> {
        &self.font
    }

    /// Units per em: the number of font units in a font size of 1.
    pub fn units(&self) -> f32 {
        f32::from(self.metrics.units_per_em.max(1))
    }

    /// Advance width of a glyph, in units of the font.
    pub fn advance(&self, glyph: u16) -> i32 {
        self.widths
            .advance_width(skrifa::GlyphId::from(glyph))
            .unwrap_or(0.0) as i32
    }

    /// Vertical metrics of a line, as in Word and in browsers on Windows. Ascent and descent are `usWinAscent` and
    /// `usWinDescent` of the table `OS/2`. The line gap is reduced by the amount by which ascent and descent together
    /// exceed those of the table `hhea`. If the font sets bit 7 of `fsSelection`, its typographic metrics count
    /// instead; if it lacks these values, [`Self::metrics`].
    pub fn line(&self) -> super::named::Line {
        let units = self.units();
        let measured = |ascent: f32, descent: f32, leading: f32| super::named::Line {
            ascent: ascent / units,
            descent: descent / units,
            leading: leading.max(0.0) / units,
        };
        let fallback = || {
            let metrics = &self.metrics;
            measured(metrics.ascent, -metrics.descent, metrics.leading)
        };
        let (Ok(os2), Ok(hhea)) = (self.font.os2(), self.font.hhea()) else {
            return fallback();
        };
        let (ascent, descent) = (
            f32::from(os2.us_win_ascent()),
            f32::from(os2.us_win_descent()),
        );
        let typographic = os2.fs_selection().bits() & 0x80 != 0;
        if typographic || ascent + descent <= 0.0 {
            return fallback();
        }
        let height = f32::from(hhea.ascender().to_i16()) - f32::from(hhea.descender().to_i16());
        let gap = f32::from(hhea.line_gap().to_i16());
        measured(ascent, descent, gap - (ascent + descent - height))
    }

    /// Number of glyphs.
    pub fn glyphs(&self) -> u16 {
        self.metrics.glyph_count
    }

    /// The file that the font was read from.
    pub fn data(&self) -> &'a [u8] {
        self.data
    }

    /// Kind of its outlines.
    pub fn outlines(&self) -> Outlines {
        self.outlines
    }

    /// The glyphs that were used, each with its text. Their numbers begin at 1.
    pub fn used(&self) -> &[(u16, Box<str>)] {
        &self.used
    }

    /// The number of a glyph that shows `text`. There are at most 65,535 numbers; after the last, the result is 0, the
    /// number of the missing glyph. A glyph with PostScript outlines has only one number, because such fonts number
    /// their glyphs themselves.
    pub fn number(&mut self, glyph: u16, text: &str) -> u16 {
        let known = self.numbers.entry(glyph).or_default();
        if let (Outlines::PostScript, Some(number)) = (self.outlines, known.first()) {
            return *number;
        }
        let shows_text = |number: &&u16| &*self.used[usize::from(**number) - 1].1 == text;
        if let Some(number) = known.iter().find(shows_text) {
            return *number;
        }
        let Ok(number) = u16::try_from(self.used.len() + 1) else {
            return 0;
        };
        self.used.push((glyph, text.into()));
        known.push(number);
        number
    }

    /// The font's PostScript name.
    pub fn name(&self) -> String {
        let names = self.font.localized_strings(StringId::POSTSCRIPT_NAME);
        let name = names
            .english_or_first()
            .map(|name| name.to_string())
            .unwrap_or_default();
        let name: String = name
            .chars()
            .filter(|c: &char| c.is_ascii_alphanumeric() || *c == '-')
            .take(60)
            .collect();
        if name.is_empty() {
            "Font".to_owned()
        } else {
            name
        }
    }

    /// Returns whether the font's strokes have the weight of a bold face.
    pub fn is_bold(&self) -> bool {
        self.font.attributes().weight.value() >= 600.0
    }
}

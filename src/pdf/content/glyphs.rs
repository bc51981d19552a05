//! Glyphs that a single text-showing operator draws (ISO 32000-1, 9.4.3, `Tj` and `TJ`): strings of glyph numbers, with adjustments
//! between them where a glyph does not stand where the one before it ends. Chooses no glyphs.

use pdf_writer::{Content, Str};

/// The least adjustment that is written, in thousandths of the font size: a fortieth of a dot of a printer at 12 points.
const LEAST: f32 = 2.0;

/// The operand of the operator, as it grows.
#[derive(Default)]
pub(crate) struct Glyphs {
    /// Strings, each followed by an adjustment in thousandths of the font size.
    items: Vec<(Vec<u8>, f32)>,
    /// The string behind the last adjustment.
    bytes: Vec<u8>,
    /// The position that a viewer has reached, in text coordinates.
    pub(crate) pen: f32,
}

impl Glyphs {
    /// None yet, with the viewer's position at `pen`.
    pub(crate) fn at(pen: f32) -> Self {
        Self {
            pen,
            ..Self::default()
        }
    }

    /// The adjustment in front of a glyph that stands at `x`, for a font of this size. It is 0 for what only the widths in the
    /// file are rounded by, until that comes to something.
    pub(crate) fn adjustment(&self, x: f32, size: f32) -> f32 {
        let off = ((self.pen - x) * 1000.0 / size).round();
        if off.abs() < LEAST { 0.0 } else { off }
    }

    /// Adds a glyph with an adjustment in front of it. `own` is its width as the font in the file states it, in thousandths of the
    /// font size: viewers go by that, whatever the text was laid out with.
    pub(crate) fn push(&mut self, adjustment: f32, cid: u16, own: f32, size: f32) {
        if adjustment != 0.0 {
            self.items
                .push((std::mem::take(&mut self.bytes), adjustment));
            self.pen -= adjustment * size / 1000.0;
        }
        self.bytes.extend_from_slice(&cid.to_be_bytes());
        self.pen += own * size / 1000.0;
    }

    /// Writes the operator, if there is anything to show. The pen stays where it is.
    pub(crate) fn show(&mut self, content: &mut Content) {
        if self.items.is_empty() {
            if !self.bytes.is_empty() {
                content.show(Str(&self.bytes));
            }
        } else {
            let mut positioned = content.show_positioned();
            let mut items = positioned.items();
            for (bytes, adjustment) in &self.items {
                if !bytes.is_empty() {
                    items.show(Str(bytes));
                }
                items.adjust(*adjustment);
            }
            if !self.bytes.is_empty() {
                items.show(Str(&self.bytes));
            }
        }
        self.items.clear();
        self.bytes.clear();
    }
}

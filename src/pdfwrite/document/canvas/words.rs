//! Words on a page: their glyphs, with the positions that the layout gave them. Chooses no font.

use super::super::file::width;
use super::{Canvas, parts, round};
use crate::content::Glyphs;
use convertd_layout::{item::Pen, word::Word};
use pdf_writer::{Content, Finish, Name, TextStr, types::TextRenderingMode};
use std::rc::Rc;

/// Slant of synthetic italics: the tangent of 12 degrees.
const SLANT: f32 = 0.2126;

impl Canvas {
    /// Shows words on the baseline `y`. Their positions are relative to `x`.
    pub(in crate::document) fn text(
        &mut self,
        pen: Pen,
        x: f32,
        y: f32,
        words: &[(f32, Rc<Word>)],
    ) {
        if words.iter().all(|(_, word)| word.glyphs.is_empty()) {
            return;
        }
        self.set_colour(pen.colour);
        let units = pen.units;
        let has_stroke = pen.chosen.embolden || pen.outlined;
        // Synthetic bold and outlined text need a stroke around the glyphs, 1/32 of the font size wide.
        if has_stroke {
            let [red, green, blue] = parts(pen.colour);
            self.content.save_state();
            self.content.set_stroke_rgb(red, green, blue);
            self.content.set_line_width(round(pen.size / 32.0));
        }
        self.content.begin_text();
        if pen.chosen.embolden {
            self.content
                .set_text_rendering_mode(TextRenderingMode::FillStroke);
        }
        if pen.outlined {
            self.content
                .set_text_rendering_mode(TextRenderingMode::Stroke);
        }
        self.set_font(pen.chosen.face, pen.size);
        let start = words.first().map_or(0.0, |(at, _)| *at) + x;
        let base = round(self.height - y);
        match (pen.stretch == 1.0, pen.chosen.slant) {
            (true, false) => self.content.next_line(round(start), base),
            (_, slants) => {
                let slant = if slants { SLANT } else { 0.0 };
                let matrix = [pen.stretch, 0.0, slant, 1.0, round(start), base];
                self.content.set_text_matrix(matrix)
            }
        };
        let mut line = Shown {
            content: &mut self.content,
            glyphs: Glyphs::at(round(start)),
            unit: pen.unit(),
            // A stretched font also stretches its adjustments and widths.
            size: pen.size * pen.stretch,
            height: pen.size / units,
            units,
            rise: 0,
        };
        for (at, word) in words {
            // A word whose text viewers cannot derive from its glyphs carries it as `ActualText` (ISO 32000-1, 14.9.4).
            if word.opaque {
                line.show();
                let mut marked = line
                    .content
                    .begin_marked_content_with_properties(Name(b"Span"));
                marked.properties().actual_text(TextStr(&word.text));
                marked.finish();
            }
            line.word(at + x, word);
            if word.opaque {
                line.show();
                line.content.end_marked_content();
            }
        }
        line.show();
        self.content.end_text();
        if has_stroke {
            self.content.restore_state();
            // The restored state has its earlier font, which is not recorded, so the next text sets the font again.
            self.font = None;
        }
    }
}

/// Line of text while it is shown.
struct Shown<'c> {
    content: &'c mut Content,
    glyphs: Glyphs,
    /// Size of a font unit along the line, in points.
    unit: f32,
    /// Size of a font unit across the line, in points.
    height: f32,
    /// Font size along the line, stretched.
    size: f32,
    /// Units per em.
    units: f32,
    /// Current text rise, in font units.
    rise: i16,
}

impl Shown<'_> {
    /// Shows the glyphs of a word. A vertical offset needs another text rise, and thus another operator.
    fn word(&mut self, mut x: f32, word: &Word) {
        for glyph in &word.glyphs {
            if glyph.dy != self.rise {
                self.show();
                self.rise = glyph.dy;
                self.content
                    .set_rise(round(f32::from(glyph.dy) * self.height));
            }
            self.glyph(x + f32::from(glyph.dx) * self.unit, glyph.number, glyph.own);
            x += glyph.advance as f32 * self.unit;
        }
    }

    /// Adds a glyph at `x`. `own` is its advance in the font, in font units.
    fn glyph(&mut self, x: f32, cid: u16, own: u16) {
        let off = self.glyphs.adjustment(x, self.size);
        self.glyphs
            .push(off, cid, width(own, self.units), self.size);
    }

    /// Writes the operator for the glyphs so far.
    fn show(&mut self) {
        self.glyphs.show(self.content);
    }
}

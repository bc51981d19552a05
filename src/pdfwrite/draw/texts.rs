//! Text as glyphs of an embedded font, at the positions that resvg has computed, so that it can be searched and copied.
//! Text whose fonts cannot be embedded becomes shapes. Computes no layout.

use super::{
    paint::Ink,
    painter::{PLAIN, Painter, thousandths},
    sheet::{ResourceCategory, Sheet, row},
};
use crate::{content::Glyphs, error::Result, object::width};
use pdf_writer::{Content, Finish as _, Name, Ref, TextStr, types::TextRenderingMode as Mode};
use resvg::{
    tiny_skia::Point,
    usvg::{
        Paint, PaintOrder, Stroke, Text, Transform,
        layout::{PositionedGlyph, Span},
    },
};

/// Font sizes that viewers can be expected to support.
const SIZES: std::ops::RangeInclusive<f32> = 1e-3..=1e5;
/// Text of a glyph that stands for no text of its own, such as a combining mark: a zero-width space.
const NOTHING: &str = "\u{200b}";

/// A pass of painting a span: fill, stroke, or both.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Area,
    Line,
    Both,
    /// Invisible text, only for searching.
    Hidden,
}

impl Painter<'_, '_> {
    /// Draws text as text, so that it can be found and copied. Text whose fonts cannot be embedded is drawn as shapes
    /// only. Text that PDF programs would draw wrongly is drawn as shapes, with invisible text over them.
    pub(super) fn text(&mut self, sheet: &mut Sheet, text: &Text, depth: usize) -> Result<()> {
        if !self.has_fonts(text) {
            return self.children(sheet, text.flattened(), depth);
        }
        // Poppler supports gradients for the strokes of shapes, but not for those of text.
        let is_plain = |stroke: &Stroke| matches!(stroke.paint(), Paint::Color(_));
        let mut spans = text.layouted().iter();
        if spans.any(|span| span.stroke.as_ref().is_some_and(|stroke| !is_plain(stroke))) {
            self.children(sheet, text.flattened(), depth)?;
            self.hidden(sheet, text);
            return Ok(());
        }
        for span in text.layouted() {
            self.step(sheet)?;
            // Lines under and over the text are behind it, and a line through it is in front, as in CSS.
            for line in [&span.overline, &span.underline].into_iter().flatten() {
                self.path(sheet, line, 1.0)?;
            }
            if span.visible {
                self.span(sheet, text, span)?;
            }
            if let Some(line) = &span.line_through {
                self.path(sheet, line, 1.0)?;
            }
        }
        Ok(())
    }

    /// Draws text invisibly, above pixels or shapes that show it. Text whose fonts cannot be embedded is left out.
    pub(super) fn hidden(&mut self, sheet: &mut Sheet, text: &Text) {
        if self.has_fonts(text) {
            for span in text.layouted().iter().filter(|span| span.visible) {
                self.glyphs(sheet, span, Pass::Hidden);
            }
        }
    }

    /// Returns whether all glyphs can be shown as text.
    fn has_fonts(&mut self, text: &Text) -> bool {
        let mut glyphs = text
            .layouted()
            .iter()
            .flat_map(|span| &span.positioned_glyphs);
        glyphs.all(|glyph| {
            SIZES.contains(&glyph.font_size()) && self.fonts.get(self.file, glyph.font).is_some()
        })
    }

    /// Draws a span. A fill and a stroke take one pass if both are opaque colours and the fill comes first, and
    /// otherwise one pass each.
    fn span(&mut self, sheet: &mut Sheet, text: &Text, span: &Span) -> Result<()> {
        let plain = (
            span.fill.as_ref().and_then(Ink::plain),
            span.stroke.as_ref().and_then(Ink::plain_line),
        );
        let passes = match (&span.fill, &span.stroke) {
            (Some(_), Some(_)) => match (span.paint_order, plain) {
                (PaintOrder::FillAndStroke, (Some(_), Some(_))) => &[Pass::Both][..],
                (PaintOrder::FillAndStroke, _) => &[Pass::Area, Pass::Line],
                (PaintOrder::StrokeAndFill, _) => &[Pass::Line, Pass::Area],
            },
            (Some(_), None) => &[Pass::Area],
            (None, Some(_)) => &[Pass::Line],
            (None, None) => &[],
        };
        for (nth, pass) in passes.iter().enumerate() {
            sheet.save();
            let mut is_painted = true;
            let (mut over, area) = (PLAIN, text.stroke_bounding_box());
            if let (Some(fill), true) = (&span.fill, *pass != Pass::Line) {
                over.fill = thousandths(fill.opacity().get());
                match self.ink(sheet, fill.paint(), area)? {
                    Some(ink) => {
                        ink.fill(sheet);
                        ink.mask.into_iter().for_each(|mask| sheet.graphics(mask));
                    }
                    None => is_painted = false,
                }
            }
            if let (Some(stroke), true) = (&span.stroke, *pass != Pass::Area) {
                over.stroke = thousandths(stroke.opacity().get());
                match self.ink(sheet, stroke.paint(), area)? {
                    Some(ink) => {
                        ink.stroke(sheet);
                        ink.mask.into_iter().for_each(|mask| sheet.graphics(mask));
                    }
                    None => is_painted = false,
                }
                sheet.line(stroke);
            }
            if let Some(over) = self.over(over) {
                sheet.graphics(over);
            }
            if is_painted {
                // Only the first pass is found in a search: the second has an empty `ActualText`.
                let again = nth > 0;
                if again {
                    let mut marked = sheet
                        .content
                        .begin_marked_content_with_properties(Name(b"Span"));
                    marked.properties().actual_text(TextStr(""));
                    marked.finish();
                }
                self.glyphs(sheet, span, *pass);
                if again {
                    sheet.content.end_marked_content();
                }
            }
            sheet.restore();
        }
        Ok(())
    }

    /// Shows the glyphs of a span.
    fn glyphs(&mut self, sheet: &mut Sheet, span: &Span, pass: Pass) {
        sheet.content.begin_text();
        let mode = match pass {
            Pass::Area => Mode::Fill,
            Pass::Line => Mode::Stroke,
            Pass::Both => Mode::FillStroke,
            Pass::Hidden => Mode::Invisible,
        };
        sheet.content.set_text_rendering_mode(mode);
        let mut line = Line::default();
        let mut before: Option<&PositionedGlyph> = None;
        for glyph in &span.positioned_glyphs {
            let Some((object, font)) = self.fonts.get(self.file, glyph.font) else {
                continue;
            };
            // A font has at most 65,536 glyphs, so the number fits.
            let id = glyph.id.0 as u16;
            let (units, advance) = (font.units(), font.advance(id));
            // A glyph without advance that has the same text as the glyph before it is a combining mark: its base
            // letter carries the text of the letter and the mark.
            let is_part = advance == 0 && before.is_some_and(|before| before.text == glyph.text);
            let text = if is_part || glyph.text.is_empty() {
                NOTHING
            } else {
                &glyph.text
            };
            let cid = font.number(id, text);
            let size = glyph.font_size();
            if line.font != Some((object, size)) {
                line.show(&mut sheet.content);
                let name = sheet.name(ResourceCategory::Font, object);
                sheet.content.set_font(Name(&name), size);
                line = Line {
                    font: Some((object, size)),
                    ..Line::default()
                };
            }
            let matrix = glyph
                .outline_transform()
                .pre_scale(units / size, units / size);
            line.glyph(
                &mut sheet.content,
                matrix,
                cid,
                width(advance as u16, units),
            );
            before = Some(glyph);
        }
        line.show(&mut sheet.content);
        sheet.content.end_text();
    }
}

/// Glyphs on one baseline, which a single operator shows.
#[derive(Default)]
struct Line {
    /// Current font, and its size.
    font: Option<(Ref, f32)>,
    /// Transform from text space to the current coordinates, at the first glyph, and its inverse.
    matrices: Option<(Transform, Transform)>,
    glyphs: Glyphs,
}

impl Line {
    /// Adds a glyph. `own` is its width in thousandths of the font size.
    fn glyph(&mut self, content: &mut Content, matrix: Transform, cid: u16, own: f32) {
        let size = self.font.map_or(1.0, |(_, size)| size);
        // A glyph continues the operator if it has the same orientation, scale and baseline, and needs no large
        // adjustment, which would be beyond the limits of some viewers. Otherwise a new text matrix begins.
        let off = self.matrices.and_then(|(first, back)| {
            let is_alike =
                |one: f32, other: f32| (one - other).abs() <= 1e-4 * other.abs().max(1e-3);
            let is_turned = !is_alike(matrix.sx, first.sx)
                || !is_alike(matrix.sy, first.sy)
                || !is_alike(matrix.kx, first.kx)
                || !is_alike(matrix.ky, first.ky);
            let mut at = Point::from_xy(matrix.tx, matrix.ty);
            back.map_point(&mut at);
            let off = self.glyphs.adjustment(at.x, size);
            (!is_turned && at.y.abs() < 0.002 * size && off.abs() < 30_000.0).then_some(off)
        });
        let off = match off {
            Some(off) => off,
            None => {
                self.show(content);
                let Some(back) = matrix.invert() else {
                    return;
                };
                content.set_text_matrix(row(matrix));
                self.matrices = Some((matrix, back));
                self.glyphs.pen = 0.0;
                0.0
            }
        };
        self.glyphs.push(off, cid, own, size);
    }

    fn show(&mut self, content: &mut Content) {
        self.glyphs.show(content);
        self.matrices = None;
    }
}

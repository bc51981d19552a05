//! Paints for fills and strokes: a colour, a gradient, or a tiling pattern. Draws nothing itself.

use super::{painter::Painter, sheet::Sheet};
use crate::error::Result;
use pdf_writer::Ref;
use resvg::usvg::{Color, Fill, Opacity, Paint, Pattern, Rect, Stroke, Transform};
use std::sync::Arc;

/// Smallest side of a tile that is drawn, in points.
const FINEST: f32 = 0.1;

/// A paint that is ready to be set in a content stream.
pub(super) struct Ink {
    kind: ColourOrPattern,
    /// Soft mask with the opacity of a gradient, which varies over the area.
    pub(super) mask: Option<Ref>,
    /// Whether this paint is a tiling pattern.
    pub(super) is_tiled: bool,
}

enum ColourOrPattern {
    Colour(Color),
    Pattern(Ref),
}

impl Ink {
    /// Colour of a fill, if it is an opaque colour.
    pub(super) fn plain(fill: &Fill) -> Option<Color> {
        plain(fill.paint(), fill.opacity())
    }

    /// Colour of a stroke, if it is an opaque colour.
    pub(super) fn plain_line(stroke: &Stroke) -> Option<Color> {
        plain(stroke.paint(), stroke.opacity())
    }

    pub(super) fn colour(colour: Color) -> Self {
        Self {
            kind: ColourOrPattern::Colour(colour),
            mask: None,
            is_tiled: false,
        }
    }

    pub(super) fn pattern(pattern: Ref, mask: Option<Ref>) -> Self {
        Self {
            kind: ColourOrPattern::Pattern(pattern),
            mask,
            is_tiled: false,
        }
    }

    /// Sets the paint for fills.
    pub(super) fn fill(&self, sheet: &mut Sheet) {
        match self.kind {
            ColourOrPattern::Colour(colour) => sheet.fill_colour(colour),
            ColourOrPattern::Pattern(pattern) => sheet.fill_pattern(pattern),
        }
    }

    /// Sets the paint for strokes.
    pub(super) fn stroke(&self, sheet: &mut Sheet) {
        match self.kind {
            ColourOrPattern::Colour(colour) => sheet.stroke_colour(colour),
            ColourOrPattern::Pattern(pattern) => sheet.stroke_pattern(pattern),
        }
    }
}

/// Colour of a paint, if it is an opaque colour.
fn plain(paint: &Paint, opacity: Opacity) -> Option<Color> {
    match paint {
        Paint::Color(colour) if opacity == Opacity::ONE => Some(*colour),
        Paint::Color(_)
        | Paint::LinearGradient(_)
        | Paint::RadialGradient(_)
        | Paint::Pattern(_) => None,
    }
}

impl Painter<'_, '_> {
    /// Prepares a paint for `area`. `None` if nothing is painted.
    pub(super) fn ink(&mut self, sheet: &Sheet, paint: &Paint, area: Rect) -> Result<Option<Ink>> {
        match paint {
            Paint::Color(colour) => Ok(Some(Ink::colour(*colour))),
            Paint::LinearGradient(gradient) => Ok(self.linear(sheet, gradient, area)),
            Paint::RadialGradient(gradient) => Ok(self.radial(sheet, gradient, area)),
            Paint::Pattern(pattern) => Ok(self.tiles(sheet, pattern)?.map(|tiles| Ink {
                is_tiled: true,
                ..Ink::pattern(tiles, None)
            })),
        }
    }

    /// Writes a tiling pattern (ISO 32000-1, 8.7.3). `None` if its tiles are too small to be drawn, or their matrix has
    /// no inverse.
    fn tiles(&mut self, sheet: &Sheet, pattern: &Arc<Pattern>) -> Result<Option<Ref>> {
        let rect = pattern.rect();
        let own = pattern.transform().pre_translate(rect.x(), rect.y());
        let mut matrix = sheet.matrix().pre_concat(own);
        let mut total = sheet.total().pre_concat(own);
        let (x, y) = total.get_scale();
        // resvg draws no tiles without a size on its canvas, and a viewer might take forever to draw them.
        let is_too_small = rect.width() * x < FINEST || rect.height() * y < FINEST;
        if is_too_small || matrix.invert().is_none() {
            return Ok(None);
        }
        // Poppler rotates mirrored tiles in the wrong direction. Mirroring them twice avoids that; without a rotation,
        // Poppler draws them better unchanged.
        let mirror = Transform::from_row(1.0, 0.0, 0.0, -1.0, 0.0, rect.height());
        let is_turned = !matrix.is_scale_translate();
        let is_mirrored = is_turned && matrix.sx * matrix.sy < matrix.kx * matrix.ky;
        if is_mirrored {
            (matrix, total) = (matrix.pre_concat(mirror), total.pre_concat(mirror));
        }
        let key = key(pattern, matrix);
        if let Some(known) = self.paints.get(&key) {
            return Ok(Some(*known));
        }
        // The object is registered before its content is written, so that even a pattern that paints with itself, which
        // the parser does not allow, would not recurse for ever.
        let id = self.file.next();
        self.paints.insert(key, id);
        let mut inner = self.enter_tile(sheet, total);
        if is_mirrored {
            inner.transform(mirror);
        }
        // For the depth limit, a pattern inside a pattern counts as a nested drawing.
        self.children(&mut inner, pattern.root(), self.depth())?;
        self.leave(&inner);
        inner.write_tile(self.file, id, (rect.width(), rect.height()), matrix);
        Ok(Some(id))
    }
}

/// Key of a paint with its transform, as precise as the numbers in the file. The address is unique, because the drawing
/// keeps all of its paints alive.
pub(super) fn key<T>(paint: &Arc<T>, matrix: Transform) -> (usize, [u32; 6]) {
    (
        Arc::as_ptr(paint).addr(),
        super::sheet::row(matrix).map(f32::to_bits),
    )
}

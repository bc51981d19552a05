//! Shapes: paths as operators (ISO 32000-1, 8.5), with their fill and stroke. Chooses no paints.

use super::{
    paint::Ink,
    painter::{Over, PLAIN, Painter, thousandths},
    sheet::Sheet,
};
use crate::error::Result;
use resvg::{
    tiny_skia::{Path as Outline, PathBuilder, PathSegment, Point},
    usvg::{Fill, FillRule, LineCap, PaintOrder, Path, Rect, Stroke},
};

/// Number of segments between two checks of memory and time.
const PAUSE: usize = 4096;

impl Painter<'_, '_> {
    /// Draws a shape. `opacity` is multiplied with the shape's own.
    pub(super) fn path(&mut self, sheet: &mut Sheet, path: &Path, opacity: f32) -> Result<()> {
        if !path.is_visible() {
            return Ok(());
        }
        let fill = path.fill().filter(|_| is_area(path));
        let stroke = path.stroke();
        // If both paints are opaque colours and the fill comes first, a single operator fills and strokes.
        if let (Some(fill), Some(stroke), 1.0) = (fill, stroke, opacity)
            && let (Some(area), Some(line)) = (Ink::plain(fill), Ink::plain_line(stroke))
            && path.paint_order() == PaintOrder::FillAndStroke
        {
            sheet.save();
            sheet.fill_colour(area);
            sheet.stroke_colour(line);
            sheet.line(stroke);
            self.outline(sheet, path.data())?;
            match fill.rule() {
                FillRule::NonZero => sheet.content.fill_nonzero_and_stroke(),
                FillRule::EvenOdd => sheet.content.fill_even_odd_and_stroke(),
            };
            sheet.restore();
            return Ok(());
        }
        match path.paint_order() {
            PaintOrder::FillAndStroke => {
                self.fill(sheet, path, fill, opacity)?;
                self.stroke(sheet, path, stroke, opacity)
            }
            PaintOrder::StrokeAndFill => {
                self.stroke(sheet, path, stroke, opacity)?;
                self.fill(sheet, path, fill, opacity)
            }
        }
    }

    /// Fills a path with a colour, a gradient or a pattern.
    fn fill(
        &mut self,
        sheet: &mut Sheet,
        path: &Path,
        fill: Option<&Fill>,
        opacity: f32,
    ) -> Result<()> {
        let Some(fill) = fill else {
            return Ok(());
        };
        let Some(ink) = self.ink(sheet, fill.paint(), path.bounding_box())? else {
            return Ok(());
        };
        let opacity = fill.opacity().get() * opacity;
        // If the paint is a tiling pattern with an opacity, the path becomes a group, to which the opacity applies as a
        // whole.
        if ink.is_tiled && thousandths(opacity) < 1000 {
            let mut inner = self.enter(sheet);
            let ink = self.ink(&inner, fill.paint(), path.bounding_box())?;
            ink.iter().for_each(|ink| ink.fill(&mut inner));
            self.outline(&mut inner, path.data())?;
            fill_by(&mut inner, fill.rule());
            self.with_opacity(sheet, inner, grown(path.bounding_box()), opacity);
            return Ok(());
        }
        let over = self.over(Over {
            fill: thousandths(opacity),
            ..PLAIN
        });
        let is_plain = over.is_none() && ink.mask.is_none();
        if !is_plain {
            sheet.save();
            over.into_iter()
                .chain(ink.mask)
                .for_each(|state| sheet.graphics(state));
        }
        ink.fill(sheet);
        self.outline(sheet, path.data())?;
        fill_by(sheet, fill.rule());
        if !is_plain {
            sheet.restore();
        }
        Ok(())
    }

    /// Strokes a path with a colour, a gradient or a pattern.
    fn stroke(
        &mut self,
        sheet: &mut Sheet,
        path: &Path,
        stroke: Option<&Stroke>,
        opacity: f32,
    ) -> Result<()> {
        let Some(stroke) = stroke else {
            return Ok(());
        };
        let area = path.stroke_bounding_box();
        let Some(ink) = self.ink(sheet, stroke.paint(), area)? else {
            return Ok(());
        };
        // Dots of square caps need a visible length: ten rounding steps.
        let dots = match stroke.linecap() {
            LineCap::Square => dots(path.data(), 10.0 * sheet.grain()),
            LineCap::Butt | LineCap::Round => None,
        };
        let outline = dots.as_ref().unwrap_or(path.data());
        let opacity = stroke.opacity().get() * opacity;
        if ink.is_tiled && thousandths(opacity) < 1000 {
            let mut inner = self.enter(sheet);
            let ink = self.ink(&inner, stroke.paint(), area)?;
            ink.iter().for_each(|ink| ink.stroke(&mut inner));
            inner.line(stroke);
            self.outline(&mut inner, outline)?;
            inner.content.stroke();
            self.with_opacity(sheet, inner, grown(area), opacity);
            return Ok(());
        }
        let over = self.over(Over {
            stroke: thousandths(opacity),
            ..PLAIN
        });
        sheet.save();
        over.into_iter()
            .chain(ink.mask)
            .for_each(|state| sheet.graphics(state));
        ink.stroke(sheet);
        sheet.line(stroke);
        self.outline(sheet, outline)?;
        sheet.content.stroke();
        sheet.restore();
        Ok(())
    }

    /// Draws a form with an opacity. A tiling pattern does not get the opacity directly, because viewers disagree about
    /// its effect there.
    fn with_opacity(&mut self, sheet: &mut Sheet, inner: Sheet, within: Rect, opacity: f32) {
        let form = self.form(inner, within);
        let alpha = thousandths(opacity);
        let over = self.over(Over {
            fill: alpha,
            stroke: alpha,
            ..PLAIN
        });
        sheet.save();
        over.into_iter().for_each(|over| sheet.graphics(over));
        sheet.object(form);
        sheet.restore();
    }

    /// Writes a path. The caller then paints it or clips to it.
    pub(super) fn outline(&mut self, sheet: &mut Sheet, outline: &Outline) -> Result<()> {
        let mut last = (0.0, 0.0);
        let mut start = last;
        for (nth, segment) in outline.segments().enumerate() {
            if nth % PAUSE == PAUSE - 1 {
                self.step(sheet)?;
            }
            let at = |x: f32, y: f32| (sheet.round(x), sheet.round(y));
            match segment {
                PathSegment::MoveTo(to) => {
                    let (x, y) = at(to.x, to.y);
                    sheet.content.move_to(x, y);
                    (last, start) = ((to.x, to.y), (to.x, to.y));
                }
                PathSegment::LineTo(to) => {
                    let (x, y) = at(to.x, to.y);
                    sheet.content.line_to(x, y);
                    last = (to.x, to.y);
                }
                PathSegment::QuadTo(by, to) => {
                    // Converts a quadratic curve to the equivalent cubic one.
                    let third = |from: f32, by: f32| from + (by - from) * 2.0 / 3.0;
                    let (x1, y1) = at(third(last.0, by.x), third(last.1, by.y));
                    let (x2, y2) = at(third(to.x, by.x), third(to.y, by.y));
                    let (x, y) = at(to.x, to.y);
                    sheet.content.cubic_to(x1, y1, x2, y2, x, y);
                    last = (to.x, to.y);
                }
                PathSegment::CubicTo(by, then, to) => {
                    let (x1, y1) = at(by.x, by.y);
                    let (x2, y2) = at(then.x, then.y);
                    let (x, y) = at(to.x, to.y);
                    sheet.content.cubic_to(x1, y1, x2, y2, x, y);
                    last = (to.x, to.y);
                }
                PathSegment::Close => {
                    sheet.content.close_path();
                    last = start;
                }
            }
        }
        Ok(())
    }
}

/// Fills the current path.
pub(super) fn fill_by(sheet: &mut Sheet, rule: FillRule) {
    match rule {
        FillRule::NonZero => sheet.content.fill_nonzero(),
        FillRule::EvenOdd => sheet.content.fill_even_odd(),
    };
}

/// Returns the path with each line of zero length extended to `len`. If such a line is a whole subpath (a dot), SVG
/// draws it with square caps as a square; PDF leaves it out, because its direction is undefined (ISO 32000-1, 8.5.3.2).
/// `None` if no line has zero length.
fn dots(outline: &Outline, len: f32) -> Option<Outline> {
    let mut builder = PathBuilder::new();
    let (mut last, mut has_dots) = (Point::zero(), false);
    for segment in outline.segments() {
        match segment {
            PathSegment::MoveTo(to) => {
                builder.move_to(to.x, to.y);
                last = to;
            }
            PathSegment::LineTo(to) => {
                let is_dot = to == last;
                has_dots |= is_dot;
                builder.line_to(to.x + if is_dot { len } else { 0.0 }, to.y);
                last = to;
            }
            PathSegment::QuadTo(by, to) => {
                builder.quad_to(by.x, by.y, to.x, to.y);
                last = to;
            }
            PathSegment::CubicTo(by, then, to) => {
                builder.cubic_to(by.x, by.y, then.x, then.y, to.x, to.y);
                last = to;
            }
            PathSegment::Close => builder.close(),
        }
    }
    builder.finish().filter(|_| has_dots)
}

/// Returns the rectangle, enlarged on each side by one percent and half a unit for antialiased edges.
pub(super) fn grown(rect: Rect) -> Rect {
    let more = 0.01 * rect.width().max(rect.height()) + 0.5;
    let larger = Rect::from_ltrb(
        rect.left() - more,
        rect.top() - more,
        rect.right() + more,
        rect.bottom() + more,
    );
    larger.unwrap_or(rect)
}

/// Returns whether filling the path has an effect. resvg fills no area without width or height, where PDF would draw a
/// line.
pub(super) fn is_area(path: &Path) -> bool {
    let bounds = path.data().bounds();
    path.fill().is_some() && bounds.width() > 0.0 && bounds.height() > 0.0
}

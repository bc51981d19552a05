//! Clip paths and masks.
//!
//! PDF can clip to a single outline (ISO 32000-1, 8.5.4) but not to the union of several. A clip path of overlapping
//! shapes or of text therefore becomes a soft mask (11.5), as masks do.

use super::{
    painter::{MAX_DEPTH, Painter, too_deep},
    paths::{fill_by, is_area},
    sheet::Sheet,
};
use crate::error::Result;
use pdf_writer::{Ref, types::MaskType};
use resvg::usvg::{self, ClipPath, Color, FillRule, Group, Mask, Node, Path, Rect, Transform};

/// Max. number of shapes of a clip path that are tested for overlaps in pairs.
const MAX_SHAPES: usize = 32;

/// The result of applying a clip path.
pub(super) enum Clip {
    /// Nothing remains visible.
    Nothing,
    /// The content stream clips from here on. The caller must apply these soft masks, too.
    Done(Vec<Ref>),
}

impl Painter<'_, '_> {
    /// Clips everything that is drawn afterwards in the stream to a clip path. `within` is the area of the clipped
    /// content.
    pub(super) fn clip(
        &mut self,
        sheet: &mut Sheet,
        clip: &ClipPath,
        within: Rect,
        depth: usize,
    ) -> Result<Clip> {
        let mut masks = Vec::new();
        let mut next = Some(clip);
        // A clip path may have another clip path; the result is the intersection of all.
        while let Some(clip) = next {
            let mut shapes = Vec::new();
            if !simple(clip.root(), clip.transform(), &mut shapes, depth) {
                masks.push(self.clip_mask(sheet, clip, within, depth)?);
            } else if shapes.is_empty() {
                return Ok(Clip::Nothing);
            } else {
                for (path, transform) in &shapes {
                    // If a path cannot be transformed, its coordinates are beyond the range of numbers, and nothing
                    // remains visible.
                    match path.data().clone().transform(*transform) {
                        Some(outline) => self.outline(sheet, &outline)?,
                        None => return Ok(Clip::Nothing),
                    }
                }
                // Shapes that are apart can share one path: all have the same rule.
                match rule(shapes[0].0) {
                    FillRule::NonZero => sheet.content.clip_nonzero(),
                    FillRule::EvenOdd => sheet.content.clip_even_odd(),
                };
                sheet.content.end_path();
            }
            next = clip.clip_path();
        }
        Ok(Clip::Done(masks))
    }

    /// Writes a clip path as a soft mask, which is white where content is visible.
    fn clip_mask(
        &mut self,
        sheet: &Sheet,
        clip: &ClipPath,
        within: Rect,
        depth: usize,
    ) -> Result<Ref> {
        let mut inner = self.enter(sheet);
        inner.save();
        inner.transform(clip.transform());
        let covered = covered(within, clip.transform());
        self.white(&mut inner, clip.root(), covered, depth + 1)?;
        inner.restore();
        let form = self.form_of(inner, within, b"DeviceGray");
        Ok(self.soft_mask(form, MaskType::Luminosity))
    }

    /// Draws the shapes of a clip path in white, for use as a soft mask.
    fn white(
        &mut self,
        sheet: &mut Sheet,
        group: &Group,
        within: Rect,
        depth: usize,
    ) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        for node in group.children() {
            self.step(sheet)?;
            match node {
                Node::Path(path) if path.is_visible() && is_area(path) => {
                    sheet.fill_colour(Color::white());
                    self.outline(sheet, path.data())?;
                    fill_by(sheet, rule(path));
                }
                Node::Text(text) => self.white(sheet, text.flattened(), within, depth + 1)?,
                Node::Group(group) => {
                    sheet.save();
                    sheet.transform(group.transform());
                    let covered = covered(within, group.transform());
                    // A group within a clip path may have a clip path itself.
                    let clipped = match group.clip_path() {
                        Some(clip) => self.clip(sheet, clip, covered, depth)?,
                        None => Clip::Done(Vec::new()),
                    };
                    match clipped {
                        Clip::Nothing => {}
                        Clip::Done(masks) if masks.is_empty() => {
                            self.white(sheet, group, covered, depth + 1)?;
                        }
                        Clip::Done(masks) => {
                            let mut inner = self.enter(sheet);
                            self.white(&mut inner, group, covered, depth + 1)?;
                            let form = self.form(inner, covered);
                            self.masked(sheet, form, &masks, covered);
                        }
                    }
                    sheet.restore();
                }
                Node::Path(_) | Node::Image(_) => {}
            }
        }
        Ok(())
    }

    /// Returns the graphics state object that applies a mask of SVG.
    pub(super) fn mask(&mut self, sheet: &Sheet, mask: &Mask, depth: usize) -> Result<Ref> {
        let within = mask.rect().to_rect();
        let mut inner = self.enter(sheet);
        // Viewers disagree about the bounding box of a rotated form, so the clip is explicit.
        inner.clip(within);
        self.children(&mut inner, mask.root(), depth + 1)?;
        let form = self.form(inner, within);
        let kind = match mask.kind() {
            usvg::MaskType::Luminance => MaskType::Luminosity,
            usvg::MaskType::Alpha => MaskType::Alpha,
        };
        Ok(self.soft_mask(form, kind))
    }
}

/// Collects the shapes of a clip path. Returns whether a single PDF path can hold all of them: at most [`MAX_SHAPES`]
/// shapes that do not overlap and have the same fill rule, without text and without groups that are clipped themselves.
fn simple<'p>(
    group: &'p Group,
    transform: Transform,
    shapes: &mut Vec<(&'p Path, Transform)>,
    depth: usize,
) -> bool {
    for node in group.children() {
        match node {
            Node::Path(path) if path.is_visible() && is_area(path) => {
                let is_apart = |(other, at): &(&Path, Transform)| {
                    let boxes = (bounds(path, transform), bounds(other, *at));
                    let (Some(one), Some(two)) = boxes else {
                        return false;
                    };
                    rule(other) == rule(path) && one.intersect(&two).is_none()
                };
                if shapes.len() >= MAX_SHAPES || !shapes.iter().all(is_apart) {
                    return false;
                }
                shapes.push((path, transform));
            }
            Node::Group(group) => {
                let inner = transform.pre_concat(group.transform());
                if depth > MAX_DEPTH
                    || group.clip_path().is_some()
                    || !simple(group, inner, shapes, depth + 1)
                {
                    return false;
                }
            }
            Node::Text(_) => return false,
            Node::Path(_) | Node::Image(_) => {}
        }
    }
    true
}

/// Bounding box of a transformed path.
fn bounds(path: &Path, transform: Transform) -> Option<Rect> {
    path.bounding_box().transform(transform)
}

/// Converts an area to the coordinates inside `transform`. Returns the same area if the transform has no inverse.
fn covered(area: Rect, transform: Transform) -> Rect {
    let back = transform.invert();
    back.and_then(|back| area.transform(back)).unwrap_or(area)
}

/// Fill rule of a path.
fn rule(path: &Path) -> FillRule {
    path.fill().map_or(FillRule::NonZero, |fill| fill.rule())
}

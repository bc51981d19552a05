//! Groups and their nodes. A group with an opacity, a blend mode or a mask becomes a transparency group (ISO 32000-1,
//! 11.4), a form that is composited as a whole. Writes no paths itself.

use super::{
    clips::Clip,
    painter::{MAX_DEPTH, Over, PLAIN, Painter, number, thousandths, too_deep},
    sheet::Sheet,
};
use crate::object::image::ImageWriter;
use crate::{error::Result, image::vector};
use resvg::usvg::{BlendMode, Group, Node, Opacity, Path, Rect};

impl Painter<'_, '_> {
    /// Draws the children of a group.
    pub(super) fn children(
        &mut self,
        sheet: &mut Sheet,
        group: &Group,
        depth: usize,
    ) -> Result<()> {
        for node in group.children() {
            self.step(sheet)?;
            match node {
                Node::Group(group) => self.group(sheet, node, group, depth + 1)?,
                Node::Path(path) => self.path(sheet, path, 1.0)?,
                Node::Image(image) => self.image(sheet, image, depth)?,
                Node::Text(text) => self.text(sheet, text, depth)?,
            }
        }
        Ok(())
    }

    /// Draws a group. Filters turn it into pixels; an opacity, a blend mode or a mask turns it into a transparency
    /// group.
    fn group(&mut self, sheet: &mut Sheet, node: &Node, group: &Group, depth: usize) -> Result<()> {
        if depth > MAX_DEPTH {
            return Err(too_deep());
        }
        if !group.should_isolate() && group.transform().is_identity() {
            return self.children(sheet, group, depth);
        }
        sheet.save();
        sheet.transform(group.transform());
        if !group.filters().is_empty() {
            self.filtered(sheet, node, group)?;
        } else if group.should_isolate() {
            self.layer(sheet, group, depth)?;
        } else {
            self.children(sheet, group, depth)?;
        }
        sheet.restore();
        Ok(())
    }

    /// Draws a transparency group, and composites it with its backdrop. A group without any effect needs no form, nor
    /// does one whose only shape can take over the opacity.
    fn layer(&mut self, sheet: &mut Sheet, group: &Group, depth: usize) -> Result<()> {
        let Some(within) = around(group) else {
            return Ok(());
        };
        let mut masks = Vec::new();
        if let Some(clip) = group.clip_path() {
            match self.clip(sheet, clip, within, depth)? {
                Clip::Nothing => return Ok(()),
                Clip::Done(more) => masks = more,
            }
        }
        let mut next = group.mask();
        while let Some(mask) = next {
            if !mask.root().has_children() {
                return Ok(());
            }
            masks.push(self.mask(sheet, mask, depth)?);
            next = mask.mask();
        }
        let opacity = group.opacity().get();
        if let (Some(path), []) = (only_shape(group), &masks[..])
            && group.blend_mode() == BlendMode::Normal
        {
            return self.path(sheet, path, opacity);
        }
        // A group that only isolates can have an effect only if the drawing uses blend modes.
        let over = self.compositing(group);
        if over.is_none() && masks.is_empty() && !self.blends {
            return self.children(sheet, group, depth);
        }
        let mut inner = self.enter(sheet);
        self.children(&mut inner, group, depth)?;
        let form = self.form(inner, within);
        if let Some(over) = over {
            sheet.graphics(over);
        }
        self.masked(sheet, form, &masks, within);
        Ok(())
    }

    /// Draws a form through several masks. The graphics state has only one mask, so the form is nested once for each
    /// further mask.
    pub(super) fn masked(
        &mut self,
        sheet: &mut Sheet,
        mut form: pdf_writer::Ref,
        masks: &[pdf_writer::Ref],
        within: Rect,
    ) {
        let Some((last, others)) = masks.split_last() else {
            return sheet.object(form);
        };
        for mask in others {
            let mut inner = self.enter(sheet);
            inner.graphics(*mask);
            inner.object(form);
            form = self.form(inner, within);
        }
        sheet.graphics(*last);
        sheet.object(form);
    }

    /// Returns the graphics state object for a group's opacity and blend mode, or `None` for the defaults.
    fn compositing(&mut self, group: &Group) -> Option<pdf_writer::Ref> {
        if group.blend_mode() == BlendMode::PlusLighter {
            self.unblended += 1;
        }
        let alpha = thousandths(group.opacity().get());
        self.over(Over {
            fill: alpha,
            stroke: alpha,
            blend: number(group.blend_mode()),
        })
    }

    /// Draws a group with filters as pixels, and its text invisibly above the pixels, so that a search finds the text.
    fn filtered(&mut self, sheet: &mut Sheet, node: &Node, group: &Group) -> Result<()> {
        let total = sheet.total();
        let mut region = Some(group.layer_bounding_box());
        if let (false, Some(back)) = (sheet.tiled, total.invert()) {
            // Pixels outside of the page are not visible, and are not rendered. A tile is rendered completely, because
            // it has no fixed position on the page.
            let seen = self.page.transform(back);
            region = seen
                .and_then(|seen| seen.intersect(&group.layer_bounding_box().to_rect()))
                .and_then(|seen| seen.to_non_zero_rect());
        }
        let Some(region) = region else {
            return Ok(());
        };
        // Resolution in pixels per unit of the group.
        let (x, y) = total.get_scale();
        let scale = self.fine * x.max(y);
        let mut writer = ImageWriter::new(self.file).smooth(self.smooth);
        let drawn = vector::filtered(self.job, self.drawing, node, region, scale, &mut writer);
        let image = writer.image;
        self.file.end_stream();
        if !drawn? {
            return Ok(());
        }
        self.filtered += 1;
        sheet.save();
        // The pixels already include the opacity.
        if let Some(over) = self.over(Over {
            blend: number(group.blend_mode()),
            ..PLAIN
        }) {
            sheet.graphics(over);
        }
        // An image has its origin at the bottom left, and the drawing at the top left, so the image is flipped
        // vertically.
        sheet.content.transform([
            region.width(),
            0.0,
            0.0,
            -region.height(),
            region.x(),
            region.bottom(),
        ]);
        sheet.object(image);
        sheet.restore();
        self.words(sheet, group, 0)
    }

    /// Draws the text of a group invisibly.
    fn words(&mut self, sheet: &mut Sheet, group: &Group, depth: usize) -> Result<()> {
        for node in group.children() {
            match node {
                Node::Text(text) => self.hidden(sheet, text),
                Node::Group(group) if depth < MAX_DEPTH => {
                    self.step(sheet)?;
                    sheet.save();
                    sheet.transform(group.transform());
                    self.words(sheet, group, depth + 1)?;
                    sheet.restore();
                }
                Node::Group(_) | Node::Path(_) | Node::Image(_) => {}
            }
        }
        Ok(())
    }
}

/// Area of a group in its own coordinates, enlarged by one percent for antialiased edges.
fn around(group: &Group) -> Option<Rect> {
    let bounds = group.layer_bounding_box();
    let more = 0.01 * bounds.width().max(bounds.height());
    Rect::from_ltrb(
        bounds.left() - more,
        bounds.top() - more,
        bounds.right() + more,
        bounds.bottom() + more,
    )
}

/// Returns the only node of a group, if it is a shape that can take over the group's opacity: the group is opaque, or
/// the shape does not have both a fill and a stroke, whose overlap would show through.
fn only_shape(group: &Group) -> Option<&Path> {
    let [Node::Path(path)] = group.children() else {
        return None;
    };
    let has_one_paint = path.fill().is_none() || path.stroke().is_none();
    (has_one_paint || group.opacity() == Opacity::ONE).then_some(path)
}

//! Pictures inside a drawing. A picture of pixels is stored once in the file, however often it is used, and a JPEG is
//! stored unchanged. Decodes nothing itself.

use super::{painter::Painter, sheet::Sheet};
use crate::object::image::ImageWriter;
use crate::{
    error::{Kind, Result},
    image::inlay,
};
use pdf_writer::Ref;
use resvg::usvg::{Image, ImageKind, ImageRendering};
use std::sync::Arc;

impl Painter<'_, '_> {
    /// Draws a picture: pixels as an image object, and an SVG as part of the drawing.
    pub(super) fn image(&mut self, sheet: &mut Sheet, image: &Image, depth: usize) -> Result<()> {
        if !image.is_visible() {
            return Ok(());
        }
        let file = match image.kind() {
            ImageKind::PNG(file)
            | ImageKind::JPEG(file)
            | ImageKind::GIF(file)
            | ImageKind::WEBP(file) => file,
            ImageKind::SVG(tree) => return self.children(sheet, tree.root(), depth + 1),
        };
        let smooth = match image.rendering_mode() {
            ImageRendering::OptimizeQuality
            | ImageRendering::Smooth
            | ImageRendering::HighQuality => true,
            ImageRendering::OptimizeSpeed
            | ImageRendering::CrispEdges
            | ImageRendering::Pixelated => false,
        };
        let Some(object) = self.picture(file, smooth)? else {
            return Ok(());
        };
        let (width, height) = (image.size().width(), image.size().height());
        sheet.save();
        sheet
            // An image fills the unit square, upside down in the coordinates of SVG.
            .content
            .transform([width, 0.0, 0.0, -height, 0.0, height]);
        sheet.object(object);
        sheet.restore();
        Ok(())
    }

    /// Returns the object of a picture, or `None` if it cannot be decoded.
    fn picture(&mut self, file: &Arc<Vec<u8>>, smooth: bool) -> Result<Option<Ref>> {
        if let Some(known) = self.pictures.get(file) {
            return Ok(*known);
        }
        let mut writer = ImageWriter::new(self.file).smooth(smooth && self.smooth);
        let painted = inlay::transcribe(self.job, file, None, &mut writer);
        let image = writer.image;
        // A picture whose decoding failed still has to be a complete object.
        self.file.end_stream();
        let object = match painted {
            Ok(()) => Some(image),
            Err(error) if error.kind() == Kind::BadInput => {
                self.damaged += 1;
                None
            }
            Err(error) => return Err(error),
        };
        self.pictures.insert(file.clone(), object);
        Ok(object)
    }
}

//! Natural and displayed sizes of a document's pictures. Decodes no picture.

use super::{medium::Gallery, units::points};
use convertd_tree::{
    Document, Picture,
    losses::{Loss, Losses},
    media,
};

/// Sizes of a document's pictures. The gallery tells the size of a picture when the picture is first needed.
pub struct Pictures<'a> {
    document: &'a Document,
    gallery: &'a dyn Gallery,
    /// Natural size of each resource in points, or the reason why it cannot be shown. `None` until the resource is
    /// first needed.
    known: Vec<Option<Result<(f32, f32), &'static Loss>>>,
}

impl<'a> Pictures<'a> {
    pub fn new(document: &'a Document, gallery: &'a dyn Gallery) -> Self {
        Self {
            document,
            gallery,
            known: vec![None; document.resources().len()],
        }
    }

    /// Displayed size of a picture that has to fit into `room`, in points. `None` if the picture cannot be shown; the
    /// reason is then added to `losses`.
    pub fn size(
        &mut self,
        number: usize,
        picture: &Picture,
        room: (f32, f32),
        losses: &mut Losses,
    ) -> Option<(f32, f32)> {
        let resource = self.document.resources().get(number)?;
        if let Some(known) = self.known[number] {
            return match known {
                Ok(own) => Some(shown(own, picture, room)),
                Err(loss) => {
                    losses.add(loss);
                    None
                }
            };
        }
        // On first use, the gallery prepares the picture. Its answer is stored for all further uses.
        let known = self
            .gallery
            .take(number, resource, &|own| shown(own, picture, room));
        self.known[number] = Some(known);
        self.size(number, picture, room, losses)
    }
}

impl Pictures<'_> {
    /// Natural size of a bitmap or a drawing in px.
    pub fn natural(&self, number: usize) -> Option<Natural> {
        let (width, height) = match self.pixels(number) {
            Some((width, height)) => (Some(width), Some(height)),
            None => {
                let drawing = media::drawing(&self.document.resources().get(number)?.bytes)?;
                let px = |units: Option<f64>| units.map(|units| units as f32);
                let (width, height) = (px(drawing.width), px(drawing.height));
                // A drawing that does not state both sides has the aspect ratio of its view box.
                let view = drawing.view.map(|view| (view.0 / view.1) as f32);
                let own = width.zip(height).map(|(width, height)| width / height);
                return Some(Natural {
                    width,
                    height,
                    ratio: own.or(view),
                });
            }
        };
        let ratio = width.zip(height).map(|(width, height)| width / height);
        Some(Natural {
            width,
            height,
            ratio,
        })
    }

    /// Width and height in pixels. Exif may rotate a photograph. Before the photograph is first needed, these values do
    /// not include the rotation.
    pub fn pixels(&self, number: usize) -> Option<(f32, f32)> {
        let stored = media::size(&self.document.resources().get(number)?.bytes)?;
        let (width, height) = (stored.width as f32, stored.height as f32);
        let is_turned =
            matches!(self.known[number], Some(Ok(own)) if (own.0 < own.1) != (width < height));
        Some(match is_turned && width != height {
            true => (height, width),
            false => (width, height),
        })
    }
}

/// Natural dimensions of a picture in px, if it has them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Natural {
    pub width: Option<f32>,
    pub height: Option<f32>,
    /// Width divided by height.
    pub ratio: Option<f32>,
}

impl Natural {
    /// The size of a picture if the document states no size for it. `room` is the default object size (CSS Images 3,
    /// section 5.3).
    pub fn in_room(&self, room: (f32, f32)) -> (f32, f32) {
        match (self.width, self.height, self.ratio) {
            (Some(width), Some(height), _) => (width, height),
            (Some(width), None, Some(ratio)) => (width, width / ratio),
            (None, Some(height), Some(ratio)) => (height * ratio, height),
            (Some(width), None, None) => (width, room.1),
            (None, Some(height), None) => (room.0, height),
            (None, None, Some(ratio)) => {
                let width = room.0.min(room.1 * ratio);
                (width, width / ratio)
            }
            (None, None, None) => room,
        }
    }
}

/// Displayed size: the stated width and height, completed by the natural aspect ratio, and scaled down to fit into
/// `room`. All sizes are in points.
fn shown(own: (f32, f32), picture: &Picture, room: (f32, f32)) -> (f32, f32) {
    let ratio = own.1 / own.0;
    let wanted = (picture.width.map(points), picture.height.map(points));
    let (width, height) = match wanted {
        (Some(width), Some(height)) => (width, height),
        (Some(width), None) => (width, width * ratio),
        (None, Some(height)) => (height / ratio, height),
        (None, None) => own,
    };
    let (width, height) = (width.clamp(1.0, 15_000.0), height.clamp(1.0, 15_000.0));
    let scale = (room.0 / width).min(room.1 / height).min(1.0);
    (width * scale, height * scale)
}

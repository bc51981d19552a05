//! Pictures of a sheet: their areas, measured along the printed rows and columns, and the layout items that show them.

use super::plan::Printed;
use crate::shown::book::{Anchor, Extent, Placed};
use convertd_layout::{
    context::Layout,
    item::{Area, Item, Owner},
    spans::RunKind,
    structure::{NodeId, Role},
};
use convertd_tree::{Length, Picture, PictureSource, ResourceId};

impl Printed<'_> {
    /// Position of an anchor, in points from the upper left corner of the sheet.
    fn point(&self, anchor: &Anchor) -> (f32, f32) {
        let x = self.columns.start_of(anchor.column) as f32 + anchor.x;
        let y = self.rows.start_of(anchor.row) as f32 + anchor.y;
        (x, y)
    }

    /// Area of a picture, in points from the upper left corner of the sheet.
    pub(super) fn picture_area(&self, placed: &Placed) -> Area {
        let (x, y) = self.point(&placed.from);
        let (width, height) = match placed.extent {
            Extent::To(to) => {
                let (right, bottom) = self.point(&to);
                (right - x, bottom - y)
            }
            Extent::Size(width, height) => (width, height),
        };
        Area {
            x,
            y,
            width,
            height,
        }
    }
}

/// Registers a picture with the layout. `size` is the displayed size in points. Returns the index of the picture, or
/// `None` if it cannot be decoded.
fn shown(layout: &mut Layout<'_>, picture: ResourceId, size: (f32, f32)) -> Option<usize> {
    let number = picture.index();
    let length = |points: f32| Some(Length::points(f64::from(points)));
    let picture = Picture {
        source: PictureSource::Resource(picture),
        alternative: Box::default(),
        title: Box::default(),
        width: length(size.0),
        height: length(size.1),
        frame: None,
    };
    let target_size = (size.0.max(1.0), size.1.max(1.0));
    let Layout {
        pictures, losses, ..
    } = layout;
    pictures.size(number, &picture, target_size, losses)?;
    Some(number)
}

/// Returns the inline picture of a header or footer, with its displayed size in points. `None` if it cannot be shown.
pub(super) fn letter(
    layout: &mut Layout<'_>,
    picture: ResourceId,
    (width, height): (f32, f32),
) -> Option<RunKind> {
    Some(RunKind::Picture {
        number: shown(layout, picture, (width, height))?,
        width,
        height,
        over: Vec::new(),
    })
}

/// Returns the item of a picture in its area. `None` if the picture is too small or cannot be shown. If
/// `is_artifact`, it is not part of the document structure: it is the continuation of a picture on an earlier page.
pub(super) fn item(
    layout: &mut Layout<'_>,
    placed: &Placed,
    area: Area,
    is_artifact: bool,
) -> Option<Item> {
    if area.width < 0.5 || area.height < 0.5 {
        return None;
    }
    let number = shown(layout, placed.picture, (area.width, area.height))?;
    let belongs = match is_artifact {
        true => Owner::Layout,
        false => {
            let words = match placed.alternative.is_empty() {
                true => "Picture".into(),
                false => placed.alternative.clone(),
            };
            let node = layout
                .structure
                .add_with(NodeId::DOCUMENT, Role::Figure, Some(words), None);
            Owner::To(node)
        }
    };
    Some(Item::Picture {
        area,
        number,
        belongs,
    })
}

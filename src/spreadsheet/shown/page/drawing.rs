//! The pictures on a sheet: where they stand, counted in the places of its rows and columns. Decodes none.

use super::plan::Printed;
use crate::{
    document::{
        layout::{
            context::Layout,
            item::{Area, Belongs, Item},
            structure::{NodeId, Role},
        },
        tree::{Length, Picture, PictureSource},
    },
    spreadsheet::shown::book::{Anchor, Extent, Placed},
};

impl Printed<'_> {
    fn point(&self, anchor: &Anchor) -> (f32, f32) {
        let x = self.columns.start_of(anchor.column) as f32 + anchor.x;
        let y = self.rows.start_of(anchor.row) as f32 + anchor.y;
        (x, y)
    }

    /// Where a picture stands, in points from the upper left corner of the sheet.
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

/// A picture in its area. `None` if it cannot be shown.
pub(super) fn item(
    layout: &mut Layout<'_>,
    placed: &Placed,
    area: Area,
    silent: bool,
) -> Option<Item> {
    if area.width < 0.5 || area.height < 0.5 {
        return None;
    }
    let number = placed.picture.index();
    let length = |points: f32| Some(Length::points(f64::from(points)));
    let picture = Picture {
        source: PictureSource::Resource(placed.picture),
        alternative: Box::default(),
        title: Box::default(),
        width: length(area.width),
        height: length(area.height),
        frame: None,
    };
    let room = (area.width.max(1.0), area.height.max(1.0));
    let Layout {
        pictures, losses, ..
    } = layout;
    pictures.size(number, &picture, room, losses)?;
    let belongs = match silent {
        true => Belongs::Layout,
        false => {
            let words = match placed.alternative.is_empty() {
                true => "Picture".into(),
                false => placed.alternative.clone(),
            };
            let node = layout
                .structure
                .add_with(NodeId::DOCUMENT, Role::Figure, Some(words), None);
            Belongs::To(node)
        }
    };
    Some(Item::Picture {
        area,
        number,
        belongs,
    })
}

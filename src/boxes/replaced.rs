//! Layout of pictures in their boxes, and of outside list markers. Decodes no picture.

use super::{
    engine::{Containing, Engine, LayoutInput},
    fragment::{Fragment, FragmentContent as Made, Role},
    sizing::Content,
    tree::{Marker, Replaced},
};
use crate::error::Result;
use convertd_layout::{
    atoms::{AtomKind, Atoms},
    spans::Spans,
    structure::NodeId,
};
use convertd_markup::css::style::{ObjectFit, Overflow, Style};
use convertd_tree::{Picture, PictureSource};
use std::rc::Rc;

/// Gap between a picture marker and its item, in px, as in Chromium.
const MARKER_GAP: f32 = 7.0;

/// Clips a replaced element's content to its box. The corners of a rounded box clip it as well.
fn clip(fragment: &mut Fragment) {
    if let Made::Box { style, .. } = &mut fragment.kind
        && style.overflow == Overflow::Visible
    {
        Rc::make_mut(style).overflow = Overflow::Clip;
    }
}

impl Engine<'_, '_> {
    /// Lays out a replaced element.
    pub(super) fn replaced(
        &mut self,
        input: LayoutInput,
        replaced: &Replaced,
        role: Role,
    ) -> Result<Fragment> {
        let id = input.id;
        let style = self.style(id).clone();
        let own = self.replaced_size(id, input.containing, false)?;
        let height = input.height.unwrap_or(own.1);
        let node = self.boxes.get(id).node;
        let link = self.boxes.get(id).link;
        let Content {
            border,
            padding,
            corner: (left, top),
            inner:
                Containing {
                    width: room,
                    height: tall,
                },
            ..
        } = self.content(LayoutInput {
            height: Some(height),
            ..input
        });
        let inner = (room, tall.unwrap_or_default());
        let made = Made::Box {
            id,
            style: style.clone(),
            border,
            padding,
            role,
        };
        let mut fragment = Fragment::new(made, input.width, height);
        // The box shows the icon of a missing picture, the picture, or nothing.
        if replaced.missing {
            fragment.add(left, top, Fragment::new(Made::Missing, inner.0, inner.1));
        } else if let Some(picture) = replaced.picture {
            let number = picture.index();
            let shown = self.shown(&style, number, inner);
            let made = Made::Picture { number, node, link };
            let (width, height) = shown;
            // `object-position` refers to the free space, as background positions do (CSS Images 3,
            // 5.6).
            let at = &style.object_position;
            let x = left + at.0.of(inner.0 - width);
            let y = top + at.1.of(inner.1 - height);
            let hangs = |at: f32, size: f32, from: f32, room: f32| {
                at < from - 0.01 || at + size > from + room + 0.01
            };
            // Only a picture that hangs over the content box, or is in a box with rounded corners, needs a clip.
            if hangs(x, width, left, inner.0) || hangs(y, height, top, inner.1) || style.is_round()
            {
                clip(&mut fragment);
            }
            if width > 0.0 && height > 0.0 && self.take(number, picture, shown) {
                fragment.add(x, y, Fragment::new(made, width, height));
            }
        }
        self.settle(&mut fragment, &style)?;
        Ok(fragment)
    }

    /// Registers a picture for painting at this size in px. Returns whether it can be decoded.
    pub(crate) fn take(
        &mut self,
        number: usize,
        id: convertd_tree::ResourceId,
        shown: (f32, f32),
    ) -> bool {
        let length = |px: f32| Some(convertd_tree::Length::pixels(f64::from(px)));
        // The size decides the resolution at which the picture is decoded.
        let picture = Picture {
            source: PictureSource::Resource(id),
            alternative: Box::default(),
            title: Box::default(),
            width: length(shown.0),
            height: length(shown.1),
            frame: None,
        };
        let convertd_layout::context::Layout {
            pictures, losses, ..
        } = &mut *self.layout;
        pictures
            .size(number, &picture, (15_000.0, 15_000.0), losses)
            .is_some()
    }

    /// Size of the picture within the content box (`object-fit`, CSS Images 3, 5.5), in px.
    fn shown(&mut self, style: &Style, number: usize, room: (f32, f32)) -> (f32, f32) {
        let Some(own) = self.layout.pictures.pixels(number) else {
            return room;
        };
        if own.0 <= 0.0 || own.1 <= 0.0 {
            return room;
        }
        // `scale` is a factor of the natural size. Only `fill` distorts the picture.
        let scale = match style.object_fit {
            ObjectFit::Fill => return room,
            ObjectFit::Cover => (room.0 / own.0).max(room.1 / own.1),
            ObjectFit::Contain => (room.0 / own.0).min(room.1 / own.1),
            ObjectFit::None => 1.0,
            ObjectFit::ScaleDown => (room.0 / own.0).min(room.1 / own.1).min(1.0),
        };
        (own.0 * scale, own.1 * scale)
    }

    /// Adds an outside marker in front of the first line of a list item. Bullets have the size and
    /// distance that Chromium gives them.
    pub(crate) fn mark(
        &mut self,
        fragment: &mut Fragment,
        marker: &Marker,
        style: &Rc<Style>,
        top: f32,
        left: f32,
    ) {
        // The marker is on the first baseline of the item, or on that of an empty line.
        let metrics = self.metrics(style);
        let baseline = fragment
            .baselines
            .map_or_else(|| top + self.strut(style).0, |lines| lines.0);
        let rtl = style.is_rtl();
        // Text ends at the content edge. Pictures and bullets keep a distance from it.
        match marker {
            Marker::Text(text) => {
                let look = self.look(style);
                let mut spans = Spans::default();
                spans.push(text, &look, NodeId::DOCUMENT, None);
                let atoms = Atoms::of(&spans, look.direction, &mut self.layout.faces).atoms;
                let width: f32 = atoms.iter().map(|atom| atom.width).sum();
                let mut x = match rtl {
                    true => fragment.width - left,
                    false => left - width,
                };
                for atom in atoms {
                    if let AtomKind::Word { word, pen } | AtomKind::Space { word, pen } = atom.kind
                    {
                        let made = Made::Text {
                            pen,
                            words: vec![(0.0, word)],
                            style: style.clone(),
                            node: NodeId::DOCUMENT,
                            link: None,
                        };
                        fragment.add(x, baseline, Fragment::new(made, atom.width, 0.0));
                    }
                    x += atom.width;
                }
            }
            Marker::Picture(picture) => {
                let number = picture.index();
                let natural = self.layout.pictures.natural(number);
                // Drawings without a size become 1em large.
                let room = (style.text.size, style.text.size);
                let (width, height) = natural.map_or(room, |own| own.in_room(room));
                if !self.take(number, *picture, (width, height)) {
                    return;
                }
                let x = match rtl {
                    true => fragment.width - left + MARKER_GAP,
                    false => left - width - MARKER_GAP,
                };
                let node = NodeId::DOCUMENT;
                let link = None;
                let made = Made::Picture { number, node, link };
                fragment.add(x, baseline - height, Fragment::new(made, width, height));
            }
            marker => {
                // The size of bullets follows the ascent, rounded like Chromium.
                let size = ((metrics.ascent * 2.0 / 3.0 + 1.0) / 2.0).floor();
                let out = (metrics.ascent * 2.0 / 3.0).floor() + 7.0;
                let x = if rtl {
                    fragment.width - left + out - size
                } else {
                    left - out
                };
                let y = baseline - metrics.ascent
                    + (3.0 * (metrics.ascent - metrics.ascent * 2.0 / 3.0) / 2.0).floor();
                let made = Made::Marker {
                    marker: marker.clone(),
                    style: style.clone(),
                };
                fragment.add(x, y, Fragment::new(made, size, size));
            }
        }
    }
}

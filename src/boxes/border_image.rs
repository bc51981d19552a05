//! Border images (CSS Backgrounds 3, 5): cuts an image into nine parts and places them around a
//! box. Paints nothing.
//!
//! `border-image-slice` cuts the image along two vertical and two horizontal lines, and `border-image-width` cuts the
//! border image area in the same way. Corners are stretched onto corners, edges are scaled to the border's thickness
//! and then stretched or tiled along it (5.2, 5.5). Each tile is drawn as the whole image, scaled and moved so that the
//! part for this tile falls into the tile, and clipped to the tile, so pictures need not be cut.

use super::{
    backdrop::{Album, Drawn},
    decor::Frame,
};
use convertd_layout::item::Area;
use convertd_markup::css::style::{BOTTOM, BorderSide, Fit, LEFT, RIGHT, Slice, TOP};

/// Limit on the tiles of a part along one axis; a part that needs more gets one stretched tile. All parts together get
/// about four times as many tiles at most.
const MAX_COPIES: usize = 500;

/// A tile of a border image: the area where it is visible, and the whole image, placed so that the part for this tile
/// is in this area.
pub(crate) struct ImageTile {
    /// Clip of the tile, in px.
    pub seen: Area,
    /// The whole image after scaling. Most of the image is outside of the clip.
    pub drawn: Drawn,
}

/// Four cuts along an axis in increasing order, which bound the three parts. They are in pixels of the image, or in px
/// of the page.
type Cuts = [f32; 4];

/// Computes the tiles of a box's border image. Returns `None` if the box has no border image or its picture is missing;
/// then the border styles are drawn (5.1).
pub(crate) fn parts(frame: &Frame, album: &Album<'_>) -> Option<Vec<ImageTile>> {
    // The border image area is the border box, expanded by the outsets (5.4).
    let own = &frame.style.border_image;
    let found = album.find(&own.source)?;
    let outset = sides(
        &own.outset,
        frame,
        [0.0; 4],
        (frame.area.width, frame.area.height),
    );
    let area = Area {
        x: frame.area.x - outset[LEFT],
        y: frame.area.y - outset[TOP],
        width: frame.area.width + outset[LEFT] + outset[RIGHT],
        height: frame.area.height + outset[TOP] + outset[BOTTOM],
    };
    // An image without a natural size, such as a gradient, takes the size of the whole area (CSS Images 3, 5.3).
    let size = found.natural().map_or((area.width, area.height), |own| {
        own.in_room((area.width, area.height))
    });
    if size.0 <= 0.0 || size.1 <= 0.0 {
        return Some(Vec::new());
    }
    // The slices are in px of the image, and each is limited to the size of the image.
    let slices: [f32; 4] = std::array::from_fn(|side| {
        let whole = if matches!(side, LEFT | RIGHT) {
            size.0
        } else {
            size.1
        };
        match own.slices[side] {
            Slice::Pixels(pixels) => pixels.min(whole),
            Slice::Part(part) => (part * whole).min(whole),
        }
    });
    let mut widths = sides(&own.width, frame, slices, (area.width, area.height));
    // If the widths of opposite sides overlap, all widths are reduced by the same factor (5.3).
    let scale = (area.width / (widths[LEFT] + widths[RIGHT]).max(0.01))
        .min(area.height / (widths[TOP] + widths[BOTTOM]).max(0.01))
        .min(1.0);
    widths.iter_mut().for_each(|width| *width *= scale);
    // The cuts in the image and those on the page give nine pairs of parts.
    let from = [
        cuts(size.0, slices[LEFT], slices[RIGHT]),
        cuts(size.1, slices[TOP], slices[BOTTOM]),
    ];
    let to = [
        cuts(area.width, widths[LEFT], widths[RIGHT]).map(|x| x + area.x),
        cuts(area.height, widths[TOP], widths[BOTTOM]).map(|y| y + area.y),
    ];
    let mut all = Vec::new();
    for row in 0..3 {
        for column in 0..3 {
            // The middle is dropped unless `fill` is set.
            if (row, column) == (1, 1) && !own.fill {
                continue;
            }
            let source = (span(&from[0], column), span(&from[1], row));
            let target = (span(&to[0], column), span(&to[1], row));
            let room = Area {
                x: target.0.0,
                y: target.1.0,
                width: target.0.1 - target.0.0,
                height: target.1.1 - target.1.0,
            };
            // Edges keep the scale that their thickness gives; the middle takes its scales from the edges around it
            // (5.5).
            let across = match (column, row) {
                (1, 0 | 2) => scaled(source.1, target.1),
                (1, _) => middle(&from[1], &to[1]),
                _ => None,
            };
            let down = match (row, column) {
                (1, 0 | 2) => scaled(source.0, target.0),
                (1, _) => middle(&from[0], &to[0]),
                _ => None,
            };
            let fit = |middle: bool, fit: Fit| if middle { fit } else { Fit::Stretch };
            let columns = copies(source.0, target.0, across, fit(column == 1, own.fits.0));
            let rows = copies(source.1, target.1, down, fit(row == 1, own.fits.1));
            for (y, height) in &rows {
                for (x, width) in &columns {
                    let place = Area {
                        x: *x,
                        y: *y,
                        width: *width,
                        height: *height,
                    };
                    let seen = super::decor::common(place, room);
                    if all.len() > 4 * MAX_COPIES {
                        return Some(all);
                    }
                    if seen.width < 0.01 || seen.height < 0.01 {
                        continue;
                    }
                    let whole = whole(source, place, size);
                    let drawn = found.drawn(whole, frame.style.text.colour);
                    all.push(ImageTile { seen, drawn });
                }
            }
        }
    }
    Some(all)
}

/// Widths of the four sides in px, for `border-image-width` or `-outset`. `own` holds the widths for `auto`, which are
/// the slices of the image; `whole` is the base of percentages.
fn sides(all: &[BorderSide; 4], frame: &Frame, own: [f32; 4], whole: (f32, f32)) -> [f32; 4] {
    std::array::from_fn(|side| {
        let base = if matches!(side, LEFT | RIGHT) {
            whole.0
        } else {
            whole.1
        };
        match &all[side] {
            BorderSide::Auto => own[side],
            BorderSide::Times(times) => times * frame.border[side],
            BorderSide::Length(length) => length.of(base).max(0.0),
        }
    })
}

/// Cuts a length at these distances from its two ends, in order even if they overlap.
fn cuts(length: f32, before: f32, after: f32) -> Cuts {
    [
        0.0,
        before,
        (length - after).max(before.min(length)),
        length,
    ]
}

/// Start and end of one of the three parts.
fn span(cuts: &Cuts, part: usize) -> (f32, f32) {
    (cuts[part], cuts[part + 1])
}

/// Ratio of a part's size on the page to that in the image; `None` for an empty part.
fn scaled(source: (f32, f32), target: (f32, f32)) -> Option<f32> {
    let (from, to) = (source.1 - source.0, target.1 - target.0);
    (from > 0.01 && to > 0.0).then(|| to / from)
}

/// Scale of the middle part: that of the edge before it, or else that of the edge after it, or else 1.
fn middle(from: &Cuts, to: &Cuts) -> Option<f32> {
    scaled(span(from, 0), span(to, 0))
        .or_else(|| scaled(span(from, 2), span(to, 2)))
        .or(Some(1.0))
}

/// Starts and lengths of the tiles of a part along one axis (`border-image-repeat`, 5.5).
fn copies(source: (f32, f32), target: (f32, f32), scale: Option<f32>, fit: Fit) -> Vec<(f32, f32)> {
    let (begin, room) = (target.0, target.1 - target.0);
    // Length of a tile after scaling by the thickness of the edge.
    let own = (source.1 - source.0) * scale.unwrap_or(1.0);
    if source.1 - source.0 < 0.01 || room < 0.01 {
        return Vec::new();
    }
    if fit == Fit::Stretch || own < room / MAX_COPIES as f32 {
        return vec![(begin, room)];
    }
    let evenly = |first: f32, step: f32, length: f32, count: usize| {
        (0..count)
            .map(|index| (first + index as f32 * step, length))
            .collect()
    };
    match fit {
        Fit::Stretch => vec![(begin, room)],
        Fit::Repeat => {
            // One tile is centred, and the others follow on both sides.
            let first = begin + (room - own) / 2.0;
            let first = first - ((first - begin) / own).ceil() * own;
            let count = ((begin + room - first) / own).ceil() as usize;
            evenly(first, own, own, count)
        }
        // The tiles are rescaled so that a whole number of them fits (5.5).
        Fit::Round => {
            let count = (room / own).round().max(1.0);
            evenly(begin, room / count, room / count, count as usize)
        }
        // Whole tiles are placed, and the remaining space is spread between and around them.
        Fit::Space => {
            let count = ((room + 0.01) / own).floor();
            let gap = (room - count * own) / (count + 1.0);
            evenly(begin + gap, own + gap, own, count as usize)
        }
    }
}

/// Area of the whole image, scaled and moved so that its part `source` fills `place`. `size` is the
/// size of the image.
fn whole(source: ((f32, f32), (f32, f32)), place: Area, size: (f32, f32)) -> Area {
    let across = place.width / (source.0.1 - source.0.0).max(0.01);
    let down = place.height / (source.1.1 - source.1.0).max(0.01);
    Area {
        x: place.x - source.0.0 * across,
        y: place.y - source.1.0 * down,
        width: size.0 * across,
        height: size.1 * down,
    }
}

//! Pictures of single lines, cut out of the page for the recogniser: with a margin, and without the ink of other lines.
//!
//! The margins were measured. On the left and right, 0.13 of the line's height gives the best result; a narrower margin
//! cuts letters, and in a wider one the network sees quotation marks and full stops. Specks that belong to no line
//! stay: on faint print they are decimal points.

use super::{
    Found,
    area::Area,
    layers::{Layer, Owner},
    light::level,
};
use crate::{LineImage, page::Page};

/// Margin on the left and right, as a share of the line's height.
const SIDE_MARGIN: f32 = 0.13;
/// Least margin on the left and right, in pixels.
const MIN_SIDE_MARGIN: i32 = 4;
/// Margin above and below, as a share of the line's height.
const VERTICAL_MARGIN: f32 = 0.15;
/// Least margin above and below, in pixels.
const MIN_VERTICAL_MARGIN: i32 = 3;

/// A line that was cut out.
pub(crate) struct Crop {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) grey: Vec<u8>,
    /// Left edge on the working picture.
    pub(crate) left: i32,
}

impl Crop {
    pub(crate) fn image(&self) -> LineImage<'_> {
        LineImage {
            width: self.width,
            height: self.height,
            grey: &self.grey,
        }
    }
}

/// The content of a pixel of a crop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// Background, or a component that belongs to no line.
    Ground,
    /// Ink of the line.
    Own,
    /// A rule, ink of another line, or ink that is not text.
    Other,
}

/// Cuts a line out of the working picture. `rules` are the rules that may be near it.
pub(crate) fn cut(
    page: &Page<'_>,
    layer: &Layer<'_>,
    line: &Found,
    index: u32,
    rules: &[Area],
) -> Crop {
    let height = line.area.height() as f32;
    let aside = ((height * SIDE_MARGIN) as i32).max(MIN_SIDE_MARGIN);
    let above = ((height * VERTICAL_MARGIN) as i32).max(MIN_VERTICAL_MARGIN);
    let area = line.area.grown(aside, above);
    let (width, height) = (area.width() as usize, area.height() as usize);
    let shows = shown(layer, area, index, rules);
    // The part of the margin outside of the picture, or, for light letters, outside of their dark area, is filled with
    // background.
    let visible = match layer.light {
        true => layer.area,
        false => area,
    }
    .within(page.width, page.height);
    let mut grounds = [0_u32; 256];
    let mut grey = vec![0; width * height];
    let mut missing = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let (from_x, from_y) = (area.left + x as i32, area.top + y as i32);
            let at = y * width + x;
            let inside = (visible.left..visible.right).contains(&from_x)
                && (visible.top..visible.bottom).contains(&from_y);
            if !inside || shows[at] == Shows::Other {
                missing.push(at);
                continue;
            }
            let value = page.grey[from_y as usize * page.width + from_x as usize];
            let value = if layer.light { 255 - value } else { value };
            grey[at] = value;
            if shows[at] == Shows::Ground {
                grounds[usize::from(value)] += 1;
            }
        }
    }
    // The median of the background's pixels, or white if the crop has no background.
    let ground = level(&grounds, grounds.iter().sum::<u32>() / 2);
    for at in missing {
        grey[at] = ground;
    }
    Crop {
        width,
        height,
        grey,
        left: area.left,
    }
}

/// Determines for each pixel of an area whether it belongs to the line, to other ink, or to the background.
fn shown(layer: &Layer<'_>, area: Area, index: u32, rules: &[Area]) -> Vec<Shows> {
    let (width, height) = (area.width(), area.height());
    let mut shows = vec![Shows::Ground; (width * height) as usize];
    let mut mark = |left: i32, top: i32, right: i32, bottom: i32, what: Shows| {
        let (from, to) = ((left - area.left).max(0), (right - area.left).min(width));
        if from < to {
            for y in (top - area.top).max(0)..(bottom - area.top).min(height) {
                shows[(y * width + from) as usize..(y * width + to) as usize].fill(what);
            }
        }
    };
    if !layer.light {
        for rule in rules.iter().filter(|rule| rule.meets(&area)) {
            mark(
                rule.left - 2,
                rule.top - 2,
                rule.right + 2,
                rule.bottom + 2,
                Shows::Other,
            );
        }
    }
    // Ink has soft edges, which are removed or kept together with it. Where the edges of two components overlap, the
    // mark of the line's own ink counts, because it is set last.
    let own = Owner::Line(index);
    let (left, top) = (layer.area.left, layer.area.top);
    for what in [Shows::Other, Shows::Own] {
        for y in area.top - 2..area.bottom + 2 {
            let row =
                layer
                    .components
                    .row_between(y - top, area.left - 2 - left, area.right + 2 - left);
            for run in row {
                let owner = layer.owners[run.component as usize];
                let shows = match owner {
                    Owner::Nobody => continue,
                    _ if owner == own => Shows::Own,
                    _ => Shows::Other,
                };
                if shows == what {
                    let (from, to) = (i32::from(run.start) + left, i32::from(run.end) + left);
                    mark(from - 2, y - 2, to + 2, y + 3, what);
                }
            }
        }
    }
    shows
}

//! The groups of a drawing, wherever they stand. Draws nothing.

use resvg::usvg::{Group, ImageKind, Node};

/// Groups that are looked at; a drawing can repeat its patterns without end.
const MAX_GROUPS: usize = 100_000;

/// Shows `see` the group and all in it, with those of masks, clip paths, patterns, filters and drawings within the drawing, until
/// it wants no more. Whether it has seen all of them. The number is how much larger a group is shown than it says: what stands in
/// another drawing counts in that drawing's pixels.
pub(crate) fn each_group(group: &Group, see: &mut dyn FnMut(&Group, f64) -> bool) -> bool {
    each(group, 1.0, &mut 0, see)
}

fn each(
    group: &Group,
    scale: f64,
    seen: &mut usize,
    see: &mut dyn FnMut(&Group, f64) -> bool,
) -> bool {
    *seen += 1;
    if *seen > MAX_GROUPS || !see(group, scale) {
        return false;
    }
    let mut all = true;
    for child in group.children() {
        let mut within = scale;
        match child {
            Node::Group(group) => all = all && each(group, scale, seen, see),
            Node::Image(image) if matches!(image.kind(), ImageKind::SVG(_)) => {
                let (x, y) = image.abs_transform().get_scale();
                within *= f64::from(x.max(y));
            }
            Node::Image(_) | Node::Path(_) | Node::Text(_) => {}
        }
        child.subroots(|group| all = all && each(group, within, seen, see));
        if !all {
            break;
        }
    }
    all
}

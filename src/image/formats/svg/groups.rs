//! Visits all groups of a drawing. Draws nothing.

use resvg::usvg::{Group, ImageKind, Node};

/// Limit on visited groups: a drawing can repeat its patterns endlessly.
const MAX_GROUPS: usize = 100_000;

/// Calls `see` with the group and all groups in it, including those of masks, clip paths, patterns, filters and nested
/// drawings, until `see` returns false. Returns whether `see` got all of them. The number that `see` gets is the scale
/// of the nested drawing that contains the group: the size of its units in units of `group`, or 1 outside of nested
/// drawings.
pub(crate) fn each_group(group: &Group, see: &mut dyn FnMut(&Group, f64) -> bool) -> bool {
    each(group, 1.0, &mut 0, see)
}

/// Visits all groups, in drawings within the drawing as well. Returns false if `see` stops the walk, or there are too
/// many groups.
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

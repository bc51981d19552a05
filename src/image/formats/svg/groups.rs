//! The groups of a drawing, wherever they stand. Draws nothing.

use resvg::usvg::{Group, Node};

/// Groups that are looked at; a drawing can repeat its patterns without end.
const MAX_GROUPS: usize = 100_000;

/// Shows `see` the group and all in it, with those of masks, clip paths, patterns and filters, until it wants no more.
/// Whether it has seen all of them.
pub(crate) fn each_group(group: &Group, see: &mut dyn FnMut(&Group) -> bool) -> bool {
    each(group, &mut 0, see)
}

fn each(group: &Group, seen: &mut usize, see: &mut dyn FnMut(&Group) -> bool) -> bool {
    *seen += 1;
    if *seen > MAX_GROUPS || !see(group) {
        return false;
    }
    let mut all = true;
    for child in group.children() {
        if let Node::Group(group) = child {
            all = all && each(group, seen, see);
        }
        child.subroots(|group| all = all && each(group, seen, see));
        if !all {
            break;
        }
    }
    all
}

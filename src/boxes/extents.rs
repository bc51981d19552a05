//! Vertical ink extents of fragments, so that painting a page skips everything outside it. Paints
//! nothing.
//!
//! A document of a thousand pages is one body fragment with all its paragraphs. Testing each paragraph for each page
//! would be quadratic, so the union of the extents of each 64 children is stored as well, and each page tests these
//! groups first. Children are not sorted by position (a marker or an absolutely positioned box may be anywhere), so
//! bisection is not possible.

use super::fragment::{Child, Fragment, FragmentContent};
use std::collections::HashMap;

/// Number of children per group.
const GROUP: usize = 64;

/// Top and bottom of fragments relative to their top edge, overflow and shadows included, in px. The keys are
/// addresses, so fragments must outlive this value.
#[derive(Default)]
pub(super) struct Extents {
    /// Extents of single fragments.
    reach: HashMap<*const Fragment, (f32, f32)>,
    /// Extents of each group of children, for fragments with more than one group.
    groups: HashMap<*const Fragment, Box<[(f32, f32)]>>,
}

impl Extents {
    /// Extent of a fragment that was added.
    pub(crate) fn of(&self, fragment: &Fragment) -> Option<(f32, f32)> {
        self.reach.get(&std::ptr::from_ref(fragment)).copied()
    }

    /// Children that may be visible between two heights, counted from the fragment's top edge.
    pub(crate) fn seen<'f>(
        &self,
        fragment: &'f Fragment,
        from: f32,
        to: f32,
    ) -> impl Iterator<Item = &'f Child> {
        let groups = self.groups.get(&std::ptr::from_ref(fragment));
        // A fragment with one group has no group extents; all of its children are returned.
        let is_near = move |group: usize| {
            let bounds = groups.and_then(|groups| groups.get(group));
            bounds.is_none_or(|(top, bottom)| *bottom >= from && *top <= to)
        };
        let children = fragment.children.chunks(GROUP).enumerate();
        children
            .filter(move |(group, _)| is_near(*group))
            .flat_map(|(_, children)| children)
    }

    /// Computes and stores the extents of a fragment and its descendants.
    pub(crate) fn add(&mut self, fragment: &Fragment) -> (f32, f32) {
        let key = std::ptr::from_ref(fragment);
        if let Some(known) = self.reach.get(&key) {
            return *known;
        }
        // The extent of the fragment itself is extended by those of its descendants.
        let (mut top, mut bottom) = own(fragment);
        let children = fragment.children.iter();
        let reaches: Vec<(f32, f32)> = children
            .map(|child| {
                let (up, down) = self.add(&child.fragment);
                (child.y + up, child.y + down)
            })
            .collect();
        let groups = reaches.chunks(GROUP).map(around);
        let groups: Box<[(f32, f32)]> = groups.collect();
        for (up, down) in &groups {
            top = top.min(*up);
            bottom = bottom.max(*down);
        }
        if groups.len() > 1 {
            self.groups.insert(key, groups);
        }
        self.reach.insert(key, (top, bottom));
        (top, bottom)
    }
}

/// Union of extents.
fn around(reaches: &[(f32, f32)]) -> (f32, f32) {
    reaches
        .iter()
        .fold((f32::MAX, f32::MIN), |(top, bottom), (up, down)| {
            (top.min(*up), bottom.max(*down))
        })
}

/// Extent of a fragment without its children.
fn own(fragment: &Fragment) -> (f32, f32) {
    // These bounds are generous for glyphs: few fonts exceed 1.2em above or 0.5em below the baseline.
    if let FragmentContent::Text { pen, .. } = &fragment.kind {
        return (-pen.size * 1.2, pen.size * 0.5);
    }
    let Some(style) = fragment.style() else {
        return (0.0, fragment.height);
    };
    // A 3D transform may move content anywhere.
    if style.is_in_space() {
        return (-1e5, 1e5);
    }
    let shadows = style.shadows.iter();
    let margin = shadows
        .map(|shadow| shadow.blur + shadow.spread.abs() + shadow.y.abs())
        .fold(0.0, f32::max);
    (-margin, fragment.height + margin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_children_near_the_page_are_visited() {
        let mut parent = Fragment::new(FragmentContent::Line, 10.0, 10_000.0);
        for at in 0..1000 {
            parent.add(
                0.0,
                10.0 * at as f32,
                Fragment::new(FragmentContent::Missing, 10.0, 10.0),
            );
        }
        // The marker of an item comes last, although it is beside the first line.
        parent.add(
            0.0,
            0.0,
            Fragment::new(FragmentContent::Missing, 10.0, 10.0),
        );
        let mut extents = Extents::default();
        assert_eq!(extents.add(&parent), (0.0, 10_000.0));
        let seen = |from: f32, to: f32| extents.seen(&parent, from, to).count();
        assert_eq!(seen(0.0, 95.0), GROUP + 1000 % GROUP + 1);
        assert_eq!(seen(5000.0, 5095.0), GROUP + 1000 % GROUP + 1);
        assert_eq!(
            extents
                .seen(&parent.children[0].fragment, 0.0, 95.0)
                .count(),
            0
        );
    }
}

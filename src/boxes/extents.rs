//! Extents of fragments, so that a page paints only those that are on it. Paints nothing.
//!
//! A document of a thousand pages has one body with all its paragraphs. Looking at each of them for each page would take the square of
//! the length, so it is known of each group of children whether any of them can reach into a page at all. Groups are looked at one
//! by one: what comes last may stand at the top, such as the marker of an item, or what is placed by itself.

use super::fragment::{Child, Fragment, Kind};
use std::collections::HashMap;

/// Number of children in a group.
const GROUP: usize = 64;

/// Extents of fragments above and below their upper edge, overflow included, in px.
#[derive(Default)]
pub(super) struct Extents {
    reach: HashMap<*const Fragment, (f32, f32)>,
    /// The same of each group of children together, where there is more than one group.
    groups: HashMap<*const Fragment, Box<[(f32, f32)]>>,
}

impl Extents {
    /// Extent of a fragment, if it is known.
    pub(crate) fn of(&self, fragment: &Fragment) -> Option<(f32, f32)> {
        self.reach.get(&std::ptr::from_ref(fragment)).copied()
    }

    /// The children of a fragment that may be seen between two heights, which count from its upper edge.
    pub(crate) fn seen<'f>(
        &self,
        fragment: &'f Fragment,
        from: f32,
        to: f32,
    ) -> impl Iterator<Item = &'f Child> {
        let groups = self.groups.get(&std::ptr::from_ref(fragment));
        let is_near = move |group: usize| {
            let bounds = groups.and_then(|groups| groups.get(group));
            bounds.is_none_or(|(top, bottom)| *bottom >= from && *top <= to)
        };
        let children = fragment.children.chunks(GROUP).enumerate();
        children
            .filter(move |(group, _)| is_near(*group))
            .flat_map(|(_, children)| children)
    }

    /// Finds out how far a fragment reaches, and everything in it.
    pub(crate) fn add(&mut self, fragment: &Fragment) -> (f32, f32) {
        let key = std::ptr::from_ref(fragment);
        if let Some(known) = self.reach.get(&key) {
            return *known;
        }
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

/// Extent of all of them together.
fn around(reaches: &[(f32, f32)]) -> (f32, f32) {
    reaches
        .iter()
        .fold((f32::MAX, f32::MIN), |(top, bottom), (up, down)| {
            (top.min(*up), bottom.max(*down))
        })
}

/// Extent of a fragment without its children.
fn own(fragment: &Fragment) -> (f32, f32) {
    if let Kind::Text { pen, .. } = &fragment.kind {
        return (-pen.size * 1.2, pen.size * 0.5);
    }
    let Some(style) = fragment.style() else {
        return (0.0, fragment.height);
    };
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
    fn only_children_near_the_page_are_looked_at() {
        let mut strip = Fragment::new(Kind::Line, 10.0, 10_000.0);
        for at in 0..1000 {
            strip.add(
                0.0,
                10.0 * at as f32,
                Fragment::new(Kind::Missing, 10.0, 10.0),
            );
        }
        // The marker of an item comes last, and stands at its first line.
        strip.add(0.0, 0.0, Fragment::new(Kind::Missing, 10.0, 10.0));
        let mut extents = Extents::default();
        assert_eq!(extents.add(&strip), (0.0, 10_000.0));
        let seen = |from: f32, to: f32| extents.seen(&strip, from, to).count();
        assert_eq!(seen(0.0, 95.0), GROUP + 1000 % GROUP + 1);
        assert_eq!(seen(5000.0, 5095.0), GROUP + 1000 % GROUP + 1);
        assert_eq!(
            extents.seen(&strip.children[0].fragment, 0.0, 95.0).count(),
            0
        );
    }
}

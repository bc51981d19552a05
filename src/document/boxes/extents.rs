//! How far fragments reach, so that a page paints no more than what is on it. Paints nothing.
//!
//! A document of a thousand pages has one body with all its paragraphs. Looking at each of them for each page would take the square of
//! the length, so for fragments with many children it is known which of these can reach into a page at all.

use super::fragment::{Fragment, Kind};
use std::{collections::HashMap, ops::Range};

/// How many children are many.
const MANY: usize = 64;

/// How far fragments reach above and below their upper edge, with what hangs out of them, in px.
#[derive(Default)]
pub(super) struct Extents {
    reach: HashMap<*const Fragment, (f32, f32)>,
    many: HashMap<*const Fragment, Bounds>,
}

/// Of the children of a fragment: how far down those reach that come before and with each, and how far up those with it and behind it.
struct Bounds {
    down: Vec<f32>,
    up: Vec<f32>,
}

impl Extents {
    /// How far a fragment reaches, if it is known.
    pub(super) fn of(&self, fragment: &Fragment) -> Option<(f32, f32)> {
        self.reach.get(&std::ptr::from_ref(fragment)).copied()
    }

    /// Which children of a fragment may be seen between two heights, which count from its upper edge.
    pub(super) fn seen(&self, fragment: &Fragment, from: f32, to: f32) -> Range<usize> {
        let Some(bounds) = self.many.get(&std::ptr::from_ref(fragment)) else {
            return 0..fragment.children.len();
        };
        let first = bounds.down.partition_point(|down| *down < from);
        let end = bounds.up.partition_point(|up| *up <= to);
        first..end.max(first)
    }

    /// Finds out how far a fragment reaches, and everything in it.
    pub(super) fn add(&mut self, fragment: &Fragment) -> (f32, f32) {
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
        for (up, down) in &reaches {
            top = top.min(*up);
            bottom = bottom.max(*down);
        }
        if reaches.len() >= MANY {
            self.many.insert(key, Bounds::of(&reaches));
        }
        self.reach.insert(key, (top, bottom));
        (top, bottom)
    }
}

impl Bounds {
    fn of(reaches: &[(f32, f32)]) -> Self {
        let (mut lowest, mut highest) = (f32::MIN, f32::MAX);
        let down = reaches.iter().map(|(_, down)| {
            lowest = lowest.max(*down);
            lowest
        });
        let down = down.collect();
        let up = reaches.iter().rev().map(|(up, _)| {
            highest = highest.min(*up);
            highest
        });
        let mut up: Vec<f32> = up.collect();
        up.reverse();
        Self { down, up }
    }
}

/// How far a fragment reaches without what is in it.
fn own(fragment: &Fragment) -> (f32, f32) {
    if let Kind::Text { pen, .. } = &fragment.kind {
        return (-pen.size * 1.2, pen.size * 0.5);
    }
    let Some(style) = fragment.style() else {
        return (0.0, fragment.height);
    };
    if !style.transforms.is_empty() {
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
        let mut strip = Fragment::new(Kind::Line, 10.0, 1000.0);
        for at in 0..100 {
            strip.add(
                0.0,
                10.0 * at as f32,
                Fragment::new(Kind::Missing, 10.0, 10.0),
            );
        }
        // One that reaches from the middle to the beginning.
        strip.add(0.0, 0.0, Fragment::new(Kind::Missing, 10.0, 600.0));
        let mut extents = Extents::default();
        assert_eq!(extents.add(&strip), (0.0, 1000.0));
        assert_eq!(extents.seen(&strip, 0.0, 95.0), 0..101);
        assert_eq!(extents.seen(&strip, 905.0, 2000.0), 90..101);
        let child = &strip.children[0].fragment;
        assert_eq!(extents.seen(child, 0.0, 95.0), 0..0);
    }
}

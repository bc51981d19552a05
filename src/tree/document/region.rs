//! Regions of blocks on the pages of their source, if the source has pages: a PDF, or pictures with recognised text.
//! Regions do not affect the layout.

/// A rectangle on a page of the source, in points from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Number of the page, from 1.
    pub page: u32,
    /// Left edge.
    pub left: f32,
    /// Upper edge.
    pub top: f32,
    /// Right edge.
    pub right: f32,
    /// Lower edge.
    pub bottom: f32,
    /// Number of characters in the region.
    pub characters: u32,
}

impl Region {
    /// Adds a region to those of a block. The region is united with the last region, unless it is on another page, or
    /// its lower edge is above that of the last region, as at the top of another column.
    pub fn join(self, regions: &mut Vec<Self>) {
        match regions.last_mut() {
            Some(last) if last.page == self.page && self.bottom >= last.bottom => last.unite(self),
            _ => regions.push(self),
        }
    }

    /// Extends the region to another region on the same page.
    pub fn unite(&mut self, other: Self) {
        self.left = self.left.min(other.left);
        self.top = self.top.min(other.top);
        self.right = self.right.max(other.right);
        self.bottom = self.bottom.max(other.bottom);
        self.characters = self.characters.saturating_add(other.characters);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_lines_form_one_region() {
        let line = |page, left: f32, top: f32| Region {
            page,
            left,
            top,
            right: left + 100.0,
            bottom: top + 10.0,
            characters: 7,
        };
        let mut regions = Vec::new();
        for line in [
            line(1, 50.0, 700.0),
            line(1, 40.0, 712.0),
            line(1, 300.0, 100.0),
            line(2, 40.0, 100.0),
        ] {
            line.join(&mut regions);
        }
        let first = Region {
            page: 1,
            left: 40.0,
            top: 700.0,
            right: 150.0,
            bottom: 722.0,
            characters: 14,
        };
        assert_eq!(
            regions,
            [first, line(1, 300.0, 100.0), line(2, 40.0, 100.0)]
        );
    }
}

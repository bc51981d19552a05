//! Positions of the elements of a structure tree on the pages. Texts and pictures have positions of their own. The
//! position of a table is the rectangle around its texts.

use super::Writer;
use crate::read::{
    structure::{Kid, Role},
    text::block::Page,
};
use convertd_tree::Region;
use std::collections::HashMap;

/// Positions of each text with its pictures, in the order of the pages.
pub(super) fn of(pages: &[Page]) -> HashMap<u32, Vec<Region>> {
    let mut regions: HashMap<u32, Vec<Region>> = HashMap::new();
    for (number, page) in (1..).zip(pages) {
        for part in &page.marked.parts {
            let all = regions.entry(part.text).or_default();
            for line in &part.lines {
                line.region(number).join(all);
            }
        }
        for (text, figure) in &page.marked.figures {
            let all = regions.entry(*text).or_default();
            page.figures[*figure].region(number).join(all);
        }
    }
    regions
}

impl Writer<'_, '_> {
    /// Takes the positions of the first paragraph of an element: of its texts and inline elements up to the first block
    /// that follows them. Empty for a later paragraph of the same element, because a search from its beginning would
    /// take quadratic time.
    pub(super) fn regions_of_paragraph(&mut self, element_id: u32) -> Vec<Region> {
        let mut found = Vec::new();
        if self.regions.is_empty() || !self.placed.insert(element_id) {
            return found;
        }
        let structure = self.structure;
        for kid in &structure.element(element_id).kids {
            match *kid {
                Kid::Text(text) => self.take(text, &mut found),
                Kid::Element(inner) => match structure.element(inner).role {
                    Role::Label | Role::Reference | Role::Code => {
                        self.take_all(inner, &mut found);
                    }
                    // Any other figure becomes a block with a position of its own.
                    Role::Figure if self.is_simple(structure.element(inner)) => {
                        self.take_all(inner, &mut found);
                    }
                    _ if found.is_empty() => {}
                    _ => break,
                },
            }
        }
        found
    }

    /// Takes the positions of all texts in an element, except those in captions. Unites consecutive positions on one
    /// page to one rectangle.
    pub(super) fn regions_of_block(&mut self, element_id: u32) -> Vec<Region> {
        let mut found = Vec::new();
        if !self.regions.is_empty() {
            self.take_all(element_id, &mut found);
        }
        let mut united: Vec<Region> = Vec::new();
        for region in found {
            match united.last_mut() {
                Some(last) if last.page == region.page => last.unite(region),
                _ => united.push(region),
            }
        }
        united
    }

    fn take(&mut self, text: u32, found: &mut Vec<Region>) {
        for region in self.regions.remove(&text).unwrap_or_default() {
            region.join(found);
        }
    }

    fn take_all(&mut self, element_id: u32, found: &mut Vec<Region>) {
        let structure = self.structure;
        for kid in &structure.element(element_id).kids {
            match *kid {
                Kid::Text(text) => self.take(text, found),
                Kid::Element(inner) if structure.element(inner).role == Role::Caption => {}
                Kid::Element(inner) => self.take_all(inner, found),
            }
        }
    }
}

//! The items of the document outline (bookmarks), one for each heading. Does not depend on pages.

/// An outline item.
pub struct Entry {
    /// Level from 1, the highest.
    pub level: u8,
    pub text: String,
}

/// All items, in document order.
#[derive(Default)]
pub struct Outline(Vec<Entry>);

impl Outline {
    /// Adds an item, and returns its index.
    pub fn add(&mut self, level: u8, text: String) -> usize {
        self.0.push(Entry { level, text });
        self.0.len() - 1
    }

    pub fn entries(&self) -> &[Entry] {
        &self.0
    }
}

//! The items of the document outline (bookmarks), one for each heading. Knows no pages.

/// An outline item.
pub(crate) struct Entry {
    /// The level from 1, the highest.
    pub(crate) level: u8,
    pub(crate) text: String,
}

/// All items, in order.
#[derive(Default)]
pub(crate) struct Outline(Vec<Entry>);

impl Outline {
    /// Adds an item, and returns its number.
    pub(crate) fn add(&mut self, level: u8, text: String) -> usize {
        self.0.push(Entry { level, text });
        self.0.len() - 1
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.0
    }
}

//! The entries of the outline (bookmarks at the side of the window), one for each heading. Knows no pages.

/// An entry.
pub(super) struct Entry {
    /// From 1, the highest.
    pub(super) level: u8,
    pub(super) text: String,
}

/// All entries, in order.
#[derive(Default)]
pub(super) struct Outline(Vec<Entry>);

impl Outline {
    /// Adds an entry, and says which it is.
    pub(super) fn add(&mut self, level: u8, text: String) -> usize {
        self.0.push(Entry { level, text });
        self.0.len() - 1
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.0
    }
}

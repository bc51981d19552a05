//! Size of the paper and its margins (RTF 1.9.1, "Document Formatting Properties" and "Section Formatting Properties").
//! A section begins with the dimensions of the document. Knows no other property of pages.

use super::reader::RtfReader;
use convertd_tree::{Length, PageSetup};

/// Size of the paper, and its margins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dimensions {
    width: Length,
    height: Length,
    top: Length,
    bottom: Length,
    left: Length,
    right: Length,
    /// Space for the binding, in addition to the margin of its side.
    gutter: Length,
    /// Side of the binding.
    binding: Binding,
}

/// Side at which pages are bound.
#[derive(Clone, Copy, Debug)]
enum Binding {
    Left,
    Right,
    Top,
}

impl Default for Dimensions {
    fn default() -> Self {
        let page = PageSetup::default();
        Self {
            width: page.width,
            height: page.height,
            top: page.top,
            bottom: page.bottom,
            left: page.left,
            right: page.right,
            gutter: Length::ZERO,
            binding: Binding::Left,
        }
    }
}

impl Dimensions {
    /// Sets the dimension that a control word of the document names. Returns false for any other word.
    fn set(&mut self, word: &str, length: Length) -> bool {
        let (own, least) = match word {
            // A page size of half an inch or less is damage, and is ignored.
            "paperw" => (&mut self.width, Length::inches(0.5) + Length::twips(1)),
            "paperh" => (&mut self.height, Length::inches(0.5) + Length::twips(1)),
            "margl" => (&mut self.left, Length::ZERO),
            "margr" => (&mut self.right, Length::ZERO),
            "margt" => (&mut self.top, Length::ZERO),
            "margb" => (&mut self.bottom, Length::ZERO),
            "gutter" => (&mut self.gutter, Length::ZERO),
            _ => return false,
        };
        if length >= least {
            *own = length;
        }
        true
    }

    /// Gives a page these dimensions.
    pub(super) fn apply(&self, page: &mut PageSetup) {
        page.width = self.width;
        page.height = self.height;
        page.top = self.top;
        page.bottom = self.bottom;
        page.left = self.left;
        page.right = self.right;
        let bound = match self.binding {
            Binding::Left => &mut page.left,
            Binding::Right => &mut page.right,
            Binding::Top => &mut page.top,
        };
        *bound = *bound + self.gutter;
    }
}

impl RtfReader<'_> {
    /// Handles a word for the side of the binding. Returns false for any other word.
    pub(super) fn binding_word(&mut self, word: &str) -> bool {
        match word {
            "rtlgutter" => self.dimensions.binding = Binding::Right,
            "gutterprl" => {
                self.document_dimensions.binding = Binding::Top;
                self.dimensions.binding = Binding::Top;
            }
            _ => return false,
        }
        true
    }

    /// Handles a dimension of the document, which also applies to the current section, or of this section alone (a word
    /// ending in `sxn`). Returns false for any other word.
    pub(super) fn dimension_word(&mut self, word: &str, length: Length) -> bool {
        let of_section = match word {
            "pgwsxn" => Some("paperw"),
            "pghsxn" => Some("paperh"),
            _ => word.strip_suffix("sxn"),
        };
        if of_section.is_none() {
            self.document_dimensions.set(word, length);
        }
        self.dimensions.set(of_section.unwrap_or(word), length)
    }
}

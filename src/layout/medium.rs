//! The target that a layout is painted on: a file that takes pages one after another, or the pixels
//! of a picture. Lays out nothing.
//!
//! The layout passes each page on when the page is full, so memory never holds all pages. Headers and footers follow at
//! the end, because they may contain the number of pages.

use super::item::Item;
use crate::error::Result;
use convertd_tree::{Resource, losses::Loss};

/// A margin with content of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Margin {
    Header,
    Footer,
}

/// Items at a point of the page. Lengths are in points, from the upper left corner of the page.
pub struct Placed {
    pub x: f32,
    pub y: f32,
    pub items: Vec<Item>,
}

/// Target of pages.
pub trait Medium {
    /// Begins a page of this width and height in points, and ends the page before it.
    ///
    /// Errors: the medium could not store an earlier page.
    fn begin_page(&mut self, width: f32, height: f32) -> Result<()>;

    /// Draws on the page that was begun last. Coordinates in the item are relative to the point `x`, `y` of the page.
    fn draw(&mut self, item: &Item, x: f32, y: f32);

    /// Draws behind everything on a page, by the page's index. The page may have ended already. `margin` is the margin
    /// that the content belongs to; `None` if it belongs to the page itself.
    fn draw_background(&mut self, page: usize, margin: Option<Margin>, placed: &[Placed]);

    /// Ends the page that was begun last, if it is not ended.
    fn end_page(&mut self);

    /// Draws in a margin of a page that has ended, by the page's index.
    fn margin(&mut self, page: usize, margin: Margin, placed: &[Placed]);

    /// Memory that the medium holds, in bytes.
    fn memory(&self) -> u64;
}

/// Receives the pictures of a document. Each picture is passed when it is first needed.
pub trait Gallery {
    /// Takes a picture, by its index among the document's resources, and returns its natural size
    /// in points, or the reason why it cannot be shown. `shown` computes the displayed size in
    /// points from the natural one.
    fn take(
        &self,
        number: usize,
        picture: &Resource,
        shown: &dyn Fn((f32, f32)) -> (f32, f32),
    ) -> Result<(f32, f32), &'static Loss>;
}

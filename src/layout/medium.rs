//! Target that a layout is painted on: a file that takes pages one after another, or the pixels of a picture. Lays out nothing.
//!
//! Pages come as they are filled, so that none has to be kept in memory. What stands in their margins comes last, because it may say
//! how many pages there are.

use super::item::Item;
use crate::error::Result;
use convertd_tree::{Resource, losses::Loss};

/// The margin that something stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Margin {
    Header,
    Footer,
}

/// Items that count from a point of the page. Lengths are in points, from the upper left corner of the page.
pub struct Placed {
    pub x: f32,
    pub y: f32,
    pub items: Vec<Item>,
}

/// Takes pages.
pub trait Medium {
    /// Begins a page of this width and height in points, and ends the one before.
    ///
    /// Errors: the medium could not keep an earlier page.
    fn begin_page(&mut self, width: f32, height: f32) -> Result<()>;

    /// Draws on the page that was begun last. The item counts from `x` and `y`, which count from the upper left corner of the page.
    fn draw(&mut self, item: &Item, x: f32, y: f32);

    /// Draws behind everything that was drawn on a page and will be, by the number of the page from 0. If it is what stands in a
    /// margin, the page may have ended.
    fn behind(&mut self, page: usize, margin: Option<Margin>, placed: &[Placed]);

    /// Ends the page that was begun last, if it is not ended.
    fn end_page(&mut self);

    /// Draws in a margin of a page that was ended, by the number of the page from 0.
    fn margin(&mut self, page: usize, margin: Margin, placed: &[Placed]);

    /// Memory that is held, in bytes.
    fn memory(&self) -> u64;
}

/// Takes the pictures of a document, each when it is first needed.
pub trait Gallery {
    /// Takes a picture by its number among the resources of the document. `shown` tells from the size that it has by itself, in
    /// points, in which it is shown. Returns the size that it has by itself, or why it cannot be shown.
    fn take(
        &self,
        number: usize,
        picture: &Resource,
        shown: &dyn Fn((f32, f32)) -> (f32, f32),
    ) -> Result<(f32, f32), &'static Loss>;
}

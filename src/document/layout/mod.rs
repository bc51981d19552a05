//! Documents set on pages: from blocks to lines, tables, frames and pages. Writes no file.

pub(crate) mod atoms;
pub(crate) mod blocks;
pub(crate) mod context;
pub(crate) mod decoration;
pub(crate) mod face;
pub(crate) mod faces;
pub(crate) mod front;
pub(crate) mod item;
pub(crate) mod lines;
pub(crate) mod links;
pub(crate) mod lists;
pub(crate) mod look;
pub(crate) mod memory;
pub(crate) mod notes;
pub(crate) mod outline;
pub(crate) mod pages;
pub(crate) mod paper;
pub(crate) mod paragraphs;
pub(crate) mod rows;
pub(crate) mod shape;
pub(crate) mod spans;
pub(crate) mod structure;
pub(crate) mod tables;
pub(crate) mod widths;
pub(crate) mod word;
pub(crate) mod world;

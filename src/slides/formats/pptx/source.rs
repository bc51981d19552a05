//! An open presentation: its parts, and the memory that they take. Reads none of what they say.

use super::{styles::ListStyle, table_style::TableStyles, template::Template};
use crate::{
    containers::opc::{Package, Relationships},
    deck::Facts,
    error::Result,
    job::{Job, Lease},
};
use convertd_tree::losses::Losses;
use std::{collections::HashMap, rc::Rc};

/// Bytes in memory for each element of XML while a shape is read, and for the frame that it becomes.
const ELEMENT: u64 = 160;

/// Limit on the unpacked size of parts that slides share, in bytes, counted at each reference.
const MOST_UNPACKED: u64 = 512 << 20;

/// An open presentation.
pub(super) struct Pptx<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) package: Package<'a>,
    pub(super) defaults: ListStyle,
    pub(super) losses: Losses,
    pub(super) tables: TableStyles,
    pub(super) facts: Facts,
    /// The parts of the slides, in their order.
    pub(super) slides: Vec<Box<str>>,
    pub(super) numbers: Rc<HashMap<Box<str>, usize>>,
    pub(super) templates: HashMap<Box<str>, Rc<Template>>,
    /// Memory for bytes that are held until the end, and those that the current slide takes beside them.
    pub(super) lease: Lease<'a>,
    pub(super) held: u64,
    pub(super) passing: u64,
    pub(super) unpacked: u64,
}

impl Pptx<'_> {
    /// The text of a part. `None` if it does not exist.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if slides refer to more than any deck holds.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>> {
        let Some(size) = self.package.size(name) else {
            return Ok(None);
        };
        self.unpacked = self.unpacked.saturating_add(size);
        if self.unpacked > MOST_UNPACKED {
            return Err(self.job.unreadable(
                "its slides refer to more than half a gigabyte of parts, some of them again and again",
            ));
        }
        self.take(size.saturating_mul(2))?;
        let text = self.package.text(name)?;
        let elements = memchr::memchr_iter(b'<', text.as_bytes()).count() as u64 / 2;
        self.take(elements.saturating_mul(ELEMENT))?;
        Ok(Some(text))
    }

    /// The relationships of a part.
    pub(super) fn relationships(&mut self, part: &str) -> Result<Rc<Relationships>> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let size = self.package.size(&format!("{folder}/_rels/{file}.rels"));
        self.take(size.unwrap_or(0).saturating_mul(4))?;
        self.package.relationships(part)
    }

    fn take(&mut self, bytes: u64) -> Result<()> {
        self.passing = self.passing.saturating_add(bytes);
        self.lease
            .set_exactly(self.held.saturating_add(self.passing))
    }
}

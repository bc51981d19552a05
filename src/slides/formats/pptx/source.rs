//! An open presentation: access to its parts, and accounting for their memory. Does not interpret the parts.

use super::{styles::ListStyle, table_style::TableStyles, template::Template};
use crate::{
    containers::opc::{Package, Relationships},
    deck::Facts,
    error::Result,
    job::{Job, Lease},
};
use convertd_tree::losses::Losses;
use std::{collections::HashMap, rc::Rc};

/// Memory for each XML element while a shape is read, and for the resulting frame, in bytes.
const ELEMENT: u64 = 160;

/// Limit on the total size of the unpacked parts, in bytes. A part that several slides refer to counts once for each
/// reference.
const MAX_UNPACKED: u64 = 512 << 20;

/// An open presentation.
pub(super) struct Pptx<'a> {
    pub(super) job: &'a Job<'a>,
    /// Archive with the parts.
    pub(super) package: Package<'a>,
    /// Text styles for shapes whose master states none.
    pub(super) defaults: ListStyle,
    /// Contents that were left out.
    pub(super) losses: Losses,
    /// Table styles of the presentation.
    pub(super) tables: TableStyles,
    pub(super) facts: Facts,
    /// Names of the parts of the slides, in the order of the show.
    pub(super) slides: Vec<Box<str>>,
    /// Slide numbers by part name.
    pub(super) numbers: Rc<HashMap<Box<str>, usize>>,
    /// Layouts and masters that have been read, by part name.
    pub(super) templates: HashMap<Box<str>, Rc<Template>>,
    /// Lease for the memory in `held` and `passing`.
    pub(super) lease: Lease<'a>,
    /// Memory that is leased for as long as the file is open, in bytes.
    pub(super) held: u64,
    /// Memory that is leased for the current slide, in bytes.
    pub(super) passing: u64,
    /// Total size of the parts that have been unpacked.
    pub(super) unpacked: u64,
}

impl Pptx<'_> {
    /// Reads a part as text. `None` if it does not exist.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the parts exceed the limit in total.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>> {
        let Some(size) = self.package.size(name) else {
            return Ok(None);
        };
        self.unpacked = self.unpacked.saturating_add(size);
        if self.unpacked > MAX_UNPACKED {
            return Err(self.job.unreadable(
                "its slides refer to more than 512 MiB of parts in total (a part that several slides use counts once for each slide)",
            ));
        }
        self.take(size.saturating_mul(2))?;
        let text = self.package.text(name)?;
        // About half of the tags are end tags, so the number of elements is half of the number of tags.
        let elements = memchr::memchr_iter(b'<', text.as_bytes()).count() as u64 / 2;
        self.take(elements.saturating_mul(ELEMENT))?;
        Ok(Some(text))
    }

    /// Returns the relationships of a part, which are in a part of their own beside it.
    pub(super) fn relationships(&mut self, part: &str) -> Result<Rc<Relationships>> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let size = self.package.size(&format!("{folder}/_rels/{file}.rels"));
        self.take(size.unwrap_or(0).saturating_mul(4))?;
        self.package.relationships(part)
    }

    /// Extends the lease for the current slide.
    fn take(&mut self, bytes: u64) -> Result<()> {
        self.passing = self.passing.saturating_add(bytes);
        self.lease
            .set_exactly(self.held.saturating_add(self.passing))
    }
}

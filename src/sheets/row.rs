//! The description of a spreadsheet format. Reads and writes nothing.

use super::sheet::{Sheet, View, Workbook, Writer};
use crate::{
    error::Result,
    format::Format,
    job::{Input, Job, OptionSpec, Output},
};

/// A spreadsheet format: a row of facts, in the `mod.rs` of its folder.
pub(crate) struct Row {
    /// Its names, media type and magic bytes.
    pub(crate) format: Format,
    /// Whether a file without magic bytes is of this format. See [`Converter::recognise`](crate::job::Converter::recognise).
    pub(crate) recognise: fn(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> bool,
    /// Opens a file, and reads the names of its sheets and what their cells share. Its cells will be read in this view.
    pub(crate) open: Open,
    /// Writer of the format, or `None` if it is only read.
    pub(crate) write: Option<Target>,
}

/// See [`Row::open`].
pub(crate) type Open =
    for<'a> fn(&'a Job<'a>, &'a mut dyn Input, View) -> Result<Box<dyn Workbook + 'a>>;

/// See [`Target::create`].
pub(crate) type Create =
    for<'a> fn(&'a Job<'a>, &'a mut dyn Output, &[Sheet]) -> Result<Box<dyn Writer + 'a>>;

/// See [`Target::whole`].
#[cfg(feature = "document")]
pub(crate) type Whole =
    fn(&Job<'_>, &super::shown::book::Book, &mut dyn Output, &mut crate::job::Notes) -> Result<()>;

/// A format's writer.
pub(crate) struct Target {
    /// Begins a file with these sheets.
    pub(crate) create: Create,
    /// Writes a workbook with its looks.
    #[cfg(feature = "document")]
    pub(crate) whole: Option<Whole>,
    /// Whether a file can hold several sheets.
    pub(crate) many: bool,
    /// Meaning of the quality tiers `low`, `medium` and `high`, as shown to users.
    pub(crate) quality: &'static str,
    /// The optional fields for this target.
    pub(crate) options: &'static [&'static OptionSpec],
}

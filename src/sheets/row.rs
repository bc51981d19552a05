//! Description of a spreadsheet format. Reads and writes nothing.

use super::sheet::{Sheet, View, Workbook, Writer};
#[cfg(feature = "document")]
use super::shown::{book::Book, inserted::Pictures};
use crate::{
    error::Result,
    format::Format,
    job::{Input, Job, OptionSpec, Output},
};

/// Description of a spreadsheet format. Each format has one in the `mod.rs` of its folder.
pub(crate) struct Row {
    /// Names, media type and magic bytes.
    pub(crate) format: Format,
    /// Returns whether a file without magic bytes is of this format. See
    /// [`Converter::recognise`](crate::job::Converter::recognise).
    pub(crate) recognise: fn(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> bool,
    /// Opens a file: reads the names of its sheets, and the lists that cells refer to, such as shared strings and
    /// styles. Its cells will be read in the given view.
    pub(crate) open: Open,
    /// Writer of the format, or `None` if it is only read.
    pub(crate) write: Option<Target>,
}

/// Type of [`Row::open`].
pub(crate) type Open =
    for<'a> fn(&'a Job<'a>, &'a mut dyn Input, View) -> Result<Box<dyn Workbook + 'a>>;

/// Type of [`Target::create`].
pub(crate) type Create =
    for<'a> fn(&'a Job<'a>, &'a mut dyn Output, &[Sheet]) -> Result<Box<dyn Writer + 'a>>;

/// Type of [`Target::whole`].
#[cfg(feature = "document")]
pub(crate) type Whole =
    fn(&Job<'_>, &Book, &Pictures, &mut dyn Output, &mut crate::job::Notes) -> Result<()>;

/// Writer of a format.
pub(crate) struct Target {
    /// Begins a file with some sheets.
    pub(crate) create: Create,
    /// Writes a workbook with its styles, if the format has any.
    #[cfg(feature = "document")]
    pub(crate) whole: Option<Whole>,
    /// Media types of the pictures that `whole` can write.
    #[cfg(feature = "document")]
    pub(crate) pictures: &'static [&'static str],
    /// Whether a file can hold several sheets.
    pub(crate) many: bool,
    /// Meaning of the quality tiers `low`, `medium` and `high`, as shown to users.
    pub(crate) quality: &'static str,
    /// Options of this target.
    pub(crate) options: &'static [&'static OptionSpec],
}

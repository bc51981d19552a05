//! The row of facts that each picture format declares. All tables of formats are derived from these rows. Depends on no
//! particular format.

use super::{source::Reader, target::Target};
use convertd_core::format::Format;

/// The row of one format.
pub(crate) struct Row {
    /// Names, media type and magic bytes of the format.
    pub(crate) format: Format,
    /// Reader of the format; `None` if it is only written.
    pub(crate) read: Option<Reader>,
    /// Writer of the format; `None` if it is only read.
    pub(crate) write: Option<Target>,
}

//! Files that contain a whole file of another format, so that it can be restored byte for byte. Does not decide whether
//! the client wants that.

use super::pixels::Layout;
use convertd_core::{
    error::Result,
    job::{Job, Notes},
};

/// Packs a file. Returns `None` if the file could not be restored exactly.
type Pack = fn(&Job<'_>, &[u8]) -> Result<Option<Vec<u8>>>;

/// A way to store a whole file of another format so that it can be restored byte for byte.
pub(crate) struct Packer {
    /// Name of the other format.
    pub(crate) of: &'static str,
    /// Peak memory of packing in bytes, for a picture with this layout in a file of this length.
    pub(crate) memory: fn(Layout, u64) -> u64,
    pub(crate) pack: Pack,
}

/// The file of a source, to be stored as a whole.
#[derive(Clone)]
pub(crate) struct Whole {
    pub(crate) file: Vec<u8>,
    pub(crate) packer: &'static Packer,
    /// Peak memory of packing the file, in bytes.
    pub(crate) memory: u64,
    /// The note about the packed file.
    pub(crate) note: String,
}

/// Packs the file of the source. Returns the packed file unless it is larger than `made`, the result of a lossy writer,
/// because no quality shall give a larger file than the best quality; `None` also if the file cannot be packed.
/// `carried` is the number of bytes of metadata and profiles in the file of the source. Adds the note about the packed
/// file.
#[cfg_attr(not(feature = "jxl"), allow(dead_code))]
pub(crate) fn instead(
    job: &Job<'_>,
    whole: Option<&Whole>,
    carried: usize,
    made: &[u8],
    notes: &mut Notes,
) -> Result<Option<Vec<u8>>> {
    /// Length in bytes of the tables in a small JPEG. A packed JPEG does not store them.
    const TABLES: usize = 640;
    // Apart from its tables, a JPEG shrinks to 0.75 to 0.9 of its size when packed. If even 0.7 of the JPEG is not
    // smaller than the other result, packing would be in vain. Metadata may shrink to almost nothing, so they count as
    // nothing.
    let least = |whole: &Whole| whole.file.len().saturating_sub(TABLES + carried) / 10 * 7;
    let Some(whole) = whole.filter(|whole| made.len() > least(whole)) else {
        return Ok(None);
    };
    let packed = (whole.packer.pack)(job, &whole.file)?.filter(|packed| packed.len() <= made.len());
    if packed.is_some() {
        notes.add(whole.note.clone());
    }
    Ok(packed)
}

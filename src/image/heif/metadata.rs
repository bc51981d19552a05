//! Finds EXIF and XMP: the metadata items that describe the primary item (ISO/IEC 23008-12, annex A).

use super::items::{self, Id, Tables};
use crate::metadata::{MAX, Metadata, exif::PREFIX};
use convertd_core::job::Input;
use std::io;

/// Finds EXIF and XMP. The item of EXIF begins with an offset of 4 bytes to the EXIF data, counted from the end of
/// these 4 bytes.
pub(crate) fn find(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    let Ok(Some(tables)) = Tables::read(input) else {
        return Ok(());
    };
    if let Some((item, _)) = tables.descriptions(*b"Exif").next() {
        found.exif = whole(input, &tables, item)?.and_then(|block| {
            let (skipped, block) = block.split_first_chunk::<4>()?;
            let block = block.get(u32::from_be_bytes(*skipped) as usize..)?;
            Some(block.strip_prefix(PREFIX).unwrap_or(block).to_vec())
        });
    }
    let is_xmp = |(_, kind): &(Id, &[u8])| *kind == b"application/rdf+xml";
    if let Some((item, _)) = tables.descriptions(*b"mime").find(is_xmp) {
        found.xmp = whole(input, &tables, item)?;
    }
    Ok(())
}

/// The data of an item, unless it is too long.
fn whole(input: &mut dyn Input, tables: &Tables, item: Id) -> io::Result<Option<Vec<u8>>> {
    let Ok(extents) = tables.extents(item) else {
        return Ok(None);
    };
    let data = items::data(input, extents, MAX as u64 + 1)?;
    Ok(Some(data).filter(|data| data.len() <= MAX))
}

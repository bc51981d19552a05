//! Finds EXIF, XMP and the resolution in the directories of a TIFF file.

use crate::metadata::{
    Metadata, Resolution,
    exif::{Tree, XMP},
};
use convertd_core::job::Input;
use std::io;

/// Reads the EXIF tags of the first directory, as an EXIF structure of their own. BigTIFF is not supported.
pub(crate) fn find(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    found.resolution = Resolution::read(input);
    let mut tree = Tree::read(input);
    if let Some(tree) = &mut tree {
        found.xmp = tree.take(XMP);
    }
    found.exif = tree
        .filter(|tree| !tree.is_empty())
        .map(|tree| tree.block());
    Ok(())
}

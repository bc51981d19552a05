//! Finds EXIF, XMP and the resolution in the directories of a TIFF file.

use crate::metadata::{
    Metadata, Resolution,
    exif::{Tree, XMP},
};
use convertd_core::job::Input;
use std::io;

/// Finds the resolution, XMP, and the EXIF tags of the first directory, which become an EXIF structure of their own. In
/// a BigTIFF file, only the resolution is found.
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

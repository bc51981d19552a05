//! Finds EXIF and XMP in the directories of a TIFF file.

use crate::{
    image::metadata::{
        Metadata,
        exif::{Tree, XMP},
    },
    job::Input,
};
use std::io;

/// The EXIF tags of the first directory, as an EXIF structure of their own. BigTIFF is skipped.
pub(crate) fn find(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    let mut tree = Tree::read(input);
    if let Some(tree) = &mut tree {
        found.xmp = tree.take(XMP);
    }
    found.exif = tree
        .filter(|tree| !tree.is_empty())
        .map(|tree| tree.block());
    Ok(())
}

//! EXIF and XMP in the directories of a TIFF. Reads nothing else of it.

use crate::{
    image::metadata::{
        Metadata,
        exif::{Tree, XMP},
    },
    job::Input,
};
use std::io;

/// The tags of the first directory, as a structure of their own. BigTIFF is passed over.
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

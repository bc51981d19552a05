//! Writes Apple icons: a file with the usual sizes. Each is a square with the picture in its middle, stored as PNG,
//! which Mac OS X supports in icons since version 10.7. Only pictures below the smallest size are enlarged.

use super::entries::HEAD;
use crate::{icons, pixels::Rows, target::Extras};
use convertd_core::{
    error::{Error, Result},
    job::{Job, Notes, Output},
};

pub(crate) const QUALITY: &str = "no effect: the file holds sizes of 16, 32, 64, 128, 256, 512 and 1024 pixels, up to the size of the picture";

/// The largest side in pixels.
pub(crate) const LARGEST: u32 = 1024;

/// The smallest side in pixels, which every icon has.
const SMALLEST: u32 = 16;

/// The types of the entries, and the sides of their pictures in pixels.
const KINDS: [(&[u8; 4], u32); 7] = [
    (b"icp4", SMALLEST),
    (b"icp5", 32),
    (b"icp6", 64),
    (b"ic07", 128),
    (b"ic08", 256),
    (b"ic09", 512),
    (b"ic10", LARGEST),
];

/// Writes an icon with the usual sizes, each as PNG, up to the size of the picture.
pub(crate) fn write(
    job: &Job<'_>,
    rows: Box<dyn Rows + '_>,
    _: Extras,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let picture = rows.into_frame()?;
    let longer = picture.layout.width.max(picture.layout.height);
    let mut entries = Vec::new();
    for (kind, side) in KINDS {
        if side > longer.max(SMALLEST) {
            break;
        }
        job.check()?;
        let image = icons::png(&icons::square(&picture, side)?)?;
        entries.extend(kind);
        entries.extend((HEAD as u32 + image.len() as u32).to_be_bytes());
        entries.extend(image);
    }
    let len = (HEAD as u32 + entries.len() as u32).to_be_bytes();
    let head = [b"icns", &len[..]].concat();
    output
        .write_all(&head)
        .and_then(|()| output.write_all(&entries))
        .map_err(Error::unwritten)
}

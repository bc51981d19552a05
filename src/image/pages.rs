//! Files with several pictures: pages of a TIFF, entries of an icon. Selects a picture. The modules of the formats find
//! the pictures.

use convertd_core::error::{Error, Kind, Result};

/// A change to a file that makes a decoder read another picture than the first, for decoders that can only read the
/// first one. A patch consists of the position from which the file is read, and of bytes that replace others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patch {
    /// The offset of the picture in bytes, if the picture is a file within the file; otherwise 0. Other offsets are
    /// relative to this one.
    pub(crate) from: u64,
    /// The offset of the first replaced byte.
    pub(crate) start: u64,
    /// The bytes that replace those of the file.
    pub(crate) bytes: Vec<u8>,
}

/// The pictures of a file.
#[derive(Debug)]
pub(crate) struct Pages {
    /// The format's word for its pictures, singular and plural.
    pub(crate) called: [&'static str; 2],
    /// The patch with which the decoder reads each picture.
    pub(crate) patches: Vec<Patch>,
    /// The number of the default picture, counted from 1.
    pub(crate) default: u32,
    /// Whether the other pictures are lost. They are not lost if they are the same picture in other sizes.
    pub(crate) others_are_lost: bool,
}

/// A layer of a picture that is best stored as several layers, such as a photograph below and sharp letters above it.
#[cfg(feature = "document")]
#[derive(Clone, Debug)]
pub struct Layer {
    /// The patch with which the decoder reads this layer alone.
    pub(crate) patch: Patch,
    /// Width and height of the layer as multiples of the width and the height of the picture. A larger layer extends
    /// beyond the right and upper edges of the picture as it is stored.
    pub scale: (f64, f64),
}

/// An entry of the outline of a file with several pages.
#[cfg(feature = "document")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    /// Level in the outline, from 1 (outermost) to 64.
    pub level: u8,
    /// Title of the page in the outline, without control characters.
    pub title: String,
    /// Number of the page that the entry leads to, counted from 1; `None` if it leads to no page.
    pub page: Option<u32>,
}

/// The index, from 0, of the requested page, which is counted from 1. A `count` of 0 pages counts as 1. `called` is the
/// format's word for its pages, singular and plural.
///
/// Errors: [`Kind::BadInput`] if the file has no such page.
pub(crate) fn chosen(page: u32, count: u32, called: [&str; 2]) -> Result<usize> {
    if (1..=count.max(1)).contains(&page) {
        return Ok(page as usize - 1);
    }
    let there_are = match count {
        0 | 1 => "only one".into(),
        count => format!("{count} {}", called[1]),
    };
    Err(Error::new(
        Kind::BadInput,
        format!("page is {page}; the file has {there_are}"),
    ))
}

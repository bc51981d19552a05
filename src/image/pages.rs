//! Files with several pictures: pages of a TIFF, entries of an icon, frames of an animation. Says which one is meant, and
//! finds none of them.

use crate::error::{Error, Kind, Result};

/// What a decoder is made to see of a file: from which byte on, and some bytes instead of the file's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patch {
    /// Where the picture begins, if it is a file in the file. What follows counts from there.
    pub(crate) from: u64,
    /// Where the bytes stand.
    pub(crate) start: u64,
    pub(crate) bytes: Vec<u8>,
}

/// The pictures of a file.
#[derive(Debug)]
pub(crate) struct Pages {
    /// What the format calls them: one of them, and several.
    pub(crate) called: [&'static str; 2],
    /// What makes the decoder find each of them.
    pub(crate) patches: Vec<Patch>,
    /// The one that stands for the file if none is asked for, counted from 1.
    pub(crate) default: u32,
    /// Whether something is lost without the others, which are not the same picture in other sizes.
    pub(crate) others_are_lost: bool,
}

/// The index of a page that is asked for among `count`, which are `called` so.
///
/// Errors: [`Kind::BadInput`] if there is no such page.
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

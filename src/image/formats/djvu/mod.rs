//! DjVu (DjVu3, Lizardtech 2005): the row in the table of formats. A page consists of a background and a foreground in
//! wavelets (IW44), and a mask of shapes (JB2) that marks the pixels of the foreground; each may be missing. Writes
//! nothing.
//!
//! The crates `djvu-jb2`, `djvu-iw44` and `djvu-bzz` decode the three codings, and limit the work that a short file can
//! cause. Chunks, directories, colours and the text layer are read here. Pages that consist of shapes are decoded to
//! the same pixels as by `ddjvu` (DjVuLibre 3.5.28). Pages with colours differ from those of `ddjvu`, which enlarges
//! the background in another way.

mod chunks;
mod colours;
mod mask;
#[cfg(feature = "document")]
mod outline;
mod page;
#[cfg(feature = "ocr")]
mod text;
mod wavelets;

use crate::{
    metadata::{Metadata, Resolution},
    row::Row,
    source::Reader,
};
use convertd_core::{
    format::{Category, Format},
    job::Input,
};
use std::io;

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "djvu",
        aliases: &["djv"],
        category: Category::Image,
        description: "DjVu scan",
        media_type: "image/vnd.djvu",
        magic: &[
            &[(0, b"AT&TFORM"), (12, b"DJVU")],
            &[(0, b"AT&TFORM"), (12, b"DJVM")],
            &[(0, b"AT&TFORM"), (12, b"PM44")],
            &[(0, b"AT&TFORM"), (12, b"BM44")],
        ],
    },
    read: Some(Reader {
        pages: Some(chunks::pages),
        metadata: Some(find_metadata),
        #[cfg(feature = "document")]
        layers: Some(page::layers),
        #[cfg(feature = "document")]
        outline: Some(outline::read),
        #[cfg(feature = "ocr")]
        text: Some(text::read),
        ..Reader::of(page::open)
    }),
    write: None,
};

fn find_metadata(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    let file = chunks::File::open(input)?;
    if let Some(info) = page::Info::read(input, &file)? {
        found.resolution = Resolution::per_inch(info.density, info.density);
    }
    Ok(())
}

/// The error for a damaged file; `what` describes the damage.
fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

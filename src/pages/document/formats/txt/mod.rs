//! Plain text: read in any encoding of the WHATWG Encoding Standard, written as UTF-8. Interprets no markup; only line
//! ends and form feeds have a meaning.

mod read;
mod write;

pub(super) use read::paragraphs;

use crate::{
    coding::encoding,
    format::{Category, Format},
};
use convertd_tree::{
    options,
    row::{Row, Target},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "txt",
        aliases: &["text"],
        category: Category::Document,
        description: "Plain text",
        media_type: "text/plain; charset=utf-8",
        magic: &[],
    },
    recognise: Some(|head, _, extension| {
        let named = extension.is_some_and(|name| ROW.format.is_called(name));
        named && (encoding::is_wide(head) || !head.contains(&0))
    }),
    turns_pictures: true,
    read: Some(read::read),
    write: Some(Target {
        write: write::write,
        quality: "no effect",
        options: &[&options::TITLE, &options::TOC, &options::WRAP],
        resamples: false,
        frames: false,
        pictures: None,
        keeps_html: false,
        titled: false,
    }),
};

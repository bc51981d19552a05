//! Markdown: CommonMark 0.31.2 with GitHub's extensions (tables, strikethrough, task lists, autolinks, footnotes),
//! formulas between dollar signs, and YAML front matter. Never fetches the targets of links and pictures.

mod autolink;
mod emoji;
mod fenced;
mod head;
mod read;
mod write;

pub(super) use read::{PARSED, fill};

use crate::format::{Category, Format};
use convertd_tree::{
    options,
    row::{Row, Target},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "md",
        aliases: &["markdown", "mdown", "mkd", "gfm"],
        category: Category::Document,
        description: "Markdown (CommonMark and GitHub's extensions)",
        media_type: "text/markdown",
        magic: &[],
    },
    recognise: Some(|head, _, extension| {
        !head.contains(&0) && extension.is_some_and(|name| ROW.format.is_called(name))
    }),
    turns_pictures: true,
    read: Some(read::read),
    write: Some(Target {
        write: write::write,
        quality: "embedded pictures: low leaves them out, medium and high keep them, as data: links or as files (pictures)",
        options: &[
            &options::TITLE,
            &options::TOC,
            &options::WRAP,
            &write::media::PICTURES,
            &write::media::FOLDER,
        ],
        resamples: false,
        frames: false,
        pictures: None,
        keeps_html: true,
        titled: false,
    }),
};

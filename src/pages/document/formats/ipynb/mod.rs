//! Jupyter notebooks (nbformat 2 to 4): Markdown cells, and code cells with their outputs. Never runs code.

mod cells;
mod read;

use crate::format::{Category, Format};
use convertd_tree::row::Row;

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "ipynb",
        aliases: &[],
        category: Category::Document,
        description: "Jupyter notebook",
        media_type: "application/x-ipynb+json",
        magic: &[],
    },
    recognise: Some(|head, _, extension| {
        let begins = head.trim_ascii_start().starts_with(b"{");
        begins && extension.is_some_and(|name| ROW.format.is_called(name))
    }),
    turns_pictures: true,
    read: Some(read::read),
    write: None,
};

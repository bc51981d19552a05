//! Tables in YAML: a list with a map for each row. The syntax is parsed and written by [`data`].

use super::json::{
    read,
    write::{Frame, create},
};
use crate::{
    data,
    format::{Category, Format},
    options,
    row::{Row, Target},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "yaml",
        aliases: &["yml"],
        category: Category::Spreadsheet,
        description: "YAML, data or a list of maps",
        media_type: "application/yaml",
        magic: &[],
    },
    recognise: |_, _, extension| extension.is_some_and(|name| ROW.format.is_called(name)),
    open: |job, input, _| read::open_made(job, data::table(job, input)?),
    write: Some(Target {
        #[cfg(feature = "document")]
        whole: None,
        #[cfg(feature = "document")]
        pictures: &[],
        create: |_, output, _| create(output, Frame::Yaml),
        many: false,
        quality: "no effect: nothing is lost at any level",
        options: &[&options::SHEET, &options::SHEETS, &options::VALUES],
    }),
};

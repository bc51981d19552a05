//! What a file says about itself, as JSON: a conversion that only this program asks for, so that no list of formats has it. The names
//! are those that ExifTool gives the fields.

use super::{by_name, identify};
#[cfg(feature = "pdf")]
use crate::pdf;
use crate::{
    error::{Error, Result},
    format::{Category, Format},
    job::{Converter, Input, Job, Notes, Options, Output, Pair, Quality, Task},
    registry::Route,
};
use std::sync::LazyLock;

/// What is asked for.
static ABOUT: Format = Format {
    name: "about",
    aliases: &[],
    category: Category::Document,
    description: "What a file says about itself",
    media_type: "application/json",
    magic: &[],
};

static CONVERTER: Converter = Converter {
    name: "about",
    formats: Vec::new,
    pairs: Vec::new,
    recognise: |_, _, _| None,
    convert,
};

/// The task of asking a file about itself. `None` for formats that nobody asks.
pub fn about(
    input: &mut dyn Input,
    extension: Option<&str>,
) -> Result<Option<(Task, &'static Route)>> {
    let from = identify(input, extension)?;
    let task = Task {
        from: from.name.to_owned(),
        to: ABOUT.name.to_owned(),
        quality: Quality::default(),
        options: Options::default(),
        file_title: None,
    };
    Ok(route(&task).map(|route| (task, route)))
}

/// The route of such a task, if it is one.
pub(super) fn route(task: &Task) -> Option<&'static Route> {
    static OF_PDF: LazyLock<Option<Route>> = LazyLock::new(|| {
        let from = by_name("pdf")?;
        let pair = Pair {
            from,
            to: &ABOUT,
            quality: "",
            options: &[],
        };
        Some(Route {
            pair,
            converter: &CONVERTER,
        })
    });
    (task.to == ABOUT.name && task.from == "pdf")
        .then(|| OF_PDF.as_ref())
        .flatten()
}

#[cfg(feature = "pdf")]
fn convert(job: &Job<'_>, input: &mut dyn Input, output: &mut dyn Output) -> Result<Notes> {
    let (file, memory) = pdf::read::file::open_as_is(job, input)?;
    let about = pdf::edit::about(job, &file, memory);
    serde_json::to_writer(output, &about).map_err(|err| Error::unwritten(err.into()))?;
    Ok(Notes::default())
}

#[cfg(not(feature = "pdf"))]
fn convert(_: &Job<'_>, _: &mut dyn Input, _: &mut dyn Output) -> Result<Notes> {
    Err(Error::internal("no such conversion", ABOUT.name))
}

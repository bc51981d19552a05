//! Converts an HTML page to a picture: lays it out on one PDF page in memory, which is drawn like any other page.

use crate::{
    document::{self, WINDOW},
    error::Result,
    image::{
        LOSSLESS,
        drawing::{self, Tuning},
    },
    job::{Input, Job, MAX_SIZE, Notes, OptionSpec, Options, Output, Pair, Task},
};
use convertd_pdf::read::{file, pictures};
use std::io::Cursor;

/// Options of a conversion to a picture format with this tuning.
fn options(tuning: Tuning) -> &'static [&'static OptionSpec] {
    static ALL: [&OptionSpec; 6] = {
        let [width, dpi, background] = WINDOW;
        let [_, _, _, crop, _] = drawing::PLACES;
        [width, dpi, crop, background, &MAX_SIZE, &LOSSLESS]
    };
    match tuning {
        Tuning::None => &ALL[..4],
        Tuning::Scale => &ALL[..5],
        Tuning::ScaleOrLossless => &ALL,
    }
}

/// Pairs of HTML and each picture format.
pub(crate) fn pairs() -> impl Iterator<Item = Pair> {
    drawing::targets().map(|(to, quality, tuning)| Pair {
        from: document::html_format(),
        to,
        quality,
        options: options(tuning),
    })
}

/// Draws an HTML page.
///
/// Errors: the job is over, memory is not granted, or the picture would exceed the limit on pictures.
pub(crate) fn convert(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut page = Cursor::new(Vec::new());
    document::window(job, input, &mut page, notes)?;
    let task = Task {
        options: drawing_options(job.options()),
        ..job.task.clone()
    };
    let job = Job {
        task: &task,
        input_len: page.get_ref().len() as u64,
        ..*job
    };
    let pdf = file::open(&job, &mut page, notes)?;
    pictures::convert(&job, &pdf, output, notes)
}

/// Options for drawing the PDF page, which already has the width of the window.
fn drawing_options(asked: &Options) -> Options {
    let [width, dpi, _] = WINDOW;
    let specs = options(Tuning::ScaleOrLossless).iter().copied();
    let specs: Vec<_> = specs.filter(|spec| spec.name != width.name).collect();
    let mut options = asked.for_specs(&specs);
    // 96 pixels per inch are the default, if the client set no resolution.
    options.insert(dpi.name, "96");
    options
}

//! Conversion of a file to a place that is named.

use super::{
    Request, ask,
    place::STANDARD,
    progress::{self, Line, PAUSE},
    run::{self, Piece},
};
use crate::{
    cli::{
        Failure, Outcome,
        terminal::complain,
        work::{self, News},
    },
    engine::Finished,
    error::{Error, Kind, Result},
    format::{self, ARCHIVE_EXTENSION},
    registry,
};
use std::{
    io::{self, IsTerminal},
    path::Path,
    process::ExitCode,
};

pub(super) fn convert(input: &Path, output: &Path, request: &mut Request) -> Outcome {
    let (to, written) = match request.to.take() {
        Some(to) => {
            let written = format!("--to {to}");
            (to, written)
        }
        None => match format::extension(&output.to_string_lossy()) {
            Some(to) => (to, output.display().to_string()),
            None => {
                return Err(Failure::Usage(format!(
                    "{} has no extension that tells the format; name the format with --to",
                    output.display()
                )));
            }
        },
    };
    if work::target(&to, &written, None).is_err() {
        // The error names what can be made of the input, if that can be told.
        work::target(&to, &written, run::identify(input))?;
    }
    if ask::is_same(input, output) {
        return Err(Failure::Usage(format!(
            "{} would replace itself; name another output",
            input.display()
        )));
    }
    if output != Path::new(STANDARD) {
        match ask::about(output, request.force) {
            ask::Answer::Replace => {}
            ask::Answer::Keep => {
                complain(format_args!("{} stays as it is", output.display()));
                return Ok(ExitCode::FAILURE);
            }
            ask::Answer::Nobody => {
                return Err(Error::new(
                    Kind::BadInput,
                    format!(
                        "{} exists; --force replaces it, and --out-dir converts several files into a directory",
                        output.display()
                    ),
                )
                .into());
            }
        }
    }
    let finished = convert_here(input, output, &to, request)?;
    for note in &finished.notes.0 {
        complain(note);
    }
    if finished.notes.is_archive() && !is_named_archive(output) {
        complain(format_args!(
            "the result is a ZIP archive of {to} files, whatever {} is called",
            output.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn convert_here(input: &Path, output: &Path, to: &str, request: &Request) -> Result<Finished> {
    let piece = Piece::new(input, output, to, request)?;
    let shop = run::shop(request, 1)?;
    let mut line = Line::new();
    piece.submit(&shop, 0)?;
    let mut done = None;
    let finished = loop {
        match shop.news(PAUSE) {
            Some((_, News::Ended(result))) => break result,
            Some((_, News::Progress(progress))) => done = progress::per_cent(progress),
            None => {}
        }
        let seconds = line.began().elapsed().as_secs();
        line.show(|| match done {
            Some(done) => format!("{done} % of {} ({seconds} s)", input.display()),
            None => format!("converting {} ({seconds} s)", input.display()),
        });
    };
    line.clear();
    shop.close();
    let finished = finished?;
    piece.finish()?;
    Ok(finished)
}

/// Refuses to write what no terminal shows to one.
pub(super) fn check_terminal(output: &Path, request: &Request) -> Result<(), Failure> {
    let is_text = || {
        let to = format::normalise(request.to.as_deref().unwrap_or_default());
        let media_type = registry::by_name(&to).map_or("", |to| to.media_type);
        media_type.starts_with("text/")
            || ["json", "xml"].iter().any(|end| media_type.ends_with(end))
    };
    if output == Path::new(STANDARD) && io::stdout().is_terminal() && !is_text() {
        let text =
            "the result is not text for a terminal; name a file, or write it there with -o -";
        return Err(Failure::Usage(text.into()));
    }
    Ok(())
}

/// Returns whether the name of the output fits an archive.
fn is_named_archive(output: &Path) -> bool {
    let extension = format::extension(&output.to_string_lossy());
    output == Path::new(STANDARD) || extension.as_deref() == Some(ARCHIVE_EXTENSION)
}

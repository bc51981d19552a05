//! One file to a place that is named.

use super::{
    Request, ask,
    place::STANDARD,
    progress::{self, Line, PAUSE},
    run::{self, Piece},
};
use crate::{
    cli::{Failure, Outcome, terminal::complain, work::News},
    engine::Finished,
    error::Result,
    format::{self, ARCHIVE_EXTENSION},
    registry::{self, Terms},
};
use std::{path::Path, process::ExitCode};

pub(super) fn convert(input: &Path, output: &Path, request: &mut Request) -> Outcome {
    let to = request
        .to
        .take()
        .or_else(|| format::extension(&output.to_string_lossy()))
        .ok_or_else(|| {
            Failure::Usage(format!(
                "{} has no extension that tells the format; name the format with --to",
                output.display()
            ))
        })?;
    registry::target(&to, Terms::CommandLine)?;
    if !request.force && is_another_input(output, &to) {
        return Err(Failure::Usage(format!(
            "{} exists and is no {to} file by its name; --force replaces it, and --out-dir converts several files into a directory",
            output.display()
        )));
    }
    // Whoever cannot be asked has said it by naming the place.
    if output != Path::new(STANDARD) && ask::about(output, request.force) == ask::Answer::Keep {
        complain(format_args!("{} stays as it is", output.display()));
        return Ok(ExitCode::FAILURE);
    }
    let finished = work(input, output, &to, request)?;
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

fn work(input: &Path, output: &Path, to: &str, request: &Request) -> Result<Finished> {
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

/// Whether the output looks like the second of two inputs that a pattern of the shell stands for: it exists, and has the name of a
/// file in another format.
fn is_another_input(output: &Path, to: &str) -> bool {
    let extension = format::extension(&output.to_string_lossy());
    let named = extension.and_then(|extension| registry::by_name(&extension));
    named.is_some_and(|named| {
        !named.is_called(&format::normalise(to)) && named.name != ARCHIVE_EXTENSION
    }) && output.is_file()
}

/// Whether nobody takes the output for something other than an archive.
fn is_named_archive(output: &Path) -> bool {
    let extension = format::extension(&output.to_string_lossy());
    output == Path::new(STANDARD) || extension.as_deref() == Some(ARCHIVE_EXTENSION)
}

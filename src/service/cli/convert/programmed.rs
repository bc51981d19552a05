//! Conversions for another part of the program, such as `convertd mcp`, instead of a person: results are returned and
//! not printed.

use super::{
    CommandOptions,
    ask::{self, Replacing},
    report::ReportStyle,
    run::{self, Piece},
};
use crate::{
    cli::{
        Failure,
        scratch::nameless,
        work::{LocalConverters, News, Wanted},
    },
    config::Config,
    engine::Finished,
    error::{Error, Kind, Result},
};
use std::{
    io::{Read, Seek},
    path::{Path, PathBuf},
    time::Duration,
};

/// Limit on one wait for the end of a conversion, after which the next wait begins.
const PAUSE: Duration = Duration::from_secs(1);

/// A text and the notes about it.
pub(in crate::cli) struct Made {
    pub(in crate::cli) text: String,
    pub(in crate::cli) notes: Vec<String>,
}

/// Makes the options as the command line would, so that both use the same code.
fn options(wanted: Wanted, config: &Config, force: bool) -> Result<CommandOptions> {
    wanted.check().map_err(Failure::into_error)?;
    Ok(CommandOptions {
        wanted,
        config: config.clone(),
        force,
        manner: ReportStyle::Quiet,
        ..CommandOptions::default()
    })
}

/// Converts a file to another. Returns the files that were written, their size in bytes, and the notes.
pub(in crate::cli) fn file(
    (input, output): (&Path, &Path),
    target: &str,
    wanted: Wanted,
    config: &Config,
    force: bool,
) -> Result<(Vec<PathBuf>, u64, Vec<String>)> {
    let options = options(wanted, config, force)?;
    let replacing = Replacing::Files(force);
    ask::permit(output, replacing)?;
    let piece = Piece::new(input, output, target, None, &options)?;
    let finished = run::alone(&options, |converters| piece.submit(converters, 0), wait)?;
    let made = piece.finish(&finished, replacing)?;
    Ok((made.outputs, made.size, finished.notes.0))
}

/// Converts a file to a text of at most `most` bytes.
///
/// Errors: [`Kind::BadInput`] if the result is longer, or consists of several files; those of the conversion.
pub(in crate::cli) fn text_of(
    input: &Path,
    target: &str,
    wanted: Wanted,
    config: &Config,
    most: u64,
) -> Result<Made> {
    let options = options(wanted, config, false)?;
    let work = run::open(input, target, &options.wanted)?;
    let lost = |err| Error::storage("the result could not be stored", err);
    let mut output = nameless().map_err(lost)?;
    let file = output.try_clone().map_err(lost)?;
    let finished = run::alone(
        &options,
        |converters| converters.submit(0, &work, file),
        wait,
    )?;
    let size = output.metadata().map_err(lost)?.len();
    if size > most || finished.notes.is_archive() {
        let text = format!("the result has {size} bytes; name an output for it");
        return Err(Error::new(Kind::BadInput, text));
    }
    let mut bytes = Vec::new();
    output.rewind().map_err(lost)?;
    output.read_to_end(&mut bytes).map_err(lost)?;
    Ok(Made {
        text: String::from_utf8_lossy(&bytes).into_owned(),
        notes: finished.notes.0,
    })
}

/// Waits for the end of the only conversion that was submitted.
fn wait(converters: &LocalConverters) -> Result<Finished> {
    loop {
        if let Some((_, News::Ended(result))) = converters.news(PAUSE) {
            return result;
        }
    }
}

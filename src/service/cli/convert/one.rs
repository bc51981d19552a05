//! Converts one file, or several files to one, to a given path.

use super::{
    CommandOptions, ask,
    place::STANDARD,
    progress::{self, Line, PAUSE},
    report::Made,
    run::{self, Piece},
};
use crate::{
    cli::{
        Failure, Outcome,
        terminal::complain,
        work::{self, LocalConverters, News},
    },
    engine::Finished,
    error::Result,
    format::{self, Format},
    registry,
};
use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

/// Converts one file.
pub(super) fn convert(input: &Path, output: &Path, options: &mut CommandOptions) -> Outcome {
    let identified = || run::identify(input);
    let to = target(output, options, &identified)?;
    check_other(input, output)?;
    let made = converted(input, output, &to, options);
    report(&[input.to_owned()], output, made, options)
}

/// Converts several files to one.
#[cfg(feature = "pdf")]
pub(super) fn join(inputs: &[PathBuf], output: &Path, options: &mut CommandOptions) -> Outcome {
    let to = target(output, options, &|| None)?;
    for input in inputs {
        check_other(input, output)?;
    }
    #[cfg(feature = "document")]
    if options.media.is_some() {
        super::media::check(&to)?;
    }
    let force = options.force;
    let made = may_be_written(output, force)
        .and_then(|()| super::joined::convert(inputs, output, &to, options))
        .and_then(|(piece, finished)| Ok((piece.finish(&finished, force.into())?, finished)));
    report(inputs, output, made, options)
}

/// Refuses an output that is the input itself.
fn check_other(input: &Path, output: &Path) -> Result<(), Failure> {
    match ask::is_same(input, output) {
        true => Err(Failure::Usage(format!(
            "{} would replace itself; name another output",
            input.display()
        ))),
        false => Ok(()),
    }
}

/// The name of the target format: the value of `--to`, or the extension of the output.
///
/// Errors: [`Failure::Usage`] if it is missing or cannot be written. If it cannot be written, the error lists the
/// targets of the input's format, which `from` determines.
fn target(
    output: &Path,
    options: &mut CommandOptions,
    from: &dyn Fn() -> Option<&'static Format>,
) -> Result<String, Failure> {
    let (to, written) = match options.to.take() {
        Some(to) => {
            let written = format!("--to {to}");
            (to, written)
        }
        None => match format::extension(&output.to_string_lossy()) {
            Some(to) => (to, output.display().to_string()),
            None => {
                return Err(Failure::Usage(format!(
                    "{} has no extension that shows the format; name the format with --to",
                    output.display()
                )));
            }
        },
    };
    if work::target(&to, &written, None).is_err() {
        // The first call needs no input file. Only if that call fails, the input is opened, so that the error can list
        // the targets of its format.
        work::target(&to, &written, from())?;
    }
    Ok(to)
}

/// Reports the outcome for the inputs.
fn report(
    inputs: &[PathBuf],
    output: &Path,
    made: Result<(Made, Finished)>,
    options: &CommandOptions,
) -> Outcome {
    let inputs: Vec<String> = inputs.iter().map(|it| it.display().to_string()).collect();
    match made {
        Ok((made, finished)) => {
            let outcome = options.manner.made(&inputs, &made, &finished, false)?;
            if made.is_archive && options.manner.is_for_people() && output != Path::new(STANDARD) {
                let named = made.outputs[0].display();
                complain(format_args!("{named} is a ZIP archive of the results"));
            }
            Ok(outcome)
        }
        Err(error) => {
            options.manner.failed(&inputs, &error)?;
            Err(error.into())
        }
    }
}

/// Converts a file, and moves the result to its path.
fn converted(
    input: &Path,
    output: &Path,
    to: &str,
    options: &CommandOptions,
) -> Result<(Made, Finished)> {
    may_be_written(output, options.force)?;
    let piece = Piece::new(input, output, to, options.media.as_deref(), options)?;
    let finished = wait(&piece, &input.display().to_string(), options)?;
    let made = piece.finish(&finished, options.force.into())?;
    Ok((made, finished))
}

/// Checks that the output may be written. Standard output always may.
fn may_be_written(output: &Path, force: bool) -> Result<()> {
    match output == Path::new(STANDARD) {
        true => Ok(()),
        false => ask::permit(output, force.into()),
    }
}

/// Runs a conversion, and shows its progress.
pub(super) fn wait(piece: &Piece, label: &str, options: &CommandOptions) -> Result<Finished> {
    run::alone(
        options,
        |converters| piece.submit(converters, 0),
        |converters| news(converters, label),
    )
}

/// Waits for the end of the only conversion that was submitted, and shows its progress.
pub(super) fn news(converters: &LocalConverters, label: &str) -> Result<Finished> {
    let mut line = Line::new();
    let mut done = None;
    loop {
        match converters.news(PAUSE) {
            Some((_, News::Ended(result))) => return result,
            Some((_, News::Progress(progress))) => done = progress::per_cent(progress),
            None => {}
        }
        let elapsed = line.began().elapsed();
        let seconds = elapsed.as_secs();
        line.show(|| match done {
            Some(done) => format!(
                "{done} % of {label} ({seconds} s{})",
                progress::left(elapsed, done, 100)
            ),
            None => format!("converting {label} ({seconds} s)"),
        });
    }
}

/// Refuses to write binary data to a terminal.
pub(super) fn check_terminal(output: &Path, options: &CommandOptions) -> Result<(), Failure> {
    let is_text = || {
        let to = format::normalise(options.to.as_deref().unwrap_or_default());
        let media_type = registry::by_name(&to).map_or("", |to| to.media_type);
        media_type.starts_with("text/")
            || ["json", "xml"].iter().any(|end| media_type.ends_with(end))
    };
    if output == Path::new(STANDARD) && io::stdout().is_terminal() && !is_text() {
        let text = "the result is not text, and standard output is a terminal; name a file, or add -o - to write to the terminal";
        return Err(Failure::Usage(text.into()));
    }
    Ok(())
}

//! Joins several files into the pages of one PDF, in the given order. The files are packed into an archive, which the
//! converter of archives merges. A file with resources, such as a page with pictures, is converted to PDF before it is
//! packed: it is an archive itself, and converters do not open an archive inside an archive.

use super::{
    CommandOptions,
    one::{news, wait},
    place::{STANDARD, source},
    run::{self, Piece},
};
use crate::{
    cli::{archive_builder::ArchiveBuilder, scratch, work::PreparedFile},
    engine::Finished,
    error::{Error, Kind, Result},
    format,
};
use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

/// Number of digits before the name of an input. Members of the archive are merged in the order of their names, so the
/// number keeps the given order.
const DIGITS: usize = 4;

/// Converts the files, and returns the result, which has not been moved to its path yet.
pub(super) fn convert(
    inputs: &[PathBuf],
    output: &Path,
    to: &str,
    options: &mut CommandOptions,
) -> Result<(Piece, Finished)> {
    let mut parcel = ArchiveBuilder::new().map_err(unpacked)?;
    let mut notes = Vec::new();
    for (nth, input) in inputs.iter().enumerate() {
        let shown = input.display().to_string();
        let prepared = PreparedFile::part(
            source(input).map_err(|err| run::unreadable(input, err))?,
            run::name_and_folder(input),
            to,
            &options.wanted,
        );
        let prepared = prepared.map_err(|error| error.within(&shown))?;
        let name = input.file_name().filter(|_| input != Path::new(STANDARD));
        let name = name.unwrap_or("input".as_ref()).to_string_lossy();
        let (mut content, name) = match prepared.is_packed() {
            false => (prepared.into_input(), name.into_owned()),
            true => {
                let (made, finished) = alone(&prepared, &shown, options)?;
                notes.extend(
                    finished
                        .notes
                        .0
                        .into_iter()
                        .map(|it| format!("{shown}: {it}")),
                );
                let stem = format::title_of(&name, crate::document::pdf());
                (made, format!("{}.{to}", stem.as_deref().unwrap_or("page")))
            }
        };
        // A name from the command line may not add a directory to the archive, so slashes in it are replaced.
        let name = format!("{:0DIGITS$}/{}", nth + 1, name.replace('/', "_"));
        parcel.add(&name, &mut content).map_err(unpacked)?;
    }
    let (file, len) = parcel.finish().map_err(unpacked)?;
    options.wanted.join();
    let prepared = PreparedFile::new(file, len, (None, None), to, &options.wanted)?;
    let piece = Piece::of(prepared, output)?;
    let label = format!("{} files", inputs.len());
    let mut finished = wait(&piece, &label, options).map_err(plain_error)?;
    for note in &mut finished.notes.0 {
        *note = plain(note).to_owned();
    }
    finished.notes.extend(notes);
    Ok((piece, finished))
}

/// Converts one of the files by itself.
fn alone(
    prepared: &PreparedFile,
    shown: &str,
    options: &CommandOptions,
) -> Result<(File, Finished)> {
    let file = scratch::nameless().map_err(unpacked)?;
    let output = file.try_clone().map_err(unpacked)?;
    let finished = run::alone(
        options,
        |converters| converters.submit(0, prepared, output),
        |converters| news(converters, shown),
    )?;
    Ok((file, finished))
}

/// Removes the number before the name of an input from a remark.
fn plain(text: &str) -> &str {
    let (digits, rest) = text.split_at_checked(DIGITS).unwrap_or(("", text));
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    rest.strip_prefix('/').filter(|_| is_number).unwrap_or(text)
}

/// The error with the number removed from its message.
fn plain_error(error: Error) -> Error {
    match plain(error.message()) {
        text if text == error.message() => error,
        text => Error::new(error.kind(), text.to_owned()).because(error.reason()),
    }
}

fn unpacked(err: io::Error) -> Error {
    Error::new(Kind::Internal, "the files cannot be merged").caused_by(err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_before_names_are_not_shown() {
        for (text, expected) in [
            ("0001/a.pdf: cut", "a.pdf: cut"),
            ("a.pdf: cut", "a.pdf: cut"),
            ("2001 a", "2001 a"),
            ("é", "é"),
            ("", ""),
        ] {
            assert_eq!(plain(text), expected);
        }
    }
}

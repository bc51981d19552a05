//! Takes one file through a conversion: opens it, submits it, and puts the result at its path. Prints nothing.

#[cfg(feature = "document")]
use super::media;
use super::{
    CommandOptions,
    ask::{self, Replacing},
    place::{STANDARD, Target, source, unwritable},
    report::Made,
};
use crate::{
    cli::work::{LocalConverters, PreparedFile, Wanted},
    engine::{Finished, Settings},
    error::{Error, Kind, Result},
    format::{self, ARCHIVE_EXTENSION, Format},
    registry,
};
use std::{
    error,
    ffi::OsStr,
    fmt,
    fs::File,
    io::{self, BufReader},
    path::{Path, PathBuf},
    time::Duration,
};

/// Starts converters for `at_once` conversions at the same time, but not more than the configuration allows (one for
/// each core).
pub(super) fn start_converters(
    options: &CommandOptions,
    at_once: usize,
) -> Result<LocalConverters> {
    let config = &options.config;
    let converters = config.converters.min(at_once).max(1);
    LocalConverters::open(Settings {
        converters,
        stopped: 0,
        threads: config.converters,
        queue: converters,
        memory: config.memory,
        max_output: config.max_output,
        // No disk space is reserved, because the results belong to the caller.
        reserve: 0,
        // A person at the terminal can stop a long conversion, so the limit of a day is only for forgotten ones.
        base_time: Duration::from_secs(24 * 3600),
        time_per_mib: Duration::ZERO,
        isolation: config.isolation.clone(),
        fonts: config.fonts.clone(),
        languages: config.languages.clone(),
    })
}

/// Runs one conversion on converters of its own: `submit` passes it to them, and `wait` waits for its end.
pub(super) fn alone(
    options: &CommandOptions,
    submit: impl FnOnce(&LocalConverters) -> Result<()>,
    wait: impl FnOnce(&LocalConverters) -> Result<Finished>,
) -> Result<Finished> {
    let converters = start_converters(options, 1)?;
    let finished = submit(&converters).and_then(|()| wait(&converters));
    converters.close();
    finished
}

/// Opens a file, and recognises its format.
///
/// Errors: the file cannot be read or converted.
pub(super) fn open(from: &Path, target: &str, wanted: &Wanted) -> Result<PreparedFile> {
    let unreadable = |err| unreadable(from, err);
    let input = source(from).map_err(unreadable)?;
    let input_len = input.metadata().map_err(unreadable)?.len();
    if input_len == 0 {
        let text = format!("{} is empty", from.display());
        let cause = Unread(io::ErrorKind::UnexpectedEof.into());
        return Err(Error::new(Kind::BadInput, text).caused_by(cause));
    }
    let name = name_and_folder(from);
    PreparedFile::new(input, input_len, name, target, wanted)
}

/// A file that is ready to be converted, and the target of its result.
pub(super) struct Piece {
    prepared: PreparedFile,
    target: Target,
    place: PathBuf,
    /// The path of the input; `None` for an archive of several inputs.
    from: Option<PathBuf>,
    /// Directory for the pictures of a text.
    #[cfg(feature = "document")]
    media: Option<PathBuf>,
}

impl Piece {
    /// Opens a file, recognises its format, and prepares the target of its result. `media` is the directory for the
    /// pictures of a text.
    ///
    /// Errors: the file cannot be read or converted, or the result cannot be written.
    pub(super) fn new(
        from: &Path,
        to: &Path,
        target: &str,
        media: Option<&Path>,
        options: &CommandOptions,
    ) -> Result<Self> {
        #[cfg(feature = "document")]
        if media.is_some() {
            media::check(target)?;
        }
        let prepared = open(from, target, &options.wanted)?;
        let mut piece = Self::of(prepared, to)?;
        piece.from = Some(from.to_owned());
        #[cfg(feature = "document")]
        if let Some(directory) = media
            && media::set(&mut piece.prepared, directory, to)?
        {
            piece.media = Some(directory.to_owned());
        }
        #[cfg(not(feature = "document"))]
        let _ = media;
        Ok(piece)
    }

    /// Prepares the target for the result of `prepared`.
    ///
    /// Errors: the target cannot be written.
    pub(super) fn of(prepared: PreparedFile, place: &Path) -> Result<Self> {
        let target = Target::open(place).map_err(|err| unwritable(place, err))?;
        Ok(Self {
            prepared,
            target,
            place: place.to_owned(),
            from: None,
            #[cfg(feature = "document")]
            media: None,
        })
    }

    /// Submits the conversion. See [`LocalConverters::submit`].
    pub(super) fn submit(&self, converters: &LocalConverters, number: usize) -> Result<()> {
        let output = self.target.file();
        let output = output.map_err(|err| unwritable(&self.place, err))?;
        converters.submit(number, &self.prepared, output)
    }

    /// The length of the file in bytes.
    pub(super) fn input_len(&self) -> u64 {
        self.prepared.input_len()
    }

    /// Moves the result to its final path. If the result is an archive, and the path is that of a file without the
    /// extension of an archive, the numbered files in the archive are unpacked. If they are not numbered, the archive
    /// stays, and the path gets the extension of an archive. Pictures of a text are unpacked into their directory.
    ///
    /// Errors: an existing file may not be replaced, the archive would replace the input, or the result cannot be
    /// written.
    pub(super) fn finish(mut self, finished: &Finished, replacing: Replacing) -> Result<Made> {
        let about = |err| unwritable(&self.place, err);
        let file = self.target.file().map_err(about)?;
        let size = file.metadata().map_err(about)?.len();
        #[cfg(feature = "document")]
        if let Some(media) = self
            .media
            .as_deref()
            .filter(|_| finished.notes.is_archive())
        {
            let (outputs, size) = media::unpack(file, &self.place, media, replacing)?;
            return Ok(Made {
                outputs,
                size,
                is_archive: false,
            });
        }
        let extension = format::extension(&self.place.to_string_lossy());
        let is_called_so = extension.as_deref() == Some(ARCHIVE_EXTENSION);
        if finished.notes.is_archive() && self.target.is_place() && !is_called_so {
            #[cfg(feature = "document")]
            if let Some((outputs, size)) = super::parts::unpack(file, &self.place, replacing)? {
                return Ok(Made {
                    outputs,
                    size,
                    is_archive: false,
                });
            }
            let named = self.place.with_extension(ARCHIVE_EXTENSION);
            if self.from.is_some_and(|from| ask::is_same(&from, &named)) {
                let text = format!(
                    "{} would be replaced by its results; name another output",
                    named.display()
                );
                return Err(Error::new(Kind::BadInput, text));
            }
            ask::permit(&named, replacing)?;
            self.target.rename(&named);
            self.place = named;
        }
        let Self { target, place, .. } = self;
        target.finish().map_err(|err| unwritable(&place, err))?;
        Ok(Made {
            outputs: vec![place],
            size,
            is_archive: finished.notes.is_archive(),
        })
    }
}

/// Cause of an error about an input that was not read at all. The message of such an error names the input.
#[derive(Debug)]
struct Unread(io::Error);

impl fmt::Display for Unread {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl error::Error for Unread {}

/// Returns whether the message of an error already names the input.
pub(super) fn names_input(error: &Error) -> bool {
    error::Error::source(error).is_some_and(|cause| cause.is::<Unread>())
}

/// The error for an input that cannot be read.
pub(super) fn unreadable(from: &Path, err: io::Error) -> Error {
    let written = from.to_string_lossy();
    if ["http://", "https://"]
        .iter()
        .any(|it| written.starts_with(it))
    {
        let text = format!(
            "{written} is an address; this program downloads nothing, so save the file first"
        );
        return Error::new(Kind::BadInput, text).caused_by(Unread(err));
    }
    let text = format!("{} cannot be read", from.display());
    Error::new(Kind::Internal, text).caused_by(Unread(err))
}

/// The name of an input, and the directory that it lies in. Standard input has neither.
pub(super) fn name_and_folder(path: &Path) -> (Option<&OsStr>, Option<&Path>) {
    match path == Path::new(STANDARD) {
        true => (None, None),
        false => (path.file_name(), path.parent()),
    }
}

/// The format of a file, if it can be recognised without reading all of it.
pub(super) fn identify(path: &Path) -> Option<&'static Format> {
    // Errors in the file are reported when it is converted.
    let file = (path != Path::new(STANDARD)).then(|| source(path).ok())??;
    identify_file(path, file)
}

/// The format of an open file, if it can be recognised without reading all of it. `path` gives the extension.
pub(super) fn identify_file(path: &Path, file: File) -> Option<&'static Format> {
    let extension = format::extension(&path.to_string_lossy());
    registry::identify(&mut BufReader::new(file), extension.as_deref()).ok()
}

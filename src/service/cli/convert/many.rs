//! Converts many files, each by itself, on all cores: into a directory, or each beside its input. A failed file does
//! not affect the other files. The exit code and the last line of output report the failure.

use super::{
    CommandOptions, ask, place,
    progress::{self, Line, PAUSE},
    run::{self, Piece},
    walk::{self, Found, Source},
};
use crate::{
    cli::{
        Failure, Outcome, USAGE, error_text, names,
        terminal::complain,
        work::{LocalConverters, News},
    },
    engine::Finished,
    error::{Error, Kind, Result},
    format, numbered, registry,
};
use std::{
    collections::{HashMap, HashSet},
    fs::{self, File},
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Converts each input to a file of its own, several at the same time.
pub(super) fn convert(
    inputs: &[PathBuf],
    directory: Option<&Path>,
    to: &str,
    options: &CommandOptions,
) -> Outcome {
    if let Some(directory) = directory {
        make(directory)?;
    }
    let Found { sources, unread } = walk::sources(inputs, directory, options.recursive)?;
    let mut batch = Batch {
        sources: &sources,
        options,
        to,
        places: Places::new(directory, to),
        line: Line::new(),
        running: HashMap::new(),
        tally: Tally::default(),
    };
    let has_more = !unread.is_empty();
    for (folder, error) in unread {
        batch.fail(&folder, error.into())?;
    }
    let converters = run::start_converters(options, sources.len())?;
    for number in 0..sources.len() {
        batch.start(&converters, number)?;
    }
    while !batch.running.is_empty() {
        batch.wait(&converters)?;
    }
    converters.close();
    batch.line.clear();
    let seconds = batch.line.began().elapsed().as_secs_f64();
    // For a single file beside its input, no counts are printed.
    let is_batch = directory.is_some() || sources.len() > 1 || has_more;
    if options.manner.is_for_people() && is_batch {
        complain(batch.tally.summary(seconds));
    }
    Ok(batch.tally.code())
}

fn make(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory).map_err(|err| {
        let text = format!("{} cannot be created", directory.display());
        Error::new(Kind::Internal, text).caused_by(err)
    })
}

/// The state of one command with several inputs.
struct Batch<'a> {
    sources: &'a [Source],
    options: &'a CommandOptions,
    to: &'a str,
    /// Paths of the results.
    places: Places<'a>,
    /// The progress line.
    line: Line,
    /// Running conversions by the number of the input.
    running: HashMap<usize, Piece>,
    /// Counts for the summary.
    tally: Tally,
}

impl Batch<'_> {
    /// Submits a file. If all converters are busy, waits for the end of another conversion first.
    fn start(&mut self, converters: &LocalConverters, number: usize) -> Outcome {
        let source = &self.sources[number];
        let piece = match self.prepare(source) {
            Ok(Some(piece)) => piece,
            Ok(None) => {
                self.tally.left += 1;
                return Ok(ExitCode::SUCCESS);
            }
            Err(failure) => return self.fail(&source.path, failure),
        };
        loop {
            match piece.submit(converters, number) {
                Err(error) if error.kind() == Kind::Busy && !self.running.is_empty() => {
                    self.wait(converters)?;
                }
                Err(error) => return self.fail(&source.path, error.into()),
                Ok(()) => break,
            }
        }
        self.running.insert(number, piece);
        Ok(ExitCode::SUCCESS)
    }

    /// Opens a file and its output. `None` for a file that was found in a directory and need not be converted.
    fn prepare(&mut self, source: &Source) -> Result<Option<Piece>, Failure> {
        let refuse = |text: &str| Err(Failure::Usage(text.to_owned()));
        let input = &source.path;
        if source.is_found {
            // A file that cannot be read may be one that needs conversion, so it is reported as a failure.
            let file = place::source(input).map_err(|err| run::unreadable(input, err))?;
            if !self.is_wanted(input, file) {
                return Ok(None);
            }
        }
        if !self.options.recursive && input.is_dir() {
            return refuse("it is a directory; add --recursive to convert the files in it");
        }
        let place = self.places.of(source);
        self.line.clear();
        if ask::is_same(input, &place) {
            return refuse("it would replace itself; name another directory");
        }
        ask::permit(&place, self.options.force.into())?;
        if let Some(directory) = place.parent().filter(|_| source.is_found) {
            make(directory)?;
        }
        // Numbers of pictures begin anew in each text, so each of several texts gets a folder of its own.
        let media = self
            .options
            .media
            .clone()
            .map(|media| match self.sources.len() {
                1 => media,
                _ => self.places.folder(&media, &place),
            });
        let piece = Piece::new(input, &place, self.to, media.as_deref(), self.options)?;
        Ok(Some(piece))
    }

    /// Returns whether a found file can be converted to the target. If the results are put beside their inputs, this is
    /// false for a file that already has the target format.
    fn is_wanted(&self, input: &Path, file: File) -> bool {
        // A file with unrecognised content and the extension of a known format is damaged or empty. It must not be
        // skipped silently, so its conversion is tried, and fails with the reason.
        let named = || {
            let extension = format::extension(&input.to_string_lossy())?;
            registry::by_name(&extension)
        };
        let from = run::identify_file(input, file).or_else(named);
        let to = registry::by_name(&format::normalise(self.to));
        let Some((from, to)) = from.zip(to) else {
            return false;
        };
        let is_already = self.places.directory.is_none() && from == to;
        !is_already && registry::find(from, to).is_some()
    }

    /// Waits briefly for a conversion to end, moves its result to its path, and shows the progress.
    fn wait(&mut self, converters: &LocalConverters) -> Outcome {
        if let Some((number, News::Ended(result))) = converters.news(PAUSE)
            && let Some(piece) = self.running.remove(&number)
        {
            let input = &self.sources[number].path;
            let before = piece.input_len();
            let force = self.options.force;
            let made =
                result.and_then(|done: Finished| Ok((piece.finish(&done, force.into())?, done)));
            match made {
                Ok((made, done)) => {
                    self.tally.converted(before, made.size);
                    if !done.notes.0.is_empty() {
                        self.line.clear();
                    }
                    let inputs = [input.display().to_string()];
                    self.options.manner.made(&inputs, &made, &done, true)?;
                }
                Err(error) => {
                    self.fail(input, error.into())?;
                }
            }
        }
        let Tally {
            converted,
            failed,
            left,
            ..
        } = self.tally;
        let all = self.sources.len();
        let elapsed = self.line.began().elapsed();
        self.line.show(|| {
            let failures = match failed {
                0 => String::new(),
                failed => format!(", {failed} failed"),
            };
            let done = (converted + failed + left) as u64;
            let left = progress::left(elapsed, done, all as u64);
            format!("{converted} of {all} converted{failures}{left}")
        });
        Ok(ExitCode::SUCCESS)
    }

    /// Counts and reports a failed file. The other files are converted all the same.
    fn fail(&mut self, input: &Path, failure: Failure) -> Outcome {
        self.tally.failed += 1;
        self.tally.misused += usize::from(matches!(failure, Failure::Usage(_)));
        let error = failure.into_error();
        self.line.clear();
        let input = input.display().to_string();
        let about = match run::names_input(&error) {
            true => String::new(),
            false => format!("{input}: "),
        };
        complain(format_args!("{about}{}", error_text(&error)));
        self.options.manner.failed(&[input], &error)
    }
}

/// Chooses the paths of the results, which differ for any two inputs of the command.
struct Places<'a> {
    /// Directory of all results; `None` for the directory of each input.
    directory: Option<&'a Path>,
    extension: String,
    /// Paths that this command has chosen, in lower case, because some file systems ignore case.
    taken: HashSet<String>,
}

impl<'a> Places<'a> {
    fn new(directory: Option<&'a Path>, to: &str) -> Self {
        Self {
            directory,
            extension: format::normalise(to),
            taken: HashSet::new(),
        }
    }

    /// Path for the result of a source: its name with another extension, and with a number if an earlier result has
    /// that path.
    fn of(&mut self, source: &Source) -> PathBuf {
        let directory = match self.directory {
            Some(directory) => directory.join(&source.folder),
            None => source.path.parent().unwrap_or(Path::new("")).to_owned(),
        };
        let stem = source.path.file_stem().unwrap_or_default();
        // A subdirectory for results may not exist yet, so the limit is that of the directory above it.
        let longest = names::longest(self.directory.unwrap_or(&directory));
        let name = |end: &str| names::numbered(stem, end, &self.extension, longest);
        free(&mut self.taken, |end| directory.join(name(end)))
    }

    /// Folder in `directory` for the pictures of the text at `place`: the name of the text, with a number if an earlier
    /// text from another directory has the same name.
    fn folder(&mut self, directory: &Path, place: &Path) -> PathBuf {
        let stem = place.file_stem().unwrap_or_default().to_string_lossy();
        free(&mut self.taken, |end| {
            directory.join(format!("{stem}{end}"))
        })
    }
}

/// Finds the first path that this command has not taken yet, and takes it.
fn free(taken: &mut HashSet<String>, path: impl FnMut(&str) -> PathBuf) -> PathBuf {
    let take = |path: &PathBuf| taken.insert(path.to_string_lossy().to_lowercase());
    numbered::free(path, take)
}

/// Counts of converted, skipped and failed files.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    converted: usize,
    failed: usize,
    /// Failures that are mistakes on the command line.
    misused: usize,
    /// Files that were found in directories and skipped: of other formats, or already in the target format.
    left: usize,
    /// Total size of the inputs that were converted, in bytes.
    before: u64,
    /// Total size of the results, in bytes.
    after: u64,
}

impl Tally {
    fn converted(&mut self, before: u64, after: u64) {
        self.converted += 1;
        self.before += before;
        self.after += after;
    }

    /// Exit code of the program. Mistakes on the command line have a code of their own only if no file was converted,
    /// and all failures are such mistakes.
    fn code(&self) -> ExitCode {
        match self.failed {
            0 => ExitCode::SUCCESS,
            failed if failed == self.misused && self.converted == 0 => ExitCode::from(USAGE),
            _ => ExitCode::FAILURE,
        }
    }

    /// The last line for the user: converted, failed and skipped files, sizes and time.
    fn summary(&self, seconds: f64) -> String {
        let files = |count: usize| match count {
            1 => "1 file".to_owned(),
            count => format!("{count} files"),
        };
        let failed = match self.failed {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        };
        let left = match self.left {
            0 => String::new(),
            left => format!(
                ", {} skipped (of other formats, or already in the target format)",
                files(left)
            ),
        };
        if self.converted == 0 {
            return format!("no file converted{failed}{left}");
        }
        let [before, after] = [self.before, self.after].map(megabytes);
        format!(
            "{} converted{failed}{left}: {before} became {after} in {seconds:.1} s",
            files(self.converted)
        )
    }
}

/// A size for people, in powers of 1000.
pub(super) fn megabytes(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_named_after_their_inputs_and_never_share_a_name() {
        let check = |places: &mut Places<'_>, input: &str, folder: &str, expected: &str| {
            let source = Source {
                path: input.into(),
                folder: folder.into(),
                is_found: false,
            };
            assert_eq!(places.of(&source), Path::new(expected));
        };
        let mut places = Places::new(Some(Path::new("web")), ".JPG");
        check(&mut places, "in/a.heic", "", "web/a.jpg");
        check(&mut places, "in/b.tar.png", "", "web/b.tar.jpg");
        check(&mut places, "in/A.png", "", "web/A (2).jpg");
        check(&mut places, "other/a.heic", "", "web/a (3).jpg");
        check(&mut places, "in/c/a.heic", "c", "web/c/a.jpg");
        check(&mut places, ".hidden", "", "web/.hidden.jpg");
        let mut places = Places::new(None, "jpg");
        check(&mut places, "in/a.heic", "", "in/a.jpg");
        check(&mut places, "in/a.png", "", "in/a (2).jpg");
        check(&mut places, "a.png", "", "a.jpg");
        let [long, cut] = [255, 251].map(|len| "n".repeat(len));
        check(&mut places, &long, "", &format!("{cut}.jpg"));
    }

    #[test]
    fn the_summary_counts_files_and_bytes() {
        let mut tally = Tally::default();
        tally.converted(12_000_000, 950);
        assert_eq!(
            tally.summary(1.25),
            "1 file converted: 12.0 MB became 950 bytes in 1.2 s"
        );
        let none = Tally {
            failed: 1,
            ..Tally::default()
        };
        assert_eq!(none.summary(0.0), "no file converted, 1 failed");
        tally.failed = 2;
        tally.converted(0, 100_000);
        assert_eq!(
            tally.summary(0.0),
            "2 files converted, 2 failed: 12.0 MB became 100 kB in 0.0 s"
        );
    }
}

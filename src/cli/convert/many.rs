//! Many files into a directory, on all cores. A file that fails costs the others nothing; the exit code tells, and so does the last
//! line.

use super::{
    Request, ask, code,
    progress::{Line, PAUSE},
    run::{self, Piece},
};
use crate::{
    cli::{
        Outcome,
        terminal::complain,
        work::{News, Shop},
    },
    engine::Finished,
    error::{Error, Kind, Result},
    format::{self, ARCHIVE_EXTENSION},
};
use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

pub(super) fn convert(
    inputs: &[PathBuf],
    directory: &Path,
    to: &str,
    request: &Request,
) -> Outcome {
    fs::create_dir_all(directory).map_err(|err| {
        let text = format!("{} cannot be made", directory.display());
        Error::new(Kind::Internal, text).caused_by(err)
    })?;
    let mut batch = Batch {
        inputs,
        request,
        to,
        places: Places::new(directory, to),
        line: Line::new(),
        running: HashMap::new(),
        tally: Tally::default(),
    };
    let shop = run::shop(request, inputs.len())?;
    for number in 0..inputs.len() {
        batch.start(&shop, number);
    }
    while !batch.running.is_empty() {
        batch.wait(&shop);
    }
    shop.close();
    batch.line.clear();
    let seconds = batch.line.began().elapsed().as_secs_f64();
    complain(batch.tally.summary(seconds));
    Ok(code(batch.tally.failed))
}

/// The work of one command.
struct Batch<'a> {
    inputs: &'a [PathBuf],
    request: &'a Request,
    to: &'a str,
    places: Places<'a>,
    line: Line,
    /// Running conversions by the number of the input.
    running: HashMap<usize, (Piece, PathBuf)>,
    tally: Tally,
}

impl Batch<'_> {
    /// Begins with a file, as soon as there is room for it.
    fn start(&mut self, shop: &Shop, number: usize) {
        let input = &self.inputs[number];
        let begun = self.prepare(input).and_then(|(piece, place)| {
            loop {
                match piece.submit(shop, number) {
                    Err(error) if error.kind() == Kind::Busy && !self.running.is_empty() => {
                        self.wait(shop);
                    }
                    Err(error) => return Err(error),
                    Ok(()) => break,
                }
            }
            self.running.insert(number, (piece, place));
            Ok(())
        });
        if let Err(error) = begun {
            self.fail(input, &error);
        }
    }

    fn prepare(&mut self, input: &Path) -> Result<(Piece, PathBuf)> {
        let place = self.places.of(input);
        self.line.clear();
        let refuse = |text: String| Err(Error::new(Kind::BadInput, text));
        if ask::is_same(input, &place) {
            let input = input.display();
            return refuse(format!(
                "{input} would replace itself; name another directory"
            ));
        }
        match ask::about(&place, self.request.force) {
            ask::Answer::Replace => {}
            ask::Answer::Keep => return refuse(format!("{} stays as it is", place.display())),
            ask::Answer::Nobody => {
                return refuse(format!("{} exists; --force replaces it", place.display()));
            }
        }
        let piece = Piece::new(input, &place, self.to, self.request)?;
        Ok((piece, place))
    }

    /// Waits for news, and shows how far everything is.
    fn wait(&mut self, shop: &Shop) {
        if let Some((number, News::Ended(result))) = shop.news(PAUSE)
            && let Some((piece, place)) = self.running.remove(&number)
        {
            let input = &self.inputs[number];
            let before = piece.input_len();
            let force = self.request.force;
            match result.and_then(|finished| finish(piece, &place, force, finished)) {
                Ok((after, finished)) => {
                    self.tally.converted(before, after);
                    if !finished.notes.0.is_empty() {
                        self.line.clear();
                    }
                    for note in &finished.notes.0 {
                        complain(format_args!("{}: {note}", input.display()));
                    }
                }
                Err(error) => self.fail(input, &error),
            }
        }
        let Tally {
            converted, failed, ..
        } = self.tally;
        let all = self.inputs.len();
        self.line.show(|| {
            let failed = match failed {
                0 => String::new(),
                failed => format!(", {failed} failed"),
            };
            format!("{converted} of {all} converted{failed}")
        });
    }

    fn fail(&mut self, input: &Path, error: &Error) {
        self.tally.failed += 1;
        self.line.clear();
        let input = input.display().to_string();
        // Some messages begin with it.
        let about = match error.message().starts_with(&input) {
            true => String::new(),
            false => format!("{input}: "),
        };
        match error.kind() {
            // The message is complete without its cause, which is the codec's own error text.
            Kind::BadInput => complain(format_args!("{about}{}", error.message())),
            _ => complain(format_args!("{about}{error}")),
        }
    }
}

/// Puts a result into its place. An archive of several files gets the extension of archives, a name that was not checked before.
fn finish(piece: Piece, place: &Path, force: bool, finished: Finished) -> Result<(u64, Finished)> {
    let named = place.with_extension(ARCHIVE_EXTENSION);
    let is_archive = finished.notes.is_archive();
    if is_archive && !force && ask::is_taken(&named) {
        let text = format!("{} exists; --force replaces it", named.display());
        return Err(Error::new(Kind::BadInput, text));
    }
    let len = piece.finish()?;
    if is_archive {
        fs::rename(place, &named).map_err(|err| {
            let text = format!("{} cannot be written", named.display());
            Error::new(Kind::Internal, text).caused_by(err)
        })?;
    }
    Ok((len, finished))
}

/// The names of the results. Two inputs never have the same one.
struct Places<'a> {
    directory: &'a Path,
    extension: String,
    taken: HashSet<String>,
}

impl<'a> Places<'a> {
    fn new(directory: &'a Path, to: &str) -> Self {
        Self {
            directory,
            extension: format::normalise(to),
            taken: HashSet::new(),
        }
    }

    /// The name of the input with another extension, and with a number if an input before has the same name.
    fn of(&mut self, input: &Path) -> PathBuf {
        let stem = input.file_stem().unwrap_or_default().to_owned();
        let mut number = 1;
        loop {
            let mut name = stem.clone();
            if number > 1 {
                name.push(format!(" ({number})"));
            }
            name.push(format!(".{}", self.extension));
            if self.taken.insert(name.to_string_lossy().to_lowercase()) {
                return self.directory.join(name);
            }
            number += 1;
        }
    }
}

/// Counts of converted, skipped and failed files.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    converted: usize,
    failed: usize,
    /// Bytes of the inputs that were converted, and of their results.
    before: u64,
    after: u64,
}

impl Tally {
    fn converted(&mut self, before: u64, after: u64) {
        self.converted += 1;
        self.before += before;
        self.after += after;
    }

    fn summary(&self, seconds: f64) -> String {
        let files = |count: usize| match count {
            1 => "1 file".to_owned(),
            count => format!("{count} files"),
        };
        let failed = match self.failed {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        };
        if self.converted == 0 {
            return format!("no file converted{failed}");
        }
        let [before, after] = [self.before, self.after].map(megabytes);
        format!(
            "{} converted{failed}: {before} became {after} in {seconds:.1} s",
            files(self.converted)
        )
    }
}

fn megabytes(bytes: u64) -> String {
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
    fn results_are_called_like_their_inputs_and_never_alike() {
        let mut places = Places::new(Path::new("web"), ".JPG");
        let mut check = |input: &str, expected: &str| {
            assert_eq!(places.of(Path::new(input)), Path::new(expected));
        };
        check("in/a.heic", "web/a.jpg");
        check("in/b.tar.png", "web/b.tar.jpg");
        check("in/A.png", "web/A (2).jpg");
        check("other/a.heic", "web/a (3).jpg");
        check(".hidden", "web/.hidden.jpg");
    }

    #[test]
    fn the_summary_counts_what_there_is() {
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

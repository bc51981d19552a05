//! Steps after a conversion: the result gets its name, the original is moved, deleted or kept, and a failure is written
//! beside the file. Decides whether to try again: a fault of the file is permanent, while a fault of the disk may pass.
//! Starts no conversion.

use super::{
    file_version::Mark,
    folder::shown,
    journal::{State, Taken},
    main_loop::{Postponed, Running, Watch},
    orders::Originals,
    writers::Original,
};
use crate::{
    cli::terminal::harmless,
    engine::Finished,
    error::{Error, Kind, Result},
    format::ARCHIVE_EXTENSION,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Pause before another attempt, after a failure that the file did not cause.
pub(super) const RETRY: Duration = Duration::from_secs(5);
/// Limit on the attempts to convert a file whose failures it does not cause itself. A failure because of a full disk
/// does not count, because the disk may stay full for long.
const ATTEMPTS: u32 = 3;

/// The cause of a failure, which decides what happens next.
pub(super) enum FailureCause {
    /// The file cannot be converted; the reason is written beside it.
    File(Error),
    /// The cause is not in the file, and may pass.
    Passing(Error),
    /// The file was changed or removed, its result was removed, or the folder of results was replaced. The next listing
    /// of the folder decides what to do with the file.
    Changed,
    /// A process has the file open for writing.
    Open,
    /// All converters are busy.
    Busy,
}

impl Watch {
    /// Handles the end of the conversion `number`: gives its result a name, or acts on its failure.
    pub(super) fn end(&mut self, number: usize, result: Result<Finished>) {
        let Some(running) = self.running.remove(&number) else {
            return;
        };
        self.busy.remove(&running.path);
        let ended = result
            .map_err(failure_cause)
            .and_then(|finished| self.finish(&running, &finished));
        // If the journal mentions the part (the file that holds the result until it gets its name), the result is
        // complete, and gets its name later. Otherwise the part is useless.
        if !matches!(self.journal.state(&running.path), Some(State::Taken(_))) {
            self.output_folder.discard(&running.part);
        }
        self.judge(&running.path, ended);
    }

    /// Records in the journal which name the result gets, and then renames it. After a kill in between, the next run
    /// finishes the work from the journal.
    fn finish(&mut self, running: &Running, finished: &Finished) -> Result<(), FailureCause> {
        let Running { path, mark, .. } = running;
        // The file may have been written to during the conversion; the result would then be of half a file, or of two
        // versions.
        match Original::at(&self.orders.input.join(path), *mark).map_err(passing)? {
            Original::Same(lease) => drop(lease),
            Original::Open => return Err(FailureCause::Open),
            Original::Gone | Original::Changed => return Err(FailureCause::Changed),
        }
        let is_in_place = self.journal.is_in_place();
        if !is_in_place || !self.output_folder.has(&running.part, &running.output) {
            // The folder of results is another one now, and does not contain this part.
            return Err(FailureCause::Changed);
        }
        let len = running.output.metadata().map_err(passing)?.len();
        // The data must be on the disk before the original is removed.
        running.output.sync_data().map_err(passing)?;
        let extension = match finished.notes.is_archive() {
            true => ARCHIVE_EXTENSION,
            false => &running.target,
        };
        let own = match self.journal.state(path) {
            Some(State::Done { result, .. }) => Some(result.clone()),
            Some(State::Taken(_) | State::Failed(_)) | None => None,
        };
        let result = self.output_folder.result(path, extension, own.as_deref());
        let replaces = own.as_ref() == Some(&result);
        let original = match self.orders.originals {
            Originals::Move => self.output_folder.original(path),
            Originals::Delete | Originals::Keep => PathBuf::new(),
        };
        let taken = Taken {
            // Paths are chosen before the journal is written, because the next run must find the same ones.
            mark: *mark,
            part: running.part.clone(),
            result: result.clone(),
            original,
            replaces,
        };
        let state = State::Taken(taken.clone());
        self.journal.note(path, Some(state)).map_err(passing)?;
        self.journal.flush().map_err(passing)?;
        self.settle(path, taken)?;
        log::info!(
            "{} became {}, {len} bytes, in {:.1} s",
            shown(path),
            shown(&result),
            running.began.elapsed().as_secs_f64()
        );
        for remark in &finished.notes.0 {
            log::info!("{}: {}", shown(path), harmless(remark));
        }
        Ok(())
    }

    /// Gives a result its name, and moves, deletes or keeps the original. It may run again after an interruption: each
    /// step first checks whether it is done.
    pub(super) fn settle(&mut self, path: &Path, mut taken: Taken) -> Result<(), FailureCause> {
        if !self.name_result(path, &mut taken)? {
            // Somebody removed the result while the original was still there, so the file is converted again.
            self.journal.note(path, None).map_err(passing)?;
            return Err(FailureCause::Changed);
        }
        let whole = self.orders.input.join(path);
        let has_to_stay = |err: io::Error| {
            log::warn!(
                "{} was converted, but cannot be moved or deleted: {err}",
                shown(path)
            );
            false
        };
        let original = match Original::at(&whole, taken.mark) {
            Ok(original) => original,
            Err(err) => {
                has_to_stay(err);
                Original::Changed
            }
        };
        let gone = match (original, self.orders.originals) {
            (Original::Gone, _) => true,
            // A changed file stays: its new version is converted as well, and that result replaces this one.
            (Original::Changed, _) | (_, Originals::Keep) => false,
            (Original::Open, _) => {
                self.note_named(path, taken)?;
                return Err(FailureCause::Open);
            }
            (Original::Same(lease), Originals::Delete) => {
                let gone = fs::remove_file(&whole).or_else(unless_gone);
                drop(lease);
                gone.map(|()| true).unwrap_or_else(has_to_stay)
            }
            // The path is empty if the journal was written by a watch that kept or deleted originals. Then the original
            // stays.
            (Original::Same(_), Originals::Move) if taken.original == Path::new("") => false,
            (Original::Same(lease), Originals::Move) => {
                let is_same = || matches!(Original::at(&whole, taken.mark), Ok(Original::Same(_)));
                let gone = self.output_folder.put_away(&whole, &taken, is_same);
                drop(lease);
                match gone {
                    Err(err) if is_no_room(&err) => {
                        self.note_named(path, taken)?;
                        return Err(passing(err));
                    }
                    gone => gone.unwrap_or_else(has_to_stay),
                }
            }
        };
        let state = (!gone).then_some(State::Done {
            mark: taken.mark,
            result: taken.result,
        });
        self.journal.note(path, state).map_err(passing)
    }

    /// Gives a result its name, or another name if a different file has that one by now. Returns false if the result is
    /// gone.
    fn name_result(&mut self, path: &Path, taken: &mut Taken) -> Result<bool, FailureCause> {
        match self.output_folder.settle(taken) {
            Err(err) if err.kind() == io::ErrorKind::AlreadyExists => {}
            named => return named.map_err(unnamed),
        }
        let extension = taken.result.extension().unwrap_or_default();
        let extension = extension.to_string_lossy().into_owned();
        taken.replaces = false;
        taken.result = self.output_folder.result(path, &extension, None);
        let state = State::Taken(taken.clone());
        self.journal.note(path, Some(state)).map_err(unnamed)?;
        self.output_folder.settle(taken).map_err(unnamed)
    }

    /// Records that the result has its name, before the original is removed: if somebody removes the result later, the
    /// file is not converted again.
    fn note_named(&mut self, path: &Path, mut taken: Taken) -> Result<(), FailureCause> {
        taken.part = PathBuf::new();
        let noted = self.journal.note(path, Some(State::Taken(taken)));
        noted.map_err(passing)
    }

    /// Acts on the outcome of a conversion: forgets earlier failures, postpones the file, or reports it.
    pub(super) fn judge(&mut self, path: &Path, ended: Result<(), FailureCause>) {
        match ended {
            Ok(()) => {
                self.later.remove(path);
                self.silent.remove(path);
                self.notes.remove(path);
                if std::mem::take(&mut self.is_full) {
                    log::info!("the disk has free space again");
                }
            }
            Err(FailureCause::Changed | FailureCause::Busy) => self.is_stale = true,
            Err(FailureCause::Open) => {
                log::debug!("{} is open for writing", shown(path));
                let pause = self.folder.still().max(Duration::from_secs(1));
                self.put_off(path, 0, pause);
            }
            Err(FailureCause::File(error)) => self.fail(path, &error),
            // If a folder is missing, the file is not at fault. The folders are checked again before the next listing.
            Err(FailureCause::Passing(_)) if !self.is_in_place() => self.is_stale = true,
            Err(FailureCause::Passing(error)) if error.kind() == Kind::StorageFull => {
                if !std::mem::replace(&mut self.is_full, true) {
                    log::error!("the disk is full; waiting for free space: {error}");
                }
                self.pause();
            }
            Err(FailureCause::Passing(error)) => {
                if self.put_off(path, 1, RETRY) >= ATTEMPTS {
                    self.later.remove(path);
                    return self.fail(path, &error);
                }
                log::warn!("{} is tried again: {error}", shown(path));
            }
        }
    }

    /// Postpones a file until `pause` has passed, and counts `failures` more. Returns the number of its failures so
    /// far.
    fn put_off(&mut self, path: &Path, failures: u32, pause: Duration) -> u32 {
        let until = Instant::now() + pause;
        let later = self
            .later
            .entry(path.to_owned())
            .or_insert(Postponed { failures: 0, until });
        later.failures += failures;
        later.until = until;
        self.is_stale = true;
        later.failures
    }

    /// Writes the error beside the file, or among the results if the folder cannot be written, and records the failure.
    fn fail(&mut self, path: &Path, error: &Error) {
        log::warn!("{}: {}", shown(path), harmless(error.message()));
        if let Err(err) = self.notes.write(path, error) {
            log::error!(
                "the text file with the error of {} cannot be written: {err}",
                shown(path)
            );
            self.silent.insert(path.to_owned());
        }
        let metadata = self.orders.input.join(path).symlink_metadata();
        let Ok(metadata) = metadata else {
            return;
        };
        let state = State::Failed(Mark::of(&metadata));
        if let Err(err) = self.journal.note(path, Some(state)) {
            // Without the record, the file is tried once more, which does no harm.
            log::error!("the journal cannot be written: {err}");
            self.pause();
        }
    }
}

fn unless_gone(err: io::Error) -> io::Result<()> {
    match err.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(err),
    }
}

fn is_no_room(err: &io::Error) -> bool {
    matches!(
        err.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// Makes an error from an I/O error. `text` says what could not be done.
pub(super) fn about(text: &'static str, err: io::Error) -> Error {
    let kind = match is_no_room(&err) {
        true => Kind::StorageFull,
        false => Kind::Internal,
    };
    Error::new(kind, text).caused_by(err)
}

/// Classifies a failure to write the result as one that may pass.
pub(super) fn passing(err: io::Error) -> FailureCause {
    FailureCause::Passing(about("the result cannot be written", err))
}

fn unnamed(err: io::Error) -> FailureCause {
    FailureCause::Passing(about("the result cannot be renamed", err))
}

/// Decides by the kind of an error whether the file caused it.
pub(super) fn failure_cause(error: Error) -> FailureCause {
    match error.kind() {
        Kind::BadInput | Kind::OutOfMemory | Kind::TooLarge | Kind::TooSlow | Kind::NotFound => {
            FailureCause::File(error)
        }
        Kind::Disconnected
        | Kind::Conflict
        | Kind::Busy
        | Kind::Unavailable
        | Kind::StorageFull
        | Kind::Internal => FailureCause::Passing(error),
    }
}

//! The main loop of the watch: starts conversions up to a limit, and waits for reasons to list the folder again. Leaves
//! the renaming of results and originals to [`ending`](super::ending).

use super::{
    claim::Claim,
    ending::{FailureCause, RETRY, about, failure_cause, passing},
    file_version::Mark,
    folder::{Candidate, Folder, shown},
    ignored::Ignored,
    journal::{Journal, State},
    notes::Notes,
    orders::{Orders, Originals},
    output_folder::OutputFolder,
    writers::{Lease, open},
};
use crate::{
    cli::work::{LocalConverters, News, PreparedFile},
    config::Config,
    engine,
    error::{Error, Kind, Result},
    registry::{self, Terms},
    service,
};
use crossbeam_channel::{Receiver, select};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// Prefix of a folder name that names a format: `to-pdf`.
const TARGET_PREFIX: &str = "to-";
/// Minimum time between the beginnings of two listings of the folder.
const MIN_PAUSE: Duration = Duration::from_millis(100);
/// Minimum time from the beginning of a listing to the next listing, as a multiple of the duration of the listing:
/// listing a large folder takes at most a tenth of the time.
const PAUSE_FACTOR: u32 = 10;
/// Interval for checking that both folders are still the same ones.
const FOLDER_CHECK: Duration = Duration::from_secs(2);
/// Number by which vanished files with a known state may exceed the existing files. Beyond it, the states of vanished
/// files are removed.
const MAX_VANISHED: usize = 1000;

/// A running watch.
pub(super) struct Watch {
    // The parameters, and the two folders with their files.
    pub(super) orders: Orders,
    pub(super) folder: Folder,
    /// Lock on the watched folder.
    claim: Claim,
    pub(super) output_folder: OutputFolder,
    pub(super) journal: Journal,
    pub(super) notes: Notes,
    // The converters, and the limits on their work.
    converters: LocalConverters,
    max_len: u64,
    /// Number of conversions that may run or wait at the same time: twice the number of converters.
    room: usize,
    /// Complete files whose conversion has not started.
    ready: VecDeque<Candidate>,
    pub(super) running: HashMap<usize, Running>,
    /// Paths of the files in `running`.
    pub(super) busy: HashSet<PathBuf>,
    /// Number of the next conversion.
    next: usize,
    /// Postponed files, by their paths.
    pub(super) later: HashMap<PathBuf, Postponed>,
    /// Failed files whose error text could not be written.
    pub(super) silent: HashSet<PathBuf>,
    /// Whether the folder must be listed again although no change was reported.
    pub(super) is_stale: bool,
    /// End of a pause in which no conversion starts.
    pub(super) paused: Option<Instant>,
    /// Whether the log has already reported that the disk is full.
    pub(super) is_full: bool,
    /// Whether one of the folders is missing, or was replaced by another one.
    is_lost: bool,
}

/// A running conversion.
pub(super) struct Running {
    pub(super) path: PathBuf,
    pub(super) mark: Mark,
    pub(super) part: PathBuf,
    pub(super) output: File,
    pub(super) target: String,
    pub(super) began: Instant,
}

/// Postponement of a file.
pub(super) struct Postponed {
    /// Number of failures for reasons that may pass.
    pub(super) failures: u32,
    pub(super) until: Instant,
}

impl Watch {
    /// Starts the converters, and takes over the journal of an earlier run.
    pub(super) fn start(orders: Orders, ignored: Ignored, config: &Config) -> Result<Self> {
        let claim = claim(&orders)?;
        let (output_folder, journal) = open_output(&orders, 0)?;
        // The engine runs `at_once` conversions, and the same number may wait.
        let at_once = config.converters.max(1);
        let converters = LocalConverters::open(engine::Settings {
            queue: at_once,
            ..service::engine_settings(config)
        })?;
        log::info!(
            "watching {}, results go to {}",
            shown(&orders.input),
            shown(&orders.output)
        );
        if orders.to.is_none() {
            log::info!("without --to, only files in folders named to-FORMAT are converted");
        }
        Ok(Self {
            folder: Folder::new(orders.input.clone(), ignored, orders.settle),
            notes: Notes::new(&orders.input, &orders.output),
            orders,
            claim,
            output_folder,
            journal,
            converters,
            max_len: config.max_upload,
            room: 2 * at_once,
            ready: VecDeque::new(),
            running: HashMap::new(),
            busy: HashSet::new(),
            next: 0,
            later: HashMap::new(),
            silent: HashSet::new(),
            is_stale: false,
            paused: None,
            is_full: false,
            is_lost: false,
        })
    }

    /// Runs until `stopped` receives a message. Each round lists the folder, starts conversions, and waits.
    pub(super) fn run(mut self, stopped: &Receiver<()>) -> Result<()> {
        loop {
            let began = Instant::now();
            self.renew();
            let due = match self.is_lost {
                true => Some(began + FOLDER_CHECK),
                false => self.scan_folder(began),
            };
            let soonest = began + (began.elapsed() * PAUSE_FACTOR).max(MIN_PAUSE);
            let latest = began + self.folder.alarm().pause();
            let due = due.map_or(latest, |due| due.min(latest));
            if !self.wait(stopped, soonest, due.max(soonest)) {
                break;
            }
        }
        log::info!("stopping: unfinished conversions are restarted at the next start");
        self.converters.close();
        Ok(())
    }

    /// Waits for a reason to list the folder again, between `soonest` and `due`. Meanwhile ends finished conversions,
    /// and starts further ones. Returns false if the watch must end.
    fn wait(&mut self, stopped: &Receiver<()>, soonest: Instant, due: Instant) -> bool {
        let mut until = due;
        let mut next_check = Instant::now() + FOLDER_CHECK;
        loop {
            if std::mem::take(&mut self.is_stale) {
                until = soonest;
            }
            let now = Instant::now();
            if now >= next_check {
                if !self.is_in_place() {
                    return true;
                }
                next_check = now + FOLDER_CHECK;
            }
            let left = until.min(next_check).saturating_duration_since(now);
            let signals = self.folder.alarm().signals().clone();
            let news = self.converters.channel().clone();
            select! {
                recv(stopped) -> _ => return false,
                recv(signals) -> _ => until = soonest,
                recv(news) -> news => if let Ok((number, News::Ended(result))) = news {
                    self.end(number, result);
                    self.fill();
                },
                default(left) => if Instant::now() >= until {
                    return true;
                },
            }
        }
    }

    /// Returns whether both folders are still the same.
    pub(super) fn is_in_place(&self) -> bool {
        self.claim.is_of(&self.orders.input) && self.journal.is_in_place()
    }

    /// If a folder was replaced (created again, renamed, or mounted over), switches to the one that is at its path now.
    /// Does not create a missing folder, because it may be on a disk that is not mounted.
    fn renew(&mut self) {
        if self.is_in_place() {
            self.is_lost = false;
            return;
        }
        let renewed = self.renew_input().and_then(|()| self.renew_output());
        match renewed {
            Ok(()) => self.is_lost = false,
            Err(error) => {
                if !std::mem::replace(&mut self.is_lost, true) {
                    log::error!("{error}; waiting for the folder");
                }
            }
        }
    }

    /// Locks the watched folder again, if it is another one now.
    fn renew_input(&mut self) -> Result<()> {
        if !self.claim.is_of(&self.orders.input) {
            self.claim = claim(&self.orders)?;
            self.folder.restart();
            log::warn!(
                "{} was replaced by another folder",
                shown(&self.orders.input)
            );
        }
        Ok(())
    }

    /// Opens the journal again if the folder of results has been replaced by another one.
    fn renew_output(&mut self) -> Result<()> {
        if self.journal.is_in_place() {
            return Ok(());
        }
        if let Err(err) = fs::read_dir(&self.orders.output) {
            return Err(unusable(&self.orders.output, err));
        }
        let (output_folder, journal) = open_output(&self.orders, self.output_folder.next())?;
        (self.output_folder, self.journal) = (output_folder, journal);
        log::warn!(
            "{} was replaced by another folder; results are written into the new one",
            shown(&self.orders.output)
        );
        Ok(())
    }

    /// Lists the folder, and starts conversions. Returns the moment by which the folder must be listed again, if one is
    /// known.
    fn scan_folder(&mut self, now: Instant) -> Option<Instant> {
        if let Some(until) = self.paused {
            if until > now {
                return Some(until);
            }
            self.paused = None;
        }
        self.settle_taken(now);
        let (journal, busy, notes, silent) = (&self.journal, &self.busy, &self.notes, &self.silent);
        let named = self.orders.to.is_some();
        // A file needs no conversion now in four cases: it is being converted; its target is unknown, because neither
        // `--to` nor a folder above it names a format; this version of it was converted or has failed; or only the
        // steps after its conversion remain.
        let is_settled = |path: &Path, mark: Mark| match journal.state(path) {
            _ if busy.contains(path) || !named && target_of(path).is_none() => true,
            // Deleting the error text is the user's request to try again.
            Some(State::Failed(failed)) => {
                *failed == mark && (silent.contains(path) || notes.is_there(path))
            }
            Some(State::Done { mark: done, .. }) => *done == mark,
            Some(State::Taken(_)) => true,
            None => false,
        };
        let mut found = self.folder.scan(now, is_settled);
        let waits = |path: &Path| self.later.get(path).is_some_and(|later| later.until > now);
        found.candidates.retain(|candidate| !waits(&candidate.path));
        self.ready = found.candidates.into();
        self.fill();
        let known = self.journal.len().max(self.later.len());
        if known > 2 * found.files + MAX_VANISHED && found.files > 0 {
            self.prune();
        }
        let later = self.later.values().map(|later| later.until);
        let due = later.filter(|until| *until > now).chain(found.due).min();
        self.paused.or(due)
    }

    /// Continues with files whose results are complete but do not have their names yet. Postponed files wait.
    fn settle_taken(&mut self, now: Instant) {
        for (path, taken) in self.journal.taken() {
            if self.later.get(&path).is_none_or(|later| later.until <= now) {
                let settled = self.settle(&path, taken);
                self.judge(&path, settled);
            }
        }
    }

    /// Removes the state of files that no longer exist.
    fn prune(&mut self) {
        if let Err(err) = forget(&mut self.journal, &self.orders.input) {
            log::error!("the journal cannot be written: {err}");
            self.pause();
        }
        let root = &self.orders.input;
        let is_there = |path: &Path| root.join(path).symlink_metadata().is_ok();
        self.later.retain(|path, _| is_there(path));
        self.silent.retain(|path| is_there(path));
    }

    /// Starts to convert complete files, up to the limit on conversions.
    pub(super) fn fill(&mut self) {
        while self.running.len() < self.room
            && self.paused.is_none()
            && let Some(candidate) = self.ready.pop_front()
        {
            let path = candidate.path.clone();
            match self.begin(candidate) {
                Ok(()) => {}
                // A converter will be free soon, and the next listing finds the file again.
                Err(FailureCause::Busy) => {
                    self.is_stale = true;
                    break;
                }
                Err(trouble) => self.judge(&path, Err(trouble)),
            }
        }
    }

    /// Starts the conversion of a candidate, unless the file has changed since the listing.
    fn begin(&mut self, candidate: Candidate) -> Result<(), FailureCause> {
        let Candidate { path, mark } = candidate;
        let target = match &self.orders.to {
            Some(to) => to.clone(),
            None => target_of(&path).unwrap_or_default(),
        };
        registry::target(&target, Terms::CommandLine).map_err(FailureCause::File)?;
        let whole = self.orders.input.join(&path);
        let input = open(&whole).map_err(|err| match err.kind() {
            io::ErrorKind::NotFound => FailureCause::Changed,
            _ => FailureCause::File(about("the file cannot be read", err)),
        })?;
        let lease = input.try_clone().map_err(passing).map(Lease::take)?;
        let found = input.metadata();
        if !found.is_ok_and(|found| found.is_file() && Mark::of(&found) == mark) {
            return Err(FailureCause::Changed);
        }
        // The lease is released immediately, so that no program has to wait until the conversion ends. When the
        // conversion has ended, the mark shows whether the file has changed.
        match lease {
            Some(lease) => drop(lease),
            None => return Err(FailureCause::Open),
        }
        let refuse = |text: String| Err(FailureCause::File(Error::new(Kind::BadInput, text)));
        match mark.len {
            0 => return refuse("the file is empty".into()),
            len if len > self.max_len => {
                return refuse(format!(
                    "the file has {len} bytes; the limit is {} (--max-upload)",
                    self.max_len
                ));
            }
            _ => {}
        }
        let prepared = PreparedFile::new(
            input,
            mark.len,
            (path.file_name(), whole.parent()),
            &target,
            &self.orders.wanted,
        )
        .map_err(failure_cause)?;
        let (part, output) = self.output_folder.begin().map_err(passing)?;
        let handed = output.try_clone().map_err(passing).and_then(|output| {
            let submitted = self.converters.submit(self.next, &prepared, output);
            submitted.map_err(|error| match error.kind() {
                Kind::Busy => FailureCause::Busy,
                _ => FailureCause::Passing(error),
            })
        });
        if let Err(trouble) = handed {
            self.output_folder.discard(&part);
            return Err(trouble);
        }
        self.busy.insert(path.clone());
        let running = Running {
            path,
            mark,
            part,
            output,
            target,
            began: Instant::now(),
        };
        self.running.insert(self.next, running);
        self.next += 1;
        Ok(())
    }

    /// Starts no conversion for [`RETRY`].
    pub(super) fn pause(&mut self) {
        self.paused = Some(Instant::now() + RETRY);
        self.is_stale = true;
    }
}

/// Locks the watched folder.
fn claim(orders: &Orders) -> Result<Claim> {
    let share = orders.originals == Originals::Keep;
    Claim::new(&orders.input, share).map_err(|err| match err.kind() {
        io::ErrorKind::WouldBlock => {
            let text = format!(
                "another watch takes files from {}; several may share a folder if all have --originals keep",
                orders.input.display()
            );
            Error::new(Kind::Conflict, text)
        }
        _ => {
            let text = format!("{} cannot be watched", orders.input.display());
            Error::new(Kind::Internal, text).caused_by(err)
        }
    })
}

/// Opens the working folder and the journal in the folder of results, and deletes parts of an earlier run that the
/// journal does not mention. `next` must be larger than the numbers of all earlier parts of this process.
fn open_output(orders: &Orders, next: u64) -> Result<(OutputFolder, Journal)> {
    let failed = |err| unusable(&orders.output, err);
    let mut output_folder = OutputFolder::new(orders.output.clone(), next).map_err(failed)?;
    let mut journal = Journal::open(&output_folder.own()).map_err(|err| match err.kind() {
        io::ErrorKind::WouldBlock => {
            let text = format!("another watch writes to {}", orders.output.display());
            Error::new(Kind::Conflict, text)
        }
        _ => failed(err),
    })?;
    // Only parts that the journal mentions are complete, so all others are deleted.
    forget(&mut journal, &orders.input).map_err(failed)?;
    let taken = journal.taken();
    let parts: Vec<&Path> = taken.iter().map(|(_, taken)| &*taken.part).collect();
    output_folder.sweep(&parts).map_err(failed)?;
    Ok((output_folder, journal))
}

/// Removes files from the journal that are no longer in the folder `root`, except those whose results are complete but
/// not yet renamed.
fn forget(journal: &mut Journal, root: &Path) -> io::Result<()> {
    // An empty folder may be a mount point whose file system is not mounted, so nothing is removed then.
    if !fs::read_dir(root).is_ok_and(|mut entries| entries.next().is_some()) {
        return Ok(());
    }
    let is_there = |path: &Path| root.join(path).symlink_metadata().is_ok();
    journal.retain(|path, state| matches!(state, State::Taken(_)) || is_there(path))
}

fn unusable(output: &Path, err: io::Error) -> Error {
    let text = format!("{} cannot be used", output.display());
    Error::new(Kind::Internal, text).caused_by(err)
}

/// The format that the innermost folder with a name such as `to-pdf` names. `None` if there is no such folder.
fn target_of(path: &Path) -> Option<String> {
    let folders = path.parent()?.iter().rev();
    let mut names = folders.filter_map(|name| name.to_str()?.strip_prefix(TARGET_PREFIX));
    names.next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_forgets_files_that_no_longer_exist() {
        let id = crate::id::ConversionId::random().unwrap();
        let root = std::env::temp_dir().join(format!("convertd-round-{id}"));
        let (input, own) = (root.join("in"), root.join("own"));
        fs::create_dir_all(&input).unwrap();
        fs::create_dir(&own).unwrap();
        fs::write(input.join("there"), "").unwrap();
        let mut journal = Journal::open(&own).unwrap();
        let failed = State::Failed("5:0:0".parse().unwrap());
        for name in ["there", "gone"] {
            let noted = journal.note(Path::new(name), Some(failed.clone()));
            noted.unwrap();
        }
        forget(&mut journal, &input).unwrap();
        assert_eq!(journal.len(), 1);
        assert_eq!(journal.state(Path::new("there")), Some(&failed));
        // An empty folder may be a mount point whose file system is not mounted.
        fs::remove_file(input.join("there")).unwrap();
        forget(&mut journal, &input).unwrap();
        assert_eq!(journal.len(), 1);
        fs::remove_dir_all(root).unwrap();
    }
}

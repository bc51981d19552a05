//! The watch itself: begins conversions while there is room, and does with results and originals what was ordered. Decides what is
//! tried again: what is wrong with a file stays wrong, what is wrong with the disk may pass.

use super::{
    folder::{Candidate, Folder, NOTE, shown},
    journal::{Journal, State, Taken},
    mark::Mark,
    orders::{Orders, Originals},
    places::Places,
};
use crate::{
    cli::{
        terminal::harmless,
        work::{News, Shop, Work},
    },
    config::Config,
    engine::Finished,
    error::{Error, Kind, Result},
    format::ARCHIVE_EXTENSION,
    registry::{self, Terms},
    service,
};
use crossbeam_channel::{Receiver, select};
use rustix::fs::{CWD, Mode, OFlags, openat};
use std::{
    collections::{HashMap, HashSet, VecDeque},
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// The beginning of a folder's name that names a format.
const TARGET: &str = "to-";
/// How long is waited before something is tried again that is not the file's fault.
const RETRY: Duration = Duration::from_secs(5);
/// How often a file is tried that fails for such a reason, but for a full disk, which may stay full for long.
const ATTEMPTS: u32 = 3;
/// The shortest time between two looks.
const BREATH: Duration = Duration::from_millis(100);
/// How much longer than a look the pause after it is, so that a large folder costs little.
const SHARE: u32 = 10;

/// A watch that is under way.
pub(super) struct Watch {
    orders: Orders,
    folder: Folder,
    places: Places,
    journal: Journal,
    shop: Shop,
    max_len: u64,
    /// Conversions at once: those that run, and as many that wait.
    room: usize,
    /// What stands still and has yet to be begun.
    ready: VecDeque<Candidate>,
    running: HashMap<usize, Running>,
    /// The paths of what runs.
    busy: HashSet<PathBuf>,
    next: usize,
    /// Failures that may pass, by the path of the file.
    attempts: HashMap<PathBuf, u32>,
    /// Whether something has changed that nobody tells of.
    is_stale: bool,
    /// Until when nothing is begun.
    paused: Option<Instant>,
    /// Whether it has been said that there is no room on the disk.
    is_full: bool,
}

struct Running {
    path: PathBuf,
    mark: Mark,
    part: PathBuf,
    output: File,
    target: String,
    began: Instant,
}

/// What may go wrong with a file.
enum Trouble {
    /// The file is to blame, and a text beside it says so.
    File(Error),
    /// Something else is to blame, and it may pass.
    Passing(Error),
    /// The file has changed or gone; there will be another look at it.
    Changed,
}

impl Watch {
    /// Starts the converters, and finishes what an earlier run has begun.
    pub(super) fn start(orders: Orders, config: &Config) -> Result<Self> {
        let failed = |err: io::Error| {
            let text = format!("{} cannot be used", orders.output.display());
            Error::new(Kind::Internal, text).caused_by(err)
        };
        let mut places = Places::new(orders.output.clone()).map_err(failed)?;
        let mut journal = Journal::open(&places.own()).map_err(|err| match err.kind() {
            io::ErrorKind::WouldBlock => {
                let text = format!("another watch writes to {}", orders.output.display());
                Error::new(Kind::Conflict, text)
            }
            _ => failed(err),
        })?;
        let root = orders.input.clone();
        let is_there = |path: &Path| root.join(path).symlink_metadata().is_ok();
        // A folder with nothing in it may be one that is not mounted yet.
        if fs::read_dir(&root).is_ok_and(|mut entries| entries.next().is_some()) {
            journal
                .retain(|path, state| matches!(state, State::Taken(_)) || is_there(path))
                .map_err(failed)?;
        }
        let taken = journal.taken();
        let parts: Vec<&Path> = taken.iter().map(|(_, taken)| &*taken.part).collect();
        places.sweep(&parts).map_err(failed)?;
        let shop = Shop::open(service::engine_settings(config))?;
        log::info!(
            "watching {}, results go to {}",
            shown(&orders.input),
            shown(&orders.output)
        );
        if orders.to.is_none() {
            log::info!("there is no --to: only what is in folders named to-FORMAT is converted");
        }
        let mut watch = Self {
            folder: Folder::new(orders.input.clone()),
            orders,
            places,
            journal,
            shop,
            max_len: config.max_upload,
            room: 2 * config.converters.max(1),
            ready: VecDeque::new(),
            running: HashMap::new(),
            busy: HashSet::new(),
            next: 0,
            attempts: HashMap::new(),
            is_stale: false,
            paused: None,
            is_full: false,
        };
        for (path, taken) in taken {
            let settled = watch.settle(&path, taken);
            watch.judge(&path, settled.map_err(Trouble::Passing));
        }
        Ok(watch)
    }

    /// Converts until something comes from `stopped`.
    pub(super) fn run(mut self, stopped: &Receiver<()>) -> Result<()> {
        loop {
            let began = Instant::now();
            let due = self.look(began);
            let soonest = began + (began.elapsed() * SHARE).max(BREATH);
            let latest = began + self.folder.alarm().pause();
            let due = due.map_or(latest, |due| due.min(latest));
            if !self.wait(stopped, soonest, due.max(soonest)) {
                break;
            }
        }
        log::info!("stopping: what is under way is begun anew next time");
        self.shop.close();
        Ok(())
    }

    /// Waits for a reason to look again, until `due` at the latest, and `soonest` at the earliest. Ends what has been converted
    /// meanwhile, and begins what can be begun. Whether to go on.
    fn wait(&mut self, stopped: &Receiver<()>, soonest: Instant, due: Instant) -> bool {
        let mut until = due;
        loop {
            if std::mem::take(&mut self.is_stale) {
                until = soonest;
            }
            let left = until.saturating_duration_since(Instant::now());
            let stirred = self.folder.alarm().stirred().clone();
            let news = self.shop.channel().clone();
            select! {
                recv(stopped) -> _ => return false,
                recv(stirred) -> _ => until = soonest,
                recv(news) -> news => if let Ok((number, News::Ended(result))) = news {
                    self.end(number, result);
                    self.fill();
                },
                default(left) => return true,
            }
        }
    }

    /// Looks at the folder, and begins what can be begun. When it must be looked at again at the latest, if that is known.
    fn look(&mut self, now: Instant) -> Option<Instant> {
        if let Some(until) = self.paused {
            if until > now {
                return Some(until);
            }
            self.paused = None;
        }
        for (path, taken) in self.journal.taken() {
            let settled = self.settle(&path, taken);
            self.judge(&path, settled.map_err(Trouble::Passing));
        }
        let (root, journal, busy) = (&self.orders.input, &self.journal, &self.busy);
        let (named, places) = (self.orders.to.is_some(), &self.orders.output);
        let is_settled = |path: &Path, mark: Mark| match journal.state(path) {
            _ if busy.contains(path) || !named && target_of(path).is_none() => true,
            // The text was taken away: try again.
            Some(State::Failed(failed)) => {
                *failed == mark && [root, places].iter().any(|at| note(at, path).exists())
            }
            Some(State::Done { mark: done, .. }) => *done == mark,
            Some(State::Taken(_)) => true,
            None => false,
        };
        let found = self.folder.look(now, is_settled);
        self.ready = found.candidates.into();
        self.fill();
        self.paused.or(found.due)
    }

    /// Begins what stands still, as far as there is room.
    fn fill(&mut self) {
        while self.running.len() < self.room
            && self.paused.is_none()
            && let Some(candidate) = self.ready.pop_front()
        {
            let path = candidate.path.clone();
            if let Err(trouble) = self.begin(candidate) {
                self.judge(&path, Err(trouble));
            }
        }
    }

    fn begin(&mut self, candidate: Candidate) -> Result<(), Trouble> {
        let Candidate { path, mark } = candidate;
        let target = match &self.orders.to {
            Some(to) => to.clone(),
            None => target_of(&path).unwrap_or_default(),
        };
        registry::target(&target, Terms::CommandLine).map_err(Trouble::File)?;
        let whole = self.orders.input.join(&path);
        let input = open(&whole).map_err(|err| match err.kind() {
            io::ErrorKind::NotFound => Trouble::Changed,
            _ => Trouble::File(about("the file cannot be read", err)),
        })?;
        let there = input.metadata();
        if !there.is_ok_and(|there| there.is_file() && Mark::of(&there) == mark) {
            return Err(Trouble::Changed);
        }
        let refuse = |text: String| Err(Trouble::File(Error::new(Kind::BadInput, text)));
        match mark.len {
            0 => return refuse("the file is empty".into()),
            len if len > self.max_len => {
                return refuse(format!(
                    "the file has {len} bytes; {} are the limit here (--max-upload)",
                    self.max_len
                ));
            }
            _ => {}
        }
        let work = Work::new(
            input,
            mark.len,
            path.file_name(),
            &target,
            &self.orders.wanted,
        )
        .map_err(blame)?;
        let (part, output) = self.places.begin().map_err(passing)?;
        let handed = output.try_clone().map_err(passing).and_then(|output| {
            let submitted = self.shop.submit(self.next, &work, output);
            submitted.map_err(Trouble::Passing)
        });
        if let Err(trouble) = handed {
            self.places.discard(&part);
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

    fn end(&mut self, number: usize, result: Result<Finished>) {
        let Some(running) = self.running.remove(&number) else {
            return;
        };
        self.busy.remove(&running.path);
        let ended = result
            .map_err(blame)
            .and_then(|finished| self.finish(&running, &finished));
        // Afterwards the journal has it, or nobody.
        if !matches!(self.journal.state(&running.path), Some(State::Taken(_))) {
            self.places.discard(&running.part);
        }
        self.judge(&running.path, ended);
    }

    /// Writes down what the result will be called, and calls it so.
    fn finish(&mut self, running: &Running, finished: &Finished) -> Result<(), Trouble> {
        let Running { path, mark, .. } = running;
        if self.mark_of(path) != Some(*mark) {
            return Err(Trouble::Changed);
        }
        let len = running.output.metadata().map_err(passing)?.len();
        // The original may be gone in a moment.
        running.output.sync_data().map_err(passing)?;
        let extension = match finished.notes.is_archive() {
            true => ARCHIVE_EXTENSION,
            false => &running.target,
        };
        let own = match self.journal.state(path) {
            Some(State::Done { result, .. }) => Some(result.clone()),
            Some(State::Taken(_) | State::Failed(_)) | None => None,
        };
        let result = self.places.result(path, extension, own.as_deref());
        let replaces = own.as_ref() == Some(&result);
        let original = match self.orders.originals {
            Originals::Move => self.places.original(path),
            Originals::Delete | Originals::Keep => PathBuf::new(),
        };
        let taken = Taken {
            mark: *mark,
            part: running.part.clone(),
            result: result.clone(),
            original,
            replaces,
        };
        let state = State::Taken(taken.clone());
        self.journal.note(path, Some(state)).map_err(passing)?;
        self.journal.flush().map_err(passing)?;
        self.settle(path, taken).map_err(Trouble::Passing)?;
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

    /// Gives a result its name, and does with the original what was ordered. Can be done again after it was begun.
    fn settle(&mut self, path: &Path, mut taken: Taken) -> Result<()> {
        let unplaced = |err| about("the result cannot get its name", err);
        if let Err(err) = self.places.settle(&taken) {
            if err.kind() != io::ErrorKind::AlreadyExists {
                return Err(unplaced(err));
            }
            let extension = taken
                .result
                .extension()
                .unwrap_or_default()
                .to_string_lossy();
            taken.replaces = false;
            taken.result = self.places.result(path, &extension, None);
            let state = State::Taken(taken.clone());
            self.journal.note(path, Some(state)).map_err(unplaced)?;
            self.places.settle(&taken).map_err(unplaced)?;
        }
        let whole = self.orders.input.join(path);
        let is_same = self.mark_of(path) == Some(taken.mark);
        let gone = match self.orders.originals {
            _ if !is_same => Ok(true),
            Originals::Keep => Ok(false),
            Originals::Delete => fs::remove_file(&whole).or_else(unless_gone).map(|()| true),
            Originals::Move => match taken.original == Path::new("") {
                true => Ok(false),
                false => self.places.put_away(&whole, &taken).map(|()| true),
            },
        };
        let gone = gone.unwrap_or_else(|err| {
            log::warn!("{} was converted and has to stay: {err}", shown(path));
            false
        });
        let state = (!gone).then_some(State::Done {
            mark: taken.mark,
            result: taken.result,
        });
        self.journal.note(path, state).map_err(unplaced)
    }

    fn mark_of(&self, path: &Path) -> Option<Mark> {
        let there = self.orders.input.join(path).symlink_metadata();
        there.ok().map(|there| Mark::of(&there))
    }

    /// What follows from how something ended.
    fn judge(&mut self, path: &Path, ended: Result<(), Trouble>) {
        match ended {
            Ok(()) => {
                self.attempts.remove(path);
                for root in [&self.orders.input, &self.orders.output] {
                    // There is none, as a rule.
                    let _ = fs::remove_file(note(root, path));
                }
                if std::mem::take(&mut self.is_full) {
                    log::info!("there is room again");
                }
            }
            Err(Trouble::Changed) => self.is_stale = true,
            Err(Trouble::File(error)) => self.fail(path, &error),
            Err(Trouble::Passing(error)) if is_full(&error) => {
                if !std::mem::replace(&mut self.is_full, true) {
                    log::error!("there is no room on the disk; waiting for some: {error}");
                }
                self.pause();
            }
            Err(Trouble::Passing(error)) => {
                let attempts = self.attempts.entry(path.to_owned()).or_default();
                *attempts += 1;
                if *attempts >= ATTEMPTS {
                    self.attempts.remove(path);
                    return self.fail(path, &error);
                }
                log::warn!("{} is tried again: {error}", shown(path));
                self.pause();
            }
        }
    }

    /// Begins nothing for a while.
    fn pause(&mut self) {
        self.paused = Some(Instant::now() + RETRY);
        self.is_stale = true;
    }

    /// Writes beside a file why it was not converted; or among the results, if that cannot be.
    fn fail(&mut self, path: &Path, error: &Error) {
        log::warn!("{}: {}", shown(path), harmless(error.message()));
        let text = format!("{}\n", error.message());
        let places = [&self.orders.input, &self.orders.output].map(|root| note(root, path));
        let mut written = places.iter().map(|place| write_whole(place, &text));
        if !written.any(|written| written.is_ok()) {
            log::error!("no text beside {} can say so", shown(path));
        }
        let Some(mark) = self.mark_of(path) else {
            return;
        };
        if let Err(err) = self.journal.note(path, Some(State::Failed(mark))) {
            // Then it is tried once more, which does no harm.
            log::error!("the journal cannot be written: {err}");
            self.pause();
        }
    }
}

/// The text about a file that was not converted.
fn note(root: &Path, path: &Path) -> PathBuf {
    let mut name = root.join(path).into_os_string();
    name.push(NOTE);
    name.into()
}

/// Writes a text that nobody sees by half.
fn write_whole(place: &Path, text: &str) -> io::Result<()> {
    place.parent().map_or(Ok(()), fs::create_dir_all)?;
    let mut hidden = OsString::from(".");
    hidden.push(place.file_name().unwrap_or_default());
    let hidden = place.with_file_name(hidden);
    let written = fs::write(&hidden, text).and_then(|()| fs::rename(&hidden, place));
    if written.is_err() {
        let _ = fs::remove_file(&hidden);
    }
    written
}

/// The format that a folder around the file names, the innermost first: `to-pdf`.
fn target_of(path: &Path) -> Option<String> {
    let folders = path.parent()?.iter().rev();
    let mut names = folders.filter_map(|name| name.to_str()?.strip_prefix(TARGET));
    names.next().map(str::to_owned)
}

/// Opens a file that is no link, and does not wait for the other end of a pipe.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK;
    Ok(openat(CWD, path, flags, Mode::empty())?.into())
}

fn unless_gone(err: io::Error) -> io::Result<()> {
    match err.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(err),
    }
}

fn about(text: &'static str, err: io::Error) -> Error {
    match err.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Error::new(Kind::StorageFull, text).caused_by(err)
        }
        _ => Error::new(Kind::Internal, text).caused_by(err),
    }
}

fn passing(err: io::Error) -> Trouble {
    Trouble::Passing(about("the result cannot be written", err))
}

fn is_full(error: &Error) -> bool {
    error.kind() == Kind::StorageFull
}

/// Whether a file is to blame for an error.
fn blame(error: Error) -> Trouble {
    match error.kind() {
        Kind::BadInput | Kind::OutOfMemory | Kind::TooLarge | Kind::TooSlow | Kind::NotFound => {
            Trouble::File(error)
        }
        Kind::Disconnected
        | Kind::Conflict
        | Kind::Busy
        | Kind::Unavailable
        | Kind::StorageFull
        | Kind::Internal => Trouble::Passing(error),
    }
}

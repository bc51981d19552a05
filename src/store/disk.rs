//! The files of the data directory: their names, and every change that is made to them.
//! Refuses to remove anything under a name that it would not have written itself.

use super::{
    endings::{Ending, Endings},
    record::Saved,
    steps,
};
use crate::{
    error::{Error, Kind, Result},
    id::ConversionId,
};
use std::{
    fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError},
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, SystemTime},
};

pub(super) const RECORD: &str = "record.json";
pub(super) const UPLOAD: &str = "upload";
pub(super) const OUTPUT: &str = "output";
pub(super) const OUTPUT_PART: &str = "output.part";

const RECORD_TMP: &str = "record.json.tmp";
const LOCK: &str = "lock";
const INCOMING: &str = "incoming";
const ENDED: &str = "ended";
const ENDINGS: &str = "log";

const LOCK_TRIES: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// All that a conversion's directory may hold, in the order of removal: without its record, a directory
/// that a crash left half removed is not taken for a conversion.
const FILES: [&str; 5] = [RECORD, RECORD_TMP, OUTPUT, OUTPUT_PART, UPLOAD];

/// The data directory, locked for as long as this value lives.
pub(super) struct Disk {
    root: PathBuf,
    /// Which conversions are over.
    pub(super) endings: Endings,
    lock: Mutex<Option<Lock>>,
}

/// The locks on the directory itself and on a file in it. The file can be removed by hand; the directory cannot be locked on
/// every file system, and earlier versions lock the file alone.
struct Lock {
    _directory: Option<File>,
    _file: File,
}

impl Disk {
    /// Creates what is missing of the directory and locks it. Fails with [`Kind::Busy`] if another server has it.
    pub(super) fn open(root: PathBuf) -> Result<Self> {
        let private = |path: &Path| {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
            made.map_err(|err| unusable(&root, err))
        };
        private(&root)?;
        private(&root.join(INCOMING))?;
        private(&root.join(ENDED))?;
        let lock = Mutex::new(Some(acquire(&root)?));
        if let Err(err) = hide(&root) {
            log::warn!(
                "others may look into {} and learn identifiers, which are all that it takes to download ({err}); \
                 better: chmod 700 {}",
                root.display(),
                root.display()
            );
        }
        let endings = Endings::new(root.join(ENDED).join(ENDINGS));
        Ok(Self {
            root,
            endings,
            lock,
        })
    }

    /// Puts back a directory that has vanished while the server runs; its parent is not ours to create.
    /// Cheap if nothing is missing.
    pub(super) fn restore(&self) -> Result<()> {
        let (incoming, ended) = (self.nursery(), self.graveyard());
        let whole = || incoming.is_dir() && ended.is_dir();
        if whole() {
            return Ok(());
        }
        let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        if whole() {
            return Ok(());
        }
        log::warn!("{} has lost its contents", self.root.display());
        let gone = |err| Error::storage("the data directory is gone", err);
        steps::make_dir(&self.root).map_err(gone)?;
        if !self.root.join(LOCK).exists() {
            // The directory itself may be the same, and locked.
            *lock = None;
            *lock = Some(acquire(&self.root)?);
        }
        steps::make_dir(&incoming).map_err(gone)?;
        steps::make_dir(&ended).map_err(gone)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Where all incoming conversions are.
    pub(super) fn nursery(&self) -> PathBuf {
        self.root.join(INCOMING)
    }

    /// Where the endings are.
    pub(super) fn graveyard(&self) -> PathBuf {
        self.root.join(ENDED)
    }

    /// The directory of a conversion that must survive a crash.
    pub(super) fn home(&self, id: &ConversionId) -> PathBuf {
        self.root.join(id.to_string())
    }

    /// The directory of what a crash may take.
    pub(super) fn incoming(&self, id: &ConversionId) -> PathBuf {
        self.nursery().join(id.to_string())
    }

    /// Removes a conversion's files, wherever they are.
    pub(super) fn discard(&self, id: &ConversionId) -> io::Result<()> {
        discard_dir(&self.home(id))?;
        discard_dir(&self.incoming(id))
    }

    /// The endings that earlier versions have left as empty files, `<id>.downloaded` or `<id>.expired`, modified at the
    /// ends of their terms. What has another name is passed over.
    pub(super) fn tombstones(&self) -> io::Result<Vec<(ConversionId, Ending, SystemTime)>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(self.graveyard())? {
            let entry = entry?;
            let name = entry.file_name();
            let Some((id, word)) = name.to_str().and_then(|name| name.split_once('.')) else {
                continue;
            };
            let ending = Ending::ALL.into_iter().find(|e| e.word() == word);
            if let (Ok(id), Some(ending)) = (id.parse(), ending) {
                let metadata = entry.metadata()?;
                if metadata.is_file() {
                    found.push((id, ending, metadata.modified()?));
                }
            }
        }
        Ok(found)
    }

    /// Removes one of them.
    pub(super) fn remove_tombstone(&self, id: &ConversionId, ending: Ending) -> io::Result<()> {
        let name = format!("{id}.{}", ending.word());
        steps::remove_file(&self.graveyard().join(name))
    }
}

/// The directories in `dir` that are named like conversions. Everything else in it is somebody else's.
pub(super) fn conversions_in(dir: &Path) -> io::Result<Vec<ConversionId>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let id = entry.file_name().to_str().and_then(|s| s.parse().ok());
        if let Some(id) = id
            && entry.file_type()?.is_dir()
        {
            found.push(id);
        }
    }
    Ok(found)
}

/// Keeps others out of a data directory that was there before. One that holds anything else is not ours to close, unless it
/// is what a file system of its own begins with.
fn hide(root: &Path) -> io::Result<()> {
    let mode = fs::metadata(root)?.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    for entry in fs::read_dir(root)? {
        let name = entry?.file_name();
        let name = name.to_str().unwrap_or_default();
        if ![LOCK, INCOMING, ENDED, "lost+found"].contains(&name)
            && name.parse::<ConversionId>().is_err()
        {
            return Err(io::Error::other("it holds other things, too"));
        }
    }
    fs::set_permissions(root, Permissions::from_mode(0o700))
}

/// Writes `record.json` so that a crash leaves the old one or the new one, never a torn one.
pub(super) fn write_record(dir: &Path, record: &Saved) -> io::Result<()> {
    let temporary = dir.join(RECORD_TMP);
    let mut file = steps::create(&temporary)?;
    file.write_all(&serde_json::to_vec(record)?)?;
    steps::sync(&file)?;
    steps::rename(&temporary, &dir.join(RECORD))
}

/// Removes a conversion's directory with the files that belong there. One that holds a stranger's file stays.
pub(super) fn discard_dir(dir: &Path) -> io::Result<()> {
    // Most often there is nothing but the empty directory, or nothing at all.
    let emptied = match steps::remove_dir(dir) {
        Err(err) if err.kind() == io::ErrorKind::DirectoryNotEmpty => {
            FILES
                .iter()
                .try_for_each(|name| steps::remove_file(&dir.join(name)))?;
            steps::remove_dir(dir)
        }
        first => first,
    };
    match emptied {
        Err(err) if err.kind() == io::ErrorKind::DirectoryNotEmpty => {
            // The path would tell the identifier in full.
            let id = dir
                .file_name()
                .and_then(|name| name.to_str()?.parse::<ConversionId>().ok());
            log::warn!("the directory of {id:?} holds files that are not ours; it stays");
            Ok(())
        }
        other => other,
    }
}

/// Removes all of a conversion's files but those named.
pub(super) fn keep_only(dir: &Path, kept: &[&str]) -> io::Result<()> {
    FILES
        .iter()
        .filter(|name| !kept.contains(name))
        .try_for_each(|name| steps::remove_file(&dir.join(name)))
}

/// Locks the directory.
fn acquire(root: &Path) -> Result<Lock> {
    let failed = |err| unusable(root, err);
    let directory = match File::open(root)
        .map(|dir| lock(root, dir))
        .map_err(failed)?
    {
        Ok(locked) => Some(locked),
        // Such as NFS, which locks nothing that is not open for writing.
        Err(error) if error.kind() != Kind::Busy => {
            log::debug!("{error}");
            None
        }
        Err(busy) => return Err(busy),
    };
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(root.join(LOCK))
        .map_err(failed)?;
    Ok(Lock {
        _directory: directory,
        _file: lock(root, file)?,
    })
}

/// Locks `file`. A server that has just been killed may leave its lock for a moment to a child between `fork` and `exec`, so a
/// held lock is tried again before it counts.
fn lock(root: &Path, file: File) -> Result<File> {
    for patience in (0..LOCK_TRIES).rev() {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if patience > 0 => thread::sleep(LOCK_PAUSE),
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(err)) => return Err(unusable(root, err)),
        }
    }
    Err(Error::new(
        Kind::Busy,
        format!(
            "the data directory {} is in use by another server",
            root.display()
        ),
    ))
}

/// The error for a directory that a server cannot start on.
pub(super) fn unusable(root: &Path, cause: io::Error) -> Error {
    Error::new(
        Kind::Internal,
        format!("the data directory {} cannot be used", root.display()),
    )
    .caused_by(cause)
}

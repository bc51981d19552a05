//! The files of the data directory: their names, and every change that is made to them.
//! Never removes anything under a name that it would not have written itself.
//!
//! Records are replaced as a whole: written to a temporary file, fsynced, renamed. Directories are removed file by file, the
//! record first, so that a crash in the middle leaves no directory that looks like a conversion. One server at a time may use
//! the directory; it holds a lock (flock) on the directory itself and on a file in it.

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

/// All files that a conversion's directory may hold, in the order of removal. The record goes first: without it, a directory
/// that a crash left half removed is not taken for a conversion.
const FILES: [&str; 5] = [RECORD, RECORD_TMP, OUTPUT, OUTPUT_PART, UPLOAD];

/// The data directory, locked for as long as this value lives.
pub(super) struct Disk {
    root: PathBuf,
    /// The file that says which conversions are over.
    pub(super) endings: Endings,
    lock: Mutex<Option<Lock>>,
}

/// The locks on the directory itself and on a file in it. Neither is enough alone: the file can be removed by hand, and not
/// every file system can lock a directory. Earlier versions lock only the file.
struct Lock {
    _directory: Option<File>,
    _file: File,
}

impl Disk {
    /// Creates what is missing of the directory and locks it.
    ///
    /// Errors: [`Kind::Busy`] if another server uses it, [`Kind::Internal`] if it cannot be used.
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
                "other users can read {} and learn identifiers, which are enough to download results; \
                 its mode was not changed ({err}): run chmod 700 {}",
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

    /// Creates the directory again if it has vanished while the server runs, but never its parent, which does not belong to
    /// the server. Cheap if nothing is missing.
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
            // Release the old lock first: the directory itself may still be the one that this process has locked.
            *lock = None;
            *lock = Some(acquire(&self.root)?);
        }
        steps::make_dir(&incoming).map_err(gone)?;
        steps::make_dir(&ended).map_err(gone)
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The directory of all incoming conversions.
    pub(super) fn nursery(&self) -> PathBuf {
        self.root.join(INCOMING)
    }

    /// The directory of the file of endings.
    pub(super) fn graveyard(&self) -> PathBuf {
        self.root.join(ENDED)
    }

    /// The directory of a conversion that must survive a crash.
    pub(super) fn home(&self, id: &ConversionId) -> PathBuf {
        self.root.join(id.to_string())
    }

    /// The directory for those files of a conversion that need not survive a crash.
    pub(super) fn incoming(&self, id: &ConversionId) -> PathBuf {
        self.nursery().join(id.to_string())
    }

    /// Removes all files of a conversion.
    pub(super) fn discard(&self, id: &ConversionId) -> io::Result<()> {
        discard_dir(&self.home(id))?;
        discard_dir(&self.incoming(id))
    }

    /// The endings that earlier versions left as empty files, named `<id>.downloaded` or `<id>.expired`, whose modification
    /// time is the end of the term. Files with other names are ignored.
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

    /// Removes one of these files.
    pub(super) fn remove_tombstone(&self, id: &ConversionId, ending: Ending) -> io::Result<()> {
        let name = format!("{id}.{}", ending.word());
        steps::remove_file(&self.graveyard().join(name))
    }
}

/// The directories in `dir` that are named like conversions. Everything else belongs to somebody else.
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

/// Sets the mode of a data directory that existed before to 0700, to keep other users out.
///
/// Errors: the directory also holds files of others, who may need access, or a system call fails. `lost+found` does not count
/// as such a file: a fresh file system may have it.
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

/// Writes `record.json` so that a crash leaves either the old record or the new one, never a part of one.
pub(super) fn write_record(dir: &Path, record: &Saved) -> io::Result<()> {
    let temporary = dir.join(RECORD_TMP);
    let mut file = steps::create(&temporary)?;
    file.write_all(&serde_json::to_vec(record)?)?;
    steps::sync(&file)?;
    steps::rename(&temporary, &dir.join(RECORD))
}

/// Removes a conversion's directory with the files that belong there. If it holds any other file, the directory stays.
pub(super) fn discard_dir(dir: &Path) -> io::Result<()> {
    // Usually the directory is empty or does not exist, so this is tried first.
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
            // Not the path: it contains the whole identifier, which is the right to download; `Debug` shows only a part of it.
            let id = dir
                .file_name()
                .and_then(|name| name.to_str()?.parse::<ConversionId>().ok());
            log::warn!("the directory of {id:?} is not removed: it holds files of others");
            Ok(())
        }
        other => other,
    }
}

/// Removes all of a conversion's files except those in `kept`.
pub(super) fn keep_only(dir: &Path, kept: &[&str]) -> io::Result<()> {
    FILES
        .iter()
        .filter(|name| !kept.contains(name))
        .try_for_each(|name| steps::remove_file(&dir.join(name)))
}

/// Locks the directory and the file in it.
fn acquire(root: &Path) -> Result<Lock> {
    let failed = |err| unusable(root, err);
    let directory = match File::open(root)
        .map(|dir| lock(root, dir))
        .map_err(failed)?
    {
        Ok(locked) => Some(locked),
        // NFS, for example, locks only files that are open for writing, which a directory cannot be.
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

/// Locks `file`. If a server was killed just now, a child of it between `fork` and `exec` may hold the lock for another
/// moment, so a lock that is held is tried several times before the directory counts as busy.
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

/// The error for a data directory that a server cannot start with.
pub(super) fn unusable(root: &Path, cause: io::Error) -> Error {
    Error::new(
        Kind::Internal,
        format!("the data directory {} cannot be used", root.display()),
    )
    .caused_by(cause)
}

//! The files of the data directory: their names, and all changes to them. Never removes a file whose name the store
//! would not have given it.
//!
//! A conversion has no directory, only files named by its identifier and their kind ([`FileKind`]). Except for the
//! count of attempts, these are written in `incoming` and renamed when they are complete. Only one server at a time may
//! use the directory: the server locks (flock) the directory itself and a file in it.

use super::{
    endings::Endings,
    flush::{Durability, Flusher},
    sealed::Key,
    steps,
};
use crate::{
    error::{Error, Kind, Result},
    id::ConversionId,
    store::record::Saved,
};
use std::{
    collections::BTreeMap,
    fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

/// Kind of a conversion's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FileKind {
    /// The record of a conversion that was accepted and is not finished.
    Accepted,
    /// The record of a failed conversion.
    Failed,
    /// A result and its record.
    Result,
    /// The upload.
    Upload,
    /// A sparse file without data. Its length is the number of attempts, so counting needs no write of data.
    Attempts,
}

impl FileKind {
    /// All kinds, in the order of removal. The records come before the upload: after a crash in between, an upload
    /// without a record counts as debris and not as a conversion.
    pub(super) const ALL: [Self; 5] = [
        Self::Accepted,
        Self::Failed,
        Self::Result,
        Self::Upload,
        Self::Attempts,
    ];

    fn extension(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Failed => "failed",
            Self::Result => "result",
            Self::Upload => "upload",
            Self::Attempts => "attempts",
        }
    }
}

const LOCK: &str = "lock";
const KEY: &str = "key";
const INCOMING: &str = "incoming";
const ENDED: &str = "ended";
const ENDINGS: &str = "log";

const LOCK_TRIES: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// The data directory, locked for as long as this value lives.
pub(super) struct Disk {
    root: PathBuf,
    /// The file of ended conversions.
    pub(super) endings: Endings,
    /// Key that authenticates the records of results.
    pub(super) key: Key,
    /// The secret from which the key is derived. It is kept in case its file must be written again.
    secret: ConversionId,
    flusher: Flusher,
    lock: Mutex<Option<Lock>>,
}

/// The locks on the directory itself and on a file in it. Both are needed: the file can be removed by hand, and some
/// file systems cannot lock a directory. Earlier versions lock only the file.
struct Lock {
    _directory: Option<File>,
    _file: File,
}

impl Disk {
    /// Creates missing parts of the directory, and locks it.
    ///
    /// Errors: [`Kind::Busy`] if another server uses it, [`Kind::Internal`] if it cannot be used.
    pub(super) fn open(root: PathBuf, durability: Durability) -> Result<Self> {
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
        let secret = read_key(&root)?;
        Ok(Self {
            key: Key::new(&secret),
            secret,
            flusher: Flusher::new(durability, &root),
            root,
            endings,
            lock,
        })
    }

    /// Creates the directory or its missing parts again if they have vanished while the server runs, but never the
    /// parent directory, which does not belong to the server. Takes little time if nothing is missing.
    pub(super) fn restore(&self) -> Result<()> {
        let (incoming, ended) = (self.volatile_directory(), self.endings_directory());
        let key = self.root.join(KEY);
        let whole = || incoming.is_dir() && ended.is_dir() && key.exists();
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
            // The old lock is released first, because the directory itself may still be the one that this process has
            // locked.
            *lock = None;
            *lock = Some(acquire(&self.root)?);
        }
        steps::make_dir(&incoming).map_err(gone)?;
        steps::make_dir(&ended).map_err(gone)?;
        // The file gets the same secret again, so later results are written with the same key as earlier ones.
        match key.exists() {
            true => Ok(()),
            false => write_key(&self.root, &self.secret).map_err(gone),
        }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The directory of files that need not survive a crash.
    pub(super) fn volatile_directory(&self) -> PathBuf {
        self.root.join(INCOMING)
    }

    /// The directory of the file of endings.
    pub(super) fn endings_directory(&self) -> PathBuf {
        self.root.join(ENDED)
    }

    /// Path of a complete file of a conversion, which survives a crash of the process.
    pub(super) fn path_of(&self, id: &ConversionId, what: FileKind) -> PathBuf {
        self.root.join(name(id, what))
    }

    /// Path of a file of a conversion that is still being written.
    pub(super) fn incoming(&self, id: &ConversionId, what: FileKind) -> PathBuf {
        self.volatile_directory().join(name(id, what))
    }

    /// Creates a file in `incoming`, and also the data directory if it has vanished.
    pub(super) fn create(&self, id: &ConversionId, what: FileKind) -> io::Result<File> {
        let path = self.incoming(id, what);
        match steps::create(&path) {
            Err(err) if err.kind() == io::ErrorKind::NotFound => {
                self.restore().map_err(io::Error::other)?;
                steps::create(&path)
            }
            created => created,
        }
    }

    /// Creates an empty file without a name.
    pub(super) fn scratch_file(&self) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};
        self.restore().map_err(io::Error::other)?;
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let unnamed = openat(
            rustix::fs::CWD,
            self.volatile_directory(),
            flags,
            Mode::RUSR | Mode::WUSR,
        );
        unnamed.map(File::from).or_else(|_| {
            // Not every file system supports unnamed files. In that case, a file is created and its name removed.
            let id = ConversionId::random().map_err(io::Error::other)?;
            let file = self.create(&id, FileKind::Result)?;
            steps::remove_file(&self.incoming(&id, FileKind::Result))?;
            Ok(file)
        })
    }

    /// Moves a complete file out of `incoming`. From then on it survives a crash of the process.
    pub(super) fn keep(&self, id: &ConversionId, what: FileKind) -> io::Result<()> {
        steps::rename(&self.incoming(id, what), &self.path_of(id, what))
    }

    /// Writes a record into a file of its own. The record survives a crash of the process.
    pub(super) fn keep_record(
        &self,
        id: &ConversionId,
        what: FileKind,
        record: &Saved,
    ) -> io::Result<File> {
        let file = steps::create(&self.incoming(id, what))?;
        steps::append(&file, &serde_json::to_vec(record)?)?;
        self.keep(id, what)?;
        Ok(file)
    }

    /// Waits until these files and their names survive a power cut, if the configuration demands it. `others` is the
    /// number of callers that may soon ask for the same.
    pub(super) fn flush(&self, files: Vec<File>, others: usize) -> io::Result<()> {
        self.flusher.flush(&self.root, files, others)
    }

    /// Records the number of attempts at a conversion. The count is not flushed, because a power cut can lose nothing
    /// else.
    pub(super) fn count_attempts(&self, id: &ConversionId, attempts: u32) -> io::Result<()> {
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(self.path_of(id, FileKind::Attempts))?;
        steps::set_len(&file, attempts.into())
    }

    /// Removes the files that a conversion has in `incoming`.
    pub(super) fn clear_incoming(&self, id: &ConversionId) -> io::Result<()> {
        FileKind::ALL
            .iter()
            .try_for_each(|&what| steps::remove_file(&self.incoming(id, what)))
    }

    /// Removes all files of a conversion in `incoming`, and then its complete files except those of the kinds `wanted`.
    pub(super) fn keep_only(&self, id: &ConversionId, wanted: &[FileKind]) -> io::Result<()> {
        self.clear_incoming(id)?;
        for what in FileKind::ALL {
            if !wanted.contains(&what) {
                steps::remove_file(&self.path_of(id, what))?;
            }
        }
        Ok(())
    }

    /// Removes all files of a conversion.
    pub(super) fn discard(&self, id: &ConversionId) -> io::Result<()> {
        self.keep_only(id, &[])
    }
}

fn name(id: &ConversionId, what: FileKind) -> String {
    format!("{id}.{}", what.extension())
}

/// Parses the name of a conversion's file. `None` for other files.
fn parse(name: &str) -> Option<(ConversionId, FileKind)> {
    let (id, extension) = name.split_once('.')?;
    let what = FileKind::ALL
        .into_iter()
        .find(|what| what.extension() == extension)?;
    Some((id.parse().ok()?, what))
}

/// The conversions that have files in `dir`, each with the kinds of these files. Files with other names are ignored.
pub(super) fn conversions_in(dir: &Path) -> io::Result<BTreeMap<ConversionId, Vec<FileKind>>> {
    let mut found = BTreeMap::<_, Vec<_>>::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if let Some((id, what)) = entry.file_name().to_str().and_then(parse)
            && entry.file_type()?.is_file()
        {
            found.entry(id).or_default().push(what);
        }
    }
    Ok(found)
}

/// Sets the mode of an existing data directory to 0700 if other users have access, to keep them out.
///
/// Errors: the directory also holds files that are not the store's, whose owners may need access; or a system call
/// fails. `lost+found`, which a fresh file system may have, does not count as such a file.
fn hide(root: &Path) -> io::Result<()> {
    let mode = fs::metadata(root)?.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    for entry in fs::read_dir(root)? {
        let name = entry?.file_name();
        let name = name.to_str().unwrap_or_default();
        if ![LOCK, KEY, INCOMING, ENDED, "lost+found"].contains(&name)
            && parse(name).is_none()
            // Earlier versions had a directory for each conversion.
            && name.parse::<ConversionId>().is_err()
        {
            return Err(io::Error::other("it contains other files"));
        }
    }
    fs::set_permissions(root, Permissions::from_mode(0o700))
}

/// Reads the secret of the directory's key. If its file is missing, as at the first start, or damaged, draws a new
/// secret and flushes it to the disk.
///
/// Errors: the file cannot be read. The secret in it may still be intact, so it is not replaced. Also those of writing
/// a new secret.
fn read_key(root: &Path) -> Result<ConversionId> {
    let path = root.join(KEY);
    match fs::read(&path) {
        Ok(text) => match std::str::from_utf8(&text).map(str::parse) {
            Ok(Ok(secret)) => return Ok(secret),
            Ok(Err(_)) | Err(_) => {
                log::error!(
                    "{} is damaged, and a new key is generated: results whose records were signed with the old key cannot be verified, and are removed",
                    path.display()
                );
            }
        },
        Err(err) if err.kind() == io::ErrorKind::NotFound => {}
        Err(err) => return Err(unusable(root, err)),
    }
    let secret = ConversionId::random()?;
    write_key(root, &secret).map_err(|err| unusable(root, err))?;
    Ok(secret)
}

fn write_key(root: &Path, secret: &ConversionId) -> io::Result<()> {
    let temporary = root.join(INCOMING).join(KEY);
    // An interrupted attempt may have left a file, which is removed first.
    steps::remove_file(&temporary)?;
    steps::append(&steps::create(&temporary)?, secret.to_string().as_bytes())?;
    steps::rename(&temporary, &root.join(KEY))?;
    steps::sync_all(&File::open(root)?)
}

/// Locks the directory and the file in it.
fn acquire(root: &Path) -> Result<Lock> {
    let failed = |err| unusable(root, err);
    let directory = match File::open(root)
        .map(|dir| lock(root, dir))
        .map_err(failed)?
    {
        Ok(locked) => Some(locked),
        // NFS, for example, locks only files that are open for writing, which a directory cannot be. The lock on the
        // file then has to suffice.
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

/// Locks `file`, with several attempts: if a server was killed a moment ago, one of its children that is between `fork`
/// and `exec` may still hold the lock.
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

/// The error of a server that cannot start because its data directory is unusable.
pub(super) fn unusable(root: &Path, cause: io::Error) -> Error {
    Error::new(
        Kind::Internal,
        format!("the data directory {} cannot be used", root.display()),
    )
    .caused_by(cause)
}

//! The files of a conversion until its result is stored. Leaves no file behind unless the conversion was accepted or
//! committed.
//!
//! A result is written under `incoming`, which a restart empties. Committing it appends the record, renames the file
//! into the data directory and flushes it once: the result exists from the rename on, and may be promised to the client
//! from the flush on.
//!
//! An asynchronous conversion has been promised to its client before it runs, so accepting it keeps the upload and then
//! an `accepted` record. These are removed when the result or the failure has been flushed. A crash in between leaves
//! old and new files, and `recover` removes those that are not needed. Attempts are counted on disk before they begin,
//! so that a file that kills the process is not tried again after every restart.

use super::{
    Store,
    disk::FileKind,
    entries::Entry,
    index::Index,
    sealed, steps,
    upload::{Memory, Upload},
};
use crate::{
    error::{Error, Result},
    id::ConversionId,
    job,
    store::progress::Progress,
    store::record::{Failure, Outcome, Record, Request, Saved, Term},
    store::state::full,
};
use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    net::IpAddr,
    sync::Arc,
    thread,
    time::{Duration, SystemTime},
};

/// Longest time for which an upload to a full store waits for a download that is about to end. A client may send its
/// next upload as soon as it has read the last byte of a result.
const WAIT_FOR_ROOM: Duration = Duration::from_millis(500);

/// A conversion from the first byte of its upload to its result.
///
/// Dropping it deletes its files. After [`accept`](Self::accept), dropping it leaves the conversion `processing`, to be
/// run by the next start of the server; but if the thread is panicking, the conversion fails.
pub(in crate::store) struct Spool {
    store: Store,
    id: ConversionId,
    upload: Upload,
    owner: Option<IpAddr>,
    stage: Stage,
}

#[derive(Clone)]
enum Stage {
    /// No client knows the identifier yet.
    Private,
    /// Visible to clients, and run again after a restart until it is finished.
    Accepted {
        request: Arc<Request>,
        attempts: u32,
        /// Whether this process has begun an attempt.
        begun: bool,
        progress: Arc<Progress>,
        /// Time at which the conversion was accepted, or taken over from an earlier run.
        since: SystemTime,
    },
    /// The conversion has ended: committed, failed or given up.
    Over,
}

impl Spool {
    /// Creates the spool of a new conversion. Waits briefly if the store is full and a download is about to end.
    pub(super) fn new(
        store: &Store,
        owner: Option<IpAddr>,
        memory: Option<Memory>,
    ) -> Result<Self> {
        let id = ConversionId::random()?;
        {
            let most = store.0.settings.max_records;
            let room_is_near = |index: &mut Index| index.len() >= most && index.is_settling();
            let mut index = store.wait_while(WAIT_FOR_ROOM, room_is_near);
            if index.len() >= most {
                return Err(full());
            }
            index.spools += 1;
        }
        match Upload::new(&store.0.disk, &id, memory) {
            Ok(upload) => Ok(Self {
                store: store.clone(),
                id,
                upload,
                owner,
                stage: Stage::Private,
            }),
            Err(err) => {
                store.index().spools -= 1;
                Err(Error::storage("the upload could not be stored", err))
            }
        }
    }

    /// Continues a conversion that an earlier run of the server accepted.
    pub(super) fn resume(
        store: Store,
        id: ConversionId,
        request: Request,
        attempts: u32,
        owner: Option<IpAddr>,
        now: SystemTime,
    ) -> Self {
        let mut spool = Self {
            store,
            id,
            upload: Upload::Stored,
            owner,
            stage: Stage::Private,
        };
        spool.publish(request, attempts, now);
        spool
    }

    /// The client towards whose share of the store the conversion counts.
    pub(in crate::store) fn owner(&self) -> Option<IpAddr> {
        self.owner
    }

    /// The identifier of the conversion.
    pub(in crate::store) fn id(&self) -> ConversionId {
        self.id
    }

    /// Opens the upload for reading, with a file position of its own.
    pub(in crate::store) fn open_upload(&self) -> Result<File> {
        self.upload
            .open(&self.store.0.disk, &self.id)
            .map_err(|err| Error::storage("the upload cannot be read", err))
    }

    /// Creates an empty output for reading and writing. A second call discards the first output.
    pub(in crate::store) fn create_output(&self) -> Result<File> {
        self.store
            .0
            .disk
            .create(&self.id, FileKind::Result)
            .map_err(storage)
    }

    /// Opens the output that was created, for reading and writing.
    pub(in crate::store) fn open_output(&self) -> Result<File> {
        self.open_incoming(FileKind::Result).map_err(storage)
    }

    /// Opens the upload for reading and writing. The upload must be on the disk, and the conversion not accepted.
    pub(in crate::store) fn upload_file(&self) -> Result<File> {
        self.open_incoming(FileKind::Upload)
            .map_err(|err| Error::storage("the upload could not be stored", err))
    }

    fn open_incoming(&self, what: FileKind) -> io::Result<File> {
        let path = self.store.0.disk.incoming(&self.id, what);
        OpenOptions::new().read(true).write(true).open(path)
    }

    /// Makes the conversion visible as processing, now and after a restart. The upload must be complete.
    ///
    /// Errors: those of the disk. The conversion then stays private and can only be dropped.
    pub(in crate::store) fn accept(&mut self, request: Request, now: SystemTime) -> Result<()> {
        self.show(&request)
            .map_err(|err| Error::storage("the upload could not be stored", err))?;
        self.publish(request, 0, now);
        self.store.index().spools -= 1;
        Ok(())
    }

    /// Moves the upload out of `incoming`, writes a record with the request, and flushes both.
    fn show(&mut self, request: &Request) -> io::Result<()> {
        let saved = Saved::Processing {
            id: self.id,
            attempts: 0,
            request: request.clone(),
            owner: self.owner,
        };
        let disk = &self.store.0.disk;
        let upload = self.upload.keep(disk, &self.id)?;
        let record = disk.keep_record(&self.id, FileKind::Accepted, &saved)?;
        disk.flush(vec![upload, record], self.others())
    }

    /// Number of other unfinished conversions whose clients wait.
    fn others(&self) -> usize {
        let spools = self.store.index().spools;
        match self.stage {
            Stage::Private => spools.saturating_sub(1),
            Stage::Accepted { .. } | Stage::Over => spools,
        }
    }

    /// Adds the conversion to the index as one that is being processed.
    fn publish(&mut self, request: Request, attempts: u32, since: SystemTime) {
        let request = Arc::new(request);
        let progress = Arc::new(Progress::default());
        let entry = Entry::Processing {
            request: request.clone(),
            progress: progress.clone(),
            owner: self.owner,
        };
        self.store.index().insert(self.id, entry);
        self.stage = Stage::Accepted {
            request,
            attempts,
            begun: false,
            progress,
            since,
        };
    }

    /// The client's request, if the conversion has been accepted and is not over.
    pub(in crate::store) fn request(&self) -> Option<&Request> {
        match &self.stage {
            Stage::Accepted { request, .. } => Some(request),
            Stage::Private | Stage::Over => None,
        }
    }

    /// Number of times that a server has [begun](Self::begin) to run this conversion. An attempt that ended in an
    /// orderly shutdown (the spool was dropped) does not count.
    pub(in crate::store) fn attempts(&self) -> u32 {
        match self.stage {
            Stage::Accepted { attempts, .. } => attempts,
            Stage::Private | Stage::Over => 0,
        }
    }

    /// Counts one more attempt on disk, if the conversion has been accepted. Without this, a conversion that kills the
    /// process would be run again after every restart.
    pub(in crate::store) fn begin(&mut self) {
        let Stage::Accepted {
            attempts, begun, ..
        } = &mut self.stage
        else {
            return;
        };
        *attempts = attempts.saturating_add(1);
        *begun = true;
        if let Err(err) = self.store.0.disk.count_attempts(&self.id, *attempts) {
            log::warn!("{:?}: the attempt could not be counted: {err}", self.id);
        }
    }

    /// Records the progress of an accepted conversion in memory, which takes little time.
    pub(in crate::store) fn progress(&self, now: job::Progress) {
        match &self.stage {
            Stage::Accepted { progress, .. } => progress.set(now),
            Stage::Private | Stage::Over => {}
        }
    }

    /// Stores the output and issues the link to it. Both are as durable as the store's settings say when this returns.
    ///
    /// Errors: those of the disk, and [`Kind::Busy`](crate::error::Kind::Busy) if the result exceeds the owner's share
    /// (see [`Store::share_for`]). The result is removed then, and an accepted conversion fails.
    pub(in crate::store) fn commit(
        mut self,
        request: Request,
        outcome: Outcome,
        now: SystemTime,
    ) -> Result<Arc<Record>> {
        let accepted = match self.stage {
            Stage::Private => false,
            Stage::Accepted { .. } | Stage::Over => true,
        };
        match self.keep(request, outcome, now) {
            Ok(record) => {
                let record = Arc::new(record);
                {
                    let mut index = self.store.index();
                    index.insert_ready(record.clone());
                    if !accepted {
                        index.spools -= 1;
                    }
                }
                self.stage = Stage::Over;
                if !matches!(self.upload, Upload::Memory(..)) {
                    self.store.tidy_soon(&self.id);
                }
                if accepted {
                    self.store.notify(&self.id);
                }
                Ok(record)
            }
            Err(err) => {
                if accepted {
                    self.give_up(Failure::of(&err), now);
                }
                Err(err)
            }
        }
    }

    /// Checks that the result fits into the share of its owner. Then completes the file of the result, gives it its
    /// final name, and flushes it.
    fn keep(&self, request: Request, outcome: Outcome, now: SystemTime) -> Result<Record> {
        let disk = &self.store.0.disk;
        let output = self.open_output()?;
        let file_size = output.metadata().map_err(storage)?.len();
        self.store.share_for(self.owner, file_size)?;
        let term = Term::new(now, self.store.0.settings.link_ttl);
        let record = Record::new(self.id, request, outcome, file_size, self.owner, term);
        let store = || {
            let checksum = sealed::checksum(&output, file_size)?;
            steps::append(&output, &disk.key.trailer(&record, checksum)?)?;
            disk.keep(&self.id, FileKind::Result)?;
            disk.flush(vec![output], self.others())
        };
        store().map_err(storage)?;
        Ok(record)
    }

    /// Ends the conversion without a result. If it was accepted, its status is `failure` for as long as a link would
    /// work.
    pub(in crate::store) fn fail(mut self, failure: Failure, now: SystemTime) {
        match self.stage {
            Stage::Private | Stage::Over => {}
            Stage::Accepted { .. } => self.give_up(failure, now),
        }
    }

    fn give_up(&mut self, failure: Failure, now: SystemTime) {
        self.stage = Stage::Over;
        if let Err(err) = self.store.give_up(&self.id, failure, self.owner, now) {
            log::error!("{:?}: its failure could not be stored yet: {err}", self.id);
        }
    }
}

/// Appends to the upload.
impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.upload.write(&self.store.0.disk, &self.id, bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        match self.stage.clone() {
            Stage::Over => {}
            Stage::Private => {
                self.store.index().spools -= 1;
                self.store.tidy_soon(&self.id);
            }
            Stage::Accepted { since, .. } if thread::panicking() => {
                self.give_up(Failure::unexpected(), since);
            }
            Stage::Accepted {
                attempts, begun, ..
            } => {
                let disk = &self.store.0.disk;
                if begun {
                    // If this write fails, one attempt too many stays counted.
                    let _ = disk.count_attempts(&self.id, attempts.saturating_sub(1));
                }
                // If this fails, the next start removes the output.
                let _ = steps::remove_file(&disk.incoming(&self.id, FileKind::Result));
            }
        }
    }
}

fn storage(cause: io::Error) -> Error {
    Error::storage("the result could not be stored", cause)
}

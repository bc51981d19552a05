//! A conversion's files until the result is stored. Leaves nothing behind unless the conversion was accepted or committed.
//!
//! A synchronous conversion is built entirely under `incoming/<id>`, which a restart empties. Committing it fsyncs the output
//! and the record and then renames the whole directory into the data directory: this rename is the moment from which it
//! exists.
//!
//! An asynchronous conversion has been promised to its client, so accepting it renames the directory with the upload and a
//! `processing` record first. Its output is still written under `incoming` and renamed beside the upload. The moment that
//! counts is then the rename of the new `record.json` over the old one. A crash before it leaves an output that the
//! `processing` record does not need, a crash after it an upload that the `ready` record does not need; `recover` removes
//! either. Attempts are counted on disk before they begin, so that a file which kills the process is not tried for ever.

use super::{
    Store, disk,
    disk::Disk,
    entries::Entry,
    link::Progress,
    record::{Failure, Outcome, Record, Request, Saved, Term},
    steps,
};
use crate::{
    error::{Error, Kind, Result},
    format::ARCHIVE_MEDIA_TYPE,
    id::ConversionId,
    job,
};
use std::{
    fs::{self, File},
    io,
    net::IpAddr,
    path::PathBuf,
    sync::Arc,
    thread,
    time::SystemTime,
};

/// One conversion from the first byte of its upload to its result.
///
/// Dropping it deletes its files. After [`accept`](Self::accept), dropping it leaves the conversion `processing`, to be run by
/// the next start of the server; but if the thread is panicking, the conversion fails.
pub struct Spool {
    store: Store,
    id: ConversionId,
    upload: File,
    owner: Option<IpAddr>,
    stage: Stage,
}

#[derive(Clone)]
enum Stage {
    /// Nobody can ask for its status yet.
    Private,
    /// Visible to clients, and run again after a restart until it is finished.
    Accepted {
        request: Arc<Request>,
        attempts: u32,
        /// Whether the last attempt is under way.
        begun: bool,
        progress: Arc<Progress>,
        since: SystemTime,
    },
    /// Nothing is left to do.
    Over,
}

impl Spool {
    pub(super) fn new(store: &Store, owner: Option<IpAddr>) -> Result<Self> {
        let id = ConversionId::random()?;
        {
            let mut index = store.index();
            if index.len() >= store.0.settings.max_records {
                return Err(super::full());
            }
            index.spools += 1;
        }
        let made = incoming(&store.0.disk, &id).and_then(|dir| {
            steps::create(&dir.join(disk::UPLOAD))
                .map_err(|err| Error::storage("the upload could not be stored", err))
        });
        match made {
            Ok(upload) => Ok(Self {
                store: store.clone(),
                id,
                upload,
                owner,
                stage: Stage::Private,
            }),
            Err(err) => {
                store.index().spools -= 1;
                store.discard(&id);
                Err(err)
            }
        }
    }

    /// A conversion that an earlier run of the server accepted.
    pub(super) fn resume(
        store: Store,
        id: ConversionId,
        upload: File,
        request: Request,
        attempts: u32,
        owner: Option<IpAddr>,
        now: SystemTime,
    ) -> Self {
        let mut spool = Self {
            store,
            id,
            upload,
            owner,
            stage: Stage::Private,
        };
        spool.publish(request, attempts, now);
        spool
    }

    /// The client whose share of the store it counts towards.
    pub fn owner(&self) -> Option<IpAddr> {
        self.owner
    }

    /// The identifier of the conversion.
    pub fn id(&self) -> ConversionId {
        self.id
    }

    /// The upload, open for reading and writing.
    pub fn upload(&self) -> &File {
        &self.upload
    }

    /// Opens the upload again for reading, with a file position of its own.
    pub fn open_upload(&self) -> Result<File> {
        let dir = match self.stage {
            Stage::Private => self.store.0.disk.incoming(&self.id),
            Stage::Accepted { .. } | Stage::Over => self.store.0.disk.home(&self.id),
        };
        File::open(dir.join(disk::UPLOAD))
            .map_err(|err| Error::storage("the upload cannot be read", err))
    }

    /// Creates an empty output for reading and writing. A second call discards the first output.
    pub fn create_output(&self) -> Result<File> {
        let path = incoming(&self.store.0.disk, &self.id)?.join(disk::OUTPUT_PART);
        steps::create(&path).map_err(|err| Error::storage("the result could not be stored", err))
    }

    /// Makes the conversion visible as processing, now and after a restart. The upload must be complete.
    ///
    /// Errors: those of the disk. The conversion then stays private and can only be dropped.
    pub fn accept(&mut self, request: Request, now: SystemTime) -> Result<()> {
        let saved = Saved::Processing {
            id: self.id,
            attempts: 0,
            request: request.clone(),
            owner: self.owner,
        };
        self.show(&saved)
            .map_err(|err| Error::storage("the upload could not be stored", err))?;
        self.publish(request, 0, now);
        self.store.index().spools -= 1;
        Ok(())
    }

    fn show(&self, saved: &Saved) -> io::Result<()> {
        let disk = &self.store.0.disk;
        let dir = disk.incoming(&self.id);
        steps::sync(&self.upload)?;
        steps::remove_file(&dir.join(disk::OUTPUT_PART))?;
        disk::write_record(&dir, saved)?;
        let home = disk.home(&self.id);
        steps::rename(&dir, &home)?;
        steps::sync_dir(disk.root())?;
        steps::sync_dir(&home)
    }

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

    /// What the client asked for, once the conversion has been accepted.
    pub fn request(&self) -> Option<&Request> {
        match &self.stage {
            Stage::Accepted { request, .. } => Some(request),
            Stage::Private | Stage::Over => None,
        }
    }

    /// How many times a server has [begun](Self::begin) to run this conversion. An attempt that ended in an orderly shutdown
    /// (the spool was dropped) does not count.
    pub fn attempts(&self) -> u32 {
        match self.stage {
            Stage::Accepted { attempts, .. } => attempts,
            Stage::Private | Stage::Over => 0,
        }
    }

    /// Counts one more attempt on disk, if the conversion has been accepted. Without this, a conversion that kills the process
    /// would be run again for ever.
    pub fn begin(&mut self) {
        let Stage::Accepted {
            request,
            attempts,
            begun,
            ..
        } = &mut self.stage
        else {
            return;
        };
        *attempts = attempts.saturating_add(1);
        *begun = true;
        let saved = Saved::Processing {
            id: self.id,
            attempts: *attempts,
            request: (**request).clone(),
            owner: self.owner,
        };
        let home = self.store.0.disk.home(&self.id);
        if let Err(err) = disk::write_record(&home, &saved) {
            log::warn!("{:?}: the attempt could not be counted: {err}", self.id);
        }
    }

    /// Notes how far the conversion has come. Cheap: nothing is written.
    pub fn progress(&self, now: job::Progress) {
        match &self.stage {
            Stage::Accepted { progress, .. } => progress.set(now),
            Stage::Private | Stage::Over => {}
        }
    }

    /// Stores the output and issues the link to it. Both have been fsynced when this returns.
    ///
    /// Errors: those of the disk, and [`Kind::Busy`] if the result exceeds the owner's share (see [`Store::share_for`]).
    /// Nothing of the result is kept then, and an accepted conversion has failed.
    pub fn commit(
        mut self,
        request: Request,
        outcome: Outcome,
        now: SystemTime,
    ) -> Result<Arc<Record>> {
        let accepted = match self.stage {
            Stage::Private => false,
            Stage::Accepted { .. } | Stage::Over => true,
        };
        let kept = self
            .within_share()
            .and_then(|()| self.keep(accepted, request, outcome, now).map_err(storage));
        match kept {
            Ok(record) => {
                let record = Arc::new(record);
                if accepted {
                    // The upload is removed before the index changes: once the link works, a finished download may remove the
                    // same files.
                    self.store.tidy(&self.id, &[disk::RECORD, disk::OUTPUT]);
                }
                {
                    let mut index = self.store.index();
                    index.insert_ready(record.clone());
                    if !accepted {
                        index.spools -= 1;
                    }
                }
                self.stage = Stage::Over;
                if accepted {
                    self.store.tell(&self.id);
                }
                Ok(record)
            }
            Err(err) => {
                if accepted {
                    let failure = Failure {
                        kind: err.kind(),
                        message: err.message().to_owned(),
                    };
                    self.give_up(failure, now);
                }
                Err(err)
            }
        }
    }

    /// Checks that the output fits into the share of its owner.
    fn within_share(&self) -> Result<()> {
        let part = self.store.0.disk.incoming(&self.id).join(disk::OUTPUT_PART);
        let len = fs::metadata(part).map_err(storage)?.len();
        self.store.share_for(self.owner, len)
    }

    /// Puts the files of a commit in place. The last rename, of the record or of the directory, is the moment of the commit.
    fn keep(
        &self,
        accepted: bool,
        request: Request,
        outcome: Outcome,
        now: SystemTime,
    ) -> io::Result<Record> {
        let disk = &self.store.0.disk;
        let incoming = disk.incoming(&self.id);
        let home = disk.home(&self.id);
        let part = incoming.join(disk::OUTPUT_PART);
        let output = File::open(&part)?;
        steps::sync(&output)?;
        let record = Record {
            id: self.id,
            original_filename: request.original_filename,
            original_format: request.task.from,
            target_format: request.task.to,
            media_type: match outcome.archive {
                true => ARCHIVE_MEDIA_TYPE.to_owned(),
                false => request.media_type,
            },
            file_size: output.metadata()?.len(),
            conversion_time: outcome.conversion_time,
            notes: outcome.notes,
            archive: outcome.archive,
            owner: self.owner,
            term: Term::new(now, self.store.0.settings.link_ttl),
        };
        let saved = Saved::Ready(record.clone());
        if accepted {
            steps::rename(&part, &home.join(disk::OUTPUT))?;
            disk::write_record(&home, &saved)?;
        } else {
            steps::rename(&part, &incoming.join(disk::OUTPUT))?;
            steps::remove_file(&incoming.join(disk::UPLOAD))?;
            disk::write_record(&incoming, &saved)?;
            steps::rename(&incoming, &home)?;
            steps::sync_dir(disk.root())?;
        }
        steps::sync_dir(&home)?;
        Ok(record)
    }

    /// Ends the conversion without a result. If it was accepted, its status is `failure` for as long as a link would work.
    pub fn fail(mut self, failure: Failure, now: SystemTime) {
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

impl Drop for Spool {
    fn drop(&mut self) {
        match self.stage.clone() {
            Stage::Over => {}
            Stage::Private => {
                self.store.index().spools -= 1;
                self.store.discard(&self.id);
            }
            Stage::Accepted { since, .. } if thread::panicking() => {
                let failure = Failure {
                    kind: Kind::Internal,
                    message: "the conversion ended unexpectedly".to_owned(),
                };
                self.give_up(failure, since);
            }
            Stage::Accepted {
                request,
                attempts,
                begun,
                ..
            } => {
                let disk = &self.store.0.disk;
                if begun {
                    let saved = Saved::Processing {
                        id: self.id,
                        attempts: attempts.saturating_sub(1),
                        request: (*request).clone(),
                        owner: self.owner,
                    };
                    // If this fails, one attempt too many stays counted.
                    let _ = disk::write_record(&disk.home(&self.id), &saved);
                }
                // If this fails, the next start removes the output.
                let _ = disk::discard_dir(&disk.incoming(&self.id));
            }
        }
    }
}

fn storage(cause: io::Error) -> Error {
    Error::storage("the result could not be stored", cause)
}

/// The directory of a conversion under `incoming`. Created if it is missing, together with the data directory if that has
/// vanished.
fn incoming(disk: &Disk, id: &ConversionId) -> Result<PathBuf> {
    let dir = disk.incoming(id);
    let made = match steps::make_dir(&dir) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => {
            disk.restore()?;
            steps::make_dir(&dir)
        }
        made => made,
    };
    made.map(|()| dir)
        .map_err(|err| Error::storage("the conversion could not be stored", err))
}

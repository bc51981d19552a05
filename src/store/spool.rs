//! A conversion's files until they are stored. Leaves nothing behind unless it was accepted or committed.

use super::{
    Store, disk,
    disk::Disk,
    index::{Entry, Progress},
    record::{Failure, Outcome, Record, Request, Saved, Term},
};
use crate::{
    error::{Error, Kind, Result},
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
/// Dropped, it deletes its files. After [`accept`](Self::accept) it stays `processing` and is left to the next start of
/// the server instead, unless the thread is panicking: then the conversion has failed.
pub struct Spool {
    store: Store,
    id: ConversionId,
    upload: File,
    owner: Option<IpAddr>,
    stage: Stage,
}

#[derive(Clone)]
enum Stage {
    /// Only its client knows of it.
    Private,
    /// Visible, and to be finished whatever happens.
    Accepted {
        request: Arc<Request>,
        attempts: u32,
        /// Whether the last of them is under way.
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
            disk::create(&dir.join(disk::UPLOAD))
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

    /// A conversion that was accepted before the server started.
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

    /// Whose share of the store it takes.
    pub fn owner(&self) -> Option<IpAddr> {
        self.owner
    }

    /// The identifier it will be known by.
    pub fn id(&self) -> ConversionId {
        self.id
    }

    /// The upload, for reading and writing.
    pub fn upload(&self) -> &File {
        &self.upload
    }

    /// The upload again, for reading, with an offset of its own.
    pub fn open_upload(&self) -> Result<File> {
        let dir = match self.stage {
            Stage::Private => self.store.0.disk.incoming(&self.id),
            Stage::Accepted { .. } | Stage::Over => self.store.0.disk.home(&self.id),
        };
        File::open(dir.join(disk::UPLOAD))
            .map_err(|err| Error::storage("the upload cannot be read", err))
    }

    /// Creates the output, empty, for reading and writing. A second call begins anew.
    pub fn create_output(&self) -> Result<File> {
        let path = incoming(&self.store.0.disk, &self.id)?.join(disk::OUTPUT_PART);
        disk::create(&path).map_err(|err| Error::storage("the result could not be stored", err))
    }

    /// Makes the conversion visible as processing, from now on and after a restart. The upload must be whole.
    ///
    /// On an error it is as private as before, but can only be dropped.
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
        disk::sync(&self.upload)?;
        disk::remove_file(&dir.join(disk::OUTPUT_PART))?;
        disk::write_record(&dir, saved)?;
        let home = disk.home(&self.id);
        disk::rename(&dir, &home)?;
        disk::sync_dir(disk.root())?;
        disk::sync_dir(&home)
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

    /// What was asked for, once accepted.
    pub fn request(&self) -> Option<&Request> {
        match &self.stage {
            Stage::Accepted { request, .. } => Some(request),
            Stage::Private | Stage::Over => None,
        }
    }

    /// How many times a server has [begun](Self::begin) to run this conversion. Ended in good order (dropped), an attempt
    /// does not count.
    pub fn attempts(&self) -> u32 {
        match self.stage {
            Stage::Accepted { attempts, .. } => attempts,
            Stage::Private | Stage::Over => 0,
        }
    }

    /// Counts one attempt more, if it was accepted: a conversion that ends the process would be run for ever otherwise.
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

    /// Tells how far the conversion is. Cheap.
    pub fn progress(&self, now: job::Progress) {
        match &self.stage {
            Stage::Accepted { progress, .. } => progress.set(now),
            Stage::Private | Stage::Over => {}
        }
    }

    /// Stores the output and issues the link to it. When this returns, both are on the medium.
    ///
    /// On an error nothing is left of it; an accepted conversion has failed then. [`Kind::Busy`] means that the result is beyond
    /// the owner's share, see [`Store::share_for`].
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
                    // Before it is told: afterwards the files may be somebody else's to remove.
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

    /// Whether there is room for the output in what its owner may have.
    fn within_share(&self) -> Result<()> {
        let part = self.store.0.disk.incoming(&self.id).join(disk::OUTPUT_PART);
        let len = fs::metadata(part).map_err(storage)?.len();
        self.store.share_for(self.owner, len)
    }

    /// The files of a commit. The last rename of a record or of a directory is the moment that counts.
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
        disk::sync(&output)?;
        let record = Record {
            id: self.id,
            original_filename: request.original_filename,
            original_format: request.task.from,
            target_format: request.task.to,
            media_type: request.media_type,
            file_size: output.metadata()?.len(),
            conversion_time: outcome.conversion_time,
            notes: outcome.notes,
            owner: self.owner,
            term: Term::new(now, self.store.0.settings.link_ttl),
        };
        let saved = Saved::Ready(record.clone());
        if accepted {
            disk::rename(&part, &home.join(disk::OUTPUT))?;
            disk::write_record(&home, &saved)?;
        } else {
            disk::rename(&part, &incoming.join(disk::OUTPUT))?;
            disk::remove_file(&incoming.join(disk::UPLOAD))?;
            disk::write_record(&incoming, &saved)?;
            disk::rename(&incoming, &home)?;
            disk::sync_dir(disk.root())?;
        }
        disk::sync_dir(&home)?;
        Ok(record)
    }

    /// Ends the conversion without a result. An accepted one answers with `failure` for as long as a link would
    /// work.
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
                    // If this fails, one attempt too many is counted.
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

/// The private directory of a conversion, made if need be, and with it a data directory that has vanished.
fn incoming(disk: &Disk, id: &ConversionId) -> Result<PathBuf> {
    let dir = disk.incoming(id);
    let made = match disk::make_dir(&dir) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => {
            disk.restore()?;
            disk::make_dir(&dir)
        }
        made => made,
    };
    made.map(|()| dir)
        .map_err(|err| Error::storage("the conversion could not be stored", err))
}

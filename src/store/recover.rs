//! Start-up: reads the data directory back and puts it in order. Never removes what it could not read, only what it read and
//! found to be no conversion.
//!
//! A crash can only leave a state between two steps, so the order of reading decides. Endings come first: a directory whose
//! ending is known is only waiting to be removed. Everything under `incoming` belonged to a client whose connection is gone,
//! and is removed. In the remaining directories the record alone says what they are, and files that it does not
//! need are left over from the step before or after it. A directory without a valid record is debris. An I/O error, on the
//! other hand, proves nothing, and what cannot be read stays.

use super::{
    Inner, Settings, Spool, Store, disk,
    disk::{Disk, unusable},
    endings::Written,
    entries::Entry,
    index::Index,
    record::{Record, Request, Saved},
};
use crate::{error::Result, id::ConversionId};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read},
    net::IpAddr,
    path::Path,
    sync::{Arc, Condvar, Mutex, OnceLock, atomic::AtomicU64},
    time::SystemTime,
};

/// The capacity of the channel of conversions whose files can be removed; what does not fit waits for a sweep.
const MAX_UNTIDY: usize = 1024;
/// A file of more bytes is not a record, because names, options and notes are bounded where they come from.
const MAX_RECORD: u64 = 4 << 20;

/// What a conversion's directory turns out to be.
enum Found {
    Ready(Record),
    Failed(Entry),
    Processing {
        upload: File,
        request: Request,
        attempts: u32,
        owner: Option<IpAddr>,
    },
    /// The rest of something that a crash interrupted.
    Debris,
}

pub(super) fn open(settings: Settings, now: SystemTime) -> Result<(Store, Vec<Spool>)> {
    let disk = Disk::open(settings.dir.clone())?;
    let mut index = Index::default();
    let mut resumable = Vec::new();
    read_back(&disk, &mut index, &mut resumable).map_err(|err| unusable(disk.root(), err))?;
    let store = Store(Arc::new(Inner {
        settings,
        disk,
        index: Mutex::new(index),
        listener: OnceLock::new(),
        released: Condvar::new(),
        claims: AtomicU64::new(0),
        untidy: crossbeam_channel::bounded(MAX_UNTIDY),
    }));
    let spools = resumable
        .into_iter()
        .map(|(id, upload, request, attempts, owner)| {
            Spool::resume(store.clone(), id, upload, request, attempts, owner, now)
        })
        .collect();
    store.sweep(now);
    Ok((store, spools))
}

type Resumable = Vec<(ConversionId, File, Request, u32, Option<IpAddr>)>;

fn read_back(disk: &Disk, index: &mut Index, resumable: &mut Resumable) -> io::Result<()> {
    let tombstones = disk.tombstones()?;
    for (id, (ending, term_end)) in disk.endings.read_back(&tombstones)? {
        index.end(id, ending, term_end, Written::Yes);
    }
    for (id, ending, _) in tombstones {
        disk.remove_tombstone(&id, ending)?;
    }
    for id in disk::conversions_in(&disk.nursery())? {
        if let Err(err) = disk::discard_dir(&disk.incoming(&id)) {
            log::warn!("{id:?}: an incoming conversion could not be removed: {err}");
        }
    }
    for id in disk::conversions_in(disk.root())? {
        let home = disk.home(&id);
        if index.ending(&id).is_some() {
            // The crash came after the ending was written and before the files were removed. The first sweep removes them.
            index.fall_behind(id);
            continue;
        }
        match examine(&home, &id) {
            Ok(Found::Ready(record)) => index.insert_ready(Arc::new(record)),
            Ok(Found::Failed(entry)) => index.insert(id, entry),
            Ok(Found::Processing {
                upload,
                request,
                attempts,
                owner,
            }) => resumable.push((id, upload, request, attempts, owner)),
            Ok(Found::Debris) => {
                log::info!("{id:?}: removing what is left of an unfinished conversion");
                index.fall_behind(id);
            }
            Err(err) => log::warn!("{id:?} cannot be read and stays: {err}"),
        }
    }
    Ok(())
}

/// Reads one directory, and removes the files that its record does not need, which a crash may have left.
fn examine(home: &Path, id: &ConversionId) -> io::Result<Found> {
    let Some(json) = read_record(home)? else {
        return Ok(Found::Debris);
    };
    match Saved::parse(&json, id) {
        None => Ok(Found::Debris),
        Some(Saved::Ready(record)) => {
            let output = length(&home.join(disk::OUTPUT))?;
            if output != Some(record.file_size) {
                return Ok(Found::Debris);
            }
            disk::keep_only(home, &[disk::RECORD, disk::OUTPUT])?;
            Ok(Found::Ready(record))
        }
        Some(Saved::Failed {
            failure,
            owner,
            term,
            ..
        }) => {
            disk::keep_only(home, &[disk::RECORD])?;
            Ok(Found::Failed(Entry::Failed {
                failure,
                owner,
                term,
            }))
        }
        Some(Saved::Processing {
            attempts,
            request,
            owner,
            ..
        }) => {
            let path = home.join(disk::UPLOAD);
            if length(&path)?.is_none() {
                return Ok(Found::Debris);
            }
            let upload = OpenOptions::new().read(true).write(true).open(&path)?;
            disk::keep_only(home, &[disk::RECORD, disk::UPLOAD])?;
            Ok(Found::Processing {
                upload,
                request,
                attempts,
                owner,
            })
        }
    }
}

fn read_record(home: &Path) -> io::Result<Option<Vec<u8>>> {
    let path = home.join(disk::RECORD);
    match length(&path)? {
        Some(len) if len <= MAX_RECORD => {
            let mut json = Vec::new();
            File::open(path)?.take(MAX_RECORD).read_to_end(&mut json)?;
            Ok(Some(json))
        }
        Some(_) | None => Ok(None),
    }
}

/// The length of a regular file in bytes, or `None` if there is no regular file of this name.
fn length(path: &Path) -> io::Result<Option<u64>> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(found.is_file().then_some(found.len())),
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(err) => Err(err),
    }
}

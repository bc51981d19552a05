//! Start-up: reads the data directory back and puts it in order. Never removes what it could not read, only
//! what it read and found to be nothing.

use super::{
    Inner, Settings, Spool, Store, disk,
    disk::{Disk, unusable},
    endings::Written,
    index::{Entry, Index},
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

/// Conversions whose files wait to be removed, beside those that wait for a sweep.
const MAX_UNTIDY: usize = 1024;
/// A larger file is not a record: names, options and notes are bounded where they come from.
const MAX_RECORD: u64 = 4 << 20;

/// A conversion's directory, as it is found.
enum Found {
    Ready(Record),
    Failed(Entry),
    Processing {
        upload: File,
        request: Request,
        attempts: u32,
        owner: Option<IpAddr>,
    },
    /// Left by a crash.
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
            // The crash came between the ending and the removal, which the first sweep does.
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

/// Reads one directory, and removes what a crash has left beside what its record needs.
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

/// The length of a regular file, or nothing if there is none by this name.
fn length(path: &Path) -> io::Result<Option<u64>> {
    match fs::symlink_metadata(path) {
        Ok(found) => Ok(found.is_file().then_some(found.len())),
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(err) => Err(err),
    }
}

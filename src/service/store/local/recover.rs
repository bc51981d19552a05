//! Start-up: reads the data directory back and puts it in order. Never removes a file that it tried to read and could
//! not.
//!
//! A crash can only leave the state between two steps, so the order of reading decides. Endings come first: if the
//! ending of a conversion is known, its files are only waiting to be removed. Uploads and outputs under `incoming` were
//! not complete, and are removed. A result takes precedence over a failure, and both over an acceptance, because they
//! are later steps. Files that the state does not need are left over from the step before or after it, and files
//! without a valid record are debris. A file that cannot be read because of an I/O error stays, because the error
//! proves nothing about its content.
//!
//! A power cut can also undo steps that were not flushed, or leave a file with its length but without its contents. To
//! keep the start quick with a hundred thousand results, only their records are read here. The exception is a result
//! beside which other files of its conversion still exist: it is read in full, because it may be possible to make it
//! again from the upload.

use super::{
    Inner, Settings, Spool, Store,
    disk::{self, Disk, FileKind, unusable},
    endings::Written,
    entries::Entry,
    index::Index,
    keys::Keys,
    record_file::{length, read_record},
    upgrade,
};
use crate::{
    error::Result,
    id::ConversionId,
    store::record::{Record, Request, Saved},
};
use std::{
    fs::File,
    io,
    net::IpAddr,
    sync::{Arc, Condvar, Mutex, OnceLock, atomic::AtomicU64},
    time::SystemTime,
};

/// Capacity of the channel of conversions whose files can be removed. If it is full, the next sweep removes the files.
const MAX_UNTIDY: usize = 1024;

/// State of a conversion, as its files show it.
enum Found {
    Ready(Record),
    Failed(Entry),
    Processing(Accepted),
    /// No valid state: files left over from an interrupted step, or files whose result or record is invalid.
    Debris,
}

struct Accepted {
    request: Request,
    attempts: u32,
    owner: Option<IpAddr>,
}

/// Opens the data directory, and puts it in order after a crash. Returns the accepted conversions that have to be run
/// again.
pub(super) fn open(settings: Settings, now: SystemTime) -> Result<(Store, Vec<Spool>)> {
    let disk = Disk::open(settings.dir.clone(), settings.durability)?;
    let mut index = Index::default();
    let failed = |err| unusable(disk.root(), err);
    let outdated = upgrade::run(&disk).map_err(failed)?;
    let accepted = read_back(&disk, &mut index).map_err(failed)?;
    let store = Store(Arc::new(Inner {
        settings,
        disk,
        keys: Keys::default(),
        index: Mutex::new(index),
        listener: OnceLock::new(),
        released: Condvar::new(),
        claims: AtomicU64::new(0),
        untidy: crossbeam_channel::bounded(MAX_UNTIDY),
        outdated: Mutex::new(outdated),
    }));
    let spools = accepted
        .into_iter()
        .map(|(id, accepted)| {
            let Accepted {
                request,
                attempts,
                owner,
            } = accepted;
            Spool::resume(store.clone(), id, request, attempts, owner, now)
        })
        .collect();
    store.sweep(now);
    store.0.keys.add(store.index().repeats());
    Ok((store, spools))
}

/// Reads the content of the directory: endings first, then conversions. Removes unfinished uploads and outputs.
fn read_back(disk: &Disk, index: &mut Index) -> io::Result<Vec<(ConversionId, Accepted)>> {
    for (id, (ending, term_end)) in disk.endings.read_back()? {
        index.end(id, ending, term_end, Written::Yes);
    }
    for id in disk::conversions_in(&disk.volatile_directory())?.into_keys() {
        if let Err(err) = disk.clear_incoming(&id) {
            log::warn!("{id:?}: an incoming conversion could not be removed: {err}");
        }
    }
    let mut resumable = Vec::new();
    for (id, files) in disk::conversions_in(disk.root())? {
        if index.ending(&id).is_some() {
            // The server crashed after it wrote the ending and before it removed the files. The first sweep removes
            // them.
            index.fall_behind(id);
            continue;
        }
        match examine(disk, &id, &files) {
            Ok(Found::Ready(record)) => index.insert_found(record),
            Ok(Found::Failed(entry)) => index.insert(id, entry),
            Ok(Found::Processing(accepted)) => resumable.push((id, accepted)),
            Ok(Found::Debris) => {
                log::info!("{id:?}: removing the files of an unfinished conversion");
                index.fall_behind(id);
            }
            Err(err) => log::warn!("{id:?} cannot be read, and is left where it is: {err}"),
        }
    }
    Ok(resumable)
}

/// Reads the files of one conversion, and removes left-over files that its state does not need. Debris stays for the
/// first sweep.
fn examine(disk: &Disk, id: &ConversionId, files: &[FileKind]) -> io::Result<Found> {
    let keep_only = |wanted: &[FileKind]| match files.iter().all(|file| wanted.contains(file)) {
        true => Ok(()),
        false => disk.keep_only(id, wanted),
    };
    if files.contains(&FileKind::Result) {
        let file = File::open(disk.path_of(id, FileKind::Result))?;
        if let Some((record, _)) = disk.key.read(&file, id)?
            && (files.len() == 1 || disk.key.is_whole(&file, id)?)
        {
            keep_only(&[FileKind::Result])?;
            return Ok(Found::Ready(record));
        }
        log::warn!(
            "{id:?}: its result is damaged, or was written with another key, and cannot be delivered"
        );
    }
    if let Some(Saved::Failed {
        failure,
        owner,
        term,
        ..
    }) = read_record(&disk.path_of(id, FileKind::Failed), id)?
    {
        keep_only(&[FileKind::Failed])?;
        return Ok(Found::Failed(Entry::Failed {
            failure: Box::new(failure),
            owner,
            term,
        }));
    }
    if let Some(Saved::Processing { request, owner, .. }) =
        read_record(&disk.path_of(id, FileKind::Accepted), id)?
        && files.contains(&FileKind::Upload)
    {
        keep_only(&[FileKind::Accepted, FileKind::Upload, FileKind::Attempts])?;
        let attempts = length(&disk.path_of(id, FileKind::Attempts))?.unwrap_or(0);
        return Ok(Found::Processing(Accepted {
            request,
            attempts: attempts.try_into().unwrap_or(u32::MAX),
            owner,
        }));
    }
    Ok(Found::Debris)
}

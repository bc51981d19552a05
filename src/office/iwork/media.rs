//! Finds the files of pictures in the archive of a document. Decodes no picture.

use super::kind;
use crate::{
    containers::{
        iwa::{Message, Objects},
        zip::Archive,
    },
    error::Result,
    job::{Input, Job, Lease},
};
use std::collections::HashMap;

/// Limit on the number of files.
const MAX_FILES: usize = 100_000;

/// Memory of an entry of a map from names or numbers to archive entries, in bytes.
const ENTRY: u64 = 64;

/// The files of a document that contain data such as pictures instead of objects.
pub struct Media<'a> {
    archive: Archive<'a>,
    /// Indexes of archive entries by the numbers of the files.
    places: HashMap<u64, usize>,
    /// Memory of the directory and of the indexes.
    _lease: Lease<'a>,
}

impl<'a> Media<'a> {
    /// Lists the files.
    ///
    /// Errors: those of opening the archive.
    pub fn open(job: &'a Job<'a>, input: &'a mut dyn Input, objects: &Objects<'_>) -> Result<Self> {
        let lease = job.lease(Archive::memory(job, input)?)?;
        let archive = Archive::open(job, input)?;
        lease.grow(ENTRY * archive.entries().len() as u64)?;
        let named = archive
            .entries()
            .iter()
            .enumerate()
            .filter_map(|(at, entry)| {
                let (folder, name) = entry.name.rsplit_once('/')?;
                folder.ends_with("Data").then_some((name, at))
            });
        let named: HashMap<&str, usize> = named.collect();
        let mut places = HashMap::new();
        let package = objects.first(kind::PACKAGE);
        let infos = package.iter().flat_map(|(_, package)| package.all(4));
        for info in infos.take(MAX_FILES) {
            job.check()?;
            lease.grow(ENTRY)?;
            let names = [info.text(4), info.text(3)];
            let place = names.into_iter().flatten().find_map(|name| named.get(name));
            places.extend(info.number(1).zip(place.copied()));
        }
        Ok(Self {
            archive,
            places,
            _lease: lease,
        })
    }

    /// Returns the number of the file that a field of a message refers to. `None` if the file is not in the archive.
    pub fn referred(&self, from: Message<'_>, field: u32) -> Option<u64> {
        let number = from.reference(field);
        number.filter(|number| self.places.contains_key(number))
    }

    /// Returns the path in the archive of the file with this number.
    pub fn name(&self, number: u64) -> Option<&str> {
        let entry = self.archive.entries().get(*self.places.get(&number)?)?;
        Some(&entry.name)
    }

    /// Returns the size of the file with this number, in bytes. 0 if the file is not in the archive.
    pub fn size(&self, number: u64) -> u64 {
        let place = self.places.get(&number);
        let entry = place.and_then(|place| self.archive.entries().get(*place));
        entry.map_or(0, |entry| entry.size)
    }

    /// Reads the file with this number. `None` if the file is not in the archive.
    ///
    /// Errors: those of reading from the archive, such as a damaged file.
    pub fn read(&mut self, number: u64) -> Result<Option<Vec<u8>>> {
        match self.places.get(&number) {
            Some(place) => self.archive.read_nth(*place).map(Some),
            None => Ok(None),
        }
    }
}

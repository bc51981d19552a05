//! Finds the persist objects of a presentation (MS-PPT 2.1.2, 2.3.3 to 2.3.5): each has a number, and directories map
//! numbers to offsets in the stream. If several directories contain a number, the latest directory takes precedence.
//! Does not read the objects.

use super::kind;
use crate::{containers::fields::Fields, error::Result, job::Job};
use convertd_office::art::Record;
use std::collections::HashMap;

/// Limit on the edits of a file. Each save may add one.
const MAX_EDITS: usize = 4096;

/// Limit on the persist objects of a file.
const MAX_OBJECTS: usize = 1 << 20;

/// Offsets of persist objects.
pub(super) struct Objects {
    /// Offset of each object in the stream, by its number.
    places: HashMap<u32, u32>,
    /// Number of the document record.
    document: u32,
}

impl Objects {
    /// Follows the edits from the latest to the first. `user` is the content of the stream `Current User`, which states
    /// the offset of the latest edit. Every save may append an edit, which points to the edit before it and to a
    /// directory of the objects that changed.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if no directory is found.
    pub(super) fn read(job: &Job<'_>, stream: &[u8], user: &[u8]) -> Result<Self> {
        let stream = Fields(stream);
        let user = Record::first(Fields(user)).unwrap_or_default().data;
        let mut objects = Self {
            places: HashMap::new(),
            document: 0,
        };
        let mut next = user.u32(8);
        for number in 0..MAX_EDITS {
            let edit = Record::first(stream.from(next as usize));
            let Some(edit) = edit.filter(|edit| edit.kind == kind::USER_EDIT) else {
                break;
            };
            if number == 0 {
                objects.document = edit.data.u32(16);
            }
            objects.add(stream, edit.data.u32(12));
            // Each edit is stored after the previous edit. The check prevents endless loops in damaged files.
            match edit.data.u32(8) {
                0 => break,
                before if before >= next => break,
                before => next = before,
            }
        }
        if objects.places.is_empty() {
            return Err(job.unreadable("the positions of its slides are missing"));
        }
        Ok(objects)
    }

    /// Adds the objects of a directory that are not in a later directory. The directory consists of runs: the lower
    /// 20 bits of a run are its first number, the other 12 are its length, and an offset follows for each number.
    fn add(&mut self, stream: Fields<'_>, place: u32) {
        let directory = Record::first(stream.from(place as usize));
        let Some(directory) = directory.filter(|record| record.kind == kind::DIRECTORY) else {
            return;
        };
        let mut rest = directory.data;
        while rest.len() >= 4 {
            let (first, count) = (rest.u32(0) & 0xf_ffff, rest.u32(0) >> 20);
            rest = rest.from(4);
            for number in first..first + count {
                if rest.len() < 4 || self.places.len() >= MAX_OBJECTS {
                    return;
                }
                self.places.entry(number).or_insert(rest.u32(0));
                rest = rest.from(4);
            }
        }
    }

    /// Returns the object with a number.
    pub(super) fn get<'s>(&self, stream: &'s [u8], number: u32) -> Option<Record<'s>> {
        let place = *self.places.get(&number)?;
        Record::first(Fields(stream).from(place as usize))
    }

    /// Returns the document record.
    pub(super) fn document<'s>(&self, stream: &'s [u8]) -> Option<Record<'s>> {
        self.get(stream, self.document)
    }
}

//! The objects of a presentation (MS-PPT 2.1.2, 2.3.3 to 2.3.5): each has a number, and the latest directory that has the number
//! says where it is. Reads no objects.

use super::kind;
use crate::{containers::fields::Fields, error::Result, job::Job};
use convertd_office::art::Record;
use std::collections::HashMap;

/// The number of edits that are followed.
const MAX_EDITS: usize = 4096;

/// The number of objects.
const MAX_OBJECTS: usize = 1 << 20;

/// Offsets of persist objects.
pub(super) struct Objects {
    places: HashMap<u32, u32>,
    /// The number of the object that is the document.
    document: u32,
}

impl Objects {
    /// Follows the edits from the latest to the first.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if nothing says where objects are.
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
            // Each edit is behind the one before it, so that they cannot run in circles.
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

    /// Adds the objects of a directory that no later one has.
    fn add(&mut self, stream: Fields<'_>, place: u32) {
        let directory = Record::first(stream.from(place as usize));
        let Some(directory) = directory.filter(|one| one.kind == kind::DIRECTORY) else {
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

    /// The object with this number.
    pub(super) fn get<'s>(&self, stream: &'s [u8], number: u32) -> Option<Record<'s>> {
        let place = *self.places.get(&number)?;
        Record::first(Fields(stream).from(place as usize))
    }

    /// The document.
    pub(super) fn document<'s>(&self, stream: &'s [u8]) -> Option<Record<'s>> {
        self.get(stream, self.document)
    }
}

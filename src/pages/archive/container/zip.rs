//! ZIP archives, read by [`Archive`](zip::Archive).

use super::{Container, Member};
use crate::{
    containers::zip,
    error::Result,
    job::{Input, Job},
};

pub(super) struct Zip<'a> {
    archive: zip::Archive<'a>,
    members: Vec<Member>,
}

impl<'a> Zip<'a> {
    /// Reads the directory, and reserves memory for it. The caller leases the memory of each file.
    pub(super) fn open(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Self> {
        job.reserve(zip::Archive::memory(job, input)?)?;
        let archive = zip::Archive::open(job, input)?;
        let members = archive.entries().iter().map(|entry| Member {
            name: entry.name.clone(),
            size: entry.size,
        });
        let members = members.collect();
        Ok(Self { archive, members })
    }
}

impl Container for Zip<'_> {
    fn members(&self) -> &[Member] {
        &self.members
    }

    fn read(&mut self, nth: usize) -> Result<Vec<u8>> {
        self.archive.read_nth(nth)
    }
}

//! A container with a single file, such as a `gzip` file.

use super::{Container, Member};
use crate::{error::Result, job::Lease};

pub(super) struct Single<'a> {
    member: Member,
    bytes: Vec<u8>,
    _lease: Lease<'a>,
}

impl<'a> Single<'a> {
    /// Makes a container with one file. A file without a name is called `file`.
    pub(super) fn new(name: String, bytes: Vec<u8>, lease: Lease<'a>) -> Self {
        let name = match name.is_empty() {
            true => "file".into(),
            false => name.into(),
        };
        let size = bytes.len() as u64;
        Self {
            member: Member { name, size },
            bytes,
            _lease: lease,
        }
    }
}

impl Container for Single<'_> {
    fn members(&self) -> &[Member] {
        std::slice::from_ref(&self.member)
    }

    fn read(&mut self, _: usize) -> Result<Vec<u8>> {
        Ok(self.bytes.clone())
    }

    fn is_single(&self) -> bool {
        true
    }
}

//! Finds subsampled channels in the headers of an OpenEXR file. Only the attributes with lists of channels are read.
//!
//! The crate `exr` 1.74 decompresses channels that have only every second sample in a row and every second row, but
//! refuses their files when it reads the headers ("channel subsampling not supported yet"). So the crate sees headers
//! in which all channels look complete, and this module keeps the real subsampling.
//!
//! After a magic number and a version, each part has a header: attributes, each with a name, a type and a length, up to
//! an empty name. In a file with several parts, an empty header ends the headers (OpenEXR File Layout, 2013).

use crate::pages::Patch;
use convertd_core::job::Input;
use std::{
    collections::HashMap,
    io::{self, Read, SeekFrom},
};

/// Largest length of headers that are searched, in bytes.
const MAX: u64 = 1 << 20;

/// Flag for several parts in the version field.
const MULTIPART: u32 = 0x1000;

/// Distances between samples in pixels, across and down.
pub(crate) type Step = (usize, usize);

/// Subsampling of channels.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sampling {
    /// Steps by number of the part and name of the channel. Complete channels have no entry.
    steps: HashMap<(usize, Vec<u8>), Step>,
    /// Patch that makes all channels look complete to a decoder.
    pub(crate) patch: Patch,
}

impl Sampling {
    /// Reads the headers of a file. Damaged headers are left to the decoder, which reads them next.
    pub(crate) fn read(input: &mut dyn Input) -> io::Result<Self> {
        let mut head = Vec::new();
        input.seek(SeekFrom::Start(0))?;
        (&mut *input).take(MAX).read_to_end(&mut head)?;
        let mut found = Self::default();
        let mut whole = head.clone();
        if walk(&head, &mut whole, &mut found.steps).is_some() && !found.steps.is_empty() {
            found.patch.bytes = whole;
        }
        Ok(found)
    }

    /// The step of a channel; (1, 1) for a complete channel.
    pub(crate) fn of(&self, part: usize, channel: &[u8]) -> Step {
        let step = self.steps.get(&(part, channel.to_vec()));
        step.copied().unwrap_or((1, 1))
    }
}

/// Records the subsampled channels in `steps`, and makes them look complete in `whole`. `None` if the headers are
/// damaged.
fn walk(head: &[u8], whole: &mut [u8], steps: &mut HashMap<(usize, Vec<u8>), Step>) -> Option<()> {
    let word = |at: usize| Some(u32::from_le_bytes(*head.get(at..)?.first_chunk()?));
    let text = |at: usize| {
        let rest = head.get(at..)?;
        rest.get(..memchr::memchr(0, rest)?)
    };
    let is_multipart = word(4)? & MULTIPART != 0;
    let mut at = 8;
    for part in 0.. {
        let mut is_empty = true;
        loop {
            let name = text(at)?;
            at += name.len() + 1;
            if name.is_empty() {
                break;
            }
            is_empty = false;
            let kind = text(at)?;
            at += kind.len() + 1;
            let len = word(at)? as usize;
            at += 4;
            let end = at.checked_add(len).filter(|end| *end <= head.len())?;
            while (name, kind) == (b"channels", b"chlist") && at < end {
                let name = text(at)?;
                at += name.len() + 1;
                if name.is_empty() {
                    break;
                }
                // An entry has a pixel type, a flag, three reserved bytes, and two distances.
                let step = (word(at + 8)? as usize, word(at + 12)? as usize);
                if step != (1, 1) {
                    steps.insert((part, name.to_vec()), step);
                    let complete = [1, 0, 0, 0, 1, 0, 0, 0];
                    whole.get_mut(at + 8..at + 16)?.copy_from_slice(&complete);
                }
                at += 16;
            }
            at = end;
        }
        if is_empty || !is_multipart {
            break;
        }
    }
    Some(())
}

//! The container of a Tesseract model (`LANG.traineddata`): a table of offsets, and the parts that it points to. Reads
//! only what a caller asks for, because the word list of some models is a hundred times as long as their network.
//!
//! The table is a 32-bit number of entries and as many 64-bit offsets from the beginning of the file; −1 stands for a
//! part that is absent. A part ends where the next present one begins. The numbers of the parts are those of
//! Tesseract's `tessdatamanager.h`; parts 1 to 16 belong to its old recogniser, and nothing here reads them.

use super::{fields::Fields, unusable};
use convertd_core::{containers, error::Result, job::Input};
use std::{
    io::{self, SeekFrom},
    ops::Range,
};

/// A part of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    Network = 17,
    Punctuation = 18,
    Words = 19,
    Numbers = 20,
    Unicharset = 21,
    Recoder = 22,
}

/// Maximum number of entries in the table. In a file of the other byte order the number is far larger.
const MAX_PARTS: usize = 200;

/// Positions of the parts of a model.
pub(crate) struct Parts {
    ranges: Vec<Option<Range<u64>>>,
}

impl Parts {
    /// Reads the table.
    pub(crate) fn table(input: &mut dyn Input) -> Result<Self> {
        let len = input.seek(SeekFrom::End(0)).map_err(unread)?;
        input.rewind().map_err(unread)?;
        let head = containers::bytes::up_to(input, 4 + 8 * MAX_PARTS as u64).map_err(unread)?;
        let mut fields = Fields::new(&head);
        let count = fields.u32()? as usize;
        if !(1..=MAX_PARTS).contains(&count) {
            return Err(unusable(
                "it does not begin like a file of Tesseract (.traineddata)",
            ));
        }
        let mut offsets = Vec::new();
        for _ in 0..count {
            offsets.push(u64::try_from(fields.i64()?).ok());
        }
        let first = 4 + 8 * count as u64;
        let mut ranges = vec![None; count];
        let mut end = len;
        for (range, offset) in ranges.iter_mut().zip(&offsets).rev() {
            let Some(start) = *offset else { continue };
            if !(first..=end).contains(&start) {
                return Err(unusable(
                    "its parts overlap, or lie beyond the end of the file",
                ));
            }
            *range = Some(start..end);
            end = start;
        }
        Ok(Self { ranges })
    }

    /// Length of a part in bytes, 0 for one that is absent.
    pub(crate) fn len(&self, part: Component) -> u64 {
        self.range(part).map_or(0, |range| range.end - range.start)
    }

    /// Returns whether the model has this part.
    pub(crate) fn has(&self, part: Component) -> bool {
        self.range(part).is_some()
    }

    /// Reads a part of at most `most` bytes. The caller has leased the memory for it.
    pub(crate) fn read(
        &self,
        input: &mut dyn Input,
        part: Component,
        most: u64,
    ) -> Result<Vec<u8>> {
        let range = self.range(part).ok_or_else(|| {
            unusable(format!(
                "it has no {}; files of early versions are not supported",
                part.name()
            ))
        })?;
        let len = range.end - range.start;
        if len > most {
            let text = format!(
                "its {} takes {} KiB; the limit is {} KiB",
                part.name(),
                len >> 10,
                most >> 10
            );
            return Err(unusable(text));
        }
        input.seek(SeekFrom::Start(range.start)).map_err(unread)?;
        containers::bytes::read(input, len).map_err(unread)
    }

    fn range(&self, part: Component) -> Option<Range<u64>> {
        self.ranges.get(part as usize).cloned().flatten()
    }
}

impl Component {
    fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Punctuation => "list of punctuation",
            Self::Words => "list of words",
            Self::Numbers => "list of numbers",
            Self::Unicharset => "set of characters",
            Self::Recoder => "recoder",
        }
    }
}

fn unread(cause: io::Error) -> convertd_core::error::Error {
    unusable("it could not be read").caused_by(cause)
}

//! A file as recognisers see it: its beginning after the tags, and its extension. Recognises nothing itself.

use super::{stream::Stream, tags::id3};
use convertd_core::{
    format::{Format, HEAD_LEN},
    job::{Input, Unlimited},
};
use std::io::{self, Seek, SeekFrom};

/// Largest number of consecutive tags that are skipped.
const MAX_TAGS: usize = 16;

/// A file that is to be recognised.
pub(crate) struct Probe<'a> {
    /// The file without the tags at its beginning.
    stream: Stream<'a>,
    /// The first bytes after the tags, at most [`HEAD_LEN`].
    pub(crate) head: Vec<u8>,
    /// Whether the file begins with an ID3 tag.
    pub(crate) is_tagged: bool,
    extension: Option<&'a str>,
}

impl<'a> Probe<'a> {
    /// Opens a file and passes over the ID3 tags at its beginning. The extension has to be in lower case.
    pub(crate) fn new(input: &'a mut dyn Input, extension: Option<&'a str>) -> io::Result<Self> {
        let mut stream = Stream::new(input, &Unlimited)?;
        let mut is_tagged = false;
        for _ in 0..MAX_TAGS {
            let length = id3::length(&stream.up_to(10)?);
            if length == 0 || length >= stream.len() {
                break;
            }
            stream.narrow(length, u64::MAX)?;
            is_tagged = true;
        }
        stream.seek(SeekFrom::Start(0))?;
        Ok(Self {
            head: stream.up_to(HEAD_LEN as u64)?,
            stream,
            is_tagged,
            extension,
        })
    }

    /// Returns whether the file's extension is a name of this format.
    pub(crate) fn is_called(&self, format: &Format) -> bool {
        self.extension.is_some_and(|name| format.is_called(name))
    }

    /// Returns the file without the tags at its beginning, from its first byte.
    pub(crate) fn stream(&mut self) -> io::Result<&mut Stream<'a>> {
        self.stream.seek(SeekFrom::Start(0))?;
        Ok(&mut self.stream)
    }
}

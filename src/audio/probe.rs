//! A file that is being recognised: its beginning behind the tags, and what it is called. Recognises nothing itself.

use super::{stream::Stream, tags::id3};
use crate::{
    format::{Format, HEAD_LEN},
    job::{Input, Unlimited},
};
use std::io::{self, Seek, SeekFrom};

/// Tags one behind the other that are passed over.
const MAX_TAGS: usize = 16;

/// What a recogniser looks at.
pub(crate) struct Probe<'a> {
    /// The file behind the tags.
    stream: Stream<'a>,
    /// The first bytes there, up to [`HEAD_LEN`].
    pub(crate) head: Vec<u8>,
    /// Whether an ID3 tag stands before them.
    pub(crate) is_tagged: bool,
    extension: Option<&'a str>,
}

impl<'a> Probe<'a> {
    /// Passes over ID3 tags at the beginning of a file with this extension, in lower case.
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

    /// Whether the file's extension is one of the format's names.
    pub(crate) fn is_called(&self, format: &Format) -> bool {
        self.extension.is_some_and(|name| format.is_called(name))
    }

    /// The file behind the tags, at its beginning.
    pub(crate) fn stream(&mut self) -> io::Result<&mut Stream<'a>> {
        self.stream.seek(SeekFrom::Start(0))?;
        Ok(&mut self.stream)
    }
}

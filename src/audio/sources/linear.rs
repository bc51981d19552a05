//! Reads samples that a container stores one after another.

use crate::{
    codecs::raw::{Encoding, decode},
    damage::{bad, cut_short, header_error},
    sound::pcm::{BLOCK_FRAMES, Block, Spec},
    source::Source,
    stream::Stream,
};
use convertd_core::error::Result;
use std::io::Read;

/// A stream of samples of a fixed length.
pub(crate) struct Linear<'a> {
    stream: Stream<'a>,
    encoding: Encoding,
    spec: Spec,
    /// The number of sample frames in the header; `None` if the file does not state it.
    promised: Option<u64>,
    buffer: Vec<u8>,
}

impl<'a> Linear<'a> {
    /// Makes a source of the samples from byte `start` on. The header says that they take `length` bytes; `None` if it
    /// does not say.
    ///
    /// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) if there are no samples.
    pub(crate) fn new(
        mut stream: Stream<'a>,
        spec: Spec,
        encoding: Encoding,
        start: u64,
        length: Option<u64>,
    ) -> Result<Self> {
        let frame = u64::from(encoding.bytes()) * spec.channels.count() as u64;
        let end = length.map_or(u64::MAX, |length| start.saturating_add(length));
        stream.narrow(start, end).map_err(header_error)?;
        if stream.len() < frame {
            return Err(bad("the file has a header, but no samples after it"));
        }
        Ok(Self {
            stream,
            encoding,
            spec,
            promised: length.map(|length| length / frame),
            buffer: vec![0; BLOCK_FRAMES * frame as usize],
        })
    }

    /// Returns the losses that are known before the samples are read; see [`Opened`](crate::source::Opened).
    pub(crate) fn losses(&self) -> Vec<String> {
        let promised = self.promised.unwrap_or(0);
        cut_short(self.spec.rate, promised, self.whole_frames())
            .into_iter()
            .collect()
    }

    fn whole_frames(&self) -> u64 {
        let frame = u64::from(self.encoding.bytes()) * self.spec.channels.count() as u64;
        self.stream.len() / frame
    }
}

impl Source for Linear<'_> {
    fn spec(&self) -> Spec {
        self.spec
    }

    fn frames(&self) -> Option<u64> {
        Some(self.whole_frames())
    }

    fn lossy(&self) -> bool {
        false
    }

    fn read(&mut self, block: &mut Block) -> Result<bool> {
        let frame = self.encoding.bytes() as usize * self.spec.channels.count();
        let mut filled = 0;
        while filled < self.buffer.len() {
            match self
                .stream
                .read(&mut self.buffer[filled..])
                .map_err(header_error)?
            {
                0 => break,
                read => filled += read,
            }
        }
        let bytes = &self.buffer[..filled - filled % frame];
        decode(self.encoding, bytes, self.spec, block);
        Ok(!bytes.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sound::{channels::Channels, pcm::Depth};
    use convertd_core::job::Unlimited;
    use std::io::Cursor;

    #[test]
    fn missing_samples_are_reported() {
        let mut input = Cursor::new(vec![0; 50]);
        let stream = Stream::new(&mut input, &Unlimited).unwrap();
        let spec = Spec::new(8000, Channels::MONO, Depth::Int(16)).unwrap();
        let encoding = Encoding::Signed {
            bytes: 2,
            big: true,
        };
        let mut source = Linear::new(stream, spec, encoding, 10, Some(16_000)).unwrap();
        assert_eq!(source.losses().len(), 1);
        let mut block = Block::new(spec);
        assert!(source.read(&mut block).unwrap());
        assert_eq!(block.frames(), 20);
        assert!(!source.read(&mut block).unwrap());
    }
}

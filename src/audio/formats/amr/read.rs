//! Reads AMR files (RFC 4867, section 5). The format states no length, so a file that was cut off between two frames is
//! not recognised as damaged.

use crate::{
    codecs::{
        amr::{Amr, Band},
        decoder::packet,
    },
    damage::{bad, header_error},
    sound::pcm::{Block, Spec},
    source::{Opened, Source},
    sources::track::Track,
    stream::Stream,
};
use convertd_core::error::Result;
use std::io::{BufRead, BufReader, Read};

/// Largest number of bytes that are read of the first line.
const MAX_LINE: u64 = 32;
/// Largest number of frames of 20 ms that are decoded into one block. If one of them cannot be decoded, the whole block
/// becomes silence.
const FRAMES_AT_ONCE: usize = 5;

struct File<'a> {
    input: BufReader<Stream<'a>>,
    band: Band,
    track: Track,
    frames: Vec<u8>,
    losses: Vec<String>,
}

/// Opens an AMR file.
///
/// Errors: [`Kind::BadInput`](convertd_core::error::Kind::BadInput) for a file with several channels, which no known
/// program writes.
pub(crate) fn open(stream: Stream<'_>) -> Result<Opened<'_>> {
    let mut input = BufReader::with_capacity(1 << 15, stream);
    let mut line = Vec::new();
    let begin = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
    begin.map_err(header_error)?;
    let band = match &line[..] {
        b"#!AMR\n" => Band::Narrow,
        b"#!AMR-WB\n" => Band::Wide,
        b"#!AMR_MC1.0\n" | b"#!AMR-WB_MC1.0\n" => {
            return Err(bad("AMR with several channels is not supported"));
        }
        _ => return Err(bad("its first line names an unknown kind of AMR")),
    };
    let track = Track::new(Box::new(Amr::new(band)?), band.spec()?, true);
    let file = File {
        input,
        band,
        track,
        frames: Vec::new(),
        losses: Vec::new(),
    };
    Ok(Opened::new(file, Default::default()))
}

impl File<'_> {
    /// Appends the next frame. Returns false at the end, or if the frame is cut short, which is a loss.
    fn next_frame(&mut self) -> Result<bool> {
        let mut description = [0];
        if self.input.read(&mut description).map_err(header_error)? == 0 {
            return Ok(false);
        }
        let bytes = self.band.frame_bytes(description[0]);
        let before = self.frames.len();
        self.frames.push(description[0]);
        let mut frame = self.input.by_ref().take(bytes as u64);
        let read = frame.read_to_end(&mut self.frames);
        if read.map_err(header_error)? < bytes {
            self.frames.truncate(before);
            self.losses.push("it ends early: within a frame".to_owned());
            return Ok(false);
        }
        Ok(true)
    }
}

impl Source for File<'_> {
    fn spec(&self) -> Spec {
        self.track.spec()
    }

    fn frames(&self) -> Option<u64> {
        None
    }

    fn lossy(&self) -> bool {
        true
    }

    fn read(&mut self, block: &mut Block) -> Result<bool> {
        self.frames.clear();
        for _ in 0..FRAMES_AT_ONCE {
            if !self.next_frame()? {
                break;
            }
        }
        if self.frames.is_empty() {
            self.losses.extend(self.track.finish()?);
            return Ok(false);
        }
        self.track.push(&packet(&self.frames, 0), block);
        Ok(true)
    }

    fn losses(&mut self) -> Vec<String> {
        std::mem::take(&mut self.losses)
    }
}

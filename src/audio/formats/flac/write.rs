//! Writes FLAC files (RFC 9639): the metadata before the frames, and the checksum of all samples. Encodes several
//! frames at the same time if processor cores are free; the resulting file is the same, byte by byte.
//!
//! STREAMINFO comes first in the file, but its content is known only at the end. So space is reserved for it, and
//! filled in at the end with the number of samples, the smallest and largest frame size, and the MD5 of all samples.

use crate::{
    codecs::flac::encode::{
        frame::{BLOCK, Encoder},
        subframe::Effort,
    },
    out::Out,
    sink::{Plan, Settings, Sink, layout_among},
    sound::{
        bytes,
        channels::LAYOUTS,
        pcm::{Block, Depth, Samples, Spec},
    },
    tags::{Tags, comments},
};
use convertd_core::{error::Result, job::Quality};
use std::thread;
use symphonia::core::{checksum::Md5, io::Monitor};

/// Blocks that each thread encodes before the threads join.
const BATCH: usize = 8;
/// Largest number of extra threads.
const MAX_THREADS: usize = 7;
/// Position of STREAMINFO in the file.
const INFO_AT: u64 = 8;

/// The closest description that FLAC can hold: at most 8 channels, 4 to 32 bits. Floating point becomes 24 bits.
pub(crate) fn plan(source: Spec) -> Result<Plan> {
    Ok(Plan::compressed(Spec {
        channels: match source.channels.count() {
            1..=8 => source.channels,
            _ => layout_among(&LAYOUTS, source.channels)?,
        },
        depth: match source.depth {
            Depth::Int(bits) => Depth::Int(bits.max(4)),
            Depth::Float => Depth::Int(24),
        },
        ..source
    }))
}

/// Begins a FLAC file.
pub(crate) fn create<'a>(out: Out<'a>, settings: &Settings<'_>) -> Result<Box<dyn Sink + 'a>> {
    Ok(Box::new(Flac::new(
        out,
        settings.spec,
        settings.tags,
        settings.quality,
        settings.spare_threads,
    )?))
}

/// A FLAC file that is being written.
pub(crate) struct Flac<'a> {
    out: Out<'a>,
    spec: Spec,
    encoders: Vec<Encoder>,
    /// Interleaved samples that have not been encoded yet.
    pending: Vec<i32>,
    /// Number of the next frame.
    next: u64,
    /// Number of sample frames so far.
    frames: u64,
    /// The smallest and the largest length of a frame so far, in bytes.
    frame_sizes: (usize, usize),
    md5: Md5,
    bytes: Vec<u8>,
}

impl<'a> Flac<'a> {
    /// Writes the metadata blocks. STREAMINFO is filled in at the end.
    pub(crate) fn new(
        mut out: Out<'a>,
        spec: Spec,
        tags: &Tags,
        quality: Quality,
        spare_threads: usize,
    ) -> Result<Self> {
        let effort = quality.pick(Effort::LOW, Effort::MEDIUM, Effort::HIGH);
        let encoder = Encoder::new(spec, effort);
        out.put(b"fLaC\0\0\0\x22")?;
        out.put(&[0; 34])?;
        let comments = comments::write(
            tags,
            comments::Stream::Flac,
            comments::speakers(spec.channels),
        );
        put_block(&mut out, 4, &comments)?;
        for picture in tags.pictures() {
            put_block(&mut out, 6, &comments::picture_block(picture))?;
        }
        // The last metadata block (flag 0x80) is padding (type 1).
        put_block(&mut out, 0x81, &[0; 1024])?;
        Ok(Self {
            out,
            spec,
            encoders: vec![encoder; 1 + spare_threads.min(MAX_THREADS)],
            pending: Vec::new(),
            next: 0,
            frames: 0,
            frame_sizes: (usize::MAX, 0),
            md5: Md5::default(),
            bytes: Vec::new(),
        })
    }

    /// Encodes the pending blocks. An incomplete block waits until the end of the sound.
    fn encode(&mut self, end: bool) -> Result<()> {
        let block = BLOCK * self.spec.channels.count();
        let whole = match end {
            true => self.pending.len(),
            false => self.pending.len() - self.pending.len() % block,
        };
        let blocks: Vec<&[i32]> = self.pending[..whole].chunks(block).collect();
        let share = blocks.len().div_ceil(self.encoders.len()).max(1);
        let first = self.next;
        let encoded: Vec<Vec<u8>> = if blocks.len() > share {
            thread::scope(|scope| {
                let parts: Vec<_> = self
                    .encoders
                    .iter_mut()
                    .zip(blocks.chunks(share))
                    .enumerate()
                    .map(|(i, (encoder, part))| {
                        let start = first + (i * share) as u64;
                        let work = move || encode_all(encoder, part, start);
                        thread::Builder::new()
                            .name(format!("flac-{i}"))
                            .spawn_scoped(scope, work)
                    })
                    .collect();
                let mut encoded = Vec::new();
                for part in parts {
                    match part.map(thread::ScopedJoinHandle::join) {
                        Ok(Ok(frames)) => encoded.extend(frames),
                        // A thread could not be started, or panicked. Its frames and those of the threads after it are
                        // missing.
                        Ok(Err(_)) | Err(_) => break,
                    }
                }
                encoded
            })
        } else {
            encode_all(&mut self.encoders[0], &blocks, first)
        };
        // The missing frames are encoded on this thread.
        let missing = blocks.get(encoded.len()..).unwrap_or_default();
        let rest = encode_all(&mut self.encoders[0], missing, first + encoded.len() as u64);
        self.next += blocks.len() as u64;
        for frame in encoded.iter().chain(&rest) {
            self.frame_sizes.0 = self.frame_sizes.0.min(frame.len());
            self.frame_sizes.1 = self.frame_sizes.1.max(frame.len());
            self.out.put(frame)?;
        }
        self.pending.drain(..whole);
        Ok(())
    }
}

fn encode_all(encoder: &mut Encoder, blocks: &[&[i32]], first: u64) -> Vec<Vec<u8>> {
    (first..)
        .zip(blocks)
        .map(|(number, block)| encoder.encode(block, number))
        .collect()
}

impl Sink for Flac<'_> {
    fn write(&mut self, block: &Block) -> Result<()> {
        bytes::encode(block, false, &mut self.bytes);
        self.md5.process_buf_bytes(&self.bytes);
        self.frames += block.frames() as u64;
        if let Samples::Int(samples) = &block.samples {
            self.pending.extend_from_slice(samples);
        }
        let enough = BLOCK * self.spec.channels.count() * BATCH * self.encoders.len();
        if self.encoders.len() == 1 || self.pending.len() >= enough {
            self.encode(false)?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.encode(true)?;
        let bits = match self.spec.depth {
            Depth::Int(bits) => bits,
            Depth::Float => 24,
        };
        let smallest = if self.next == 0 {
            0
        } else {
            self.frame_sizes.0
        };
        let mut info = Vec::with_capacity(34);
        info.extend((BLOCK as u16).to_be_bytes());
        info.extend((BLOCK as u16).to_be_bytes());
        info.extend(&(smallest as u32).to_be_bytes()[1..]);
        info.extend(&(self.frame_sizes.1 as u32).to_be_bytes()[1..]);
        let word = u64::from(self.spec.rate) << 44
            | (self.spec.channels.count() as u64 - 1) << 41
            | u64::from(bits - 1) << 36
            | self.frames & 0xf_ffff_ffff;
        info.extend(word.to_be_bytes());
        info.extend(self.md5.md5());
        self.out.patch(INFO_AT, &info)?;
        self.out.finish()
    }
}

fn put_block(out: &mut Out<'_>, kind: u8, body: &[u8]) -> Result<()> {
    let mut head = (body.len() as u32).to_be_bytes();
    head[0] = kind;
    out.put(&head)?;
    out.put(body)
}

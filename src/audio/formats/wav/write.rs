//! Writes WAV. Files are smaller than 4 GiB, so that every program can read them.
//!
//! The plain header is ambiguous for integers of more than 16 bits, for more than two channels, and for unusual
//! speakers, so WAVEFORMATEXTENSIBLE replaces it there. Tags go into a `LIST` chunk of type `INFO`; if it cannot hold
//! all of them, the file gets an ID3 tag as well.

use crate::{
    out::Out,
    sink::{Settings, Sink},
    sound::{
        bytes,
        pcm::{Block, Depth, Samples, Spec},
    },
    tags::{Key, Tags, id3},
};
use convertd_core::{containers::riff, error::Result};

/// The texts that a `LIST` chunk of type `INFO` can hold.
const INFO: [(Key, &[u8; 4]); 7] = [
    (Key::Title, b"INAM"),
    (Key::Artist, b"IART"),
    (Key::Album, b"IPRD"),
    (Key::Track, b"ITRK"),
    (Key::Date, b"ICRD"),
    (Key::Genre, b"IGNR"),
    (Key::Comment, b"ICMT"),
];

/// Begins a WAV file.
pub(crate) fn create<'a>(out: Out<'a>, settings: &Settings<'_>) -> Result<Box<dyn Sink + 'a>> {
    Ok(Box::new(Wav::new(out, settings.spec, settings.tags)?))
}

/// A WAV file that is being written.
pub(crate) struct Wav<'a> {
    out: Out<'a>,
    unsigned: bool,
    frame: u32,
    rate: u32,
    /// Position of the number of sample frames in the file; `None` if the file has no such field.
    fact: Option<u64>,
    data: u64,
    id3: id3::Tag,
    bytes: Vec<u8>,
}

impl<'a> Wav<'a> {
    /// Writes everything before the samples. Lengths are filled in at the end.
    pub(crate) fn new(mut out: Out<'a>, spec: Spec, tags: &Tags) -> Result<Self> {
        let channels = spec.channels.count() as u16;
        let (tag, bits) = match spec.depth {
            Depth::Int(bits) => (1u16, bits as u16),
            Depth::Float => (3, 32),
        };
        let frame = u32::from(bits / 8) * u32::from(channels);
        // In these cases, the plain header is ambiguous.
        let extensible = bits > 16 && tag == 1 || channels > 2 || !spec.channels.is_default();
        let mut format = Vec::new();
        format.extend(if extensible { 0xfffe } else { tag }.to_le_bytes());
        format.extend(channels.to_le_bytes());
        format.extend(spec.rate.to_le_bytes());
        format.extend(spec.rate.saturating_mul(frame).to_le_bytes());
        format.extend((frame as u16).to_le_bytes());
        format.extend(bits.to_le_bytes());
        if extensible {
            format.extend(22u16.to_le_bytes());
            format.extend(bits.to_le_bytes());
            format.extend(spec.channels.mask().to_le_bytes());
            format.extend(tag.to_le_bytes());
            format.extend(b"\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71");
        } else if tag == 3 {
            format.extend([0; 2]);
        }
        let mut head = b"RIFF\0\0\0\0WAVE".to_vec();
        riff::put(&mut head, b"fmt ", &format);
        let mut fact = None;
        if tag == 3 {
            fact = Some(head.len() as u64 + 8);
            riff::put(&mut head, b"fact", &[0; 4]);
        }
        let info = info(tags);
        if !info.is_empty() {
            riff::put(&mut head, b"LIST", &info);
        }
        out.put(&head)?;
        out.put(b"data\0\0\0\0")?;
        let more = tags.picture().is_some()
            || tags.own().next().is_some()
            || !tags.chapters().is_empty()
            || tags
                .texts()
                .any(|(key, _)| INFO.iter().all(|(k, _)| *k != key));
        Ok(Self {
            data: out.position(),
            out,
            unsigned: bits == 8,
            frame,
            rate: spec.rate,
            fact,
            id3: match more {
                true => id3::write(tags),
                false => id3::Tag::default(),
            },
            bytes: Vec::new(),
        })
    }
}

impl Sink for Wav<'_> {
    fn write(&mut self, block: &Block) -> Result<()> {
        match &block.samples {
            Samples::Int(samples) if self.unsigned => {
                self.bytes.clear();
                self.bytes.extend(samples.iter().map(|x| (x + 128) as u8));
            }
            _ => bytes::encode(block, false, &mut self.bytes),
        }
        self.out.put(&self.bytes)
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        let length = self.out.position() - self.data;
        let frames = length / u64::from(self.frame);
        if length % 2 == 1 {
            self.out.put(&[0])?;
        }
        if !self.id3.bytes.is_empty() {
            self.id3.end(frames, self.rate);
            let mut chunk = Vec::new();
            riff::put(&mut chunk, b"id3 ", &self.id3.bytes);
            self.out.put(&chunk)?;
        }
        let riff = (self.out.position() - 8) as u32;
        self.out.patch(4, &riff.to_le_bytes())?;
        self.out
            .patch(self.data - 4, &(length as u32).to_le_bytes())?;
        if let Some(at) = self.fact {
            self.out.patch(at, &(frames as u32).to_le_bytes())?;
        }
        self.out.finish()
    }
}

fn info(tags: &Tags) -> Vec<u8> {
    let mut list = b"INFO".to_vec();
    for (key, name) in INFO {
        if let Some(text) = tags.joined(key) {
            list.extend(name);
            list.extend((text.len() as u32 + 1).to_le_bytes());
            list.extend(text.bytes());
            list.push(0);
            if list.len() % 2 == 1 {
                list.push(0);
            }
        }
    }
    if list.len() > 4 { list } else { Vec::new() }
}

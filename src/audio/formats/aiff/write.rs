//! Writes AIFF, and AIFF-C for floating point. Files are smaller than 4 GiB, because lengths have 32 bits.

use super::layout;
use crate::{
    out::Out,
    sink::{Settings, Sink},
    sound::{
        bytes,
        pcm::{Block, Depth, Spec},
    },
    tags::{Tags, id3},
};
use convertd_core::{containers::riff, error::Result};

/// Begins an AIFF file.
pub(crate) fn create<'a>(out: Out<'a>, settings: &Settings<'_>) -> Result<Box<dyn Sink + 'a>> {
    Ok(Box::new(Aiff::new(out, settings.spec, settings.tags)?))
}

/// An AIFF file that is being written.
pub(crate) struct Aiff<'a> {
    out: Out<'a>,
    /// Bytes of a sample frame.
    frame: u64,
    rate: u32,
    /// Position of the number of sample frames in `COMM`, in bytes from the beginning of the file.
    count: u64,
    /// Position of the first sample, in bytes from the beginning of the file.
    data: u64,
    id3: id3::Tag,
    bytes: Vec<u8>,
}

impl<'a> Aiff<'a> {
    /// Writes everything before the samples. Lengths are filled in at the end; floating-point samples need AIFF-C.
    pub(crate) fn new(mut out: Out<'a>, spec: Spec, tags: &Tags) -> Result<Self> {
        let channels = spec.channels.count() as u16;
        let (bits, float) = match spec.depth {
            Depth::Int(bits) => (bits as u16, false),
            Depth::Float => (32, true),
        };
        out.put(b"FORM\0\0\0\0")?;
        if float {
            out.put(b"AIFCFVER\0\0\0\x04\xa2\x80\x51\x40")?;
        } else {
            out.put(b"AIFF")?;
        }
        let mut common = Vec::new();
        common.extend(channels.to_be_bytes());
        common.extend([0; 4]);
        common.extend(bits.to_be_bytes());
        common.extend(extended(spec.rate));
        if float {
            common.extend(b"fl32\x0f32-bit IEEE 754");
        }
        let count = out.position() + 10;
        let mut head = Vec::new();
        riff::put_iff(&mut head, b"COMM", &common);
        if channels > 2 && spec.channels.mask() != 0 {
            riff::put_iff(&mut head, b"CHAN", &layout::chunk(spec.channels));
        }
        out.put(&head)?;
        out.put(b"SSND")?;
        out.put(&[0; 12])?;
        Ok(Self {
            data: out.position(),
            out,
            frame: u64::from(bits / 8) * u64::from(channels),
            rate: spec.rate,
            count,
            id3: id3::write(tags),
            bytes: Vec::new(),
        })
    }
}

impl Sink for Aiff<'_> {
    fn write(&mut self, block: &Block) -> Result<()> {
        bytes::encode(block, true, &mut self.bytes);
        self.out.put(&self.bytes)
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        let length = self.out.position() - self.data;
        let frames = length / self.frame;
        if length % 2 == 1 {
            self.out.put(&[0])?;
        }
        if !self.id3.bytes.is_empty() {
            self.id3.end(frames, self.rate);
            let mut chunk = Vec::new();
            riff::put_iff(&mut chunk, b"ID3 ", &self.id3.bytes);
            self.out.put(&chunk)?;
        }
        let form = (self.out.position() - 8) as u32;
        self.out.patch(4, &form.to_be_bytes())?;
        self.out.patch(self.count, &(frames as u32).to_be_bytes())?;
        self.out
            .patch(self.data - 12, &(length as u32 + 8).to_be_bytes())?;
        self.out.finish()
    }
}

/// An integer other than 0 as an 80-bit floating-point number (IEEE 754 extended precision).
fn extended(n: u32) -> [u8; 10] {
    let zeros = n.leading_zeros();
    let mut bytes = [0; 10];
    bytes[..2].copy_from_slice(&(16383 + 31 - zeros as u16).to_be_bytes());
    bytes[2..6].copy_from_slice(&(n << zeros).to_be_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_written_in_80_bits() {
        assert_eq!(extended(44100), [0x40, 0x0e, 0xac, 0x44, 0, 0, 0, 0, 0, 0]);
        assert_eq!(extended(8000), [0x40, 0x0b, 0xfa, 0, 0, 0, 0, 0, 0, 0]);
    }
}

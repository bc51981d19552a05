//! Writes AU. The header can contain one text. This writer puts the title there, and drops all other tags.

use crate::{
    out::Out,
    sink::{Settings, Sink},
    sound::{
        bytes,
        pcm::{Block, Depth, Spec},
    },
    tags::{Key, Tags},
};
use convertd_core::error::Result;

/// Begins an AU file.
pub(crate) fn create<'a>(out: Out<'a>, settings: &Settings<'_>) -> Result<Box<dyn Sink + 'a>> {
    Ok(Box::new(Au::new(out, settings.spec, settings.tags)?))
}

/// Losses of an AU file: the speakers, and all tags but the title.
pub(crate) fn left_out(spec: Spec, tags: &Tags) -> Vec<String> {
    let mut remarks = Vec::new();
    if spec.channels.count() > 2 && spec.channels.mask() != 0 {
        remarks.push(format!(
            "An au file does not name the loudspeakers of its channels; this one has those of {}, in the same order.",
            spec.channels
        ));
    }
    if tags.texts().any(|(key, _)| key != Key::Title) || tags.own().next().is_some() {
        remarks.push(
            "The tags except the title were left out, because au cannot store them.".to_owned(),
        );
    }
    if !tags.chapters().is_empty() {
        remarks.push("The chapters were left out, because au cannot store them.".to_owned());
    }
    if tags.picture().is_some() {
        remarks.push("The cover picture was left out, because au cannot store one.".to_owned());
    }
    remarks
}

/// An AU file that is being written.
pub(crate) struct Au<'a> {
    out: Out<'a>,
    /// Position of the first sample, in bytes from the beginning of the file.
    data: u64,
    bytes: Vec<u8>,
}

impl<'a> Au<'a> {
    /// Writes the header, with the title as its annotation, which ends with one to eight zeros, so that its length is a
    /// multiple of eight bytes.
    pub(crate) fn new(mut out: Out<'a>, spec: Spec, tags: &Tags) -> Result<Self> {
        let encoding = match spec.depth {
            Depth::Int(bits) => bits / 8 + 1,
            Depth::Float => 6,
        };
        let mut text = tags.get(Key::Title).unwrap_or("").as_bytes().to_vec();
        text.resize((text.len() + 1).next_multiple_of(8), 0);
        let start = 24 + text.len() as u32;
        out.put(b".snd")?;
        for word in [
            start,
            u32::MAX,
            encoding,
            spec.rate,
            spec.channels.count() as u32,
        ] {
            out.put(&word.to_be_bytes())?;
        }
        out.put(&text)?;
        Ok(Self {
            data: out.position(),
            out,
            bytes: Vec::new(),
        })
    }
}

impl Sink for Au<'_> {
    fn write(&mut self, block: &Block) -> Result<()> {
        bytes::encode(block, true, &mut self.bytes);
        self.out.put(&self.bytes)
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        let length = (self.out.position() - self.data) as u32;
        self.out.patch(8, &length.to_be_bytes())?;
        self.out.finish()
    }
}

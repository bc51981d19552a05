//! A format that exists only for tests: a signature, a sample rate, and 16-bit samples in one channel. It proves that a
//! new format needs only this folder and a line in the list; nothing else in the program names it.

use crate::{
    codecs::raw::Encoding,
    damage::header_error,
    out::Out,
    row::{Recognise, Row, Writer},
    sink::{Plan, Settings, Sink},
    sound::{
        bytes,
        channels::Channels,
        pcm::{Block, Depth, Spec},
    },
    source::Opened,
    sources::linear::Linear,
    stream::Stream,
    tags::Tags,
};
use convertd_core::{
    error::Result,
    format::{Category, Format},
};

pub(crate) static ROW: Row = Row {
    format: Format {
        name: "toysound",
        aliases: &["rattle"],
        category: Category::Audio,
        description: "A format for tests",
        media_type: "audio/x-toy",
        magic: &[&[(0, b"toy!")]],
    },
    recognise: Recognise::Content(|_, probe| probe.head.starts_with(b"old toy!")),
    open,
    extra_memory: None,
    write: Some(Writer {
        quality: "no effect",
        is_lossy: false,
        has_bit_rate: false,
        has_chapters: false,
        plan: |source| {
            Ok(Plan::uncompressed(Spec {
                channels: Channels::MONO,
                depth: Depth::Int(16),
                ..source
            }))
        },
        left_out: None,
        create,
    }),
};

fn open(mut stream: Stream<'_>) -> Result<Opened<'_>> {
    let head = stream.array::<8>().map_err(header_error)?;
    let rate = u32::from_be_bytes([head[4], head[5], head[6], head[7]]);
    let spec = Spec::new(rate, Channels::MONO, Depth::Int(16))?;
    let encoding = Encoding::Signed {
        bytes: 2,
        big: true,
    };
    let source = Linear::new(stream, spec, encoding, 8, None)?;
    Ok(Opened::new(source, Tags::default()))
}

struct Toy<'a>(Out<'a>, Vec<u8>);

fn create<'a>(mut out: Out<'a>, settings: &Settings<'_>) -> Result<Box<dyn Sink + 'a>> {
    out.put(b"toy!")?;
    out.put(&settings.spec.rate.to_be_bytes())?;
    Ok(Box::new(Toy(out, Vec::new())))
}

impl Sink for Toy<'_> {
    fn write(&mut self, block: &Block) -> Result<()> {
        bytes::encode(block, true, &mut self.1);
        self.0.put(&self.1)
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        self.0.finish()
    }
}

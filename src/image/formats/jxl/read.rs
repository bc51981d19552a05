//! Reads JPEG XL by jxl-oxide. A truncated file is refused, where the decoder would show a part of the picture.
//!
//! Samples of floating point are in the colour space that the file names, as others are. Only those of a linear one are linear light,
//! which is what floating point means everywhere else here; others become samples of 16 bits.

use crate::{
    error::Result,
    format::Format,
    image::{
        adapter::read::{self, Codec},
        associated, limits,
        pixels::{Depth, Frame, colour, rows::Rows},
        source::{Header, Source, failed, rewind},
    },
    job::{Input, Job},
};
use image::metadata::Orientation;
use jxl_oxide::{JpegReconstructionStatus, JxlImage, integration::JxlDecoder};
use std::io::{self, Write};

static CODEC: Codec = Codec {
    open: |input| Ok(Box::new(JxlDecoder::new(input)?)),
    // The decoder works with 32 bits a sample, with three channels even for grey, and keeps the frames that others refer to. Of
    // libjxl's conformance files, photon noise takes the most of 8 bits, 37 bytes a pixel, and blended frames the most of 16, 89.
    memory: |layout| 13 * layout.bytes().max(3 * layout.pixels()),
    density: None,
    lossless: false,
};

pub(crate) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Source<'a> + 'a>> {
    // The decoder keeps what it has read, here and when it is asked for the picture.
    job.reserve(limits::BASE + 2 * job.input_len)?;
    let image = parse(job, input)?;
    let status = image.jpeg_reconstruction_status();
    let metadata = &image.image_header().metadata;
    let is_turned = metadata.orientation != 1;
    let mut extra = metadata.ec_info.iter();
    let is_multiplied = extra.find_map(|channel| channel.alpha_associated()) == Some(true);
    drop(image);
    rewind(input)?;
    let (header, is_coded) = {
        let mut source = read::open(job, &mut *input, &CODEC)?;
        let header = source.header();
        let is_coded = header.layout.depth == Depth::Float
            && !header.icc.as_deref().is_some_and(colour::is_linear);
        if is_coded {
            header.layout.depth = Depth::Sixteen;
            header.memory += header.layout.bytes();
        }
        let header = Header {
            // The decoder makes up a profile where the file only names a colour space. That of sRGB says nothing new.
            icc: header.icc.take().filter(|icc| !colour::is_srgb(icc)),
            // The decoder applies the orientation of the codestream. The one in EXIF must be ignored (ISO/IEC 18181-1, D.3.2).
            orientation: Orientation::NoTransforms,
            ..*header
        };
        (header, is_coded)
    };
    let source = Box::new(Jxl {
        job,
        header,
        input,
        is_jpeg: status == JpegReconstructionStatus::Available,
        is_turned,
        is_coded,
    });
    Ok(if is_multiplied {
        associated::straight(source)
    } else {
        source
    })
}

/// Reads the whole file and decodes nothing.
fn parse(job: &Job<'_>, input: &mut dyn Input) -> Result<JxlImage> {
    let image = JxlImage::builder()
        .read(input)
        .map_err(|err| failed(job, err))?;
    if !image.is_loading_done() {
        return Err(job.unreadable("it ends before the picture does"));
    }
    Ok(image)
}

struct Jxl<'a> {
    job: &'a Job<'a>,
    header: Header,
    input: &'a mut dyn Input,
    /// Whether the file was made from a JPEG, and has all that is needed to reconstruct it (ISO/IEC 18181-2, annex A).
    is_jpeg: bool,
    /// Whether the orientation of the picture is not the default one.
    is_turned: bool,
    /// Whether samples of floating point are not linear light.
    is_coded: bool,
}

impl<'a> Source<'a> for Jxl<'a> {
    fn header(&mut self) -> &mut Header {
        &mut self.header
    }

    fn original(&mut self, to: &Format, with_metadata: bool) -> Result<Option<Vec<u8>>> {
        // A JPEG has its orientation in EXIF.
        if !self.is_jpeg || to.name != "jpg" || (self.is_turned && !with_metadata) {
            return Ok(None);
        }
        let layout = self.header.layout;
        // Coefficients of 32 bits and of 16 bits, the file, and the JPEG.
        self.job
            .reserve(limits::BASE + 24 * layout.pixels() + 4 * self.job.input_len)?;
        rewind(self.input)?;
        let image = parse(self.job, self.input)?;
        let mut original = Interleaved::default();
        // If the JPEG cannot be reconstructed, there are still its pixels.
        let made = image.reconstruct_jpeg(&mut original);
        Ok(made.is_ok().then_some(original.file))
    }

    fn decode(self: Box<Self>) -> Result<Box<dyn Rows + 'a>> {
        let Self {
            job,
            input,
            header,
            is_coded,
            ..
        } = *self;
        rewind(input)?;
        let rows = read::open(job, input, &CODEC)?.decode()?;
        if !is_coded {
            return Ok(rows);
        }
        let floats = rows.into_frame()?;
        let mut frame = Frame::new(header.layout);
        let samples = floats.pixels.as_chunks().0.iter();
        for (to, &sample) in frame.pixels.as_chunks_mut().0.iter_mut().zip(samples) {
            *to = ((f32::from_ne_bytes(sample) * 65_535.0).round() as u16).to_ne_bytes();
        }
        Ok(Box::new(frame))
    }
}

/// A JPEG that is being made, which refuses what jxl-jbr 0.2.1 does not make right: where components share samples (4:2:0
/// and the like), a scan of one component comes out damaged, or the crate panics. Progressive files have such scans, always.
struct Interleaved {
    file: Vec<u8>,
    /// The offset of the next marker that has not been checked.
    at: usize,
    /// Of the frame, once its header has been seen: how many components it has, and whether they share samples.
    components: u8,
    shares: bool,
    /// Whether the first scan has been reached. In a sequential file that holds all components, it is the only one.
    ended: bool,
}

impl Default for Interleaved {
    fn default() -> Self {
        Self {
            file: Vec::new(),
            // After the start of the image (SOI).
            at: 2,
            components: 0,
            shares: false,
            ended: false,
        }
    }
}

impl Interleaved {
    /// Checks the segments that are complete (ITU-T T.81, B.2.2 and B.2.3).
    fn look(&mut self) -> io::Result<()> {
        const SOF0: u8 = 0xc0;
        const SOF2: u8 = 0xc2;
        const SOS: u8 = 0xda;
        const COM: u8 = 0xfe;
        while !self.ended {
            let behind = self.file.get(self.at..).unwrap_or_default();
            let Some((&[_, marker, high, low], rest)) = behind.split_first_chunk() else {
                break;
            };
            let len = usize::from(u16::from_be_bytes([high, low]));
            // jxl-jbr 0.2.1 writes the marker of a comment twice.
            if (marker, high) == (COM, COM) {
                self.file.remove(self.at + 1);
                continue;
            }
            let Some(segment) = len.checked_sub(2).and_then(|len| rest.get(..len)) else {
                break;
            };
            match (marker, segment) {
                (SOF0..=SOF2, [_, _, _, _, _, count, parts @ ..]) => {
                    self.components = *count;
                    let mut samplings = parts.as_chunks::<3>().0.iter().map(|part| part[1]);
                    let first = samplings.next();
                    self.shares = samplings.any(|sampling| Some(sampling) != first);
                    if self.shares && marker == SOF2 {
                        return Err(io::ErrorKind::Unsupported.into());
                    }
                }
                (SOS, [count, ..]) => {
                    self.ended = true;
                    if self.shares && *count != self.components {
                        return Err(io::ErrorKind::Unsupported.into());
                    }
                }
                _ => {}
            }
            self.at += 2 + len;
        }
        Ok(())
    }
}

impl Write for Interleaved {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.extend_from_slice(bytes);
        self.look()?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! The image XObjects of pictures, each written when the picture is first used. Fetches no pictures, and decodes none whose
//! header says that it is too large.

#[cfg(feature = "svg")]
use super::vectors::Drawings;
use super::{file::File, raster::Raster};
use crate::document::layout::memory::{Memory, Part};
use crate::{
    document::{
        Loss,
        layout::medium::Gallery,
        media::{self, Size},
    },
    job::Job,
};
use pdf_writer::{Chunk, Filter, Name, Ref};
use std::{cell::RefCell, collections::BTreeMap};

/// The largest number of pixels of a picture that has to be decoded.
const MAX_PIXELS: u64 = 100_000_000;

static UNREADABLE: Loss = Loss {
    one: "A picture could not be read: its description is shown instead.",
    many: "{} pictures could not be read: their descriptions are shown instead.",
};
static UNKNOWN: Loss = Loss {
    one: "A picture is in a format that is not shown (such as EMF or WMF): its description is shown instead.",
    many: "{} pictures are in formats that are not shown (such as EMF or WMF): their descriptions are shown instead.",
};
static LARGE: Loss = Loss {
    one: "A picture has more pixels than can be decoded: its description is shown instead.",
    many: "{} pictures have more pixels than can be decoded: their descriptions are shown instead.",
};

/// The pictures of a document.
pub(crate) struct Pictures<'a> {
    pub(crate) job: &'a Job<'a>,
    pub(crate) file: &'a RefCell<File<'a>>,
    /// The object of each picture that was needed, by its number.
    objects: RefCell<BTreeMap<usize, Ref>>,
    pub(crate) memory: &'a Memory<'a>,
    #[cfg(feature = "svg")]
    pub(crate) drawings: RefCell<Drawings>,
}

#[derive(Clone, Copy)]
pub(crate) struct Known {
    pub(crate) object: Ref,
    /// Its own width and height, in points.
    pub(crate) own: (f32, f32),
}

impl Gallery for Pictures<'_> {
    fn take(
        &self,
        number: usize,
        bytes: &[u8],
        shown: &dyn Fn((f32, f32)) -> (f32, f32),
    ) -> Result<(f32, f32), &'static Loss> {
        let known = self.prepare(bytes, shown)?;
        self.objects.borrow_mut().insert(number, known.object);
        Ok(known.own)
    }
}

impl<'a> Pictures<'a> {
    pub(crate) fn new(
        job: &'a Job<'a>,
        file: &'a RefCell<File<'a>>,
        memory: &'a Memory<'a>,
    ) -> Self {
        Self {
            job,
            file,
            objects: RefCell::default(),
            memory,
            #[cfg(feature = "svg")]
            drawings: RefCell::default(),
        }
    }

    /// The image objects by number, as far as they were needed.
    pub(crate) fn objects(&self) -> Vec<(usize, Ref)> {
        let objects = self.objects.borrow();
        objects
            .iter()
            .map(|(number, object)| (*number, *object))
            .collect()
    }

    /// Writes a picture that is seen for the first time. `shown` tells from its own size in points in which it is shown.
    fn prepare(
        &self,
        bytes: &[u8],
        shown: impl Fn((f32, f32)) -> (f32, f32),
    ) -> Result<Known, &'static Loss> {
        let kind = media::sniff(bytes).ok_or(&UNREADABLE)?;
        #[cfg(feature = "svg")]
        if kind == "image/svg+xml" {
            return self.draw(bytes, shown);
        }
        let Some(size) = media::size(bytes) else {
            return Err(if kind == "image/svg+xml" {
                &UNREADABLE
            } else {
                &UNKNOWN
            });
        };
        let (across, down) = size.density.unwrap_or((96.0, 96.0));
        let own = (
            size.width as f32 * 72.0 / across as f32,
            size.height as f32 * 72.0 / down as f32,
        );
        let object = self.write(bytes, size, shown(own))?;
        Ok(Known { object, own })
    }

    fn write(&self, bytes: &[u8], size: Size, shown: (f32, f32)) -> Result<Ref, &'static Loss> {
        let most = self.most_pixels(size, shown);
        if most.is_none() {
            if let Some(jpeg) = Jpeg::of(bytes) {
                return Ok(self.write_jpeg(bytes, size, jpeg));
            }
            if let Some(png) = crate::pdf::object::png::Plain::of(bytes) {
                return Ok(png.write(&mut self.file.borrow_mut()));
            }
        }
        let pixels = u64::from(size.width) * u64::from(size.height);
        // The picture as it is decoded, as it is taken apart, and as it is packed.
        if pixels > MAX_PIXELS || self.memory.set(Part::Picture, pixels * 14).is_err() {
            return Err(&LARGE);
        }
        let raster = Raster::decode(bytes).ok_or(&UNREADABLE)?;
        let raster = match most {
            Some((width, height)) => raster.shrink(width, height),
            None => raster,
        };
        let is_photo = media::sniff(bytes) == Some("image/jpeg");
        let quality = self.job.quality().pick(72, 84, 92);
        let object = raster.write(&mut self.file.borrow_mut(), is_photo.then_some(quality));
        object.ok_or(&UNREADABLE)
    }

    /// The pixels that a picture shall have where it has clearly more than its place and the quality ask for.
    fn most_pixels(&self, size: Size, shown: (f32, f32)) -> Option<(u32, u32)> {
        let dots = self.job.quality().pick(Some(110.0), Some(200.0), None)?;
        let width = (shown.0 * dots / 72.0).ceil().max(1.0);
        let height = (shown.1 * dots / 72.0).ceil().max(1.0);
        let fewer = size.width as f32 > 1.4 * width && size.height as f32 > 1.4 * height;
        fewer.then_some((width as u32, height as u32))
    }

    fn write_jpeg(&self, bytes: &[u8], size: Size, jpeg: Jpeg) -> Ref {
        let mut file = self.file.borrow_mut();
        let id = file.next();
        let mut chunk = Chunk::new();
        let mut image = chunk.image_xobject(id, bytes);
        image.filter(Filter::DctDecode);
        image
            .width(size.width as i32)
            .height(size.height as i32)
            .bits_per_component(8);
        image.color_space_name(Name(match jpeg.components {
            1 => b"DeviceGray",
            4 => b"DeviceCMYK",
            _ => b"DeviceRGB",
        }));
        // Adobe's programs store the inks the other way round.
        if jpeg.components == 4 && jpeg.adobe {
            image.decode([1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
        }
        drop(image);
        file.object(id, &chunk);
        id
    }
}

/// What a PDF has to know about a JPEG that it holds as it is.
struct Jpeg {
    components: u8,
    adobe: bool,
}

impl Jpeg {
    /// ITU-T T.81: 8-bit, baseline or progressive, Huffman-coded; anything else is not for PDF (ISO 32000-1, 7.4.8).
    fn of(bytes: &[u8]) -> Option<Self> {
        if !bytes.starts_with(b"\xff\xd8") {
            return None;
        }
        let (mut at, mut adobe) = (2, false);
        loop {
            while bytes.get(at) == Some(&0xff) && bytes.get(at + 1) == Some(&0xff) {
                at += 1;
            }
            let head = bytes.get(at..at + 4)?;
            if head[0] != 0xff {
                return None;
            }
            let len = usize::from(u16::from_be_bytes([head[2], head[3]])).max(2);
            let body = bytes.get(at + 4..at + 2 + len)?;
            match head[1] {
                0xc0..=0xc2 => {
                    let (precision, components) = (*body.first()?, *body.get(5)?);
                    let known = precision == 8 && matches!(components, 1 | 3 | 4);
                    return known.then_some(Self { components, adobe });
                }
                0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf | 0xd9 | 0xda => return None,
                0xee if body.starts_with(b"Adobe") => adobe = true,
                _ => {}
            }
            at += 2 + len;
        }
    }
}

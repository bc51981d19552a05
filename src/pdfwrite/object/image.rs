//! Image objects of a PDF (ISO 32000-1, 8.9.5), written piece by piece as the samples of a picture arrive. Decodes
//! nothing.

use crate::{
    error::Result,
    image::plate::{Canvas, Coding, Mask, Plate, Space},
    object::File,
};
use image::metadata::Orientation;
use pdf_writer::{Content, Dict, Finish, Name, Rect, Ref};

/// Value of `Predictor` for PNG filters, any of which a row may use (ISO 32000-1, 7.4.4.4).
const PNG: i32 = 15;

/// Receives the samples of a picture, and writes them as an image object.
pub struct ImageWriter<'b, 'o> {
    file: &'b mut File<'o>,
    /// Object of the image.
    pub image: Ref,
    /// Width and height in pixels, and orientation.
    pub seen: Option<(u32, u32, Orientation)>,
    /// Object of the soft mask, with the picture's width and height in pixels.
    mask: Option<(Ref, u32, u32)>,
    /// Whether viewers may smooth the image when they enlarge it.
    smooth: bool,
}

impl<'b, 'o> ImageWriter<'b, 'o> {
    /// Creates a canvas for a new image object.
    pub fn new(file: &'b mut File<'o>) -> Self {
        Self {
            image: file.next(),
            file,
            seen: None,
            mask: None,
            smooth: false,
        }
    }

    /// Sets whether viewers may smooth the image when they enlarge it.
    pub fn smooth(self, smooth: bool) -> Self {
        Self { smooth, ..self }
    }
}

impl Canvas for ImageWriter<'_, '_> {
    fn begin(&mut self, plate: Plate) -> Result<()> {
        let Plate { width, height, .. } = plate;
        self.seen = Some((width, height, plate.orientation));
        let mask = plate.has_mask.then(|| self.file.next());
        self.mask = mask.map(|mask| (mask, width, height));
        let profile = plate.icc.as_ref().map(|icc| {
            let id = self.file.next();
            // Number of components of the profile. A palette has the colour space of its profile, whose signature is at
            // offset 16 (ICC.1, 7.2).
            let samples = match &plate.space {
                Space::Indexed(_) => {
                    if icc.get(16..20) == Some(b"GRAY") {
                        1
                    } else {
                        3
                    }
                }
                space => i32::from(space.samples()),
            };
            self.file.stream(id, icc, |stream| {
                stream.pair(Name(b"N"), samples);
            });
            (id, samples)
        });
        let file = &mut *self.file;
        file.begin_stream(self.image, |dictionary| {
            describe(dictionary, width, height, plate.bits);
            colours(dictionary, &plate.space, profile);
            if self.smooth {
                dictionary.pair(Name(b"Interpolate"), true);
            }
            if let Some(mask) = mask {
                dictionary.pair(Name(b"SMask"), mask);
            }
            // Adobe's JPEG files store CMYK inverted.
            if plate.space == (Space::Cmyk { inverted: true }) {
                let decode = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0];
                dictionary.insert(Name(b"Decode")).array().items(decode);
            }
            match plate.coding {
                Coding::Jpeg => {
                    dictionary.pair(Name(b"Filter"), Name(b"DCTDecode"));
                }
                // A palette image has no row filters, since they do not make indices smaller.
                Coding::Flate => {
                    let filtered = !matches!(plate.space, Space::Indexed(_));
                    let samples = filtered.then_some(plate.space.samples());
                    flate(dictionary, width, plate.bits, samples);
                }
            }
        });
        file.check()
    }

    fn data(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.data(bytes);
        self.file.check()
    }

    fn end(&mut self, mask: Option<Mask>) -> Result<()> {
        self.file.end_stream();
        if let (Some((id, width, height)), Some(mask)) = (self.mask, mask) {
            self.file.begin_stream(id, |dictionary| {
                describe(dictionary, width, height, mask.bits);
                dictionary.pair(Name(b"ColorSpace"), Name(b"DeviceGray"));
                flate(dictionary, width, mask.bits, Some(1));
            });
            self.file.data(&mask.data);
            self.file.end_stream();
        }
        self.file.check()
    }
}

/// Returns an object that shows an image upright: the image itself, or a form (ISO 32000-1, 8.10) that turns it in the
/// unit square.
pub fn turned(file: &mut File<'_>, image: Ref, orientation: Orientation) -> Ref {
    if orientation == Orientation::NoTransforms {
        return image;
    }
    let mut content = Content::new();
    content.transform(turn(orientation));
    content.x_object(Name(b"I"));
    let form = file.next();
    file.stream(form, &content.finish(), |stream| {
        stream.pair(Name(b"Type"), Name(b"XObject"));
        stream.pair(Name(b"Subtype"), Name(b"Form"));
        stream.pair(Name(b"BBox"), Rect::new(0.0, 0.0, 1.0, 1.0));
        let mut resources = stream.insert(Name(b"Resources")).dict();
        let mut objects = resources.insert(Name(b"XObject")).dict();
        objects.pair(Name(b"I"), image);
    });
    form
}

/// Matrix that turns an image in the unit square, into which PDF draws it (ISO 32000-1, 8.9.5).
pub fn turn(orientation: Orientation) -> [f32; 6] {
    match orientation {
        Orientation::NoTransforms => [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        Orientation::FlipHorizontal => [-1.0, 0.0, 0.0, 1.0, 1.0, 0.0],
        Orientation::Rotate180 => [-1.0, 0.0, 0.0, -1.0, 1.0, 1.0],
        Orientation::FlipVertical => [1.0, 0.0, 0.0, -1.0, 0.0, 1.0],
        Orientation::Rotate90 => [0.0, -1.0, 1.0, 0.0, 0.0, 1.0],
        Orientation::Rotate270 => [0.0, 1.0, -1.0, 0.0, 1.0, 0.0],
        Orientation::Rotate90FlipH => [0.0, -1.0, -1.0, 0.0, 1.0, 1.0],
        Orientation::Rotate270FlipH => [0.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    }
}

/// Writes the entries that every image object has.
fn describe(dictionary: &mut Dict<'_>, width: u32, height: u32, bits: u8) {
    dictionary.pair(Name(b"Type"), Name(b"XObject"));
    dictionary.pair(Name(b"Subtype"), Name(b"Image"));
    dictionary.pair(Name(b"Width"), width as i32);
    dictionary.pair(Name(b"Height"), height as i32);
    dictionary.pair(Name(b"BitsPerComponent"), i32::from(bits));
}

/// Writes the colour space of an image: a device space, a profile, or a palette over one of them.
fn colours(dictionary: &mut Dict<'_>, space: &Space, profile: Option<(Ref, i32)>) {
    let device = |space: &Space| match space {
        Space::Grey => Name(b"DeviceGray"),
        Space::Rgb | Space::Indexed(_) => Name(b"DeviceRGB"),
        Space::Cmyk { .. } => Name(b"DeviceCMYK"),
    };
    let entry = dictionary.insert(Name(b"ColorSpace"));
    match (space, profile) {
        (Space::Indexed(entries), profile) => {
            // With a profile for greyscale, a palette entry has one sample.
            let samples = profile.map_or(3, |(_, samples)| samples as usize);
            let table: Vec<u8> = entries
                .iter()
                .flat_map(|entry| &entry[..samples])
                .copied()
                .collect();
            let mut array = entry.array();
            array.item(Name(b"Indexed"));
            match profile {
                Some((profile, _)) => {
                    array.push().array().item(Name(b"ICCBased")).item(profile);
                }
                None => {
                    array.item(device(space));
                }
            }
            array.item(entries.len() as i32 - 1);
            array.item(pdf_writer::Str(&table));
        }
        (_, Some((profile, _))) => {
            entry.array().item(Name(b"ICCBased")).item(profile);
        }
        (_, None) => entry.primitive(device(space)),
    }
}

/// Writes the parameters for Flate. With `samples` per pixel, each row begins with the type of its PNG filter; a
/// palette image (`None`) has no filters.
fn flate(dictionary: &mut Dict<'_>, width: u32, bits: u8, samples: Option<u8>) {
    dictionary.pair(Name(b"Filter"), Name(b"FlateDecode"));
    if let Some(samples) = samples {
        let mut parameters = dictionary.insert(Name(b"DecodeParms")).dict();
        // The predictor only states that each row names its own filter.
        parameters.pair(Name(b"Predictor"), PNG);
        parameters.pair(Name(b"Colors"), i32::from(samples));
        parameters.pair(Name(b"BitsPerComponent"), i32::from(bits));
        parameters.pair(Name(b"Columns"), width as i32);
        parameters.finish();
    }
}

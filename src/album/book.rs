//! A PDF that is written page by page. If a picture turns out to be damaged after its beginning has been written, it leaves
//! an image object that nothing refers to, and no page.

use super::{density, paper::Paper};
use crate::{
    containers::pdf::{self, File},
    error::{Error, Kind, Result},
    image::plate::{self, Canvas, Coding, Mask, Plate, Space},
    job::{Input, Job, Notes, Output, Progress, Unit},
};
use image::metadata::Orientation;
use pdf_writer::{Dict, Finish, Name, Rect, Ref};

/// The limit on the pages of a file.
const MOST_PAGES: u32 = 10_000;
/// The `Predictor` for PNG filters, any of which a row may use (ISO 32000-1, 7.4.4.4).
const PNG: i32 = 15;
/// The number of pages per node of the page tree (ISO 32000-1, 7.7.3.1).
const TOGETHER: usize = 64;

/// A PDF that is being written.
pub(crate) struct Book<'o> {
    file: File<'o>,
    root: Ref,
    /// The nodes of the page tree with their pages.
    nodes: Vec<(Ref, Vec<Ref>)>,
    pages: u32,
}

impl<'o> Book<'o> {
    /// Begins a file without pages.
    pub(crate) fn new(output: &'o mut dyn Output) -> Self {
        let mut file = File::new(output);
        let root = file.next();
        Self {
            file,
            root,
            nodes: Vec::new(),
            pages: 0,
        }
    }

    /// The number of pages.
    pub(crate) fn pages(&self) -> u32 {
        self.pages
    }

    /// Adds a page for the picture in `input`. A file with several pages gets one for each, unless the option `page` selects
    /// one.
    ///
    /// Errors: [`Kind::BadInput`] if the picture cannot be read, or if there are too many pages. Earlier pages are kept.
    pub(crate) fn add(
        &mut self,
        job: &Job<'_>,
        input: &mut dyn Input,
        notes: &mut Notes,
    ) -> Result<()> {
        let chosen = job.options().integer("page");
        let count = match chosen {
            None => plate::pages(job.from, input)?,
            Some(_) => 1,
        };
        if count == 1 {
            return self.add_page(job, input, chosen, notes);
        }
        for page in 1..=count {
            job.check()?;
            job.gate.progress(Progress {
                done: u64::from(page) - 1,
                total: count.into(),
                unit: Unit::Pages,
            });
            self.add_page(job, input, Some(page), notes)?;
        }
        Ok(())
    }

    fn add_page(
        &mut self,
        job: &Job<'_>,
        input: &mut dyn Input,
        page: Option<u32>,
        notes: &mut Notes,
    ) -> Result<()> {
        if self.pages >= MOST_PAGES {
            let text = format!(
                "the result would have more than {MOST_PAGES} pages; convert the pictures in parts"
            );
            return Err(Error::new(Kind::BadInput, text));
        }
        let density = density::of(job, input, page.unwrap_or(1))?;
        let mut easel = Easel {
            image: self.file.next(),
            file: &mut self.file,
            seen: None,
            mask: None,
        };
        let painted = plate::transcribe(job, input, page, &mut easel, notes);
        let Easel { image, seen, .. } = easel;
        // Even a picture that broke off has to be a complete object.
        self.file.end_stream();
        painted?;
        let Some((width, height, orientation)) = seen else {
            return Err(Error::internal("the picture has not come", job.from.name));
        };
        let swaps = plate::swaps_sides(orientation);
        let (size, density) = match swaps {
            true => (
                (height, width),
                density.map(|(across, down)| (down, across)),
            ),
            false => ((width, height), density),
        };
        let paper = Paper::of(size, density, job.options());
        self.write_page(&paper, image, orientation);
        self.file.check()
    }

    fn write_page(&mut self, paper: &Paper, image: Ref, orientation: Orientation) {
        let (page, content) = (self.file.next(), self.file.next());
        let node = match self.nodes.last_mut() {
            Some((node, pages)) if pages.len() < TOGETHER => {
                pages.push(page);
                *node
            }
            _ => {
                let node = self.file.next();
                self.nodes.push((node, vec![page]));
                node
            }
        };
        self.pages += 1;
        let mut drawing = pdf_writer::Content::new();
        drawing.save_state();
        drawing.transform(paper.matrix(orientation));
        drawing.x_object(Name(b"I"));
        drawing.restore_state();
        self.file.stream(content, &drawing.finish(), |_| {});
        pdf::small(&mut self.file, page, |object| {
            let mut dictionary = object.dict();
            dictionary.pair(Name(b"Type"), Name(b"Page"));
            dictionary.pair(Name(b"Parent"), node);
            let (width, height) = (paper.width as f32, paper.height as f32);
            dictionary.pair(Name(b"MediaBox"), Rect::new(0.0, 0.0, width, height));
            dictionary.pair(Name(b"Contents"), content);
            let mut resources = dictionary.insert(Name(b"Resources")).dict();
            let mut objects = resources.insert(Name(b"XObject")).dict();
            objects.pair(Name(b"I"), image);
        });
    }

    /// Writes the end of the PDF: page tree, catalogue and cross-reference table.
    ///
    /// Errors: the output could not be written.
    pub(crate) fn finish(mut self) -> Result<()> {
        for (node, pages) in &self.nodes {
            pdf::small(&mut self.file, *node, |object| {
                let mut dictionary = object.dict();
                dictionary.pair(Name(b"Type"), Name(b"Pages"));
                dictionary.pair(Name(b"Parent"), self.root);
                dictionary.pair(Name(b"Count"), pages.len() as i32);
                let mut kids = dictionary.insert(Name(b"Kids")).array();
                kids.items(pages.iter().copied());
            });
        }
        pdf::small(&mut self.file, self.root, |object| {
            let mut dictionary = object.dict();
            dictionary.pair(Name(b"Type"), Name(b"Pages"));
            dictionary.pair(Name(b"Count"), self.pages as i32);
            let mut kids = dictionary.insert(Name(b"Kids")).array();
            kids.items(self.nodes.iter().map(|(node, _)| *node));
        });
        let catalog = self.file.next();
        pdf::small(&mut self.file, catalog, |object| {
            let mut dictionary = object.dict();
            dictionary.pair(Name(b"Type"), Name(b"Catalog"));
            dictionary.pair(Name(b"Pages"), self.root);
        });
        let info = self.file.next();
        pdf::small(&mut self.file, info, |object| {
            let mut dictionary = object.dict();
            dictionary.pair(Name(b"Producer"), pdf_writer::TextStr("convertd"));
        });
        self.file.end(catalog, info)
    }
}

/// Receives a picture and writes it as an image object (ISO 32000-1, 8.9.5).
struct Easel<'b, 'o> {
    file: &'b mut File<'o>,
    image: Ref,
    /// The width and height in pixels, and the orientation.
    seen: Option<(u32, u32, Orientation)>,
    /// The object of the soft mask, with the picture's width and height.
    mask: Option<(Ref, u32, u32)>,
}

impl Canvas for Easel<'_, '_> {
    fn begin(&mut self, plate: Plate) -> Result<()> {
        let Plate { width, height, .. } = plate;
        self.seen = Some((width, height, plate.orientation));
        let mask = plate.has_mask.then(|| self.file.next());
        self.mask = mask.map(|mask| (mask, width, height));
        let profile = plate.icc.as_ref().map(|icc| {
            let id = self.file.next();
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
            if let Some(mask) = mask {
                dictionary.pair(Name(b"SMask"), mask);
            }
            if plate.space == (Space::Cmyk { inverted: true }) {
                let decode = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0];
                dictionary.insert(Name(b"Decode")).array().items(decode);
            }
            match plate.coding {
                Coding::Jpeg => {
                    dictionary.pair(Name(b"Filter"), Name(b"DCTDecode"));
                }
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

fn describe(dictionary: &mut Dict<'_>, width: u32, height: u32, bits: u8) {
    dictionary.pair(Name(b"Type"), Name(b"XObject"));
    dictionary.pair(Name(b"Subtype"), Name(b"Image"));
    dictionary.pair(Name(b"Width"), width as i32);
    dictionary.pair(Name(b"Height"), height as i32);
    dictionary.pair(Name(b"BitsPerComponent"), i32::from(bits));
}

fn colours(dictionary: &mut Dict<'_>, space: &Space, profile: Option<(Ref, i32)>) {
    let device = |space: &Space| match space {
        Space::Grey => Name(b"DeviceGray"),
        Space::Rgb | Space::Indexed(_) => Name(b"DeviceRGB"),
        Space::Cmyk { .. } => Name(b"DeviceCMYK"),
    };
    let entry = dictionary.insert(Name(b"ColorSpace"));
    match (space, profile) {
        (Space::Indexed(entries), profile) => {
            // A profile for greyscale means one sample per pixel.
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

/// The parameters for Flate. With `samples` per pixel, each row is preceded by its filter type; indexed pictures (`None`)
/// have no filters.
fn flate(dictionary: &mut Dict<'_>, width: u32, bits: u8, samples: Option<u8>) {
    dictionary.pair(Name(b"Filter"), Name(b"FlateDecode"));
    if let Some(samples) = samples {
        let mut parameters = dictionary.insert(Name(b"DecodeParms")).dict();
        // Each row states its own filter.
        parameters.pair(Name(b"Predictor"), PNG);
        parameters.pair(Name(b"Colors"), i32::from(samples));
        parameters.pair(Name(b"BitsPerComponent"), i32::from(bits));
        parameters.pair(Name(b"Columns"), width as i32);
        parameters.finish();
    }
}

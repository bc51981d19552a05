//! A PDF that is written page by page. If a picture turns out to be damaged after its beginning was written, an image
//! object remains that nothing refers to, and the picture gets no page.

use super::paper::Paper;
#[cfg(feature = "svg")]
use crate::image::vector;
use crate::{
    error::{Error, Kind, Result},
    image::{
        plate::{self, Bookmark},
        swaps_sides,
    },
    job::{Input, Job, Lease, Notes, Output, Progress, Unit},
};
#[cfg(feature = "svg")]
use convertd_pdfwrite::draw as drawing;
use convertd_pdfwrite::object::{self as pdf, File, image::ImageWriter};
#[cfg(feature = "ocr")]
use convertd_scan::paged::{FONT, Layers};
#[cfg(feature = "svg")]
use image::metadata::Orientation;
use pdf_writer::{Content, Dict, Name, Rect, Ref, TextStr};
#[cfg(feature = "svg")]
use resvg::usvg::Transform;

/// Returns the resource name of the image that is drawn as number `nth` on its page, counted from 0. Later images cover
/// earlier ones.
fn image_name(nth: usize) -> String {
    match nth {
        0 => "I".to_owned(),
        nth => format!("I{nth}"),
    }
}

/// The limit on the pages of a file.
const MAX_PAGES: u32 = 10_000;
/// The limit on the entries of all outlines together.
const MAX_BOOKMARKS: usize = 100_000;
/// Memory of an outline entry without its title, in bytes.
const BOOKMARK: u64 = 64;
/// The number of pages per node of the page tree (ISO 32000-1, 7.7.3.1).
const PAGES_PER_NODE: usize = 64;

/// A PDF that is being written.
pub(crate) struct Book<'o, 'j> {
    file: File<'o>,
    root: Ref,
    /// The nodes of the page tree with their pages.
    nodes: Vec<(Ref, Vec<Ref>)>,
    pages: u32,
    /// Title of the file: the title given to [`Self::describe`], otherwise that of the drawing on the first page. The
    /// title of a drawing is written only if the file has no other page.
    title: Option<String>,
    /// Whether `title` was given to [`Self::describe`].
    is_described: bool,
    authors: String,
    /// Whether the pages are read from right to left.
    from_right: bool,
    /// Outlines of the files. Their page numbers are those of this PDF.
    outline: Vec<Bookmark>,
    /// Memory lease for the outlines.
    lease: Lease<'j>,
    /// The text that was read on pictures.
    #[cfg(feature = "ocr")]
    layers: Layers,
}

impl<'o, 'j> Book<'o, 'j> {
    /// Begins a file without pages.
    pub(crate) fn new(job: &Job<'j>, output: &'o mut dyn Output) -> Self {
        let mut file = File::new(output);
        let root = file.next();
        Self {
            file,
            root,
            nodes: Vec::new(),
            pages: 0,
            title: None,
            is_described: false,
            authors: String::new(),
            from_right: false,
            outline: Vec::new(),
            lease: job.empty_lease(),
            #[cfg(feature = "ocr")]
            layers: Layers::default(),
        }
    }

    /// Sets title and author of the PDF, and whether its pages are read from right to left.
    pub(crate) fn describe(&mut self, title: Option<String>, authors: &[String], from_right: bool) {
        self.is_described = title.is_some();
        self.title = title;
        self.authors = authors.join(", ");
        self.from_right = from_right;
    }

    /// The number of pages.
    pub(crate) fn pages(&self) -> u32 {
        self.pages
    }

    /// Adds a page for the picture in `input`. A file with several pages gets one for each, unless the option `page`
    /// selects one.
    ///
    /// Errors: [`Kind::BadInput`] if the picture cannot be read, or if there are too many pages. Earlier pages stay.
    pub(crate) fn add(
        &mut self,
        job: &Job<'_>,
        input: &mut dyn Input,
        notes: &mut Notes,
    ) -> Result<()> {
        #[cfg(feature = "svg")]
        if vector::format() == job.from {
            return self.add_drawing(job, input, notes);
        }
        let chosen = job.options().integer("page");
        let count = match chosen {
            None => plate::pages(job.from, input)?,
            Some(_) => 1,
        };
        let before = self.pages;
        let outline = plate::outline(job, input)?;
        let added = match count {
            1 => self.add_page(job, input, chosen, notes),
            _ => self.add_pages(job, input, count, notes),
        };
        // If a page is damaged, the pages before it stay in the PDF, and so do their entries.
        self.add_outline(outline, before)?;
        added
    }

    /// Adds all pages of a file.
    fn add_pages(
        &mut self,
        job: &Job<'_>,
        input: &mut dyn Input,
        count: u32,
        notes: &mut Notes,
    ) -> Result<()> {
        for page in 1..=count {
            job.check()?;
            job.progress(Progress {
                done: u64::from(page) - 1,
                total: count.into(),
                unit: Unit::Pages,
            });
            self.add_page(job, input, Some(page), notes)?;
        }
        Ok(())
    }

    /// Adds the outline of a file, whose pages are those after the first `before` pages. An entry for a page that could
    /// not be added has no target. If no page was added, the entries are dropped, as are those beyond
    /// [`MAX_BOOKMARKS`].
    fn add_outline(&mut self, outline: Vec<Bookmark>, before: u32) -> Result<()> {
        if self.pages == before {
            return Ok(());
        }
        for entry in outline {
            if self.outline.len() >= MAX_BOOKMARKS {
                break;
            }
            self.lease.grow(entry.title.len() as u64 + BOOKMARK)?;
            let page = entry.page.map(|page| page + before);
            self.outline.push(Bookmark {
                page: page.filter(|page| *page <= self.pages),
                ..entry
            });
        }
        Ok(())
    }

    /// Adds a page with one picture. The picture is written first, because the size of the page follows from its
    /// density.
    fn add_page(
        &mut self,
        job: &Job<'_>,
        input: &mut dyn Input,
        page: Option<u32>,
        notes: &mut Notes,
    ) -> Result<()> {
        self.check_number()?;
        let density = plate::density(job.from, input, page)?;
        let layers = plate::layers(job, input, page)?;
        // Each image with the width and height of its layer, as multiples of those of the picture.
        let mut images = Vec::new();
        let mut seen = None;
        for layer in layers
            .iter()
            .map(Some)
            .chain(layers.is_empty().then_some(None))
        {
            let mut easel =
                ImageWriter::new(&mut self.file).smooth(layer.is_some() && images.is_empty());
            let painted = match layer {
                Some(layer) => plate::transcribe_layer(job, input, layer, &mut easel, notes),
                None => plate::transcribe(job, input, page, &mut easel, notes),
            };
            images.push((easel.image, layer.map_or((1.0, 1.0), |layer| layer.scale)));
            seen = easel.seen;
            // The image object must be completed even if reading the picture failed.
            self.file.end_stream();
            painted?;
        }
        // The last layer lies on top and has the size of the whole picture.
        let Some((width, height, orientation)) = seen else {
            return Err(Error::internal(
                "the decoder passed on no picture",
                job.from.name,
            ));
        };
        let swaps = swaps_sides(orientation);
        let (size, density) = match swaps {
            true => (
                (height, width),
                density.map(|(across, down)| (down, across)),
            ),
            false => ((width, height), density),
        };
        let size = (f64::from(size.0), f64::from(size.1));
        let paper = Paper::of(size, density, job.options());
        let mut drawing = Content::new();
        drawing.save_state();
        if images.len() > 1 {
            let [x, y, width, height] = paper.picture.map(|side| side as f32);
            drawing.rect(x, y, width, height).clip_nonzero().end_path();
        }
        drawing.transform(paper.matrix(orientation));
        for (nth, (_, (across, up))) in images.iter().enumerate() {
            drawing.save_state();
            if (*across, *up) != (1.0, 1.0) {
                drawing.transform([*across as f32, 0.0, 0.0, *up as f32, 0.0, 0.0]);
            }
            drawing.x_object(Name(image_name(nth).as_bytes()));
            drawing.restore_state();
        }
        drawing.restore_state();
        #[cfg_attr(not(feature = "ocr"), allow(unused_mut))]
        let mut drawing = drawing.finish().to_vec();
        #[cfg(feature = "ocr")]
        let font = {
            let place = (page, self.pages + 1);
            let file = &mut self.file;
            let layer = self.layers.read(job, input, place, paper.picture, file)?;
            layer.map(|(layer, font)| {
                drawing.push(b'\n');
                drawing.extend_from_slice(layer.as_bytes());
                font
            })
        };
        let content = self.file.next();
        self.file.stream(content, &drawing, |_| {});
        self.write_page(&paper, content, |page| {
            let mut resources = page.insert(Name(b"Resources")).dict();
            let mut objects = resources.insert(Name(b"XObject")).dict();
            for (nth, (image, _)) in images.iter().enumerate() {
                objects.pair(Name(image_name(nth).as_bytes()), *image);
            }
            drop(objects);
            #[cfg(feature = "ocr")]
            if let Some(font) = font {
                let mut fonts = resources.insert(Name(b"Font")).dict();
                fonts.pair(Name(FONT.as_bytes()), font);
            }
        });
        self.file.check()
    }

    /// Adds a page for a drawing.
    #[cfg(feature = "svg")]
    fn add_drawing(
        &mut self,
        job: &Job<'_>,
        input: &mut dyn Input,
        notes: &mut Notes,
    ) -> Result<()> {
        self.check_number()?;
        let drawing = vector::Drawing::read(job, input)?;
        for note in drawing.notes() {
            notes.add(note);
        }
        let size = drawing.tree.size();
        let paper = Paper::of(
            (size.width().into(), size.height().into()),
            None,
            job.options(),
        );
        let [a, b, c, d, e, f] = paper.matrix(Orientation::NoTransforms);
        let place = Transform::from_row(a, b, c, d, e, f);
        let mut fonts = drawing::Fonts::default();
        let set = drawing::Set {
            fonts: &mut fonts,
            smooth: true,
        };
        let (content, resources) =
            drawing::content(job, &drawing, &mut self.file, place, set, notes)?;
        fonts.write(&mut self.file, 0)?;
        if self.pages == 0 && !self.is_described {
            self.title = drawing.title;
        }
        self.write_page(&paper, content, |dictionary| {
            resources.write(dictionary);
            let mut group = dictionary.insert(Name(b"Group")).dict();
            group.pair(Name(b"S"), Name(b"Transparency"));
            group.pair(Name(b"CS"), Name(b"DeviceRGB"));
        });
        self.file.check()
    }

    fn check_number(&self) -> Result<()> {
        if self.pages < MAX_PAGES {
            return Ok(());
        }
        let text = format!(
            "the result would have more than {MAX_PAGES} pages; convert the pictures in parts"
        );
        Err(Error::new(Kind::BadInput, text))
    }

    /// Writes a page with this content stream. `entries` adds entries to the page's dictionary.
    fn write_page(&mut self, paper: &Paper, content: Ref, entries: impl FnOnce(&mut Dict<'_>)) {
        let page = self.file.next();
        let node = match self.nodes.last_mut() {
            Some((node, pages)) if pages.len() < PAGES_PER_NODE => {
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
        pdf::small(&mut self.file, page, |object| {
            let mut dictionary = object.dict();
            dictionary.pair(Name(b"Type"), Name(b"Page"));
            dictionary.pair(Name(b"Parent"), node);
            let (width, height) = (paper.width as f32, paper.height as f32);
            dictionary.pair(Name(b"MediaBox"), Rect::new(0.0, 0.0, width, height));
            dictionary.pair(Name(b"Contents"), content);
            entries(&mut dictionary);
        });
    }

    /// Writes the end of the PDF: page tree, catalogue and cross-reference table.
    ///
    /// Errors: the output could not be written.
    pub(crate) fn finish(mut self, notes: &mut Notes) -> Result<()> {
        #[cfg(feature = "ocr")]
        {
            self.layers.finish(&mut self.file);
            self.layers.add_notes(notes);
        }
        #[cfg(not(feature = "ocr"))]
        let _ = notes;
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
        let all: Vec<Ref> = self
            .nodes
            .iter()
            .flat_map(|(_, pages)| pages.iter().copied())
            .collect();
        let entries = self.outline.iter().map(|entry| {
            let page = entry.page.and_then(|page| all.get(page as usize - 1));
            pdf::OutlineEntry {
                level: entry.level,
                title: &entry.title,
                target: page.map(|page| (*page, None)),
            }
        });
        let outline = pdf::outline(&mut self.file, &entries.collect::<Vec<_>>());
        let catalog = self.file.next();
        pdf::small(&mut self.file, catalog, |object| {
            let mut dictionary = object.dict();
            dictionary.pair(Name(b"Type"), Name(b"Catalog"));
            dictionary.pair(Name(b"Pages"), self.root);
            if let Some(outline) = outline {
                dictionary.pair(Name(b"Outlines"), outline);
                dictionary.pair(Name(b"PageMode"), Name(b"UseOutlines"));
            }
            if self.from_right {
                let mut preferences = dictionary.insert(Name(b"ViewerPreferences")).dict();
                preferences.pair(Name(b"Direction"), Name(b"R2L"));
            }
        });
        let info = self.file.next();
        pdf::small(&mut self.file, info, |object| {
            let mut dictionary = object.dict();
            let is_own_title = self.is_described || self.pages == 1;
            if let Some(title) = self.title.as_deref().filter(|_| is_own_title) {
                dictionary.pair(Name(b"Title"), TextStr(title));
            }
            if !self.authors.is_empty() {
                dictionary.pair(Name(b"Author"), TextStr(&self.authors));
            }
            dictionary.pair(Name(b"Producer"), TextStr("convertd"));
        });
        self.file.end(catalog, info)
    }
}

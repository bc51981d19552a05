//! Opens a presentation, and reads a slide on demand. [`Shapes`] reads the shapes.

use super::{
    NAMESPACES, look,
    page::{Declarations, FrameSelection, Listed},
    shapes::Shapes,
    sheet::{Family, Scope, Sheet},
    text::Texts,
};
use crate::{
    coding::base64,
    containers::{
        odf::Package,
        xml::{self, Reader},
    },
    deck::{Content, Deck, Facts, Frame, Paragraph, Role, Slide},
    error::Result,
    job::{Input, Job, Lease, Notes},
    losses::{COMMENTS, MOVES},
};
use convertd_office::{drawing::Fill, wordprocessing as office};
use convertd_tree::{Length, Metadata, losses::Losses};
use std::{
    collections::{HashMap, hash_map::Entry},
    ops::Range,
    rc::Rc,
};

/// Memory of every conversion, in bytes.
const MEMORY: u64 = 4 << 20;

/// Memory of an XML element that becomes a frame, a style or a run, in bytes.
const ELEMENT: u64 = 200;

/// Maximum number of slides, and of masters.
const MAX_PAGES: usize = 100_000;

/// Maximum number of cached frame lists of masters. A master has several lists if its slides show different footers.
const MAX_MASTER_FRAMES: usize = 1000;

/// Default size of slides in English Metric Units: 28 by 21 centimetres.
const SIZE: (f64, f64) = (10_080_000.0, 7_560_000.0);

/// Text of a part, and the offset of the end of the root's start tag.
#[derive(Default)]
struct XmlPart {
    text: String,
    head: usize,
}

impl XmlPart {
    /// Returns a piece of the part with the start tag of the root before it, so that it can be parsed. The end tag of
    /// the root is missing.
    fn piece(&self, range: &Range<usize>) -> String {
        let mut piece = String::with_capacity(self.head + range.len());
        piece.push_str(&self.text[..self.head]);
        piece.push_str(self.text.get(range.clone()).unwrap_or_default());
        piece
    }
}

/// An open presentation.
struct Odp<'a> {
    job: &'a Job<'a>,
    /// Package. `None` for a flat file.
    package: Option<Package<'a>>,
    /// Part with the slides.
    content: XmlPart,
    /// Part with the masters. `None` if the content contains them, as in a flat file.
    masters_part: Option<XmlPart>,
    /// Styles of the document.
    sheet: Sheet,
    facts: Facts,
    /// Entries of the slides.
    slides: Vec<Listed>,
    /// Entries of the masters, by name.
    masters: HashMap<Box<str>, Listed>,
    /// Numbers of slides by name, from 1, for links.
    numbers: HashMap<Box<str>, usize>,
    declarations: Declarations,
    /// Frames of masters, by master and shown fields.
    master_frames: HashMap<String, Rc<Vec<Frame>>>,
    losses: Losses,
    /// Memory that is leased for as long as the file is open, in bytes.
    held: u64,
    lease: Lease<'a>,
}

/// Opens a package.
///
/// Errors: [`FrameSelection::BadInput`](crate::error::Kind::BadInput) if it is not a presentation, is damaged, or is encrypted.
pub(super) fn open<'a>(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Box<dyn Deck + 'a>> {
    let lease = job.lease(MEMORY)?;
    let mut package = Package::open(job, input)?;
    let part = |package: &mut Package<'_>, name: &str| {
        let Some(size) = package.size(name) else {
            return Ok(None);
        };
        lease.grow_exactly(size.saturating_mul(2))?;
        package.text(name).map(Some)
    };
    let Some(content) = part(&mut package, "content.xml")? else {
        return Err(job.unreadable("it has no slides: the part content.xml is missing"));
    };
    let styles = part(&mut package, "styles.xml")?;
    let meta = part(&mut package, "meta.xml")?.unwrap_or_default();
    let odp = Odp::new(job, Some(package), content, styles, lease);
    odp.begun(&meta)
}

/// Opens a flat file.
///
/// Errors: [`FrameSelection::BadInput`](crate::error::Kind::BadInput) if it is not a presentation, or is damaged.
pub(super) fn open_flat<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
) -> Result<Box<dyn Deck + 'a>> {
    // Memory for the file and its text, as a multiple of its size.
    const TIMES: u64 = 2;
    let (bytes, lease) = convertd_tree::input::read_all(job, input, TIMES)?;
    lease.grow_exactly(MEMORY)?;
    let content = xml::decode_owned(bytes);
    let odp = Odp::new(job, None, content, None, lease);
    odp.begun("")
}

impl<'a> Odp<'a> {
    fn new(
        job: &'a Job<'a>,
        package: Option<Package<'a>>,
        content: String,
        styles: Option<String>,
        lease: Lease<'a>,
    ) -> Self {
        let part = |text| XmlPart { text, head: 0 };
        Self {
            job,
            package,
            content: part(content),
            masters_part: styles.map(part),
            sheet: Sheet::default(),
            facts: Facts::default(),
            slides: Vec::new(),
            masters: HashMap::new(),
            numbers: HashMap::new(),
            declarations: Declarations::default(),
            master_frames: HashMap::new(),
            losses: Losses::default(),
            held: lease.bytes(),
            lease,
        }
    }

    /// Reads the styles, the masters and the list of slides.
    fn begun(mut self, meta: &str) -> Result<Box<dyn Deck + 'a>> {
        let job = self.job;
        let tags = |text: &str| memchr::memchr_iter(b'<', text.as_bytes()).count() as u64 / 2;
        let styles = self
            .masters_part
            .as_ref()
            .map_or(0, |part| tags(&part.text));
        // At most one automatic style for each element remains in memory after parsing.
        self.held = self.held.saturating_add(styles.saturating_mul(ELEMENT));
        self.lease.set_exactly(self.held)?;
        if let Some(part) = &self.masters_part {
            self.sheet.read(job, &part.text, Scope::Masters)?;
        }
        self.sheet.read(job, &self.content.text, Scope::Slides)?;
        let meta = if meta.is_empty() {
            &self.content.text
        } else {
            meta
        };
        let mut metadata = Metadata::default();
        // Damaged metadata must not prevent the conversion of the slides.
        if office::read_open_metadata(job, meta, &mut metadata).is_ok() {
            self.facts.metadata = metadata;
        }
        let mut part = self.masters_part.take().unwrap_or_default();
        let text = if part.text.is_empty() {
            &self.content.text
        } else {
            &part.text
        };
        (part.head, self.masters) = masters(job, text)?;
        self.masters_part = Some(part).filter(|part| !part.text.is_empty());
        self.content()?;
        let layout = self
            .slides
            .first()
            .and_then(|slide| self.masters.get(&slide.above));
        let size = layout.and_then(|master| self.sheet.pages.get(&master.above));
        let (width, height) = size.copied().unwrap_or(SIZE);
        // PowerPoint allows sides from 1 to 56 inches, in all its versions.
        let side = |emu: f64| Length::emu(emu.clamp(914_400.0, 51_206_400.0) as i64);
        self.facts.size = (side(width), side(height));
        self.facts.slides = self.slides.len();
        Ok(Box::new(self))
    }

    /// Lists the slides with their byte ranges, and collects the texts of their fields.
    fn content(&mut self) -> Result<()> {
        let job = self.job;
        let mut xml = Reader::new(job, &self.content.text, NAMESPACES);
        xml.root()?;
        self.content.head = xml.position();
        let mut slides = Vec::new();
        let mut is_presentation = false;
        while let Some(body) = xml.next_element(1)? {
            if !(body.space == "office" && body.name == "body") {
                continue;
            }
            while let Some(kind) = xml.next_element(2)? {
                is_presentation |= matches!(kind.name, "presentation" | "drawing");
                while let Some(element) = xml.next_element(3)? {
                    let known = ["header-decl", "footer-decl", "date-time-decl"];
                    if let Some(decl) = known.iter().find(|decl| **decl == element.name) {
                        let name = element.attribute("name").unwrap_or_default();
                        let words = xml.text()?;
                        let words = &words[..words.floor_char_boundary(1000)];
                        let declared = &mut self.declarations.all;
                        declared.insert((decl, name.into()), words.into());
                    } else if element.space == "draw" && element.name == "page" {
                        let begin = begin_of(&self.content.text, xml.position());
                        while xml.next_element(4)?.is_some() {}
                        if slides.len() < MAX_PAGES {
                            slides.push(Listed::new(&element, begin..xml.position()));
                        }
                    }
                }
            }
        }
        if !is_presentation {
            return Err(
                job.unreadable("it is not a presentation: its body holds another kind of document")
            );
        }
        for (nth, slide) in slides.iter().enumerate() {
            if let Entry::Vacant(new) = self.numbers.entry(slide.name.clone()) {
                new.insert(nth + 1);
            }
        }
        self.slides = slides;
        Ok(())
    }
}

/// Offset of the start tag that ends at a position. A tag contains no other `<`.
fn begin_of(text: &str, position: usize) -> usize {
    let before = text.as_bytes().get(..position).unwrap_or_default();
    memchr::memrchr(b'<', before).unwrap_or(0)
}

/// End of the root's start tag, and entries of the masters by name.
fn masters(job: &Job<'_>, text: &str) -> Result<(usize, HashMap<Box<str>, Listed>)> {
    let mut all = HashMap::new();
    let mut xml = Reader::new(job, text, NAMESPACES);
    xml.root()?;
    let head = xml.position();
    while let Some(group) = xml.next_element(1)? {
        if !(group.space == "office" && group.name == "master-styles") {
            continue;
        }
        while let Some(element) = xml.next_element(2)? {
            if element.name != "master-page" {
                continue;
            }
            let begin = begin_of(text, xml.position());
            while xml.next_element(3)?.is_some() {}
            if all.len() < MAX_PAGES {
                let listed = Listed::new(&element, begin..xml.position());
                all.insert(listed.name.clone(), listed);
            }
        }
    }
    Ok((head, all))
}

/// Content of a page.
#[derive(Default)]
struct Page {
    frames: Vec<Frame>,
    notes: Vec<Paragraph>,
    /// Whether the page has comments.
    comments: bool,
}

/// Reads a page from its piece of the part.
fn page(shapes: &mut Shapes<'_>, job: &Job<'_>, piece: &str) -> Result<Page> {
    let mut page = Page::default();
    let mut xml = Reader::new(job, piece, NAMESPACES);
    xml.root()?;
    if xml.next_element(1)?.is_none() {
        return Ok(page);
    }
    while let Some(element) = xml.next_element(2)? {
        match (element.space, element.name) {
            ("presentation", "notes") => {
                for frame in shapes.all(&mut xml)? {
                    if let (Role::Body, Content::Shape(shape)) = (frame.role, frame.content)
                        && let Some(text) = shape.text
                    {
                        page.notes.extend(text.paragraphs);
                    }
                }
            }
            ("office", "annotation") => page.comments = true,
            _ => shapes.element(&mut xml, &element, &mut page.frames)?,
        }
    }
    Ok(page)
}

impl Odp<'_> {
    /// Reads a page. `slide` is the slide whose header and footer texts are shown on it.
    fn page(&mut self, listed: &Listed, slide: &Listed, kind: FrameSelection) -> Result<Page> {
        let is_slide = kind == FrameSelection::Slide;
        let part = match &self.masters_part {
            Some(part) if !is_slide => part,
            _ => &self.content,
        };
        let tags = memchr::memchr_iter(b'<', part.text[listed.range.clone()].as_bytes()).count();
        let piece = part.head as u64 + listed.range.len() as u64;
        self.lease
            .set_exactly(self.held + 2 * piece + ELEMENT * tags as u64)?;
        let piece = part.piece(&listed.range);
        // A flat file has a single set of automatic styles.
        let scope = match self.masters_part {
            Some(_) if !is_slide => Scope::Masters,
            _ => Scope::Slides,
        };
        let declared = self.declarations.of(slide);
        let (package, content) = (&mut self.package, &self.content.text);
        let mut shapes = Shapes {
            texts: Texts {
                sheet: &self.sheet,
                scope,
                numbers: &self.numbers,
                declared: &declared,
            },
            kind,
            offset: listed.range.start.wrapping_sub(part.head),
            job: self.job,
            file: &mut |name| bytes(package, content, name).ok().flatten(),
            losses: &mut self.losses,
        };
        page(&mut shapes, self.job, &piece)
    }

    /// Frames of a slide's master. `furniture` is whether header, footer, number and date are shown.
    fn master_frames(
        &mut self,
        slide: &Listed,
        furniture: [bool; 4],
    ) -> Result<Option<Rc<Vec<Frame>>>> {
        let Some(master) = self.masters.get(&slide.above).cloned() else {
            return Ok(None);
        };
        let declared = self.declarations.of(slide);
        let key = format!("{} {furniture:?} {declared:?}", master.name);
        if let Some(known) = self.master_frames.get(&key) {
            return Ok(Some(known.clone()));
        }
        let page = self.page(&master, slide, FrameSelection::Master(furniture))?;
        let frames = Rc::new(page.frames);
        if self.master_frames.len() < MAX_MASTER_FRAMES {
            self.held = self.held.saturating_add(2 * master.range.len() as u64);
            self.master_frames.insert(key, frames.clone());
        }
        Ok(Some(frames))
    }

    /// Background of a slide: its own, or that of its master.
    fn background(&self, slide: &Listed) -> Fill {
        let fill = |scope, family, name: &str| {
            let style = self.sheet.style(scope, family, name);
            look::fill(&self.sheet.paints, &style.shape)
        };
        let own = fill(Scope::Slides, Family::Page, &slide.style);
        let Some(master) = self.masters.get(&slide.above).filter(|_| own == Fill::None) else {
            return own;
        };
        let scope = match self.masters_part {
            Some(_) => Scope::Masters,
            None => Scope::Slides,
        };
        match fill(scope, Family::Page, &master.style) {
            Fill::None => {
                let name = format!("{}-background", master.name);
                fill(Scope::Common, Family::Presentation, &name)
            }
            fill => fill,
        }
    }
}

/// Bytes of a picture, from a part or from Base64 in the text of a flat file.
fn bytes(package: &mut Option<Package<'_>>, content: &str, name: &str) -> Result<Option<Vec<u8>>> {
    if let Some(at) = name.strip_prefix('#') {
        let text = at.parse().ok().and_then(|at: usize| content.get(at..));
        let text = text.and_then(|text| text.split('<').next());
        return Ok(base64::decode(text.unwrap_or_default()));
    }
    match package {
        Some(package) if package.size(name).is_some() => package.bytes(name).map(Some),
        _ => Ok(None),
    }
}

impl Deck for Odp<'_> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn slide(&mut self, number: usize) -> Result<Slide> {
        let Some(listed) = self.slides.get(number).cloned() else {
            return Ok(Slide::default());
        };
        let style = self.sheet.style(Scope::Slides, Family::Page, &listed.style);
        let text = &self.content.text[listed.range.clone()];
        if memchr::memmem::find(text.as_bytes(), b":preset-class=").is_some() {
            self.losses.add(&MOVES);
        }
        let page = self.page(&listed, &listed, FrameSelection::Slide)?;
        if page.comments {
            self.losses.add(&COMMENTS);
        }
        let furniture = style.page.furniture.map(|shown| shown == Some(true));
        let master_frames = match style.page.objects {
            Some(false) => None,
            _ => self.master_frames(&listed, furniture)?,
        };
        let background = match style.page.background {
            Some(false) => look::fill(&self.sheet.paints, &style.shape),
            _ => self.background(&listed),
        };
        Ok(Slide {
            hidden: style.page.hidden == Some(true),
            background,
            master_frames: master_frames.into_iter().collect(),
            frames: page.frames,
            notes: page.notes,
        })
    }

    fn picture(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let size = match &self.package {
            Some(package) => package.size(name).unwrap_or(0),
            None => self.content.text.len() as u64,
        };
        self.lease.set_exactly(self.held.saturating_add(size))?;
        let bytes = bytes(&mut self.package, &self.content.text, name)?;
        self.lease.set_exactly(self.held)?;
        Ok(bytes)
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        std::mem::take(&mut self.losses).add_notes(notes);
    }
}

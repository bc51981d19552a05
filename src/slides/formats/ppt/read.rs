//! Opens a presentation: finds its slides, masters and pictures, and reads a slide on demand. The module `shapes`
//! reads the shapes.

use super::{
    colours::Scheme,
    kind,
    objects::Objects,
    recognise::{PICTURES, STREAM, USER},
    shapes::{Shapes, background, properties},
    styles::MasterStyles,
    text::{Font, HeaderFooter, Setting, Text, UNIT, texts},
};
use crate::{
    containers::{
        cfb::Compound,
        fields::Fields,
        property_set::{SUMMARY, Summary},
    },
    deck::{Deck, Facts, Frame, Paragraph, Slide},
    error::Result,
    job::{Input, Job, Lease, Notes},
};
use convertd_office::{
    art::{Record, Records, blip},
    drawing::Fill,
    wordprocessing as office,
};
use convertd_tree::{
    Length,
    losses::{Loss, Losses},
};
use std::{collections::HashMap, rc::Rc};

static MISSING: Loss = Loss {
    one: "A slide was left out: it is not in the file.",
    many: "{} slides were left out: they are not in the file.",
};

/// Memory of an open file as a multiple of its length, in addition to [`MEMORY`].
const TIMES: u64 = 4;
/// Memory of an open file that does not depend on its length, in bytes.
const MEMORY: u64 = 20 << 20;

/// Memory of a picture while it is decompressed, as a multiple of its stored size.
const MAX_GROWTH: u64 = 16;

/// Limit on cached master variants, one for each combination of footers.
const MAX_MASTER_FRAMES: usize = 1000;

/// Limit on slides.
const MAX_SLIDES: usize = 10_000;
/// Limit on fonts.
const MAX_FONTS: usize = 4096;
/// Limit on links.
const MAX_LINKS: usize = 100_000;

/// An open presentation.
struct Ppt<'a> {
    job: &'a Job<'a>,
    /// Stream with all records.
    stream: Vec<u8>,
    /// Stream with the pictures.
    pictures: Vec<u8>,
    objects: Objects,
    facts: Facts,
    /// Slides in the order of the show.
    slides: Vec<Entry>,
    /// Object numbers of the masters, by the numbers with which slides refer to them.
    masters: HashMap<u32, u32>,
    /// Object numbers of the notes pages, by the numbers with which slides refer to them.
    notes: HashMap<u32, u32>,
    /// Fonts, in the order in which styles refer to them.
    fonts: Vec<Font>,
    /// Link targets, by their numbers.
    links: HashMap<u32, Box<str>>,
    /// Default text styles, for masters without their own.
    styles: MasterStyles,
    /// Cached frames of masters, by the number of the object and the footers that the slide shows.
    master_frames: HashMap<(u32, HeaderFooter), Rc<Vec<Frame>>>,
    losses: Losses,
    /// Memory of the file and the cached frames, without the current slide.
    held: u64,
    lease: Lease<'a>,
}

/// An entry in the list of slides.
#[derive(Clone, Copy)]
struct Entry {
    /// Object number.
    object: u32,
    /// Offset of the slide's first text in the list record.
    texts: usize,
}

/// Opens a file.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if it is not a presentation, is damaged or is encrypted.
pub(super) fn open<'a>(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Box<dyn Deck + 'a>> {
    let memory = job.input_len.saturating_mul(TIMES) + MEMORY;
    let lease = job.lease(memory)?;
    let file = Compound::open(input).map_err(|err| job.unreadable(err))?;
    let mut stream = |name: &str| file.read(input, name).map_err(|err| job.unreadable(err));
    let records = stream(STREAM)?.ok_or_else(|| job.unreadable("it has no slides"))?;
    let user = stream(USER)?;
    let user = user.ok_or_else(|| job.unreadable("it was made by PowerPoint 95 or earlier"))?;
    let mut ppt = Ppt {
        job,
        objects: Objects::read(job, &records, &user)?,
        stream: records,
        // A damaged stream of pictures must not prevent the conversion of the slides.
        pictures: stream(PICTURES).unwrap_or_default().unwrap_or_default(),
        facts: Facts::default(),
        slides: Vec::new(),
        masters: HashMap::new(),
        notes: HashMap::new(),
        fonts: Vec::new(),
        links: HashMap::new(),
        styles: MasterStyles::default(),
        master_frames: HashMap::new(),
        losses: Losses::default(),
        held: memory,
        lease,
    };
    if let Some(summary) = stream(SUMMARY).unwrap_or_default() {
        office::add_summary(&mut ppt.facts.metadata, &Summary::read(&summary));
    }
    ppt.read()?;
    Ok(Box::new(ppt))
}

/// Reads the list of slides (instance 0), masters (1) or notes (2): the number and the entry of each. The texts of
/// the outline lie between the entries.
fn list(document: Record<'_>, instance: u16) -> Vec<(u32, Entry)> {
    let Some(list) = slide_list(document, instance) else {
        return Vec::new();
    };
    let mut entries = Vec::new();
    let mut records = list.records();
    while let Some(record) = records.next() {
        if record.kind == kind::PERSIST && entries.len() < MAX_SLIDES {
            let entry = Entry {
                object: record.data.u32(0),
                texts: list.data.len() - records.rest().len(),
            };
            entries.push((record.data.u32(12), entry));
        }
    }
    entries
}

/// Finds the list with an instance.
fn slide_list(document: Record<'_>, instance: u16) -> Option<Record<'_>> {
    let mut lists = document.records();
    lists.find(|record| record.kind == kind::SLIDES && record.instance == instance)
}

/// Returns the drawing (`OfficeArtDgContainer`) of a slide, a master or a notes page.
fn sheet(container: Record<'_>) -> Record<'_> {
    let drawing = container.child(kind::DRAWING);
    drawing
        .and_then(|drawing| drawing.child(kind::SHEET))
        .unwrap_or_default()
}

/// Returns the colour scheme of a slide or a master. The other schemes in the file are proposals for the user.
fn scheme(container: Record<'_>) -> Option<Scheme> {
    let mut schemes = container.records();
    let own = schemes.find(|record| record.kind == kind::COLOURS && record.instance == 1);
    own.map(|own| Scheme::read(own.data))
}

impl Ppt<'_> {
    /// Reads the document record: page size, masters, and the lists of slides and notes. The slides are separate
    /// objects.
    fn read(&mut self) -> Result<()> {
        let Some(document) = self.objects.document(&self.stream) else {
            return Err(self
                .job
                .unreadable("its document record is not at the stated position"));
        };
        let atom = document.child(kind::DOCUMENT_ATOM).unwrap_or_default().data;
        let side = |at: usize, default: i32| {
            // All versions of PowerPoint allow sides from 1 to 56 inches.
            let units = Some(atom.i32(at))
                .filter(|units| *units > 0)
                .unwrap_or(default);
            Length::emu((f64::from(units.clamp(576, 32_256)) * UNIT) as i64)
        };
        self.facts.size = (side(0, 5760), side(4, 4320));
        self.masters = list(document, 1)
            .into_iter()
            .map(|(number, entry)| (number, entry.object))
            .collect();
        self.notes = list(document, 2)
            .into_iter()
            .map(|(number, entry)| (number, entry.object))
            .collect();
        let slides = list(document, 0).into_iter().map(|(_, entry)| entry);
        let (slides, missing): (Vec<_>, Vec<_>) =
            slides.partition(|entry| self.objects.get(&self.stream, entry.object).is_some());
        missing.iter().for_each(|_| self.losses.add(&MISSING));
        let environment = document.child(kind::ENVIRONMENT).unwrap_or_default();
        let fonts = environment.child(kind::FONTS).unwrap_or_default();
        let fonts = fonts.records().filter(|record| record.kind == kind::FONT);
        let fonts = fonts.take(MAX_FONTS).map(|font| {
            /// Character set of symbol fonts.
            const SYMBOL: u8 = 2;
            let name = font.data.utf16(0, 32);
            Font {
                name: name.split('\0').next().unwrap_or_default().into(),
                is_symbol: font.data.u8(64) == SYMBOL,
            }
        });
        let fonts = fonts.collect();
        let mut styles = MasterStyles::default();
        for style in environment
            .records()
            .filter(|record| record.kind == kind::MASTER_STYLE)
        {
            styles.read(style.instance, style.data);
        }
        let links = links(document);
        self.facts.slides = slides.len();
        (self.slides, self.fonts, self.styles, self.links) = (slides, fonts, styles, links);
        Ok(())
    }

    /// Returns a master and its object number.
    fn master(&self, number: u32) -> Option<(u32, Record<'_>)> {
        let object = *self.masters.get(&number)?;
        Some((object, self.objects.get(&self.stream, object)?))
    }

    /// Returns the styles of a master. For a title master, the styles of the master that it is based on override the
    /// defaults. The master's own styles override both.
    fn styles(&self, master: Record<'_>) -> MasterStyles {
        let base = master.child(kind::SLIDE_ATOM).map(|atom| atom.data.u32(12));
        let base = base.and_then(|number| self.master(number));
        let mut styles = self.styles.clone();
        for source in [base.map(|(_, base)| base), Some(master)]
            .into_iter()
            .flatten()
        {
            for style in source
                .records()
                .filter(|record| record.kind == kind::MASTER_STYLE)
            {
                styles.read(style.instance, style.data);
            }
        }
        styles
    }

    /// Returns the texts of a slide in the outline: all records up to the entry of the next slide.
    fn outline(&self, entry: Entry) -> Vec<Text<'_>> {
        let document = self.objects.document(&self.stream).unwrap_or_default();
        let list = slide_list(document, 0).unwrap_or_default();
        let records = Records(list.data.from(entry.texts));
        texts(records.take_while(|record| record.kind != kind::PERSIST))
    }

    /// Reads which footers, dates and numbers a slide shows: from its own record, or from the default record of the
    /// presentation (2.4.15.1 and 2.4.15.2).
    fn furniture(&self, slide: Record<'_>) -> HeaderFooter {
        /// Instance of the default record for slides. The default record for notes has the instance 4.
        const SLIDES: u16 = 3;
        let document = self.objects.document(&self.stream).unwrap_or_default();
        let own = slide.child(kind::HEADERS_FOOTERS);
        let default = || {
            let mut all = document.records();
            all.find(|record| record.kind == kind::HEADERS_FOOTERS && record.instance == SLIDES)
        };
        let Some(settings) = own.or_else(default) else {
            return HeaderFooter::default();
        };
        let atom = settings
            .child(kind::HEADERS_FOOTERS_ATOM)
            .unwrap_or_default();
        let flags = atom.data.u16(2);
        let words = |instance: u16, flag: u16| {
            let mut strings = settings
                .records()
                .filter(|record| record.kind == kind::STRING);
            let words = strings.find(|string| string.instance == instance)?.data;
            let words = words.utf16(0, (words.len() / 2).min(1000));
            (flags & flag != 0 && !words.is_empty()).then(|| words.into())
        };
        HeaderFooter {
            number: flags & 8 != 0,
            date: words(0, 4),
            footer: words(2, 0x20),
        }
    }

    /// Reads the speaker notes. `atom` is the record of the slide that states the number of its notes page.
    fn notes_of(&self, atom: Fields<'_>, setting: Setting<'_>) -> Vec<Paragraph> {
        let object = self.notes.get(&atom.u32(16));
        let Some(notes) = object.and_then(|object| self.objects.get(&self.stream, *object)) else {
            return Vec::new();
        };
        let mut paragraphs = Vec::new();
        let group = sheet(notes).child(kind::GROUP).unwrap_or_default();
        for shape in group.records().filter(|record| record.kind == kind::SHAPE) {
            let text_box = shape.child(kind::TEXT_BOX).unwrap_or_default();
            let all = texts(text_box.records());
            // Only texts of type 2 are notes; a page also contains headers and footers.
            for text in all.iter().filter(|text| text.of == 2) {
                paragraphs.extend(text.paragraphs(&setting));
            }
        }
        paragraphs
    }
}

/// Reads the link targets, by their numbers (2.10.16).
fn links(document: Record<'_>) -> HashMap<u32, Box<str>> {
    let externals = document.child(kind::EXTERNALS).unwrap_or_default();
    let all = externals
        .records()
        .filter(|record| record.kind == kind::LINK);
    let all = all.take(MAX_LINKS).filter_map(|link| {
        let number = link.child(kind::LINK_ATOM)?.data.u32(0);
        let mut strings = link.records().filter(|record| record.kind == kind::STRING);
        // The first string is the visible name, the second string is the address.
        let address = strings.find(|string| string.instance == 1)?.data;
        let address = address.utf16(0, (address.len() / 2).min(2048));
        (!address.is_empty()).then(|| (number, address.into()))
    });
    all.collect()
}

impl Deck for Ppt<'_> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Reads a slide. Three flags in the record `SLIDE_ATOM` state that the slide uses the shapes (1), the colours (2)
    /// and the background (4) of its master.
    fn slide(&mut self, number: usize) -> Result<Slide> {
        let Some(entry) = self.slides.get(number).copied() else {
            return Ok(Slide::default());
        };
        let slide = self
            .objects
            .get(&self.stream, entry.object)
            .unwrap_or_default();
        // In memory, frames are larger than their records in the file.
        self.lease
            .set_exactly(self.held + slide.data.len() as u64 * 16)?;
        let atom = slide.child(kind::SLIDE_ATOM).unwrap_or_default().data;
        let flags = atom.u16(20);
        let master = self.master(atom.u32(12));
        let of_master = master.map(|(_, master)| master).unwrap_or_default();
        let masters_scheme = scheme(of_master);
        let own_scheme = match flags & 2 {
            0 => scheme(slide),
            _ => None,
        };
        let scheme = own_scheme.or(masters_scheme).unwrap_or_default();
        let styles = self.styles(of_master);
        let furniture = self.furniture(slide);
        let setting = || Setting {
            masters: &styles,
            scheme: &scheme,
            fonts: &self.fonts,
            links: &self.links,
            furniture: &furniture,
        };
        let shapes = |outline, is_master| Shapes {
            setting: setting(),
            outline,
            master: properties(sheet(of_master)),
            is_master,
            count: 0,
        };
        let frames = shapes(self.outline(entry), false).sheet(sheet(slide));
        let known = master.and_then(|(object, _)| {
            let key = (object, furniture.clone());
            self.master_frames.get(&key).cloned()
        });
        let master_frames = match (flags & 1, known) {
            (0, _) => None,
            (_, Some(known)) => Some(known),
            _ => Some(Rc::new(shapes(Vec::new(), true).sheet(sheet(of_master)))),
        };
        let background = match flags & 4 {
            0 => background(sheet(slide), &scheme),
            _ => None,
        };
        let background = background.or_else(|| self::background(sheet(of_master), &scheme));
        let show = slide.child(kind::SHOW_INFO).unwrap_or_default().data;
        let notes = self.notes_of(atom, setting());
        let slide = Slide {
            hidden: show.u16(10) & 4 != 0,
            background: background.unwrap_or(Fill::None),
            master_frames: master_frames.iter().cloned().collect(),
            frames,
            notes,
        };
        if let (Some((object, master)), Some(master_frames)) = (master, master_frames)
            && self.master_frames.len() < MAX_MASTER_FRAMES
            && !self
                .master_frames
                .contains_key(&(object, furniture.clone()))
        {
            self.held += master.data.len() as u64 * 16;
            self.master_frames
                .insert((object, furniture), master_frames);
        }
        Ok(slide)
    }

    /// Finds a picture. `name` is its number in the store, whose entries contain the offset in the stream of pictures.
    fn picture(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let document = self.objects.document(&self.stream).unwrap_or_default();
        let group = document.child(kind::DRAWING_GROUP).unwrap_or_default();
        let group = group.child(kind::ART_GROUP).unwrap_or_default();
        let store = group.child(kind::STORE).unwrap_or_default();
        let number = name.parse().unwrap_or(0_usize);
        let entry = number.checked_sub(1).and_then(|at| store.records().nth(at));
        let Some(entry) = entry else {
            return Ok(None);
        };
        let place = entry.data.u32(28) as usize;
        let stored = Record::first(Fields(&self.pictures).from(place));
        let size = stored.map_or(0, |stored| stored.data.len()) as u64;
        self.lease.set_exactly(self.held + size * MAX_GROWTH)?;
        Ok(stored.and_then(blip))
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        std::mem::take(&mut self.losses).add_notes(notes);
    }
}

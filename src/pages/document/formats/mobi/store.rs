//! A book in memory: its chapters, style sheets and drawings, with the names by which they refer to each other, and its
//! pictures and fonts. Decodes no picture.

use super::{
    addresses::{self, Targets},
    contents::{self, Entry},
    database::Database,
    header::Header,
    kf8, markup,
    metadata::{self, COVER},
    places, plain,
    resources::Resources,
    text,
};
use crate::{
    coding::encoding,
    document::formats::book::{self, Book, Files},
    error::Result,
    job::{Input, Job, Lease, Notes},
};
use convertd_markup::html::{self, Named, Names};
use convertd_tree::{
    input::read_all,
    losses::{Loss, Losses},
};
use std::collections::HashMap;

static TEXT: Loss = Loss {
    one: "A part of the text is damaged or missing.",
    many: "{} parts of the text are damaged or missing.",
};

static CUT: Loss = Loss {
    one: "The file is cut off: the end of the text is missing.",
    many: "The file is cut off: the end of the text is missing.",
};

/// Limit on the pictures that are inserted into a drawing, in bytes.
const MAX: usize = 64 << 20;

/// Media type of chapters.
const CHAPTER: &str = "application/xhtml+xml";

/// Name of the chapter that shows the cover.
const COVER_NAME: &str = "cover.xhtml";

/// Name of the chapter if the whole book is one chapter.
const TEXT_NAME: &str = "text.xhtml";

/// The files of a book.
pub(super) struct Store<'j> {
    job: &'j Job<'j>,
    database: Database,
    resources: Resources,
    texts: HashMap<String, String>,
    _lease: Lease<'j>,
}

impl Files for Store<'_> {
    fn size(&self, name: &str) -> Option<u64> {
        match self.texts.get(name) {
            Some(text) => Some(text.len() as u64),
            None => self.resources.size(&self.database, name),
        }
    }

    fn read(&mut self, name: &str) -> Result<Vec<u8>> {
        if let Some(text) = self.texts.get(name) {
            return Ok(text.clone().into_bytes());
        }
        let bytes = self.resources.read(self.job, &self.database, name)?;
        bytes.ok_or_else(|| self.job.unreadable(format!("its part {name} is missing")))
    }
}

/// Opens a book.
///
/// Errors: [`BadInput`](crate::error::Kind::BadInput) if the book is encrypted, if it contains a PDF instead of text,
/// or if its table of records, its header or its indexes are damaged.
pub(super) fn open<'j>(
    job: &'j Job<'j>,
    input: &mut dyn Input,
    notes: &mut Notes,
) -> Result<(Book, Store<'j>)> {
    let (bytes, lease) = read_all(job, input, 1)?;
    let database = Database::new(job, bytes)?;
    let first = Header::read(job, &database, 0)?;
    let (header, end) = match first.joint(&database) {
        Some(start) => (Some(Header::read(job, &database, start)?), start - 1),
        None => (None, database.len()),
    };
    // In a joint file, the pictures follow the header of the first book, and both books use them.
    let resources = first.resources.filter(|first| *first < end);
    let resources = Resources::find(&database, resources.unwrap_or(end)..end, &lease)?;
    let header = header.as_ref().unwrap_or(&first);
    if first.is_encrypted || header.is_encrypted {
        return Err(book::protected());
    }
    let text = text::read(job, &database, header, &lease)?;
    if text.bytes.starts_with(b"%MOP") {
        return Err(job.unreadable(
            "it is a Print Replica (.azw4), which holds a PDF instead of text: send that PDF",
        ));
    }
    let mut losses = Losses::default();
    losses.add_many(&TEXT, text.damaged);
    losses.add_many(&CUT, usize::from(database.is_cut));
    losses.add_notes(notes);
    let mut contents = Contents {
        job,
        database: &database,
        resources: &resources,
        lease: &lease,
        book: Book {
            metadata: metadata::metadata(&database, header),
            ..Book::default()
        },
        texts: HashMap::new(),
    };
    if header.is_kf8() {
        contents.kf8(header, &text.bytes)?;
    } else {
        contents.add_single_chapter(header, text.bytes)?;
    }
    contents.add_cover(header);
    let Contents { book, texts, .. } = contents;
    let store = Store {
        job,
        resources,
        texts,
        database,
        _lease: lease,
    };
    Ok((book, store))
}

/// A book under construction.
struct Contents<'c, 'j> {
    job: &'c Job<'j>,
    database: &'c Database,
    resources: &'c Resources,
    lease: &'c Lease<'j>,
    book: Book,
    texts: HashMap<String, String>,
}

impl Contents<'_, '_> {
    /// Adds a book whose text is a single chapter.
    fn add_single_chapter(&mut self, header: &Header<'_>, text: Vec<u8>) -> Result<()> {
        self.lease.grow_exactly(4 * text.len() as u64)?;
        let chapter = if header.version.is_some() || plain::is_markup(&text) {
            let entries = self.entries(header)?;
            let page = header.code_page;
            markup::chapter(self.job, &text, page, self.resources, TEXT_NAME, &entries)?
        } else {
            plain::chapter(&encoding::decode(text))?
        };
        self.add_chapter(TEXT_NAME, chapter);
        self.name_resources();
        Ok(())
    }

    /// Reads the table of contents.
    fn entries(&self, header: &Header<'_>) -> Result<Vec<Entry>> {
        let (job, database) = (self.job, self.database);
        contents::read(job, database, header.contents, header.code_page, self.lease)
    }

    /// Adds the chapters, style sheets and drawings of a KF8 book.
    fn kf8(&mut self, header: &Header<'_>, text: &[u8]) -> Result<()> {
        let parts = kf8::read(self.job, self.database, header, text, self.lease)?;
        let flows: Vec<String> = (0..)
            .zip(&parts.flows)
            .map(|(number, flow)| match flow.trim_ascii_start() {
                [b'<', ..] => format!("flow{number}.svg"),
                _ => format!("flow{number}.css"),
            })
            .collect();
        let mut wanted = addresses::places(&parts.chapters, &parts.fragments);
        let starts: Vec<usize> = parts.chapters.iter().map(|chapter| chapter.start).collect();
        let entries = self.entries(header)?;
        // The entries of each chapter with their offsets in it.
        let mut listed: Vec<Vec<(usize, &Entry)>> = vec![Vec::new(); wanted.len()];
        for entry in &entries {
            let place = entry.fragment.and_then(|(fragment, offset)| {
                addresses::place(&starts, &parts.fragments, fragment, offset)
            });
            if let Some((chapter, offset)) = place {
                wanted[chapter].insert(offset);
                listed[chapter].push((offset, entry));
            }
        }
        let mut chapters = Vec::new();
        let mut names = Vec::new();
        for (chapter, places) in parts.chapters.iter().zip(&wanted) {
            self.job.check()?;
            self.lease
                .grow((4 * chapter.text.len() + 64 * places.len()) as u64)?;
            let named = places::name(&chapter.text, places);
            chapters.push(named.text);
            names.push(named.names);
        }
        let targets = Targets {
            resources: self.resources,
            flows: &flows,
            fragments: &parts.fragments,
            chapters: starts,
            places: names,
        };
        for (number, chapter) in chapters.iter().enumerate() {
            self.job.check()?;
            let text = targets.replace(&header.code_page.decode(chapter));
            let entries = listed[number].iter().filter_map(|(offset, entry)| {
                let name = targets.places[number].get(offset)?;
                Some((name.as_str(), *entry))
            });
            let text = contents::mark(self.job, text, entries.collect())?;
            self.add_chapter(&addresses::chapter_name(number), text);
        }
        for (name, flow) in flows.iter().zip(&parts.flows).skip(1) {
            self.job.check()?;
            self.lease.grow(4 * flow.len() as u64)?;
            let text = targets.replace(&header.code_page.decode(flow));
            let (media_type, text) = match name.ends_with(".svg") {
                // Drawings are shown as pictures, which cannot refer to other files, so the pictures in them are
                // inserted.
                true => ("image/svg+xml", self.inline(&text)?),
                // Reading systems for KF8 apply the rules for the medium `amzn-kf8`, so here they apply to all media.
                false => ("text/css", text.replace("@media amzn-kf8", "@media all")),
            };
            self.add(name, media_type, text);
        }
        self.name_resources();
        Ok(())
    }

    /// Replaces references to pictures in a drawing by the pictures' data.
    fn inline(&self, drawing: &str) -> Result<String> {
        let mut inside = DrawingPictures(self);
        let (text, _) = html::inline(drawing, &mut inside, MAX);
        self.lease.grow(text.len() as u64)?;
        Ok(text)
    }

    /// Adds a chapter with the cover at the beginning, unless a chapter already shows the cover. Reading systems show
    /// the cover themselves, so many books have no page for it.
    fn add_cover(&mut self, header: &Header<'_>) {
        let number = header
            .number(COVER)
            .and_then(|number| number.checked_add(1));
        let cover = number.and_then(|number| self.resources.get(number as usize));
        let Some(cover) = cover.filter(|cover| cover.media_type.starts_with("image/")) else {
            return;
        };
        let name = cover.name.as_bytes();
        let mut texts = self.texts.values();
        if texts.any(|text| memchr::memmem::find(text.as_bytes(), name).is_some()) {
            return;
        }
        let page = format!(
            "<html><head></head><body><p style=\"text-indent: 0\"><img src=\"{}\" alt=\"Cover\"/></p>\
             <div style=\"page-break-after: always\"></div></body></html>",
            cover.name
        );
        self.add_chapter(COVER_NAME, page);
        self.book.chapters.rotate_right(1);
    }

    fn name_resources(&mut self) {
        for resource in self.resources.iter() {
            let name = resource.name.clone();
            self.book
                .media_types
                .insert(name, resource.media_type.to_owned());
        }
    }

    fn add_chapter(&mut self, name: &str, text: String) {
        // The text may declare another encoding. The byte order mark overrides this declaration.
        self.add(name, CHAPTER, format!("\u{feff}{text}"));
        self.book.chapters.push(name.to_owned());
    }

    fn add(&mut self, name: &str, media_type: &str, text: String) {
        self.book
            .media_types
            .insert(name.to_owned(), media_type.to_owned());
        self.texts.insert(name.to_owned(), text);
    }
}

/// Finds the pictures that a drawing refers to, so that their data can be inserted.
struct DrawingPictures<'c>(&'c Contents<'c, 'c>);

impl Names for DrawingPictures<'_> {
    fn find(&mut self, address: &str) -> Option<Named> {
        let Contents {
            job,
            database,
            resources,
            ..
        } = self.0;
        let bytes = resources.read(job, database, address).ok()??;
        let media_type = resources.named(address)?.media_type.to_owned();
        Some(Named::new(media_type, bytes.into()))
    }
}

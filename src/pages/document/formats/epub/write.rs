//! Writes a tree as an EPUB 3 book: a file for each top-level heading (several for a large chapter), a navigation
//! document, and the pictures. The same tree, written with the same options, always gives the same bytes.

mod opf;

pub(crate) use opf::{CONTAINER, language};

use crate::{
    containers::zip,
    error::Result,
    job::{Job, Notes, Output},
};
use convertd_markup::html;
use convertd_tree::{
    Block, Document, Inline, ResourceId, contents, each_block, each_inline, losses::Loss, media,
    options,
};
use std::{
    borrow::Cow,
    cell::RefCell,
    collections::{BTreeSet, HashMap},
};

/// Size of the text of a chapter, in bytes, beyond which the chapter is split at its next heading, because reading
/// systems on small devices load a whole file at a time.
const LARGEST: usize = 300 << 10;

static REMOTE: Loss = Loss {
    one: "A picture that is not in the document was replaced by its alternative text.",
    many: "{} pictures that are not in the document were replaced by their alternative texts.",
};

static FOREIGN: Loss = Loss {
    one: "A picture in a format that books cannot hold was replaced by its alternative text.",
    many: "{} pictures in formats that books cannot hold were replaced by their alternative texts.",
};

static LINKS: Loss = Loss {
    one: "A link was replaced by its text: its target is not a web address.",
    many: "{} links were replaced by their texts: their targets are not web addresses.",
};

/// A content document of the book.
struct Chapter<'a> {
    name: String,
    blocks: Vec<&'a Block>,
}

/// Writes a book. The media type comes first, and is not compressed (OCF 3.3, 4.3). The package document, which lists
/// the other files, comes last.
pub(super) fn write(
    job: &Job<'_>,
    document: &Document,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let chapters = split(document);
    let places = places(&chapters, document);
    // The lease is for the list of blocks, the names, and the largest chapter as HTML and compressed.
    let _lease = job.lease(document.memory() + (8 << 20))?;
    let mut archive = zip::Writer::new(job, output);
    archive.add("mimetype", b"application/epub+zip", zip::Packing::Stored)?;
    archive.add(
        "META-INF/container.xml",
        CONTAINER.as_bytes(),
        zip::Packing::Deflated,
    )?;
    archive.add(
        "EPUB/style.css",
        opf::STYLE.as_bytes(),
        zip::Packing::Deflated,
    )?;
    let mut book = opf::Book::new(&document.metadata);
    if document.metadata.title_block {
        let page = opf::title_page(&document.metadata);
        archive.add("EPUB/title.xhtml", page.as_bytes(), zip::Packing::Deflated)?;
        book.chapter("title.xhtml", &page, "");
    }
    let mut used = BTreeSet::new();
    let mut losses = convertd_tree::losses::Losses::default();
    for chapter in &chapters {
        let around = ChapterContext {
            chapter: &chapter.name,
            places: &places,
            used: RefCell::default(),
            lost: RefCell::default(),
        };
        let mut page = html::Writer::new(job, document, &around, None);
        page.colours_code = options::highlights(job);
        opf::begin(&document.metadata, &mut page.out);
        page.blocks(chapter.blocks.iter().copied())?;
        page.notes()?;
        opf::end(&mut page.out);
        let text = std::mem::take(&mut page.out);
        std::mem::take(&mut page.losses).merge_into(&mut losses);
        drop(page);
        used.extend(around.used.into_inner());
        around.lost.into_inner().merge_into(&mut losses);
        let properties = match (text.contains("<math"), text.contains("<svg")) {
            (true, true) => "mathml svg",
            (true, false) => "mathml",
            (false, true) => "svg",
            (false, false) => "",
        };
        book.chapter(&chapter.name, &text, properties);
        archive.add(
            &format!("EPUB/{}", chapter.name),
            text.as_bytes(),
            zip::Packing::Deflated,
        )?;
    }
    for number in used {
        let Some((name, bytes, media_type)) = picture(document, number) else {
            continue;
        };
        let packing = if media_type == "image/svg+xml" {
            zip::Packing::Deflated
        } else {
            zip::Packing::Stored
        };
        archive.add(&format!("EPUB/{name}"), bytes, packing)?;
        book.picture(&name, media_type);
    }
    let mut entries = contents::of(document);
    if entries.is_empty()
        && let Some(first) = chapters.first()
    {
        let text = document
            .metadata
            .title
            .clone()
            .unwrap_or_else(|| "Untitled".into());
        entries.push(contents::Entry {
            id: "".into(),
            text,
            below: Vec::new(),
        });
        book.fallback = first.name.clone();
    }
    let shown = job.options().flag(options::TOC.name);
    let nav = book.navigation(&entries, &places);
    archive.add("EPUB/nav.xhtml", nav.as_bytes(), zip::Packing::Deflated)?;
    let opf = book.package(shown);
    archive.add("EPUB/package.opf", opf.as_bytes(), zip::Packing::Deflated)?;
    archive.finish()?;
    losses.add_notes(notes);
    Ok(())
}

/// Splits the document at its top-level headings, and at other headings where a chapter becomes too large.
fn split(document: &Document) -> Vec<Chapter<'_>> {
    let level = |block: &Block| match block {
        Block::Heading(heading) => Some(heading.level),
        _ => None,
    };
    let highest = document.blocks().filter_map(level).min();
    let mut parts: Vec<Vec<&Block>> = Vec::new();
    let mut size = 0;
    for block in document.blocks() {
        let heading = level(block);
        let begins = heading.is_some() && (heading == highest || size > LARGEST);
        if parts.is_empty() || begins && parts.last().is_some_and(|part| !part.is_empty()) {
            parts.push(Vec::new());
            size = 0;
        }
        size += size_of(block);
        if let Some(part) = parts.last_mut() {
            part.push(block);
        }
    }
    if parts.is_empty() {
        parts.push(Vec::new());
    }
    let numbered = (1..).zip(parts);
    numbered
        .map(|(number, blocks)| Chapter {
            name: format!("ch{number:03}.xhtml"),
            blocks,
        })
        .collect()
}

/// An estimate of the text in a block, in bytes.
fn size_of(block: &Block) -> usize {
    let mut size = 0;
    each_inline(std::slice::from_ref(block), &mut |inline| {
        if let Inline::Text(text) | Inline::Code(text) = inline {
            size += text.len();
        }
    });
    size
}

/// The chapter file of every possible link target.
type Places<'a> = HashMap<&'a str, &'a str>;

/// Maps each link target to the file of its chapter, because a link to another chapter names that file.
fn places<'a>(chapters: &'a [Chapter<'a>], document: &'a Document) -> Places<'a> {
    let mut places = Places::new();
    for chapter in chapters {
        let name = chapter.name.as_str();
        for block in &chapter.blocks {
            let blocks = std::slice::from_ref(*block);
            each_block(blocks, &mut |block| {
                let id = match block {
                    Block::Heading(heading) => Some(&heading.id),
                    Block::Group(group) => group.id.as_ref(),
                    _ => None,
                };
                places.extend(id.map(|id| (&**id, name)));
            });
            each_inline(blocks, &mut |inline| match inline {
                Inline::Bookmark(id) => {
                    places.insert(id, name);
                }
                // The text of a note is written at the end of the chapter that refers to it.
                Inline::Note(note) => {
                    each_inline(&document.note(*note).blocks, &mut |inline| {
                        if let Inline::Bookmark(id) = inline {
                            places.insert(id, name);
                        }
                    });
                }
                _ => {}
            });
        }
    }
    places
}

/// The file name, bytes and media type of a picture in the book. `None` if neither the picture nor its PNG version has
/// one of the media types in [`PICTURES`](super::PICTURES).
fn picture(document: &Document, number: usize) -> Option<(String, &[u8], &str)> {
    let (bytes, media_type) = document.resources()[number].as_one_of(&super::PICTURES)?;
    let name = format!("pictures/{}.{}", number + 1, media::extension(media_type));
    Some((name, bytes, media_type))
}

/// The context in which the HTML writer writes a chapter.
struct ChapterContext<'a> {
    chapter: &'a str,
    places: &'a Places<'a>,
    /// Indices of the resources that the chapter has used so far.
    used: RefCell<BTreeSet<usize>>,
    lost: RefCell<convertd_tree::losses::Losses>,
}

impl html::Surroundings for ChapterContext<'_> {
    fn picture(&self, document: &Document, id: ResourceId, out: &mut String) {
        self.used.borrow_mut().insert(id.index());
        if let Some((name, ..)) = picture(document, id.index()) {
            out.push_str(&name);
        }
    }

    fn shows(&self, document: &Document, id: ResourceId) -> bool {
        let core = picture(document, id.index()).is_some();
        if !core {
            self.lost.borrow_mut().add(&FOREIGN);
        }
        core
    }

    fn draws(&self) -> bool {
        true
    }

    fn shows_remote(&self) -> bool {
        self.lost.borrow_mut().add(&REMOTE);
        false
    }

    fn link<'t>(&self, target: &'t str) -> Option<Cow<'t, str>> {
        if let Some(id) = target.strip_prefix('#') {
            let chapter = *self.places.get(id)?;
            return Some(if chapter == self.chapter {
                target.into()
            } else {
                format!("{chapter}{target}").into()
            });
        }
        let (scheme, rest) = target.split_once(':').unwrap_or_default();
        let scheme = scheme.to_ascii_lowercase();
        let fits = match scheme.as_str() {
            "http" | "https" | "ftp" => rest.len() > 2 && rest.starts_with("//"),
            "mailto" | "tel" => !rest.is_empty(),
            _ => false,
        };
        if !fits {
            self.lost.borrow_mut().add(&LINKS);
        }
        fits.then_some(target.into())
    }
}

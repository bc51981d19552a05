//! Turns a book into one HTML page with embedded style sheets and pictures, for the layout engine of HTML. Each chapter
//! begins on a new page, as in reading systems. Interprets no styles.
//!
//! The style sheets of all chapters apply to the whole book. Nearly every book has only one, and uses its class names
//! consistently.

use super::{Book, CHAPTERS, Files, MISSING, paths, place, text};
use crate::{
    error::{Error, Kind, Result},
    job::{Job, Notes},
};
use convertd_boxes::Source;
use convertd_markup::html::{self, Named, Names, Parts, Syntax};
use convertd_tree::{Metadata, losses::Losses};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

/// Limit on the page with everything embedded, in bytes.
const MAX: usize = 256 << 20;

/// Default styles of a book. They reduce pictures to the width of the page, because covers are often 1,600 px wide.
const BOOK: &str = "<style>html { font-family: serif; font-size: 11.5pt; line-height: 1.35; orphans: 2; widows: 2 } \
    img, svg, video, table { max-width: 100% !important } img, svg { max-height: 96vh; object-fit: contain } \
    pre { white-space: pre-wrap; overflow-wrap: break-word } h1, h2, h3, h4, h5, h6 { break-after: avoid } \
    tr, figure, img { break-inside: avoid }</style>";

/// Page style of a book. It comes after the book's styles, because the page margins in books are meant for screens.
const PAPER: &str = "<style>@page { margin: 20mm; \
    @bottom-center { content: counter(page); font: 9pt serif; color: #444 } }</style>";

/// Converts a book to one page.
///
/// Errors: [`Kind::BadInput`] if a chapter is damaged, or if the book is too large to be one page.
pub(in super::super) fn page(
    job: &Job<'_>,
    book: &Book,
    files: &mut dyn Files,
    notes: &mut Notes,
) -> Result<Source> {
    let places: HashMap<&str, usize> = book.chapters.iter().map(String::as_str).zip(1..).collect();
    let mut page = String::from("<html xmlns=\"http://www.w3.org/1999/xhtml\"");
    write_head(&book.metadata, &mut page);
    let (mut losses, mut styles) = (Losses::default(), HashSet::new());
    let mut names = Chapter {
        files,
        media_types: &book.media_types,
        places: &places,
        known: HashMap::new(),
        held: 0,
        missing: 0,
        entry: "",
        number: 0,
    };
    let lease = job.empty_lease();
    for (number, entry) in (1..).zip(&book.chapters) {
        job.check()?;
        if !book.is_readable(entry) {
            losses.add(&CHAPTERS);
            continue;
        }
        if names.files.size(entry).is_none() {
            losses.add(&MISSING);
            continue;
        }
        let (chapter, _) = text(job, names.files, entry)?;
        let chapter = html::expanded(&chapter).unwrap_or(chapter);
        lease.set_exactly(2 * page.len() as u64 + 4 * chapter.len() as u64 + names.held)?;
        (names.entry, names.number) = (entry, number);
        let (chapter, not_embedded) =
            html::inline(&chapter, &mut names, MAX.saturating_sub(page.len()));
        if not_embedded.too_much > 0 || page.len() + chapter.len() > MAX {
            return Err(Error::new(
                Kind::BadInput,
                "the book is too large for a layout with its styles; convert it with styles=ignore",
            ));
        }
        lease.set_exactly(2 * (page.len() + chapter.len()) as u64 + names.held)?;
        let parts = Parts::of(&chapter);
        for style in parts.styles {
            if styles.insert(style.to_owned()) {
                page.push_str(style);
            }
        }
        let breaks = if number > 1 {
            " style=\"break-before: page\""
        } else {
            ""
        };
        page.push_str(&format!(
            "<div id=\"{}\"{breaks}><div{}>",
            place(number, None),
            parts.attributes
        ));
        page.push_str(parts.body);
        page.push_str("</div></div>");
    }
    losses.add_many(&MISSING, names.missing);
    losses.add_notes(notes);
    page.push_str(PAPER);
    page.push_str("</body></html>");
    let syntax = Syntax::Xhtml;
    Ok(Source::new(page, syntax))
}

/// The head of the page, and the beginning of its body.
fn write_head(metadata: &Metadata, text: &mut String) {
    let mut quoted = |before: &str, value: &str, after: &str| {
        text.push_str(before);
        html::attribute(value, text);
        text.push_str(after);
    };
    if let Some(language) = &metadata.language {
        quoted(" lang=\"", language, "\"");
    }
    quoted(
        "><head><title>",
        metadata.title.as_deref().unwrap_or_default(),
        "</title>",
    );
    for author in &metadata.authors {
        quoted("<meta name=\"author\" content=\"", author, "\"/>");
    }
    quoted(
        "<meta name=\"keywords\" content=\"",
        &metadata.keywords.join(", "),
        "\"/>",
    );
    let more = [
        ("dcterms.date", &metadata.date),
        ("description", &metadata.description),
    ];
    for (name, value) in more {
        if let Some(value) = value {
            quoted(&format!("<meta name=\"{name}\" content=\""), value, "\"/>");
        }
    }
    text.push_str(BOOK);
    text.push_str("</head><body>");
}

/// A chapter in the page: resolves its references to the files of the book and to other chapters.
struct Chapter<'b> {
    files: &'b mut dyn Files,
    media_types: &'b HashMap<String, String>,
    places: &'b HashMap<&'b str, usize>,
    known: HashMap<String, Arc<[u8]>>,
    /// Memory for all embedded files, in bytes: three times their size.
    held: u64,
    missing: usize,
    entry: &'b str,
    number: usize,
}

impl Names for Chapter<'_> {
    fn find(&mut self, address: &str) -> Option<Named> {
        let (path, _) = paths::resolve(self.entry, address)?;
        let bytes = match self.known.get(&path) {
            Some(known) => known.clone(),
            None => {
                let is_there = self.files.size(&path).is_some();
                let read = is_there.then(|| self.files.read(&path));
                let Some(Ok(bytes)) = read else {
                    self.missing += 1;
                    return None;
                };
                self.held += 3 * bytes.len() as u64;
                let bytes: Arc<[u8]> = bytes.into();
                self.known.insert(path.clone(), bytes.clone());
                bytes
            }
        };
        let media_type = self.media_types.get(&path).cloned().unwrap_or_default();
        Some(Named::new(media_type, bytes))
    }

    fn link_target(&mut self, address: &str) -> Option<String> {
        let (path, name) = paths::resolve(self.entry, address)?;
        let number = self.places.get(path.as_str())?;
        Some(format!("#{}", place(*number, name.as_deref())))
    }

    fn second_name(&mut self, id: &str) -> Option<String> {
        Some(place(self.number, Some(id)))
    }
}

//! Reads the chapters of a book into one tree, in the order of the spine. Identifiers are unique only within a chapter, so
//! all link targets are renamed. Parses no package document.

use super::{
    package::{Package, part},
    paths,
};
use crate::{
    containers::zip::Archive,
    error::{Kind, Result},
    job::{Input, Job, Notes},
};
use convertd_markup::html::{self, Origin};
use convertd_tree::{Builder, Document, ResourceId, losses::Loss};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

pub(super) static MISSING: Loss = Loss {
    one: "A file that the book refers to is not in it.",
    many: "{} files that the book refers to are not in it.",
};

pub(super) static CHAPTERS: Loss = Loss {
    one: "A chapter that is not HTML was left out.",
    many: "{} chapters that are not HTML were left out.",
};

/// Reads a book: its chapters in the order of the spine become one document. Links between chapters become links within it.
pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    let mut archive = Archive::open(job, input)?;
    let mut package = Package::read(job, &mut archive)?;
    let mut build = Builder::new(job);
    build.metadata = std::mem::take(&mut package.metadata);
    let places: HashMap<String, usize> = package.chapters.iter().cloned().zip(1..).collect();
    // A first pass collects the targets of all links, so that other identifiers can be dropped.
    let mut targets = HashSet::new();
    for entry in package
        .chapters
        .iter()
        .filter(|entry| is_readable(&package, entry))
    {
        if archive.entry(entry).is_none() {
            continue;
        }
        let (text, _lease) = part(job, &mut archive, entry)?;
        for address in html::addresses(&text) {
            if let Some((path, name)) = paths::resolve(entry, address)
                && let Some(number) = places.get(&path)
            {
                targets.insert(place(*number, name.as_deref()));
            }
        }
    }
    let mut names = html::NoteNames::default();
    let mut pictures = HashMap::new();
    for (number, entry) in (1..).zip(&package.chapters) {
        if !is_readable(&package, entry) {
            build.lost(&CHAPTERS);
            continue;
        }
        let Some(size) = archive.entry(entry).map(|entry| entry.size) else {
            build.lost(&MISSING);
            continue;
        };
        let _lease = job.lease(size.saturating_mul(4))?;
        let bytes = archive.read(entry)?;
        let text = crate::containers::xml::decode(&bytes);
        let text = html::expanded(&text).unwrap_or_else(|| text.into_owned());
        drop(bytes);
        let title = build.metadata.title.clone();
        let start = place(number, None);
        if targets.contains(&start) {
            build.bookmark(&start)?;
        }
        let mut chapter = Chapter {
            archive: &mut archive,
            entry,
            number,
            job,
            places: &places,
            targets: &targets,
            pictures: &mut pictures,
        };
        html::read_with(
            &mut build,
            &text,
            html::Syntax::Xhtml,
            &mut chapter,
            &mut names,
        )?;
        // Each chapter has a title element of its own, which must not replace the book's title.
        build.metadata.title = title;
    }
    build.finish(notes)
}

/// Returns whether a chapter has a format that can be read.
pub(super) fn is_readable(package: &Package, entry: &str) -> bool {
    let media_type = package.media_types.get(entry).map_or("", String::as_str);
    media_type.is_empty()
        // XHTML, DTBook (the format of talking books), and OEBPS 1.2.
        || ["html", "dtbook", "oeb1-document"]
            .iter()
            .any(|kind| media_type.contains(kind))
}

/// The name in the tree for an identifier in a chapter, or for the beginning of the chapter.
pub(super) fn place(chapter: usize, name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => format!("ch{chapter}-{name}"),
        _ => format!("ch{chapter}"),
    }
}

/// A chapter, as the origin of relative URLs.
struct Chapter<'c, 'a> {
    archive: &'c mut Archive<'a>,
    entry: &'c str,
    number: usize,
    job: &'c Job<'c>,
    places: &'c HashMap<String, usize>,
    targets: &'c HashSet<String>,
    pictures: &'c mut HashMap<String, ResourceId>,
}

impl Origin for Chapter<'_, '_> {
    fn picture(&mut self, build: &mut Builder<'_>, address: &str) -> Result<Option<ResourceId>> {
        let Some((path, _)) = paths::resolve(self.entry, address) else {
            return Ok(None);
        };
        if let Some(id) = self.pictures.get(&path) {
            return Ok(Some(*id));
        }
        let Some(size) = self.archive.entry(&path).map(|entry| entry.size) else {
            build.lost(&MISSING);
            return Ok(None);
        };
        // The chapter and the picture are both in memory until the tree takes over the picture.
        let _lease = self.job.lease(size)?;
        let bytes = match self.archive.read(&path) {
            Ok(bytes) => bytes,
            // A damaged picture is skipped; it is no reason to reject the book.
            Err(err) if err.kind() == Kind::BadInput => {
                build.lost(&MISSING);
                return Ok(None);
            }
            Err(err) => return Err(err),
        };
        let id = build.resource(bytes, &path, None)?;
        self.pictures.insert(path, id);
        Ok(Some(id))
    }

    fn link<'t>(&self, address: &'t str) -> Cow<'t, str> {
        let resolved = paths::resolve(self.entry, address);
        let found = resolved.and_then(|(path, name)| {
            let number = self.places.get(&path)?;
            Some(format!("#{}", place(*number, name.as_deref())))
        });
        found.map_or(address.into(), Cow::Owned)
    }

    fn name<'t>(&self, id: &'t str) -> Cow<'t, str> {
        place(self.number, Some(id)).into()
    }

    fn is_target(&self, name: &str) -> bool {
        self.targets.contains(name)
    }
}

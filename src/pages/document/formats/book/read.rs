//! Reads the chapters of a book into one tree, in reading order. Identifiers are unique only within a chapter, so
//! all link targets are renamed. Opens no package.

use super::{Book, CHAPTERS, Files, MISSING, paths, place, text};
use crate::{
    error::{Kind, Result},
    job::{Job, Notes},
};
use convertd_markup::html::{self, Origin};
use convertd_tree::{Builder, Document, ResourceId};
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

/// Reads a book: its chapters become one document. Links between chapters become links within it.
///
/// Errors: [`Kind::BadInput`] if a chapter is damaged.
pub(in super::super) fn read(
    job: &Job<'_>,
    mut book: Book,
    files: &mut dyn Files,
    notes: &mut Notes,
) -> Result<Document> {
    let mut build = Builder::new(job);
    build.metadata = std::mem::take(&mut book.metadata);
    let places: HashMap<String, usize> = book.chapters.iter().cloned().zip(1..).collect();
    // A first pass collects the targets of all links, so that other identifiers can be dropped.
    let mut targets = HashSet::new();
    for entry in &book.chapters {
        if !book.is_readable(entry) || files.size(entry).is_none() {
            continue;
        }
        let (text, _lease) = text(job, files, entry)?;
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
    for (number, entry) in (1..).zip(&book.chapters) {
        if !book.is_readable(entry) {
            build.lost(&CHAPTERS);
            continue;
        }
        if files.size(entry).is_none() {
            build.lost(&MISSING);
            continue;
        }
        let (text, _lease) = text(job, files, entry)?;
        let text = html::expanded(&text).unwrap_or(text);
        let title = build.metadata.title.clone();
        let start = place(number, None);
        if targets.contains(&start) {
            build.bookmark(&start)?;
        }
        let mut chapter = Chapter {
            files: &mut *files,
            entry,
            number,
            job,
            places: &places,
            targets: &targets,
            pictures: &mut pictures,
        };
        html::read_with(
            job,
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

/// A chapter, as the origin of relative URLs.
struct Chapter<'c> {
    files: &'c mut dyn Files,
    entry: &'c str,
    number: usize,
    job: &'c Job<'c>,
    places: &'c HashMap<String, usize>,
    targets: &'c HashSet<String>,
    pictures: &'c mut HashMap<String, ResourceId>,
}

impl Origin for Chapter<'_> {
    fn picture(&mut self, build: &mut Builder<'_>, address: &str) -> Result<Option<ResourceId>> {
        let Some((path, _)) = paths::resolve(self.entry, address) else {
            return Ok(None);
        };
        if let Some(id) = self.pictures.get(&path) {
            return Ok(Some(*id));
        }
        let Some(size) = self.files.size(&path) else {
            build.lost(&MISSING);
            return Ok(None);
        };
        // The chapter and the picture are both in memory until the tree takes over the picture.
        let _lease = self.job.lease(size)?;
        let bytes = match self.files.read(&path) {
            Ok(bytes) => bytes,
            // A damaged picture is skipped; it is not a reason to reject the book.
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

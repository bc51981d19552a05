//! Metadata of a comic in ComicInfo.xml (Anansi Project, ComicInfo 2.1): its title, authors, language, summary and
//! reading direction, and the pages that are not shown. An unreadable file counts as absent.

use crate::{
    archive::entries::{Files, MAX_COMIC_INFO},
    containers::xml::{self, Namespaces, Node, Reader},
    job::Job,
};
use std::collections::HashSet;

/// Programs write the file without namespaces, or with those of various schemas, so no namespace is required.
const NAMESPACES: Namespaces = &[];

/// Limit on the memory of an XML tree, in bytes per byte of its text.
const TREE: u64 = 40;

/// Limit on the length of a text, in characters. A longer text is cut off.
const MAX_TEXT: usize = 1000;

#[derive(Debug, Default, PartialEq)]
pub(in crate::archive) struct Info {
    series: Option<String>,
    number: Option<String>,
    name: Option<String>,
    /// Names of the writers and pencillers of the comic.
    pub(in crate::archive) authors: Vec<String>,
    pub(super) language: Option<String>,
    pub(super) summary: Option<String>,
    /// Whether the comic is read from right to left.
    pub(in crate::archive) from_right: bool,
    /// Numbers of the pages that are not shown, counted from 0.
    left_out: HashSet<usize>,
}

impl Info {
    /// Reads the metadata of an archive. Returns empty metadata if the archive has no such file, if the file cannot be
    /// read, or if memory is short.
    pub(in crate::archive) fn read(job: &Job<'_>, files: &mut Files<'_>) -> Self {
        let Ok(_lease) = job.lease(MAX_COMIC_INFO) else {
            return Self::default();
        };
        let Some(bytes) = files.comic_info() else {
            return Self::default();
        };
        let Ok(_tree) = job.lease(TREE * bytes.len() as u64) else {
            return Self::default();
        };
        Self::parse(job, &xml::decode(&bytes)).unwrap_or_default()
    }

    /// Reads `ComicInfo.xml` (version 2.1 of its schema). `None` if the file is damaged.
    fn parse(job: &Job<'_>, text: &str) -> Option<Self> {
        let mut reader = Reader::new(job, text, NAMESPACES);
        let root = reader.root().ok()?;
        let root = Node::read(&mut reader, root).ok()?;
        let text = |name: &str| {
            let text = root.named(name)?.text.trim();
            let text: String = text.chars().take(MAX_TEXT).collect();
            (!text.is_empty()).then_some(text)
        };
        let mut authors: Vec<String> = Vec::new();
        for role in ["Writer", "Penciller"] {
            let names = text(role).unwrap_or_default();
            for name in names.split(',').map(str::trim) {
                if !name.is_empty() && authors.iter().all(|known| known != name) {
                    authors.push(name.to_owned());
                }
            }
        }
        let pages = root.named("Pages");
        let pages = pages.into_iter().flat_map(|pages| pages.all_named("Page"));
        let left_out = pages.filter(|page| page.attribute("Type").as_deref() == Some("Deleted"));
        let left_out = left_out.filter_map(|page| page.attribute("Image")?.parse().ok());
        Some(Self {
            series: text("Series"),
            number: text("Number"),
            name: text("Title"),
            authors,
            language: text("LanguageISO"),
            summary: text("Summary"),
            from_right: text("Manga").as_deref() == Some("YesAndRightToLeft"),
            left_out: left_out.collect(),
        })
    }

    /// Returns the series with its number, followed by the title of the comic if that differs from the series. `None`
    /// if the comic has neither series nor title.
    pub(in crate::archive) fn title(&self) -> Option<String> {
        let series = match (&self.series, &self.number) {
            (Some(series), Some(number)) => Some(format!("{series} {number}")),
            (series, _) => series.clone(),
        };
        match (series, &self.name) {
            (Some(series), Some(name)) if series != *name => Some(format!("{series}: {name}")),
            (series, name) => series.or_else(|| name.clone()),
        }
    }

    /// Returns whether the page with this number, counted from 0, is left out.
    pub(in crate::archive) fn leaves_out(&self, nth: usize) -> bool {
        self.left_out.contains(&nth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::testing::with_job;

    #[test]
    fn titles_are_put_together() {
        #[track_caller]
        fn check(xml: &str, expected: Option<&str>) {
            let info = with_job(|job| Info::parse(job, &format!("<ComicInfo>{xml}</ComicInfo>")));
            assert_eq!(info.unwrap().title().as_deref(), expected);
        }
        check("", None);
        check("<Title> A </Title>", Some("A"));
        check("<Series>S</Series>", Some("S"));
        check("<Series>S</Series><Number>3</Number>", Some("S 3"));
        check(
            "<Title>A &amp; B</Title><Series>S</Series><Number>3</Number>",
            Some("S 3: A & B"),
        );
        check("<Title>S</Title><Series>S</Series>", Some("S"));
    }

    #[test]
    fn damaged_files_have_no_metadata() {
        for text in ["", "words", "<ComicInfo><Title>", "<a></b>"] {
            let info = with_job(|job| Info::parse(job, text));
            assert_eq!(info.unwrap_or_default(), Info::default(), "{text}");
        }
    }

    #[test]
    fn hidden_pages_are_listed() {
        let text = "<ComicInfo><Writer>A, B</Writer><Penciller>B,C</Penciller>\
            <Manga>YesAndRightToLeft</Manga><Pages><Page Image='0' Type='FrontCover'/>\
            <Page Image='2' Type='Deleted'/><Page Type='Deleted'/></Pages></ComicInfo>";
        let info = with_job(|job| Info::parse(job, text)).unwrap();
        assert_eq!(info.authors, ["A", "B", "C"]);
        assert!(info.from_right);
        let found = (0..4).map(|nth| info.leaves_out(nth));
        assert!(found.eq([false, false, true, false]));
    }
}

//! Context of a document beside its story: its package, styles and counters. Reads no content itself.

use super::{layouts::Pages, lists::Counted, styles::Styles};
use crate::{coding::escape, containers::odf::Package, error::Result, job::Job};
use convertd_office::wordprocessing::Story;
use convertd_tree::losses::Loss;
use std::collections::HashMap;

pub(super) static DEEP: Loss = Loss {
    one: "A part that is nested more than 64 levels deep became plain text.",
    many: "{} parts that are nested more than 64 levels deep became plain text.",
};

/// A document that is being read.
pub(super) struct Context<'a> {
    pub(super) job: &'a Job<'a>,
    /// The package, or `None` for a flat file.
    package: Option<Package<'a>>,
    pub(super) styles: Styles,
    pub(super) pages: Pages,
    pub(super) counted: Counted,
    /// The number of tables around the current position.
    pub(super) tables: usize,
    /// Targets that name a heading with a number, by the name without it.
    pub(super) numbered: HashMap<String, Vec<String>>,
}

/// The list around a flow of blocks.
#[derive(Clone, Debug)]
pub(super) struct ListPlace {
    /// The name of its list style.
    pub(super) style: Box<str>,
    /// The level, from 0.
    pub(super) level: usize,
    /// Whether the current item has no text of its own, so that a list in it goes on with the numbers of the one before.
    pub(super) bare: bool,
}

impl<'a> Context<'a> {
    /// The state at the beginning of a document.
    pub(super) fn new(job: &'a Job<'a>, package: Option<Package<'a>>) -> Self {
        Self {
            job,
            package,
            styles: Styles::default(),
            pages: Pages::default(),
            counted: Counted::default(),
            tables: 0,
            numbered: HashMap::new(),
        }
    }

    /// The text of a part, or `None` if it does not exist. Its memory is held until the document has been read.
    pub(super) fn part(&mut self, story: &mut Story<'_>, name: &str) -> Result<Option<String>> {
        let Some(size) = self.package.as_ref().and_then(|package| package.size(name)) else {
            return Ok(None);
        };
        // Twice the size, to allow for the conversion from UTF-16 and for lists of what the part contains.
        story.hold(size.saturating_mul(2))?;
        self.package
            .as_mut()
            .map(|package| package.text(name))
            .transpose()
    }

    /// The bytes of a part that the tree will own, or `None` if it does not exist.
    pub(super) fn bytes(&mut self, story: &mut Story<'_>, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(package) = &mut self.package else {
            return Ok(None);
        };
        let Some(size) = package.size(name) else {
            return Ok(None);
        };
        story.make_room(size)?;
        let bytes = package.bytes(name)?;
        story.make_room(0)?;
        Ok(Some(bytes))
    }
}

/// Collects the names of all bookmarks that links and references in this part refer to, so that other bookmarks can be dropped.
/// A plain text search is enough: a false match only keeps a bookmark that nothing refers to.
///
/// Also lists the targets that name a heading with its number by their names without it.
pub(super) fn find_targets(
    story: &mut Story<'_>,
    numbered: &mut HashMap<String, Vec<String>>,
    text: &str,
) {
    for before in ["xlink:href=\"#", "text:ref-name=\""] {
        for at in memchr::memmem::find_iter(text.as_bytes(), before.as_bytes()) {
            let rest = &text[at + before.len()..];
            let rest = &rest[..rest.floor_char_boundary(400)];
            let name = rest.split('"').next().unwrap_or_default();
            if !name.is_empty() && story.targets.len() < 100_000 {
                let name = place(&escape::decoded(name.into()));
                let words = name.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
                let is_new = story.targets.insert(name.as_str().into());
                if is_new && words.len() < name.len() && words.ends_with("-outline") {
                    numbered.entry(words.to_owned()).or_default().push(name);
                }
            }
        }
    }
}

/// A bookmark name in the tree. Names in the file may contain spaces and characters with a meaning in URLs.
pub(super) fn place(name: &str) -> String {
    let name = name.replace("%20", " ");
    let clean = name.chars().map(|c| match c {
        c if c.is_whitespace() => '-',
        '|' | '"' | '#' | '%' => '-',
        c => c,
    });
    clean.collect()
}

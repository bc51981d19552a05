//! State of the reader that is not in the story: the package, styles and counters. Interprets no content.

use super::{layouts::Pages, lists::Counted, styles::Styles};
use crate::{coding::escape, containers::odf::Package, error::Result, job::Job};
use convertd_office::wordprocessing::{Story, place_name};
use convertd_tree::losses::Loss;
use std::collections::HashMap;

pub(super) static DEEP: Loss = Loss {
    one: "A part that is nested more than 64 levels deep became plain text.",
    many: "{} parts that are nested more than 64 levels deep became plain text.",
};

/// State that all parts of a document share.
pub(super) struct Context<'a> {
    pub(super) job: &'a Job<'a>,
    /// The package, or `None` for a flat file.
    package: Option<Package<'a>>,
    pub(super) styles: Styles,
    pub(super) pages: Pages,
    /// Counters of lists and headings.
    pub(super) counted: Counted,
    /// Number of tables around the current position.
    pub(super) tables: usize,
    /// Targets of links that name a heading by its number and its text, grouped by the text.
    pub(super) numbered: HashMap<String, Vec<String>>,
}

/// Position in lists.
#[derive(Clone, Debug)]
pub(super) struct ListPlace {
    /// Name of the list style.
    pub(super) style: Box<str>,
    /// Level, counted from 0.
    pub(super) level: usize,
    /// Whether the current item begins with a list and is not the first item of a new list. The list inside such an
    /// item continues the numbers of the previous list at its level.
    pub(super) bare: bool,
}

impl<'a> Context<'a> {
    /// Creates the state at the beginning of a document.
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

    /// Reads the text of a part, or `None` if it does not exist. Its memory is reserved until the end of the
    /// document.
    pub(super) fn part(&mut self, story: &mut Story<'_>, name: &str) -> Result<Option<String>> {
        let Some(size) = self.package.as_ref().and_then(|package| package.size(name)) else {
            return Ok(None);
        };
        // Twice the size: for the conversion from UTF-16, and for indexes of the part.
        story.hold(size.saturating_mul(2))?;
        self.package
            .as_mut()
            .map(|package| package.text(name))
            .transpose()
    }

    /// Reads the bytes of a part, or `None` if it does not exist. Their memory is reserved only while they are read.
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

/// Collects the names of the bookmarks that links and references in this part refer to (at most 100,000), so that other
/// bookmarks can be dropped. A plain text search is enough, since a false match only adds a bookmark that nothing
/// refers to.
///
/// Targets that name a heading by its number and its text are also added to `numbered`, by the text.
pub(super) fn find_targets(
    story: &mut Story<'_>,
    numbered: &mut HashMap<String, Vec<String>>,
    text: &str,
) {
    for before in ["xlink:href=\"#", "text:ref-name=\""] {
        for at in memchr::memmem::find_iter(text.as_bytes(), before.as_bytes()) {
            let rest = &text[at + before.len()..];
            // The end of a name is searched in the first 400 bytes only.
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

/// Converts a bookmark name to a name of the tree. Addresses contain `%20` for a space.
pub(super) fn place(name: &str) -> String {
    place_name(&name.replace("%20", " "))
}

//! The origin of HTML, which decides how its URLs and identifiers are resolved. Reads no elements.

use crate::{error::Result, html::percent_decoded};
use convertd_tree::{Builder, ResourceId};
use std::{borrow::Cow, collections::HashSet};

/// The origin of HTML, such as a file or a chapter of a book.
pub trait Origin {
    /// The picture with this URL, if it is in the document.
    fn picture(&mut self, build: &mut Builder<'_>, address: &str) -> Result<Option<ResourceId>>;

    /// The target of a link, with `#name` for a place in the document.
    fn link<'t>(&self, address: &'t str) -> Cow<'t, str>;

    /// The name in the document of an element's `id`.
    fn name<'t>(&self, id: &'t str) -> Cow<'t, str>;

    /// Returns whether a link points to this name.
    fn is_target(&self, name: &str) -> bool;
}

/// A page that is a document by itself.
pub struct Page {
    targets: HashSet<Box<str>>,
}

impl Page {
    /// Collects the names that the links in `text` point to.
    pub fn new(text: &str) -> Self {
        Self {
            targets: targets(text).map(Into::into).collect(),
        }
    }
}

/// The fragments of all links in HTML. Finds them by a text search, so there may be false matches.
fn targets(text: &str) -> impl Iterator<Item = String> {
    addresses(text).filter_map(|address| {
        let (_, name) = address.split_once('#')?;
        Some(percent_decoded(name))
    })
}

/// The URLs of all links in HTML. Finds them by a text search, so there may be false matches.
pub fn addresses(text: &str) -> impl Iterator<Item = &str> {
    memchr::memmem::find_iter(text.as_bytes(), "href").filter_map(|at| {
        let value = text[at + 4..].trim_start().strip_prefix('=')?.trim_start();
        let value = value.trim_start_matches(['"', '\'']);
        let end = value.find(['"', '\'', '>']).unwrap_or(value.len());
        Some(&value[..end])
    })
}

impl Origin for Page {
    fn picture(&mut self, _: &mut Builder<'_>, _: &str) -> Result<Option<ResourceId>> {
        Ok(None)
    }

    fn link<'t>(&self, address: &'t str) -> Cow<'t, str> {
        match address.strip_prefix('#') {
            Some(name) if name.contains('%') => format!("#{}", percent_decoded(name)).into(),
            _ => address.into(),
        }
    }

    fn name<'t>(&self, id: &'t str) -> Cow<'t, str> {
        id.into()
    }

    fn is_target(&self, name: &str) -> bool {
        self.targets.contains(name)
    }
}

//! Where HTML comes from, which decides what its addresses mean.

use crate::{
    document::{
        html::percent_decoded,
        tree::{Builder, ResourceId},
    },
    error::Result,
};
use std::{borrow::Cow, collections::HashSet};

/// Where HTML comes from, and so what its addresses mean.
pub(crate) trait Origin {
    /// A picture with this address, if it is in the document.
    fn picture(&mut self, build: &mut Builder<'_>, address: &str) -> Result<Option<ResourceId>>;

    /// The target of a link: `#name` for a place in the document.
    fn link<'t>(&self, address: &'t str) -> Cow<'t, str>;

    /// The name that the document has for an element with this `id`.
    fn name<'t>(&self, id: &'t str) -> Cow<'t, str>;

    /// Whether some link leads to this name.
    fn is_target(&self, name: &str) -> bool;
}

/// A page that stands for itself.
pub(crate) struct Page {
    targets: HashSet<Box<str>>,
}

impl Page {
    /// Finds out which places in `text` its links lead to.
    pub(crate) fn new(text: &str) -> Self {
        Self {
            targets: targets(text).map(Into::into).collect(),
        }
    }
}

/// The names behind the number sign of each link in some HTML, and perhaps some more.
fn targets(text: &str) -> impl Iterator<Item = String> {
    addresses(text).filter_map(|address| {
        let (_, name) = address.split_once('#')?;
        Some(percent_decoded(name))
    })
}

/// The addresses of all links in some HTML, and perhaps some more.
pub(crate) fn addresses(text: &str) -> impl Iterator<Item = &str> {
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

//! Converts raw HTML in a tree, as Markdown may contain it, to nodes of the tree, for formats that cannot hold HTML.

use super::{
    read::{Origin, Page, read},
    write::{Surroundings, Writer},
};
use crate::syntax::tokens::Syntax;
use crate::{
    error::Result,
    job::{Job, Notes},
};
use convertd_tree::{Builder, Document, ResourceId};
use std::borrow::Cow;

/// Converts the raw HTML in a document. An element may begin in one fragment and end in another, so fragments cannot be
/// parsed separately: the whole document is written as HTML and read back.
pub fn dissolve(job: &Job<'_>, document: Document, notes: &mut Notes) -> Result<Document> {
    // Pictures are written as numbers of the document's resources, and taken from there when the HTML is read.
    struct Keep;
    impl Surroundings for Keep {
        fn picture(&self, _: &Document, id: ResourceId, out: &mut String) {
            out.push_str(&format!("resource:{}", id.index()));
        }
    }
    struct Again<'a>(&'a Document, Page);
    impl Origin for Again<'_> {
        fn picture(
            &mut self,
            build: &mut Builder<'_>,
            address: &str,
        ) -> Result<Option<ResourceId>> {
            let number = address.strip_prefix("resource:").map(str::parse::<usize>);
            let Some(Ok(number)) = number else {
                return Ok(None);
            };
            let Some(resource) = self.0.resources().get(number) else {
                return Ok(None);
            };
            let (bytes, name) = (resource.bytes.clone(), &resource.name);
            Ok(Some(build.resource(
                bytes,
                name,
                Some(&resource.media_type),
            )?))
        }

        fn link<'t>(&self, address: &'t str) -> Cow<'t, str> {
            self.1.link(address)
        }

        fn name<'t>(&self, id: &'t str) -> Cow<'t, str> {
            self.1.name(id)
        }

        fn is_target(&self, name: &str) -> bool {
            self.1.is_target(name)
        }
    }
    // While the HTML is written its length is unknown, so the lease is estimated. Then it becomes that of the HTML.
    let lease = job.lease(2 * document.memory() + (1 << 20))?;
    let mut html = Writer::new(job, &document, &Keep, None);
    html.blocks(document.blocks())?;
    html.notes()?;
    let text = std::mem::take(&mut html.out);
    let mut build = Builder::new(job);
    lease.set_exactly(text.len() as u64)?;
    build.metadata = document.metadata.clone();
    build.text = document.text.clone();
    build.spaces_overlap = document.spaces_overlap;
    build.typesetter = document.typesetter;
    build.hyphenation = document.hyphenation;
    build.links = document.links;
    let mut origin = Again(&document, Page::new(&text));
    read(job, &mut build, &text, Syntax::Html, &mut origin)?;
    build.finish(notes)
}

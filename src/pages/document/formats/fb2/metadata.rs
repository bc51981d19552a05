//! Metadata of a book in its `description`. Reads no text of the book.

use crate::{
    containers::xml::{Element, Node, Reader},
    error::Result,
};
use convertd_tree::{Metadata, date};

/// The metadata, and the name of the picture on the cover.
#[derive(Debug, Default)]
pub(super) struct Description {
    pub(super) metadata: Metadata,
    pub(super) cover: Option<String>,
}

impl Description {
    /// Reads the element `description`, which is the innermost open one.
    ///
    /// Errors: those of [`Reader::next`].
    pub(super) fn read(xml: &mut Reader<'_>) -> Result<Self> {
        let level = xml.level();
        let mut description = Self::default();
        while let Some(element) = xml.next_element(level)? {
            if element.name == "title-info" {
                description.title_info(xml, element)?;
            }
        }
        Ok(description)
    }

    /// Reads `title-info`: title, authors, language, series, keywords, annotation, date and cover.
    fn title_info<'x>(&mut self, xml: &mut Reader<'x>, element: Element<'x>) -> Result<()> {
        let info = Node::read(xml, element)?;
        let text = |name: &str| info.named(name).map(plain).filter(|text| !text.is_empty());
        let metadata = &mut self.metadata;
        metadata.title = text("book-title");
        metadata.title_block = metadata.title.is_some();
        metadata.language = text("lang");
        metadata.description = text("annotation");
        metadata.subtitle = info.named("sequence").and_then(series);
        metadata.authors = info.all_named("author").filter_map(author).collect();
        let keywords = text("keywords").unwrap_or_default();
        let keywords = keywords.split(',').map(str::trim);
        metadata.keywords = keywords
            .filter(|word| !word.is_empty())
            .map(Into::into)
            .collect();
        let day = info.named("date");
        let value = day.and_then(|day| day.attribute("value"));
        metadata.date = value
            .map(|value| value.trim().to_owned())
            .filter(|value| date::is_day(value))
            .or_else(|| day.map(plain))
            .filter(|text| !text.is_empty());
        let cover = info.named("coverpage");
        let cover = cover.and_then(|cover| cover.named("image")?.attribute("href"));
        self.cover = cover.map(|cover| cover.trim_start_matches('#').to_owned());
        Ok(())
    }
}

/// The name of an author, from its parts or else the nickname.
fn author(author: &Node<'_>) -> Option<String> {
    let parts = ["first-name", "middle-name", "last-name"];
    let parts = parts.iter().filter_map(|part| author.named(part));
    let parts: Vec<String> = parts.map(plain).filter(|part| !part.is_empty()).collect();
    match parts.is_empty() {
        false => Some(parts.join(" ")),
        true => author
            .named("nickname")
            .map(plain)
            .filter(|name| !name.is_empty()),
    }
}

/// The series that a book belongs to, and its number in it.
fn series(sequence: &Node<'_>) -> Option<String> {
    let name = sequence.attribute("name")?;
    let name = name.trim();
    let number = sequence.attribute("number");
    let number = number
        .as_deref()
        .map(str::trim)
        .filter(|number| !number.is_empty());
    match (name.is_empty(), number) {
        (true, _) => None,
        (false, None) => Some(name.to_owned()),
        (false, Some(number)) => Some(format!("{name}, {number}")),
    }
}

/// Returns all text in a node and its descendants as one line.
fn plain(node: &Node<'_>) -> String {
    let mut text = String::new();
    collect(node, &mut text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn collect(node: &Node<'_>, text: &mut String) {
    text.push_str(&node.text);
    for child in &node.children {
        text.push(' ');
        collect(child, text);
    }
}

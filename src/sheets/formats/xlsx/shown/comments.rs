//! Comments on cells (ECMA-376 part 1, 18.7). Excel keeps threaded comments in a separate part, which is not read,
//! and a copy of their text here.

use super::{MAX_PART, strings};
use crate::{
    cells::reference,
    containers::xml::{Node, Reader},
    error::Result,
    ooxml::{NAMESPACES, Package, Reference},
    shown::book::{Comment, Grid, MAX_LIST},
};

/// Reads the comments of a sheet. `references` are the relationships of the sheet's part.
pub(super) fn read(
    package: &mut Package<'_>,
    references: &[Reference],
    grid: &mut Grid,
) -> Result<()> {
    let Some((part, _)) = package.part("comments", references) else {
        return Ok(());
    };
    let Some(text) = package.text(&part, MAX_PART)? else {
        return Ok(());
    };
    package.grow(3 * text.len() as u64)?;
    let mut xml = Reader::new(package.job, &text, NAMESPACES);
    xml.root()?;
    let level = xml.level();
    let mut authors: Vec<Box<str>> = Vec::new();
    while let Some(element) = xml.next_element(level)? {
        let list = element.name;
        let inner = xml.level();
        while let Some(element) = xml.next_element(inner)? {
            if authors.len() + grid.comments.len() >= MAX_LIST {
                break;
            }
            let node = Node::read(&mut xml, element)?;
            match list {
                "authors" => authors.push(node.text.chars().take(255).collect()),
                "commentList" => grid.comments.extend(comment(&node, &authors)),
                _ => {}
            }
        }
    }
    Ok(())
}

/// Reads a comment. `None` without a valid cell or text.
fn comment(node: &Node<'_>, authors: &[Box<str>]) -> Option<Comment> {
    let (column, row) = reference(&node.attribute("ref")?)?;
    let author = node.attribute("authorId");
    let author = author.and_then(|number| authors.get(number.trim().parse::<usize>().ok()?));
    let text = strings::string(node.child("s", "text")?, &Default::default()).text();
    Some(Comment {
        row,
        column,
        author: author.cloned().unwrap_or_default(),
        text: text.unwrap_or_default().chars().take(32_767).collect(),
    })
}

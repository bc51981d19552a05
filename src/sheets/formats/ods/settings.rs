//! View settings (OpenDocument 1.3, part 3, 3.10): frozen rows and columns, and the visibility of grid lines, as
//! LibreOffice stores them. Reads and writes no other settings.

use super::NAMESPACES;
use crate::{
    coding::escape::escaped,
    containers::xml::{Node, Reader},
    error::Result,
    job::Job,
    shown::book::{Book, Grid},
};
use std::fmt::Write as _;

/// Name of the part.
pub(super) const NAME: &str = "settings.xml";

/// Split mode of frozen rows or columns. 1 is a split that can be moved.
const FROZEN: &str = "2";

/// Maximum nesting of entries.
const MAX_DEPTH: usize = 16;

/// Writes the part.
pub(super) fn part(book: &Book) -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document-settings xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:config=\"urn:oasis:names:tc:opendocument:xmlns:config:1.0\" xmlns:ooo=\"http://openoffice.org/2004/office\" office:version=\"1.3\"><office:settings><config:config-item-set config:name=\"ooo:view-settings\"><config:config-item-map-indexed config:name=\"Views\"><config:config-item-map-entry><config:config-item config:name=\"ViewId\" config:type=\"string\">view1</config:config-item><config:config-item-map-named config:name=\"Tables\">",
    );
    for grid in &book.grids {
        let name = escaped(grid.sheet.name());
        let _ = write!(xml, "<config:config-item-map-entry config:name=\"{name}\">");
        let (rows, columns) = grid.frozen;
        let mut item = |name: &str, kind: &str, value: &str| {
            let _ = write!(
                xml,
                "<config:config-item config:name=\"{name}\" config:type=\"{kind}\">{value}</config:config-item>"
            );
        };
        for (axis, pane, count) in [
            ("Horizontal", "Right", columns),
            ("Vertical", "Bottom", rows),
        ] {
            if count > 0 {
                item(&format!("{axis}SplitMode"), "short", FROZEN);
                item(&format!("{axis}SplitPosition"), "int", &count.to_string());
                item(&format!("Position{pane}"), "int", &count.to_string());
            }
        }
        // Number of the active pane: 3 is at the lower right, 1 on the right, 2 at the bottom.
        if rows > 0 || columns > 0 {
            let pane = if columns > 0 && rows > 0 {
                "3"
            } else if columns > 0 {
                "1"
            } else {
                "2"
            };
            item("ActiveSplitRange", "short", pane);
        }
        item(
            "ShowGrid",
            "boolean",
            if grid.shows_lines { "true" } else { "false" },
        );
        xml += "</config:config-item-map-entry>";
    }
    xml + "</config:config-item-map-named></config:config-item-map-entry></config:config-item-map-indexed></config:config-item-set></office:settings></office:document-settings>"
}

/// Reads the part, and applies it to the sheets.
pub(super) fn read(job: &Job<'_>, text: &str, grids: &mut [Grid]) -> Result<()> {
    let mut xml = Reader::new(job, text, NAMESPACES);
    let root = xml.root()?;
    let node = Node::read(&mut xml, root)?;
    entries(&node, grids, 0);
    Ok(())
}

/// Finds the entries of sheets, up to [`MAX_DEPTH`] levels deep, and applies them.
fn entries(node: &Node<'_>, grids: &mut [Grid], depth: usize) {
    if depth > MAX_DEPTH {
        return;
    }
    let is_tables = node.attribute("name").as_deref() == Some("Tables");
    for child in &node.children {
        if !is_tables {
            entries(child, grids, depth + 1);
            continue;
        }
        let name = child.attribute("name").unwrap_or_default();
        let Some(grid) = grids.iter_mut().find(|grid| grid.sheet.name() == name) else {
            continue;
        };
        let item = |name: &str| {
            let mut items = child.children.iter();
            let item = items.find(|item| item.attribute("name").as_deref() == Some(name))?;
            Some(item.text.trim().to_owned())
        };
        let split = |axis: &str| {
            let frozen = item(&format!("{axis}SplitMode")).as_deref() == Some(FROZEN);
            let count = item(&format!("{axis}SplitPosition"))?.parse::<u32>().ok()?;
            frozen.then_some(count.min(1 << 20))
        };
        grid.frozen = (
            split("Vertical").unwrap_or(0),
            split("Horizontal").unwrap_or(0),
        );
        if item("ShowGrid").as_deref() == Some("false") {
            grid.shows_lines = false;
        }
    }
}

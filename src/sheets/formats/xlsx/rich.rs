//! Pictures in cells. Such a cell has an error as its value, and its `vm` (ECMA-376 part 1, 18.3.1.4) is the number of
//! an entry of the metadata part (18.9), which refers to a rich value: a local image ([MS-XLSX], 2.2.4.19). Decodes no
//! pictures.
//!
//! ```text
//! vm ──► valueMetadata ──► futureMetadata (XLRICHVALUE) ──► rv ──► rel ──► relationship ──► picture
//! ```

use crate::{
    containers::xml::{Node, Reader},
    error::Result,
    ooxml::{NAMESPACES, Package, Reference, unescape},
};

/// Maximum size of each part, in bytes. An entry takes about 100 bytes.
const MAX_PART: u64 = 8 << 20;
/// Maximum number of entries of each list.
const MAX_ENTRIES: usize = 50_000;
/// Maximum length of an alternative text, in characters.
const MAX_TEXT: usize = 1024;

/// A picture in a cell.
#[derive(Clone)]
pub(super) struct Picture {
    /// Name of its part.
    #[cfg(feature = "document")]
    pub(super) part: String,
    /// Alternative text. May be empty.
    pub(super) text: Box<str>,
}

/// Pictures that cells refer to.
#[derive(Default)]
pub(super) struct Pictures {
    /// Picture of each entry of the metadata part. `None` for entries of another kind.
    entries: Vec<Option<Picture>>,
}

impl Pictures {
    /// Reads the parts with rich values. `references` are the relationships of the workbook.
    pub(super) fn read(package: &mut Package<'_>, references: &[Reference]) -> Result<Self> {
        let mut entries = Vec::new();
        if !references.iter().any(|one| one.kind == "richValueRel") {
            return Ok(Self { entries });
        }
        let values = values(package, references)?;
        let (mut kinds, mut rich, mut cells) = (Vec::new(), Vec::new(), Vec::new());
        for_each_child(package, references, "sheetMetadata", |list| {
            match list.element.name {
                "metadataTypes" => kinds.extend(list.children.iter().map(is_rich)),
                "futureMetadata" if is_rich(list) => {
                    rich.extend(
                        list.all_named("bk")
                            .map(|block| number(descendant(block, "rvb")?, "i")),
                    );
                }
                "valueMetadata" => {
                    // An entry may have records of several kinds (18.9.1).
                    cells.extend(list.all_named("bk").map(|block| {
                        let records = block.all_named("rc");
                        let records =
                            records.map(|record| (number(record, "t"), number(record, "v")));
                        records.collect::<Vec<_>>()
                    }));
                }
                _ => {}
            }
        })?;
        for records in cells {
            let mut of_kind = records.into_iter().filter_map(|(kind, value)| {
                // Kinds count from 1, values from 0.
                let is_rich = kinds.get(kind?.checked_sub(1)?).copied().unwrap_or(false);
                let rich = (*rich.get(value?)?).filter(|_| is_rich)?;
                values.get(rich)?.as_ref()
            });
            entries.push(of_kind.next().cloned());
        }
        Ok(Self { entries })
    }

    /// Picture that the `vm` of a cell refers to. `None` if the entry is not a picture. Entries are numbered from 1.
    pub(super) fn get(&self, metadata: &str) -> Option<&Picture> {
        let at = metadata.trim().parse::<usize>().ok()?.checked_sub(1)?;
        self.entries.get(at)?.as_ref()
    }
}

/// Reads the rich values. `None` for values that are not local images.
fn values(package: &mut Package<'_>, references: &[Reference]) -> Result<Vec<Option<Picture>>> {
    let mut keys = Vec::new();
    for_each_child(package, references, "rdRichValueStructure", |node| {
        let is_image = node.attribute("t").as_deref() == Some("_localImage");
        let names = node
            .all_named("k")
            .map(|key| key.attribute("n").unwrap_or_default());
        let names: Vec<String> = names.map(|name| name.into_owned()).collect();
        keys.push(is_image.then_some(names));
    })?;
    let Some(part_name) = references.iter().find(|one| one.kind == "richValueRel") else {
        return Ok(Vec::new());
    };
    let targets = package.references(&part_name.target)?;
    let mut images = Vec::new();
    for_each_child(package, references, "richValueRel", |node| {
        let id = node.attribute("id").unwrap_or_default();
        images.push(targets.iter().find(|one| one.id == id));
    })?;
    let mut values = Vec::new();
    for_each_child(package, references, "rdRichValue", |node| {
        let keys = number(node, "s").and_then(|at| keys.get(at)?.as_ref());
        values.push(keys.and_then(|keys| {
            let value = |name: &str| {
                let at = keys.iter().position(|key| key == name)?;
                Some(node.all_named("v").nth(at)?.text.trim())
            };
            let image = value("_rvRel:LocalImageIdentifier")?
                .parse::<usize>()
                .ok()?;
            let image = (*images.get(image)?)?;
            let text = unescape(value("Text").unwrap_or_default());
            Some(Picture {
                #[cfg(feature = "document")]
                part: image.target.clone(),
                text: text.chars().take(MAX_TEXT).collect(),
            })
        }));
    })?;
    Ok(values)
}

/// Calls `each` with the first [`MAX_ENTRIES`] children of the root element of a part that the workbook refers to. Does
/// nothing for a part that is missing or larger than [`MAX_PART`].
fn for_each_child(
    package: &mut Package<'_>,
    references: &[Reference],
    kind: &str,
    mut each: impl FnMut(&Node<'_>),
) -> Result<()> {
    let Some((name, _)) = package.part(kind, references) else {
        return Ok(());
    };
    let Some(text) = package.text(&name, MAX_PART)? else {
        return Ok(());
    };
    // Nodes take about three times the size of the text, and the values that are kept at most the size of the text.
    package.grow(4 * text.len() as u64)?;
    let mut xml = Reader::new(package.job, &text, NAMESPACES);
    xml.root()?;
    let level = xml.level();
    let mut count = 0;
    while let Some(element) = xml.next_element(level)? {
        count += 1;
        if count > MAX_ENTRIES {
            break;
        }
        each(&Node::read(&mut xml, element)?);
    }
    Ok(())
}

/// Returns whether an element is for rich values, by its name.
fn is_rich(node: &Node<'_>) -> bool {
    node.attribute("name").as_deref() == Some("XLRICHVALUE")
}

/// First descendant with a name.
fn descendant<'n, 'x>(node: &'n Node<'x>, name: &str) -> Option<&'n Node<'x>> {
    let direct = node.named(name);
    direct.or_else(|| {
        node.children
            .iter()
            .find_map(|child| descendant(child, name))
    })
}

/// Index in an attribute.
fn number(node: &Node<'_>, name: &str) -> Option<usize> {
    node.attribute(name)?.trim().parse().ok()
}

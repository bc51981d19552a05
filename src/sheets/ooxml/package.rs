//! Parts of a workbook's package and the relationships between them (ECMA-376 part 2, Open Packaging Conventions).
//! Never opens a target outside of the package.

use super::NAMESPACES;
use crate::{
    containers::{
        xml::{Stream, Token},
        zip::{self, Archive},
    },
    error::{Kind, Result},
    job::{Input, Job, Lease},
};
use std::collections::HashMap;
#[cfg(feature = "document")]
use std::io::Read as _;

/// Maximum number of relationships of a part.
const MAX_REFERENCES: usize = 1 << 16;

/// Package of a workbook.
pub(crate) struct Package<'a> {
    pub(crate) job: &'a Job<'a>,
    /// ZIP archive with the parts.
    archive: Archive<'a>,
    /// Names of the archive's entries by their names in lower case, because part names are compared without regard to
    /// case (part 2, 6.3.5).
    names: HashMap<Box<str>, Box<str>>,
    /// Memory of the directory, and of parts that are read while the package is open.
    lease: Lease<'a>,
}

/// A relationship of a part.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// Identifier that the part uses for the relationship.
    pub(crate) id: String,
    /// Last segment of its type, such as `worksheet`.
    pub(crate) kind: String,
    /// Name of a part, or a URL.
    pub(crate) target: String,
}

/// Returns whether a file is a ZIP archive with a workbook part. `is_part` recognises that part by its name in lower
/// case.
pub(crate) fn is_workbook(
    head: &[u8],
    input: &mut dyn Input,
    is_part: &dyn Fn(&str) -> bool,
) -> bool {
    let is_package = |name: &str| name.eq_ignore_ascii_case("[content_types].xml");
    zip::holds(
        head,
        input,
        &[&is_package, &|name| is_part(&name.to_ascii_lowercase())],
    )
}

impl<'a> Package<'a> {
    /// Opens the package, and leases the memory of its directory.
    ///
    /// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if the file is not a package.
    pub(crate) fn open(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Self> {
        let lease = job.lease(zip::directory_memory(job, input)?)?;
        let archive = Archive::open(job, input)?;
        let names = archive.entries().iter();
        let names = names.map(|entry| {
            let lower = entry.name.to_ascii_lowercase().into_boxed_str();
            (lower, entry.name.clone())
        });
        Ok(Self {
            job,
            names: names.collect(),
            archive,
            lease,
        })
    }

    /// Leases `more` bytes for as long as the package is open.
    pub(crate) fn grow(&self, more: u64) -> Result<()> {
        self.lease.grow_exactly(more)
    }

    /// Size of a part in bytes, or `None` if it does not exist.
    pub(crate) fn size(&self, name: &str) -> Option<u64> {
        let name = self.names.get(&*name.to_ascii_lowercase())?;
        Some(self.archive.entry(name)?.size)
    }

    /// Target of the first relationship of a type, with its size in bytes. `None` if the relationship or its target is
    /// missing.
    pub(crate) fn part(&self, kind: &str, references: &[Reference]) -> Option<(String, u64)> {
        let one = references.iter().find(|one| one.kind == kind)?;
        Some((one.target.clone(), self.size(&one.target)?))
    }

    /// Decompresses a part.
    pub(crate) fn bytes(&mut self, name: &str) -> Result<zip::Stream<'_>> {
        let lower = name.to_ascii_lowercase();
        match self.names.get(&*lower) {
            Some(name) => self.archive.stream(name),
            None => self.archive.stream(name),
        }
    }

    /// Decompresses and parses an XML part.
    pub(crate) fn xml(&mut self, name: &str) -> Result<Stream<'a, zip::Stream<'_>>> {
        let job = self.job;
        Stream::new(job, self.bytes(name)?, NAMESPACES)
    }

    /// Name of the workbook part. `default`, the usual name, if no relationship leads to an existing part.
    pub(crate) fn workbook(&mut self, default: &str) -> Result<String> {
        let references = self.references("")?;
        let named = references.iter().find(|one| one.kind == "officeDocument");
        let named = named.filter(|one| self.size(&one.target).is_some());
        Ok(named.map_or(default.to_owned(), |one| one.target.clone()))
    }

    /// Relationships of a part to other parts. If `part` is empty, those of the package itself. Empty if there is no
    /// relationships part.
    pub(crate) fn references(&mut self, part: &str) -> Result<Vec<Reference>> {
        self.relationships(part, false)
    }

    /// Returns whether the part of a sheet refers to an existing drawing part. False if its relationships are damaged:
    /// only a note depends on this, and the cells can be read without them.
    pub(crate) fn has_drawings(&mut self, part: Option<&String>) -> Result<bool> {
        let Some(part) = part else {
            return Ok(false);
        };
        match self.references(part) {
            Err(error) if error.kind() == Kind::BadInput => Ok(false),
            references => Ok(self.part("drawing", &references?).is_some()),
        }
    }

    /// External relationships of a part. Their targets are URLs.
    #[cfg(feature = "document")]
    pub(crate) fn addresses(&mut self, part: &str) -> Result<Vec<Reference>> {
        self.relationships(part, true)
    }

    /// Text of a part. `None` if it is missing or larger than `most` bytes. Leases its memory.
    pub(crate) fn text(&mut self, name: &str, most: u64) -> Result<Option<String>> {
        let bytes = self.blob(name, most)?;
        Ok(bytes.map(crate::containers::xml::decode_owned))
    }

    /// Bytes of a part. `None` if it is missing or larger than `most` bytes. Leases its memory.
    pub(crate) fn blob(&mut self, name: &str, most: u64) -> Result<Option<Vec<u8>>> {
        let Some(size) = self.size(name).filter(|size| *size <= most) else {
            return Ok(None);
        };
        self.grow(2 * size)?;
        let mut bytes = Vec::new();
        let job = self.job;
        let mut stream = self.bytes(name)?.take(most);
        stream
            .read_to_end(&mut bytes)
            .map_err(|err| job.unreadable(err))?;
        Ok(Some(bytes))
    }

    /// Reads the relationships of a part (ECMA-376 part 2, 9.3): either those to other parts, or the external ones
    /// (`outer`).
    fn relationships(&mut self, part: &str, outer: bool) -> Result<Vec<Reference>> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let separator = if folder.is_empty() { "" } else { "/" };
        let name = format!("{folder}{separator}_rels/{file}.rels");
        let mut references = Vec::new();
        if self.size(&name).is_none() {
            return Ok(references);
        }
        let mut xml = self.xml(&name)?;
        while let Some(token) = xml.next()? {
            let Token::Start(element) = token else {
                continue;
            };
            let attribute = |name: &str| element.attribute(name).unwrap_or_default();
            let outside = attribute("TargetMode").eq_ignore_ascii_case("external");
            if element.name != "Relationship" || outside != outer {
                continue;
            }
            if references.len() == MAX_REFERENCES {
                break;
            }
            let kind = attribute("Type");
            references.push(Reference {
                id: attribute("Id").chars().take(255).collect(),
                kind: kind
                    .rsplit('/')
                    .next()
                    .unwrap_or_default()
                    .chars()
                    .take(64)
                    .collect(),
                target: match outer {
                    true => attribute("Target").chars().take(2048).collect(),
                    false => resolve(folder, &attribute("Target")),
                },
            });
        }
        Ok(references)
    }
}

/// Resolves a target relative to a folder.
fn resolve(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let mut steps: Vec<&str> = match target.starts_with('/') {
        true => Vec::new(),
        false => folder.split('/').filter(|step| !step.is_empty()).collect(),
    };
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()),
            _ => steps.push(step),
        }
    }
    let mut name = steps.join("/");
    name.truncate(name.floor_char_boundary(1024));
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_relative_to_the_part() {
        #[track_caller]
        fn check(folder: &str, target: &str, expected: &str) {
            assert_eq!(resolve(folder, target), expected);
        }
        check("xl", "worksheets/sheet1.xml", "xl/worksheets/sheet1.xml");
        check(
            "xl",
            "/xl/worksheets/sheet1.xml",
            "xl/worksheets/sheet1.xml",
        );
        check("xl/worksheets", "../styles.xml", "xl/styles.xml");
        check("", "xl\\workbook.xml", "xl/workbook.xml");
        check("", "../../etc/passwd", "etc/passwd");
    }
}

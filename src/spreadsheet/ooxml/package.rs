//! The parts of a workbook and how they refer to one another (ECMA-376 part 2: Open Packaging Conventions). Never opens what is
//! outside of the package.

use super::NAMESPACES;
use crate::{
    containers::{
        cfb,
        xml::{Stream, Token},
        zip::{self, Archive},
    },
    error::{Error, Kind, Result},
    job::{Input, Job, read_head},
    spreadsheet::sheet::MEMORY,
};
use std::{collections::HashMap, io::SeekFrom};

/// How much of the end of a file is looked at, in bytes. The names of all parts stand there.
const TAIL: u64 = 1 << 18;

/// The most references of a part that are read.
const MAX_REFERENCES: usize = 1 << 16;

/// The parts of a workbook.
pub(crate) struct Package<'a> {
    pub(crate) job: &'a Job<'a>,
    archive: Archive<'a>,
    /// Names of parts have no case (part 2, 6.3.5): in lower case, and as the archive has them.
    names: HashMap<Box<str>, Box<str>>,
    /// Memory of the conversion and of the directory, in bytes.
    memory: u64,
}

/// Something that a part refers to.
#[derive(Clone, Debug)]
pub(crate) struct Reference {
    /// The name that the part uses for it.
    pub(crate) id: String,
    /// The last word of its type, such as `worksheet`.
    pub(crate) kind: String,
    /// The name of a part.
    pub(crate) target: String,
}

/// Whether a ZIP archive is a workbook with a part of this name.
pub(crate) fn is_workbook(head: &[u8], input: &mut dyn Input, part: &[u8]) -> bool {
    let mut tail = || -> std::io::Result<Vec<u8>> {
        let len = input.seek(SeekFrom::End(0))?;
        input.seek(SeekFrom::Start(len.saturating_sub(TAIL)))?;
        let mut tail = Vec::new();
        std::io::Read::read_to_end(&mut std::io::Read::take(&mut *input, TAIL), &mut tail)?;
        input.rewind()?;
        Ok(tail)
    };
    head.starts_with(b"PK\x03\x04")
        && tail().is_ok_and(|tail| {
            let tail = tail.to_ascii_lowercase();
            let has = |name: &[u8]| memchr::memmem::find(&tail, name).is_some();
            has(b"[content_types].xml") && has(part)
        })
}

/// Whether a file is an encrypted package (MS-OFFCRYPTO 2.3): a compound file with a stream of that name. Only the directory of
/// the compound file would say for certain; its names are UTF-16.
pub(crate) fn is_encrypted(head: &[u8], input: &mut dyn Input) -> bool {
    head.starts_with(cfb::SIGNATURE) && cfb::mentions(input, "EncryptedPackage")
}

impl<'a> Package<'a> {
    /// Opens the package, and reserves the memory of its directory.
    ///
    /// Errors: [`Kind::BadInput`] if it is none, or encrypted.
    pub(crate) fn open(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Self> {
        let head = read_head(input, cfb::SIGNATURE.len()).map_err(|err| job.unreadable(err))?;
        if head == cfb::SIGNATURE {
            return Err(Error::new(
                Kind::BadInput,
                "the file is encrypted: remove the password and send it again",
            ));
        }
        let directory = zip::directory_len(job, input)?;
        let memory = MEMORY + 8 * directory;
        job.reserve(memory)?;
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
            memory,
        })
    }

    /// Reserves more memory, beside that of the conversion and of the directory.
    pub(crate) fn reserve(&mut self, more: u64) -> Result<()> {
        self.memory = self.memory.saturating_add(more);
        self.job.reserve(self.memory)
    }

    /// The memory that is reserved, in bytes.
    pub(crate) fn reserved(&self) -> u64 {
        self.memory
    }

    /// The length of a part in bytes, if there is such a part.
    pub(crate) fn size(&self, name: &str) -> Option<u64> {
        let name = self.names.get(&*name.to_ascii_lowercase())?;
        Some(self.archive.entry(name)?.size)
    }

    /// The first part of this kind that something refers to, and its length in bytes, if it is there.
    pub(crate) fn part(&self, kind: &str, references: &[Reference]) -> Option<(String, u64)> {
        let one = references.iter().find(|one| one.kind == kind)?;
        Some((one.target.clone(), self.size(&one.target)?))
    }

    /// Unpacks a part.
    pub(crate) fn bytes(&mut self, name: &str) -> Result<zip::Stream<'_>> {
        let lower = name.to_ascii_lowercase();
        match self.names.get(&*lower) {
            Some(name) => self.archive.stream(name),
            None => self.archive.stream(name),
        }
    }

    /// Unpacks a part that is XML.
    pub(crate) fn xml(&mut self, name: &str) -> Result<Stream<'a, zip::Stream<'_>>> {
        let job = self.job;
        Stream::new(job, self.bytes(name)?, NAMESPACES)
    }

    /// The part that is the workbook: what the package itself refers to, or else what is usual.
    pub(crate) fn workbook(&mut self, usual: &str) -> Result<String> {
        let references = self.references("")?;
        let named = references.iter().find(|one| one.kind == "officeDocument");
        let named = named.filter(|one| self.size(&one.target).is_some());
        Ok(named.map_or(usual.to_owned(), |one| one.target.clone()))
    }

    /// What a part refers to; the package itself, if the name is empty. Nothing, if nobody says.
    pub(crate) fn references(&mut self, part: &str) -> Result<Vec<Reference>> {
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
            if element.name != "Relationship" || outside {
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
                target: resolve(folder, &attribute("Target")),
            });
        }
        Ok(references)
    }
}

/// The name of a part that a part in `folder` refers to.
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

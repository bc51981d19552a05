//! Open Packaging Conventions (ECMA-376 part 2): the parts of a package, which is a ZIP archive, and the relationships
//! between them.
//!
//! A part does not name the other parts that it uses. It uses relationship identifiers (`rId7`), which a separate
//! relationships part (`word/_rels/document.xml.rels`) maps to targets. Never opens a target outside of the package.

use super::{
    xml::{Namespaces, Reader, decode_owned},
    zip::Archive,
};
use crate::{
    error::Result,
    job::{Input, Job},
};
use std::{collections::HashMap, rc::Rc};

const NAMESPACES: Namespaces = &[(
    "http://schemas.openxmlformats.org/package/2006/relationships",
    "rel",
)];

/// A package.
pub struct Package<'a> {
    job: &'a Job<'a>,
    archive: Archive<'a>,
    /// Names of the archive's entries as the archive spells them, by the same name in lower case. Part names are
    /// compared without regard to case (part 2, 6.3.5).
    names: HashMap<String, Box<str>>,
}

/// The relationships of a part, by identifier.
#[derive(Debug, Default)]
pub struct Relationships(HashMap<Box<str>, Relationship>);

/// A relationship.
#[derive(Clone, Debug)]
pub struct Relationship {
    /// The last segment of its type: `image`, `hyperlink`, `styles`.
    pub kind: Box<str>,
    /// The name of a part, or a URL if the relationship is external.
    pub target: Box<str>,
    /// Whether the target is outside of the package.
    pub external: bool,
}

impl Relationships {
    /// The relationship with this identifier.
    pub fn get(&self, id: &str) -> Option<&Relationship> {
        self.0.get(id)
    }

    /// The part that a relationship of this kind points to. If there are several, the first by identifier.
    pub fn part(&self, kind: &str) -> Option<&str> {
        let all = self.0.iter();
        let all = all.filter(|(_, one)| !one.external && &*one.kind == kind);
        all.min_by_key(|(id, _)| *id).map(|(_, one)| &*one.target)
    }
}

impl<'a> Package<'a> {
    /// Reads the list of parts. Fails if the file is not a ZIP archive, or is damaged.
    pub fn open(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Self> {
        let archive = Archive::open(job, input)?;
        let names = archive.entries().iter();
        let names = names.map(|entry| (entry.name.to_ascii_lowercase(), entry.name.clone()));
        Ok(Self {
            job,
            names: names.collect(),
            archive,
        })
    }

    /// The name of the main part; `default` if the package states none, or one that it does not contain.
    pub fn main_part(&mut self, default: &str) -> Result<Box<str>> {
        let relationships = self.relationships("")?;
        let named = relationships.part("officeDocument");
        let name = named.filter(|name| self.size(name).is_some());
        Ok(name.unwrap_or(default).into())
    }

    /// The size of a part in bytes, or `None` if it does not exist.
    pub fn size(&self, name: &str) -> Option<u64> {
        let name = self.names.get(&name.to_ascii_lowercase())?;
        Some(self.archive.entry(name)?.size)
    }

    /// The names of all entries of the archive, in their order. Folders end with `/`.
    pub fn names(&self) -> Vec<Box<str>> {
        let entries = self.archive.entries().iter();
        entries.map(|entry| entry.name.clone()).collect()
    }

    /// The bytes of a part. The caller leases the memory.
    pub fn bytes(&mut self, name: &str) -> Result<Vec<u8>> {
        let name = match self.names.get(&name.to_ascii_lowercase()) {
            Some(name) => name.clone(),
            None => name.into(),
        };
        self.archive.read(&name)
    }

    /// The text of a part. The caller leases the memory.
    pub fn text(&mut self, name: &str) -> Result<String> {
        Ok(decode_owned(self.bytes(name)?))
    }

    /// The relationships of a part, or of the package itself if `part` is empty. Empty if it has no relationships part.
    pub fn relationships(&mut self, part: &str) -> Result<Rc<Relationships>> {
        let (folder, file) = part
            .rsplit_once('/')
            .map_or(("", part), |(folder, file)| (folder, file));
        let separator = if folder.is_empty() { "" } else { "/" };
        let name = format!("{folder}{separator}_rels/{file}.rels");
        let mut all = HashMap::new();
        if self.size(&name).is_none() {
            return Ok(Rc::default());
        }
        let text = self.text(&name)?;
        let mut xml = Reader::new(self.job, &text, NAMESPACES);
        xml.root()?;
        while let Some(element) = xml.next_element(1)? {
            let value = |name| element.attribute(name).unwrap_or_default();
            let external = value("TargetMode").eq_ignore_ascii_case("external");
            let target = value("Target");
            let kind = value("Type");
            let kind = kind.rsplit('/').next().unwrap_or_default();
            let one = Relationship {
                kind: kind.into(),
                target: if external {
                    target.as_ref().into()
                } else {
                    resolve(folder, &target).into()
                },
                external,
            };
            all.insert(value("Id").as_ref().into(), one);
        }
        Ok(Rc::new(Relationships(all)))
    }
}

/// Resolves a target relative to a folder. A path that climbs above the root of the package ends at the root.
fn resolve(folder: &str, target: &str) -> String {
    let target = target.replace('\\', "/");
    let (target, _) = target.split_once('#').unwrap_or((&target, ""));
    let mut steps: Vec<&str> = match target.strip_prefix('/') {
        Some(_) => Vec::new(),
        None => folder.split('/').filter(|step| !step.is_empty()).collect(),
    };
    for step in target.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_cannot_leave_the_package() {
        #[track_caller]
        fn check(folder: &str, target: &str, expected: &str) {
            assert_eq!(resolve(folder, target), expected);
        }
        check("word", "media/image1.png", "word/media/image1.png");
        check("word", "/word/styles.xml", "word/styles.xml");
        check("word", "../customXml/item1.xml", "customXml/item1.xml");
        check("word", "../../../../etc/passwd", "etc/passwd");
        check("", "word\\document.xml", "word/document.xml");
        check("word", "#place", "word");
    }
}

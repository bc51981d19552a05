//! The parts of a document in a package (part 2). Never breaks an encryption.

use super::super::NAMESPACES;
use crate::{
    containers::{
        xml::{Reader, decode_owned},
        zip::Archive,
    },
    error::{Error, Kind, Result},
    job::{Input, Job},
};

/// The parts of a document.
pub(super) struct Package<'a> {
    archive: Archive<'a>,
}

impl<'a> Package<'a> {
    /// Opens the package.
    ///
    /// Errors: [`Kind::BadInput`] for what is no archive, and for an encrypted document.
    pub(super) fn open(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Self> {
        let archive = Archive::open(job, input)?;
        let mut package = Self { archive };
        package.refuse_encrypted(job)?;
        Ok(package)
    }

    /// How many bytes a part has. None if there is no such part.
    pub(super) fn size(&self, name: &str) -> Option<u64> {
        Some(self.archive.entry(name)?.size)
    }

    /// The bytes of a part, which have to be reserved before.
    pub(super) fn bytes(&mut self, name: &str) -> Result<Vec<u8>> {
        self.archive.read(name)
    }

    /// The characters of a part, whose bytes have to be reserved before.
    pub(super) fn text(&mut self, name: &str) -> Result<String> {
        Ok(decode_owned(self.bytes(name)?))
    }

    /// Encryption is none of the archive's: the manifest says which parts are encrypted, and how (part 2, 4.4).
    fn refuse_encrypted(&mut self, job: &Job<'_>) -> Result<()> {
        const NAME: &str = "META-INF/manifest.xml";
        let Some(size) = self.size(NAME) else {
            return Ok(());
        };
        job.reserve(size.saturating_mul(3) + (1 << 20))?;
        let text = self.text(NAME)?;
        let mut xml = Reader::new(job, &text, NAMESPACES);
        xml.root()?;
        while let Some(entry) = xml.next_element(1)? {
            let path = entry.attribute("full-path").unwrap_or_default();
            while let Some(child) = xml.next_element(2)? {
                if child.name == "encryption-data" && path.ends_with("content.xml") {
                    return Err(Error::new(
                        Kind::BadInput,
                        "the file is encrypted: remove the password and send it again",
                    ));
                }
            }
        }
        Ok(())
    }
}

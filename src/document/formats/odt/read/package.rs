//! The parts of a package (part 2). Never removes encryption.

use super::super::NAMESPACES;
use crate::{
    containers::{
        xml::{Reader, decode_owned},
        zip::Archive,
    },
    error::{Error, Kind, Result},
    job::{Input, Job},
};

/// An open package.
pub(super) struct Package<'a> {
    archive: Archive<'a>,
}

impl<'a> Package<'a> {
    /// Opens the package.
    ///
    /// Errors: [`Kind::BadInput`] if the file is not an archive, or is an encrypted document.
    pub(super) fn open(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Self> {
        let archive = Archive::open(job, input)?;
        let mut package = Self { archive };
        package.refuse_encrypted(job)?;
        Ok(package)
    }

    /// The size of a part in bytes, or `None` if it does not exist.
    pub(super) fn size(&self, name: &str) -> Option<u64> {
        Some(self.archive.entry(name)?.size)
    }

    /// The bytes of a part. The caller reserves the memory.
    pub(super) fn bytes(&mut self, name: &str) -> Result<Vec<u8>> {
        self.archive.read(name)
    }

    /// The text of a part. The caller reserves the memory.
    pub(super) fn text(&mut self, name: &str) -> Result<String> {
        Ok(decode_owned(self.bytes(name)?))
    }

    /// Rejects encrypted documents. The ZIP archive itself is not encrypted; the manifest lists the encrypted parts (part 2,
    /// 4.4).
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

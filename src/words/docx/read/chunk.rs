//! Documents within a document (`w:altChunk`, ECMA-376 part 1, 17.17.2.1): parts in other formats, whose content Word
//! inserts when it opens the file. Reads no other format itself; the caller supplies a function that does.

use super::body::Body;
use crate::{
    containers::xml::Element,
    error::{Kind, Result},
    job::{Job, Notes},
};
use convertd_tree::{Document, losses::Loss};

static CHUNKS: Loss = Loss {
    one: "A document within the document was left out: it is missing or damaged, or its format is not supported.",
    many: "{} documents within the document were left out: they are missing or damaged, or their formats are not supported.",
};

/// Reader of an embedded part: job, name, bytes, notes. `None` if its format is not known.
pub type Chunks = fn(&Job<'_>, &str, Vec<u8>, &mut Notes) -> Result<Option<Document>>;

/// Memory for reading a part, as a multiple of its size.
const TIMES: u64 = 3;

impl<'x> Body<'_, '_, 'x> {
    /// Reads the document that a `w:altChunk` refers to, and inserts its content.
    pub(super) fn chunk(&mut self, element: &Element<'x>) -> Result<()> {
        match self.chunk_document(element)? {
            Some(document) => self.story.graft(&document),
            None => {
                self.story.build.lost(&CHUNKS);
                Ok(())
            }
        }
    }

    /// Reads the embedded document. `None` if it is missing, external, damaged or in an unknown format, or if the
    /// caller supplies no reader.
    fn chunk_document(&mut self, element: &Element<'x>) -> Result<Option<Document>> {
        let job = self.context.job;
        let Some(read) = self.context.chunks else {
            return Ok(None);
        };
        let relationships = self.context.relationships.clone();
        let id = element.attribute("id").unwrap_or_default();
        let Some(part) = relationships.get(&id).filter(|part| !part.external) else {
            return Ok(None);
        };
        let Some(bytes) = self.context.bytes(self.story, &part.target)? else {
            return Ok(None);
        };
        let _lease = job.lease((bytes.len() as u64).saturating_mul(TIMES))?;
        match read(job, &part.target, bytes, &mut self.context.chunk_notes) {
            Ok(document) => Ok(document),
            Err(error) if error.kind() == Kind::BadInput => Ok(None),
            Err(error) => Err(error),
        }
    }
}

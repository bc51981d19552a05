//! ZIP archives in: each file in one is converted by itself, and the results make a new archive; pictures that are to become PDF
//! make one document. Opens no archive within an archive, and never uses a name as a path.
//!
//! What converts the files is not known here: the caller hands it in as [`Others`], so that imports go one way. Files are
//! unpacked into memory one after another, and so are their results, all within what the job has reserved; limits of time,
//! memory and output are those of the whole job. The files of an archive fail one by one: a remark says which did, and why.

mod each;
mod memory;
mod natural;
mod pages;
mod remarks;
mod within;

use crate::{
    error::{Error, Kind, Result},
    format::{Category, Format},
    job::{Converter, Input, Job, Notes, Output, Pair},
};
use remarks::Remarks;
use std::io::{Read, SeekFrom};
use within::Files;

/// The format.
pub(crate) static ZIP: Format = Format {
    name: "zip",
    aliases: &[],
    category: Category::Archive,
    description: "ZIP archive: each file in it is converted; pictures become one pdf",
    media_type: crate::format::ARCHIVE_MEDIA_TYPE,
    // Many formats are ZIP archives. They are asked first.
    magic: &[],
};

/// What converts the files of an archive.
pub(crate) trait Others {
    /// The format of a file, by its content. See [`registry::identify`](crate::registry::identify).
    fn identify(&self, input: &mut dyn Input, extension: Option<&str>) -> Result<&'static Format>;

    /// What converts from one format to another, if that is possible.
    fn find(&self, from: &Format, to: &Format) -> Option<(Pair, &'static Converter)>;
}

/// How much is read at either end of a file to tell what kind of archive it is, in bytes.
const ENDS: u64 = 64 << 10;

/// Names that only those archives have in them that are documents of other programs: of Office, of OpenDocument, and books.
const PARTS: [&[u8]; 3] = [
    b"[Content_Types].xml",
    b"META-INF/manifest.xml",
    b"META-INF/container.xml",
];

/// Tells archives that people have made from those that are documents: a file of a kind that is not supported is not to be
/// taken apart.
pub(crate) fn recognise(
    head: &[u8],
    input: &mut dyn Input,
    _: Option<&str>,
) -> Option<&'static Format> {
    let begins = head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06");
    if !begins {
        return None;
    }
    let mut tail = Vec::new();
    let len = input.seek(SeekFrom::End(0)).ok()?;
    input.seek(SeekFrom::Start(len.saturating_sub(ENDS))).ok()?;
    Read::take(&mut *input, ENDS).read_to_end(&mut tail).ok()?;
    let has = |part: &&[u8]| {
        memchr::memmem::find(head, part).is_some() || memchr::memmem::find(&tail, part).is_some()
    };
    let is_document = PARTS.iter().any(has) || head.get(30..38) == Some(b"mimetype");
    (!is_document).then_some(&ZIP)
}

/// Converts all files of an archive.
///
/// Errors: [`Kind::BadInput`] if none can be converted, or if it has too many.
pub(crate) fn convert(
    job: &Job<'_>,
    input: &mut dyn Input,
    output: &mut dyn Output,
    others: &dyn Others,
) -> Result<Notes> {
    let mut files = Files::open(job, input)?;
    let mut remarks = Remarks::default();
    let made = if pages::wants(job.to) && pages::has_pictures(job, &mut files, others)? {
        pages::convert(job, &mut files, output, others, &mut remarks)?
    } else {
        each::convert(job, &mut files, output, others, &mut remarks)?
    };
    if made == 0 {
        let why = remarks
            .first()
            .map_or_else(String::new, |first| format!(": {first}"));
        let text = format!(
            "nothing in the archive can be converted to {}{why}",
            job.task.to
        );
        return Err(Error::new(Kind::BadInput, text));
    }
    Ok(remarks.into_notes())
}

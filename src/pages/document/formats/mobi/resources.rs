//! Pictures and fonts of a book. Each of them is a record of the database. Decodes no picture.

use super::database::{Database, Record};
use crate::{
    containers::zip::unpacked,
    error::Result,
    job::{Job, Lease},
};
use convertd_tree::media;
use std::ops::Range;

/// Number of bytes at the beginning of a font that are obfuscated.
const DISGUISED: usize = 1040;

/// Flag of a font that is compressed with zlib.
const PACKED: u32 = 1;

/// Flag of a font whose beginning is obfuscated with a key.
const KEYED: u32 = 2;

/// Limit on the size of an unpacked font, in bytes.
const LARGEST: u64 = 64 << 20;

/// A picture or a font.
pub(super) struct Resource {
    pub(super) name: String,
    pub(super) media_type: &'static str,
    /// Number of its record.
    record: usize,
}

/// Pictures and fonts of a book. Their numbers count all records from the first picture on, whatever they contain.
#[derive(Default)]
pub(super) struct Resources(Vec<Option<Resource>>);

impl Resources {
    /// Finds the pictures and fonts among these records.
    pub(super) fn find(
        database: &Database,
        records: Range<usize>,
        lease: &Lease<'_>,
    ) -> Result<Self> {
        lease.grow((records.len() * 2 * size_of::<Resource>()) as u64)?;
        let resources = (1..).zip(records).map(|(number, at)| {
            let record = database.record(at);
            let media_type = match record.is(b"FONT") {
                true => "font/otf",
                false => media::sniff(record.0)?,
            };
            let extension = match media_type {
                "font/otf" => "otf",
                other => media::extension(other),
            };
            Some(Resource {
                name: format!("file{number}.{extension}"),
                media_type,
                record: at,
            })
        });
        Ok(Self(resources.collect()))
    }

    /// The resource with this number, which counts from 1.
    pub(super) fn get(&self, number: usize) -> Option<&Resource> {
        self.0.get(number.checked_sub(1)?)?.as_ref()
    }

    /// All resources.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Resource> {
        self.0.iter().flatten()
    }

    /// The resource with this name.
    pub(super) fn named(&self, name: &str) -> Option<&Resource> {
        let number = name.strip_prefix("file")?.split('.').next()?;
        let resource = self.get(number.parse().ok()?);
        resource.filter(|resource| resource.name == name)
    }

    /// Upper bound on the size of a resource, in bytes. For a font, it includes the memory for unpacking.
    pub(super) fn size(&self, database: &Database, name: &str) -> Option<u64> {
        let record = database.record(self.named(name)?.record);
        Some(match record.is(b"FONT") {
            true => u64::from(record.u32(4)).min(LARGEST) + 2 * record.0.len() as u64,
            false => record.0.len() as u64,
        })
    }

    /// Content of the resource with this name. `None` if no resource has this name.
    ///
    /// Errors: [`BadInput`](crate::error::Kind::BadInput) for a damaged font.
    pub(super) fn read(
        &self,
        job: &Job<'_>,
        database: &Database,
        name: &str,
    ) -> Result<Option<Vec<u8>>> {
        let Some(resource) = self.named(name) else {
            return Ok(None);
        };
        let record = database.record(resource.record);
        match record.is(b"FONT") {
            true => font(job, record).map(Some),
            false => Ok(Some(record.0.to_vec())),
        }
    }
}

/// Unpacks a font. Its header states the size, the flags, the offset of the data, and the length and the offset of the
/// key.
fn font(job: &Job<'_>, record: Record<'_>) -> Result<Vec<u8>> {
    let flags = record.u32(8);
    let mut bytes = record.from(record.size(12)).0.to_vec();
    let key = record.part(record.size(20), record.size(16)).0;
    if flags & KEYED != 0 {
        for (byte, key) in bytes.iter_mut().take(DISGUISED).zip(key.iter().cycle()) {
            *byte ^= key;
        }
    }
    if flags & PACKED == 0 {
        return Ok(bytes);
    }
    // The data is zlib: Deflate between a header of two bytes and a checksum.
    let size = u64::from(record.u32(4)).min(LARGEST);
    let whole = unpacked(job, bytes.get(2..).unwrap_or_default(), size)?;
    whole.ok_or_else(|| job.unreadable("a font in it is damaged"))
}

//! Documents of Apple's iWork since 2013 (Numbers, Pages, Keynote): objects in Protocol Buffers, packed with Snappy, in
//! files whose names end in `.iwa`, in a ZIP archive. Does not interpret objects, and follows a reference only on
//! request.
//!
//! Apple has not published the format; this reader follows the analysis by Sean Patrick O'Brien (iWorkFileFormat). A
//! file is a sequence of chunks. A chunk is a zero byte, the length of the packed bytes in three bytes, and the packed
//! bytes: Snappy without its frames and checksums. The unpacked file is a sequence of objects. An object is the length
//! of its head, the head, and messages. The head is itself a message: it states the object's number, and the kind and
//! the length of each message that follows. The first of these messages is the content of the object.

use super::zip::{self, Archive};
use crate::{
    error::{Error, Kind, Reason, Result},
    job::{Input, Job, Lease},
};
use std::{collections::HashMap, io::Cursor, ops::Range};

/// Limit on the unpacked size of a chunk, in bytes. Programs write chunks of 64 KiB.
const MAX_CHUNK: u64 = 16 << 20;

/// Upper bound of the unpacked bytes for each byte of Snappy: a copy of 64 bytes takes three bytes.
const MAX_GROWTH: u64 = 24;

/// Memory for an [`Object`], in bytes.
const OBJECT: u64 = 128;

/// Entries by which a document is recognised: one of the files with objects, or, in a document that was saved as a
/// folder, the inner archive of all these files.
pub const INDEX: [&str; 2] = ["Index/Document.iwa", INNER];

/// Name of the inner archive.
const INNER: &str = "Index.zip";

/// Entries that only an encrypted document has: the hint for its password, which is optional, and the bytes by which a
/// password is verified.
pub const LOCKS: [&str; 2] = [".iwph", ".iwpv2"];

/// Returns whether a file is a document of Numbers, Pages or Keynote. All three consist of the same parts, so only the
/// extension of the file name tells them apart. Documents from before 2013 have other parts.
pub fn is_document(head: &[u8], input: &mut dyn Input) -> bool {
    let is_index = |name: &str| INDEX.iter().any(|index| is_at(name, index));
    zip::holds(head, input, &[&is_index])
}

/// Error for an encrypted document.
pub fn encrypted() -> Error {
    let text =
        "the file is encrypted: remove its password in the program that made it, and send it again";
    Error::new(Kind::BadInput, text).because(Reason::Encrypted)
}

/// Returns whether an entry has this path, in the archive or in a folder of it: programs other than Apple's pack the
/// folder of a document together with its name.
fn is_at(name: &str, path: &str) -> bool {
    let folder = name.strip_suffix(path);
    folder.is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
}

/// The objects of a document by their numbers.
pub struct Objects<'a> {
    /// The unpacked files.
    files: Vec<Vec<u8>>,
    by_number: HashMap<u64, Object>,
    lease: Lease<'a>,
}

/// An object: its kind, and its bytes in one of the files.
struct Object {
    kind: u64,
    file: usize,
    bytes: Range<usize>,
}

impl<'a> Objects<'a> {
    /// Reads all objects.
    ///
    /// Errors: [`Kind::BadInput`] if the file is not an archive, is damaged, or is encrypted.
    pub fn read(job: &'a Job<'a>, input: &mut dyn Input) -> Result<Self> {
        let mut objects = Self {
            files: Vec::new(),
            by_number: HashMap::new(),
            lease: job.empty_lease(),
        };
        let _directory = job.lease(Archive::memory(job, input)?)?;
        let mut archive = Archive::open(job, input)?;
        let mut entries = archive.entries().iter();
        if entries.any(|entry| LOCKS.iter().any(|lock| is_at(&entry.name, lock))) {
            return Err(encrypted());
        }
        let mut entries = archive.entries().iter();
        match entries.position(|entry| is_at(&entry.name, INNER)) {
            Some(nth) => {
                let lease = job.lease(archive.entries()[nth].size)?;
                let mut bytes = Cursor::new(archive.read_nth(nth)?);
                lease.grow_exactly(zip::directory_memory(job, &mut bytes)?)?;
                objects.add_files(job, Archive::open(job, &mut bytes)?)?;
            }
            None => objects.add_files(job, archive)?,
        }
        if objects.by_number.is_empty() {
            return Err(job.unreadable("it has no objects: no file in it ends in .iwa"));
        }
        Ok(objects)
    }

    fn add_files(&mut self, job: &Job<'_>, mut archive: Archive<'_>) -> Result<()> {
        for nth in 0..archive.entries().len() {
            job.check()?;
            let entry = &archive.entries()[nth];
            if !entry.name.ends_with(".iwa") {
                continue;
            }
            let _lease = job.lease(entry.size)?;
            let packed = archive.read_nth(nth)?;
            self.add_file(job, &packed)?;
        }
        Ok(())
    }

    /// Unpacks a file, and lists the objects in it.
    fn add_file(&mut self, job: &Job<'_>, packed: &[u8]) -> Result<()> {
        let size = file_size(job, packed)?;
        self.lease.grow(size)?;
        let mut data = Vec::with_capacity(size as usize);
        let mut rest = packed;
        while let Some((chunk, next)) = chunk(job, rest)? {
            job.check()?;
            unpack(chunk, &mut data)
                .ok_or_else(|| job.unreadable("a compressed chunk (Snappy) is damaged"))?;
            rest = next;
        }
        let mut at = 0;
        while at < data.len() {
            job.check()?;
            self.lease.grow(OBJECT)?;
            at = self
                .add_object(&data, at)
                .ok_or_else(|| job.unreadable("an object is cut off"))?;
        }
        self.files.push(data);
        Ok(())
    }

    /// Lists the object that begins at a position in the file that is being added, and returns the position after it.
    fn add_object(&mut self, data: &[u8], at: usize) -> Option<usize> {
        let mut rest = data.get(at..)?;
        let length = usize::try_from(varint(&mut rest)?).ok()?;
        let head = Message(rest.get(..length)?);
        let mut begin = data.len() - rest.len() + length;
        let number = head.number(1)?;
        let mut is_first = true;
        for info in head.all(2) {
            let length = usize::try_from(info.number(3).unwrap_or(0)).ok()?;
            let end = begin.checked_add(length).filter(|end| *end <= data.len())?;
            if std::mem::take(&mut is_first) {
                self.by_number.entry(number).or_insert(Object {
                    kind: info.number(1).unwrap_or(0),
                    file: self.files.len(),
                    bytes: begin..end,
                });
            }
            begin = end;
        }
        Some(begin)
    }

    /// The kind and the content of the object with this number.
    pub fn get(&self, number: u64) -> Option<(u64, Message<'_>)> {
        let object = self.by_number.get(&number)?;
        let bytes = self.files.get(object.file)?.get(object.bytes.clone())?;
        Some((object.kind, Message(bytes)))
    }

    /// The object with this number, if it is of one of these kinds.
    pub fn of(&self, number: impl Into<Option<u64>>, kinds: &[u64]) -> Option<Message<'_>> {
        let (own, message) = self.get(number.into()?)?;
        kinds.contains(&own).then_some(message)
    }

    /// The lowest number of an object of this kind, and the object.
    pub fn first(&self, kind: u64) -> Option<(u64, Message<'_>)> {
        let all = self
            .by_number
            .iter()
            .filter(|(_, object)| object.kind == kind);
        let number = *all.map(|(number, _)| number).min()?;
        Some((number, self.get(number)?.1))
    }
}

/// Divides a file into its first chunk and the rest. `None` at the end of the file, and if the rest does not begin with
/// a chunk.
///
/// Errors: [`Kind::BadInput`] if the chunk is cut off.
fn chunk<'f>(job: &Job<'_>, file: &'f [u8]) -> Result<Option<(&'f [u8], &'f [u8])>> {
    let [0, a, b, c, rest @ ..] = file else {
        return Ok(None);
    };
    let length = u32::from_le_bytes([*a, *b, *c, 0]) as usize;
    let parts = rest.split_at_checked(length);
    parts
        .map(Some)
        .ok_or_else(|| job.unreadable("a compressed chunk (Snappy) is cut off"))
}

/// Unpacked size of a file, in bytes: the sum of the sizes that its chunks state.
///
/// Errors: [`Kind::BadInput`] if a chunk is cut off, or states a larger size than its bytes can unpack to.
fn file_size(job: &Job<'_>, mut file: &[u8]) -> Result<u64> {
    let mut sum = 0;
    while let Some((chunk, rest)) = chunk(job, file)? {
        job.check()?;
        let size = unpacked_size(chunk);
        let most = MAX_CHUNK.min(MAX_GROWTH * chunk.len() as u64);
        let size = size.filter(|size| *size <= most);
        let size = size.ok_or_else(|| {
            job.unreadable("a compressed chunk (Snappy) states an impossible size")
        })?;
        sum = u64::saturating_add(sum, size);
        file = rest;
    }
    Ok(sum)
}

/// Field of a reference (`TSP.Reference`) with the number of the object.
const REFERENCE: u32 = 1;

/// A message of Protocol Buffers, whose fields are found by their numbers. Fields after a damaged one are not read.
#[derive(Clone, Copy, Debug)]
pub struct Message<'m>(pub &'m [u8]);

/// The value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Field<'m> {
    /// A variable-length number (varint).
    Number(u64),
    /// A fixed number of eight or of four bytes.
    Fixed(u64),
    /// Bytes: a text or a message.
    Bytes(&'m [u8]),
}

impl<'m> Message<'m> {
    /// All fields, with their numbers.
    pub fn fields(self) -> impl Iterator<Item = (u32, Field<'m>)> {
        let mut rest = self.0;
        std::iter::from_fn(move || field(&mut rest))
    }

    fn field(self, number: u32) -> Option<Field<'m>> {
        // If a field occurs twice, the last one counts.
        let found = self.fields().filter(|(own, _)| *own == number).last();
        found.map(|(_, value)| value)
    }

    /// Value of a field as a whole number. `None` if the field is missing, or is not a number.
    pub fn number(self, number: u32) -> Option<u64> {
        match self.field(number)? {
            Field::Number(value) | Field::Fixed(value) => Some(value),
            Field::Bytes(_) => None,
        }
    }

    /// Value of a field as a floating-point number of four bytes. `None` if it is not finite.
    pub fn single(self, number: u32) -> Option<f64> {
        let bits = u32::try_from(self.number(number)?).ok()?;
        Some(f32::from_bits(bits).into()).filter(|value: &f64| value.is_finite())
    }

    /// Value of a field as a floating-point number of eight bytes. `None` if it is not finite.
    pub fn double(self, number: u32) -> Option<f64> {
        let value = f64::from_bits(self.number(number)?);
        value.is_finite().then_some(value)
    }

    /// Value of a Boolean field. `None` if the field is missing.
    pub fn flag(self, number: u32) -> Option<bool> {
        self.number(number).map(|value| value != 0)
    }

    /// All whole numbers of a field that may occur several times.
    pub fn numbers(self, number: u32) -> impl Iterator<Item = u64> {
        self.fields().filter_map(move |(own, value)| match value {
            Field::Number(value) | Field::Fixed(value) if own == number => Some(value),
            _ => None,
        })
    }

    /// Bytes of a field.
    pub fn bytes(self, number: u32) -> Option<&'m [u8]> {
        match self.field(number)? {
            Field::Bytes(bytes) => Some(bytes),
            Field::Number(_) | Field::Fixed(_) => None,
        }
    }

    /// Text of a field. `None` if it is not UTF-8.
    pub fn text(self, number: u32) -> Option<&'m str> {
        std::str::from_utf8(self.bytes(number)?).ok()
    }

    /// Message in a field.
    pub fn message(self, number: u32) -> Option<Self> {
        self.bytes(number).map(Self)
    }

    /// Number of the object that a field refers to.
    pub fn reference(self, number: u32) -> Option<u64> {
        self.message(number)?.number(REFERENCE)
    }

    /// Numbers of the objects to which all occurrences of a field refer.
    pub fn references(self, number: u32) -> impl Iterator<Item = u64> {
        self.all(number)
            .filter_map(|object| object.number(REFERENCE))
    }

    /// All messages of a field that may occur several times.
    pub fn all(self, number: u32) -> impl Iterator<Item = Self> {
        self.fields().filter_map(move |(own, value)| match value {
            Field::Bytes(bytes) if own == number => Some(Self(bytes)),
            _ => None,
        })
    }
}

/// Reads a field. `None` at the end of the message, and for damage.
fn field<'m>(rest: &mut &'m [u8]) -> Option<(u32, Field<'m>)> {
    let key = varint(rest)?;
    let number = u32::try_from(key >> 3).ok()?;
    let value = match key & 7 {
        0 => Field::Number(varint(rest)?),
        1 => {
            let (value, next) = rest.split_first_chunk()?;
            *rest = next;
            Field::Fixed(u64::from_le_bytes(*value))
        }
        2 => {
            let length = usize::try_from(varint(rest)?).ok()?;
            let (value, next) = rest.split_at_checked(length)?;
            *rest = next;
            Field::Bytes(value)
        }
        5 => {
            let (value, next) = rest.split_first_chunk()?;
            *rest = next;
            Field::Fixed(u32::from_le_bytes(*value).into())
        }
        _ => return None,
    };
    Some((number, value))
}

/// Reads a varint: each byte holds seven bits of the number, the lowest bits first.
fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, next) = rest.split_first()?;
        *rest = next;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

/// Unpacked size in bytes that a chunk states at its beginning.
fn unpacked_size(mut chunk: &[u8]) -> Option<u64> {
    varint(&mut chunk)
}

/// Unpacks a chunk of Snappy and appends it to `out`. `None` if it is damaged.
fn unpack(mut packed: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let size = usize::try_from(varint(&mut packed)?).ok()?;
    let begin = out.len();
    let end = begin.checked_add(size)?;
    while let Some((tag, rest)) = packed.split_first() {
        packed = rest;
        let upper = usize::from(tag >> 2);
        let mut number = |bytes: usize| {
            let (low, rest) = packed.split_at_checked(bytes)?;
            packed = rest;
            Some(
                low.iter()
                    .rev()
                    .fold(0, |value, byte| value << 8 | usize::from(*byte)),
            )
        };
        let (length, distance) = match tag & 3 {
            0 => {
                let length = match upper {
                    60.. => number(upper - 59)?,
                    _ => upper,
                };
                let (literal, rest) = packed.split_at_checked(length.checked_add(1)?)?;
                packed = rest;
                if out.len() + literal.len() > end {
                    return None;
                }
                out.extend_from_slice(literal);
                continue;
            }
            1 => ((upper & 7) + 4, (upper >> 3) << 8 | number(1)?),
            2 => (upper + 1, number(2)?),
            _ => (upper + 1, number(4)?),
        };
        let from = out.len().checked_sub(distance)?;
        if distance == 0 || from < begin || out.len() + length > end {
            return None;
        }
        // A copy may overlap the bytes that it writes.
        for at in from..from + length {
            out.push(out[at]);
        }
    }
    (out.len() == end).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(packed: &[u8], expected: Option<&[u8]>) {
        let mut out = b"before".to_vec();
        let done = unpack(packed, &mut out);
        assert_eq!(done.map(|()| &out[6..]), expected);
    }

    #[test]
    fn snappy_is_unpacked() {
        check(&[0], Some(b""));
        check(b"\x03\x08abc", Some(b"abc"));
        // A copy of six bytes from three bytes before, which overlaps the bytes that it writes.
        check(b"\x09\x08abc\x09\x03", Some(b"abcabcabc"));
        check(b"\x05\x08abc\x06\x02\x00", Some(b"abcbc"));
        check(b"\x05\x08abc\x07\x02\x00\x00\x00", Some(b"abcbc"));
        check(b"\x03\xf0\x02abc", Some(b"abc"));
    }

    #[test]
    fn damaged_snappy_is_refused() {
        // Copies from before the chunk and from a distance of 0; more and fewer bytes than the stated size; chunks that
        // are cut off.
        check(b"\x09\x08abc\x09\x04", None);
        check(b"\x09\x08abc\x09\x00", None);
        check(b"\x04\x08abc\x09\x03", None);
        check(b"\x04\x08abc", None);
        check(b"\x03\x08ab", None);
        check(b"\x03\xff\xff\xff\xff\xff", None);
    }

    #[test]
    fn messages_end_at_damage() {
        let message = Message(b"\x08\x96\x01\x12\x02hi\x1d\x01\0\0\0\x22\x7f");
        assert_eq!(message.number(1), Some(150));
        assert_eq!(message.text(2), Some("hi"));
        assert_eq!(message.number(3), Some(1));
        assert_eq!(message.fields().count(), 3);
        assert_eq!(Message(&[0x80; 20]).fields().count(), 0);
    }
}

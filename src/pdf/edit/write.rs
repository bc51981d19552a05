//! Writes the objects that a document refers to, and no others: small objects in object streams, and equal streams
//! once. Changes no picture.

use super::{
    assemble::Assembly,
    serial::{self, Names},
    sources::DroppedObjects,
    store::{Data, Object, Store},
    value::{Dict, Id, Value, WRITTEN},
};
use crate::error::Result;
use convertd_pdfwrite::object::File;
use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::Ref;
use std::{
    borrow::Cow,
    collections::{HashMap, VecDeque},
};

/// Streams without a filter that are longer than this, in bytes, are compressed.
const PACKED_FROM: usize = 64;
/// Level of Deflate, from 0 to 10.
const LEVEL: u8 = 9;
/// Objects between two checks of the job's deadline.
const OBJECTS_PER_CHECK: usize = 256;

/// Function that encrypts a string.
pub(super) type Cipher<'c> = dyn Fn(&[u8]) -> Vec<u8> + 'c;

/// Writes a document. `cipher` encrypts the strings in the dictionaries of streams; `file` encrypts the data of
/// streams.
///
/// Errors: there is not enough memory, the file could not be written, or the job is to end.
pub(super) fn write(
    store: &mut Store<'_>,
    file: &mut File<'_>,
    document: &Assembly,
    info: Dict,
    cipher: Option<&Cipher<'_>>,
) -> Result<()> {
    let mut writer = Writer {
        store,
        file,
        gone: &document.gone,
        numbers: HashMap::new(),
        streams: HashMap::new(),
        queue: VecDeque::new(),
        cipher,
        in_stream: false,
    };
    let info = writer.store.add(info);
    let catalog = writer.reference(document.catalog);
    let info = writer.reference(info);
    let mut done = 0;
    while let Some((id, number)) = writer.queue.pop_front() {
        done += 1;
        if done % OBJECTS_PER_CHECK == 0 {
            writer.store.check()?;
            writer.file.check()?;
        }
        writer.object(id, number);
    }
    match (catalog, info) {
        (Some(catalog), Some(info)) => writer.file.end(catalog, info),
        _ => Err(crate::error::Error::internal(
            "the PDF has no catalogue",
            "",
        )),
    }
}

struct Writer<'w, 'a, 'o> {
    store: &'w mut Store<'a>,
    file: &'w mut File<'o>,
    gone: &'w DroppedObjects,
    /// The number of each object in the file; `None` for objects that are left out.
    numbers: HashMap<Id, Option<Ref>>,
    /// Streams by the digest of their data, to write equal ones once.
    streams: HashMap<[u64; 2], Vec<Id>>,
    /// Objects that are to be written, with their numbers in the file.
    queue: VecDeque<(Id, Ref)>,
    cipher: Option<&'w Cipher<'w>>,
    /// Whether the dictionary of a stream is being written, whose strings are encrypted one by one. All other objects
    /// are in object streams, which are encrypted as a whole.
    in_stream: bool,
}

impl Names for Writer<'_, '_, '_> {
    fn number(&mut self, id: Id) -> Option<i32> {
        Some(self.reference(id)?.get())
    }

    fn string<'s>(&mut self, text: &'s [u8]) -> Cow<'s, [u8]> {
        match self.cipher {
            Some(cipher) if self.in_stream => Cow::Owned(cipher(text)),
            _ => Cow::Borrowed(text),
        }
    }
}

impl Writer<'_, '_, '_> {
    /// The number of an object in the new file, which is assigned at the first reference. `None` for removed objects,
    /// whose references become `null`.
    fn reference(&mut self, id: Id) -> Option<Ref> {
        if let Some(number) = self.numbers.get(&id) {
            return *number;
        }
        if id.source == WRITTEN {
            return Some(Ref::new(id.number as i32));
        }
        let object = self.store.object(id);
        let number = match &*object {
            _ if self.gone.contains(id) => None,
            Object::Value(Value::Null) => None,
            // An object that is only a reference to another one has the number of that object.
            Object::Value(Value::Ref(next)) => {
                self.numbers.insert(id, None);
                let next = *next;
                self.reference_on(next)
            }
            Object::Value(_) => Some(self.next(id)),
            Object::Stream(dict, data) => match self.find_equal(id, dict, data) {
                Some(known) => self.numbers.get(&known).copied().flatten(),
                None => Some(self.next(id)),
            },
        };
        self.numbers.insert(id, number);
        number
    }

    /// Follows a chain of references, whose length [`Store::resolve`] limits.
    fn reference_on(&mut self, id: Id) -> Option<Ref> {
        match self.store.resolve(&Value::Ref(id)) {
            Value::Null => None,
            _ => {
                let mut at = id;
                while let Object::Value(Value::Ref(next)) = &*self.store.object(at) {
                    at = *next;
                }
                self.reference(at)
            }
        }
    }

    fn next(&mut self, id: Id) -> Ref {
        let number = self.file.next();
        self.queue.push_back((id, number));
        number
    }

    /// An equal stream, with the same dictionary and data, that has been written or will be.
    fn find_equal(&mut self, id: Id, dict: &Dict, data: &Data) -> Option<Id> {
        let bytes = self.store.data(data);
        let digest = digest(&bytes);
        let known = self.streams.entry(digest).or_default();
        for other in known.iter() {
            if let Object::Stream(own, held) = &*self.store.object(*other)
                && own == dict
                && self.store.data(held) == bytes
            {
                return Some(*other);
            }
        }
        known.push(id);
        None
    }

    /// Writes an object. Streams without a filter are compressed if that makes them shorter, except for short ones, and
    /// for metadata, which other programs search for as plain text.
    fn object(&mut self, id: Id, number: Ref) {
        let object = self.store.object(id);
        let mut out = Vec::new();
        match &*object {
            Object::Value(value) => {
                serial::write(value, self, &mut out);
                self.file.small_bytes(number, &out);
            }
            Object::Stream(dict, data) => {
                let mut dict = dict.clone();
                let mut bytes = self.store.data(data);
                let is_metadata = dict
                    .get("Type")
                    .is_some_and(|kind| kind.is_name("Metadata"));
                if !dict.has("Filter") && !is_metadata && bytes.len() > PACKED_FROM {
                    let packed = compress_to_vec_zlib(&bytes, LEVEL);
                    if packed.len() < bytes.len() {
                        bytes = Cow::Owned(packed);
                        dict.set("Filter", Value::name("FlateDecode"));
                        dict.remove("DecodeParms");
                    }
                }
                self.in_stream = true;
                serial::dict(&dict, self, &mut out);
                self.in_stream = false;
                out.truncate(out.len() - 2);
                self.file.packed(number, &out, &bytes);
            }
        }
    }
}

/// Hashes eight bytes at a time in two lanes, in the manner of FNV-1a. Collisions do no harm, because streams with
/// equal digests are compared byte by byte.
fn digest(bytes: &[u8]) -> [u64; 2] {
    let mut lanes = [0xcbf2_9ce4_8422_2325_u64, bytes.len() as u64];
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let word = u64::from_le_bytes(word);
        lanes[0] = (lanes[0] ^ word).wrapping_mul(0x100_0000_01b3);
        lanes[1] = (lanes[1].rotate_left(23) ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
    }
    lanes
}

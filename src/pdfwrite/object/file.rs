//! Writes a PDF file object by object: large objects immediately, and small ones together in object streams (ISO
//! 32000-1, 7.5.7). Of a written object, only the position stays in memory, for the cross-reference stream at the end
//! (7.5.8).

use crate::{
    error::{Error, Result},
    job::Output,
};
use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::{Chunk, Dict, Filter, Finish, Name, Obj, Ref, Settings};
use std::io;

/// Max. number of objects in an object stream.
const TOGETHER: usize = 128;
/// Size at which an object stream is full, in bytes before compression.
const ENOUGH: usize = 256 << 10;
/// Deflate level of streams, from 0 to 10.
const LEVEL: u8 = 6;
/// Deflate level after the first [`SHORT`] bytes of all streams. For the pages of a sheet with 50,000 cells, the result
/// is 9 percent larger, but compression, which was half of the work, takes a quarter of the time.
const QUICK: u8 = 3;
/// Number of bytes, counted before compression, after which further streams are compressed with [`QUICK`].
const SHORT: usize = 512 << 10;

/// A PDF file that is being written.
pub struct File<'o> {
    out: &'o mut dyn Output,
    /// Number of bytes written so far, which is the position of the next object.
    position: u64,
    /// Position of each object, beginning with object 1.
    locations: Vec<Location>,
    /// Small objects that are not written yet: object number, and start in `bodies`.
    waiting: Vec<(i32, usize)>,
    /// Contents of the small objects.
    bodies: Vec<u8>,
    /// Number of bytes compressed so far.
    packed: usize,
    /// Stream that is being written in pieces: the object for its length, and the position of its data in the file.
    open: Option<(Ref, u64)>,
    /// Digest of all bytes written so far.
    digest: [u64; 2],
    /// First error of writing. Only [`File::check`] returns it, so that the callers of the other functions need not
    /// handle errors.
    failed: Option<io::Error>,
    /// Encryption dictionary, and the function that encrypts streams.
    cipher: Option<(Ref, Cipher)>,
}

/// Encrypts the data of a stream.
type Cipher = Box<dyn Fn(&[u8]) -> Vec<u8> + Send>;

/// Location of an object in the file.
#[derive(Clone, Copy)]
enum Location {
    /// The number is reserved, and the object is not written (yet).
    Unwritten,
    /// Position in the file.
    At(u64),
    /// Number of an object stream, and index in it.
    Within(i32, u16),
}

impl<'o> File<'o> {
    /// Begins a file of PDF 1.7.
    pub fn new(out: &'o mut dyn Output) -> Self {
        Self::of_version(out, "1.7")
    }

    /// Begins a file of another version of PDF.
    pub fn of_version(out: &'o mut dyn Output, version: &str) -> Self {
        let mut file = Self {
            out,
            position: 0,
            locations: Vec::new(),
            waiting: Vec::new(),
            bodies: Vec::new(),
            packed: 0,
            open: None,
            // Start values of the digest: the offset basis of FNV-1a, and the fraction of the golden ratio (0.618…)
            // times 2^64.
            digest: [0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15],
            failed: None,
            cipher: None,
        };
        file.write(format!("%PDF-{version}\n").as_bytes());
        // Bytes above 127 tell programs that the file is binary (ISO 32000-1, 7.5.2).
        file.write(b"%\xe2\xe3\xcf\xd3\n");
        file
    }

    /// Reserves a number for a new object.
    #[allow(clippy::should_implement_trait)] // This is not an iterator.
    pub fn next(&mut self) -> Ref {
        self.locations.push(Location::Unwritten);
        Ref::new(self.locations.len() as i32)
    }

    /// Writes an object with a stream, or one that must not be in an object stream. The chunk contains only this
    /// object.
    pub fn object(&mut self, id: Ref, chunk: &Chunk) {
        self.locations[id.get() as usize - 1] = Location::At(self.position);
        self.write(chunk.as_bytes());
    }

    /// Writes an object without a stream. The chunk contains only this object.
    pub fn small(&mut self, id: Ref, chunk: &Chunk) {
        // The body is between `1 0 obj` and `endobj`.
        let bytes = chunk.as_bytes();
        let from = bytes
            .windows(4)
            .position(|window| window == b" obj")
            .map_or(0, |at| at + 4);
        let to = bytes
            .windows(6)
            .rposition(|window| window == b"endobj")
            .unwrap_or(bytes.len());
        self.small_bytes(id, bytes[from..to].trim_ascii());
    }

    /// Writes an object without a stream. `body` is the part between `obj` and `endobj`.
    pub fn small_bytes(&mut self, id: Ref, body: &[u8]) {
        self.waiting.push((id.get(), self.bodies.len()));
        self.bodies.extend_from_slice(body);
        self.bodies.push(b'\n');
        if self.waiting.len() == TOGETHER || self.bodies.len() >= ENOUGH {
            self.flush();
        }
    }

    /// Encrypts the data of all further streams, except those of [`object`](Self::object) and
    /// [`begin_stream`](Self::begin_stream). The object `how` is the encryption dictionary.
    pub fn encrypt(&mut self, how: Ref, cipher: impl Fn(&[u8]) -> Vec<u8> + Send + 'static) {
        self.cipher = Some((how, Box::new(cipher)));
    }

    /// Writes an object that must not be in an object stream. `body` is the part between `obj` and `endobj`.
    pub fn alone(&mut self, id: Ref, body: &[u8]) {
        self.locations[id.get() as usize - 1] = Location::At(self.position);
        self.write(format!("{} 0 obj\n", id.get()).as_bytes());
        self.write(body);
        self.write(b"\nendobj\n");
    }

    /// Writes a stream with compressed data. `dictionary` has neither the entry `Length` nor the closing `>>`.
    pub fn packed(&mut self, id: Ref, dictionary: &[u8], data: &[u8]) {
        let encrypted = self.cipher.as_ref().map(|(_, cipher)| cipher(data));
        let data = encrypted.as_deref().unwrap_or(data);
        self.locations[id.get() as usize - 1] = Location::At(self.position);
        self.write(format!("{} 0 obj\n", id.get()).as_bytes());
        self.write(dictionary);
        self.write(format!("/Length {}>>\nstream\n", data.len()).as_bytes());
        self.write(data);
        self.write(b"\nendstream\nendobj\n");
    }

    /// Compresses and writes a stream. `entries` adds to its dictionary.
    pub fn stream(
        &mut self,
        id: Ref,
        data: &[u8],
        entries: impl FnOnce(&mut pdf_writer::Stream<'_>),
    ) {
        let level = if self.packed < SHORT { LEVEL } else { QUICK };
        self.packed = self.packed.saturating_add(data.len());
        let mut packed = compress_to_vec_zlib(data, level);
        if let Some((_, cipher)) = &self.cipher {
            packed = cipher(&packed);
        }
        let mut chunk = compact();
        let mut stream = chunk.stream(id, &packed);
        stream.filter(Filter::FlateDecode);
        entries(&mut stream);
        stream.finish();
        self.object(id, &chunk);
    }

    /// Begins a stream whose data comes in pieces. `entries` adds to its dictionary, but not the length. Nothing else
    /// may be written before [`end_stream`](Self::end_stream).
    pub(crate) fn begin_stream(&mut self, id: Ref, entries: impl FnOnce(&mut Dict<'_>)) {
        // The length is an object of its own, since it is known only at the end.
        let length = self.next();
        let mut chunk = compact();
        let mut dictionary = chunk.indirect(id).dict();
        entries(&mut dictionary);
        dictionary.pair(Name(b"Length"), length);
        dictionary.finish();
        let bytes = chunk.as_bytes();
        let end = bytes.windows(6).rposition(|window| window == b"endobj");
        self.locations[id.get() as usize - 1] = Location::At(self.position);
        self.write(bytes[..end.unwrap_or(bytes.len())].trim_ascii_end());
        self.write(b"\nstream\n");
        self.open = Some((length, self.position));
    }

    /// Writes a piece of the open stream.
    pub fn data(&mut self, bytes: &[u8]) {
        self.write(bytes);
    }

    /// Ends the open stream, if there is one.
    pub fn end_stream(&mut self) {
        let Some((length, start)) = self.open.take() else {
            return;
        };
        let len = self.position - start;
        self.write(b"\nendstream\nendobj\n");
        let mut chunk = compact();
        // Most programs read 32-bit numbers; no job may write a longer stream.
        chunk
            .indirect(length)
            .primitive(i32::try_from(len).unwrap_or(i32::MAX));
        self.object(length, &chunk);
    }

    /// Writes the waiting objects as an object stream (ISO 32000-1, 7.5.7): pairs of object number and offset, and then
    /// the objects.
    fn flush(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let id = self.next();
        let waiting = std::mem::take(&mut self.waiting);
        let mut data = Vec::new();
        for (nth, (object, at)) in (0..).zip(&waiting) {
            data.extend_from_slice(format!("{object} {at} ").as_bytes());
            self.locations[*object as usize - 1] = Location::Within(id.get(), nth);
        }
        let first = data.len() as i32;
        data.append(&mut self.bodies);
        self.stream(id, &data, |stream| {
            stream.pair(Name(b"Type"), Name(b"ObjStm"));
            stream.pair(Name(b"N"), waiting.len() as i32);
            stream.pair(Name(b"First"), first);
        });
    }

    /// Writes the cross-reference stream (ISO 32000-1, 7.5.8) and the trailer.
    ///
    /// Errors: a part of the file could not be written.
    pub fn end(&mut self, catalog: Ref, info: Ref) -> Result<()> {
        self.flush();
        let id = self.next();
        let at = self.position;
        self.locations[id.get() as usize - 1] = Location::At(at);
        // The width of the position field. Not all viewers support widths of five to seven bytes.
        let wide = if u32::try_from(at).is_ok() { 4 } else { 8 };
        let mut rows = Vec::with_capacity((self.locations.len() + 1) * (wide + 3));
        let mut row = |kind: u8, location: u64, nth: u16| {
            rows.push(kind);
            rows.extend_from_slice(&location.to_be_bytes()[8 - wide..]);
            rows.extend_from_slice(&nth.to_be_bytes());
        };
        // Object 0 is the head of the free list. Types: 0 is free, 1 a position, and 2 an object stream.
        row(0, 0, u16::MAX);
        for location in &self.locations {
            match *location {
                Location::Unwritten => row(0, 0, 0),
                Location::At(at) => row(1, at, 0),
                Location::Within(stream, nth) => row(2, stream as u64, nth),
            }
        }
        let packed = compress_to_vec_zlib(&rows, LEVEL);
        let digest: Vec<u8> = self
            .digest
            .iter()
            .flat_map(|half| half.to_be_bytes())
            .collect();
        let mut chunk = compact();
        let mut stream = chunk.stream(id, &packed);
        stream.filter(Filter::FlateDecode);
        stream.pair(Name(b"Type"), Name(b"XRef"));
        stream.pair(Name(b"Size"), self.locations.len() as i32 + 1);
        stream.insert(Name(b"W")).array().items([1, wide as i32, 2]);
        stream.pair(Name(b"Root"), catalog);
        stream.pair(Name(b"Info"), info);
        if let Some((how, _)) = &self.cipher {
            stream.pair(Name(b"Encrypt"), *how);
        }
        let id_bytes = pdf_writer::Str(&digest);
        stream
            .insert(Name(b"ID"))
            .array()
            .items([id_bytes, id_bytes]);
        stream.finish();
        self.write(chunk.as_bytes());
        self.write(format!("startxref\n{at}\n%%EOF\n").as_bytes());
        self.check()
    }

    /// Memory in use, in bytes.
    pub fn memory(&self) -> u64 {
        (self.locations.capacity() * size_of::<Location>() + self.bodies.capacity()) as u64
    }

    /// Returns the first error of writing, if there was one, at every call. A caller may blame a single picture for the
    /// error and continue, but the file is incomplete, whatever is written afterwards.
    pub fn check(&self) -> Result<()> {
        let Some(error) = &self.failed else {
            return Ok(());
        };
        Err(Error::unwritten(match error.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::new(error.kind(), error.to_string()),
        }))
    }

    /// Writes bytes, and adds them to the digest. After an error, nothing more is written.
    fn write(&mut self, bytes: &[u8]) {
        // The digest is FNV-1a with two lanes of eight bytes. The file identifier only has to differ between files (ISO
        // 32000-1, 14.4).
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            let word = u64::from_le_bytes(word);
            self.digest[0] = (self.digest[0] ^ word).wrapping_mul(0x100_0000_01b3);
            self.digest[1] =
                (self.digest[1].rotate_left(23) ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd);
        }
        self.position += bytes.len() as u64;
        if self.failed.is_none()
            && let Err(error) = self.out.write_all(bytes)
        {
            self.failed = Some(error);
        }
    }
}

/// Creates a chunk for one object, written without superfluous white space.
pub fn compact() -> Chunk {
    Chunk::with_settings(Settings { pretty: false })
}

/// Builds an object in a chunk of its own, and writes it by [`File::small`].
pub fn small(file: &mut File<'_>, id: Ref, write: impl FnOnce(Obj<'_>)) {
    let mut chunk = compact();
    write(chunk.indirect(id));
    file.small(id, &chunk);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_is_reported_by_every_check() {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let mut full = full.unwrap();
        let file = File::new(&mut full);
        for _ in 0..2 {
            assert!(file.check().is_err());
        }
    }
}

//! The last trailer of a file, or the dictionary of its last cross-reference stream (ISO 32000-2, 7.5.5 and 7.5.8),
//! which `hayro` does not expose. Does not repair a damaged file, which has no trailer here.

use hayro::hayro_syntax::object::{Dict, FromBytes, ObjRef};
use memchr::memmem;

/// Number of bytes at the end of the file that are searched for `startxref`. Some programs append more bytes than the
/// standard allows.
const TAIL: usize = 2048;
/// Limit on the bytes of a cross-reference table that are searched for the trailer after it.
const MAX_TABLE: usize = 64 << 20;

/// A trailer dictionary.
pub(crate) struct Trailer<'f> {
    dict: Dict<'f>,
    /// Offset of the cross-reference table or stream, in bytes.
    pub(crate) table: usize,
}

impl<'f> Trailer<'f> {
    /// Reads the trailer at the offset that the end of the file names. `None` if no trailer is there.
    pub(crate) fn of(file: &'f [u8]) -> Option<Self> {
        let tail = file.len().saturating_sub(TAIL);
        let at = tail + memmem::rfind(&file[tail..], b"startxref")? + b"startxref".len();
        let digits = file[at..].trim_ascii_start();
        let len = digits.iter().take_while(|byte| byte.is_ascii_digit());
        let table: usize = std::str::from_utf8(&digits[..len.count()])
            .ok()?
            .parse()
            .ok()?;
        let rest = file.get(table..)?.trim_ascii_start();
        let dict = match rest.strip_prefix(b"xref") {
            Some(rows) => {
                let rows = &rows[..rows.len().min(MAX_TABLE)];
                let at = memmem::find(rows, b"trailer")? + b"trailer".len();
                rows[at..].trim_ascii_start()
            }
            // Otherwise a stream object such as `12 0 obj <<` is at the offset.
            None => {
                let head = &rest[..rest.len().min(64)];
                let at = memmem::find(head, b"obj")? + b"obj".len();
                rest[at..].trim_ascii_start()
            }
        };
        let dict = Dict::from_bytes(dict)?;
        // `Root` is required (7.5.5), so a dictionary without it is not a trailer.
        dict.contains_key("Root").then_some(Self { dict, table })
    }

    /// Returns whether the file is encrypted.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.dict.contains_key("Encrypt")
    }

    /// Reference to the information dictionary.
    pub(crate) fn info(&self) -> Option<ObjRef> {
        self.dict.get_ref("Info")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailers_are_found_at_the_stated_offset() {
        #[track_caller]
        fn check(file: &str, expected: Option<(bool, Option<u32>)>) {
            let found = Trailer::of(file.as_bytes());
            let found =
                found.map(|found| (found.is_encrypted(), found.info().map(|id| id.obj_number)));
            assert_eq!(found, expected, "{file}");
        }
        let table = "xref\n0 1\n0000000000 65535 f \ntrailer\n";
        check(
            &format!("{table}<</Root 1 0 R/Info 7 0 R>>\nstartxref\n0\n%%EOF"),
            Some((false, Some(7))),
        );
        // Similar bytes in text or in a stream are not an entry.
        check(
            &format!("{table}<</Root 1 0 R/A(/Encrypt 5 0 R /Info 8 0 R)>>\nstartxref 0 %%EOF"),
            Some((false, None)),
        );
        check(
            "9 0 obj\n<</Type/XRef/Root 1 0 R/Encrypt 3 0 R/Length 0>>stream\nendstream endobj startxref\n0\n",
            Some((true, None)),
        );
        check("startxref\n0\n", None);
        check("xref startxref 99999999999999999999999 ", None);
    }
}

//! Records (MS-ODRAW 2.2.1; those of MS-PPT 2.3.1 are the same): a header of eight bytes with a type and a length,
//! and data, which may consist of further records. Interprets no record.

use crate::containers::fields::Fields;

/// Size of a header, in bytes.
const HEADER: usize = 8;

/// A record: the fields of its header that are used, and its data.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Record<'a> {
    /// `recType`.
    pub kind: u16,
    /// `recInstance`: distinguishes records of a type, or is a count.
    pub instance: u16,
    pub data: Fields<'a>,
}

impl<'a> Record<'a> {
    /// Reads the first record in `bytes`. A length beyond the end is cut off.
    pub fn first(bytes: Fields<'a>) -> Option<Self> {
        (bytes.len() >= HEADER).then(|| Self {
            kind: bytes.u16(2),
            instance: bytes.u16(0) >> 4,
            data: bytes.part(HEADER, bytes.u32(4) as usize),
        })
    }

    /// Iterates over the records inside this one.
    pub fn records(self) -> Records<'a> {
        Records(self.data)
    }

    /// Returns the first record of this type inside this one.
    pub fn child(self, kind: u16) -> Option<Self> {
        self.records().find(|record| record.kind == kind)
    }
}

/// Iterator over adjacent records.
#[derive(Clone, Copy, Debug, Default)]
pub struct Records<'a>(pub Fields<'a>);

impl<'a> Records<'a> {
    /// Bytes after the records that have been read.
    pub fn rest(self) -> Fields<'a> {
        self.0
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        let record = Record::first(self.0)?;
        self.0 = self.0.from(HEADER + record.data.len());
        Some(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_limited_to_the_data() {
        #[track_caller]
        fn check(bytes: &[u8], expected: &[(u16, u16, usize)]) {
            let found = Records(Fields(bytes));
            let found = found.map(|record| (record.kind, record.instance, record.data.len()));
            assert_eq!(found.collect::<Vec<_>>(), expected);
        }
        check(
            b"\x1f\0\x0a\xf0\x02\0\0\0ab\0\0\x0b\xf0\0\0\0\0",
            &[(0xf00a, 1, 2), (0xf00b, 0, 0)],
        );
        // A length of 4 GiB, and a header that is cut off.
        check(b"\0\0\x0a\xf0\xff\xff\xff\xffab", &[(0xf00a, 0, 2)]);
        check(b"\0\0\x0a\xf0\0\0\0", &[]);
    }
}

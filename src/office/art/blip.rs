//! Pictures ("blips", MS-ODRAW 2.2.23 to 2.2.32), extracted as files. Decodes no picture.
//!
//! JPEG, PNG and TIFF pictures are stored as whole files. A Windows bitmap lacks its BITMAPFILEHEADER, which this
//! module adds. A metafile is usually compressed (zlib); a header before the data states the original length.

use super::records::Record;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

/// Max. length of a decompressed metafile, in bytes.
const MAX_UNPACKED: usize = 64 << 20;

/// Length of an entry of a picture store before its name (2.2.32), in bytes.
const ENTRY: usize = 36;

/// Record type of an entry of a picture store.
const STORED: u16 = 0xf007;

/// Returns the file of a picture, or of the picture in an entry of a store. `None` if it is damaged or of an unknown
/// format.
pub fn blip(record: Record<'_>) -> Option<Vec<u8>> {
    if record.kind == STORED {
        // The length of the name is at offset 33.
        let name = usize::from(record.data.u8(33));
        let inner = Record::first(record.data.from(ENTRY + name))?;
        return (inner.kind != STORED).then(|| blip(inner))?;
    }
    // One or two digests of 16 bytes come first; the lowest bit of the instance states whether there are two.
    let sums = if record.instance & 1 == 1 { 32 } else { 16 };
    let data = record.data.from(sums);
    // The record type is the format of the picture.
    match record.kind {
        // EMF, WMF and PICT with a header of 34 bytes. A PICT file begins with 512 bytes of padding, which are not
        // stored.
        0xf01a..=0xf01c => {
            let (len, is_packed) = (data.u32(0) as usize, data.u8(32) == 0);
            let stored = data.part(34, data.u32(28) as usize).0;
            match is_packed {
                true => decompress_to_vec_zlib_with_limit(stored, MAX_UNPACKED.min(len)).ok(),
                false => Some(stored.to_vec()),
            }
        }
        // JPEG, PNG and TIFF follow after a tag byte.
        0xf01d | 0xf01e | 0xf029 | 0xf02a => Some(data.from(1).0.to_vec()),
        // Device-independent bitmap.
        0xf01f => Some(bitmap(data.from(1).0)),
        _ => None,
    }
}

/// Returns a bitmap with its file header (BITMAPFILEHEADER, 14 bytes), which states where the pixels begin.
fn bitmap(stored: &[u8]) -> Vec<u8> {
    let fields = crate::containers::fields::Fields(stored);
    let header = fields.u32(0);
    let bits = fields.u16(14);
    let colours = match (fields.u32(32), bits) {
        (0, 1..=8) => 1 << bits,
        (said, _) => said.min(256),
    };
    // With BI_BITFIELDS (3), three colour masks follow after a header of 40 bytes. Longer headers contain the masks.
    let masks = if fields.u32(16) == 3 && header == 40 {
        12
    } else {
        0
    };
    let pixels = 14_u32
        .saturating_add(header)
        .saturating_add(masks)
        .saturating_add(colours * 4);
    let mut file = Vec::with_capacity(14 + stored.len());
    file.extend_from_slice(b"BM");
    file.extend((14 + stored.len() as u32).to_le_bytes());
    file.extend([0; 4]);
    file.extend(pixels.to_le_bytes());
    file.extend_from_slice(stored);
    file
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::containers::fields::Fields;

    #[test]
    fn missing_file_headers_are_restored() {
        #[track_caller]
        fn check(kind: u16, instance: u16, data: &[u8], expected: Option<&[u8]>) {
            let record = Record {
                kind,
                instance,
                data: Fields(data),
            };
            assert_eq!(blip(record).as_deref(), expected);
        }
        let after = |sums: usize, rest: &[u8]| [&vec![0; sums][..], rest].concat();
        check(0xf01e, 0x6e0, &after(17, b"\x89PNG"), Some(b"\x89PNG"));
        check(0xf01d, 0x46b, &after(33, b"\xff\xd8"), Some(b"\xff\xd8"));
        check(0xf01c, 0x542, &after(50, b"pict"), None);
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(b"metafile", 6);
        let mut head = [0; 34];
        head[0] = 8;
        head[28] = packed.len() as u8;
        check(
            0xf01a,
            0x3d4,
            &after(16, &[&head[..], &packed].concat()),
            Some(b"metafile"),
        );
        // Data that decompress to more than the stated length are a decompression bomb.
        head[0] = 7;
        check(
            0xf01a,
            0x3d4,
            &after(16, &[&head[..], &packed].concat()),
            None,
        );
        check(0xf01a, 0x3d4, b"", None);
    }
}

//! EXIF and XMP in files: segments of JPEG, chunks of PNG and WebP, tags of TIFF. Reads nothing else of them.

use super::{
    MOST, Metadata,
    exif::{self, XMP},
};
use crate::{image::jpeg, job::Input};
use std::io::{self, Read, SeekFrom};

/// Segments up to the first scan (Exif 2.32, 4.7; XMP specification, part 3, 1.1.3).
pub(crate) fn in_jpeg(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    input.seek(SeekFrom::Start(2))?;
    loop {
        let mut marker = [0; 2];
        input.read_exact(&mut marker)?;
        while marker[1] == 0xff {
            input.read_exact(&mut marker[1..])?;
        }
        if marker[0] != 0xff || marker[1] == 0xda {
            return Ok(());
        }
        let mut len = [0; 2];
        input.read_exact(&mut len)?;
        let len = u16::from_be_bytes(len).saturating_sub(2);
        if marker[1] != 0xe1 {
            input.seek_relative(len.into())?;
            continue;
        }
        let segment = bytes(input, len.into())?;
        if let Some(exif) = segment.strip_prefix(jpeg::EXIF) {
            found.exif.get_or_insert_with(|| exif.to_vec());
        } else if let Some(xmp) = segment.strip_prefix(jpeg::XMP) {
            found.xmp.get_or_insert_with(|| xmp.to_vec());
        }
    }
}

/// The chunk `eXIf`, and the text whose keyword is that of XMP (W3C PNG, third edition, 11.3.2.5 and 11.3.3.4).
pub(crate) fn in_png(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    input.seek(SeekFrom::Start(8))?;
    loop {
        let mut head = [0; 8];
        input.read_exact(&mut head)?;
        let [l0, l1, l2, l3, name @ ..] = head;
        let len = u32::from_be_bytes([l0, l1, l2, l3]);
        let wanted = matches!(&name, b"eXIf" | b"iTXt") && len as usize <= MOST;
        if &name == b"IEND" {
            return Ok(());
        }
        if !wanted {
            input.seek_relative(i64::from(len) + 4)?;
            continue;
        }
        let chunk = bytes(input, u64::from(len))?;
        input.seek_relative(4)?;
        if &name == b"eXIf" {
            found.exif.get_or_insert(chunk);
        } else if let Some(xmp) = packet(&chunk) {
            found.xmp.get_or_insert(xmp);
        }
    }
}

/// The text of a chunk `iTXt`, if it is XMP.
fn packet(chunk: &[u8]) -> Option<Vec<u8>> {
    let rest = chunk.strip_prefix(exif::PNG_KEYWORD.as_bytes())?;
    let [0, compressed, _, rest @ ..] = rest else {
        return None;
    };
    // Behind a language and a translated keyword.
    let mut parts = rest.splitn(3, |byte| *byte == 0);
    let text = parts.nth(2)?;
    if *compressed == 0 {
        return Some(text.to_vec());
    }
    miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(text, MOST).ok()
}

/// The chunks `EXIF` and `XMP ` (RFC 9649, 2.7.1.4 and 2.7.1.5).
pub(crate) fn in_webp(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    input.seek(SeekFrom::Start(12))?;
    loop {
        let mut head = [0; 8];
        input.read_exact(&mut head)?;
        let [n0, n1, n2, n3, l0, l1, l2, l3] = head;
        let len = u32::from_le_bytes([l0, l1, l2, l3]);
        let padding = i64::from(len & 1);
        let slot = match &[n0, n1, n2, n3] {
            b"EXIF" => &mut found.exif,
            b"XMP " => &mut found.xmp,
            _ => {
                input.seek_relative(i64::from(len) + padding)?;
                continue;
            }
        };
        if len as usize > MOST {
            input.seek_relative(i64::from(len) + padding)?;
            continue;
        }
        let chunk = bytes(input, u64::from(len))?;
        input.seek_relative(padding)?;
        // Some writers put the prefix of JPEG before it.
        let chunk = chunk.strip_prefix(jpeg::EXIF).unwrap_or(&chunk);
        slot.get_or_insert_with(|| chunk.to_vec());
    }
}

/// The tags of the first directory, as a structure of their own. BigTIFF is passed over.
pub(crate) fn in_tiff(input: &mut dyn Input, found: &mut Metadata) -> io::Result<()> {
    let mut tree = exif::Tree::read(&mut |at, len| {
        input.seek(SeekFrom::Start(at)).ok()?;
        bytes(input, len as u64).ok()
    });
    if let Some(tree) = &mut tree {
        found.xmp = tree.take(XMP);
    }
    found.exif = tree
        .filter(|tree| !tree.is_empty())
        .map(|tree| tree.block());
    Ok(())
}

/// The next `len` bytes. Allocates no more than there are.
fn bytes(input: &mut dyn Input, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(len).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(bytes)
}

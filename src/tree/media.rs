//! Recognises pictures by their first bytes: media type and size in pixels. Decodes nothing.

use crate::containers::xml;
use crate::length::Length;
#[cfg(feature = "svg")]
use convertd_metafile::{self as metafile, MetafileFormat};

/// The media type of a picture. `None` for types that neither browsers nor office programs show.
pub fn sniff(bytes: &[u8]) -> Option<&'static str> {
    let begins = |magic: &[u8]| bytes.starts_with(magic);
    let at = |position: usize, magic: &[u8]| {
        bytes
            .get(position..)
            .is_some_and(|rest| rest.starts_with(magic))
    };
    Some(match bytes {
        _ if begins(b"\x89PNG\r\n\x1a\n") => "image/png",
        _ if begins(b"\xff\xd8\xff") => "image/jpeg",
        _ if begins(b"GIF87a") || begins(b"GIF89a") => "image/gif",
        _ if begins(b"RIFF") && at(8, b"WEBP") => "image/webp",
        _ if at(4, b"ftypavif") || at(4, b"ftypavis") => "image/avif",
        _ if begins(b"BM") && at(6, b"\0\0\0\0") => "image/bmp",
        _ if begins(b"II*\0") || begins(b"MM\0*") => "image/tiff",
        _ if begins(b"\x01\0\0\0") && at(40, b" EMF") => "image/emf",
        _ if begins(b"\xd7\xcd\xc6\x9a") || begins(b"\x01\0\x09\0\0") => "image/wmf",
        #[cfg(feature = "svg")]
        _ if metafile::kind(bytes) == Some(MetafileFormat::Pict) => "image/x-pict",
        _ if is_svg(bytes) => "image/svg+xml",
        _ => return None,
    })
}

/// The file extension of a media type, without a dot.
pub fn extension(media_type: &str) -> &'static str {
    match media_type {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/avif" => "avif",
        "image/bmp" => "bmp",
        "image/tiff" => "tiff",
        "image/emf" | "image/x-emf" => "emf",
        "image/wmf" | "image/x-wmf" => "wmf",
        "image/x-pict" => "pict",
        "image/svg+xml" => "svg",
        _ => "bin",
    }
}

fn is_svg(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1024)];
    xml::begins(head) && memchr::memmem::find(head, b"<svg").is_some()
}

/// The size of a picture in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// Pixels per inch, horizontally and vertically, if the file states them.
    pub density: Option<(f64, f64)>,
}

/// The size of a PNG, JPEG, GIF, BMP or WebP, read from its header. `None` for anything else, such as a vector drawing.
pub fn size(bytes: &[u8]) -> Option<Size> {
    let size = match sniff(bytes)? {
        "image/png" => png(bytes),
        "image/jpeg" => jpeg(bytes),
        "image/gif" => Some(plain(le16(bytes, 6)?, le16(bytes, 8)?)),
        "image/bmp" => bmp(bytes),
        "image/webp" => webp(bytes),
        _ => None,
    }?;
    (size.width > 0 && size.height > 0).then_some(size)
}

/// Size of a drawing, as its root element states it. An inch has 96 units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawing {
    /// The width, if it is stated.
    pub width: Option<f64>,
    /// The height, if it is stated.
    pub height: Option<f64>,
    /// The width and height of the view box.
    pub view: Option<(f64, f64)>,
}

/// The size of a drawing (SVG) in its units, as the root element states it. If one side is missing, it follows from the
/// proportions of the view box; if both are, the view box is the size (SVG 2, 7.2 and 8.12).
pub fn units(bytes: &[u8]) -> Option<Size> {
    let Drawing {
        width,
        height,
        view,
    } = drawing(bytes)?;
    let (width, height) = match (width, height, view) {
        (Some(width), Some(height), _) => (width, height),
        (Some(width), None, Some(view)) => (width, width * view.1 / view.0),
        (None, Some(height), Some(view)) => (height * view.0 / view.1, height),
        (_, _, view) => view?,
    };
    let side = |units: f64| units.round().clamp(1.0, 1e6) as u32;
    Some(plain(side(width), side(height)))
}

/// The size of a drawing (SVG) as far as its root element states it. `None` if the bytes are not a drawing.
pub fn drawing(bytes: &[u8]) -> Option<Drawing> {
    if sniff(bytes) != Some("image/svg+xml") {
        return None;
    }
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(8192)]);
    let root = &head[head.find("<svg")?..];
    let root = &root[..root.find('>')?];
    let value = |name: &str| {
        let mut names = root.match_indices(name).filter(|(at, _)| {
            let is_whole_name = root[..*at].ends_with(|c: char| c.is_ascii_whitespace());
            is_whole_name && root[at + name.len()..].trim_start().starts_with('=')
        });
        let (at, _) = names.next()?;
        let value = root[at + name.len()..].trim_start().strip_prefix('=')?;
        let mut parts = value.trim_start().split(['"', '\'']);
        parts.next().filter(|before| before.is_empty())?;
        parts.next()
    };
    let length = |name: &str| {
        let value = value(name)?.trim();
        let plain = value.parse().ok();
        let units = plain.or_else(|| Some(Length::parse(value)?.to_points() * 96.0 / 72.0))?;
        (units > 0.0 && units < 1e6).then_some(units)
    };
    let view = value("viewBox").map(|view| {
        let numbers = view
            .split([' ', ',', '\t', '\n'])
            .filter(|part| !part.is_empty());
        numbers
            .filter_map(|part| part.parse().ok())
            .collect::<Vec<f64>>()
    });
    let view = match view.as_deref() {
        Some([_, _, width, height]) if *width > 0.0 && *height > 0.0 => Some((*width, *height)),
        _ => None,
    };
    Some(Drawing {
        width: length("width"),
        height: length("height"),
        view,
    })
}

fn plain(width: u32, height: u32) -> Size {
    Size {
        width,
        height,
        density: None,
    }
}

fn field<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..)?.first_chunk().copied()
}

fn le16(bytes: &[u8], at: usize) -> Option<u32> {
    field(bytes, at).map(|field| u16::from_le_bytes(field).into())
}

fn be16(bytes: &[u8], at: usize) -> Option<u32> {
    field(bytes, at).map(|field| u16::from_be_bytes(field).into())
}

fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    field(bytes, at).map(u32::from_le_bytes)
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    field(bytes, at).map(u32::from_be_bytes)
}

/// Reads the header (PNG, 11.2.1 IHDR), and the density if a chunk before the pixels states one (11.3.4.3 pHYs).
fn png(bytes: &[u8]) -> Option<Size> {
    let mut size = plain(be32(bytes, 16)?, be32(bytes, 20)?);
    let mut at = 8;
    for _ in 0..64 {
        let Some(kind) = field::<4>(bytes, at + 4) else {
            break;
        };
        if &kind == b"IDAT" {
            break;
        }
        if &kind == b"pHYs" && bytes.get(at + 16) == Some(&1) {
            let metre = |at| be32(bytes, at).map(|dots| f64::from(dots) * 0.0254);
            size.density = metre(at + 8).zip(metre(at + 12)).filter(positive);
        }
        let len = be32(bytes, at)? as usize;
        at = at.checked_add(len)?.checked_add(12)?;
    }
    Some(size)
}

fn positive((across, down): &(f64, f64)) -> bool {
    *across >= 1.0 && *down >= 1.0
}

/// Walks the segments up to the frame header (ITU-T T.81, B.2.2), which has the size. The density comes from JFIF 1.02.
fn jpeg(bytes: &[u8]) -> Option<Size> {
    let mut at = 2;
    let mut density = None;
    loop {
        // Any number of 0xFF bytes may precede a marker.
        while bytes.get(at) == Some(&0xff) && bytes.get(at + 1) == Some(&0xff) {
            at += 1;
        }
        let marker = field::<2>(bytes, at)?;
        if marker[0] != 0xff {
            return None;
        }
        let len = be16(bytes, at + 2)? as usize;
        match marker[1] {
            // DHT, JPG and DAC are not frame headers, although their codes are among those of SOF0 to SOF15.
            0xc4 | 0xc8 | 0xcc => {}
            0xc0..=0xcf => {
                return Some(Size {
                    width: be16(bytes, at + 7)?,
                    height: be16(bytes, at + 5)?,
                    density,
                });
            }
            0xd9 | 0xda => return None,
            0xe0 if bytes.get(at + 4..at + 9) == Some(b"JFIF\0") => {
                let unit = match bytes.get(at + 11) {
                    Some(1) => 1.0,
                    Some(2) => 2.54,
                    _ => 0.0,
                };
                let dots = |at| be16(bytes, at).map(|dots| f64::from(dots) * unit);
                density = dots(at + 12).zip(dots(at + 14)).filter(positive);
            }
            _ => {}
        }
        at += 2 + len.max(2);
    }
}

/// Reads the header of a BMP: that of OS/2, which has 12 bytes and 16-bit dimensions, or that of Windows, in which a
/// negative height means that rows are stored from the top.
fn bmp(bytes: &[u8]) -> Option<Size> {
    if le32(bytes, 14)? == 12 {
        return Some(plain(le16(bytes, 18)?, le16(bytes, 20)?));
    }
    let height = field(bytes, 22).map(i32::from_le_bytes)?;
    Some(plain(le32(bytes, 18)?, height.unsigned_abs()))
}

/// Reads the first chunk of a WebP: `VP8X`, `VP8L` (lossless) or `VP8 ` (RFC 9649, 2.5 to 2.7).
fn webp(bytes: &[u8]) -> Option<Size> {
    match &field::<4>(bytes, 12)? {
        b"VP8X" => Some(plain(
            (le32(bytes, 24)? & 0xff_ffff) + 1,
            (le32(bytes, 26)? >> 8) + 1,
        )),
        b"VP8L" => {
            let bits = le32(bytes, 21)?;
            Some(plain((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8 " => Some(plain(le16(bytes, 26)? & 0x3fff, le16(bytes, 28)? & 0x3fff)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_state_their_size() {
        #[track_caller]
        fn check(attributes: &str, expected: Option<(u32, u32)>) {
            let file =
                format!("<?xml version='1.0'?><!-- a > b --><svg {attributes}><g width='9'/>");
            let found = units(file.as_bytes()).map(|size| (size.width, size.height));
            assert_eq!(found, expected, "{attributes}");
        }
        check("width='30' height = \"20px\"", Some((30, 20)));
        check("width='1in' height='72pt'", Some((96, 96)));
        check("viewBox='0 0 40 20'", Some((40, 20)));
        check("viewBox='0,0,40,20' width='80'", Some((80, 40)));
        check("viewBox='0 0 40 20' height='80'", Some((160, 80)));
        check(
            "width='100%' height='100%' viewBox='-5 -5 12.6 10'",
            Some((13, 10)),
        );
        check("stroke-width='7' height='5'", None);
        check("width='-3' height='5'", None);
        check("width='1e99' height='5'", None);
        check("width=", None);
        check("", None);
        assert_eq!(units(b"\x89PNG\r\n\x1a\n<svg width='1' height='1'>"), None);
    }
}

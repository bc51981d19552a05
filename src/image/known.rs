//! The formats of pictures, as data. Reads and writes nothing.

use crate::format::{Category, Format, Magic};

const fn image(
    name: &'static str,
    aliases: &'static [&'static str],
    description: &'static str,
    media_type: &'static str,
    magic: &'static [Magic],
) -> Format {
    Format {
        name,
        aliases,
        category: Category::Image,
        description,
        media_type,
        magic,
    }
}

/// A version (0, 2 to 5), run-length coding, and 1, 2, 4 or 8 bits; and a byte that is always 0.
#[rustfmt::skip]
const PCX_MAGIC: &[Magic] = &[
    &[(0, b"\n\0\x01\x01"), (64, b"\0")], &[(0, b"\n\0\x01\x02"), (64, b"\0")],
    &[(0, b"\n\x02\x01\x01"), (64, b"\0")], &[(0, b"\n\x02\x01\x04"), (64, b"\0")],
    &[(0, b"\n\x03\x01\x01"), (64, b"\0")], &[(0, b"\n\x03\x01\x04"), (64, b"\0")],
    &[(0, b"\n\x04\x01\x01"), (64, b"\0")], &[(0, b"\n\x04\x01\x04"), (64, b"\0")],
    &[(0, b"\n\x05\x01\x01"), (64, b"\0")], &[(0, b"\n\x05\x01\x02"), (64, b"\0")],
    &[(0, b"\n\x05\x01\x04"), (64, b"\0")], &[(0, b"\n\x05\x01\x08"), (64, b"\0")],
];

/// In the order in which `/formats` lists them. Where two signatures could match the same file, the longer one stands first.
pub(crate) static FORMATS: &[Format] = &[
    image(
        "jpg",
        &["jpeg", "jpe", "jfif"],
        "JPEG photograph",
        "image/jpeg",
        &[&[(0, b"\xff\xd8\xff")]],
    ),
    image(
        "apng",
        &[],
        "Animated PNG",
        "image/apng",
        &[&[(0, b"\x89PNG\r\n\x1a\n"), (37, b"acTL")]],
    ),
    image(
        "png",
        &[],
        "Portable Network Graphics",
        "image/png",
        &[&[(0, b"\x89PNG\r\n\x1a\n")]],
    ),
    image(
        "gif",
        &[],
        "Graphics Interchange Format",
        "image/gif",
        &[&[(0, b"GIF87a")], &[(0, b"GIF89a")]],
    ),
    image(
        "webp",
        &[],
        "WebP picture",
        "image/webp",
        &[&[(0, b"RIFF"), (8, b"WEBP")]],
    ),
    image(
        "avif",
        &[],
        "AV1 picture",
        "image/avif",
        &[&[(4, b"ftypavif")], &[(4, b"ftypavis")]],
    ),
    image(
        "tiff",
        &["tif"],
        "Tagged Image File Format",
        "image/tiff",
        &[
            &[(0, b"II*\0")],
            &[(0, b"MM\0*")],
            &[(0, b"II+\0")],
            &[(0, b"MM\0+")],
        ],
    ),
    image(
        "bmp",
        &["dib"],
        "Windows bitmap",
        "image/bmp",
        &[&[(0, b"BM"), (6, b"\0\0\0\0")]],
    ),
    image(
        "ico",
        &[],
        "Windows icon",
        "image/vnd.microsoft.icon",
        &[&[(0, b"\0\0\x01\0"), (5, b"\0")]],
    ),
    image(
        "qoi",
        &[],
        "Quite OK Image",
        "image/qoi",
        &[&[(0, b"qoif")]],
    ),
    image(
        "hdr",
        &["rgbe"],
        "Radiance high dynamic range",
        "image/vnd.radiance",
        &[&[(0, b"#?RADIANCE")], &[(0, b"#?RGBE")]],
    ),
    image(
        "exr",
        &[],
        "OpenEXR high dynamic range",
        "image/x-exr",
        &[&[(0, b"\x76\x2f\x31\x01")]],
    ),
    image(
        "ff",
        &["farbfeld"],
        "Farbfeld 16-bit picture",
        "image/x-farbfeld",
        &[&[(0, b"farbfeld")]],
    ),
    image(
        "dds",
        &[],
        "DirectDraw surface",
        "image/vnd-ms.dds",
        &[&[(0, b"DDS \x7c\0\0\0")]],
    ),
    image(
        "pbm",
        &[],
        "Portable bitmap, black and white",
        "image/x-portable-bitmap",
        &[&[(0, b"P1")], &[(0, b"P4")]],
    ),
    image(
        "pgm",
        &[],
        "Portable greymap",
        "image/x-portable-graymap",
        &[&[(0, b"P2")], &[(0, b"P5")]],
    ),
    image(
        "ppm",
        &["pnm"],
        "Portable pixmap, colour",
        "image/x-portable-pixmap",
        &[&[(0, b"P3")], &[(0, b"P6")]],
    ),
    image(
        "pam",
        &[],
        "Portable arbitrary map",
        "image/x-portable-arbitrarymap",
        &[&[(0, b"P7\n")]],
    ),
    image(
        "psd",
        &["psb"],
        "Photoshop document, its flattened picture",
        "image/vnd.adobe.photoshop",
        &[&[(0, b"8BPS\0\x01")], &[(0, b"8BPS\0\x02")]],
    ),
    image(
        "pcx",
        &[],
        "ZSoft Paintbrush",
        "image/vnd.zbrush.pcx",
        PCX_MAGIC,
    ),
    image("svg", &[], "Scalable Vector Graphics", "image/svg+xml", &[]),
    image(
        "jxl",
        &[],
        "JPEG XL",
        "image/jxl",
        &[&[(0, b"\xff\x0a")], &[(0, b"\0\0\0\x0cJXL \r\n\x87\n")]],
    ),
    image(
        "tga",
        &["targa", "icb", "vda", "vst"],
        "Truevision TGA",
        "image/x-tga",
        &[],
    ),
];

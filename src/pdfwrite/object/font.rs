//! A font in a PDF: the subset in use, with widths and a ToUnicode CMap (composite fonts, ISO 32000-1, 9.7 and 9.10). A
//! CID stands for a pair of glyph and text, so that a glyph can have different texts. Neither chooses fonts nor shapes
//! text.

use super::file::{File, small};
use crate::{
    error::{Error, Kind, Result},
    fonts::used::{Font, Outlines},
};
use pdf_writer::{
    Name, Ref, Str,
    types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap},
    writers::{CidFont, FontDescriptor, Type0Font},
};
use subsetter::GlyphRemapper;

/// Character collection `Adobe-Identity-0`, for CIDs whose meaning is only in this file.
pub const IDENTITY: SystemInfo<'static> = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

/// Returns whether a font can be embedded with all of its glyphs.
pub fn embeds(font: &Font<'_>) -> bool {
    let mut remapper = GlyphRemapper::new();
    (0..font.glyphs()).for_each(|glyph| {
        remapper.remap(glyph);
    });
    subsetter::subset(font.data(), 0, &remapper).is_ok()
}

/// Writes the composite font `id`, which refers to the font `descendant`, and its ToUnicode CMap as the object
/// `unicode`.
pub fn composite(
    file: &mut File<'_>,
    id: Ref,
    name: &str,
    descendant: Ref,
    (unicode, cmap): (Ref, UnicodeCmap<u16>),
) {
    let cmap = cmap.finish();
    file.stream(unicode, &cmap, |stream| {
        stream.pair(Name(b"Type"), Name(b"CMap"));
        stream.pair(Name(b"CMapName"), Name(b"Custom"));
    });
    small(file, id, |object| {
        let mut type0: Type0Font<'_> = object.start();
        type0.base_font(Name(name.as_bytes()));
        type0.encoding_predefined(Name(b"Identity-H"));
        type0.descendant_font(descendant);
        type0.to_unicode(unicode);
    });
}

/// Writes a font as the object `id`. `number` is unique among the fonts of the file.
///
/// Errors: no subset of the font can be made. This does not happen with the fonts of the program.
pub fn embed(font: &Font<'_>, file: &mut File<'_>, id: Ref, number: u16) -> Result<()> {
    let mut remapper = GlyphRemapper::new();
    let glyphs: Vec<u16> = font
        .used()
        .iter()
        .map(|(glyph, _)| remapper.remap(*glyph))
        .collect();
    let subset = subsetter::subset(font.data(), 0, &remapper).map_err(|err| {
        Error::new(Kind::Internal, "a font could not be put into the file")
            .caused_by(err.to_string())
    })?;
    // For fonts with PostScript outlines, only the `CFF ` table is embedded (ISO 32000-1, 9.9).
    let subset = match font.outlines() {
        Outlines::TrueType => subset,
        Outlines::PostScript => table(&subset, *b"CFF ").map_or(subset.clone(), <[u8]>::to_vec),
    };
    let is_truetype = font.outlines() == Outlines::TrueType;
    let name = subset_name(font, number);
    let (descendant, descriptor) = (file.next(), file.next());
    let (program, unicode, map) = (file.next(), file.next(), file.next());
    file.stream(program, &subset, |stream| {
        if is_truetype {
            stream.pair(Name(b"Length1"), subset.len() as i32);
        } else {
            stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
        }
    });
    // Map from CIDs to the glyphs of the subset. Several CIDs may show the same glyph.
    let gids: Vec<u8> = std::iter::once(0)
        .chain(glyphs)
        .flat_map(u16::to_be_bytes)
        .collect();
    if is_truetype {
        file.stream(map, &gids, |_| ());
    }
    let mut cmap = UnicodeCmap::<u16>::new(Name(b"Custom"), IDENTITY);
    for (cid, (_, text)) in (1..).zip(font.used()) {
        cmap.pair_with_multiple(cid, text.chars());
    }
    composite(file, id, &name, descendant, (unicode, cmap));
    small(file, descendant, |object| {
        let mut cid: CidFont<'_> = object.start();
        cid.subtype(if is_truetype {
            CidFontType::Type2
        } else {
            CidFontType::Type0
        });
        cid.base_font(Name(name.as_bytes()));
        cid.system_info(IDENTITY);
        cid.font_descriptor(descriptor);
        // CID 0 is `.notdef`, and the pairs are numbered from 1.
        cid.default_width(0.0);
        let widths = font
            .used()
            .iter()
            .map(|(glyph, _)| width(font.advance(*glyph) as u16, font.units()));
        cid.widths().consecutive(1, widths);
        if is_truetype {
            cid.cid_to_gid_map_stream(map);
        }
    });
    let metrics = &font.metrics;
    // Converts font units to thousandths of the font size.
    let part = |units: f32| (units * 1000.0 / font.units()).round();
    let bounds = metrics.bounds.unwrap_or_default();
    small(file, descriptor, |object| {
        let mut descriptor: FontDescriptor<'_> = object.start();
        descriptor.name(Name(name.as_bytes()));
        let mut flags = FontFlags::SYMBOLIC;
        flags.set(FontFlags::FIXED_PITCH, metrics.is_monospace);
        flags.set(FontFlags::ITALIC, metrics.italic_angle != 0.0);
        descriptor.flags(flags);
        descriptor.bbox(pdf_writer::Rect::new(
            part(bounds.x_min),
            part(bounds.y_min),
            part(bounds.x_max),
            part(bounds.y_max),
        ));
        descriptor.italic_angle(metrics.italic_angle);
        descriptor.ascent(part(metrics.ascent));
        descriptor.descent(part(metrics.descent));
        descriptor.cap_height(part(metrics.cap_height.unwrap_or(metrics.ascent)));
        // Fonts do not state the width of their stems, so typical values are written.
        descriptor.stem_v(if font.is_bold() { 140.0 } else { 85.0 });
        if is_truetype {
            descriptor.font_file2(program);
        } else {
            descriptor.font_file3(program);
        }
    });
    Ok(())
}

/// Name of a subset: a tag of six capital letters that differs between subsets, and the name of the font (ISO 32000-1,
/// 9.6.4).
fn subset_name(font: &Font<'_>, number: u16) -> String {
    // FNV-1a.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ u64::from(number);
    for (glyph, _) in font.used() {
        hash = (hash ^ u64::from(*glyph)).wrapping_mul(0x100_0000_01b3);
    }
    let mut tag = String::new();
    for _ in 0..6 {
        tag.push(char::from(b'A' + (hash % 26) as u8));
        hash /= 26;
    }
    format!("{tag}+{}", font.name())
}

/// Width of a glyph in the units of the file: thousandths of the font size.
pub fn width(advance: u16, units: f32) -> f32 {
    (f32::from(advance) * 1000.0 / units).round()
}

/// Returns a table of an OpenType font, found in the table directory (16 bytes per record, after a header of 12 bytes).
fn table(font: &[u8], tag: [u8; 4]) -> Option<&[u8]> {
    let long = |at: usize| Some(u32::from_be_bytes(*font.get(at..)?.first_chunk()?) as usize);
    let count = usize::from(u16::from_be_bytes(*font.get(4..)?.first_chunk()?));
    let mut records = (0..count).map(|number| 12 + 16 * number);
    let record = records.find(|at| font.get(*at..at + 4) == Some(&tag[..]))?;
    let (start, len) = (long(record + 8)?, long(record + 12)?);
    font.get(start..start.checked_add(len)?)
}

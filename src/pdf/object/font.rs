//! A font as a PDF shows it: numbers the glyphs that are shown, and embeds the subset of them, with their widths and the text
//! that they stand for (composite fonts and ToUnicode CMaps, ISO 32000-1, 9.7 and 9.10). Chooses no font, and shapes nothing.
//!
//! A PDF shows glyphs by numbers (CIDs) that its writer chooses. Each pair of a glyph and the text that it stands for gets a CID
//! of its own here, so that copied text is exact also where a font draws different characters with one glyph.

use super::file::{File, small};
use crate::error::{Error, Kind, Result};
use pdf_writer::{
    Name, Ref, Str,
    types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap},
    writers::{CidFont, FontDescriptor, Type0Font},
};
use skrifa::{
    FontRef, MetadataProvider,
    instance::{LocationRef, Size},
    metrics::{GlyphMetrics, Metrics},
    string::StringId,
};
use std::collections::HashMap;
use subsetter::GlyphRemapper;

const IDENTITY: SystemInfo<'static> = SystemInfo {
    registry: Str(b"Adobe"),
    ordering: Str(b"Identity"),
    supplement: 0,
};

/// The format of the outlines of a font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outlines {
    /// TrueType outlines, in the table `glyf`.
    TrueType,
    /// PostScript outlines, in the table `CFF `.
    PostScript,
}

impl Outlines {
    /// `None` if it has neither, as fonts that hold only bitmaps do.
    fn of(font: &FontRef<'_>) -> Option<Self> {
        let has = |tag: &[u8; 4]| font.table_data(skrifa::Tag::new(tag)).is_some();
        match () {
            () if has(b"glyf") => Some(Self::TrueType),
            () if has(b"CFF ") => Some(Self::PostScript),
            () => None,
        }
    }
}

/// See the module.
pub(crate) struct Font<'a> {
    data: &'a [u8],
    font: FontRef<'a>,
    widths: GlyphMetrics<'a>,
    pub(crate) metrics: Metrics,
    outlines: Outlines,
    cids: HashMap<u16, Vec<u16>>,
    /// The glyph and text of each CID, from 1.
    shown: Vec<(u16, Box<str>)>,
}

impl<'a> Font<'a> {
    /// Reads an OpenType file. `None` if it is not readable, or has no outlines.
    pub(crate) fn read(data: &'a [u8]) -> Option<Self> {
        let font = FontRef::from_index(data, 0).ok()?;
        let outlines = Outlines::of(&font)?;
        let (size, location) = (Size::unscaled(), LocationRef::default());
        Some(Self {
            data,
            widths: font.glyph_metrics(size, location),
            metrics: font.metrics(size, location),
            outlines,
            cids: HashMap::new(),
            shown: Vec::new(),
            font,
        })
    }

    /// The font itself, to shape text with.
    pub(crate) fn font(&self) -> &FontRef<'a> {
        &self.font
    }

    /// Units of the font in a font size of 1.
    pub(crate) fn units(&self) -> f32 {
        f32::from(self.metrics.units_per_em.max(1))
    }

    /// How wide a glyph is, in units of the font.
    pub(crate) fn advance(&self, glyph: u16) -> i32 {
        self.widths
            .advance_width(skrifa::GlyphId::from(glyph))
            .unwrap_or(0.0) as i32
    }

    /// Whether any glyph is shown.
    pub(crate) fn is_shown(&self) -> bool {
        !self.shown.is_empty()
    }

    /// The CID of a glyph that stands for `text`. There are at most 65,535; beyond that, the missing glyph is shown. A font with
    /// PostScript outlines assigns CIDs to its glyphs itself, so that each glyph has only one.
    pub(crate) fn cid(&mut self, glyph: u16, text: &str) -> u16 {
        let known = self.cids.entry(glyph).or_default();
        if let (Outlines::PostScript, Some(cid)) = (self.outlines, known.first()) {
            return *cid;
        }
        let said = |cid: &&u16| &*self.shown[usize::from(**cid) - 1].1 == text;
        if let Some(cid) = known.iter().find(said) {
            return *cid;
        }
        let Ok(cid) = u16::try_from(self.shown.len() + 1) else {
            return 0;
        };
        self.shown.push((glyph, text.into()));
        known.push(cid);
        cid
    }

    /// The font's PostScript name.
    fn name(&self) -> String {
        let names = self.font.localized_strings(StringId::POSTSCRIPT_NAME);
        let name = names
            .english_or_first()
            .map(|name| name.to_string())
            .unwrap_or_default();
        let name: String = name
            .chars()
            .filter(|c: &char| c.is_ascii_alphanumeric() || *c == '-')
            .take(60)
            .collect();
        if name.is_empty() {
            "Font".to_owned()
        } else {
            name
        }
    }

    fn is_bold(&self) -> bool {
        self.font.attributes().weight.value() >= 600.0
    }

    /// Writes the font as the object `font`. `number` differs between the fonts of a file.
    ///
    /// Errors: no subset of the font can be made. This does not happen with the fonts that are compiled in.
    pub(crate) fn write(&self, file: &mut File<'_>, font: Ref, number: u16) -> Result<()> {
        let mut remapper = GlyphRemapper::new();
        let glyphs: Vec<u16> = self
            .shown
            .iter()
            .map(|(glyph, _)| remapper.remap(*glyph))
            .collect();
        let subset = subsetter::subset(self.data, 0, &remapper).map_err(|err| {
            Error::new(Kind::Internal, "a font could not be put into the file")
                .caused_by(err.to_string())
        })?;
        // Of a font with PostScript's outlines, a PDF holds that table alone (ISO 32000-1, 9.9).
        let subset = match self.outlines {
            Outlines::TrueType => subset,
            Outlines::PostScript => table(&subset, *b"CFF ").map_or(subset.clone(), <[u8]>::to_vec),
        };
        let is_truetype = self.outlines == Outlines::TrueType;
        let name = self.subset_name(number);
        let (descendant, descriptor) = (file.next(), file.next());
        let (program, unicode, map) = (file.next(), file.next(), file.next());
        file.stream(program, &subset, |stream| {
            if is_truetype {
                stream.pair(Name(b"Length1"), subset.len() as i32);
            } else {
                stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
            }
        });
        // CIDs count the pairs of a glyph and its text; several may show the same glyph.
        let gids: Vec<u8> = std::iter::once(0)
            .chain(glyphs)
            .flat_map(u16::to_be_bytes)
            .collect();
        if is_truetype {
            file.stream(map, &gids, |_| ());
        }
        let mut cmap = UnicodeCmap::<u16>::new(Name(b"Custom"), IDENTITY);
        for (cid, (_, text)) in (1..).zip(&self.shown) {
            cmap.pair_with_multiple(cid, text.chars());
        }
        let cmap = cmap.finish();
        file.stream(unicode, &cmap, |stream| {
            stream.pair(Name(b"Type"), Name(b"CMap"));
            stream.pair(Name(b"CMapName"), Name(b"Custom"));
        });
        small(file, font, |object| {
            let mut type0: Type0Font<'_> = object.start();
            type0.base_font(Name(name.as_bytes()));
            type0.encoding_predefined(Name(b"Identity-H"));
            type0.descendant_font(descendant);
            type0.to_unicode(unicode);
        });
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
            cid.default_width(0.0);
            let widths = self
                .shown
                .iter()
                .map(|(glyph, _)| width(self.advance(*glyph) as u16, self.units()));
            cid.widths().consecutive(1, widths);
            if is_truetype {
                cid.cid_to_gid_map_stream(map);
            }
        });
        let metrics = &self.metrics;
        let part = |units: f32| (units * 1000.0 / self.units()).round();
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
            descriptor.stem_v(if self.is_bold() { 140.0 } else { 85.0 });
            if is_truetype {
                descriptor.font_file2(program);
            } else {
                descriptor.font_file3(program);
            }
        });
        Ok(())
    }

    /// The name of a subset: six capital letters that differ between subsets, and the name of the font (9.6.4).
    fn subset_name(&self, number: u16) -> String {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ u64::from(number);
        for (glyph, _) in &self.shown {
            hash = (hash ^ u64::from(*glyph)).wrapping_mul(0x100_0000_01b3);
        }
        let mut tag = String::new();
        for _ in 0..6 {
            tag.push(char::from(b'A' + (hash % 26) as u8));
            hash /= 26;
        }
        format!("{tag}+{}", self.name())
    }
}

/// The width of a glyph in the units of the file: thousandths of the font size.
pub(crate) fn width(advance: u16, units: f32) -> f32 {
    (f32::from(advance) * 1000.0 / units).round()
}

/// A table of an OpenType font.
fn table(font: &[u8], tag: [u8; 4]) -> Option<&[u8]> {
    let long = |at: usize| Some(u32::from_be_bytes(*font.get(at..)?.first_chunk()?) as usize);
    let count = usize::from(u16::from_be_bytes(*font.get(4..)?.first_chunk()?));
    let mut records = (0..count).map(|number| 12 + 16 * number);
    let record = records.find(|at| font.get(*at..at + 4) == Some(&tag[..]))?;
    let (start, len) = (long(record + 8)?, long(record + 12)?);
    font.get(start..start.checked_add(len)?)
}

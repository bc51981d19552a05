//! Styles of fonts (bold, italic, monospaced), mostly by their names. Fonts that pages share are loaded once.
//!
//! The interpreter identifies the outline of a glyph, but not its font. So simple fonts are loaded here as well, and
//! the outlines of their 256 codes are recorded. For composite fonts, the interpreter provides the font name.

use hayro::{
    hayro_interpret::{
        InterpreterSettings,
        font::{GlyphIdentifier, OutlineGlyph},
    },
    hayro_syntax::{
        object::{Array, Dict, Name, ObjectIdentifier, Stream},
        page::{Page, Resources},
    },
};
use hayro_font::{FontCache, FontGlyph};
use std::collections::{HashMap, HashSet};

/// Limit on the fonts loaded for their style.
const MAX_FONTS: usize = 500;

/// Limit on the depth to which forms are searched for fonts.
const MAX_DEPTH: usize = 8;

/// Style of a letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Style {
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    /// Whether the font is monospaced.
    pub(crate) fixed: bool,
    /// Weight: 0 is regular, negative lighter, 1 medium, 2 semibold, 3 bold, 4 heavier. In a text
    /// that is all light, regular letters stand out.
    pub(crate) weight: i8,
    /// Vertical shift relative to the line.
    pub(crate) shift: Shift,
    /// Font, size and colour, for formats that keep them; otherwise the default.
    pub(crate) appearance: Appearance,
}

/// Vertical shift of smaller letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Shift {
    #[default]
    None,
    Raised,
    Lowered,
    /// Superscript mark of a footnote, with the index of the note.
    Mark(u16),
}

/// Font, size and colour of letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Appearance {
    /// Index of the font family in [`Styles::families`], from 1; 0 if unknown.
    pub(crate) family: u16,
    /// Font size in half points; 0 if unknown.
    pub(crate) size: u16,
    /// Red, green and blue, 0 to 255.
    pub(crate) colour: [u8; 3],
}

impl Style {
    /// Style implied by a font name.
    fn named(name: &str) -> Self {
        // In TeX's font names, `cm` is Computer Modern and `sf` its variant CM-Super; `bx`, `ti`,
        // `sl` and `tt` are bold extended, text italic, slanted and typewriter.
        let appearance = Appearance::default();
        let name = name.to_ascii_lowercase();
        let contains = |words: &[&str]| words.iter().any(|word| name.contains(word));
        let weight = weight(&name);
        Self {
            bold: weight >= BOLD || contains(&["demi", "cmbx", "sfbx", "-bd"]),
            italic: contains(&[
                "ital", "oblique", "cmti", "cmsl", "sfti", "slanted", "kursiv",
            ]),
            fixed: contains(&[
                "courier",
                "mono",
                "cmtt",
                "consol",
                "sftt",
                "typewriter",
                "lettergothic",
                "letter gothic",
            ]),
            weight,
            shift: Shift::None,
            appearance,
        }
    }
}

/// Weight of bold fonts.
const BOLD: i8 = 3;

/// Weight by a font name in lower case.
fn weight(name: &str) -> i8 {
    let contains = |words: &[&str]| words.iter().any(|word| name.contains(word));
    // URW's "Medi" is semibold to bold, unlike others' "Medium".
    let is_medi = name.ends_with("-medi") || name.ends_with("-mediital");
    if contains(&["black", "heavy", "extrabold", "ultrabold"]) {
        BOLD + 1
    } else if contains(&["bold", "cmbx", "sfbx", "-bd"]) || is_medi {
        BOLD
    } else if contains(&["demi"]) {
        2
    } else if contains(&["medium"]) {
        1
    } else if contains(&["light", "thin", "-lt", "hairline"]) {
        -1
    } else {
        0
    }
}

/// Returns whether a font is monospaced: all its widths are equal, and it declares itself
/// fixed-pitch or has widths for an alphabet.
fn is_fixed(font: &Dict<'_>) -> bool {
    /// Flag FixedPitch of a font descriptor (ISO 32000-2, 9.8.2).
    const FIXED_PITCH: u32 = 1;
    /// Minimum number of widths, for fonts without that flag.
    const ENOUGH: usize = 40;
    let descriptor = font.get::<Dict<'_>>("FontDescriptor");
    let flags = descriptor.and_then(|descriptor| descriptor.get::<u32>("Flags"));
    let is_declared = flags.is_some_and(|flags| flags & FIXED_PITCH != 0);
    let Some(widths) = font.get::<Array<'_>>("Widths") else {
        return false;
    };
    let widths = widths.iter::<f32>().filter(|width| *width > 0.0);
    let widths: Vec<f32> = widths.take(256).collect();
    let same = |pair: &[f32]| (pair[0] - pair[1]).abs() < 2.0;
    (is_declared || widths.len() >= ENOUGH) && widths.windows(2).all(same)
}

/// Styles of the fonts of a file found so far.
#[derive(Default)]
pub(crate) struct Styles {
    /// Styles by the identifier of a glyph outline.
    outlines: HashMap<GlyphIdentifier, Style>,
    /// Font families, if fonts, sizes and colours are kept.
    families: Option<Vec<Box<str>>>,
    /// Whether only the styles of monospaced simple fonts are stored.
    only_fixed: bool,
    /// Fonts and forms already examined.
    seen: HashSet<ObjectIdentifier>,
    /// Number of fonts loaded.
    fonts: usize,
}

impl Styles {
    /// Empty styles; `keeps_appearance` states whether font, size and colour are kept.
    pub(crate) fn new(keeps_appearance: bool) -> Self {
        Self {
            families: keeps_appearance.then(Vec::new),
            ..Self::default()
        }
    }

    /// Empty styles that load only the simple fonts that are monospaced, which is faster.
    pub(crate) fn only_fixed() -> Self {
        Self {
            only_fixed: true,
            ..Self::default()
        }
    }

    /// Font families, if fonts, sizes and colours are kept.
    pub(crate) fn families(&self) -> Option<&[Box<str>]> {
        self.families.as_deref()
    }

    /// Index of a font's family, from 1; 0 if it is not recorded.
    fn family(&self, font: &str) -> u16 {
        let family = family(font);
        let mut known = self.families.iter().flatten();
        let at = known.position(|known| **known == *family);
        at.map_or(0, |at| at as u16 + 1)
    }

    /// Adds the fonts of a page.
    pub(crate) fn add(&mut self, page: &Page<'_>) {
        let fonts = FontCache::new();
        self.add_resources(page.resources(), &fonts, 0);
    }

    /// Adds the fonts of a resource dictionary, and of the forms in it.
    fn add_resources<'a>(
        &mut self,
        resources: &Resources<'a>,
        fonts: &FontCache<'a>,
        depth: usize,
    ) {
        let settings = InterpreterSettings::default();
        for name in resources.fonts.keys() {
            let Some(dict) = resources.get_font(&name) else {
                continue;
            };
            let reference = resources.fonts.get_ref(&name);
            if reference.is_some_and(|id| !self.seen.insert(id.into())) {
                continue;
            }
            let base = dict.get::<Name<'_>>("BaseFont");
            let kind = dict.get::<Name<'_>>("Subtype");
            let is_simple =
                kind.is_some_and(|kind| matches!(&*kind, b"Type1" | b"MMType1" | b"TrueType"));
            let mut style = base
                .as_ref()
                .map_or_else(Style::default, |name| Style::named(name.as_str()));
            style.fixed |= is_simple && is_fixed(&dict);
            if let (Some(families), Some(base)) = (&mut self.families, &base) {
                let family = family(base.as_str());
                if families.len() < MAX_FONTS && !families.contains(&family) {
                    families.push(family);
                }
                style.appearance.family = self.family(base.as_str());
            }
            // The default style is not stored.
            let is_plain = style == Style::default() || self.only_fixed && !style.fixed;
            if !is_simple || is_plain || self.fonts >= MAX_FONTS {
                continue;
            }
            self.fonts += 1;
            let font = fonts.font(&dict, &settings.font_resolver, &settings.cmap_resolver);
            let Some(font) = font else { continue };
            // Codes of simple fonts are single bytes (ISO 32000-2, 9.6).
            for code in 0..=255 {
                if let FontGlyph::Outline(outline) = font.glyph(font.map_code(code), code) {
                    self.outlines.insert(outline.identifier(), style);
                }
            }
        }
        if depth == MAX_DEPTH {
            return;
        }
        // Form XObjects have resources of their own (ISO 32000-2, 8.10).
        for name in resources.x_objects.keys() {
            let Some(form) = resources.x_objects.get::<Stream<'a>>(&name) else {
                continue;
            };
            let is_new = form.dict().obj_id().is_none_or(|id| self.seen.insert(id));
            if is_new && let Some(inner) = form.dict().get::<Dict<'a>>("Resources") {
                self.add_resources(&Resources::new(inner), fonts, depth + 1);
            }
        }
    }

    /// Style of a glyph: the stored style of its simple font, or else the style in the font data.
    pub(crate) fn of(&self, outline: &OutlineGlyph) -> Style {
        if !self.outlines.is_empty()
            && let Some(style) = self.outlines.get(&outline.identifier())
        {
            return *style;
        }
        let keeps = self.families.is_some();
        outline.font_data().map_or_else(Style::default, |font| {
            let named = font.postscript_name.as_deref().map(Style::named);
            let named = named.unwrap_or_default();
            let family = font.postscript_name.as_deref().filter(|_| keeps);
            // 600 is semibold in OpenType's `usWeightClass`. Such fonts and heavier ones count as bold.
            let is_heavy = font.weight.is_some_and(|weight| weight >= 600);
            Style {
                appearance: Appearance {
                    family: family.map_or(0, |name| self.family(name)),
                    ..Appearance::default()
                },
                bold: named.bold || is_heavy,
                weight: named.weight.max(if is_heavy { BOLD } else { named.weight }),
                shift: Shift::None,
                italic: named.italic || font.is_italic,
                fixed: named.fixed || font.is_monospace,
            }
        })
    }
}

/// Family by a font name: without subset prefix and style suffixes, with spaces between words.
fn family(font: &str) -> Box<str> {
    let name = match font.split_once('+') {
        Some((subset, name)) if subset.len() == 6 => name,
        _ => font,
    };
    let name = name.split(['-', ',']).next().unwrap_or(name);
    let name = ["PSMT", "MT", "PS"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name);
    let mut words = String::new();
    let mut before = ' ';
    for c in name.chars().filter(|c| !c.is_control()).take(60) {
        if c.is_uppercase() && before.is_lowercase() {
            words.push(' ');
        }
        words.push(c);
        before = c;
    }
    words.into()
}

#[cfg(test)]
mod tests {
    use super::{Style, family, weight};

    #[test]
    fn families_are_recognised_by_the_names_of_fonts() {
        #[track_caller]
        fn check(name: &str, expected: &str) {
            assert_eq!(&*family(name), expected);
        }
        check("ABCDEF+TimesNewRomanPS-BoldMT", "Times New Roman");
        check("Arial-BoldMT", "Arial");
        check("Calibri,Bold", "Calibri");
        check("LiberationSerif", "Liberation Serif");
        check("CMR10", "CMR10");
    }

    #[test]
    fn styles_are_recognised_by_the_names_of_fonts() {
        #[track_caller]
        fn check(name: &str, bold: bool, italic: bool, fixed: bool) {
            let style = Style::named(name);
            assert_eq!(
                (style.bold, style.italic, style.fixed),
                (bold, italic, fixed),
                "{name}"
            );
        }
        check("ABCDEF+Arimo-BoldItalic", true, true, false);
        check("Helvetica", false, false, false);
        check("Courier-Oblique", false, true, true);
        check("CMBX10", true, false, false);
        check("AAAAAD+SFBX1000", true, false, false);
        check("NimbusRomNo9L-MediItal", true, true, false);
        check("MyriadPro-Medium", false, false, false);
        check("LetterGothic-Bold", true, false, true);
        assert!(weight("kopubdotummedium") > weight("kopubbatanglight") + 1);
    }
}

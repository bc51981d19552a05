//! Tells by their names whether fonts are bold, italic or monospaced. Loads each font once.
//!
//! The interpreter identifies the outline of a glyph, but not the font it comes from. So simple fonts are loaded here as well,
//! and the outlines of their 256 codes are recorded. For composite fonts the interpreter gives the name.

use hayro::{
    hayro_interpret::{
        InterpreterSettings,
        font::{GlyphIdentifier, OutlineGlyph},
    },
    hayro_syntax::{
        object::{Dict, Name, ObjectIdentifier, Stream},
        page::{Page, Resources},
    },
};
use hayro_font::{FontCache, FontGlyph};
use std::collections::{HashMap, HashSet};

/// The largest number of fonts loaded for their style.
const MAX_FONTS: usize = 500;

/// The nesting depth to which forms are searched for fonts.
const MAX_DEPTH: usize = 8;

/// The style of a letter, as far as it carries meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Style {
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) fixed: bool,
}

impl Style {
    /// The style that a font name implies.
    fn named(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| name.contains(word));
        Self {
            bold: says(&["bold", "black", "heavy", "cmbx", "-bd", "demi"]),
            italic: says(&["italic", "oblique", "cmti", "cmsl", "slanted", "kursiv"]),
            fixed: says(&["courier", "mono", "cmtt", "consol", "typewriter"]),
        }
    }
}

/// The known styles of the fonts of a file.
#[derive(Default)]
pub(crate) struct Styles {
    outlines: HashMap<GlyphIdentifier, Style>,
    /// Fonts and forms already examined.
    seen: HashSet<ObjectIdentifier>,
    fonts: usize,
}

impl Styles {
    /// Adds the fonts of a page.
    pub(crate) fn add(&mut self, page: &Page<'_>) {
        let fonts = FontCache::new();
        self.add_resources(page.resources(), &fonts, 0);
    }

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
            let is_known = reference.is_some_and(|id| !self.seen.insert(id.into()));
            let base = dict.get::<Name<'_>>("BaseFont");
            let kind = dict.get::<Name<'_>>("Subtype");
            let is_simple =
                kind.is_some_and(|kind| matches!(&*kind, b"Type1" | b"MMType1" | b"TrueType"));
            let style = base.map_or_else(Style::default, |name| Style::named(name.as_str()));
            if is_known || !is_simple || style == Style::default() || self.fonts >= MAX_FONTS {
                continue;
            }
            self.fonts += 1;
            let font = fonts.font(&dict, &settings.font_resolver, &settings.cmap_resolver);
            let Some(font) = font else { continue };
            for code in 0..=255 {
                if let FontGlyph::Outline(outline) = font.glyph(font.map_code(code), code) {
                    self.outlines.insert(outline.identifier(), style);
                }
            }
        }
        if depth == MAX_DEPTH {
            return;
        }
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

    /// The style of a letter.
    pub(crate) fn of(&self, outline: &OutlineGlyph) -> Style {
        if let Some(style) = self.outlines.get(&outline.identifier()) {
            return *style;
        }
        outline.font_data().map_or_else(Style::default, |font| {
            let named = font.postscript_name.as_deref().map(Style::named);
            let named = named.unwrap_or_default();
            Style {
                bold: named.bold || font.weight.is_some_and(|weight| weight >= 600),
                italic: named.italic || font.is_italic,
                fixed: named.fixed || font.is_monospace,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Style;

    #[test]
    fn names_tell_the_style() {
        #[track_caller]
        fn check(name: &str, bold: bool, italic: bool, fixed: bool) {
            let expected = Style {
                bold,
                italic,
                fixed,
            };
            assert_eq!(Style::named(name), expected, "{name}");
        }
        check("ABCDEF+Arimo-BoldItalic", true, true, false);
        check("Helvetica", false, false, false);
        check("Courier-Oblique", false, true, true);
        check("CMBX10", true, false, false);
    }
}

//! Themes (ECMA-376 part 1, 14.2.7 and 20.1.6): colours, fonts, and numbered fills and lines for the styles of shapes.

use super::{
    colour::{self, Palette, THEME},
    fill::{FillStyle, LineStyle},
};
use crate::{
    containers::xml::{Node, Reader},
    error::Result,
};

/// Max. number of styles of each kind. Themes have three of each.
const MAX_STYLES: usize = 64;

/// Fonts of a theme for headings or for other text. Each name may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FontPair {
    /// Font for Latin letters.
    pub latin: Box<str>,
    /// Font for East Asian characters.
    pub asian: Box<str>,
    /// Font for complex scripts, whose characters are joined or reordered.
    pub complex: Box<str>,
}

/// Theme of a document or slide master.
#[derive(Clone, Debug, Default)]
pub struct Theme {
    /// Colours, with the colour map that most slide masters have.
    pub palette: Palette,
    /// Fonts for headings.
    pub major: FontPair,
    /// Fonts for other text.
    pub minor: FontPair,
    /// Fills of shapes.
    fills: Vec<FillStyle>,
    /// Lines of shapes.
    lines: Vec<LineStyle>,
    /// Fills of backgrounds.
    backgrounds: Vec<FillStyle>,
}

impl Theme {
    /// Reads a theme part. `xml` is at its beginning.
    pub fn read(xml: &mut Reader<'_>) -> Result<Self> {
        let mut theme = Self::default();
        let root = xml.root()?;
        let root = Node::read(xml, root)?;
        let elements = root.child("a", "themeElements").unwrap_or(&root);
        if let Some(scheme) = elements.child("a", "clrScheme") {
            let mut colours = [[0; 3]; 12];
            for (slot, name) in colours.iter_mut().zip(THEME) {
                let colour = scheme.child("a", name).and_then(colour::Colour::read);
                *slot = colour.map_or([0; 3], |colour| {
                    colour.resolve(&Palette::default(), None).rgb
                });
            }
            theme.palette = Palette::new(colours);
        }
        if let Some(fonts) = elements.child("a", "fontScheme") {
            let pair = |name| {
                let fonts = fonts.child("a", name);
                let face = |name| {
                    let font = fonts?.child("a", name)?;
                    font.attribute("typeface").map(|face| face.as_ref().into())
                };
                FontPair {
                    latin: face("latin").unwrap_or_default(),
                    asian: face("ea").unwrap_or_default(),
                    complex: face("cs").unwrap_or_default(),
                }
            };
            theme.major = pair("majorFont");
            theme.minor = pair("minorFont");
        }
        if let Some(styles) = elements.child("a", "fmtScheme") {
            let fills = |name| {
                let list = styles.child("a", name);
                let all = list.into_iter().flat_map(|list| &list.children);
                all.take(MAX_STYLES).map(|fill| {
                    // Unknown fills keep their numbers, because styles refer to them by number.
                    FillStyle::of(fill).unwrap_or(FillStyle::None)
                })
            };
            theme.fills = fills("fillStyleLst").collect();
            theme.backgrounds = fills("bgFillStyleLst").collect();
            let lines = styles.child("a", "lnStyleLst");
            let lines = lines.into_iter().flat_map(|list| &list.children);
            theme.lines = lines.take(MAX_STYLES).map(LineStyle::read).collect();
        }
        Ok(theme)
    }

    /// Returns the fill with this number (20.1.4.2.10). Numbers from 1 to 1000 are fills of shapes, and numbers from
    /// 1001 are fills of backgrounds.
    pub fn fill(&self, number: i64) -> Option<&FillStyle> {
        let (list, first) = match number {
            1001.. => (&self.backgrounds, 1001),
            _ => (&self.fills, 1),
        };
        list.get(usize::try_from(number - first).ok()?)
    }

    /// Returns the line with this number. Numbers begin at 1.
    pub fn line(&self, number: i64) -> Option<&LineStyle> {
        self.lines.get(usize::try_from(number - 1).ok()?)
    }

    /// Returns the font for a name in the file. `+mj-lt`, for example, is the theme's Latin font for headings. Other
    /// names are returned unchanged. `None` if the theme has no font for the name, or if the name is empty.
    pub fn font<'t>(&'t self, name: &'t str) -> Option<&'t str> {
        let pair = match name.get(..4) {
            Some("+mj-") => &self.major,
            Some("+mn-") => &self.minor,
            _ => return Some(name).filter(|name| !name.is_empty()),
        };
        let font = match name.get(4..) {
            Some("ea") => &pair.asian,
            Some("cs") => &pair.complex,
            _ => &pair.latin,
        };
        Some(&**font).filter(|font| !font.is_empty())
    }
}

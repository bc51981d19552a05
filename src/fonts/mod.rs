//! Fonts that are compiled in, compressed; each is unpacked when it is first used. Reads no font from the machine it runs on.
//!
//! A document has to be set in something that looks as its author meant it, on a host that has no fonts at all. Arimo, Tinos,
//! Cousine, Carlito and Caladea have the widths of Arial, Times New Roman, Courier New, Calibri and Cambria, so lines and pages
//! end where they did. DejaVu Sans has signs that the others lack: Hebrew, Arabic, arrows, mathematics, boxes. All are subsets
//! (Latin, Greek, Cyrillic and common signs; `subset.py` makes them), 1.2 MB together.

#[cfg(feature = "document")]
pub mod more;

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::sync::OnceLock;

/// Length of an unpacked font in bytes, at most.
pub const MAX_LEN: usize = 1 << 20;

/// A font that is compiled in.
pub struct Embedded {
    /// The family that it belongs to.
    pub family: Family,
    /// Whether it is the family's bold face.
    pub bold: bool,
    /// Whether it is slanted.
    pub italic: bool,
    packed: &'static [u8],
    unpacked: OnceLock<Vec<u8>>,
}

/// The families that are compiled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Arimo, as wide as Arial and Helvetica.
    Sans,
    /// Tinos, as wide as Times New Roman.
    Serif,
    /// Cousine, as wide as Courier New. Has no slanted face.
    Mono,
    /// A subset of Carlito, as wide as Calibri.
    Calibri,
    /// Caladea, as wide as Cambria. Latin only.
    Cambria,
    /// DejaVu Sans: many scripts and signs, in one face.
    Signs,
    /// The family of a font of the operator's directory, by its number among [`more::all`].
    #[cfg(feature = "document")]
    More(u16),
}

impl Embedded {
    const fn new(family: Family, bold: bool, italic: bool, packed: &'static [u8]) -> Self {
        Self {
            family,
            bold,
            italic,
            packed,
            unpacked: OnceLock::new(),
        }
    }

    /// The font, an OpenType file. Stays unpacked until the process ends.
    pub fn data(&'static self) -> &'static [u8] {
        self.unpacked.get_or_init(|| {
            // What is compiled in is whole: a test unpacks every font.
            decompress_to_vec_zlib_with_limit(self.packed, MAX_LEN).unwrap_or_default()
        })
    }
}

/// DejaVu Sans, for what no other font has.
pub static SIGNS: Embedded = Embedded::new(
    Family::Signs,
    false,
    false,
    include_bytes!("DejaVuSans.ttf.zlib"),
);

#[cfg(feature = "document")]
macro_rules! face {
    ($family:ident, $bold:literal, $italic:literal, $file:literal) => {
        Embedded::new(
            Family::$family,
            $bold,
            $italic,
            include_bytes!(concat!($file, ".ttf.zlib")),
        )
    };
}

/// The fonts for text; the faces of a family stand side by side.
#[cfg(feature = "document")]
pub static TEXT: [Embedded; 18] = [
    face!(Sans, false, false, "Arimo-Regular"),
    face!(Sans, true, false, "Arimo-Bold"),
    face!(Sans, false, true, "Arimo-Italic"),
    face!(Sans, true, true, "Arimo-BoldItalic"),
    face!(Serif, false, false, "Tinos-Regular"),
    face!(Serif, true, false, "Tinos-Bold"),
    face!(Serif, false, true, "Tinos-Italic"),
    face!(Serif, true, true, "Tinos-BoldItalic"),
    face!(Mono, false, false, "Cousine-Regular"),
    face!(Mono, true, false, "Cousine-Bold"),
    face!(Calibri, false, false, "ConvertdSans-Regular"),
    face!(Calibri, true, false, "ConvertdSans-Bold"),
    face!(Calibri, false, true, "ConvertdSans-Italic"),
    face!(Calibri, true, true, "ConvertdSans-BoldItalic"),
    face!(Cambria, false, false, "Caladea-Regular"),
    face!(Cambria, true, false, "Caladea-Bold"),
    face!(Cambria, false, true, "Caladea-Italic"),
    face!(Cambria, true, true, "Caladea-BoldItalic"),
];

#[cfg(all(test, feature = "document"))]
mod tests {
    use super::*;

    #[test]
    fn every_font_unpacks() {
        for font in TEXT.iter().chain([&SIGNS]) {
            assert!(font.data().len() > 40_000, "{:?}", font.family);
        }
    }
}

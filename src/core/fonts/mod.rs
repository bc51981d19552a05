//! Fonts that are compiled into the program in compressed form; each is decompressed at its first use. Never reads
//! fonts of the machine.
//!
//! A document should look as its author intended, even on a host without any fonts. Arimo, Tinos, Cousine, Carlito and
//! Caladea replace Arial, Times New Roman, Courier New, Calibri and Cambria. All but Caladea have the widths of the
//! font that they replace. For Cambria and other fonts there is a table of widths, so lines and pages break where they
//! did for the author. DejaVu Sans has characters that the others lack: Hebrew, Arabic, arrows, mathematics, box
//! drawing. All are subsets (Latin, Greek, Cyrillic and common signs; `subset.py` makes them), 1.2 MB together. PDF
//! files and drawings use them.

pub mod families;
pub mod more;
pub mod named;
pub mod scripts;
pub mod used;
pub mod web;

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::sync::OnceLock;

/// The maximum length of an unpacked font in bytes.
pub const MAX_LEN: usize = 1 << 20;

/// A font that is compiled into the program.
pub struct Embedded {
    /// The font's family.
    pub family: Family,
    /// Whether it is the family's bold face.
    pub bold: bool,
    /// Whether it is an italic face.
    pub italic: bool,
    packed: &'static [u8],
    unpacked: OnceLock<Vec<u8>>,
}

/// The families of fonts: those compiled into the program, and those from a table, a directory or a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Arimo, with the widths of Arial and Helvetica.
    Sans,
    /// Tinos, with the widths of Times New Roman.
    Serif,
    /// Cousine, with the widths of Courier New. Compiled in without italic faces.
    Mono,
    /// A subset of Carlito, with the widths of Calibri.
    Calibri,
    /// Caladea, a substitute for Cambria. Its widths are not those of Cambria. Latin only.
    Cambria,
    /// DejaVu Sans, for many scripts and signs. Has a single face.
    Signs,
    /// A font with known widths but without glyphs, by its number in `named::all`.
    Named(u16),
    /// The family of a font from the operator's directories, by its number among [`more::all`].
    More(u16),
    /// A font embedded in the document, by its index among the fonts that were requested.
    Brought(u16),
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

    /// The font as an OpenType file. It stays in memory, unpacked, until the process ends.
    pub fn data(&'static self) -> &'static [u8] {
        self.unpacked.get_or_init(|| {
            // Unpacking cannot fail: a test unpacks every font that is compiled in.
            decompress_to_vec_zlib_with_limit(self.packed, MAX_LEN).unwrap_or_default()
        })
    }
}

/// DejaVu Sans, for characters that no other font has.
pub static SIGNS: Embedded = Embedded::new(
    Family::Signs,
    false,
    false,
    include_bytes!("DejaVuSans.ttf.zlib"),
);

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

/// The fonts for text. The faces of a family are adjacent.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_font_unpacks() {
        for font in TEXT.iter().chain([&SIGNS]) {
            assert!(font.data().len() > 40_000, "{:?}", font.family);
        }
    }
}

//! Metrics of fonts that documents name but that are not compiled in: the widths of their characters, and the height of
//! their lines. Has no glyphs. Text in such a font is drawn with glyphs of a substitute family, at the widths of the
//! original, so that lines and pages break where they did for the author.
//!
//! The script `widths.py` makes the table, and lists its sources. The table is unpacked when a document first names a
//! font.

use super::{Family, families};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::sync::OnceLock;

static PACKED: &[u8] = include_bytes!("widths.txt.zlib");

/// A family of fonts.
#[derive(Debug)]
pub struct Named {
    /// Name of the family in lower case.
    name: Box<str>,
    /// The substitute family for its glyphs.
    pub like: Family,
    /// Metrics of a line.
    pub line: Line,
    /// Widths of the faces: regular, bold, italic, and bold italic. Empty where unknown.
    faces: [Widths; 4],
}

/// Vertical metrics of a line, as shares of the font size. The sum of the three is the height of a line with single
/// spacing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Line {
    /// Ascent above the base line.
    pub ascent: f32,
    /// Descent below the base line; positive.
    pub descent: f32,
    /// Additional space above the ascent.
    pub leading: f32,
}

/// The widths of characters, in thousandths of the font size, in the order of the characters.
#[derive(Debug, Default)]
pub struct Widths(Vec<(char, u16)>);

impl Widths {
    /// The width of a character, if it is known.
    pub fn of(&self, character: char) -> Option<u16> {
        let at = self.0.binary_search_by_key(&character, |(known, _)| *known);
        at.ok().map(|at| self.0[at].1)
    }

    /// All known widths.
    pub fn all(&self) -> impl Iterator<Item = (char, u16)> {
        self.0.iter().copied()
    }
}

impl Named {
    /// The widths for a style; if they are unknown, those of the most similar style. The flags state whether the widths
    /// are bold and italic.
    pub fn widths(&self, bold: bool, italic: bool) -> (&Widths, bool, bool) {
        let wanted = [
            (bold, italic),
            (bold, false),
            (false, italic),
            (false, false),
        ];
        let known = wanted.into_iter().find_map(|(bold, italic)| {
            let widths = &self.faces[usize::from(bold) + 2 * usize::from(italic)];
            (!widths.0.is_empty()).then_some((widths, bold, italic))
        });
        known.unwrap_or((&self.faces[0], false, false))
    }
}

/// All fonts of the table, in the order of their names.
pub fn all() -> &'static [Named] {
    static ALL: OnceLock<Vec<Named>> = OnceLock::new();
    ALL.get_or_init(|| {
        // This cannot fail: a test reads the table.
        let text = decompress_to_vec_zlib_with_limit(PACKED, 1 << 20).unwrap_or_default();
        read(&String::from_utf8_lossy(&text))
    })
}

/// The number of the font with this name, in lower case.
pub fn find(name: &str) -> Option<usize> {
    all().binary_search_by_key(&name, |known| &known.name).ok()
}

/// Parses the table of font metrics, whose sizes are in thousandths of an em.
fn read(text: &str) -> Vec<Named> {
    let mut all: Vec<Named> = Vec::new();
    for line in text.lines() {
        let mut parts = line.split('\t');
        let mut part = || parts.next().unwrap_or_default();
        let (name, style) = (part(), part().parse::<usize>().unwrap_or(0));
        let mut part_of_size = || part().parse::<f32>().unwrap_or(0.0) / 1000.0;
        let line = Line {
            ascent: part_of_size(),
            descent: part_of_size(),
            leading: part_of_size(),
        };
        let characters = part().chars();
        let widths = part().split(' ').filter_map(|width| width.parse().ok());
        let widths = Widths(characters.zip(widths).collect());
        if all.last().is_none_or(|last| *last.name != *name) {
            all.push(Named {
                name: name.into(),
                like: families::family(name).unwrap_or(Family::Sans),
                line,
                faces: Default::default(),
            });
        }
        if let Some(last) = all.last_mut() {
            last.faces[style.min(3)] = widths;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_knows_the_fonts_that_documents_name_most() {
        #[track_caller]
        fn check(name: &str, character: char, width: Option<u16>) {
            let named = find(name).map(|at| &all()[at]).expect(name);
            assert!(
                named.line.ascent > 0.6 && named.line.descent > 0.1,
                "{name}"
            );
            let (widths, ..) = named.widths(false, false);
            assert_eq!(widths.of(character), width, "{name}");
        }
        check("cambria", 'a', Some(488));
        check("verdana", 'n', Some(633));
        check("consolas", '~', Some(550));
        check("symbol", 'a', None);
        assert_eq!(find("arial"), None);
        assert!(all().is_sorted_by_key(|named| &named.name));
    }
}

//! The fonts of a document (MS-DOC 2.9.82, 2.9.286). Knows their names and code pages, and no faces.

use crate::{coding::code_page::CodePage, containers::fields::Fields};
use convertd_office::wordprocessing::Font;

/// The number of fonts that are read.
const MOST: usize = 4096;

/// A font.
#[derive(Debug)]
pub(super) struct Face {
    name: Box<str>,
    /// The code page of its characters in Word 6.
    pub(super) page: Option<CodePage>,
}

/// The fonts, which properties refer to by their index.
#[derive(Debug, Default)]
pub(super) struct Fonts(Vec<Face>);

impl Fonts {
    /// Reads the table of fonts.
    pub(super) fn read(table: Fields<'_>, is_old: bool) -> Self {
        let mut faces = Vec::new();
        // Word 6 has the length of the table before it, and names in bytes. Word 97 has the number of fonts, and another number.
        let (mut rest, name) = match is_old {
            true => (table.from(2), 6),
            false => (table.from(4), 40),
        };
        while rest.len() > name && faces.len() < MOST {
            let len = usize::from(rest.u8(0)) + 1;
            let record = rest.part(0, len);
            let whole = match is_old {
                true => CodePage::DEFAULT.decode(record.from(name).0),
                false => record.utf16(name, record.len().saturating_sub(name) / 2),
            };
            let name = whole.split('\0').next().unwrap_or_default().trim();
            faces.push(Face {
                name: name.into(),
                page: CodePage::by_charset(record.u8(4).into()),
            });
            rest = rest.from(len);
        }
        Self(faces)
    }

    /// The font with this index.
    pub(super) fn font(&self, number: u16) -> Option<Font> {
        let face = self.face(number)?;
        (!face.name.is_empty()).then(|| Font::Named(face.name.clone()))
    }

    /// The font with this index.
    pub(super) fn face(&self, number: u16) -> Option<&Face> {
        self.0.get(usize::from(number))
    }
}

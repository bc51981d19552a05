//! Font table of a document (MS-DOC 2.9.82, 2.9.286): names and code pages. Loads no fonts.

use crate::{coding::code_page::CodePage, containers::fields::Fields};
use convertd_office::wordprocessing::Font;

/// Max. number of fonts that are read.
const MAX: usize = 4096;

/// Entry of the font table.
#[derive(Debug)]
pub(super) struct Face {
    name: Box<str>,
    /// Code page of text in this font, for Word 6.
    pub(super) page: Option<CodePage>,
}

/// Font table. Properties refer to its entries by index.
#[derive(Debug, Default)]
pub(super) struct Fonts(Vec<Face>);

impl Fonts {
    /// Reads the font table.
    pub(super) fn read(table: Fields<'_>, is_old: bool) -> Self {
        let mut faces = Vec::new();
        // In Word 6, the table begins with its length, and names are in bytes. Since Word 97, it begins with the number
        // of fonts and another number, and names are in UTF-16.
        let (mut rest, name) = match is_old {
            // `name` is the offset of the name in an entry.
            true => (table.from(2), 6),
            false => (table.from(4), 40),
        };
        while rest.len() > name && faces.len() < MAX {
            let len = usize::from(rest.u8(0)) + 1;
            let record = rest.part(0, len);
            let whole = match is_old {
                true => CodePage::DEFAULT.decode(record.from(name).0),
                false => record.utf16(name, record.len().saturating_sub(name) / 2),
            };
            let name = whole.split('\0').next().unwrap_or_default().trim();
            faces.push(Face {
                name: name.into(),
                // The character set follows the length, flags and weight of the entry.
                page: CodePage::by_charset(record.u8(4).into()),
            });
            rest = rest.from(len);
        }
        Self(faces)
    }

    /// Font with this index, as a property of text.
    pub(super) fn font(&self, number: u16) -> Option<Font> {
        let face = self.face(number)?;
        (!face.name.is_empty()).then(|| Font::Named(face.name.clone()))
    }

    /// Entry with this index.
    pub(super) fn face(&self, number: u16) -> Option<&Face> {
        self.0.get(usize::from(number))
    }
}

//! Headers and footers (MS-DOC 2.8.22): six texts for each section. If a text of a section is empty, the section
//! inherits that text from the previous section.

use super::{
    body::Body,
    fib::{DocumentPart, Table},
    plex::Plex,
    sections::{Inherited, TEXTS},
};
use crate::error::Result;
use convertd_office::wordprocessing::losses;
use convertd_tree::{Block, Margins};

/// Number of texts that separate footnotes and endnotes from the main text. They come before the texts of the first
/// section.
const SEPARATORS: usize = 6;

/// Memory of the tree per character of a header, in bytes, in addition to the memory that the builder counts.
const CHARACTER: u64 = 32;

impl Body<'_, '_> {
    /// Reads the headers and footers of the section with this index.
    pub(super) fn margins(
        &mut self,
        number: usize,
        inherited: &mut Inherited,
    ) -> Result<(Margins, Margins)> {
        let doc = self.doc;
        if doc.fib.is_old {
            // In Word 6, each section states in its settings which texts exist. These settings are not read, so headers
            // are lost.
            if number == 0 && doc.fib.part(DocumentPart::Headers).len() > TEXTS {
                self.story.build.lost(&losses::HEADERS);
            }
            return Ok(Default::default());
        }
        let plex = Plex::new(doc.table(Table::Headers), 0);
        for at in 0..TEXTS {
            let text = SEPARATORS + number * TEXTS + at;
            // The second last position of this PLC (array of positions with records) ends the last text. The last
            // position has no meaning (MS-DOC 2.8.22).
            if text + 1 >= plex.len() {
                break;
            }
            let text = doc.within(
                DocumentPart::Headers,
                plex.position(text),
                plex.position(text + 1),
            );
            // A text that exists is followed by a paragraph mark of its own, which is left out.
            if text.len() > 1 {
                inherited.characters[at] = text.len() as u64;
                self.story.open_margin();
                self.separate_text(text.start..text.end - 1)?;
                inherited.texts[at] = self.story.close_margin()?;
            }
        }
        // Each section of the tree has copies of inherited texts, which the builder does not count.
        let characters: u64 = inherited.characters.iter().sum();
        self.story.hold(characters * CHARACTER)?;
        let first_differs = doc
            .sections
            .get(number)
            .is_some_and(|section| section.first_differs);
        // First bit of the document properties (`fFacingPages`): even and odd pages differ.
        let faces = doc.table(Table::Properties).u8(0) & 1 == 1;
        let [
            even_header,
            header,
            even_footer,
            footer,
            first_header,
            first_footer,
        ] = inherited.texts.each_ref();
        let margins = |all: &Vec<Block>, even: &Vec<Block>, first: &Vec<Block>| Margins {
            all: all.clone(),
            first: first_differs.then(|| first.clone()),
            even: faces.then(|| even.clone()),
        };
        Ok((
            margins(header, even_header, first_header),
            margins(footer, even_footer, first_footer),
        ))
    }
}

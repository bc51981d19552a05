//! Page numbers and stamps: text on pages in a compiled-in font. Shapes the text with the layout library
//! (`convertd_layout`), which also lays out documents, and draws it as form XObjects.

use super::{
    overlay::{Overlay, stream, times, upright},
    store::Store,
    value::{Dict, Id, Value},
};
use crate::{error::Result, fonts::Family};
use convertd_layout::{
    face::Joining,
    faces::{Chosen, FaceId, Faces, FontRequest},
    word::Word,
};
use convertd_pdfwrite::object::{File, embed};
use std::{collections::HashMap, fmt::Write as _, rc::Rc};

/// Size of page numbers, in points.
const NUMBER_SIZE: f64 = 10.0;
/// Distance of the baseline of page numbers from the lower edge of the page, in points.
const NUMBER_BASE: f64 = 24.0;
/// Limit on the font size of a stamp, in points.
const STAMP_SIZE: f64 = 120.0;
/// Length of a stamp, as a share of the diagonal of the page, unless [`STAMP_SIZE`] makes the stamp shorter.
const STAMP_PART: f64 = 0.75;
/// Opacity of a stamp.
const STAMP_ALPHA: f64 = 0.3;

/// Texts that are drawn on pages.
pub(super) struct Stamps {
    faces: Faces<'static>,
    /// The form of each text, as a stamp or as a page number, and the width of the text at a size of 1.
    forms: HashMap<(String, bool), (Id, f64)>,
    /// The object of each font in the file.
    fonts: HashMap<u16, pdf_writer::Ref>,
}

impl Stamps {
    pub(super) fn new() -> Self {
        Self {
            faces: Faces::new(),
            forms: HashMap::new(),
            fonts: HashMap::new(),
        }
    }

    /// Overlay with the number of a page, centred at its foot.
    pub(super) fn number(
        &mut self,
        store: &mut Store<'_>,
        file: &mut File<'_>,
        page: &Dict,
        number: usize,
    ) -> Overlay {
        let (place, wide, _) = upright(store, page);
        let unit = unit(store, page);
        let (form, text) = self.form(store, file, &number.to_string(), false);
        let size = NUMBER_SIZE / unit;
        let x = (wide - text * size) / 2.0;
        let own = [size, 0.0, 0.0, size, x, NUMBER_BASE / unit];
        Overlay {
            form,
            matrix: times(own, place),
        }
    }

    /// Overlay with a text along the diagonal of a page, from the lower left corner to the upper right one.
    pub(super) fn across(
        &mut self,
        store: &mut Store<'_>,
        file: &mut File<'_>,
        page: &Dict,
        text: &str,
    ) -> Overlay {
        let (place, wide, high) = upright(store, page);
        let unit = unit(store, page);
        let (form, long) = self.form(store, file, text, true);
        let diagonal = wide.hypot(high);
        let size = (STAMP_PART * diagonal / long.max(0.1)).min(STAMP_SIZE / unit);
        let (cos, sin) = (wide / diagonal, high / diagonal);
        // The centre of the text is that of the page; capital letters are about 0.7 em high.
        let (dx, dy) = (-long * size / 2.0, -0.35 * size);
        let x = wide / 2.0 + dx * cos - dy * sin;
        let y = high / 2.0 + dx * sin + dy * cos;
        let own = [size * cos, size * sin, -size * sin, size * cos, x, y];
        Overlay {
            form,
            matrix: times(own, place),
        }
    }

    /// A form with a text at a size of 1, and the width of the text.
    fn form(
        &mut self,
        store: &mut Store<'_>,
        file: &mut File<'_>,
        text: &str,
        is_stamp: bool,
    ) -> (Id, f64) {
        let key = (text.to_owned(), is_stamp);
        if let Some(known) = self.forms.get(&key) {
            return *known;
        }
        let mut content = String::new();
        if is_stamp {
            content.push_str("/G gs 0.6 0.1 0.1 rg\n");
        }
        let mut fonts = Dict::default();
        let mut x = 0.0;
        content.push_str("BT\n");
        for (face, word) in self.words(text, is_stamp) {
            let units = f64::from(self.faces.face(face).units());
            let object = *self.fonts.entry(face.0).or_insert_with(|| file.next());
            fonts.set(&format!("F{}", face.0), Id::written(object));
            let _ = writeln!(content, "/F{} 1 Tf", face.0);
            for glyph in &word.glyphs {
                let place = x + f64::from(glyph.dx) / units;
                let up = f64::from(glyph.dy) / units;
                let _ = writeln!(
                    content,
                    "1 0 0 1 {place:.5} {up:.5} Tm <{:04X}> Tj",
                    glyph.number
                );
                x += f64::from(glyph.advance) / units;
            }
        }
        content.push_str("ET\n");
        let mut resources = Dict::default();
        resources.set("Font", fonts);
        if is_stamp {
            let mut state = Dict::default();
            state.set("ca", STAMP_ALPHA);
            let mut states = Dict::default();
            states.set("G", state);
            resources.set("ExtGState", states);
        }
        let mut dict = Dict::of_type("XObject");
        dict.set("Subtype", Value::name("Form"));
        let sides = [-1.0, -1.0, x + 1.0, 2.0].map(Value::Real);
        dict.set("BBox", sides.to_vec());
        dict.set("Resources", resources);
        let form = (stream(store, dict, &content), x);
        self.forms.insert(key, form);
        form
    }

    /// The text in pieces, each of which one face can show.
    fn words(&mut self, text: &str, is_bold: bool) -> Vec<(FaceId, Rc<Word>)> {
        let Some(wanted) = self.faces.choose(Family::Sans, is_bold, false) else {
            return Vec::new();
        };
        let mut pieces: Vec<(Chosen, String)> = Vec::new();
        for character in text.chars() {
            let faces = &mut self.faces;
            let request = FontRequest {
                family: Family::Sans,
                bold: is_bold,
                italic: false,
                language: None,
            };
            let chosen = faces.cover(character, wanted, request);
            match pieces.last_mut() {
                Some((known, piece)) if *known == chosen => piece.push(character),
                _ => pieces.push((chosen, character.into())),
            }
        }
        let faces = &mut self.faces;
        pieces
            .into_iter()
            .map(|(chosen, piece)| {
                let word = faces.word(chosen, &piece, false, Joining::FINE, None);
                (chosen.face, word)
            })
            .collect()
    }

    /// Writes the fonts of all texts.
    pub(super) fn write(&self, file: &mut File<'_>) -> Result<()> {
        for (id, face) in self.faces.all() {
            if let Some(object) = self.fonts.get(&id.0) {
                embed(&face.font, file, *object, id.0)?;
            }
        }
        Ok(())
    }
}

/// Points per unit of a page (14.11.1).
fn unit(store: &mut Store<'_>, page: &Dict) -> f64 {
    let unit = store.number(page.get("UserUnit")).unwrap_or(1.0);
    if unit.is_finite() && unit > 0.0 {
        unit
    } else {
        1.0
    }
}

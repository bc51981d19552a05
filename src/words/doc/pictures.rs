//! Pictures (MS-DOC 2.9.192): inline pictures in the data stream, and pictures of drawings. Renders no pictures.

use super::{body::Body, characters::Run, drawings::Drawing};
use crate::{containers::fields::Fields, error::Result};
use convertd_office::{
    art::{Properties, Records, blip, property},
    wordprocessing::losses,
};
use convertd_tree::{Frame, Length, Picture, PictureSource, media};

/// Kind of an inline picture (`mfpf.mm`): an OfficeArt shape.
const ART: u16 = 0x64;
/// Kind of an inline picture: an OfficeArt shape after a file name.
const NAMED_ART: u16 = 0x66;

/// Record type of a shape (MS-ODRAW 2.2).
const SHAPE: u16 = 0xf004;
/// Record type of an entry of the picture store (FBSE).
const STORED: u16 = 0xf007;

/// Max. memory of a picture while it is decompressed, as a multiple of its size.
const MAX_GROWTH: u64 = 16;

impl Body<'_, '_> {
    /// Reads the picture or the form field that a character of a run stands for. The header of a picture (PICF) states
    /// its size in twips and its scale in thousandths. Embedded objects are left out.
    pub(super) fn picture(&mut self, run: &Run) -> Result<()> {
        let Some(place) = run.picture.filter(|_| !run.is_object) else {
            return Ok(());
        };
        let data = self.doc.data().from(place as usize);
        let data = data.part(0, data.u32(0) as usize);
        if run.is_data {
            return self.form_field(data);
        }
        let header = usize::from(data.u16(4));
        let mut rest = data.from(header);
        let kind = data.u16(6);
        if kind == NAMED_ART {
            rest = rest.from(1 + usize::from(rest.u8(0)));
        }
        let side = |size: usize, scale: usize| {
            let size = i64::from(data.i16(size)) * i64::from(data.u16(scale)) / 1000;
            Some(Length::twips(size)).filter(|length| *length > Length::ZERO)
        };
        let size = (side(0x1c, 0x20), side(0x1e, 0x22));
        // Other kinds contain the file of the picture itself.
        if !matches!(kind, ART | NAMED_ART) {
            let bytes = rest.0.to_vec();
            return self.add_picture(Some(bytes), Properties::default(), size, None);
        }
        self.story.make_room(rest.len() as u64 * MAX_GROWTH)?;
        let mut records = Records(rest);
        let shape = records.next().filter(|shape| shape.kind == SHAPE);
        let properties = shape.map(Properties::of).unwrap_or_default();
        match (records.next(), shape) {
            (Some(stored), _) => self.add_picture(blip(stored), properties, size, None),
            // A shape without a picture is drawn.
            (None, Some(shape)) => self.inline_shape(shape, size),
            (None, None) => Ok(()),
        }
    }

    /// Adds a floating drawing that consists of one picture.
    pub(super) fn placed_picture(&mut self, drawing: &Drawing<'_>) -> Result<()> {
        let properties = drawing.shapes.first().map(|shape| shape.properties);
        let properties = properties.unwrap_or_default();
        let number = properties.value(property::PICTURE).unwrap_or(0);
        if self.drawings.stored(number).is_none() {
            return Ok(());
        }
        let bytes = self.stored_picture(number)?;
        let (width, height) = drawing.size();
        let size = (Some(width), Some(height));
        self.add_picture(bytes, properties, size, Some(drawing.frame()))
    }

    /// Returns the file of a picture in the store, by its index from 1.
    pub(super) fn stored_picture(&mut self, number: u32) -> Result<Option<Vec<u8>>> {
        let Some(stored) = self.drawings.stored(number) else {
            return Ok(None);
        };
        let size = u64::from(stored.data.u32(20)).min(self.doc.job.input_len);
        self.story.make_room(size * MAX_GROWTH)?;
        let bytes = blip(stored).or_else(|| {
            // The picture is either in the entry, or in the stream of the text (the delay stream) at the offset that
            // the entry states.
            let place = stored.data.u32(28) as usize;
            let inner = Records(self.doc.stream().from(place)).next()?;
            (stored.kind == STORED).then(|| blip(inner))?
        });
        Ok(bytes)
    }

    /// Adds a picture with its size and description. An unknown format is noted as a loss.
    fn add_picture(
        &mut self,
        bytes: Option<Vec<u8>>,
        properties: Properties<'_>,
        (width, height): (Option<Length>, Option<Length>),
        frame: Option<Frame>,
    ) -> Result<()> {
        let known = bytes.filter(|bytes| media::sniff(bytes).is_some());
        let Some(bytes) = known else {
            self.story.build.lost(&losses::UNKNOWN_PICTURES);
            return Ok(());
        };
        let source = PictureSource::Resource(self.story.build.resource(bytes, "", None)?);
        let alternative = properties.text(property::DESCRIPTION).unwrap_or_default();
        self.story.picture(Picture {
            source,
            alternative: alternative.trim().into(),
            title: Box::default(),
            width,
            height,
            frame: frame.map(Box::new),
        });
        Ok(())
    }

    /// Reads the data of a form field (FFData, MS-DOC 2.9.78). Check boxes and drop-down lists store their state there,
    /// and have no result text.
    fn form_field(&mut self, data: Fields<'_>) -> Result<()> {
        /// Kind of a form field: a check box.
        const CHECK_BOX: u16 = 1;
        /// Kind of a form field: a drop-down list.
        const LIST: u16 = 2;
        /// State that stands for the default value.
        const DEFAULT_STATE: u16 = 25;
        /// Number of texts after the state. Each is preceded by its length and followed by a zero.
        const TEXTS: usize = 5;
        let form = data.from(data.u16(4).into());
        let bits = form.u16(4);
        let kind = bits & 3;
        if form.u32(0) != u32::MAX || !matches!(kind, CHECK_BOX | LIST) {
            return Ok(());
        }
        // Returns the offset after the text at `at`: a length, characters of two bytes, and a zero.
        let after = |at: usize| at + 2 + usize::from(form.u16(at)) * 2 + 2;
        let before = after(10);
        let state = match bits >> 2 & 31 {
            DEFAULT_STATE => form.u16(before),
            state => state,
        };
        if kind == CHECK_BOX {
            return self.story.check_box(state != 0);
        }
        let list = (0..TEXTS).fold(before + 2, |at, _| after(at));
        match chosen(form.from(list), state) {
            Some(words) => self.story.choice(&words),
            None => Ok(()),
        }
    }
}

/// Returns an entry of a string table (STTB, MS-DOC 2.2.4) by its index from 0. `None` if the table has no such entry.
fn chosen(list: Fields<'_>, number: u16) -> Option<String> {
    /// First field of a string table whose characters have two bytes.
    const WIDE: u16 = 0xffff;
    if list.u16(0) != WIDE || number >= list.u16(2) {
        return None;
    }
    let extra_len = usize::from(list.u16(4));
    let at = (0..number).fold(6, |at, _| {
        at + 2 + usize::from(list.u16(at)) * 2 + extra_len
    });
    Some(list.utf16(at + 2, list.u16(at).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_entry_is_found_by_its_index() {
        #[track_caller]
        fn check(list: &[u8], number: u16, expected: Option<&str>) {
            assert_eq!(chosen(Fields(list), number).as_deref(), expected);
        }
        let list = b"\xff\xff\x02\0\0\0\x01\0a\0\x02\0b\0c\0";
        check(list, 0, Some("a"));
        check(list, 1, Some("bc"));
        check(list, 2, None);
        // An entry that is cut off, and a missing entry.
        check(&list[..10], 1, Some(""));
        check(b"", 0, None);
    }
}

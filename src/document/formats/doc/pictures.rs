//! Pictures (MS-DOC 2.9.192): those that are set like letters, in the stream of data, and those of drawings. Draws none.

use super::{body::Body, characters::Run, drawings::Drawing};
use crate::{
    containers::fields::Fields,
    document::{
        media,
        office::losses,
        tree::{Frame, Length, Picture, PictureSource},
    },
    error::Result,
    office::art::{Properties, Records, blip, property},
};

/// The kinds of pictures: OfficeArt, and the same with the name of a file before it.
const ART: u16 = 0x64;
const NAMED_ART: u16 = 0x66;

/// The kinds of records: a shape, and an entry of a store, which may be in the stream of the text.
const SHAPE: u16 = 0xf004;
const STORED: u16 = 0xf007;

/// How much more than its bytes a picture takes while it is unpacked.
const MAX_GROWTH: u64 = 16;

impl Body<'_, '_> {
    /// Reads the picture of a character.
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
        if !matches!(kind, ART | NAMED_ART) {
            let bytes = rest.0.to_vec();
            return self.add_picture(Some(bytes), Properties::default(), size, None);
        }
        self.story.make_room(rest.len() as u64 * MAX_GROWTH)?;
        let mut records = Records(rest);
        let shape = records.next().filter(|shape| shape.kind == SHAPE);
        let properties = shape.map(Properties::of).unwrap_or_default();
        // A shape without a picture may have been drawn here.
        if let Some(stored) = records.next() {
            return self.add_picture(blip(stored), properties, size, None);
        }
        Ok(())
    }

    /// Adds the pictures of a drawing.
    pub(super) fn placed_pictures(&mut self, drawing: &Drawing<'_>) -> Result<()> {
        for shape in drawing.shapes.iter() {
            let Some(number) = shape.properties.value(property::PICTURE) else {
                continue;
            };
            let Some(stored) = self.drawings.stored(number) else {
                continue;
            };
            self.story.make_room(
                u64::from(stored.data.u32(20)).min(self.doc.job.input_len) * MAX_GROWTH,
            )?;
            let bytes = blip(stored).or_else(|| {
                // Pictures that are not in the entry are in the stream of the text.
                let place = stored.data.u32(28) as usize;
                let inner = Records(self.doc.stream().from(place)).next()?;
                (stored.kind == STORED).then(|| blip(inner))?
            });
            let (width, height) = drawing.size();
            // A group is placed as a whole; its pictures are as large as they say themselves.
            let (size, frame) = match drawing.shapes.len() {
                1 => ((Some(width), Some(height)), Some(drawing.frame())),
                _ => ((None, None), None),
            };
            self.add_picture(bytes, shape.properties, size, frame)?;
        }
        Ok(())
    }

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

    /// Reads the data of a field of a form (2.9.78). A check box has its state there, and no result.
    fn form_field(&mut self, data: Fields<'_>) -> Result<()> {
        /// The state that stands for the one in the beginning.
        const AS_BEFORE: u16 = 25;
        let form = data.from(data.u16(4).into());
        let bits = form.u16(4);
        if form.u32(0) != u32::MAX || bits & 3 != 1 {
            return Ok(());
        }
        let name = usize::from(form.u16(10));
        let before = form.u16(10 + 2 + name * 2 + 2);
        let state = match bits >> 2 & 31 {
            AS_BEFORE => before,
            state => state,
        };
        self.story.check_box(state != 0)
    }
}

//! Numbers the objects that a document stores once and may use in several places: notes, pictures, styles. Adds none of
//! them to the text.

use super::Builder;
use crate::{
    document::{
        CellStyle, CellStyleId, Note, NoteId, NoteKind, ParagraphStyle, ParagraphStyleId, Resource,
        ResourceId, TextStyle, TextStyleId,
    },
    error::Result,
    media,
};
use image::metadata::Orientation;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Limit on the length of a note's mark, in characters.
const LONGEST_MARK: usize = 20;

impl Builder<'_> {
    /// Reserves a number for a note whose text is in another part of the file.
    /// [`Node::NoteBody`](crate::document::Node::NoteBody) adds the text; if it is opened twice for a note, the second
    /// text follows the first.
    pub fn reserve_note(&mut self, kind: NoteKind) -> Result<NoteId> {
        self.charge(size_of::<Note>())?;
        let number = u32::try_from(self.document.notes.len()).unwrap_or(u32::MAX);
        self.document.notes.push(Note {
            kind,
            mark: None,
            blocks: Vec::new(),
        });
        Ok(NoteId(number))
    }

    /// Gives a note a reference mark instead of a number. An empty mark is ignored. A long mark is cut, because
    /// targets write the mark at every reference, and the result could become much larger than the source.
    pub fn mark_note(&mut self, id: NoteId, mark: &str) {
        if let Some(note) = self.document.notes.get_mut(id.index())
            && !mark.is_empty()
        {
            note.mark = Some(mark.chars().take(LONGEST_MARK).collect::<String>().into());
        }
    }

    /// Adds the bytes of a picture as a resource, and returns its number. Equal bytes get the same number. `media_type`
    /// is the type that the source states; if the first bytes identify a type, they take precedence. The memory of the
    /// bytes is leased here. A reader that holds the bytes before this call accounts for them by
    /// [`own_memory`](Self::own_memory) up to the call.
    pub fn resource(
        &mut self,
        bytes: Vec<u8>,
        name: &str,
        media_type: Option<&str>,
    ) -> Result<ResourceId> {
        let bytes = self.unpacked(bytes)?;
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let known = self.known_resources.entry(hasher.finish()).or_default();
        let resources = &mut self.document.resources;
        if let Some(id) = known.iter().find(|id| resources[id.index()].bytes == bytes) {
            return Ok(*id);
        }
        let id = ResourceId(u32::try_from(resources.len()).unwrap_or(u32::MAX));
        known.push(id);
        let media_type = media::sniff(&bytes)
            .or(media_type)
            .unwrap_or("application/octet-stream");
        let size = bytes.len() + size_of::<Resource>();
        resources.push(Resource {
            media_type: media_type.into(),
            name: name.rsplit(['/', '\\']).next().unwrap_or_default().into(),
            bytes,
            orientation: None,
            drawn: false,
            pixels: None,
        });
        self.charge(size)?;
        Ok(id)
    }

    /// Decompresses a metafile that is compressed with gzip, as Office stores it in a document of XML. Returns other
    /// bytes unchanged.
    #[cfg(feature = "svg")]
    fn unpacked(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>> {
        use crate::image::vector as svg;
        /// Limit on the length of a decompressed metafile, in bytes.
        const MAX: u64 = 64 << 20;
        if !svg::is_packed(&bytes) {
            return Ok(bytes);
        }
        let len = svg::unpacked_len(&bytes).min(MAX);
        self.charge(usize::try_from(len).unwrap_or(usize::MAX))?;
        let unpacked = svg::unpack(&bytes, len);
        let is_known = |bytes: &Vec<u8>| media::sniff(bytes).is_some();
        Ok(unpacked.filter(is_known).unwrap_or(bytes))
    }

    #[cfg(not(feature = "svg"))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps)]
    fn unpacked(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>> {
        Ok(bytes)
    }

    /// Adds a drawing that the source describes by shapes, and that was converted to SVG.
    pub fn drawing(&mut self, svg: Vec<u8>) -> Result<ResourceId> {
        let id = self.resource(svg, "", Some("image/svg+xml"))?;
        self.document.resources[id.index()].drawn = true;
        Ok(id)
    }

    /// Sets the rotation of a picture, in quarter turns clockwise from the picture as it is stored. The picture's own
    /// metadata are then ignored.
    pub fn turn(&mut self, id: ResourceId, quarters: u8) {
        self.document.resources[id.index()].orientation = Some(match quarters % 4 {
            0 => Orientation::NoTransforms,
            1 => Orientation::Rotate90,
            2 => Orientation::Rotate180,
            _ => Orientation::Rotate270,
        });
    }

    /// Adds a PNG of a picture, for formats that cannot hold the picture itself. Ignores bytes that are not PNG, and a
    /// second PNG of the same picture.
    pub fn pixels(&mut self, id: ResourceId, png: Vec<u8>) -> Result<()> {
        let resource = &mut self.document.resources[id.index()];
        if media::sniff(&png) == Some("image/png") && resource.pixels.is_none() {
            let size = png.len();
            resource.pixels = Some(png);
            self.charge(size)?;
        }
        Ok(())
    }

    /// Returns the number of a paragraph style, and adds the style if it is new.
    pub fn paragraph_style(&mut self, style: ParagraphStyle) -> Result<ParagraphStyleId> {
        let (number, new) = self.document.paragraph_styles.number(style);
        self.charge(if new {
            3 * size_of::<ParagraphStyle>()
        } else {
            0
        })?;
        Ok(ParagraphStyleId(number))
    }

    /// Returns the number of a text style, and adds the style if it is new.
    pub fn text_style(&mut self, style: TextStyle) -> Result<TextStyleId> {
        let (number, new) = self.document.text_styles.number(style);
        self.charge(if new { 3 * size_of::<TextStyle>() } else { 0 })?;
        Ok(TextStyleId(number))
    }

    /// Returns the number of a cell style, and adds the style if it is new.
    pub fn cell_style(&mut self, style: CellStyle) -> Result<CellStyleId> {
        let (number, new) = self.document.cell_styles.number(style);
        self.charge(if new { 3 * size_of::<CellStyle>() } else { 0 })?;
        Ok(CellStyleId(number))
    }
}

//! Pictures of a workbook that is converted to another workbook format. The readers have turned charts and shapes into
//! SVG drawings. Writes no file.

use super::book::{Book, Placed};
use crate::{
    containers::zip::{self, Packing},
    error::Result,
    job::{Job, Notes},
};
use convertd_pages::document;
use convertd_tree::{
    Builder, Document, Length, Node, ParagraphStyleId, Picture, PictureSource, ResourceId, media,
};
use std::collections::BTreeMap;

/// Pictures that the sheets of a workbook show, as files that the target can hold.
pub(crate) struct Pictures {
    document: Document,
    /// Media types that the target accepts.
    accepted: &'static [&'static str],
}

impl Pictures {
    /// Takes the pictures of a workbook. A picture of another media type than `accepted` becomes a PNG, if it can be
    /// decoded.
    pub(crate) fn of(
        job: &Job<'_>,
        book: &Book,
        mut build: Builder<'_>,
        accepted: &'static [&'static str],
        notes: &mut Notes,
    ) -> Result<Self> {
        // The resolution of a PNG follows from the size at which a document shows the picture, so each picture is added
        // to the document at the size that it has on its sheet.
        build.open(Node::Paragraph(ParagraphStyleId::DEFAULT))?;
        for grid in &book.grids {
            for placed in &grid.pictures {
                let (width, height) = grid.extent(&placed.from, &placed.extent);
                build.picture(Picture {
                    source: PictureSource::Resource(placed.picture),
                    alternative: Box::default(),
                    title: Box::default(),
                    width: Some(Length::points(width.into())),
                    height: Some(Length::points(height.into())),
                    frame: None,
                })?;
            }
        }
        build.close()?;
        let mut document = build.finish(notes)?;
        document::add_pixels(job, &mut document, accepted, notes)?;
        let pictures = Self { document, accepted };
        // Drawings of charts and shapes have no name; pictures from the file do.
        let is_drawn = |placed: &Placed| {
            let resource = pictures.document.resource(placed.picture);
            resource.name.is_empty()
        };
        if (book.grids.iter()).any(|grid| pictures.kept(&grid.pictures).any(is_drawn)) {
            notes.add("Charts and shapes of the sheets became pictures.");
        }
        match pictures.lost(book) {
            0 => {}
            1 => notes.add("A picture that could not be converted was left out."),
            lost => notes.add(format!(
                "{lost} pictures that could not be converted were left out."
            )),
        }
        Ok(pictures)
    }

    /// Bytes and media type of a picture as the target holds it. `None` if it could not be converted.
    fn file(&self, picture: ResourceId) -> Option<(&[u8], &str)> {
        self.document.resource(picture).as_one_of(self.accepted)
    }

    /// End of a picture's file name (its number and its extension), and its media type. `None` if the picture could not
    /// be converted.
    pub(crate) fn name(&self, picture: ResourceId) -> Option<(String, &str)> {
        let (_, media_type) = self.file(picture)?;
        let (number, extension) = (picture.index() + 1, media::extension(media_type));
        Some((format!("{number}.{extension}"), media_type))
    }

    /// Pictures of a sheet that the target holds.
    pub(crate) fn kept<'p>(&self, pictures: &'p [Placed]) -> impl Iterator<Item = &'p Placed> {
        pictures
            .iter()
            .filter(|placed| self.file(placed.picture).is_some())
    }

    /// Pictures that the target holds, each once.
    pub(crate) fn all(&self, book: &Book) -> impl Iterator<Item = ResourceId> {
        let shown = book.grids.iter().flat_map(|grid| self.kept(&grid.pictures));
        let shown = shown.map(|placed| (placed.picture.index(), placed.picture));
        shown.collect::<BTreeMap<_, _>>().into_values()
    }

    /// Writes the files of all pictures. Their names in the package begin with `prefix`.
    pub(crate) fn write(&self, book: &Book, prefix: &str, zip: &mut zip::Writer<'_>) -> Result<()> {
        for picture in self.all(book) {
            if let (Some((name, _)), Some((bytes, media_type))) =
                (self.name(picture), self.file(picture))
            {
                zip.add(
                    &format!("{prefix}{name}"),
                    bytes,
                    Packing::of_picture(media_type),
                )?;
            }
        }
        Ok(())
    }

    /// Number of pictures that the target does not hold.
    fn lost(&self, book: &Book) -> usize {
        let placed = || book.grids.iter().map(|grid| grid.pictures.as_slice());
        let all: usize = placed().map(<[Placed]>::len).sum();
        let kept = placed().map(|pictures| self.kept(pictures).count());
        all - kept.sum::<usize>()
    }
}

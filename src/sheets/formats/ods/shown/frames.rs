//! Pictures and charts on a sheet (OpenDocument 1.3, part 3, 10.4), anchored in a cell or on the sheet. Other
//! embedded objects have a replacement picture. Decodes no pictures.

use super::{super::NAMESPACES, chart_cells, lengths::points};
use crate::{
    cells::reference,
    containers::{
        xml::{Node, Reader, decode_owned},
        zip::Archive,
    },
    error::Result,
    job::{Job, Lease},
    shown::book::{Anchor, Extent, Grid, Placed},
};
use convertd_office::{
    drawing::{Chart, Theme, draw_chart},
    wordprocessing::charts,
};
use convertd_tree::Builder;

/// Maximum length of an alternative text, in characters.
const MAX_WORDS: usize = 1024;

/// Width and height in points of a chart that states its lower right cell instead of its size.
const DEFAULT: (f64, f64) = (360.0, 216.0);

/// A picture or chart whose file is not read yet.
#[derive(Clone)]
pub(super) struct Frame {
    /// Upper left corner.
    at: Anchor,
    /// Size, or the lower right corner.
    extent: Extent,
    /// Name of the picture's file in the archive. Empty for an object without a picture.
    file: String,
    /// Folder of the embedded object, which may be a chart.
    object: Option<String>,
    /// Alternative text.
    words: Box<str>,
}

impl Frame {
    /// Reads a `draw:frame`. `None` if it contains neither a picture nor an object.
    pub(super) fn read(node: &Node<'_>) -> Option<Self> {
        let length = |name: &str| points(&node.attribute(name)?).filter(|size| size.is_finite());
        let file = |name: &str| {
            let child = node.named(name)?;
            Some(child.attribute("href")?.trim_start_matches("./").to_owned())
        };
        let object = file("object").filter(|name| !name.is_empty());
        let image = file("image").or(object.as_ref().map(|_| String::new()))?;
        let words = ["desc", "title"].into_iter().find_map(|name| {
            let child = node.named(name)?;
            (!child.text.trim().is_empty()).then(|| child.text.chars().take(MAX_WORDS).collect())
        });
        let end = node.attribute("end-cell-address").and_then(|address| {
            let (column, row) = reference(address.rsplit_once('.')?.1)?;
            Some(Anchor {
                row,
                column,
                x: length("end-x").unwrap_or(0.0),
                y: length("end-y").unwrap_or(0.0),
            })
        });
        let size = || Some(Extent::Size(length("width")?, length("height")?));
        Some(Self {
            at: Anchor {
                x: length("x").unwrap_or(0.0),
                y: length("y").unwrap_or(0.0),
                ..Anchor::default()
            },
            // The size takes precedence over the end, because rows may have other heights here.
            extent: size().or(end.map(Extent::To))?,
            file: image,
            object,
            words: words.unwrap_or_default(),
        })
    }

    /// Anchors the frame in a cell.
    pub(super) fn in_cell(mut self, row: u32, column: u32) -> Self {
        (self.at.row, self.at.column) = (row, column);
        self
    }

    /// Draws the chart, or else reads the picture. `None` if the picture's file does not exist, or is longer than
    /// `most` bytes. The memory of the result is added to `lease`.
    pub(super) fn place(
        self,
        (job, grids): (&Job<'_>, &[Grid]),
        archive: &mut Archive<'_>,
        build: &mut Builder<'_>,
        lease: &Lease<'_>,
        most: u64,
    ) -> Result<Option<Placed>> {
        if let Some((drawing, words)) = self.chart((job, grids), archive, lease, most)? {
            let words = match self.words.is_empty() {
                true => words,
                false => self.words,
            };
            return Ok(Some(Placed {
                from: self.at,
                extent: self.extent,
                picture: build.resource(drawing, "", Some(charts::DRAWING))?,
                alternative: words,
            }));
        }
        let entry = archive.entry(&self.file).filter(|entry| entry.size <= most);
        let Some(size) = entry.map(|entry| entry.size) else {
            return Ok(None);
        };
        lease.grow_exactly(2 * size)?;
        let bytes = archive.read(&self.file)?;
        let name = self.file.rsplit('/').next().unwrap_or_default();
        Ok(Some(Placed {
            from: self.at,
            extent: self.extent,
            picture: build.resource(bytes, name, None)?,
            alternative: self.words,
        }))
    }

    /// Draws a chart. Returns the drawing with its alternative text. `None` if the object is not a chart, or cannot
    /// be drawn.
    fn chart(
        &self,
        (job, grids): (&Job<'_>, &[Grid]),
        archive: &mut Archive<'_>,
        lease: &Lease<'_>,
        most: u64,
    ) -> Result<Option<(Vec<u8>, Box<str>)>> {
        let Some(object) = &self.object else {
            return Ok(None);
        };
        let part = format!("{}/content.xml", object.trim_end_matches('/'));
        let entry = archive.entry(&part).filter(|entry| entry.size <= most);
        let Some(size) = entry.map(|entry| entry.size) else {
            return Ok(None);
        };
        // Memory for the text and for the elements that are read from it.
        let _lease = job.lease(6 * size)?;
        let text = decode_owned(archive.read(&part)?);
        // A damaged chart must not prevent the conversion of the workbook.
        let mut xml = Reader::new(job, &text, NAMESPACES);
        let chart = Chart::read_odf(&mut xml, &|address| chart_cells::values(address, grids));
        let Some(chart) = chart.ok().flatten() else {
            return Ok(None);
        };
        let size = match self.extent {
            Extent::Size(width, height) => (f64::from(width), f64::from(height)),
            Extent::To(_) => DEFAULT,
        };
        let theme = Theme::default();
        let Some(drawing) = draw_chart(&chart, &theme, &theme.palette, size) else {
            return Ok(None);
        };
        lease.grow_exactly(2 * drawing.len() as u64)?;
        Ok(Some((drawing, charts::alternative(&chart, None))))
    }
}

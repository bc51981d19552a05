//! Charts and diagrams in a document: a drawing in their frame or, for targets without drawings, the values of a chart as a table.
//! Draws nothing itself.

use super::{NAMESPACES, body::Body};
use crate::{containers::xml::Reader, error::Result};
use convertd_office::{
    drawing::{Chart, Theme, draw_chart, draw_diagram, drawing_of_diagram},
    wordprocessing::{charts, losses},
};
use convertd_tree::{Length, Picture, PictureSource};
use std::rc::Rc;

/// The width and height of a frame.
type Size = (Option<Length>, Option<Length>);

impl Body<'_, '_, '_> {
    /// The chart that a `c:chart` names by its relationship, as a drawing. `None` if it becomes a table, or nothing.
    pub(super) fn chart(&mut self, id: &str, size: Size, said: &str) -> Result<Option<Picture>> {
        let Some(text) = self.text_of(id)? else {
            self.story.build.lost(&losses::DRAWINGS);
            return Ok(None);
        };
        // A chart that is damaged is no reason to refuse the document.
        let chart = Chart::read(&mut Reader::new(self.context.job, &text, NAMESPACES));
        let mut chart = chart.unwrap_or_default();
        chart.curve_lines();
        if charts::shows_drawings(self.context.job) {
            let theme = self.colours()?;
            if let Some(drawing) = draw_chart(&chart, &theme, &theme.palette, points(size)) {
                let said = Some(said).filter(|words| !words.is_empty());
                return self.drawing_of(drawing, size, charts::alternative(&chart, said));
            }
        }
        self.charts.push(chart);
        // What other programs show instead of it is not wanted, too.
        self.story.anchor();
        Ok(None)
    }

    /// The diagram whose data a `dgm:relIds` names by their relationship, as a drawing: what it looks like is stored beside it.
    pub(super) fn diagram(&mut self, id: &str, size: Size, said: &str) -> Result<Option<Picture>> {
        let data = self.text_of(id)?;
        let relationships = self.context.relationships.clone();
        let named = data.as_deref().and_then(drawing_of_diagram);
        let text = match (named, relationships.part("diagramDrawing")) {
            (Some(id), _) => self.text_of(id)?,
            // Some programs do not say which drawing belongs to which data. Often there is only one.
            (None, Some(part)) => self.context.part(self.story, part)?,
            (None, None) => None,
        };
        let theme = self.colours()?;
        let drawn = text.and_then(|text| {
            let mut xml = Reader::new(self.context.job, &text, NAMESPACES);
            draw_diagram(&mut xml, &theme, &theme.palette, points(size))
        });
        match drawn {
            Some(drawn) => self.drawing_of(drawn, size, said.into()),
            None => {
                self.story.build.lost(&losses::DRAWINGS);
                Ok(None)
            }
        }
    }

    /// Writes the tables of charts that stood in the paragraph that has ended.
    pub(super) fn tables_of_charts(&mut self) -> Result<()> {
        for chart in std::mem::take(&mut self.charts) {
            self.story.begin_list()?;
            let loss = charts::table(&mut self.story.build, &chart, None)?;
            self.story.build.lost(loss);
        }
        Ok(())
    }

    fn text_of(&mut self, id: &str) -> Result<Option<String>> {
        let relationships = self.context.relationships.clone();
        match relationships.get(id).filter(|one| !one.external) {
            Some(one) => self.context.part(self.story, &one.target),
            None => Ok(None),
        }
    }

    /// The theme of the document.
    fn colours(&mut self) -> Result<Rc<Theme>> {
        self.context.theme(self.story)
    }

    /// Adds a drawn chart as a picture with its size and text alternative.
    fn drawing_of(
        &mut self,
        drawing: Vec<u8>,
        (width, height): Size,
        alternative: Box<str>,
    ) -> Result<Option<Picture>> {
        self.story.make_room(drawing.len() as u64)?;
        let id = self
            .story
            .build
            .resource(drawing, "", Some(charts::DRAWING))?;
        self.story.make_room(0)?;
        Ok(Some(Picture {
            source: PictureSource::Resource(id),
            alternative,
            title: Box::default(),
            width,
            height,
            frame: None,
        }))
    }
}

/// The size of a frame in points: five inches by three, if it states none.
fn points((width, height): Size) -> (f64, f64) {
    let side = |length: Option<Length>, usual: f64| length.map_or(usual, Length::to_points);
    (side(width, 360.0), side(height, 216.0))
}

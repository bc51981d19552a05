//! Charts and diagrams in a document. Each becomes a drawing, which `convertd_office` draws. A chart that cannot be
//! drawn, or whose target shows no drawings, becomes a table of its values; a diagram that cannot be drawn is left out.

use super::{NAMESPACES, body::Body};
use crate::{containers::xml::Reader, error::Result};
use convertd_office::{
    drawing::{Chart, Theme, draw_chart, draw_diagram, drawing_of_diagram},
    wordprocessing::{charts, losses},
};
use convertd_tree::{Length, Picture};
use std::rc::Rc;

/// Width and height of a frame, if stated.
type Size = (Option<Length>, Option<Length>);

impl Body<'_, '_, '_> {
    /// Reads the chart that a `c:chart` refers to by its relationship, and returns it as a drawing. `None` if it
    /// becomes a table or is left out.
    pub(super) fn chart(
        &mut self,
        id: &str,
        size: Size,
        alternative: &str,
    ) -> Result<Option<Picture>> {
        let Some(text) = self.text_of(id)? else {
            self.story.build.lost(&losses::DRAWINGS);
            return Ok(None);
        };
        // A damaged chart is not a reason to refuse the document; it counts as an empty chart.
        let chart = Chart::read(&mut Reader::new(self.context.job, &text, NAMESPACES));
        let mut chart = chart.unwrap_or_default();
        chart.curve_lines();
        if charts::shows_drawings(self.context.job) {
            let theme = self.colours()?;
            if let Some(drawing) = draw_chart(&chart, &theme, &theme.palette, points(size)) {
                let alternative = Some(alternative).filter(|words| !words.is_empty());
                return self.drawing_of(drawing, size, charts::alternative(&chart, alternative));
            }
        }
        self.charts.push(chart);
        // The chart counts as content of the paragraph, so that alternatives for other programs are not read.
        self.story.anchor();
        Ok(None)
    }

    /// Reads the diagram whose data a `dgm:relIds` refers to, and returns it as a drawing. The file stores its shapes
    /// in a part beside the data, because only Office can compute them.
    pub(super) fn diagram(
        &mut self,
        id: &str,
        size: Size,
        alternative: &str,
    ) -> Result<Option<Picture>> {
        let data = self.text_of(id)?;
        let relationships = self.context.relationships.clone();
        let named = data.as_deref().and_then(drawing_of_diagram);
        let text = match (named, relationships.part("diagramDrawing")) {
            (Some(id), _) => self.text_of(id)?,
            // Some programs do not state which drawing belongs to the data. Then the first drawing of the document is
            // used, which is often the only one.
            (None, Some(part)) => self.context.part(self.story, part)?,
            (None, None) => None,
        };
        let theme = self.colours()?;
        let drawn = text.and_then(|text| {
            let mut xml = Reader::new(self.context.job, &text, NAMESPACES);
            draw_diagram(&mut xml, &theme, &theme.palette, points(size))
        });
        match drawn {
            Some(drawn) => self.drawing_of(drawn, size, alternative.into()),
            None => {
                self.story.build.lost(&losses::DRAWINGS);
                Ok(None)
            }
        }
    }

    /// Adds a table of the values for each chart of the finished paragraph that was not drawn.
    pub(super) fn tables_of_charts(&mut self) -> Result<()> {
        for chart in std::mem::take(&mut self.charts) {
            self.story.begin_list()?;
            let loss = charts::table(&mut self.story.build, &chart, None)?;
            self.story.build.lost(loss);
        }
        Ok(())
    }

    /// Text of the part that a relationship refers to. `None` if it is missing or external.
    fn text_of(&mut self, id: &str) -> Result<Option<String>> {
        let relationships = self.context.relationships.clone();
        match relationships
            .get(id)
            .filter(|relationship| !relationship.external)
        {
            Some(relationship) => self.context.part(self.story, &relationship.target),
            None => Ok(None),
        }
    }

    /// Theme of the document.
    fn colours(&mut self) -> Result<Rc<Theme>> {
        self.context.theme(self.story)
    }

    /// Adds a drawing to the document, and returns it as a picture with its size and description.
    fn drawing_of(
        &mut self,
        drawing: Vec<u8>,
        (width, height): Size,
        alternative: Box<str>,
    ) -> Result<Option<Picture>> {
        Ok(Some(Picture {
            source: self.story.charted(drawing)?,
            alternative,
            title: Box::default(),
            width,
            height,
            frame: None,
        }))
    }
}

/// Size of a frame in points. The default is 5 by 3 inches.
fn points((width, height): Size) -> (f64, f64) {
    let side = |length: Option<Length>, default: f64| length.map_or(default, Length::to_points);
    (side(width, 360.0), side(height, 216.0))
}

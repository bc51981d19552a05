//! Charts in documents. For formats that cannot show drawings, a chart becomes a table of its values. Draws nothing.

use crate::{drawing::Chart, error::Result, job::Job, wordprocessing::losses};
use convertd_tree::{Alignment, Builder, CellShape, Node, ParagraphStyleId, Part, losses::Loss};

/// Media type of drawings.
pub const DRAWING: &str = "image/svg+xml";

/// Note about charts that became tables.
pub static TABLES: Loss = Loss {
    one: "A chart became a table of its values.",
    many: "{} charts became tables of their values.",
};

/// Returns whether the target format shows drawings. Text formats do not, so they contain the values of charts instead.
pub fn shows_drawings(job: &Job<'_>) -> bool {
    !matches!(job.to.name, "md" | "txt" | "ipynb")
}

/// Returns the alternative text of a chart: that of the file, or the title of the chart, or otherwise "Chart".
pub fn alternative(chart: &Chart, stated: Option<&str>) -> Box<str> {
    stated.or(chart.words()).unwrap_or("Chart").into()
}

/// Writes the values of a chart as a table, with a row for each category and a column for each series. Returns the note
/// that the chart became a table. The caption is the title of the chart, or otherwise `alternative`. If the chart has
/// no series, writes only this text, and returns the note that a drawing was left out.
pub fn table(
    build: &mut Builder<'_>,
    chart: &Chart,
    alternative: Option<&str>,
) -> Result<&'static Loss> {
    let title = chart.words().or(alternative);
    if chart.series().next().is_none() {
        if let Some(title) = title {
            paragraph(build, title)?;
        }
        return Ok(&losses::DRAWINGS);
    }
    build.open(Node::Table {
        columns: Vec::new(),
        width: None,
        alignment: None,
    })?;
    if let Some(title) = title {
        build.open(Node::Caption)?;
        paragraph(build, title)?;
        build.close()?;
    }
    let columns = chart.columns();
    build.open(Node::Row {
        part: Part::Head,
        height: None,
    })?;
    for (name, ..) in &columns {
        cell(build, name, true, None)?;
    }
    build.close()?;
    let rows = columns.iter().map(|(_, points, _)| points.len()).max();
    for row in 0..rows.unwrap_or(0) {
        build.open(Node::Row {
            part: Part::Body,
            height: None,
        })?;
        for (_, points, is_value) in &columns {
            let point = points.get(row).map_or("", String::as_str);
            cell(build, point, false, is_value.then_some(Alignment::End))?;
        }
        build.close()?;
    }
    build.close()?;
    Ok(&TABLES)
}

/// Writes a cell.
fn cell(
    build: &mut Builder<'_>,
    text: &str,
    heading: bool,
    alignment: Option<Alignment>,
) -> Result<()> {
    build.open(Node::Cell(CellShape {
        heading,
        alignment,
        ..CellShape::default()
    }))?;
    paragraph(build, text)?;
    build.close()
}

/// Writes a paragraph.
fn paragraph(build: &mut Builder<'_>, text: &str) -> Result<()> {
    build.open(Node::Paragraph(ParagraphStyleId::DEFAULT))?;
    build.text(text)?;
    build.close()
}

//! Reads graphic frames (ECMA-376 part 1, 19.3.1.21): tables, charts, diagrams, and objects of other programs.
//! Diagrams are not laid out, because Office stores a drawing for each.

use super::{
    NAMESPACES,
    shapes::{Group, Shapes},
    styles::RunStyle,
    table_style::Shown,
    text::{self, Layers},
};
use crate::{
    containers::xml::{Node, Reader},
    deck::{Body, Cell, Charted, Content, Frame, Role, Row, Shape, Table},
    error::Result,
};
use convertd_office::{
    drawing::{Chart, Fill, FillStyle, LineStyle, Place, drawing_of_diagram, flag, number},
    wordprocessing::losses,
};
use convertd_tree::losses::Loss;

/// Limit on columns of a table.
const MAX_COLUMNS: usize = 1000;
/// Limit on cells of a table.
const MAX_CELLS: usize = 250_000;

static DIAGRAMS: Loss = Loss {
    one: "A diagram is shown as its text: the file has no picture of it.",
    many: "{} diagrams are shown as their text: the file has no pictures of them.",
};

/// Limit on the depth of a search in the data of a diagram.
const MAX_DEPTH: usize = 16;

/// Reads a `p:graphicFrame`. The content depends on the element within `a:graphicData`. `None` for unknown contents.
pub(super) fn read(
    shapes: &mut Shapes<'_, '_>,
    node: &Node<'_>,
    group: &Group,
) -> Result<Option<Frame>> {
    let transform = node.named("xfrm").and_then(Place::read);
    let place = transform.map(|place| group.space.on_sheet(place));
    let (alternative, link) = shapes.described(node);
    let data = node.child("a", "graphic");
    let data = data.and_then(|graphic| graphic.child("a", "graphicData"));
    let Some(data) = data else {
        return Ok(None);
    };
    let mut frame = Frame {
        place,
        role: Role::Other,
        alternative,
        link,
        content: Content::Group(Vec::new()),
    };
    if let Some(table) = data.child("a", "tbl") {
        frame.content = Content::Table(Box::new(self::table(shapes, table)));
    } else if let Some(chart) = data.child("c", "chart") {
        let part = shapes
            .scope
            .part(&chart.attribute("id").unwrap_or_default());
        frame.content = Content::Chart(Box::new(Charted {
            chart: self::chart(shapes, &part)?,
            theme: shapes.scope.theme.clone(),
            palette: shapes.scope.palette.clone(),
        }));
    } else if let Some(diagram) = data.child("dgm", "relIds") {
        let data = shapes
            .scope
            .part(&diagram.attribute("dm").unwrap_or_default());
        frame.content = self::diagram(shapes, &data, place, group)?;
    } else if let Some(picture) = preview(data, 0) {
        let own = shapes.picture(picture, group);
        shapes.pptx.losses.add(&losses::OBJECTS);
        frame.place = frame.place.or(own.place);
        if frame.alternative.is_empty() {
            frame.alternative = own.alternative;
        }
        frame.content = own.content;
    } else {
        shapes.pptx.losses.add(&losses::DRAWINGS);
        return Ok(None);
    }
    Ok(Some(frame))
}

/// Finds the preview picture of an embedded object.
fn preview<'n, 'x>(node: &'n Node<'x>, depth: usize) -> Option<&'n Node<'x>> {
    if depth > 4 {
        return None;
    }
    // Search from the end: the last alternative does not use VML, the older language for drawings.
    let mut all = node.children.iter().rev();
    all.find_map(|child| match child.element.name {
        "pic" => Some(child),
        _ => preview(child, depth + 1),
    })
}

/// Reads an `a:tbl` (21.1.3). The fill and the lines of a cell come from its own properties, or else from the parts
/// of the table style that apply to it.
fn table(shapes: &Shapes<'_, '_>, node: &Node<'_>) -> Table {
    let properties = node.child("a", "tblPr");
    let style = properties.and_then(|own| own.child("a", "tableStyleId"));
    let style = shapes.pptx.tables.get(
        style.map_or("", |style| style.text.trim()),
        &shapes.scope.theme,
    );
    let shown = Shown::read(properties);
    let grid = node.child("a", "tblGrid");
    let columns = grid.into_iter().flat_map(|grid| &grid.children);
    let columns = columns.take(MAX_COLUMNS).map(|column| {
        let width = number(column, "w").unwrap_or(0);
        width.clamp(0, 51_206_400) as f64
    });
    let mut table = Table {
        columns: columns.collect(),
        rows: Vec::new(),
        headed: shown.first_row,
    };
    let mut cells = 0;
    let rows: Vec<_> = node
        .children
        .iter()
        .filter(|child| child.is("a", "tr"))
        .collect();
    for (nth, row) in rows.iter().enumerate() {
        let own = row.children.iter().filter(|child| child.is("a", "tc"));
        let own = own.take(MAX_COLUMNS).enumerate().map(|(column, cell)| {
            let part = style.cell(shown, (nth, rows.len()), (column, table.columns.len()));
            // Number of rows or columns that the cell covers.
            let span = |name| {
                let span = number(cell, name).unwrap_or(1);
                span.clamp(1, MAX_COLUMNS as i64) as u16
            };
            // The file contains covered cells, with a mark.
            let covered = ["hMerge", "vMerge"].map(|name| flag(cell, name).unwrap_or(false));
            let spans = match covered {
                [false, false] => (span("rowSpan"), span("gridSpan")),
                _ => (0, 0),
            };
            let layers = shapes.layers(None, [None; 2], part.letters);
            let body = cell.child("a", "txBody");
            let mut text = body.map(|body| text::body(&shapes.scope, body, &layers));
            let own = cell.child("a", "tcPr");
            if let (Some(text), Some(own)) = (&mut text, own) {
                arrange(text, own);
            }
            let fill = own.and_then(FillStyle::read).or(part.fill);
            let fill = fill.map(|fill| shapes.scope.fill(&fill, None, &Fill::None));
            // A line may state only some properties, and takes the others from the table style.
            let mut styled = part.lines.into_iter();
            let borders = ["lnL", "lnT", "lnR", "lnB"].map(|name| {
                let line = own
                    .and_then(|own| own.child("a", name))
                    .map(LineStyle::read);
                let below = styled.next().flatten();
                let line = match (line, &below) {
                    (Some(line), Some(below)) => Some(line.over(below)),
                    (line, _) => line.or(below),
                };
                line?.resolve(&shapes.scope.palette, None)
            });
            Cell {
                spans,
                text: text.unwrap_or_default(),
                fill: fill.unwrap_or_default(),
                borders,
            }
        });
        let own: Vec<Cell> = own.collect();
        cells += own.len();
        if cells > MAX_CELLS {
            break;
        }
        table.rows.push(Row {
            height: number(row, "h").unwrap_or(0).clamp(0, 51_206_400) as f64,
            cells: own,
        });
    }
    table.end_spans_at_cells();
    table
}

/// Sets the insets, anchor and direction of a cell's text from its `a:tcPr` (21.1.3.17).
fn arrange(text: &mut Body, own: &Node<'_>) {
    use convertd_tree::VerticalAlignment;
    for (side, name) in ["marL", "marT", "marR", "marB"].into_iter().enumerate() {
        if let Some(inset) = number(own, name) {
            text.insets[side] = inset.clamp(0, 51_206_400) as f64;
        }
    }
    text.anchor = Some(match own.attribute("anchor").as_deref() {
        Some("ctr") => VerticalAlignment::Middle,
        Some("b") => VerticalAlignment::Bottom,
        _ => VerticalAlignment::Top,
    });
    text.turn = match own.attribute("vert").as_deref() {
        Some("vert" | "eaVert") => 90.0,
        Some("vert270") => 270.0,
        _ => 0.0,
    };
}

/// Reads the part of a chart. A missing or damaged chart is empty.
fn chart(shapes: &mut Shapes<'_, '_>, part: &str) -> Result<Chart> {
    let Some(text) = shapes.pptx.text(part)? else {
        return Ok(Chart::default());
    };
    let mut xml = Reader::new(shapes.pptx.job, &text, NAMESPACES);
    // A damaged chart must not prevent the conversion of the slide.
    Ok(Chart::read(&mut xml).unwrap_or_default())
}

/// Returns the stored drawing of a diagram (MS-ODRAWXML, 2.4), or its texts as a list if the file contains no drawing.
/// An empty group if the data of the diagram are missing.
fn diagram(
    shapes: &mut Shapes<'_, '_>,
    data: &str,
    place: Option<Place>,
    group: &Group,
) -> Result<Content> {
    let job = shapes.pptx.job;
    let Some(text) = shapes.pptx.text(data)? else {
        shapes.pptx.losses.add(&losses::DRAWINGS);
        return Ok(Content::Group(Vec::new()));
    };
    if let Some(drawing) = drawing_of(shapes, &text)
        && let Some(text) = shapes.pptx.text(&drawing)?
    {
        let own = shapes.pptx.relationships(&drawing)?;
        // Identifiers in the drawing refer to the relationships of its own part.
        let outer = std::mem::replace(&mut shapes.scope.relationships, own);
        // Coordinates of the drawing are relative to the frame.
        let (x, y) = place.map_or((0.0, 0.0), |place| (place.x, place.y));
        let mut xml = Reader::new(job, &text, NAMESPACES);
        xml.root()?;
        let mut frames = Vec::new();
        while let Some(element) = xml.next_element(1)? {
            if element.name == "spTree" {
                let inner = Group {
                    space: group.space.moved(x, y),
                    fill: group.fill.clone(),
                };
                frames.append(&mut shapes.tree(&mut xml, &inner)?);
            }
        }
        shapes.scope.relationships = outer;
        if !frames.is_empty() {
            return Ok(Content::Group(frames));
        }
    }
    let mut xml = Reader::new(job, &text, NAMESPACES);
    let root = xml.root()?;
    let root = Node::read(&mut xml, root)?;
    let mut body = Body {
        wraps: true,
        insets: text::INSETS.map(|inset| inset as f64),
        ..Body::default()
    };
    let layers = shapes.layers(None, [None; 2], RunStyle::default());
    texts(shapes, &root, &layers, &mut body, 0);
    body.paragraphs.retain(|paragraph| !paragraph.is_blank());
    shapes.pptx.losses.add(&DIAGRAMS);
    Ok(Content::Shape(Box::new(Shape {
        text: Some(body),
        ..Shape::default()
    })))
}

/// Returns the name of the part with the drawing of a diagram, which the diagram's data contains.
fn drawing_of(shapes: &Shapes<'_, '_>, data: &str) -> Option<Box<str>> {
    let id = drawing_of_diagram(data)?;
    Some(shapes.scope.part(id)).filter(|part| !part.is_empty())
}

/// Collects the texts of a diagram in document order.
fn texts(
    shapes: &Shapes<'_, '_>,
    node: &Node<'_>,
    layers: &Layers<'_>,
    body: &mut Body,
    depth: usize,
) {
    if depth > MAX_DEPTH {
        return;
    }
    for child in &node.children {
        if child.is("dgm", "t") {
            let own = text::body(&shapes.scope, child, layers);
            body.paragraphs.extend(own.paragraphs);
        } else {
            texts(shapes, child, layers, body, depth + 1);
        }
    }
}

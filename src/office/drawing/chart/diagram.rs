//! Draws the shapes with text that Office stores beside the data of diagrams (SmartArt; MS-ODRAWXML, 2.4), and shapes
//! that are anchored on a sheet. Computes no diagram from the data alone.

use super::{
    canvas::{Anchor, Canvas},
    elements,
    model::Chart,
    pens::{Pen, Pens},
};
use crate::{
    containers::xml::{Node, Reader},
    drawing::{
        Art, Colour, Fill, FillStyle, Geometry, LineStyle, Palette, Place, Rgba, Space, Theme,
        number,
    },
};
use convertd_tree::POINT;

/// Max. number of shapes of a diagram.
const MAX_SHAPES: usize = 2000;
/// Max. number of paragraphs of a text.
const MAX_PARAGRAPHS: usize = 200;

/// Returns the identifier of the relationship to a diagram's drawing (`relId` of `dataModelExt`). `data` is the XML
/// source of the data of the diagram.
pub fn drawing_of_diagram(data: &str) -> Option<&str> {
    let (_, rest) = data.split_once("dataModelExt")?;
    let (tag, _) = rest.split_once('>')?;
    let (_, rest) = tag.split_once("relId=")?;
    rest.get(1..)?.split(['"', '\'']).next()
}

/// Draws the shapes of a diagram in this width and height in points, as an SVG file. `xml` is at the beginning of the
/// drawing part. `None` if nothing can be drawn, if the part is damaged, or if it has more than 2000 shapes.
pub fn draw_diagram(
    xml: &mut Reader<'_>,
    theme: &Theme,
    palette: &Palette,
    size: (f64, f64),
) -> Option<Vec<u8>> {
    xml.root().ok()?;
    // Texts have the default formatting of text in a chart.
    let nothing = Chart::default();
    let pens = Pens::new(&nothing, theme, palette);
    let mut art = Art::new(size);
    let mut words = Canvas::default();
    let mut left = MAX_SHAPES;
    while let Some(element) = xml.next_element(1).ok()? {
        if element.name != "spTree" {
            continue;
        }
        let tree = Node::read(xml, element).ok()?;
        for shape in tree.all_named("sp") {
            left = left.checked_sub(1)?;
            let page = Page {
                space: Space::SHEET,
                default: IN_DIAGRAMS,
            };
            draw_shape(
                (&mut art, &mut words),
                shape,
                &pens,
                (theme, palette),
                &page,
            );
        }
    }
    let drawn = art.take();
    if drawn.is_none() && words.is_empty() {
        return None;
    }
    words.over(drawn, size)
}

/// Draws an object that is anchored on a sheet: a shape, a connector or a group, in the size of its anchor in points.
/// Returns an SVG file, or `None` if nothing can be drawn. Pictures and charts inside of groups are not drawn.
pub fn draw_anchored(
    node: &Node<'_>,
    theme: &Theme,
    palette: &Palette,
    size: (f64, f64),
) -> Option<Vec<u8>> {
    let nothing = Chart::default();
    let pens = Pens::new(&nothing, theme, palette);
    let mut art = Art::new(size);
    let mut words = Canvas::default();
    let own = node.named("spPr").or_else(|| node.named("grpSpPr"))?;
    let place = own.named("xfrm").and_then(Place::read)?;
    // The anchor states the position and the size; the transform of the shape only adds its rotation and flips.
    let frame = Place {
        x: 0.0,
        y: 0.0,
        width: size.0 * POINT,
        height: size.1 * POINT,
        ..Place::default()
    };
    let page = Page {
        space: Space::SHEET.inside(frame, (place.x, place.y), (place.width, place.height)),
        default: ON_SHEETS,
    };
    let mut left = MAX_SHAPES;
    draw_all(
        (&mut art, &mut words),
        node,
        &pens,
        (theme, palette),
        &page,
        &mut left,
    );
    let drawn = art.take();
    if drawn.is_none() && words.is_empty() {
        return None;
    }
    words.over(drawn, size)
}

/// Draws a shape, or the members of a group. `left` counts down the shapes and groups that may still be drawn.
fn draw_all(
    canvas: (&mut Art, &mut Canvas),
    node: &Node<'_>,
    pens: &Pens<'_>,
    colours: (&Theme, &Palette),
    page: &Page,
    left: &mut usize,
) {
    let Some(fewer) = left.checked_sub(1) else {
        return;
    };
    *left = fewer;
    let (art, words) = canvas;
    if node.element.name != "grpSp" {
        return draw_shape((art, words), node, pens, colours, page);
    }
    let transform = node.named("grpSpPr").and_then(|own| own.named("xfrm"));
    let page = Page {
        space: transform.map_or(page.space, |transform| page.space.group(transform)),
        default: page.default,
    };
    for child in &node.children {
        if matches!(child.element.name, "sp" | "cxnSp" | "grpSp") {
            draw_all((art, words), child, pens, colours, &page, left);
        }
    }
}

/// Coordinate system and default text layout of a drawing.
struct Page {
    space: Space,
    default: Body,
}

/// Default layout of text in a shape.
#[derive(Clone, Copy)]
struct Body {
    /// Insets from the left and right, and from the top and bottom edges, in points.
    insets: (f64, f64),
    /// Whether text begins at the top instead of the middle.
    at_top: bool,
}

/// Defaults in SmartArt.
const IN_DIAGRAMS: Body = Body {
    insets: (0.0, 0.0),
    at_top: false,
};

/// Defaults on sheets: those of the schema (`a:bodyPr`, ECMA-376 part 1, 21.1.2.1.1).
const ON_SHEETS: Body = Body {
    insets: (7.2, 3.6),
    at_top: true,
};

/// Draws a shape: its geometry into `art`, and its text into `words`. Fills, lines and colours that the shape does not
/// state come from its style reference in the theme.
fn draw_shape(
    (art, words): (&mut Art, &mut Canvas),
    shape: &Node<'_>,
    pens: &Pens<'_>,
    (theme, palette): (&Theme, &Palette),
    page: &Page,
) {
    let Some(own) = shape.named("spPr") else {
        return;
    };
    let Some(place) = own.named("xfrm").and_then(Place::read) else {
        return;
    };
    let place = page.space.on_sheet(place);
    let style = shape.named("style");
    let refers = |name: &str| {
        let reference = style?.named(name)?;
        let colour = Colour::read(reference).map(|colour| colour.resolve(palette, None));
        Some((number(reference, "idx").unwrap_or(0), colour))
    };
    // The fill of the shape itself, or the fill of its style with the colour that the shape passes to the style.
    let fill = match FillStyle::read(own) {
        Some(fill) => fill.resolve(palette, None, &Fill::None),
        None => refers("fillRef")
            .and_then(|(at, colour)| Some(theme.fill(at)?.resolve(palette, colour, &Fill::None)))
            .unwrap_or_default(),
    };
    let mut line = own.named("ln").map(LineStyle::read).unwrap_or_default();
    let mut colour = None;
    if let Some((at, own)) = refers("lnRef") {
        colour = own;
        if let Some(below) = theme.line(at) {
            line = line.over(below);
        }
    }
    let line = line.resolve(palette, colour);
    let geometry = Geometry::read(own).unwrap_or_default();
    let outline = geometry.outline(place.width, place.height);
    if fill != Fill::None || line.is_some() {
        art.paths(&place, &outline.paths, &fill, line.as_ref(), None);
    }
    let text = shape
        .named("txXfrm")
        .and_then(Place::read)
        .map_or(place, |text| page.space.on_sheet(text));
    let default = refers("fontRef").and_then(|(_, colour)| colour);
    if let Some(body) = shape.named("txBody") {
        write(words, body, &text, pens, (default, page.default));
    }
}

/// A line of text that is laid out.
struct Line {
    pen: Pen,
    words: String,
    anchor: Anchor,
    /// Space before the line, in points.
    before: f64,
}

/// Lays out the text of a shape inside its insets, line by line. The text is at the top, in the middle or at the
/// bottom of the shape, as its text body states.
fn write(
    canvas: &mut Canvas,
    body: &Node<'_>,
    place: &Place,
    pens: &Pens<'_>,
    (default, fallback): (Option<Rgba>, Body),
) {
    let properties = body.named("bodyPr");
    let inset = |name| {
        let own = properties.and_then(|own| number(own, name));
        let default = match name {
            "lIns" | "rIns" => fallback.insets.0,
            _ => fallback.insets.1,
        };
        own.map_or(default, |own| own.clamp(0, 51_206_400) as f64 / POINT)
    };
    let (left, right) = (
        place.x / POINT + inset("lIns"),
        (place.x + place.width) / POINT - inset("rIns"),
    );
    let (top, bottom) = (
        place.y / POINT + inset("tIns"),
        (place.y + place.height) / POINT - inset("bIns"),
    );
    let mut lines = Vec::new();
    let paragraphs = body.all_named("p");
    for paragraph in paragraphs.take(MAX_PARAGRAPHS) {
        let own = paragraph.named("pPr");
        let anchor = match own.and_then(|own| own.attribute("algn")).as_deref() {
            Some("ctr") => Anchor::Middle,
            Some("r") => Anchor::End,
            _ => Anchor::Start,
        };
        let runs = paragraph
            .children
            .iter()
            .filter(|child| matches!(child.element.name, "r" | "fld"));
        let look = runs.clone().find_map(|run| run.named("rPr"));
        let text: String = runs
            .filter_map(|run| run.named("t"))
            .map(|text| &*text.text)
            .collect();
        let mut letters = look.map(elements::look).unwrap_or_default();
        letters.colour = letters
            .colour
            .or(default.map(|default| Colour::plain(default.rgb)));
        let pen = pens.pen(&letters);
        let bullet = own
            .and_then(|own| own.named("buChar"))
            .and_then(|own| own.attribute("char"));
        let text = match bullet {
            Some(bullet) => format!("{bullet} {text}"),
            None => text,
        };
        let mut before = if lines.is_empty() {
            0.0
        } else {
            pen.look.size * 0.2
        };
        for words in pen.wrap(&text, right - left) {
            lines.push(Line {
                pen: pen.clone(),
                words,
                anchor,
                before: std::mem::take(&mut before),
            });
        }
    }
    // Office sets the lines of diagrams closer than the font states.
    let height: f64 = lines
        .iter()
        .map(|line| line.before + line.pen.line() * 0.9)
        .sum();
    let mut y = match properties
        .and_then(|own| own.attribute("anchor"))
        .as_deref()
    {
        Some("t") => top,
        Some("b") => bottom - height,
        None if fallback.at_top => top,
        _ => (top + bottom - height) / 2.0,
    };
    for line in lines {
        y += line.before;
        let x = match line.anchor {
            Anchor::Start => left,
            Anchor::Middle => (left + right) / 2.0,
            Anchor::End => right,
        };
        let height = line.pen.line() * 0.9;
        canvas.text(
            (x, y + height / 2.0 + line.pen.drop()),
            line.anchor,
            &line.pen.look,
            0.0,
            &line.words,
        );
        y += height;
    }
}

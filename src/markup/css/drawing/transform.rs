//! Transforms of drawing elements (CSS Transforms 1 and 2) as one matrix with its origin. Draws
//! nothing.

use super::{around, values::number};
use crate::css::{
    properties,
    property::Apply,
    space::Space,
    style::{Style, Transform},
    tokens::{Token, tokens},
    value::{Context, Cursor},
};
use resvg::usvg::roxmltree::Node;
use std::cell::Cell;

/// Tokens of a value, and whether it comes from an attribute.
type Declared<'t> = (&'t [Token], bool);

/// Adds the attributes `transform` and `transform-origin` of an element. `of` returns the
/// declarations of a property, weakest first.
///
/// usvg knows only the attribute `transform`. CSS properties are computed to one matrix here; percentages refer to the
/// reference box that `transform-box` names (CSS Transforms 1).
pub(super) fn values<'t>(
    node: Node<'_, '_>,
    of: impl Fn(&str) -> Vec<Declared<'t>>,
    context: &Context,
    out: &mut Vec<(String, String)>,
) {
    // The parser of documents computes the values, into a style that contains only transforms.
    let mut style = Style::default();
    let parent = Style::default();
    let steps = Cell::new(0);
    let apply = Apply {
        parent: &parent,
        context: *context,
        steps: &steps,
    };
    // Sets the strongest valid declaration of a property, and returns whether one was found. Attributes are skipped:
    // they use another syntax, without units, which usvg reads itself.
    let mut set = |name: &str| {
        let declared = of(name);
        let strongest = declared
            .iter()
            .rev()
            .filter(|(_, is_attribute)| !is_attribute);
        for (tokens, _) in strongest {
            if let Some(declarations) = properties::parse(name, tokens) {
                declarations
                    .iter()
                    .for_each(|one| (one.set)(&mut style, &apply));
                return true;
            }
        }
        false
    };
    let is_moved = [
        set("transform"),
        set("translate"),
        set("rotate"),
        set("scale"),
    ];
    let has_origin = set("transform-origin");
    let attribute = node.attribute("transform");
    // `view-box` is the initial value; the other keywords name a box of the element itself.
    let reference = of("transform-box")
        .last()
        .map(|(tokens, _)| Cursor::new(tokens).word());
    let is_own = matches!(
        reference.flatten().as_deref(),
        Some("fill-box" | "content-box" | "stroke-box" | "border-box")
    );
    let area = match is_own {
        true => bounds(node),
        false => None,
    };
    let area = area.unwrap_or([0.0, 0.0, context.viewport.0, context.viewport.1]);
    // `translate`, `rotate` and `scale` apply before `transform` (CSS Transforms 2).
    if is_moved.contains(&true) {
        let moves = style.moves.iter().flatten();
        let mut whole = Space::SAME;
        for one in moves.chain(style.transforms.iter()) {
            let next = match one {
                Transform::Translate(x, y, _) => Space::moved(x.of(area[2]), y.of(area[3]), 0.0),
                Transform::Matrix(matrix) => *matrix,
            };
            whole = whole.after(&next);
        }
        // A 3D transform without an affine projection is flattened by dropping depth.
        let m = whole.0;
        let flat = [m[0], m[1], m[4], m[5], m[12], m[13]];
        let flat = whole.seen().plain().unwrap_or(flat);
        let mut text = format!("matrix({})", flat.map(number).join(" "));
        // Without the property `transform`, the attribute of this name still applies, innermost.
        if let Some(attribute) = attribute.filter(|_| !is_moved[0]) {
            text.push(' ');
            text.push_str(attribute);
        }
        out.push(("transform".to_owned(), text));
    } else if let Some(attribute) = attribute {
        out.push(("transform".to_owned(), attribute.to_owned()));
    }
    // The initial origin is the corner of the reference box in SVG (CSS Transforms 1).
    if has_origin || is_own && (is_moved.contains(&true) || attribute.is_some()) {
        let (x, y) = match has_origin {
            true => (
                style.transform_origin.0.of(area[2]),
                style.transform_origin.1.of(area[3]),
            ),
            false => (0.0, 0.0),
        };
        let (x, y) = (area[0] + x, area[1] + y);
        out.push((
            "transform-origin".to_owned(),
            format!("{} {}", number(x), number(y)),
        ));
    } else if let Some(origin) = node.attribute("transform-origin") {
        out.push(("transform-origin".to_owned(), origin.to_owned()));
    }
}

/// Bounding box of a basic shape: corner, width and height, in user units. `None` for others, whose
/// box depends on paths or text.
fn bounds(node: Node<'_, '_>) -> Option<[f32; 4]> {
    let of = |name: &str| -> f32 {
        let tokens = tokens(node.attribute(name).unwrap_or("0"));
        // Percentages are taken as 0 here, because the viewport is unknown.
        let context = around(16.0, 16.0, (0.0, 0.0));
        let length = Cursor::new(&tokens).length(true);
        length.map_or(0.0, |length| length.computed(&context).of(0.0))
    };
    match node.tag_name().name() {
        "rect" | "image" | "foreignObject" | "use" => {
            Some([of("x"), of("y"), of("width"), of("height")])
        }
        "circle" => {
            let r = of("r");
            Some([of("cx") - r, of("cy") - r, 2.0 * r, 2.0 * r])
        }
        "ellipse" => {
            let (rx, ry) = (of("rx"), of("ry"));
            Some([of("cx") - rx, of("cy") - ry, 2.0 * rx, 2.0 * ry])
        }
        "line" => {
            let (x1, y1, x2, y2) = (of("x1"), of("y1"), of("x2"), of("y2"));
            Some([x1.min(x2), y1.min(y2), (x1 - x2).abs(), (y1 - y2).abs()])
        }
        _ => None,
    }
}

//! Page-margin boxes (CSS Paged Media 3, 5): their lines of text, in each of the sixteen boxes.
//! Draws no backgrounds.
//!
//! A box that is not in a corner gets the whole edge of the page between the corners; the widths are not distributed
//! among the three boxes of an edge as 5.3.2 specifies, because their texts are short.

use super::{
    fonts::family,
    paper::{Paper, margin_boxes},
    sizing,
};
use convertd_layout::{
    atoms::{AtomKind, Atoms},
    faces::Faces,
    item::{Item, Owner, Pen},
    spans::Spans,
    structure::NodeId,
    text_format::TextFormat,
};
use convertd_markup::css::{
    cascade::{StyleContext, compute},
    counter_style::CounterStyles,
    property::Declaration,
    sheet::PageRule,
    style::{BOTTOM, Content, LEFT, RIGHT, Style, TOP, TextAlign, VerticalAlign},
};
use convertd_tree::Colour;
use std::{cell::Cell, rc::Rc};

/// Limit on the lines of a box.
const MAX_LINES: usize = 50;

/// A page among all pages.
#[derive(Clone, Copy)]
pub(super) struct Numbered {
    /// Page number from 0.
    pub number: usize,
    /// Number of pages.
    pub count: usize,
}

/// Computes the items of a page's margin boxes, in points from the corner of the page.
pub(crate) fn items(
    rules: &[PageRule],
    name: Option<&str>,
    paper: &Paper,
    page: Numbered,
    styles: &CounterStyles,
    faces: &mut Faces<'_>,
) -> Vec<Item> {
    let mut items = Vec::new();
    for (place, declarations) in margin_boxes(rules, name, page.number) {
        let Some(place) = placed(&place, paper) else {
            continue;
        };
        // Margin boxes do not inherit from the document here.
        let plain = Style::default();
        let mut style = Style::default();
        let declared: Vec<&Declaration> = declarations.iter().collect();
        let around = StyleContext {
            parent: &plain,
            root: None,
            viewport: paper.content(),
            fonts: None,
            root_line: None,
            steps: &Cell::new(0),
        };
        compute(&mut style, &declared, &around);
        let text = words(&style, page, styles);
        if text.trim().is_empty() {
            continue;
        }
        // The text is placed within the padding. The alignments are those of the style, or else the usual ones of the
        // box.
        let padding = sizing::padding(&style, place.right - place.left);
        let (left, right) = (place.left + padding[LEFT], place.right - padding[RIGHT]);
        let (top, bottom) = (place.top + padding[TOP], place.bottom - padding[BOTTOM]);
        let along = match style.text.align {
            TextAlign::Left => 0.0,
            TextAlign::Right | TextAlign::End => 1.0,
            TextAlign::Center => 0.5,
            _ => place.along,
        };
        let down = match style.vertical_align {
            VerticalAlign::Top => 0.0,
            VerticalAlign::Middle => 0.5,
            VerticalAlign::Bottom => 1.0,
            _ => place.down,
        };
        // Lines are stacked around the position that the vertical alignment gives.
        let lines: Vec<&str> = text.split('\n').take(MAX_LINES).collect();
        let height = style.line_height(1.15 * style.text.size);
        let first = top + (bottom - top - height * lines.len() as f32) * down + height / 2.0;
        for (number, text) in lines.into_iter().enumerate() {
            let middle = first + height * number as f32;
            let across = (left, right, along);
            line(&mut items, &style, text, across, middle, faces);
        }
    }
    items
}

/// A margin box in px of the page, with the usual alignment of its text: 0 stands for left or top, 1 for right or
/// bottom.
struct MarginBox {
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
    along: f32,
    down: f32,
}

/// Position of the margin box with this name (`top-left-corner` to `right-bottom`). `None` for unknown names.
fn placed(name: &str, paper: &Paper) -> Option<MarginBox> {
    let (side, part) = name.split_once('-')?;
    let [top, right, bottom, left] = paper.margin;
    let content = MarginBox {
        left,
        right: paper.width - right,
        top,
        bottom: paper.height - bottom,
        along: 0.5,
        down: 0.5,
    };
    let place = match side {
        "top" => MarginBox {
            top: 0.0,
            bottom: top,
            ..content
        },
        "bottom" => MarginBox {
            top: content.bottom,
            bottom: paper.height,
            ..content
        },
        "left" => MarginBox {
            left: 0.0,
            right: left,
            ..content
        },
        "right" => MarginBox {
            left: content.right,
            right: paper.width,
            ..content
        },
        _ => return None,
    };
    // Top and bottom boxes lie in a row, left and right boxes in a column.
    let is_row = matches!(side, "top" | "bottom");
    Some(match part {
        "left" if is_row => MarginBox {
            along: 0.0,
            ..place
        },
        "center" if is_row => place,
        "right" if is_row => MarginBox {
            along: 1.0,
            ..place
        },
        "left-corner" if is_row => MarginBox {
            left: 0.0,
            right: left,
            ..place
        },
        "right-corner" if is_row => MarginBox {
            left: content.right,
            right: paper.width,
            ..place
        },
        "top" if !is_row => MarginBox { down: 0.0, ..place },
        "middle" if !is_row => place,
        "bottom" if !is_row => MarginBox { down: 1.0, ..place },
        _ => return None,
    })
}

/// Text of a box: strings, and the counters `page` and `pages` (CSS Paged Media 3). Other counters are 0.
fn words(style: &Style, page: Numbered, styles: &CounterStyles) -> String {
    let mut text = String::new();
    for part in style.content.iter().flat_map(|content| content.iter()) {
        match part {
            Content::Text(own) => text.push_str(own),
            Content::Counter(name, named, _) => {
                let number = match &**name {
                    "page" => page.number + 1,
                    "pages" => page.count,
                    _ => 0,
                };
                text.push_str(&styles.written(
                    i32::try_from(number).unwrap_or(i32::MAX),
                    &styles.named(named),
                ));
            }
            Content::Attribute(_) | Content::Url(_) | Content::Quote { .. } => {}
        }
    }
    text
}

/// Adds one line of text, aligned between `left` and `right` by `part` (0 for left to 1 for right). The positions are
/// in px. The baseline is 0.35em below the middle, about half the height of capitals.
fn line(
    items: &mut Vec<Item>,
    style: &Style,
    text: &str,
    (left, right, part): (f32, f32, f32),
    middle: f32,
    faces: &mut Faces<'_>,
) {
    // Points per px: an inch has 72 points and 96 px.
    const POINTS: f32 = 0.75;
    let [red, green, blue] = style.text.colour.rgb;
    let look = TextFormat {
        family: family(
            &style.text.families,
            (style.text.weight, style.text.italic),
            faces,
        ),
        bold: style.text.weight >= 600,
        italic: style.text.italic,
        size: style.text.size * POINTS,
        colour: Colour(red, green, blue),
        ..TextFormat::plain()
    };
    // The text is shaped as a paragraph in one style, and its atoms are placed in a row.
    let mut spans = Spans::default();
    spans.push(text, &Rc::new(look), NodeId::DOCUMENT, None);
    let atoms = Atoms::of(&spans, None, faces).atoms;
    let width: f32 = atoms.iter().map(|atom| atom.width).sum();
    let mut x = left * POINTS + ((right - left) * POINTS - width) * part;
    let baseline = (middle + style.text.size * 0.35) * POINTS;
    for atom in atoms {
        if let AtomKind::Word { word, pen } | AtomKind::Space { word, pen } = atom.kind {
            let pen: Pen = pen;
            items.push(Item::Text {
                pen,
                y: baseline,
                words: vec![(x, word)],
                belongs: Owner::Layout,
            });
        }
        x += atom.width;
    }
}

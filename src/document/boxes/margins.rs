//! What stands in the margins of pages (CSS Paged Media 3, 5): one line of text in each box. Boxes at the sides are not drawn.

use super::{
    counters::written,
    fonts::family,
    paper::{Paper, margin_boxes},
};
use crate::document::{
    css::{
        cascade::compute,
        property::Declaration,
        sheet::PageRule,
        style::{Content, Style, TextAlign},
    },
    layout::{
        atoms::{AtomKind, Atoms},
        faces::Faces,
        item::{Belongs, Item, Pen},
        look::Look,
        spans::Spans,
        structure::NodeId,
    },
    tree::Colour,
};
use std::rc::Rc;

/// Which page of how many.
#[derive(Clone, Copy)]
pub(super) struct Numbered {
    pub(super) number: usize,
    pub(super) count: usize,
}

/// The items of the margins of a page, in points of the page.
pub(super) fn items(
    rules: &[PageRule],
    name: Option<&str>,
    paper: &Paper,
    page: Numbered,
    faces: &mut Faces,
) -> Vec<Item> {
    let mut items = Vec::new();
    for (place, declarations) in margin_boxes(rules, name, page.number) {
        let Some((top, across)) = placed(&place) else {
            continue;
        };
        let plain = Style::default();
        let mut style = Style::default();
        let declared: Vec<&Declaration> = declarations.iter().collect();
        compute(&mut style, &declared, &plain, None, paper.content());
        let text = words(&style, page);
        if text.trim().is_empty() {
            continue;
        }
        let margin = if top {
            paper.margin[0]
        } else {
            paper.margin[2]
        };
        let middle = if top {
            margin / 2.0
        } else {
            paper.height - margin / 2.0
        };
        let (left, right) = match across {
            Across::Corner(false) => (0.0, paper.margin[3]),
            Across::Corner(true) => (paper.width - paper.margin[1], paper.width),
            _ => (paper.margin[3], paper.width - paper.margin[1]),
        };
        let part = match (style.text.align, across) {
            (TextAlign::Left, _) | (TextAlign::Start, Across::Left) => 0.0,
            (TextAlign::Right | TextAlign::End, _) | (TextAlign::Start, Across::Right) => 1.0,
            _ => 0.5,
        };
        line(
            &mut items,
            &style,
            &text,
            (left, right, part),
            middle,
            faces,
        );
    }
    items
}

/// Where in the row of a margin a box stands.
#[derive(Clone, Copy)]
enum Across {
    Left,
    Centre,
    Right,
    /// Beside the row, to the right if it is true.
    Corner(bool),
}

fn placed(name: &str) -> Option<(bool, Across)> {
    let (side, across) = name.split_once('-')?;
    let top = match side {
        "top" => true,
        "bottom" => false,
        _ => return None,
    };
    let across = match across {
        "left" => Across::Left,
        "center" => Across::Centre,
        "right" => Across::Right,
        "left-corner" => Across::Corner(false),
        "right-corner" => Across::Corner(true),
        _ => return None,
    };
    Some((top, across))
}

fn words(style: &Style, page: Numbered) -> String {
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
                text.push_str(&written(i32::try_from(number).unwrap_or(i32::MAX), named));
            }
            Content::Attribute(_) | Content::Url(_) | Content::Quote { .. } => {}
        }
    }
    text
}

fn line(
    items: &mut Vec<Item>,
    style: &Style,
    text: &str,
    (left, right, part): (f32, f32, f32),
    middle: f32,
    faces: &mut Faces,
) {
    const POINTS: f32 = 0.75;
    let [red, green, blue] = style.text.colour.rgb;
    let look = Look {
        family: family(&style.text.families),
        bold: style.text.weight >= 600,
        italic: style.text.italic,
        size: style.text.size * POINTS,
        colour: Colour(red, green, blue),
        ..Look::plain()
    };
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
                belongs: Belongs::Layout,
            });
        }
        x += atom.width;
    }
}

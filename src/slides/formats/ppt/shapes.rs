//! Reads the shapes of a slide (MS-PPT 2.7, MS-ODRAW 2.2.13 to 2.2.19): shapes, pictures and groups become frames of
//! a deck. Does not interpret text.

use super::{
    colours::Scheme,
    kind, tables,
    text::{Setting, Text, UNIT, texts},
};
use crate::{
    containers::fields::Fields,
    deck::{self, Body, Content, Frame, Paragraph, Picture, Role, Run, Shape, Spacing, Words},
};
use convertd_office::{
    art::{
        Colours, Look, Properties, Record, VerticalAnchor, geometry, is_line, is_words, property,
        turned,
    },
    drawing::{Fill, Place, Rgba},
};
use convertd_tree::{Alignment, POINT, VerticalAlignment};
use std::{collections::HashMap, rc::Rc};

/// Limit on the shapes of a slide.
const MAX_SHAPES: usize = 50_000;
/// Limit on the depth of groups.
const MAX_DEPTH: usize = 32;

/// Property of line wrapping.
const WRAP: u16 = 133;
/// Value of [`WRAP`] for text that is not wrapped.
const NO_WRAP: u32 = 2;

/// Flag of shapes with a line.
const LINED: u32 = 3;

/// Reader of the shapes of a slide or a master.
pub(super) struct Shapes<'s, 'a> {
    /// Context of the texts.
    pub(super) setting: Setting<'s>,
    /// Texts of the outline, to which placeholders refer.
    pub(super) outline: Vec<Text<'a>>,
    /// Properties of the master's shapes, by the numbers of the shapes.
    pub(super) master: HashMap<u32, Properties<'a>>,
    /// Whether the sheet is a master, whose placeholders are hidden except for date, number and footer.
    pub(super) is_master: bool,
    /// Number of shapes that have been read.
    pub(super) count: usize,
}

/// Transform of a group's coordinates to those of the slide, in English Metric Units.
#[derive(Clone, Copy)]
struct Space {
    /// Horizontal position of the origin on the slide.
    x: f64,
    /// Vertical position of the origin.
    y: f64,
    /// Horizontal scale.
    across: f64,
    /// Vertical scale.
    down: f64,
}

/// Transform of a slide, whose coordinates are in master units.
const SLIDE: Space = Space {
    x: 0.0,
    y: 0.0,
    across: UNIT,
    down: UNIT,
};

impl Space {
    /// Transforms a rectangle (left, top, right and bottom). The sides may be swapped.
    fn place(&self, [left, top, right, bottom]: [f64; 4]) -> Place {
        Place {
            x: self.x + left.min(right) * self.across,
            y: self.y + top.min(bottom) * self.down,
            width: (right - left).abs() * self.across,
            height: (bottom - top).abs() * self.down,
            ..Place::default()
        }
    }

    /// Returns the transform within a group that lies at `place` and has the given coordinates (left, top, right and
    /// bottom). A group without extent keeps the scale of the slide.
    fn within(place: Place, [left, top, right, bottom]: [f64; 4]) -> Self {
        let scale = |size: f64, from: f64, to: f64| match to - from {
            0.0 => UNIT,
            span => size / span,
        };
        let across = scale(place.width, left, right);
        let down = scale(place.height, top, bottom);
        Self {
            x: place.x - left * across,
            y: place.y - top * down,
            across,
            down,
        }
    }
}

/// Returns the background of a sheet.
pub(super) fn background(sheet: Record<'_>, scheme: &Scheme) -> Option<Fill> {
    let shape = sheet.child(kind::SHAPE)?;
    let look = Look {
        own: Properties::of(shape),
        master: Properties::default(),
    };
    // Without a stated colour, backgrounds have another default colour than shapes.
    match look.fill(scheme) {
        Fill::Solid(_) if look.value(property::FILL_COLOUR).is_none() => {
            Some(Fill::Solid(scheme.of(Scheme::DEFAULT[1])))
        }
        fill => Some(fill),
    }
}

/// Reads the text box properties of a shape. The paragraphs are added later.
fn body(look: &Look<'_>) -> Body {
    Body {
        paragraphs: Vec::new(),
        insets: look.insets(),
        anchor: match look.stands() {
            VerticalAnchor::AtTop => None,
            VerticalAnchor::InMiddle => Some(VerticalAlignment::Middle),
            VerticalAnchor::AtBottom => Some(VerticalAlignment::Bottom),
        },
        wraps: look.value(WRAP) != Some(NO_WRAP),
        turn: look.flow(),
        ..Body::default()
    }
}

/// Returns the properties of the shapes of a sheet outside of groups, by the numbers of the shapes.
pub(super) fn properties(sheet: Record<'_>) -> HashMap<u32, Properties<'_>> {
    let groups = sheet.child(kind::GROUP).unwrap_or_default();
    let shapes = groups.records().filter(|record| record.kind == kind::SHAPE);
    let all = shapes.take(MAX_SHAPES).filter_map(|shape| {
        let number = shape.child(kind::SHAPE_ATOM)?.data.u32(0);
        Some((number, Properties::of(shape)))
    });
    all.collect()
}

/// Returns whether a shape or group is hidden (MS-ODRAW 2.3.4.44).
fn is_hidden(own: &Properties<'_>) -> bool {
    const GROUP_FLAGS: u16 = 0x3bf;
    const HIDDEN: u32 = 1;
    own.flag(GROUP_FLAGS, HIDDEN) == Some(true)
}

impl<'a> Shapes<'_, 'a> {
    /// Reads the frames of a sheet.
    pub(super) fn sheet(&mut self, sheet: Record<'a>) -> Vec<Frame> {
        let Some(all) = sheet.child(kind::GROUP) else {
            return Vec::new();
        };
        // The first shape represents the sheet itself, and is skipped like the first record of a group.
        self.frames(all, SLIDE, MAX_DEPTH)
    }

    /// Reads the shapes of a group. Its first record describes the group, and is skipped.
    fn frames(&mut self, group: Record<'a>, space: Space, depth: usize) -> Vec<Frame> {
        let mut frames = Vec::new();
        for record in group.records().skip(1) {
            if self.count >= MAX_SHAPES {
                break;
            }
            self.count += 1;
            match record.kind {
                kind::GROUP if depth > 0 => frames.extend(self.group(record, space, depth - 1)),
                kind::SHAPE => frames.extend(self.shape(record, space)),
                _ => {}
            }
        }
        frames
    }

    /// Reads a group of shapes, which has coordinates of its own. If the group is marked as a table and its shapes form
    /// a grid, it becomes a table.
    fn group(&mut self, group: Record<'a>, space: Space, depth: usize) -> Option<Frame> {
        let first = group.child(kind::SHAPE)?;
        if is_hidden(&Properties::of(first)) {
            return None;
        }
        let place = place(first, space)?;
        let within = first.child(kind::GROUP_SPACE)?;
        let within = Space::within(place, corners(within.data));
        let frames = self.frames(group, within, depth);
        let is_table = Properties::of(first).value(property::TABLE).unwrap_or(0) & 1 == 1;
        let table = is_table.then(|| tables::table(&frames)).flatten();
        Some(Frame {
            place: Some(place),
            role: Role::Other,
            alternative: Box::default(),
            link: None,
            content: match table {
                Some(table) => Content::Table(Box::new(table)),
                None => Content::Group(frames),
            },
        })
    }

    /// Reads a shape with its formatting, text and picture. Properties that it does not state come from the shape of
    /// the master that it names.
    fn shape(&mut self, shape: Record<'a>, space: Space) -> Option<Frame> {
        /// Flags of shapes that are not drawn: deleted shapes, and the background.
        const ABSENT: u32 = 0x408;
        /// Property with the number of the shape on the master.
        const MASTER: u16 = 769;
        let atom = shape.child(kind::SHAPE_ATOM)?;
        let flags = atom.data.u32(4);
        if flags & ABSENT != 0 {
            return None;
        }
        let own = Properties::of(shape);
        if is_hidden(&own) {
            return None;
        }
        let master = own
            .value(MASTER)
            .and_then(|number| self.master.get(&number));
        let look = Look {
            own,
            master: master.copied().unwrap_or_default(),
        };
        let client = shape.child(kind::CLIENT).unwrap_or_default();
        let placeholder = client
            .child(kind::PLACEHOLDER)
            .map(|record| record.data.u8(4));
        if self.is_master && !self.is_shown(placeholder) {
            return None;
        }
        let place =
            place(shape, space).map(|place| turned(place, look.fixed(property::ROTATION), flags));
        let colours = self.setting.scheme;
        let text = self.text(shape);
        let role = role(placeholder, text.as_ref().map(|text| text.of));
        let picture = look.value(property::PICTURE).filter(|number| *number > 0);
        // The content is a picture, stretched words (WordArt), or an outline with text.
        let content = match picture {
            Some(number) => {
                let line = look.flag(property::LINE_FLAGS, LINED);
                Content::Picture(Box::new(Picture {
                    name: number.to_string().into(),
                    crop: look.crop(),
                    line: line.and_then(|_| look.line(colours)),
                }))
            }
            None if is_words(atom.instance) => {
                let words = look.own.text(property::WORDS).unwrap_or_default();
                approximate_stretched(&words, look.fill(colours), place.unwrap_or_default())
            }
            None => {
                let size = place.map_or((0.0, 0.0), |place| (place.width, place.height));
                let geometry = geometry(atom.instance, &look.own, size);
                let fills = geometry.is_some() && !is_line(atom.instance);
                let body = text.map(|text| Body {
                    paragraphs: text.paragraphs(&self.setting),
                    ..body(&look)
                });
                Content::Shape(Box::new(Shape {
                    fill: match fills {
                        true => look.fill(colours),
                        false => Fill::None,
                    },
                    line: look.line(colours).filter(|_| geometry.is_some()),
                    geometry: geometry.unwrap_or_default(),
                    text: body,
                }))
            }
        };
        Some(Frame {
            place,
            role,
            alternative: own
                .text(property::DESCRIPTION)
                .unwrap_or_default()
                .trim()
                .into(),
            link: self.link(client),
            content,
        })
    }

    /// Returns whether a placeholder of a master is visible on the slide. Date, number and footer are visible if the
    /// slide shows them. Other placeholders are never visible.
    fn is_shown(&self, placeholder: Option<u8>) -> bool {
        let furniture = self.setting.furniture;
        match placeholder {
            None => true,
            Some(7) => furniture.date.is_some(),
            Some(8) => furniture.number,
            Some(9) => furniture.footer.is_some(),
            Some(_) => false,
        }
    }

    /// Returns the text of a shape: its own text, or the text of the outline to which it refers.
    fn text(&self, shape: Record<'a>) -> Option<Text<'a>> {
        let text_box = shape.child(kind::TEXT_BOX)?;
        if let Some(reference) = text_box.child(kind::OUTLINE_REFERENCE) {
            return self.outline.get(reference.data.u32(0) as usize).cloned();
        }
        texts(text_box.records()).into_iter().next()
    }

    /// Returns the target of a click on a shape.
    fn link(&self, client: Record<'_>) -> Option<Box<str>> {
        let action = client.child(kind::ACTION)?.child(kind::ACTION_ATOM)?;
        self.setting.links.get(&action.data.u32(4)).cloned()
    }
}

/// Approximates stretched text (WordArt) by text of a suitable size in the colour of the shape.
fn approximate_stretched(words: &str, fill: Fill, place: Place) -> Content {
    /// Height of a line as a multiple of the font size.
    const LINE: f64 = 1.2;
    let lines = words.lines().count().max(1) as f64;
    let letters = words
        .lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0);
    // On average, letters are half as wide as high.
    let widest = place.width / POINT / letters.max(1) as f64 * 2.0;
    let look = Rc::new(deck::ComputedStyle {
        size: (place.height / POINT / lines / LINE)
            .min(widest)
            .clamp(1.0, 400.0),
        colour: fill.colour().unwrap_or(Rgba::BLACK),
        ..deck::ComputedStyle::default()
    });
    let paragraphs = words.lines().map(|line| Paragraph {
        alignment: Some(Alignment::Centre),
        lines: Spacing::Lines(1.0),
        runs: vec![Run {
            text: Words::Text(line.to_owned()),
            look: look.clone(),
        }],
        look: look.clone(),
        ..Paragraph::default()
    });
    Content::Shape(Box::new(Shape {
        text: Some(Body {
            paragraphs: paragraphs.collect(),
            anchor: Some(VerticalAlignment::Middle),
            ..Body::default()
        }),
        ..Shape::default()
    }))
}

/// Reads a rectangle of four 32-bit numbers: left, top, right and bottom.
fn corners(data: Fields<'_>) -> [f64; 4] {
    std::array::from_fn(|at| f64::from(data.i32(at * 4)))
}

/// Returns the place of a shape on the slide. Shapes within a group have another kind of anchor, in the coordinates
/// of the group.
fn place(shape: Record<'_>, space: Space) -> Option<Place> {
    if let Some(child) = shape.child(kind::CHILD_ANCHOR) {
        return Some(space.place(corners(child.data)));
    }
    let anchor = shape.child(kind::ANCHOR)?.data;
    // Top, left, right and bottom, as 16-bit or as 32-bit numbers.
    let side = |at: usize| match anchor.len() {
        ..16 => f64::from(anchor.i16(at * 2)),
        _ => f64::from(anchor.i32(at * 4)),
    };
    Some(SLIDE.place([side(1), side(0), side(2), side(3)]))
}

/// Returns the role of a shape, by its placeholder (2.13.21) or else by the type of its text.
fn role(placeholder: Option<u8>, text: Option<u16>) -> Role {
    match (placeholder, text) {
        (Some(1 | 3 | 13 | 15 | 17), _) => Role::Title,
        (Some(4 | 16), _) => Role::Subtitle,
        (Some(2 | 5 | 6 | 12 | 14 | 18 | 19), _) => Role::Body,
        (Some(7..=10), _) => Role::Furniture,
        (None, Some(0 | 6)) => Role::Title,
        (None, Some(1 | 2 | 5 | 7 | 8)) => Role::Body,
        _ => Role::Other,
    }
}

//! What is on a slide (MS-PPT 2.7, MS-ODRAW 2.2.13 to 2.2.19): shapes, pictures and groups as frames of a deck. Reads no text.

use super::{
    colours::Scheme,
    kind,
    text::{Setting, Text, UNIT, texts},
};
use crate::{
    containers::fields::Fields,
    document::tree::VerticalAlignment,
    office::{
        art::{Properties, Record, preset, property},
        drawing::{Arrow, Crop, Fill, Geometry, Gradient, GradientPath, Line, PictureFill},
    },
    presentation::deck::{Body, Content, Frame, Picture, Place, Role, Shape},
};
use std::collections::HashMap;

/// The number of shapes of a slide, and how deep groups may be.
const MAX_SHAPES: usize = 50_000;
const MAX_DEPTH: usize = 32;

/// What is needed to read the shapes of a slide or of a master.
pub(super) struct Shapes<'s, 'a> {
    pub(super) setting: Setting<'s>,
    /// The texts of the outline, which placeholders refer to.
    pub(super) outline: Vec<Text<'a>>,
    /// What the shapes of the master say, by their numbers.
    pub(super) master: HashMap<u32, Properties<'a>>,
    /// Whether it is a master, whose placeholders are not shown.
    pub(super) is_master: bool,
    pub(super) count: usize,
}

/// How the space of a group lies on the slide, in English Metric Units.
#[derive(Clone, Copy)]
struct Space {
    x: f64,
    y: f64,
    across: f64,
    down: f64,
}

/// The space of a slide, in master units.
const SLIDE: Space = Space {
    x: 0.0,
    y: 0.0,
    across: UNIT,
    down: UNIT,
};

impl Space {
    /// The place of a rectangle: left, top, right and bottom.
    fn place(&self, [left, top, right, bottom]: [f64; 4]) -> Place {
        Place {
            x: self.x + left.min(right) * self.across,
            y: self.y + top.min(bottom) * self.down,
            width: (right - left).abs() * self.across,
            height: (bottom - top).abs() * self.down,
            ..Place::default()
        }
    }

    /// The space within a group that is in this place, and has these coordinates.
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

/// The properties of a shape, with those of the shape of the master that it goes on from.
struct Look<'a> {
    own: Properties<'a>,
    master: Properties<'a>,
}

impl Look<'_> {
    fn value(&self, number: u16) -> Option<u32> {
        self.own.value(number).or_else(|| self.master.value(number))
    }

    /// A flag, which counts only where another one says that it does.
    fn flag(&self, number: u16, bit: u32) -> Option<bool> {
        let of = |properties: &Properties<'_>| {
            let flags = properties.value(number)?;
            (flags & 1 << (bit + 16) != 0).then_some(flags & 1 << bit != 0)
        };
        of(&self.own).or_else(|| of(&self.master))
    }

    /// A number with sixteen bits behind the point.
    fn fixed(&self, number: u16) -> f64 {
        let value = self.value(number).unwrap_or(0);
        f64::from(value.cast_signed()) / 65_536.0
    }

    fn length(&self, number: u16, usual: i32) -> f64 {
        let value = self.value(number).map(u32::cast_signed);
        f64::from(value.unwrap_or(usual))
    }

    /// How it is filled.
    fn fill(&self, scheme: &Scheme) -> Fill {
        /// The kinds of fills, and their properties.
        const PICTURE: u32 = 3;
        if !self.flag(447, 4).unwrap_or(true) {
            return Fill::None;
        }
        let colour = |number: u16, usual: u32| {
            let mut colour = scheme.of_shape(self.value(number).unwrap_or(usual));
            let opacity = self.value(number + 1).filter(|_| number == 385);
            colour.alpha = opacity.map_or(1.0, |share| (share as f32 / 65_536.0).min(1.0));
            colour
        };
        let fore = colour(385, 0x0800_0004);
        match self.value(384).unwrap_or(0) {
            2..=PICTURE if self.value(390).is_some() => Fill::Picture(PictureFill {
                id: self.value(390).unwrap_or(0).to_string().into(),
                crop: Crop::default(),
                tiled: false,
                alpha: 1.0,
            }),
            4..=8 => Fill::Gradient(Gradient {
                stops: vec![(0.0, fore), (1.0, colour(387, 0x0800_0000))],
                path: GradientPath::Line(90.0 - self.fixed(395)),
            }),
            _ => Fill::Solid(fore),
        }
    }

    fn line(&self, scheme: &Scheme) -> Option<Line> {
        if !self.flag(511, 3).unwrap_or(true) {
            return None;
        }
        let dashes: &[f32] = match self.value(462).unwrap_or(0) {
            1 | 2 | 5 => &[1.0, 1.0],
            3 | 6 => &[4.0, 3.0],
            4 | 8..=10 => &[4.0, 3.0, 1.0, 3.0],
            7 => &[8.0, 3.0],
            _ => &[],
        };
        let end = |number: u16| match self.value(number).unwrap_or(0) {
            1 => Arrow::Triangle,
            2 => Arrow::Stealth,
            3 => Arrow::Diamond,
            4 => Arrow::Oval,
            5 => Arrow::Open,
            _ => Arrow::None,
        };
        Some(Line {
            width: self.value(459).unwrap_or(9525).min(20_000_000).into(),
            colour: scheme.of_shape(self.value(448).unwrap_or(0x0800_0001)),
            dashes,
            round: false,
            ends: [end(464), end(465)],
        })
    }

    /// The rectangle of its text.
    fn body(&self) -> Body {
        let anchor = match self.value(135).unwrap_or(0) {
            1 | 4 => Some(VerticalAlignment::Middle),
            2 | 5 => Some(VerticalAlignment::Bottom),
            _ => None,
        };
        Body {
            paragraphs: Vec::new(),
            insets: [
                self.length(129, 91_440),
                self.length(130, 45_720),
                self.length(131, 91_440),
                self.length(132, 45_720),
            ],
            anchor,
            wraps: self.value(133) != Some(2),
            turn: 0.0,
        }
    }
}

/// The background of a sheet, if it has one.
pub(super) fn background(sheet: Record<'_>, scheme: &Scheme) -> Option<Fill> {
    let shape = sheet.child(kind::SHAPE)?;
    let look = Look {
        own: Properties::of(shape),
        master: Properties::default(),
    };
    Some(look.fill(scheme))
}

/// The properties of all shapes on a sheet, by their numbers.
pub(super) fn properties(sheet: Record<'_>) -> HashMap<u32, Properties<'_>> {
    let groups = sheet.child(kind::GROUP).unwrap_or_default();
    let shapes = groups.records().filter(|record| record.kind == kind::SHAPE);
    let all = shapes.take(MAX_SHAPES).filter_map(|shape| {
        let number = shape.child(kind::SHAPE_ATOM)?.data.u32(0);
        Some((number, Properties::of(shape)))
    });
    all.collect()
}

impl<'a> Shapes<'_, 'a> {
    /// The frames of a sheet.
    pub(super) fn sheet(&mut self, sheet: Record<'a>) -> Vec<Frame> {
        let Some(all) = sheet.child(kind::GROUP) else {
            return Vec::new();
        };
        // The first shape stands for the sheet.
        self.frames(all, SLIDE, MAX_DEPTH)
    }

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

    fn group(&mut self, group: Record<'a>, space: Space, depth: usize) -> Option<Frame> {
        let first = group.child(kind::SHAPE)?;
        let place = place(first, space)?;
        let within = first.child(kind::GROUP_SPACE)?;
        let within = Space::within(place, corners(within.data));
        let frames = self.frames(group, within, depth);
        Some(Frame {
            place: Some(place),
            role: Role::Other,
            alternative: Box::default(),
            link: None,
            content: Content::Group(frames),
        })
    }

    fn shape(&mut self, shape: Record<'a>, space: Space) -> Option<Frame> {
        /// Flags of a shape: deleted; the background.
        const ABSENT: u32 = 0x408;
        /// The property that names the shape of the master.
        const MASTER: u16 = 769;
        let atom = shape.child(kind::SHAPE_ATOM)?;
        let flags = atom.data.u32(4);
        if flags & ABSENT != 0 {
            return None;
        }
        let own = Properties::of(shape);
        let master = own
            .value(MASTER)
            .and_then(|number| self.master.get(&number));
        let look = Look {
            own,
            master: master.copied().unwrap_or_default(),
        };
        let client = shape.child(kind::CLIENT).unwrap_or_default();
        let placeholder = client.child(kind::PLACEHOLDER).map(|one| one.data.u8(4));
        if self.is_master && !self.is_shown(placeholder) {
            return None;
        }
        let place =
            place(shape, space).map(|place| turned(place, look.fixed(property::ROTATION), flags));
        let scheme = self.setting.scheme;
        let text = self.text(shape);
        let role = role(placeholder, text.as_ref().map(|text| text.of));
        let picture = look.value(property::PICTURE).filter(|number| *number > 0);
        let content = match picture {
            Some(number) => Content::Picture(Box::new(Picture {
                name: number.to_string().into(),
                crop: Crop {
                    left: look.fixed(property::CROP_LEFT),
                    top: look.fixed(property::CROP_TOP),
                    right: look.fixed(property::CROP_RIGHT),
                    bottom: look.fixed(property::CROP_BOTTOM),
                },
                line: look.flag(511, 3).and_then(|_| look.line(scheme)),
            })),
            None => {
                let geometry = geometry(atom.instance);
                let is_drawn = geometry.is_some();
                let body = text.map(|text| Body {
                    paragraphs: text.paragraphs(&self.setting),
                    ..look.body()
                });
                Content::Shape(Box::new(Shape {
                    geometry: geometry.unwrap_or_default(),
                    fill: match is_drawn {
                        true => look.fill(scheme),
                        false => Fill::None,
                    },
                    line: look.line(scheme).filter(|_| is_drawn),
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

    /// Whether a slide shows what its master has for a placeholder: a date, its number and a footer, if it says so.
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

    /// The text of a shape: its own, or one of the outline.
    fn text(&self, shape: Record<'a>) -> Option<Text<'a>> {
        let text_box = shape.child(kind::TEXT_BOX)?;
        if let Some(reference) = text_box.child(kind::OUTLINE_REFERENCE) {
            return self.outline.get(reference.data.u32(0) as usize).cloned();
        }
        texts(text_box.records()).into_iter().next()
    }

    /// Where a click on a shape leads.
    fn link(&self, client: Record<'_>) -> Option<Box<str>> {
        let action = client.child(kind::ACTION)?.child(kind::ACTION_ATOM)?;
        self.setting.links.get(&action.data.u32(4)).cloned()
    }
}

/// Left, top, right and bottom, in four bytes each.
fn corners(data: Fields<'_>) -> [f64; 4] {
    std::array::from_fn(|at| f64::from(data.i32(at * 4)))
}

/// Where a shape is on the slide.
fn place(shape: Record<'_>, space: Space) -> Option<Place> {
    if let Some(child) = shape.child(kind::CHILD_ANCHOR) {
        return Some(space.place(corners(child.data)));
    }
    let anchor = shape.child(kind::ANCHOR)?.data;
    // Top, left, right and bottom, in two bytes each or in four.
    let side = |at: usize| match anchor.len() {
        ..16 => f64::from(anchor.i16(at * 2)),
        _ => f64::from(anchor.i32(at * 4)),
    };
    Some(SLIDE.place([side(1), side(0), side(2), side(3)]))
}

/// A place with its turn and its flips. What is turned to the side has the rectangle that it is in then.
fn turned(place: Place, turn: f64, flags: u32) -> Place {
    let turn = turn.rem_euclid(360.0);
    let mut place = Place {
        turn,
        flips: (flags & 0x40 != 0, flags & 0x80 != 0),
        ..place
    };
    if (45.0..135.0).contains(&(turn % 180.0)) {
        let (width, height) = (place.height, place.width);
        place.x += (place.width - width) / 2.0;
        place.y += (place.height - height) / 2.0;
        (place.width, place.height) = (width, height);
    }
    place
}

/// What a shape is for, by its placeholder (2.13.21) or else by its text.
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

/// The outline of a kind of shapes, as DrawingML has it. `None` for one that is drawn point by point.
fn geometry(kind: u16) -> Option<Geometry> {
    Some(match preset(kind)? {
        "rect" => Geometry::Rectangle,
        name => Geometry::Preset(name.into(), Vec::new()),
    })
}

//! Draws shapes: all shapes of one frame become one drawing, and their texts become text boxes. Does not position
//! frames.
//!
//! A shape has its original size, to which the points of its outline refer. Matrices scale and move the shape to its
//! place in its group.

use super::{
    body::{Anchored, Body},
    lengths::{colour, number, units},
    objects::{Parts, letter, turn},
    outline::outline,
};
use crate::{
    containers::xml::{Element, Node, Reader},
    error::Result,
};
use convertd_office::{
    drawing::{
        Arrow, Fill, Gradient, GradientPath, Line, Place, Rgba, Sketch, dashes, odf::paints::opaque,
    },
    wordprocessing::losses,
};
use convertd_tree::{Anchor, Colour, Edges, Frame, Length, Picture, VerticalAlignment, Wrap};

/// English Metric Units per HWPUNIT, which is a hundredth of a point.
pub(super) const EMU: f64 = 127.0;

/// Maximum nesting of groups.
const MAX_GROUPS: usize = 16;

/// Shapes of one frame while they are read. Lengths are in English Metric Units.
pub(super) struct Group<'x> {
    pub(super) sketch: Sketch,
    pub(super) size: (f64, f64),
    words: Vec<Words<'x>>,
    depth: usize,
}

/// A text in a shape.
struct Words<'x> {
    content: Reader<'x>,
    insets: Edges,
    anchor: VerticalAlignment,
    turn: f64,
    /// Middle of the shape, about which the text is rotated.
    middle: (Length, Length),
    ground: Option<Colour>,
}

/// Scale and offset of a shape, in HWPUNITs.
#[derive(Clone, Copy)]
struct Stretch {
    scale: (f64, f64),
    offset: (f64, f64),
}

impl Stretch {
    const NONE: Self = Self {
        scale: (1.0, 1.0),
        offset: (0.0, 0.0),
    };

    /// Combines two transforms: first this one, then `next`.
    fn then(self, next: Self) -> Self {
        Self {
            scale: (self.scale.0 * next.scale.0, self.scale.1 * next.scale.1),
            offset: (
                self.offset.0 * next.scale.0 + next.offset.0,
                self.offset.1 * next.scale.1 + next.offset.1,
            ),
        }
    }

    /// Scale and offset of a matrix. Its rotation is ignored.
    fn of(matrix: &Node<'_>) -> Self {
        let own = |name: &str| {
            let value = matrix.attribute(name)?.trim().parse::<f64>().ok()?;
            (value.is_finite() && value.abs() < 1e7).then_some(value)
        };
        Self {
            scale: (own("e1").unwrap_or(1.0), own("e5").unwrap_or(1.0)),
            offset: (own("e3").unwrap_or(0.0), own("e6").unwrap_or(0.0)),
        }
    }
}

impl Group<'_> {
    /// Creates an empty drawing with the size of an object.
    pub(super) fn new(parts: &Parts<'_>) -> Self {
        let emu = |side: Option<Length>| side.map_or(0.0, |side| side.to_emu() as f64);
        let (width, height) = parts.size();
        let size = (emu(width), emu(height));
        Self {
            sketch: Sketch::new(size.0, size.1),
            size,
            words: Vec::new(),
            depth: 0,
        }
    }
}

impl<'x> Body<'_, '_, 'x> {
    /// Adds a shape or a group of shapes.
    pub(super) fn shape(&mut self, element: &Element<'x>, parts: Parts<'x>) -> Result<()> {
        let mut group = Group::new(&parts);
        let whole = Place {
            width: group.size.0,
            height: group.size.1,
            turn: turn(&parts),
            ..Place::default()
        };
        if element.name == "container" {
            let (width, height) = original(&parts).unwrap_or((0.0, 0.0));
            let fit = |emu: f64, own: f64| if own > 0.0 { emu / own / EMU } else { 1.0 };
            let around = Stretch {
                scale: (fit(group.size.0, width), fit(group.size.1, height)),
                offset: (0.0, 0.0),
            };
            self.members(&mut group, &parts, around)?;
        } else {
            self.draw(&mut group, element, &parts, whole)?;
        }
        self.show_group(element, &parts, group)
    }

    /// Draws the members of a group, which may be nested.
    fn members(&mut self, group: &mut Group<'x>, parts: &Parts<'x>, around: Stretch) -> Result<()> {
        if group.depth >= MAX_GROUPS {
            self.story.build.lost(&losses::DRAWINGS);
            return Ok(());
        }
        group.depth += 1;
        for (element, xml) in &parts.members {
            let own = Parts::read(&mut xml.clone())?;
            if element.name == "container" {
                self.members(group, &own, around)?;
                continue;
            }
            let stretch = stretch(&own).then(around);
            let (width, height) = original(&own).unwrap_or((0.0, 0.0));
            let place = Place {
                x: stretch.offset.0 * EMU,
                y: stretch.offset.1 * EMU,
                width: (width * stretch.scale.0).abs() * EMU,
                height: (height * stretch.scale.1).abs() * EMU,
                turn: turn(&own),
                ..Place::default()
            };
            if element.name == "pic" {
                if !self.draw_picture(group, &own, place)? {
                    self.story.build.lost(&losses::MISSING);
                }
            } else {
                self.draw(group, element, &own, place)?;
            }
        }
        group.depth -= 1;
        Ok(())
    }

    /// Draws a shape, and stores its text, which is read later.
    fn draw(
        &mut self,
        group: &mut Group<'x>,
        element: &Element<'x>,
        parts: &Parts<'x>,
        place: Place,
    ) -> Result<()> {
        if element.name == "textart" {
            let words = element.attribute("text").unwrap_or_default();
            let fill = parts.named("fillBrush").map_or(Fill::None, fill);
            let ink = fill.colour().unwrap_or(Rgba::BLACK);
            // Line breaks, which are stored as visible symbols (U+240D, U+240A) or as control characters, become
            // spaces.
            let words = words.replace(['\u{240d}', '\u{240a}', '\r', '\n'], " ");
            group.sketch.words(&place, words.trim(), ink);
            return Ok(());
        }
        let fill = parts.named("fillBrush").map_or(Fill::None, fill);
        let line = parts.named("lineShape").and_then(line);
        let paths = outline(element, parts, (place.width, place.height));
        group
            .sketch
            .shape(&place, &paths, &fill, line.as_ref(), None);
        let Some(content) = parts.text.clone() else {
            return Ok(());
        };
        if !shows_anything(&mut content.clone())? {
            return Ok(());
        }
        let margin = |name| {
            let own = parts.text_margin.as_ref().and_then(|own| number(own, name));
            // The default is a millimetre.
            units(own.unwrap_or(283).max(0))
        };
        let emu = |emu: f64| Length::emu(emu as i64);
        let list = parts.text_list.as_ref();
        let vertical = list.and_then(|list| list.attribute("vertAlign"));
        group.words.push(Words {
            content,
            insets: Edges {
                top: emu(place.y) + margin("top"),
                right: emu(group.size.0 - place.x - place.width) + margin("right"),
                bottom: emu(group.size.1 - place.y - place.height) + margin("bottom"),
                left: emu(place.x) + margin("left"),
            },
            anchor: match vertical.as_deref() {
                Some("CENTER") => VerticalAlignment::Middle,
                Some("BOTTOM") => VerticalAlignment::Bottom,
                _ => VerticalAlignment::Top,
            },
            turn: place.turn,
            middle: place.pivot(),
            ground: fill
                .colour()
                .map(|own| Colour(own.rgb[0], own.rgb[1], own.rgb[2])),
        });
        Ok(())
    }

    /// Adds a drawing and its texts to the document. If there is exactly one text in a floating frame, the drawing
    /// becomes the background of its text box. Otherwise the texts are separate boxes in front of the drawing.
    pub(super) fn show_group(
        &mut self,
        element: &Element<'_>,
        parts: &Parts<'_>,
        group: Group<'x>,
    ) -> Result<()> {
        let Group { sketch, words, .. } = group;
        if sketch.is_cut {
            self.story.build.lost(&losses::LONG_DRAWINGS);
        }
        let frame = match parts.is_letter() {
            true => {
                self.context.letters += 1;
                letter(self.context.letters, parts)
            }
            false => parts.frame(element),
        };
        let is_letter = frame.anchor == Anchor::Letter;
        self.state.has_object |= is_letter;
        // An inline drawing with text needs its space in the line, even if nothing of it is visible.
        let is_visible = !sketch.is_empty() || (is_letter && !words.is_empty());
        let mut drawing = match is_visible {
            true => Some(Box::new(Picture {
                alternative: parts.alternative(),
                ..self.story.sketched(sketch.finish())?
            })),
            false => None,
        };
        if (is_letter || words.len() != 1)
            && let Some(picture) = drawing.take()
        {
            // An inline drawing needs a frame only if it has texts, because the texts refer to the frame.
            let needs_frame = !is_letter || !words.is_empty();
            self.story.picture(Picture {
                frame: needs_frame.then(|| Box::new(frame.clone())),
                ..*picture
            });
        }
        let wrap = match words.len() {
            1 => frame.wrap,
            _ => Wrap::None,
        };
        let is_alone = words.len() == 1;
        for words in words {
            let text = Frame {
                wrap,
                insets: words.insets,
                text: words.anchor,
                turn: words.turn as f32,
                pivot: Some(words.middle),
                ground: words.ground,
                // If a floating drawing has several texts, they are in front of it.
                order: frame.order + i64::from(!is_alone && !is_letter),
                backdrop: drawing.take(),
                ..frame.clone()
            };
            let content = Anchored::Text(words.content);
            self.state.anchored.push((content, Some(Box::new(text))));
            self.story.anchor();
        }
        Ok(())
    }
}

/// Returns whether a text has content other than empty paragraphs.
fn shows_anything(xml: &mut Reader<'_>) -> Result<bool> {
    let level = xml.level();
    while let Some(paragraph) = xml.next_element(level)? {
        if paragraph.name != "p" {
            continue;
        }
        while let Some(run) = xml.next_element(level + 1)? {
            if run.name != "run" {
                continue;
            }
            while let Some(content) = xml.next_element(level + 2)? {
                if content.name != "t" || !xml.text()?.is_empty() {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Original width and height of a shape, in HWPUNITs.
pub(super) fn original(parts: &Parts<'_>) -> Option<(f64, f64)> {
    let size = parts.named("orgSz")?;
    let side = |name| number(&size.element, name).filter(|side| *side >= 0);
    Some((side("width")? as f64, side("height")? as f64))
}

/// Combined transform of a shape: its scale matrices in order, then its translation.
fn stretch(parts: &Parts<'_>) -> Stretch {
    let Some(all) = parts.named("renderingInfo") else {
        return Stretch::NONE;
    };
    let scales = all.all_named("scaMatrix").map(Stretch::of);
    let scaled = scales.fold(Stretch::NONE, Stretch::then);
    let moved = all.named("transMatrix").map_or(Stretch::NONE, Stretch::of);
    scaled.then(moved)
}

/// Reads a `fillBrush`. A pattern becomes its background colour; a fill with a picture is left out.
fn fill(node: &Node<'_>) -> Fill {
    if let Some(own) = node.named("gradation") {
        let colours = own.all_named("color").take(10);
        let colours: Vec<Colour> = colours
            .filter_map(|node| colour(&node.element, "value"))
            .collect();
        let last = colours.len().saturating_sub(1).max(1) as f32;
        let stops = colours.iter().enumerate();
        let stops: Vec<(f32, Rgba)> = stops
            .map(|(number, own)| (number as f32 / last, opaque(*own)))
            .collect();
        let angle = number(&own.element, "angle").unwrap_or(0) as f64;
        return match (stops.len(), own.attribute("type").as_deref()) {
            (0, _) => Fill::None,
            (1, _) => Fill::Solid(stops[0].1),
            (_, None | Some("LINEAR")) => Fill::Gradient(Gradient {
                stops,
                path: GradientPath::Line(90.0 + angle),
            }),
            _ => Fill::Gradient(Gradient {
                stops: stops
                    .into_iter()
                    .rev()
                    .map(|(at, own)| (1.0 - at, own))
                    .collect(),
                path: GradientPath::Point(0.5, 0.5),
            }),
        };
    }
    let plain = node.named("winBrush");
    let plain = plain.and_then(|own| colour(&own.element, "faceColor"));
    plain.map_or(Fill::None, |own| Fill::Solid(opaque(own)))
}

/// Reads a `lineShape`.
fn line(node: &Node<'_>) -> Option<Line> {
    let style = node.attribute("style").unwrap_or_default();
    if style == "NONE" {
        return None;
    }
    let end = |name: &str| match node.attribute(name).as_deref() {
        None | Some("NORMAL") => Arrow::None,
        Some("SPEAR") => Arrow::Open,
        Some("CONCAVE_ARROW") => Arrow::Stealth,
        Some(other) if other.ends_with("DIAMOND") => Arrow::Diamond,
        Some(other) if other.ends_with("CIRCLE") || other.ends_with("BOX") => Arrow::Oval,
        Some(_) => Arrow::Triangle,
    };
    let width = number(&node.element, "width")
        .unwrap_or(33)
        .clamp(0, 100_000);
    Some(Line {
        width: width * EMU as i64,
        colour: opaque(colour(&node.element, "color").unwrap_or(Colour(0, 0, 0))),
        dashes: dashes(match &*style {
            "DASH" => "dash",
            "LONG_DASH" => "lgDash",
            "DOT" | "CIRCLE" => "sysDot",
            "DASH_DOT" => "dashDot",
            "DASH_DOT_DOT" => "lgDashDotDot",
            _ => "",
        }),
        round: node.attribute("endCap").as_deref() == Some("ROUND"),
        ends: ["headStyle", "tailStyle"].map(end),
    })
}

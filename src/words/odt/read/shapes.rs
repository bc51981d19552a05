//! Drawing shapes in a text (OpenDocument 1.3, part 3, 10.3 and 10.6): each becomes a drawing in its frame, and its
//! text is placed over it. The module `places` reads anchors and wrapping.

use super::{body::Body, places::Graphic};
use crate::{coding::base64, containers::xml::Element, error::Result};
use convertd_office::{
    drawing::{
        Fill, Geometry, Line, Place, Rgba, Shown, Sketch,
        odf::{
            enhanced, flips, geometry,
            paints::{Paints, arrow, opaque},
            place::percent,
            place_of,
        },
    },
    wordprocessing::losses,
};
use convertd_tree::{At, Colour, Edges, Extent, Frame, Length, Picture, VerticalAlignment};

/// Default fill of shapes in LibreOffice.
const FILL: Rgba = Rgba::opaque([0x72, 0x9f, 0xcf]);
/// Default line colour of shapes in LibreOffice.
const LINE: Rgba = Rgba::opaque([0x34, 0x65, 0xa4]);

/// A shape that has been drawn.
pub(super) struct Drawn {
    pub(super) picture: Picture,
    place: Place,
    /// Distances from the edges of the frame to the text.
    insets: Edges,
    /// Vertical position of the text.
    anchor: VerticalAlignment,
    /// Colour behind the text.
    ground: Option<Colour>,
}

impl Drawn {
    /// Gives a frame the size of the shape, and its position unless the frame is aligned. Lines and rotated shapes do
    /// not state their position in the attributes that the frame was read from.
    pub(super) fn settle(&self, frame: &mut Frame) {
        let emu = |length: f64| Length::emu(length as i64);
        for (position, at) in [
            (&mut frame.horizontal, self.place.x),
            (&mut frame.vertical, self.place.y),
        ] {
            if matches!(position.at, At::Offset(_)) {
                position.at = At::Offset(emu(at));
            }
        }
        frame.width = Extent::Exactly(emu(self.place.width));
        frame.height = Extent::Exactly(emu(self.place.height));
    }

    /// Makes the drawing the background of a frame with the text of the shape.
    pub(super) fn into_background_of(self, frame: &mut Frame) {
        self.settle(frame);
        frame.insets = self.insets;
        frame.text = self.anchor;
        frame.ground = self.ground;
        frame.turn = self.place.turn as f32;
        frame.backdrop = Some(Box::new(self.picture));
    }
}

impl Body<'_, '_, '_> {
    /// Draws a shape, which is the innermost open element. The reader keeps its position. `None` if the shape is
    /// invisible, or states no width (or for a line, no end points).
    pub(super) fn drawn(
        &mut self,
        element: &Element<'_>,
        graphic: &Graphic,
    ) -> Result<Option<Drawn>> {
        let Some(mut place) = place_of(element) else {
            return Ok(None);
        };
        let mut own = None;
        let mut xml = self.xml.clone();
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            if child.name == "enhanced-geometry" {
                let (across, down) = flips(&child);
                place.flips.0 ^= across;
                place.flips.1 ^= down;
                own = enhanced(&mut xml, &child, element)?;
            }
        }
        let geometry = own.unwrap_or_else(|| geometry(element, Some(&place)));
        let paints = &self.context.styles.paints;
        let (fill, line) = (fill(graphic, paints), line(graphic, paints));
        if fill == Fill::None && line.is_none() {
            return Ok(None);
        }
        self.sketched(&geometry, place, graphic, (&fill, line.as_ref()))
            .map(Some)
    }

    /// Draws a shape with its fill and line.
    fn sketched(
        &mut self,
        geometry: &Geometry,
        place: Place,
        graphic: &Graphic,
        (fill, line): (&Fill, Option<&Line>),
    ) -> Result<Drawn> {
        let outline = geometry.outline(place.width, place.height);
        let mut sketch = Sketch::new(place.width, place.height);
        let within = Place {
            x: 0.0,
            y: 0.0,
            ..place
        };
        let bytes = match fill {
            Fill::Picture(picture) => self.filling(&picture.id)?,
            _ => None,
        };
        let bytes = match bytes {
            Some(bytes) => convertd_metafile::replaced(self.context.job, bytes)?,
            None => None,
        };
        let shown = match (&bytes, fill) {
            (Some(bytes), Fill::Picture(picture)) => Shown::of(bytes, picture.crop, picture.alpha),
            _ => None,
        };
        sketch.shape(&within, &outline.paths, fill, line, shown);
        let picture = self.story.sketched(sketch.finish())?;
        let [left, top, right, bottom] = outline.text;
        // The defaults are 2.5 and 1.25 mm, in English Metric Units (EMU).
        let padding = |side: &str| {
            let own = graphic.get(&*format!("padding-{side}"));
            let own = own.or(graphic.get("padding"));
            let default = if matches!(side, "left" | "right") {
                90_000.0
            } else {
                45_000.0
            };
            own.and_then(|own| Length::parse(own))
                .map_or(default, |own| own.to_emu() as f64)
        };
        let emu = |length: f64| Length::emu(length as i64);
        Ok(Drawn {
            picture,
            place,
            ground: fill.ground(),
            insets: Edges {
                left: emu(left + padding("left")),
                top: emu(top + padding("top")),
                right: emu(place.width - right + padding("right")),
                bottom: emu(place.height - bottom + padding("bottom")),
            },
            anchor: match graphic.get("textarea-vertical-align").map(|own| &**own) {
                Some("middle") => VerticalAlignment::Middle,
                Some("bottom") => VerticalAlignment::Bottom,
                _ => VerticalAlignment::Top,
            },
        })
    }

    /// Bytes of the picture that fills a shape: a part of the package, or Base64 at an offset of a flat file (`#` and
    /// the offset).
    fn filling(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(place) = name.strip_prefix('#') else {
            return self.context.bytes(self.story, name);
        };
        let place = place.parse().ok();
        let text = place.and_then(|place| self.xml.text_from(place));
        let text = text.and_then(|text| text.split('<').next());
        Ok(text.and_then(base64::decode))
    }

    /// Adds the drawing of a shape to the document. Notes the loss of the shape if it was not drawn.
    pub(super) fn show_drawn(&mut self, drawn: Option<Drawn>, frame: Option<Frame>) {
        let Some(drawn) = drawn else {
            self.story.build.lost(&losses::DRAWINGS);
            return;
        };
        let frame = frame.map(|mut frame| {
            drawn.settle(&mut frame);
            Box::new(frame)
        });
        self.story.picture(Picture {
            frame,
            ..drawn.picture
        });
        self.space = false;
    }
}

/// Colour from two graphic properties: the colour itself, and its opacity.
fn colour(graphic: &Graphic, name: &str, opacity: &str, default: Rgba) -> Rgba {
    let own = graphic.get(name).and_then(|own| Colour::parse(own));
    Rgba {
        alpha: share(graphic, opacity),
        ..own.map_or(default, opaque)
    }
}

/// Percentage from a graphic property, as a share from 0 to 1. The default is 1.
fn share(graphic: &Graphic, name: &str) -> f32 {
    let share = graphic.get(name).and_then(|share| percent(share));
    share.map_or(1.0, |share| share.clamp(0.0, 1.0) as f32)
}

/// Fill of a shape from its graphic properties.
fn fill(graphic: &Graphic, paints: &Paints) -> Fill {
    let alpha = share(graphic, "opacity");
    let named = |name: &str| graphic.get(name).map_or("", |name| &**name);
    let found = match graphic.get("fill").map(|own| &**own) {
        Some("none") => Some(Fill::None),
        Some("gradient") => paints.gradient(named("fill-gradient-name"), alpha),
        Some("bitmap") => paints.picture(named("fill-image-name"), alpha),
        Some("hatch") => Some(paints.hatch(named("fill-hatch-name"), alpha)),
        _ => None,
    };
    found.unwrap_or_else(|| Fill::Solid(colour(graphic, "fill-color", "opacity", FILL)))
}

/// Line of a shape from its graphic properties. `None` if `stroke` is `none`. The default width
/// is 0, a hairline.
fn line(graphic: &Graphic, paints: &Paints) -> Option<Line> {
    let kind = graphic.get("stroke").map(|own| &**own);
    if kind == Some("none") {
        return None;
    }
    let width = graphic
        .get("stroke-width")
        .and_then(|own| Length::parse(own));
    let named = |name: &str| graphic.get(name).map(|name| &**name);
    Some(Line {
        width: width.map_or(0, |width| width.to_emu().clamp(0, 20_000_000)),
        colour: colour(graphic, "stroke-color", "stroke-opacity", LINE),
        dashes: match kind {
            Some("dash") => paints.dashes(named("stroke-dash").unwrap_or_default()),
            _ => &[],
        },
        round: false,
        ends: ["marker-start", "marker-end"].map(|end| arrow(named(end))),
    })
}

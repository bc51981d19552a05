//! Fills and lines of DrawingML (ECMA-376 part 1, 20.1.8 and 20.1.2.2.24): in the notation of the file, and with the
//! colours of a theme. Draws nothing.

use super::{
    colour::{Colour, Palette, Rgba},
    number,
    pattern::{self, Pattern},
    share,
};
use crate::containers::xml::Node;

/// Default width of a line, in English Metric Units: three quarters of a point.
const LINE_WIDTH: i64 = 9_525;

/// Max. number of stops of a gradient. Office writes up to ten.
const MAX_STOPS: usize = 100;

/// Fill of an area, with colours that can be drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Fill {
    /// No fill.
    #[default]
    None,
    /// A single colour.
    Solid(Rgba),
    /// A gradient.
    Gradient(Gradient<Rgba>),
    /// A picture.
    Picture(Picture),
    /// A pattern of two colours.
    Pattern(Pattern<Rgba>),
}

impl Fill {
    /// Returns the colour behind the text of the shape, which decides whether text in the automatic colour is black or
    /// white. `None` if [`Self::colour`] returns no colour, or a colour that is more than half transparent.
    pub fn ground(&self) -> Option<convertd_tree::Colour> {
        let colour = self.colour().filter(|colour| colour.alpha >= 0.5)?;
        let [red, green, blue] = colour.rgb;
        Some(convertd_tree::Colour(red, green, blue))
    }

    /// Returns one colour for uses that allow only one: the first of a gradient, the average of a pattern. `None`
    /// without a fill, and for pictures.
    pub fn colour(&self) -> Option<Rgba> {
        match self {
            Self::None | Self::Picture(_) => None,
            Self::Solid(colour) => Some(*colour),
            Self::Gradient(gradient) => gradient.stops.first().map(|(_, colour)| *colour),
            Self::Pattern(pattern) => Some(pattern.mean()),
        }
    }
}

/// Fill in the notation of DrawingML.
#[derive(Clone, Debug, PartialEq)]
pub enum FillStyle {
    None,
    Solid(Colour),
    Gradient(Gradient<Colour>),
    Picture(Picture),
    Pattern(Pattern<Colour>),
    /// The fill of the group that contains the shape.
    Group,
}

/// Gradual transition between colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient<C> {
    /// Colours with positions from 0 to 1, in ascending order.
    pub stops: Vec<(f32, C)>,
    /// Direction in which the colours change.
    pub path: GradientPath,
}

/// Direction in which the colours of a gradient change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GradientPath {
    /// Along a line with this angle, in degrees clockwise from the direction to the right.
    Line(f64),
    /// Outwards from a point, which is given as shares of the width and the height.
    Point(f64, f64),
}

/// Picture that fills an area.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Identifier of the relationship to the picture, or its name in an OpenDocument file.
    pub id: Box<str>,
    /// Parts that are cropped off.
    pub crop: Crop,
    /// Whether the picture is repeated in its own size. Otherwise it is stretched.
    pub tiled: bool,
    /// Opacity from 0 to 1.
    pub alpha: f32,
}

/// Cropping of a picture at each side, as shares of its width and height. Negative values add space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Crop {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Crop {
    /// Reads a `srcRect`, `fillRect` or `fillToRect`. Values are limited to the range from -10 to 1.
    pub fn read(node: &Node<'_>) -> Self {
        let side = |name| share(node, name).unwrap_or(0.0).clamp(-10.0, 1.0);
        Self {
            left: side("l"),
            top: side("t"),
            right: side("r"),
            bottom: side("b"),
        }
    }
}

impl FillStyle {
    /// Reads the fill among the children of an element.
    pub fn read(parent: &Node<'_>) -> Option<Self> {
        parent.children.iter().find_map(Self::of)
    }

    /// Reads a fill element.
    pub(super) fn of(node: &Node<'_>) -> Option<Self> {
        Some(match node.element.name {
            "noFill" => Self::None,
            "solidFill" => Self::Solid(Colour::read(node)?),
            "gradFill" => Self::Gradient(gradient(node)?),
            "blipFill" => Self::Picture(Picture::read(node)?),
            "pattFill" => {
                let colour = |name: &str, default: [u8; 3]| {
                    let colour = node.child("a", name).and_then(Colour::read);
                    colour.unwrap_or(Colour::plain(default))
                };
                let name = node.attribute("prst").unwrap_or_default();
                Self::Pattern(Pattern {
                    rows: pattern::preset(&name),
                    fore: colour("fgClr", [0; 3]),
                    back: colour("bgClr", [255; 3]),
                })
            }
            "grpFill" => Self::Group,
            _ => return None,
        })
    }

    /// Returns the fill with `phClr` replaced by another colour.
    pub fn with_placeholder(&self, own: &Colour) -> Self {
        match self {
            Self::Solid(colour) => Self::Solid(colour.with_placeholder(own)),
            Self::Gradient(Gradient { stops, path }) => {
                let stops = stops.iter();
                let stops = stops.map(|(at, colour)| (*at, colour.with_placeholder(own)));
                Self::Gradient(Gradient {
                    stops: stops.collect(),
                    path: *path,
                })
            }
            Self::Pattern(pattern) => {
                Self::Pattern(pattern.map(|colour| colour.with_placeholder(own)))
            }
            Self::None | Self::Picture(_) | Self::Group => self.clone(),
        }
    }

    /// Returns the fill with colours that can be drawn. `placeholder` is the colour of `phClr`, and `group` the fill of
    /// the group that contains the shape.
    pub fn resolve(&self, palette: &Palette, placeholder: Option<Rgba>, group: &Fill) -> Fill {
        let resolved = |colour: &Colour| colour.resolve(palette, placeholder);
        match self {
            Self::None => Fill::None,
            Self::Solid(colour) => Fill::Solid(resolved(colour)),
            Self::Gradient(gradient) => {
                let stops = gradient.stops.iter();
                Fill::Gradient(Gradient {
                    stops: stops.map(|(at, colour)| (*at, resolved(colour))).collect(),
                    path: gradient.path,
                })
            }
            Self::Picture(picture) => Fill::Picture(picture.clone()),
            Self::Pattern(pattern) => Fill::Pattern(pattern.map(resolved)),
            Self::Group => group.clone(),
        }
    }
}

impl Picture {
    /// Reads a `blipFill`. `None` if it refers to no picture.
    pub fn read(node: &Node<'_>) -> Option<Self> {
        let blip = node.child("a", "blip")?;
        let id = blip.attribute("embed").or_else(|| blip.attribute("link"))?;
        let alpha = blip.child("a", "alphaModFix");
        let alpha = alpha.and_then(|alpha| share(alpha, "amt")).unwrap_or(1.0);
        let crop = node.child("a", "srcRect").map(Crop::read);
        Some(Self {
            id: id.into(),
            crop: crop.unwrap_or_default(),
            tiled: node.child("a", "tile").is_some(),
            alpha: alpha.clamp(0.0, 1.0) as f32,
        })
    }
}

/// Reads a `gradFill`. `None` if it has no valid stops. Stops are sorted by position. With a `path` element, the
/// gradient runs outwards from a point, otherwise along a line.
fn gradient(node: &Node<'_>) -> Option<Gradient<Colour>> {
    let list = node.child("a", "gsLst")?;
    let stops = list.children.iter().take(MAX_STOPS).filter_map(|stop| {
        let at = share(stop, "pos")?.clamp(0.0, 1.0);
        Some((at as f32, Colour::read(stop)?))
    });
    let mut stops: Vec<(f32, Colour)> = stops.collect();
    if stops.is_empty() {
        return None;
    }
    stops.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let path = if let Some(path) = node.child("a", "path") {
        // The focus rectangle (`fillToRect`) is reduced to its centre.
        let target = path.child("a", "fillToRect").map(Crop::read);
        let target = target.unwrap_or_default();
        let middle = |from: f64, to: f64| ((from + 1.0 - to) / 2.0).clamp(0.0, 1.0);
        GradientPath::Point(
            middle(target.left, target.right),
            middle(target.top, target.bottom),
        )
    } else {
        let angle = node.child("a", "lin").and_then(|lin| number(lin, "ang"));
        // Angles are in 60000ths of a degree.
        GradientPath::Line(angle.unwrap_or(0) as f64 / 60_000.0)
    };
    Some(Gradient { stops, path })
}

/// Line with colours that can be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Width, in English Metric Units.
    pub width: i64,
    pub colour: Rgba,
    /// Lengths of dashes and gaps, relative to the width of the line. Empty for a solid line.
    pub dashes: &'static [f32],
    /// Whether dashes and the ends of the line are round.
    pub round: bool,
    /// Decorations at the beginning and the end of the line.
    pub ends: [Arrow; 2],
}

/// Decoration at the end of a line (20.1.10.33).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrow {
    #[default]
    None,
    Triangle,
    Stealth,
    Diamond,
    Oval,
    Open,
}

/// Line in the notation of the file. Properties that are `None` come from the style.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineStyle {
    /// Width, in English Metric Units.
    pub width: Option<i64>,
    pub fill: Option<FillStyle>,
    /// Lengths of dashes and gaps, relative to the width.
    pub dashes: Option<&'static [f32]>,
    /// Whether dashes and the ends of the line are round.
    pub round: Option<bool>,
    /// Decorations at the beginning and the end of the line.
    pub ends: [Option<Arrow>; 2],
}

impl LineStyle {
    /// Returns the line with `phClr` replaced by another colour.
    pub fn with_placeholder(&self, own: &Colour) -> Self {
        Self {
            fill: self.fill.as_ref().map(|fill| fill.with_placeholder(own)),
            ..self.clone()
        }
    }

    /// Reads an `a:ln` or another element of the same type.
    pub fn read(node: &Node<'_>) -> Self {
        let dashes = node.child("a", "prstDash").map(|dash| {
            let kind = dash.attribute("val").unwrap_or_default();
            dashes(&kind)
        });
        let end = |name| {
            let end = node.child("a", name)?;
            Some(arrow(&end.attribute("type").unwrap_or_default()))
        };
        Self {
            width: number(node, "w"),
            fill: FillStyle::read(node),
            dashes,
            round: node.attribute("cap").map(|cap| cap == "rnd"),
            ends: [end("headEnd"), end("tailEnd")],
        }
    }

    /// Returns this line, completed with the properties of the line `below`.
    pub fn over(self, below: &Self) -> Self {
        let [head, tail] = self.ends;
        Self {
            width: self.width.or(below.width),
            fill: self.fill.or_else(|| below.fill.clone()),
            dashes: self.dashes.or(below.dashes),
            round: self.round.or(below.round),
            ends: [head.or(below.ends[0]), tail.or(below.ends[1])],
        }
    }

    /// Returns the line with colours that can be drawn. `None` if it is not drawn.
    pub fn resolve(&self, palette: &Palette, placeholder: Option<Rgba>) -> Option<Line> {
        let fill = self.fill.as_ref()?;
        // Each line is drawn in one colour. A picture has no single colour, so a line filled with a picture becomes
        // black.
        let colour = match fill.resolve(palette, placeholder, &Fill::None) {
            Fill::Picture(_) => Rgba::BLACK,
            other => other.colour()?,
        };
        Some(Line {
            width: self.width.unwrap_or(LINE_WIDTH).clamp(0, 20_116_800),
            colour,
            dashes: self.dashes.unwrap_or_default(),
            round: self.round.unwrap_or(false),
            ends: self.ends.map(Option::unwrap_or_default),
        })
    }
}

/// Dashes of the presets (20.1.10.49): lengths of dashes and gaps, relative to the width of the line.
const DASHES: [(&str, &[f32]); 10] = [
    ("dot", &[1.0, 3.0]),
    ("sysDot", &[1.0, 1.0]),
    ("dash", &[4.0, 3.0]),
    ("sysDash", &[3.0, 1.0]),
    ("lgDash", &[8.0, 3.0]),
    ("dashDot", &[4.0, 3.0, 1.0, 3.0]),
    ("sysDashDot", &[3.0, 1.0, 1.0, 1.0]),
    ("lgDashDot", &[8.0, 3.0, 1.0, 3.0]),
    ("lgDashDotDot", &[8.0, 3.0, 1.0, 3.0, 1.0, 3.0]),
    ("sysDashDotDot", &[3.0, 1.0, 1.0, 1.0, 1.0, 1.0]),
];

/// Returns the lengths of dashes and gaps of a preset. Empty for a solid line.
pub fn dashes(kind: &str) -> &'static [f32] {
    let known = DASHES.iter().find(|(name, _)| *name == kind);
    known.map_or(&[], |(_, lengths)| lengths)
}

/// Returns the preset that equals these dashes, or otherwise the preset with as many lengths (at most 6) and the most
/// similar first length, or otherwise `dash`. `None` for a solid line.
pub fn dash_name(dashes: &[f32]) -> Option<&'static str> {
    let first = *dashes.first()?;
    let exact = DASHES.iter().find(|(_, known)| *known == dashes);
    let close = || {
        let alike = DASHES
            .iter()
            .filter(|(_, known)| known.len() == dashes.len().min(6));
        alike.min_by(|(_, one), (_, other)| {
            (one[0] - first).abs().total_cmp(&(other[0] - first).abs())
        })
    };
    Some(exact.or_else(close).map_or("dash", |(name, _)| name))
}

/// Parses the type of a decoration (20.1.10.33).
fn arrow(kind: &str) -> Arrow {
    match kind {
        "triangle" => Arrow::Triangle,
        "stealth" => Arrow::Stealth,
        "diamond" => Arrow::Diamond,
        "oval" => Arrow::Oval,
        "arrow" => Arrow::Open,
        _ => Arrow::None,
    }
}

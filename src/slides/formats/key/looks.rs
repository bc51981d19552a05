//! Reads fills, lines and outlines, and holds the styles of texts. Does not place shapes on a slide.

use crate::{
    containers::iwa::{Message, Objects},
    error::Result,
    job::{Job, Lease},
};
use convertd_office::{
    drawing::{
        Command, Crop, Fill, Geometry, Gradient, GradientPath, Line, Outline, Path, PictureFill,
        Rgba, Shade,
    },
    iwork::{Media, Styles, ancestors, colour, kind, stated_fill},
    wordprocessing::Lists,
};
use convertd_tree::{POINT, VerticalAlignment};
use std::rc::Rc;

/// Limit on the commands of an outline.
const MAX_COMMANDS: usize = 10_000;
/// Limit on the colours of a gradient.
const MAX_STOPS: usize = 64;

/// Archive types of the styles of slides.
pub(super) const SLIDE_STYLES: &[u64] = &[9];
/// Archive types of the styles of table cells.
pub(super) const CELL_STYLES: &[u64] = &[6004];

/// Memory of an outline without its commands, in bytes.
const OUTLINE: u64 = (size_of::<Outline>() + size_of::<Path>()) as u64;

/// Memory of a command of an outline, in bytes. The factor 2 is for the spare capacity of a growing list.
const COMMAND: u64 = 2 * size_of::<Command>() as u64;
/// Memory of a colour of a gradient, in bytes. The factor 2 is for the spare capacity of a growing list.
const STOP: u64 = 2 * size_of::<(f32, Rgba)>() as u64;

/// Styles of texts and list counters for one slide, with the lease for the memory of the slide.
pub(super) struct Looks<'o> {
    pub(super) job: &'o Job<'o>,
    pub(super) objects: &'o Objects<'o>,
    pub(super) styles: Styles<'o>,
    pub(super) lists: Lists,
    lease: &'o Lease<'o>,
}

impl<'o> Looks<'o> {
    pub(super) fn new(job: &'o Job<'o>, objects: &'o Objects<'o>, lease: &'o Lease<'o>) -> Self {
        Self {
            job,
            objects,
            styles: Styles::new(job, objects),
            lists: Lists::default(),
            lease,
        }
    }

    /// Reserves this many bytes of memory for a part of the slide, before the part is made.
    pub(super) fn hold(&self, bytes: u64) -> Result<()> {
        self.lease.grow(bytes)
    }
}

/// Properties of a shape.
pub(super) struct ShapeLook {
    pub(super) fill: Fill,
    pub(super) line: Option<Line>,
    pub(super) anchor: VerticalAlignment,
    /// Distances of the text from the edges, in English Metric Units: left, top, right, bottom.
    pub(super) insets: [f64; 4],
}

impl Looks<'_> {
    /// Properties of a shape with this style.
    pub(super) fn shape(&self, media: &Media<'_>, style: Option<u64>) -> Result<ShapeLook> {
        let styles: Vec<_> = ancestors(self.objects, style, kind::SHAPE_STYLES).collect();
        let mut styles = styles.iter();
        let line = styles.clone().find_map(|style| style.drawn()?.message(2));
        let anchor = styles.clone().find_map(|style| style.text()?.number(2));
        let padding = styles.find_map(|style| style.text()?.message(6));
        let side = |field| {
            let side = padding.and_then(|padding| padding.single(field));
            side.unwrap_or(0.0).clamp(0.0, 1000.0) * POINT
        };
        Ok(ShapeLook {
            fill: self
                .stated(media, style, kind::SHAPE_STYLES)?
                .unwrap_or_default(),
            line: line.and_then(self::line),
            anchor: match anchor {
                Some(1) => VerticalAlignment::Middle,
                Some(2) => VerticalAlignment::Bottom,
                _ => VerticalAlignment::Top,
            },
            insets: [side(1), side(2), side(3), side(4)],
        })
    }

    /// Fill of a style, if the style or one of its ancestors states one.
    pub(super) fn stated(
        &self,
        media: &Media<'_>,
        style: Option<u64>,
        kinds: &'static [u64],
    ) -> Result<Option<Fill>> {
        let stated = stated_fill(self.objects, style, kinds);
        stated.map(|stated| self.fill(media, stated)).transpose()
    }

    fn fill(&self, media: &Media<'_>, stated: Message<'_>) -> Result<Fill> {
        let stops = stated
            .message(2)
            .map_or(0, |gradient| gradient.all(2).take(MAX_STOPS).count());
        self.hold(STOP * stops as u64)?;
        Ok(fill(media, stated))
    }
}

/// A fill (`FillArchive`): a colour, a gradient, a picture, or none.
fn fill(media: &Media<'_>, stated: Message<'_>) -> Fill {
    if let Some(own) = stated.message(1) {
        return rgba(own).map_or(Fill::None, Fill::Solid);
    }
    if let Some(gradient) = stated.message(2) {
        let stops = gradient.all(2).take(MAX_STOPS).filter_map(|stop| {
            let place = stop.single(2).unwrap_or(0.0).clamp(0.0, 1.0);
            Some((place as f32, rgba(stop.message(1)?)?))
        });
        let mut stops: Vec<(f32, Rgba)> = stops.collect();
        stops.sort_by(|one, other| one.0.total_cmp(&other.0));
        // The file has angles in radians, counterclockwise; the deck has them in degrees, clockwise.
        let angle = gradient.message(5).and_then(|angle| angle.single(2));
        let angle = -angle.unwrap_or(-std::f64::consts::FRAC_PI_2).to_degrees();
        return match stops.first() {
            None => Fill::None,
            Some(_) => Fill::Gradient(Gradient {
                stops,
                path: match gradient.number(1) {
                    Some(1) => GradientPath::Point(0.5, 0.5),
                    _ => GradientPath::Line(angle.rem_euclid(360.0)),
                },
            }),
        };
    }
    if let Some(picture) = stated.message(3)
        && let Some(file) = media.referred(picture, 6)
    {
        return Fill::Picture(PictureFill {
            id: file.to_string().into(),
            crop: Crop::default(),
            tiled: picture.number(2) == Some(2),
            alpha: 1.0,
        });
    }
    Fill::None
}

/// Heap memory of a copy of a fill, in bytes.
pub(super) fn memory(fill: &Fill) -> u64 {
    match fill {
        Fill::Gradient(gradient) => STOP * gradient.stops.len() as u64,
        Fill::Picture(picture) => picture.id.len() as u64,
        Fill::None | Fill::Solid(_) | Fill::Pattern(_) => 0,
    }
}

fn rgba(stated: Message<'_>) -> Option<Rgba> {
    let own = colour(stated)?;
    let alpha = stated.single(6).unwrap_or(1.0).clamp(0.0, 1.0);
    Some(Rgba {
        rgb: [own.0, own.1, own.2],
        alpha: alpha as f32,
    })
}

/// A line (`StrokeArchive`).
fn line(stated: Message<'_>) -> Option<Line> {
    /// Pattern type of a line that is not drawn.
    const EMPTY: u64 = 2;
    let pattern = stated.message(6).and_then(|pattern| pattern.number(1));
    let width = stated.single(2).unwrap_or(1.0).clamp(0.0, 1000.0);
    if pattern == Some(EMPTY) || width == 0.0 {
        return None;
    }
    Some(Line {
        width: (width * POINT) as i64,
        colour: rgba(stated.message(1)?)?,
        dashes: &[],
        round: false,
        ends: Default::default(),
    })
}

impl Looks<'_> {
    /// Outline of a shape (`PathSourceArchive`). Points and size are converted to English Metric Units. A shape without
    /// a usable path is a rectangle.
    pub(super) fn geometry(&self, path: Option<Message<'_>>) -> Result<Geometry> {
        let Some(path) = path else {
            return Ok(Geometry::Rectangle);
        };
        // Fields with the source of an outline: 3 is a preset with a control point, 4 a preset with one number, 5 a
        // Bézier path, and 7 a connection line, which contains a Bézier path.
        if let Some(scalar) = path.message(4) {
            return Ok(match scalar.number(1).unwrap_or(0) {
                0 if scalar.single(2).unwrap_or(0.0) > 0.0 => {
                    Geometry::Preset("roundRect".into(), Vec::new())
                }
                2 => Geometry::Preset("chevron".into(), Vec::new()),
                _ => Geometry::Rectangle,
            });
        }
        if let Some(points) = path.message(3) {
            let name = match points.number(1) {
                Some(0) => "leftArrow",
                Some(10) => "leftRightArrow",
                Some(100) => "star5",
                Some(200) => "plus",
                _ => "rightArrow",
            };
            return Ok(Geometry::Preset(name.into(), Vec::new()));
        }
        let bezier = path.message(5).or_else(|| path.message(7)?.message(1));
        let Some(bezier) = bezier else {
            return Ok(Geometry::Rectangle);
        };
        let size = bezier.message(2);
        let side = |field| size.and_then(|size| size.single(field)).unwrap_or(0.0);
        let size = (side(1) * POINT, side(2) * POINT);
        self.hold(OUTLINE)?;
        let mut commands = Vec::new();
        let mut is_closed = false;
        for element in bezier.message(3).iter().flat_map(|path| path.all(1)) {
            self.job.check()?;
            if commands.len() == MAX_COMMANDS {
                break;
            }
            self.hold(COMMAND)?;
            let points = element.all(2).take(3).map(|point| {
                let part = |field| point.single(field).unwrap_or(0.0).clamp(-1e5, 1e5) * POINT;
                [part(1), part(2)]
            });
            let points: Vec<[f64; 2]> = points.collect();
            commands.push(match (element.number(1), points.as_slice()) {
                (Some(1), [[x, y], ..]) => Command::Move(*x, *y),
                (Some(2), [[x, y], ..]) => Command::Line(*x, *y),
                (Some(3), [[a, b], [x, y], ..]) => Command::Curve([*a, *b, *a, *b, *x, *y]),
                (Some(4), [[a, b], [c, d], [x, y]]) => Command::Curve([*a, *b, *c, *d, *x, *y]),
                (Some(5), _) => {
                    is_closed = true;
                    Command::Close
                }
                _ => continue,
            });
        }
        if commands.len() < 2 {
            return Ok(Geometry::Rectangle);
        }
        let outline = Outline {
            paths: vec![Path {
                commands,
                shade: is_closed.then_some(Shade::Plain),
                stroked: true,
            }],
            text: [0.0, 0.0, size.0, size.1],
        };
        Ok(Geometry::Drawn(Rc::new(outline), size))
    }
}

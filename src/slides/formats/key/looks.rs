//! Reads fills, lines and outlines, and holds the styles of texts. Knows no place.

use crate::{
    containers::iwa::{Message, Objects},
    error::Result,
    job::Job,
};
use convertd_office::{
    drawing::{
        Command, Crop, Fill, Geometry, Gradient, GradientPath, Line, Outline, Path, PictureFill,
        Rgba, Shade,
    },
    iwork::{Media, Styles, colour, kind},
    wordprocessing::Lists,
};
use convertd_tree::{POINT, VerticalAlignment};
use std::rc::Rc;

/// Limit on the number of ancestors of a style.
const MAX_ANCESTORS: usize = 32;

/// Limits on the commands of an outline and the colours of a gradient.
const MAX_COMMANDS: usize = 10_000;
const MAX_STOPS: usize = 64;

/// Kind of a style of slides.
const SLIDE_STYLE: u64 = 9;

/// Styles of texts, and the lists of a slide.
pub(super) struct Looks<'o> {
    pub(super) job: &'o Job<'o>,
    pub(super) objects: &'o Objects<'o>,
    pub(super) styles: Styles<'o>,
    pub(super) lists: Lists,
    /// Memory of the texts so far, in bytes.
    pub(super) memory: u64,
}

impl<'o> Looks<'o> {
    pub(super) fn new(job: &'o Job<'o>, objects: &'o Objects<'o>) -> Self {
        Self {
            job,
            objects,
            styles: Styles::new(job, objects),
            lists: Lists::default(),
            memory: 0,
        }
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

/// Properties of a style of shapes.
pub(super) fn of_shape(objects: &Objects<'_>, media: &Media<'_>, style: Option<u64>) -> ShapeLook {
    let mut look = ShapeLook {
        fill: Fill::None,
        line: None,
        anchor: VerticalAlignment::Top,
        insets: [0.0; 4],
    };
    let (mut fill, mut line, mut anchor, mut padding) = (None, None, None, None);
    let mut next = style;
    for _ in 0..MAX_ANCESTORS {
        let Some((own, style)) = next.and_then(|number| objects.get(number)) else {
            break;
        };
        if !kind::SHAPE_STYLES.contains(&own) {
            break;
        }
        // A style of shapes with text contains one of shapes without.
        let bare = match own {
            3015 => Some(style),
            _ => style.message(1),
        };
        let text = (own != 3015).then(|| style.message(11)).flatten();
        let shown = bare.and_then(|bare| bare.message(11));
        fill = fill.or_else(|| shown?.message(1));
        line = line.or_else(|| shown?.message(2));
        anchor = anchor.or_else(|| text?.number(2));
        padding = padding.or_else(|| text?.message(6));
        next = bare
            .and_then(|bare| bare.message(1)?.message(3))
            .and_then(|parent| parent.number(1));
    }
    look.fill = fill.map_or(Fill::None, |fill| self::fill(media, fill));
    look.line = line.and_then(self::line);
    look.anchor = match anchor {
        Some(1) => VerticalAlignment::Middle,
        Some(2) => VerticalAlignment::Bottom,
        _ => VerticalAlignment::Top,
    };
    if let Some(padding) = padding {
        let side = |field| padding.single(field).unwrap_or(0.0).clamp(0.0, 1000.0) * POINT;
        look.insets = [side(1), side(2), side(3), side(4)];
    }
    look
}

/// Background of a slide or a template, if its style states one.
pub(super) fn background(
    objects: &Objects<'_>,
    media: &Media<'_>,
    slide: Message<'_>,
) -> Option<Fill> {
    let mut next = slide.message(1)?.number(1);
    for _ in 0..MAX_ANCESTORS {
        let (own, style) = objects.get(next?)?;
        if own != SLIDE_STYLE {
            return None;
        }
        if let Some(own) = style.message(11).and_then(|stated| stated.message(1)) {
            return Some(fill(media, own));
        }
        next = style.message(1)?.message(3)?.number(1);
    }
    None
}

/// A fill (`FillArchive`): a colour, a gradient, a picture, or none.
pub(super) fn fill(media: &Media<'_>, stated: Message<'_>) -> Fill {
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
        // Angles are in radians, against the clock.
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

fn rgba(stated: Message<'_>) -> Option<Rgba> {
    let own = colour(stated)?;
    let alpha = stated.single(6).unwrap_or(1.0).clamp(0.0, 1.0);
    Some(Rgba {
        rgb: [own.0, own.1, own.2],
        alpha: alpha as f32,
    })
}

/// A line (`StrokeArchive`).
pub(super) fn line(stated: Message<'_>) -> Option<Line> {
    /// A pattern without any dash.
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

/// Outline of a shape (`PathSourceArchive`) with its size, in points.
pub(super) fn geometry(job: &Job<'_>, path: Option<Message<'_>>) -> Result<Geometry> {
    let Some(path) = path else {
        return Ok(Geometry::Rectangle);
    };
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
    let mut commands = Vec::new();
    let mut is_closed = false;
    for element in bezier.message(3).iter().flat_map(|path| path.all(1)) {
        job.check()?;
        if commands.len() == MAX_COMMANDS {
            break;
        }
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

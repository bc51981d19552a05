//! Determines the kind of an object on a page or slide, and its position. Decodes no picture.
//!
//! All these objects contain the same message, the drawable, which states the geometry, the alternative text and a
//! link. In most kinds it is the first field of the object. In shapes with text, placeholders, connections, and tables
//! in a text, it is nested deeper.

use super::{kind, media::Media, table::Table, text::has_words};
use crate::{
    containers::iwa::{Message, Objects},
    drawing::{Crop, Place},
};

/// An object on a page or slide.
#[derive(Clone, Copy, Debug)]
pub enum Drawn<'o> {
    Image(Image<'o>),
    Shape(Shape<'o>),
    /// A group. Its members are found with [`members`].
    Group(Message<'o>),
    /// The number of a table.
    Table(u64),
    /// A film or sound, by the number of its poster picture.
    Movie(Option<u64>),
    Chart,
    /// A comment beside the content.
    Comment,
    /// A table of contents.
    Contents,
}

/// A picture.
#[derive(Clone, Copy, Debug)]
pub struct Image<'o> {
    /// Number of the picture's file. `None` if the file is not in the archive.
    pub file: Option<u64>,
    /// The formula that the picture shows, in TeX or MathML.
    pub formula: Option<&'o str>,
    /// Parts that are not shown.
    pub crop: Crop,
    /// Place of the part that is shown, relative to the place of the whole picture. `None` if all of it is shown.
    pub mask: Option<Place>,
}

/// A shape.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'o> {
    /// Number of the shape's text. `None` if no text is visible.
    pub text: Option<u64>,
    /// Number of the shape's style.
    pub style: Option<u64>,
    /// Outline (`PathSourceArchive`).
    pub path: Option<Message<'o>>,
}

/// Kinds of placeholders of Pages and Keynote, which are shapes.
const PLACEHOLDERS: &[u64] = &[7, 12];

impl<'o> Drawn<'o> {
    /// Reads the object with this number. Returns it with its drawable. `None` if the kind is not known, or if parts of
    /// the object are missing.
    pub fn read(
        objects: &'o Objects<'o>,
        media: &Media<'_>,
        number: u64,
    ) -> Option<(Self, Message<'o>)> {
        let (own, object) = objects.get(number)?;
        let inner = object.message(1)?;
        let shape = |info: Message<'o>| {
            let bare = info.message(1)?;
            let text = info.reference(4).or_else(|| info.reference(2));
            let shape = Shape {
                text: text.filter(|text| has_words(objects, *text)),
                style: bare.reference(2),
                path: bare.message(3),
            };
            Some((Self::Shape(shape), bare.message(1)?))
        };
        match own {
            kind::IMAGE => {
                let (crop, mask) = mask(objects, object, inner).unwrap_or_default();
                let image = Image {
                    file: picture(media, object),
                    formula: object.text(103).or_else(|| object.text(100)),
                    crop,
                    mask,
                };
                Some((Self::Image(image), inner))
            }
            kind::SHAPE => shape(object),
            own if PLACEHOLDERS.contains(&own) => shape(inner),
            kind::BARE_SHAPE => {
                let shape = Shape {
                    text: None,
                    style: object.reference(2),
                    path: object.message(3),
                };
                Some((Self::Shape(shape), inner))
            }
            kind::CONNECTION => {
                let shape = Shape {
                    text: None,
                    style: inner.reference(2),
                    path: inner.message(3),
                };
                Some((Self::Shape(shape), inner.message(1)?))
            }
            kind::GROUP => Some((Self::Group(object), inner)),
            kind::TABLE_INFO => Some((Self::Table(Table::shown_by(objects, object)?), inner)),
            kind::TABLE_IN_TEXT => Some((
                Self::Table(Table::shown_by(objects, inner)?),
                inner.message(1)?,
            )),
            kind::MOVIE => {
                let poster = [15, 16]
                    .into_iter()
                    .find_map(|field| media.referred(object, field));
                Some((Self::Movie(poster), inner))
            }
            own if kind::CHARTS.contains(&own) => Some((Self::Chart, inner)),
            kind::COMMENT => Some((Self::Comment, inner)),
            own if kind::CONTENTS.contains(&own) => Some((Self::Contents, inner)),
            _ => None,
        }
    }
}

/// Returns the number of a picture's file. In order of preference: the adjusted picture, the picture as inserted, a
/// smaller copy. PDF files are used only if there is no other file.
fn picture(media: &Media<'_>, image: Message<'_>) -> Option<u64> {
    let files = [15, 11, 13, 12].map(|field| media.referred(image, field));
    let is_picture = |file: &u64| {
        let name = media.name(*file).unwrap_or_default();
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        !extension.eq_ignore_ascii_case("pdf")
    };
    let mut all = files.into_iter().flatten();
    all.clone().find(is_picture).or_else(|| all.next())
}

/// Returns the cropping of a picture, and the place of the part that remains visible. `None` if all of the picture is
/// visible. Also `None` if nothing of it would be visible, because such a mask is not valid.
fn mask(
    objects: &Objects<'_>,
    image: Message<'_>,
    drawable: Message<'_>,
) -> Option<(Crop, Option<Place>)> {
    let mask = objects.of(image.reference(5), &[kind::MASK])?;
    let part = geometry(mask.message(1)?)?;
    let whole = geometry(drawable)?;
    let share = |part: f64, whole: f64| match whole > 0.0 {
        true => (part / whole).clamp(0.0, 1.0),
        false => 0.0,
    };
    let crop = Crop {
        left: share(part.x, whole.width),
        top: share(part.y, whole.height),
        right: share(whole.width - part.x - part.width, whole.width),
        bottom: share(whole.height - part.y - part.height, whole.height),
    };
    let is_cut = [crop.left, crop.top, crop.right, crop.bottom]
        .iter()
        .any(|side| *side > 0.005);
    let is_sound = crop.left + crop.right < 0.999 && crop.top + crop.bottom < 0.999;
    (is_cut && is_sound).then_some((crop, Some(part)))
}

/// Returns the place of a drawable, in points from the upper left corner of the page, slide or group that contains it.
/// `None` without a valid position and size.
pub fn geometry(drawable: Message<'_>) -> Option<Place> {
    /// Limit on the absolute value of coordinates, in points: about 53 metres.
    const MAX: f64 = 150_000.0;
    let geometry = drawable.message(1)?;
    let pair = |field: u32| {
        let pair = geometry.message(field)?;
        let side = |field: u32| pair.single(field).filter(|side| side.abs() < MAX);
        Some((side(1)?, side(2)?))
    };
    let (width, height) = pair(2)?;
    let (x, y) = pair(1)?;
    // The file measures angles anticlockwise, and [`Place`] clockwise.
    let turn = -geometry.single(4).unwrap_or(0.0);
    /// Flag of a mirrored object.
    const MIRRORED: u64 = 4;
    Some(Place {
        x,
        y,
        width: width.max(0.0),
        height: height.max(0.0),
        turn: turn.rem_euclid(360.0),
        flips: (geometry.number(3).unwrap_or(0) & MIRRORED != 0, false),
    })
}

/// Returns the numbers of the members of a group.
pub fn members(group: Message<'_>) -> impl Iterator<Item = u64> {
    group.references(2)
}

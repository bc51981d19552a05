//! A content stream with its resources (ISO 32000-1, 8 and 9). Does not read drawings.

use crate::object::File;
use pdf_writer::{
    Content, Dict, Name, Rect as Box4, Ref, Settings,
    types::{ColorSpaceOperand, LineCapStyle, LineJoinStyle},
};
use resvg::usvg::{Color, LineCap, LineJoin, Rect, Stroke, Transform};
use std::collections::BTreeSet;

/// Categories of named resources (ISO 32000-1, 7.8.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ResourceCategory {
    /// Graphics state parameter dictionary.
    Graphics,
    Font,
    Pattern,
    Shading,
    /// Form or image.
    Object,
}

impl ResourceCategory {
    const ALL: [Self; 5] = [
        Self::Graphics,
        Self::Font,
        Self::Pattern,
        Self::Shading,
        Self::Object,
    ];

    /// Key of the category in a resource dictionary.
    fn category(self) -> &'static [u8] {
        match self {
            Self::Graphics => b"ExtGState",
            Self::Font => b"Font",
            Self::Pattern => b"Pattern",
            Self::Shading => b"Shading",
            Self::Object => b"XObject",
        }
    }

    /// First letter of the names in a category.
    fn letter(self) -> char {
        match self {
            Self::Graphics => 'G',
            Self::Font => 'F',
            Self::Pattern => 'P',
            Self::Shading => 'S',
            Self::Object => 'X',
        }
    }

    /// Name of an object, from its object number.
    fn name(self, number: i32) -> Vec<u8> {
        format!("{}{number}", self.letter()).into_bytes()
    }
}

/// Resources of a content stream, by category and object number. Each stream lists only its own, so that no form refers
/// to itself.
#[derive(Default)]
pub struct Resources(BTreeSet<(ResourceCategory, i32)>);

impl Resources {
    /// Writes the `Resources` entry of a page, form or pattern.
    pub fn write(&self, dictionary: &mut Dict<'_>) {
        let mut resources = dictionary.insert(Name(b"Resources")).dict();
        for kind in ResourceCategory::ALL {
            let of_kind = self.0.iter().filter(|(other, _)| *other == kind);
            let mut of_kind = of_kind.peekable();
            if of_kind.peek().is_some() {
                let mut names = resources.insert(Name(kind.category())).dict();
                for (_, number) in of_kind {
                    names.pair(Name(&kind.name(*number)), Ref::new(*number));
                }
            }
        }
    }
}

/// Part of the graphics state that is tracked here. The operators `q` and `Q` save and restore it.
#[derive(Clone, Copy)]
struct State {
    /// Transform from the current coordinates to those at the beginning of the stream.
    matrix: Transform,
    /// Transform from the current coordinates to points on the page; in a pattern, to those of its first tile.
    total: Transform,
    /// Factor by which coordinates are multiplied before they are rounded.
    fineness: f64,
    /// Current fill colour, so that it is not set twice. `None` if it is unknown, or the fill is a pattern.
    fill: Option<Color>,
    /// Current stroke colour, so that it is not set twice. `None` if it is unknown, or the stroke is a pattern.
    stroke: Option<Color>,
}

/// A content stream.
pub(super) struct Sheet {
    pub(super) content: Content,
    resources: Resources,
    state: State,
    saved: Vec<State>,
    /// Whether the stream is a tile, which is drawn at several positions.
    pub(super) tiled: bool,
}

impl Sheet {
    /// Creates an empty stream. `total` transforms its coordinates to those of the page.
    pub(super) fn new(total: Transform) -> Self {
        Self {
            content: Content::with_settings(Settings { pretty: false }),
            resources: Resources::default(),
            state: State {
                matrix: Transform::identity(),
                total,
                fineness: fineness(total),
                fill: None,
                stroke: None,
            },
            saved: Vec::new(),
            tiled: false,
        }
    }

    /// Creates an empty stream for a form or mask at the current position.
    pub(super) fn inner(&self) -> Self {
        Self {
            tiled: self.tiled,
            ..Self::new(self.state.total)
        }
    }

    pub(super) fn save(&mut self) {
        self.content.save_state();
        self.saved.push(self.state);
    }

    pub(super) fn restore(&mut self) {
        self.content.restore_state();
        if let Some(state) = self.saved.pop() {
            self.state = state;
        }
    }

    /// Transforms the coordinates of everything that follows.
    pub(super) fn transform(&mut self, by: Transform) {
        if by.is_identity() {
            return;
        }
        self.content.transform(row(by));
        self.state.matrix = self.state.matrix.pre_concat(by);
        self.state.total = self.state.total.pre_concat(by);
        self.state.fineness = fineness(self.state.total);
    }

    /// Transform from the current coordinates to those at the beginning of the stream.
    pub(super) fn matrix(&self) -> Transform {
        self.state.matrix
    }

    /// Transform from the current coordinates to points on the page; in a pattern, to those of its first tile.
    pub(super) fn total(&self) -> Transform {
        self.state.total
    }

    /// Rounds a coordinate to the visible precision, 1/200 of a point or better.
    pub(super) fn round(&self, exact: f32) -> f32 {
        let rounded = (f64::from(exact) * self.state.fineness).round() / self.state.fineness;
        number(rounded as f32)
    }

    /// Step to which coordinates are rounded.
    pub(super) fn grain(&self) -> f32 {
        (1.0 / self.state.fineness) as f32
    }

    /// Resource name of an object in this stream.
    pub(super) fn name(&mut self, kind: ResourceCategory, object: Ref) -> Vec<u8> {
        self.resources.0.insert((kind, object.get()));
        kind.name(object.get())
    }

    /// Applies a graphics state parameter dictionary.
    pub(super) fn graphics(&mut self, object: Ref) {
        let name = self.name(ResourceCategory::Graphics, object);
        self.content.set_parameters(Name(&name));
    }

    /// Draws a form or an image.
    pub(super) fn object(&mut self, object: Ref) {
        let name = self.name(ResourceCategory::Object, object);
        self.content.x_object(Name(&name));
    }

    pub(super) fn fill_colour(&mut self, colour: Color) {
        if self.state.fill.replace(colour) != Some(colour) {
            let [r, g, b] = parts(colour);
            self.content.set_fill_rgb(r, g, b);
        }
    }

    pub(super) fn stroke_colour(&mut self, colour: Color) {
        if self.state.stroke.replace(colour) != Some(colour) {
            let [r, g, b] = parts(colour);
            self.content.set_stroke_rgb(r, g, b);
        }
    }

    pub(super) fn fill_pattern(&mut self, pattern: Ref) {
        let name = self.name(ResourceCategory::Pattern, pattern);
        self.state.fill = None;
        self.content
            .set_fill_color_space(ColorSpaceOperand::Pattern)
            .set_fill_pattern([], Name(&name));
    }

    pub(super) fn stroke_pattern(&mut self, pattern: Ref) {
        let name = self.name(ResourceCategory::Pattern, pattern);
        self.state.stroke = None;
        self.content
            .set_stroke_color_space(ColorSpaceOperand::Pattern)
            .set_stroke_pattern([], Name(&name));
    }

    /// Sets the parameters of strokes. They stay set until [`restore`](Self::restore), so call it after
    /// [`save`](Self::save).
    pub(super) fn line(&mut self, stroke: &Stroke) {
        let width = stroke.width().get();
        // A line that is thinner than the rounding step must not become 0, which PDF draws as thin as possible.
        self.content
            .set_line_width(self.round(width).max(number(width * 0.999)));
        match stroke.linecap() {
            LineCap::Butt => {}
            LineCap::Round => {
                self.content.set_line_cap(LineCapStyle::RoundCap);
            }
            LineCap::Square => {
                self.content.set_line_cap(LineCapStyle::ProjectingSquareCap);
            }
        }
        match stroke.linejoin() {
            // PDF has no clipped mitre join.
            LineJoin::Miter | LineJoin::MiterClip => {
                self.content.set_miter_limit(stroke.miterlimit().get());
            }
            LineJoin::Round => {
                self.content.set_line_join(LineJoinStyle::RoundJoin);
            }
            LineJoin::Bevel => {
                self.content.set_line_join(LineJoinStyle::BevelJoin);
            }
        }
        if let Some(dashes) = stroke.dasharray() {
            // SVG draws square caps on a dash of length 0, PDF does not (ISO 32000-1, 8.4.3.3), so the dash is made
            // slightly longer.
            let least = match stroke.linecap() {
                LineCap::Square => 10.0 * self.grain(),
                LineCap::Butt | LineCap::Round => 0.0,
            };
            let len = |(nth, len): (usize, &f32)| {
                let is_dash = nth % 2 == 0;
                self.round(if is_dash { len.max(least) } else { *len })
            };
            let lens: Vec<f32> = dashes.iter().enumerate().map(len).collect();
            // A dash array of zeros is not allowed in PDF.
            if lens.iter().any(|len| *len > 0.0) {
                let around: f32 = lens.iter().sum();
                // Readers reject a negative phase.
                let phase = stroke.dashoffset().rem_euclid(2.0 * around);
                self.content.set_dash_pattern(lens, self.round(phase));
            }
        }
    }

    /// Clips to a rectangle.
    pub(super) fn clip(&mut self, to: Rect) {
        let [x, y] = [to.x(), to.y()].map(|at| self.round(at));
        let [width, height] = [to.width(), to.height()].map(|side| self.round(side));
        self.content.rect(x, y, width, height);
        self.content.clip_nonzero().end_path();
    }

    /// Writes the stream as the content of a page, and returns its resources.
    pub(super) fn write(self, file: &mut File<'_>, id: Ref) -> Resources {
        file.stream(id, &self.content.finish(), |_| {});
        self.resources
    }

    /// Writes the stream as a form (ISO 32000-1, 8.10) with a transparency group (11.6.6) and the bounding box
    /// `within`. `space` is the colour space of the group, which matters for luminosity masks.
    pub(super) fn write_form(self, file: &mut File<'_>, id: Ref, within: Rect, space: &[u8]) {
        self.write_group(file, id, within, space, Transform::identity());
    }

    /// Writes the stream as a form. `matrix` transforms it to the coordinates of the stream that uses it.
    pub(super) fn write_placed(
        self,
        file: &mut File<'_>,
        id: Ref,
        within: Rect,
        matrix: Transform,
    ) {
        self.write_group(file, id, within, b"DeviceRGB", matrix);
    }

    /// Writes the stream as a form XObject with an isolated transparency group (ISO 32000-1, 11.6.6).
    fn write_group(
        self,
        file: &mut File<'_>,
        id: Ref,
        within: Rect,
        space: &[u8],
        matrix: Transform,
    ) {
        let resources = self.resources;
        file.stream(id, &self.content.finish(), |stream| {
            stream.pair(Name(b"Type"), Name(b"XObject"));
            stream.pair(Name(b"Subtype"), Name(b"Form"));
            stream.pair(Name(b"BBox"), box_of(within));
            if !matrix.is_identity() {
                stream.insert(Name(b"Matrix")).array().items(row(matrix));
            }
            resources.write(stream);
            let mut group = stream.insert(Name(b"Group")).dict();
            group.pair(Name(b"S"), Name(b"Transparency"));
            group.pair(Name(b"I"), true);
            group.pair(Name(b"CS"), Name(space));
        });
    }

    /// Writes the stream as a tiling pattern (ISO 32000-1, 8.7.3). `matrix` transforms it to the coordinates of the
    /// stream that uses it.
    pub(super) fn write_tile(
        self,
        file: &mut File<'_>,
        id: Ref,
        (width, height): (f32, f32),
        matrix: Transform,
    ) {
        let resources = self.resources;
        file.stream(id, &self.content.finish(), |stream| {
            stream.pair(Name(b"Type"), Name(b"Pattern"));
            // Pattern type 1 is tiling, paint type 1 is coloured, and tiling type 1 has constant spacing.
            stream.pair(Name(b"PatternType"), 1);
            stream.pair(Name(b"PaintType"), 1);
            stream.pair(Name(b"TilingType"), 1);
            stream.pair(Name(b"BBox"), Box4::new(0.0, 0.0, width, height));
            stream.pair(Name(b"XStep"), width);
            stream.pair(Name(b"YStep"), height);
            stream.insert(Name(b"Matrix")).array().items(row(matrix));
            resources.write(stream);
        });
    }
}

/// Matrix of a transform in the order of PDF.
pub(super) fn row(by: Transform) -> [f32; 6] {
    [by.sx, by.ky, by.kx, by.sy, by.tx, by.ty].map(number)
}

/// Limits a number to the range that all programs can read. Larger coordinates are invisible anyway.
pub(super) fn number(number: f32) -> f32 {
    if number.is_nan() {
        return 0.0;
    }
    number.clamp(-1e9, 1e9)
}

/// Rectangle in the form of PDF.
fn box_of(rect: Rect) -> Box4 {
    let [left, top] = [rect.left(), rect.top()].map(number);
    Box4::new(left, top, number(rect.right()), number(rect.bottom()))
}

/// Components of a colour from 0 to 1.
fn parts(colour: Color) -> [f32; 3] {
    [colour.red, colour.green, colour.blue].map(part)
}

/// Colour component from 0 to 1, rounded to 1/10,000.
pub(super) fn part(byte: u8) -> f32 {
    ((f64::from(byte) / 255.0 * 10_000.0).round() / 10_000.0) as f32
}

/// Factor for rounding coordinates: the smallest power of ten from 1 to 10,000,000 whose rounding step is at most 1/200
/// of a point on the page.
fn fineness(total: Transform) -> f64 {
    let (x, y) = total.get_scale();
    let scale = f64::from(x.max(y)).clamp(1e-6, 1e6);
    10_f64.powi((scale * 200.0).log10().ceil().clamp(0.0, 7.0) as i32)
}

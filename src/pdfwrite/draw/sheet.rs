//! A content stream that is being written (ISO 32000-1, 8 and 9), with its resources. Knows nothing of drawings.

use crate::object::File;
use pdf_writer::{
    Content, Dict, Name, Rect as Box4, Ref, Settings,
    types::{ColorSpaceOperand, LineCapStyle, LineJoinStyle},
};
use resvg::usvg::{Color, LineCap, LineJoin, Rect, Stroke, Transform};
use std::collections::BTreeSet;

/// The categories of named resources (7.8.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Graphics,
    Font,
    Pattern,
    Shading,
    Object,
}

impl Kind {
    const ALL: [Self; 5] = [
        Self::Graphics,
        Self::Font,
        Self::Pattern,
        Self::Shading,
        Self::Object,
    ];

    fn category(self) -> &'static [u8] {
        match self {
            Self::Graphics => b"ExtGState",
            Self::Font => b"Font",
            Self::Pattern => b"Pattern",
            Self::Shading => b"Shading",
            Self::Object => b"XObject",
        }
    }

    fn letter(self) -> char {
        match self {
            Self::Graphics => 'G',
            Self::Font => 'F',
            Self::Pattern => 'P',
            Self::Shading => 'S',
            Self::Object => 'X',
        }
    }

    fn name(self, number: i32) -> Vec<u8> {
        format!("{}{number}", self.letter()).into_bytes()
    }
}

/// The resources of a content stream. Each stream has its own, so that none refers to itself.
#[derive(Default)]
pub struct Resources(BTreeSet<(Kind, i32)>);

impl Resources {
    /// Writes the `Resources` entry of a page, form or pattern.
    pub fn write(&self, dictionary: &mut Dict<'_>) {
        let mut resources = dictionary.insert(Name(b"Resources")).dict();
        for kind in Kind::ALL {
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

/// The graphics state that operators save and restore.
#[derive(Clone, Copy)]
struct State {
    /// From the current coordinates to those at the beginning of the stream.
    matrix: Transform,
    /// From the current coordinates to points on the page; in a pattern, to those of its first tile.
    total: Transform,
    /// The factor by which coordinates are multiplied before they are rounded.
    fineness: f64,
    fill: Option<Color>,
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
    /// An empty stream whose coordinates `total` transforms to those of the page.
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

    /// An empty stream for a form or mask at the current position.
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

    pub(super) fn transform(&mut self, by: Transform) {
        if by.is_identity() {
            return;
        }
        self.content.transform(row(by));
        self.state.matrix = self.state.matrix.pre_concat(by);
        self.state.total = self.state.total.pre_concat(by);
        self.state.fineness = fineness(self.state.total);
    }

    /// The transform from the current coordinates to those at the beginning of the stream.
    pub(super) fn matrix(&self) -> Transform {
        self.state.matrix
    }

    /// The transform from the current coordinates to points on the page.
    pub(super) fn total(&self) -> Transform {
        self.state.total
    }

    /// Rounds a coordinate to the visible precision, a five-hundredth of a point or better.
    pub(super) fn round(&self, exact: f32) -> f32 {
        let rounded = (f64::from(exact) * self.state.fineness).round() / self.state.fineness;
        number(rounded as f32)
    }

    /// The step to which coordinates are rounded.
    pub(super) fn grain(&self) -> f32 {
        (1.0 / self.state.fineness) as f32
    }

    /// The resource name of an object in this stream.
    pub(super) fn name(&mut self, kind: Kind, object: Ref) -> Vec<u8> {
        self.resources.0.insert((kind, object.get()));
        kind.name(object.get())
    }

    /// Applies a graphics state parameter dictionary.
    pub(super) fn graphics(&mut self, object: Ref) {
        let name = self.name(Kind::Graphics, object);
        self.content.set_parameters(Name(&name));
    }

    /// Draws a form or an image.
    pub(super) fn object(&mut self, object: Ref) {
        let name = self.name(Kind::Object, object);
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
        let name = self.name(Kind::Pattern, pattern);
        self.state.fill = None;
        self.content
            .set_fill_color_space(ColorSpaceOperand::Pattern)
            .set_fill_pattern([], Name(&name));
    }

    pub(super) fn stroke_pattern(&mut self, pattern: Ref) {
        let name = self.name(Kind::Pattern, pattern);
        self.state.stroke = None;
        self.content
            .set_stroke_color_space(ColorSpaceOperand::Pattern)
            .set_stroke_pattern([], Name(&name));
    }

    /// Sets the parameters of strokes. Call it between [`save`](Self::save) and [`restore`](Self::restore).
    pub(super) fn line(&mut self, stroke: &Stroke) {
        let width = stroke.width().get();
        // A line that is thinner than the rounding step must not vanish.
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
            // In SVG a dash of length 0 has square caps, in PDF it has none (8.4.3.3).
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

    /// Writes the stream as a form (8.10) with a transparency group (11.6.6) and the bounding box `within`. A luminosity
    /// mask needs a colour space of its own.
    pub(super) fn write_form(self, file: &mut File<'_>, id: Ref, within: Rect, space: &[u8]) {
        self.write_group(file, id, within, space, Transform::identity());
    }

    /// Writes the stream as a form that `place` transforms to the coordinates of the stream that uses it.
    pub(super) fn write_placed(self, file: &mut File<'_>, id: Ref, within: Rect, place: Transform) {
        self.write_group(file, id, within, b"DeviceRGB", place);
    }

    /// Writes the content as a form XObject with a transparency group (ISO 32000-1, 11.6.6).
    fn write_group(
        self,
        file: &mut File<'_>,
        id: Ref,
        within: Rect,
        space: &[u8],
        place: Transform,
    ) {
        let resources = self.resources;
        file.stream(id, &self.content.finish(), |stream| {
            stream.pair(Name(b"Type"), Name(b"XObject"));
            stream.pair(Name(b"Subtype"), Name(b"Form"));
            stream.pair(Name(b"BBox"), box_of(within));
            if !place.is_identity() {
                stream.insert(Name(b"Matrix")).array().items(row(place));
            }
            resources.write(stream);
            let mut group = stream.insert(Name(b"Group")).dict();
            group.pair(Name(b"S"), Name(b"Transparency"));
            group.pair(Name(b"I"), true);
            group.pair(Name(b"CS"), Name(space));
        });
    }

    /// Writes the stream as a tiling pattern (8.7.3). `matrix` transforms it to the coordinates of the stream that uses it.
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
            // Coloured tiles with constant spacing.
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

/// A transform in the notation of PDF.
pub(super) fn row(by: Transform) -> [f32; 6] {
    [by.sx, by.ky, by.kx, by.sy, by.tx, by.ty].map(number)
}

/// Limits a number to the range that all programs can read. Anything beyond is invisible anyway.
pub(super) fn number(number: f32) -> f32 {
    if number.is_nan() {
        return 0.0;
    }
    number.clamp(-1e9, 1e9)
}

fn box_of(rect: Rect) -> Box4 {
    let [left, top] = [rect.left(), rect.top()].map(number);
    Box4::new(left, top, number(rect.right()), number(rect.bottom()))
}

fn parts(colour: Color) -> [f32; 3] {
    [colour.red, colour.green, colour.blue].map(part)
}

/// A colour component from 0 to 1.
pub(super) fn part(byte: u8) -> f32 {
    ((f64::from(byte) / 255.0 * 10_000.0).round() / 10_000.0) as f32
}

/// The power of ten by which coordinates are multiplied for rounding, so that the error is invisible.
fn fineness(total: Transform) -> f64 {
    let (x, y) = total.get_scale();
    let scale = f64::from(x.max(y)).clamp(1e-6, 1e6);
    10_f64.powi((scale * 200.0).log10().ceil().clamp(0.0, 7.0) as i32)
}

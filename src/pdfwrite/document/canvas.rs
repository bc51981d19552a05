//! Content streams (ISO 32000-1, 8 and 9): operators for rectangles, borders, pictures and text, and the marked
//! content around them. Builds neither the structure tree of the document nor the file.

mod words;

use convertd_layout::{
    faces::FaceId,
    item::{Area, Dashes, Segment},
    structure::NodeId,
    units::points,
};
use convertd_tree::{Border, Colour, LineKind};
use pdf_writer::{
    Content, Finish, Name, Settings,
    types::{ArtifactSubtype, ArtifactType, LineCapStyle},
};

/// Artifacts: content that belongs to no structure element (ISO 32000-1, 14.8.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Artifact {
    /// Backgrounds, borders and the like.
    Layout,
    /// Page headers (pagination artifacts).
    Header,
    /// Page footers (pagination artifacts).
    Footer,
}

/// A content stream that is being written.
pub(super) struct Canvas {
    /// The operators so far.
    pub content: Content,
    /// Height of the page, in points. In PDF y increases upwards, in the layout downwards.
    height: f32,
    /// Owner of the marked-content sequence that is open, if there is one.
    pub open: Option<Open>,
    /// Fill colour that the stream has set, so that it is not set again. `None` if it is not known.
    colour: Option<Colour>,
    /// Font that the stream has set, and its size in points. `None` if it is not known.
    font: Option<(FaceId, f32)>,
    /// Rectangle that is not written yet, because the next one may continue it.
    pending: Option<(Area, Colour)>,
    /// Saved graphics states, each with the changes made in it. The innermost one has several if there are more changes
    /// than [`MAX_NESTED`].
    states: Vec<Vec<Change>>,
}

/// Limit on nested graphics states. PDF/A allows 28 (ISO 19005-2, 6.1.13); four remain for single items.
const MAX_NESTED: usize = 24;

/// Change of the graphics state that lasts until [`Canvas::end_moved`].
enum Change {
    /// Transformation matrix, in the coordinates of PDF.
    Moved([f32; 6]),
    /// Clipping to a rectangle.
    Cut(Area),
    /// Clipping to a path, with its offset to the right and down.
    Clipped(Vec<Segment>, f32, f32),
    /// Opacity, in hundredths.
    Faded(u8),
}

/// Owner of a marked-content sequence.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Open {
    /// A structure element.
    Node(NodeId),
    Artifact(Artifact),
}

/// Components of a colour from 0 to 1, rounded to thousandths.
fn parts(Colour(red, green, blue): Colour) -> [f32; 3] {
    [red, green, blue].map(|byte| (f32::from(byte) / 255.0 * 1000.0).round() / 1000.0)
}

/// Rounds to hundredths of a point, which are smaller than the dots of any printer.
pub(super) fn round(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}

impl Canvas {
    /// Creates an empty content stream for a page of this height in points.
    pub(super) fn new(height: f32) -> Self {
        Self {
            content: Content::with_settings(Settings { pretty: false }),
            height,
            open: None,
            colour: None,
            font: None,
            pending: None,
            states: Vec::new(),
        }
    }

    /// Ends the marked-content sequence that is open.
    pub(super) fn close(&mut self) {
        if self.open.take().is_some() {
            self.content.end_marked_content();
        }
    }

    /// Begins a marked-content sequence for an artifact, unless one of this kind is open.
    pub(crate) fn open_artifact(&mut self, artifact: Artifact) {
        if self.open == Some(Open::Artifact(artifact)) {
            return;
        }
        self.close();
        let mut marked = self
            .content
            .begin_marked_content_with_properties(Name(b"Artifact"));
        let mut properties = marked.properties().artifact();
        match artifact {
            Artifact::Layout => {
                properties.kind(ArtifactType::Layout);
            }
            Artifact::Header => {
                properties
                    .kind(ArtifactType::Pagination)
                    .subtype(ArtifactSubtype::Header);
            }
            Artifact::Footer => {
                properties
                    .kind(ArtifactType::Pagination)
                    .subtype(ArtifactSubtype::Footer);
            }
        }
        properties.finish();
        self.open = Some(Open::Artifact(artifact));
    }

    /// Forgets the current settings, because another graphics state begins or ends.
    fn forget(&mut self) {
        self.colour = None;
        self.font = None;
    }

    /// Sets the font, unless it is set already.
    fn set_font(&mut self, face: FaceId, size: f32) {
        let size = round(size);
        if self.font != Some((face, size)) {
            self.font = Some((face, size));
            self.content.set_font(Name(&font_name(face)), size);
        }
    }

    /// Sets the fill colour, unless it is set already.
    fn set_colour(&mut self, colour: Colour) {
        if self.colour == Some(colour) {
            return;
        }
        self.colour = Some(colour);
        let [red, green, blue] = parts(colour);
        self.content.set_fill_rgb(red, green, blue);
    }

    /// Fills a rectangle. If the rectangle lies directly below the last one, and has its colour and width, the last one
    /// is extended, because viewers show a fine gap between adjacent rectangles. An example is the background of
    /// consecutive lines.
    pub(super) fn fill(&mut self, area: Area, colour: Colour, artifact: Artifact) {
        if area.width <= 0.0 || area.height <= 0.0 {
            return;
        }
        if let Some((before, known)) = &mut self.pending
            && *known == colour
            && (before.x - area.x).abs() < 0.01
            && (before.width - area.width).abs() < 0.01
            && (before.y + before.height - area.y).abs() < 0.02
        {
            before.height += area.height;
            return;
        }
        self.flush();
        self.open_artifact(artifact);
        self.pending = Some((area, colour));
    }

    /// Writes the rectangle that [`Self::fill`] has stored in `pending`.
    pub(super) fn flush(&mut self) {
        let Some((area, colour)) = self.pending.take() else {
            return;
        };
        self.set_colour(colour);
        let y = self.height - area.y - area.height;
        self.content.rect(
            round(area.x),
            round(y),
            round(area.width),
            round(area.height),
        );
        self.content.fill_nonzero();
    }

    /// Transforms all drawing until [`end_moved`](Self::end_moved). The matrix is for coordinates from the upper left
    /// corner of the page.
    pub(crate) fn begin_moved(&mut self, [a, b, c, d, e, f]: [f32; 6]) {
        // The matrix is conjugated with the flip of y (y' = height - y) on both sides, which changes the signs below.
        let height = self.height;
        self.begin(Change::Moved([
            a,
            -b,
            -c,
            d,
            round(e + c * height),
            round(height - d * height - f),
        ]));
    }

    /// Clips all drawing to an area until [`end_moved`](Self::end_moved).
    pub(crate) fn begin_cut(&mut self, area: Area) {
        self.begin(Change::Cut(area));
    }

    /// Makes a change in a new graphics state. Beyond the limit, the innermost state is changed, and
    /// [`Self::end_moved`] rebuilds it.
    fn begin(&mut self, change: Change) {
        self.flush();
        self.close();
        self.forget();
        if self.states.len() < MAX_NESTED {
            self.content.save_state();
            self.states.push(Vec::new());
        }
        self.apply(&change);
        if let Some(state) = self.states.last_mut() {
            state.push(change);
        }
    }

    /// Writes a change of the graphics state.
    fn apply(&mut self, change: &Change) {
        match change {
            Change::Moved(matrix) => {
                self.content.transform(*matrix);
            }
            Change::Clipped(path, x, y) => {
                self.outline(path, *x, *y);
                self.content.clip_nonzero().end_path();
            }
            Change::Faded(hundredths) => {
                self.content.set_parameters(Name(&fade_name(*hundredths)));
            }
            Change::Cut(area) => {
                self.content.rect(
                    round(area.x),
                    round(self.height - area.y - area.height),
                    round(area.width),
                    round(area.height),
                );
                self.content.clip_nonzero().end_path();
            }
        }
    }

    /// Ends the last change. If the graphics state has earlier changes, they are made again in a new one, since PDF can
    /// only restore a whole state.
    pub(crate) fn end_moved(&mut self) {
        self.flush();
        self.close();
        self.forget();
        let Some(mut state) = self.states.pop() else {
            return;
        };
        state.pop();
        self.content.restore_state();
        if state.is_empty() {
            return;
        }
        self.content.save_state();
        for change in &state {
            self.apply(change);
        }
        self.states.push(state);
    }

    /// Writes a path. The layout measures y downwards from the top of the page, PDF upwards from the bottom.
    fn outline(&mut self, path: &[Segment], x: f32, y: f32) {
        let at = |point: (f32, f32)| (round(point.0 + x), round(self.height - point.1 - y));
        for segment in path {
            match *segment {
                Segment::Move(to) => {
                    let to = at(to);
                    self.content.move_to(to.0, to.1);
                }
                Segment::Line(to) => {
                    let to = at(to);
                    self.content.line_to(to.0, to.1);
                }
                Segment::Curve(one, other, to) => {
                    let (one, other, to) = (at(one), at(other), at(to));
                    self.content
                        .cubic_to(one.0, one.1, other.0, other.1, to.0, to.1);
                }
                Segment::Close => {
                    self.content.close_path();
                }
            }
        }
    }

    /// Fills a path by the even-odd rule.
    pub(super) fn path(
        &mut self,
        path: &[Segment],
        x: f32,
        y: f32,
        colour: Colour,
        artifact: Artifact,
    ) {
        self.flush();
        self.open_artifact(artifact);
        self.set_colour(colour);
        self.outline(path, x, y);
        self.content.fill_even_odd();
    }

    /// Clips all drawing to a path, until [`end_moved`](Self::end_moved).
    pub(crate) fn begin_clipped(&mut self, path: &[Segment], x: f32, y: f32) {
        self.begin(Change::Clipped(path.to_vec(), x, y));
    }

    /// Draws with this opacity, in hundredths, until [`end_moved`](Self::end_moved).
    pub(crate) fn begin_faded(&mut self, hundredths: u8) {
        self.begin(Change::Faded(hundredths));
    }

    /// Draws a border line. The two strokes of a double border are moved apart vertically if the line is horizontal,
    /// and otherwise horizontally.
    pub(super) fn line(
        &mut self,
        from: (f32, f32),
        to: (f32, f32),
        border: Border,
        artifact: Artifact,
    ) {
        self.flush();
        self.open_artifact(artifact);
        let width = points(border.width).clamp(0.1, 50.0);
        let [red, green, blue] = parts(border.colour.unwrap_or(Colour(0, 0, 0)));
        self.content.save_state();
        self.content.set_stroke_rgb(red, green, blue);
        let is_horizontal = from.1 == to.1;
        // Offset of each stroke across the line, in widths of the line.
        let strokes: &[f32] = match border.kind {
            LineKind::Solid => &[0.0],
            LineKind::Double => &[-1.0, 1.0],
            LineKind::Dashed => {
                self.content
                    .set_dash_pattern([3.0 * width, 2.0 * width], 0.0);
                &[0.0]
            }
            LineKind::Dotted => {
                // Dashes of length 0 with round ends are dots.
                self.content.set_line_cap(LineCapStyle::RoundCap);
                self.content.set_dash_pattern([0.0, 2.0 * width], 0.0);
                &[0.0]
            }
        };
        self.content.set_line_width(round(width));
        for shift in strokes {
            let shift = shift * width;
            let (dx, dy) = match is_horizontal {
                true => (0.0, shift),
                false => (shift, 0.0),
            };
            self.content
                .move_to(round(from.0 + dx), round(self.height - from.1 - dy));
            self.content
                .line_to(round(to.0 + dx), round(self.height - to.1 - dy));
            self.content.stroke();
        }
        self.content.restore_state();
    }

    /// Draws a line of dashes or dots.
    pub(super) fn dashes(&mut self, dashes: &Dashes, artifact: Artifact) {
        self.flush();
        self.open_artifact(artifact);
        let Dashes { from, to, .. } = *dashes;
        let [red, green, blue] = parts(dashes.colour);
        let content = &mut self.content;
        content.save_state();
        content.set_stroke_rgb(red, green, blue);
        content.set_line_width(round(dashes.width));
        // A dash of length 0 with round ends is a circle. The lengths are rounded to more digits than others, since the
        // errors would add up over a long line.
        let rounded = |length: f32| (length * 1e5).round() / 1e5;
        let mut inset = 0.0;
        if dashes.round {
            inset = dashes.dash / 2.0;
            content.set_line_cap(LineCapStyle::RoundCap);
            content.set_dash_pattern([0.0, rounded(dashes.dash + dashes.gap)], 0.0);
        } else if dashes.gap > 0.0 {
            content.set_dash_pattern([rounded(dashes.dash), rounded(dashes.gap)], 0.0);
        }
        let (dx, dy) = match from.1 == to.1 {
            true => (inset, 0.0),
            false => (0.0, inset),
        };
        content.move_to(round(from.0 + dx), round(self.height - from.1 - dy));
        content.line_to(round(to.0), round(self.height - to.1));
        content.stroke();
        content.restore_state();
    }

    /// Draws an image XObject, by its number among the resources. An image fills the unit square, which is scaled to
    /// the area.
    pub(super) fn picture(&mut self, area: Area, number: usize) {
        let y = self.height - area.y - area.height;
        self.content.save_state();
        self.content.transform([
            round(area.width),
            0.0,
            0.0,
            round(area.height),
            round(area.x),
            round(y),
        ]);
        self.content.x_object(Name(format!("P{number}").as_bytes()));
        self.content.restore_state();
    }
}

/// Resource name of an opacity.
pub(crate) fn fade_name(hundredths: u8) -> Vec<u8> {
    format!("O{hundredths}").into_bytes()
}

/// Resource name of a font.
pub(super) fn font_name(face: FaceId) -> Vec<u8> {
    format!("F{}", face.0).into_bytes()
}

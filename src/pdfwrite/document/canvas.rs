//! Content streams (ISO 32000-1, 8 and 9): operators for rectangles, borders, pictures and text, and the marked content around
//! them. Knows neither the structure of the document nor its file.

use super::file::width;
use crate::content::Glyphs;
use convertd_layout::{
    faces::FaceId,
    item::{Area, Dashes, Pen, Segment},
    structure::NodeId,
    units::points,
    word::Word,
};
use convertd_tree::{Border, Colour, LineKind};
use pdf_writer::{
    Content, Finish, Name, Settings, TextStr,
    types::{ArtifactSubtype, ArtifactType, LineCapStyle, TextRenderingMode},
};
use std::rc::Rc;

/// The slant of synthetic italics: the tangent of 12 degrees.
const SLANT: f32 = 0.2126;

/// The kinds of artifacts: content that belongs to no structure element (ISO 32000-1, 14.8.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Artifact {
    Layout,
    Header,
    Footer,
}

/// A content stream that is being written.
pub(super) struct Canvas {
    pub content: Content,
    height: f32,
    /// The owner of the marked-content sequence that is open.
    pub open: Option<Open>,
    colour: Option<Colour>,
    /// The font that is set, and its size.
    font: Option<(FaceId, f32)>,
    /// A rectangle that has not been written yet, because the next one may continue it.
    pending: Option<(Area, Colour)>,
    /// The saved graphics states that are open, each with the changes made in it: more than one beyond [`MOST_NESTED`].
    states: Vec<Vec<Change>>,
}

/// Limit on nested graphics states. PDF/A has 28 (ISO 19005-2, 6.1.13); the rest is for those of single items.
const MOST_NESTED: usize = 24;

/// A change of the graphics state that lasts until it is ended.
enum Change {
    /// A matrix of PDF.
    Moved([f32; 6]),
    Cut(Area),
    /// A path, with its offset to the right and down.
    Clipped(Vec<Segment>, f32, f32),
    /// Hundredths of opacity.
    Faded(u8),
}

/// The owner of a marked-content sequence.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Open {
    Node(NodeId),
    Artifact(Artifact),
}

/// The parts of a colour from 0 to 1, in thousandths.
fn parts(Colour(red, green, blue): Colour) -> [f32; 3] {
    [red, green, blue].map(|byte| (f32::from(byte) / 255.0 * 1000.0).round() / 1000.0)
}

/// Rounds to hundredths of a point, which are finer than the dots of any printer.
pub(super) fn round(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}

impl Canvas {
    /// An empty content stream for a page of this height in points.
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

    /// Begins a marked-content sequence for an artifact.
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

    /// Forgets the settings, since another graphics state begins.
    fn forget(&mut self) {
        self.colour = None;
        self.font = None;
    }

    fn set_font(&mut self, face: FaceId, size: f32) {
        let size = round(size);
        if self.font != Some((face, size)) {
            self.font = Some((face, size));
            self.content.set_font(Name(&font_name(face)), size);
        }
    }

    fn set_colour(&mut self, colour: Colour) {
        if self.colour == Some(colour) {
            return;
        }
        self.colour = Some(colour);
        let [red, green, blue] = parts(colour);
        self.content.set_fill_rgb(red, green, blue);
    }

    /// Fills a rectangle. Rectangles that continue one another, such as the backgrounds of the lines of a box, are filled as one,
    /// because viewers show a fine line between adjacent rectangles.
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

    /// Writes the rectangle that has not been written yet.
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

    /// Transforms all drawing until [`end_moved`](Self::end_moved). The matrix is for lengths from the upper left corner.
    pub(crate) fn begin_moved(&mut self, [a, b, c, d, e, f]: [f32; 6]) {
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

    /// Makes a change in a graphics state of its own, or beyond the limit in the innermost one.
    fn begin(&mut self, change: Change) {
        self.flush();
        self.close();
        self.forget();
        if self.states.len() < MOST_NESTED {
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

    /// Ends what [`begin_moved`](Self::begin_moved) or [`begin_cut`](Self::begin_cut) began. Earlier changes in the same graphics state are
    /// made once more.
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

    /// Writes a path. The layout counts y downwards from the top of the page, and PDF upwards from its bottom.
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

    /// Fills an outline.
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

    /// Lets nothing be seen outside of an outline, until [`end_moved`](Self::end_moved).
    pub(crate) fn begin_clipped(&mut self, path: &[Segment], x: f32, y: f32) {
        self.begin(Change::Clipped(path.to_vec(), x, y));
    }

    /// Draws with this opacity, in hundredths, until [`end_moved`](Self::end_moved).
    pub(crate) fn begin_faded(&mut self, hundredths: u8) {
        self.begin(Change::Faded(hundredths));
    }

    /// Draws a border.
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
        let (along, across) = if from.1 == to.1 {
            (true, 1.0)
        } else {
            (false, 1.0)
        };
        let strokes: &[(f32, f32)] = match border.kind {
            LineKind::Solid => &[(0.0, 1.0)],
            LineKind::Double => &[(-1.0, 1.0), (1.0, 1.0)],
            LineKind::Dashed => {
                self.content
                    .set_dash_pattern([3.0 * width, 2.0 * width], 0.0);
                &[(0.0, 1.0)]
            }
            LineKind::Dotted => {
                self.content.set_line_cap(LineCapStyle::RoundCap);
                self.content.set_dash_pattern([0.0, 2.0 * width], 0.0);
                &[(0.0, 1.0)]
            }
        };
        self.content.set_line_width(round(width * across));
        for (shift, _) in strokes {
            let shift = shift * width;
            let (dx, dy) = if along { (0.0, shift) } else { (shift, 0.0) };
            self.content
                .move_to(round(from.0 + dx), round(self.height - from.1 - dy));
            self.content
                .line_to(round(to.0 + dx), round(self.height - to.1 - dy));
            self.content.stroke();
        }
        self.content.restore_state();
    }

    /// Draws a row of dashes or dots.
    pub(super) fn dashes(&mut self, dashes: &Dashes, artifact: Artifact) {
        self.flush();
        self.open_artifact(artifact);
        let Dashes { from, to, .. } = *dashes;
        let [red, green, blue] = parts(dashes.colour);
        let content = &mut self.content;
        content.save_state();
        content.set_stroke_rgb(red, green, blue);
        content.set_line_width(round(dashes.width));
        // Without length, a dash with round ends is a circle. Rounded lengths would add up over a long row.
        let fine = |length: f32| (length * 1e5).round() / 1e5;
        let mut inset = 0.0;
        if dashes.round {
            inset = dashes.dash / 2.0;
            content.set_line_cap(LineCapStyle::RoundCap);
            content.set_dash_pattern([0.0, fine(dashes.dash + dashes.gap)], 0.0);
        } else if dashes.gap > 0.0 {
            content.set_dash_pattern([fine(dashes.dash), fine(dashes.gap)], 0.0);
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

    /// Draws a picture, by its number among the resources.
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

    /// Shows words on the base line `y`; their positions count from `x`.
    pub(super) fn text(&mut self, pen: Pen, x: f32, y: f32, words: &[(f32, Rc<Word>)]) {
        if words.iter().all(|(_, word)| word.glyphs.is_empty()) {
            return;
        }
        self.set_colour(pen.colour);
        let units = pen.units;
        let edged = pen.chosen.embolden || pen.outlined;
        if edged {
            let [red, green, blue] = parts(pen.colour);
            self.content.save_state();
            self.content.set_stroke_rgb(red, green, blue);
            self.content.set_line_width(round(pen.size / 32.0));
        }
        self.content.begin_text();
        if pen.chosen.embolden {
            self.content
                .set_text_rendering_mode(TextRenderingMode::FillStroke);
        }
        if pen.outlined {
            self.content
                .set_text_rendering_mode(TextRenderingMode::Stroke);
        }
        self.set_font(pen.chosen.face, pen.size);
        let start = words.first().map_or(0.0, |(at, _)| *at) + x;
        let base = round(self.height - y);
        match (pen.stretch == 1.0, pen.chosen.slant) {
            (true, false) => self.content.next_line(round(start), base),
            (_, slants) => {
                let slant = if slants { SLANT } else { 0.0 };
                let matrix = [pen.stretch, 0.0, slant, 1.0, round(start), base];
                self.content.set_text_matrix(matrix)
            }
        };
        let mut line = Shown {
            content: &mut self.content,
            glyphs: Glyphs::at(round(start)),
            unit: pen.unit(),
            // Adjustments and widths are drawn wider or narrower, too.
            size: pen.size * pen.stretch,
            height: pen.size / units,
            units,
            rise: 0,
        };
        for (at, word) in words {
            if word.opaque {
                line.show();
                let mut marked = line
                    .content
                    .begin_marked_content_with_properties(Name(b"Span"));
                marked.properties().actual_text(TextStr(&word.text));
                marked.finish();
            }
            line.word(at + x, word);
            if word.opaque {
                line.show();
                line.content.end_marked_content();
            }
        }
        line.show();
        self.content.end_text();
        if edged {
            self.content.restore_state();
            self.font = None;
        }
    }
}

/// The name of a degree of opacity in the resource dictionary.
pub(crate) fn fade_name(hundredths: u8) -> Vec<u8> {
    format!("O{hundredths}").into_bytes()
}

/// The name of a font in the resource dictionary.
pub(super) fn font_name(face: FaceId) -> Vec<u8> {
    format!("F{}", face.0).into_bytes()
}

/// A line of text while it is shown.
struct Shown<'c> {
    content: &'c mut Content,
    glyphs: Glyphs,
    /// A unit of the font, along the line and across it.
    unit: f32,
    height: f32,
    /// The font size along the line.
    size: f32,
    units: f32,
    /// The text rise that is set, in units of the font.
    rise: i16,
}

impl Shown<'_> {
    /// Shows the glyphs of a word. A glyph at another height needs a text rise of its own.
    fn word(&mut self, mut x: f32, word: &Word) {
        for glyph in &word.glyphs {
            if glyph.dy != self.rise {
                self.show();
                self.rise = glyph.dy;
                self.content
                    .set_rise(round(f32::from(glyph.dy) * self.height));
            }
            self.glyph(x + f32::from(glyph.dx) * self.unit, glyph.number, glyph.own);
            x += glyph.advance as f32 * self.unit;
        }
    }

    fn glyph(&mut self, x: f32, cid: u16, own: u16) {
        let off = self.glyphs.adjustment(x, self.size);
        self.glyphs
            .push(off, cid, width(own, self.units), self.size);
    }

    fn show(&mut self) {
        self.glyphs.show(self.content);
    }
}

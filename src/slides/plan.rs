//! Plans the page of a slide as layers: drawings (SVG), pictures, and text in rectangles. Does not break lines.
//!
//! The document layout sets the text; everything else is drawn. As many shapes as possible share a drawing: a new
//! drawing begins when a shape may cover a layer above the current drawing (text, a picture or a link), or when the
//! drawing or the number of these layers reaches a limit.

mod tables;

use super::{
    deck::{Body, Columns, Content, Deck, Frame, Picture, Role, Shape, Slide},
    pictures::Pictures,
    setting::{Setting, anchor},
};
use crate::{error::Result, job::Job};
use convertd_office::drawing::Place;
use convertd_office::{
    drawing::{Art, Crop, Fill, Geometry, Rgba, Shown},
    wordprocessing::{charts, losses},
};
use convertd_tree::{
    Alignment, Block, Builder, POINT, ResourceId, VerticalAlignment, losses::Losses,
};
use std::{collections::HashMap, rc::Rc};
pub(super) use tables::table_of;

/// Size of a drawing, in bytes, above which the next shape begins another drawing.
const MAX_ART: usize = 1 << 20;

/// Plan of a page.
#[derive(Default)]
pub(super) struct Page {
    /// Number of the slide, counted from 1.
    pub(super) number: usize,
    /// Whether one of the texts is the title.
    pub(super) titled: bool,
    /// Layers from back to front.
    pub(super) layers: Vec<Layer>,
    /// Speaker notes, if requested.
    pub(super) notes: Vec<Block>,
}

/// A layer of a page.
pub(super) enum Layer {
    /// A drawing with the size of the page.
    Art(ResourceId),
    /// A picture at its place on the page.
    Picture {
        id: ResourceId,
        place: Place,
        alternative: Box<str>,
    },
    /// Text in a rectangle of the page.
    Text(Rectangle),
    /// A clickable area.
    Link { place: Place, target: Box<str> },
}

/// Text in a rectangle. All lengths are in points.
pub(super) struct Rectangle {
    /// Text as paragraphs of a document.
    pub(super) blocks: Vec<Block>,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
    /// Fraction of the free height that lies above the text, from 0 to 1.
    pub(super) lowered: f32,
    /// Alignment of unwrapped lines. `None` if lines are wrapped.
    pub(super) unbroken: Option<Alignment>,
    /// Clockwise rotation about the centre, in degrees.
    pub(super) turn: f64,
    /// Columns of the text, with their distance in points.
    pub(super) columns: Columns,
}

impl Rectangle {
    /// Returns a rectangle at a place, with text from its upper left corner.
    fn at(place: Place, blocks: Vec<Block>) -> Self {
        Self {
            blocks,
            x: place.x / POINT,
            y: place.y / POINT,
            width: place.width / POINT,
            height: place.height / POINT,
            lowered: 0.0,
            unbroken: None,
            turn: 0.0,
            columns: Columns::default(),
        }
    }
}

/// Plans the pages of a deck.
pub(super) struct Plan<'d> {
    job: &'d Job<'d>,
    pub(super) deck: &'d mut dyn Deck,
    /// Contents that were left out.
    pub(super) losses: Losses,
    /// Picture files that the current slide needs for its drawings. `None` for pictures that are missing or that
    /// drawings cannot contain.
    pub(super) pictures: HashMap<Box<str>, Option<Rc<Vec<u8>>>>,
    /// Resources of the document.
    resources: Pictures,
}

/// Picture of a fill: its file, crop and opacity.
type Filling = (Rc<Vec<u8>>, Crop, f32);

/// A page during planning.
struct Draft {
    /// Current drawing.
    art: Art,
    /// Finished layers.
    layers: Vec<Layer>,
    /// Layers that lie above the current drawing, with their positions.
    above: Vec<(Layer, Place)>,
    setting: Setting,
}

impl<'d> Plan<'d> {
    pub(super) fn new(job: &'d Job<'d>, deck: &'d mut dyn Deck) -> Self {
        Self {
            job,
            deck,
            losses: Losses::default(),
            pictures: HashMap::new(),
            resources: Pictures::default(),
        }
    }

    /// Plans the page of a slide: the background, the frames of the master and the layout, and the frames of the
    /// slide.
    pub(super) fn page(
        &mut self,
        build: &mut Builder<'_>,
        slide: Slide,
        number: usize,
        with_notes: bool,
    ) -> Result<Page> {
        let (width, height) = self.deck.facts().size;
        let whole = Place {
            width: width.to_emu() as f64,
            height: height.to_emu() as f64,
            ..Place::default()
        };
        let mut draft = Draft {
            art: Art::new((whole.width / POINT, whole.height / POINT)),
            layers: Vec::new(),
            above: Vec::new(),
            setting: Setting {
                number,
                titled: false,
            },
        };
        // A white background needs no drawing.
        let is_white = slide.background == Fill::Solid(Rgba::opaque([255; 3]));
        if slide.background != Fill::None && !is_white {
            let outline = Geometry::Rectangle.outline(whole.width, whole.height);
            let picture = self.fill_picture(&slide.background)?;
            let shown = picture
                .as_ref()
                .and_then(|(bytes, crop, alpha)| Shown::of(bytes, *crop, *alpha));
            draft
                .art
                .paths(&whole, &outline.paths, &slide.background, None, shown);
        }
        for frames in &slide.master_frames {
            for frame in frames.iter() {
                self.frame(build, &mut draft, frame)?;
            }
        }
        for frame in &slide.frames {
            self.frame(build, &mut draft, frame)?;
        }
        draft.flush(build)?;
        let notes = match with_notes {
            true => draft.setting.blocks(build, &slide.notes, Role::Other)?,
            false => Vec::new(),
        };
        // Several shapes of a slide may share a picture, so the pictures are dropped only at the end of the slide.
        self.pictures.clear();
        Ok(Page {
            number,
            titled: draft.setting.titled,
            layers: draft.layers,
            notes,
        })
    }

    /// Adds a frame to the page, and above it a clickable area for its link. Frames without a place are left out, but
    /// not the frames in a group without a place.
    fn frame(&mut self, build: &mut Builder<'_>, draft: &mut Draft, frame: &Frame) -> Result<()> {
        if let Content::Group(frames) = &frame.content {
            // The links of the frames in the group are above that of the group.
            if let Some(place) = frame.place {
                add_link(build, draft, frame, place)?;
            }
            for frame in frames {
                self.frame(build, draft, frame)?;
            }
            return Ok(());
        }
        let Some(place) = frame.place else {
            return Ok(());
        };
        match &frame.content {
            Content::Group(_) => {}
            Content::Shape(shape) => self.shape(build, draft, frame, shape, place)?,
            Content::Picture(picture) => self.picture(build, draft, frame, picture, place)?,
            Content::Table(table) => {
                let blocks = self.table(build, draft, table)?;
                let place = Place {
                    width: place.width.max(table.columns.iter().sum()),
                    ..place
                };
                let layer = Layer::Text(Rectangle::at(place, blocks));
                draft.put(build, layer, place)?;
            }
            Content::Chart(charted) => {
                let chart = &charted.chart;
                if let Some(drawing) = charted.draw(&place) {
                    let alternative = Some(&*frame.alternative).filter(|words| !words.is_empty());
                    let layer = Layer::Picture {
                        id: build.resource(drawing, "", Some(charts::DRAWING))?,
                        place,
                        alternative: charts::alternative(chart, alternative),
                    };
                    draft.put(build, layer, place)?;
                    return add_link(build, draft, frame, place);
                }
                // A chart that cannot be drawn becomes a table, if it has values.
                let table = table_of(chart, place);
                if table.rows.is_empty() {
                    self.losses.add(&losses::DRAWINGS);
                    return Ok(());
                }
                self.losses.add(&charts::TABLES);
                let blocks = self.table(build, draft, &table)?;
                let layer = Layer::Text(Rectangle::at(place, blocks));
                draft.put(build, layer, place)?;
            }
        }
        add_link(build, draft, frame, place)
    }

    /// Adds a shape: its fill and line to the drawing, and its text above. The text turns with the shape.
    fn shape(
        &mut self,
        build: &mut Builder<'_>,
        draft: &mut Draft,
        frame: &Frame,
        shape: &Shape,
        place: Place,
    ) -> Result<()> {
        let outline = shape.geometry.outline(place.width, place.height);
        if shape.fill != Fill::None || shape.line.is_some() {
            draft.flush_if_covered(build, place)?;
            let picture = self.fill_picture(&shape.fill)?;
            let shown = picture
                .as_ref()
                .and_then(|(bytes, crop, alpha)| Shown::of(bytes, *crop, *alpha));
            let line = shape.line.as_ref();
            draft
                .art
                .paths(&place, &outline.paths, &shape.fill, line, shown);
        }
        let Some(text) = shape.text.as_ref().filter(|text| !text.is_blank()) else {
            return Ok(());
        };
        let blocks = draft.setting.blocks(build, &text.paragraphs, frame.role)?;
        let rectangle = rectangle(text, place, outline.text, blocks);
        draft.put(build, Layer::Text(rectangle), place)
    }

    /// Adds a picture. If it is cropped, rotated or flipped, it becomes part of the drawing, otherwise a layer of its
    /// own.
    fn picture(
        &mut self,
        build: &mut Builder<'_>,
        draft: &mut Draft,
        frame: &Frame,
        picture: &Picture,
        place: Place,
    ) -> Result<()> {
        let plain =
            picture.crop == Crop::default() && place.turn == 0.0 && place.flips == (false, false);
        if plain {
            match self.resources.read(build, self.deck, &picture.name)? {
                Some(id) => {
                    let layer = Layer::Picture {
                        id,
                        place,
                        alternative: frame.alternative.clone(),
                    };
                    draft.put(build, layer, place)?;
                }
                None => self.losses.add(&losses::MISSING),
            }
        } else if let Some(bytes) = self.bytes(&picture.name)? {
            draft.flush_if_covered(build, place)?;
            if let Some(shown) = Shown::of(&bytes, picture.crop, 1.0) {
                draft.art.picture(&place, &shown);
            }
        } else {
            self.losses.add(&losses::MISSING);
        }
        if picture.line.is_some() {
            draft.flush_if_covered(build, place)?;
            let outline = Geometry::Rectangle.outline(place.width, place.height);
            let line = picture.line.as_ref();
            draft
                .art
                .paths(&place, &outline.paths, &Fill::None, line, None);
        }
        Ok(())
    }

    /// Returns the picture of a fill. `None` for other fills, and for pictures that [`Plan::bytes`] cannot read.
    fn fill_picture(&mut self, fill: &Fill) -> Result<Option<Filling>> {
        let Fill::Picture(picture) = fill else {
            return Ok(None);
        };
        let bytes = self.bytes(&picture.id)?;
        Ok(bytes.map(|bytes| (bytes, picture.crop, picture.alpha)))
    }

    /// Reads a picture for a drawing. Metafiles are converted to a format that drawings can contain. `None` if the
    /// deck lacks the picture, or if it is a metafile that cannot be converted.
    fn bytes(&mut self, name: &str) -> Result<Option<Rc<Vec<u8>>>> {
        if let Some(known) = self.pictures.get(name) {
            return Ok(known.clone());
        }
        let bytes = match self.deck.picture(name)? {
            Some(bytes) => convertd_metafile::replaced(self.job, bytes)?,
            None => None,
        };
        let bytes = bytes.map(Rc::new);
        self.pictures.insert(name.into(), bytes.clone());
        Ok(bytes)
    }
}

/// Returns the rectangle for the text of a shape. `inner` is the text area of its outline.
fn rectangle(text: &Body, place: Place, inner: [f64; 4], blocks: Vec<Block>) -> Rectangle {
    let [left, top, right, bottom] = inner;
    let insets = text.insets;
    // Flipping a shape vertically turns its text upside down. Flipping it horizontally does not affect the text.
    let flipped = if place.flips.1 { 180.0 } else { 0.0 };
    let turn = (place.turn + text.turn + flipped).rem_euclid(360.0);
    let (mut width, mut height) = ((right - left).max(0.0), (bottom - top).max(0.0));
    let (centre_x, centre_y) = (
        place.x + (left + right) / 2.0,
        place.y + (top + bottom) / 2.0,
    );
    // The width and height of vertical text are exchanged.
    if matches!(text.turn, 90.0 | 270.0) {
        (width, height) = (height, width);
    }
    let [inset_left, inset_top, inset_right, inset_bottom] = insets;
    let x = centre_x - width / 2.0 + inset_left;
    let y = centre_y - height / 2.0 + inset_top;
    let first = text
        .paragraphs
        .iter()
        .find(|paragraph| !paragraph.is_blank());
    let alignment = first.and_then(|paragraph| paragraph.alignment);
    Rectangle {
        blocks,
        x: x / POINT,
        y: y / POINT,
        width: (width - inset_left - inset_right).max(0.0) / POINT,
        height: (height - inset_top - inset_bottom).max(0.0) / POINT,
        lowered: match text.anchor {
            Some(VerticalAlignment::Middle) => 0.5,
            Some(VerticalAlignment::Bottom) => 1.0,
            Some(VerticalAlignment::Top) | None => 0.0,
        },
        unbroken: (!text.wraps).then_some(alignment.unwrap_or(Alignment::Start)),
        turn,
        columns: Columns {
            gap: text.columns.gap / POINT,
            ..text.columns
        },
    }
}

impl Draft {
    /// Begins a new drawing if a shape at `place` may cover a layer above the current drawing, or if the current
    /// drawing is longer than [`MAX_ART`].
    fn flush_if_covered(&mut self, build: &mut Builder<'_>, place: Place) -> Result<()> {
        let covers = self
            .above
            .iter()
            .any(|(_, other)| may_overlap(&place, other));
        if covers || self.art.len() > MAX_ART {
            self.flush(build)?;
        }
        Ok(())
    }

    /// Adds a layer above the current drawing, and ends the drawing if it has too many layers above it.
    fn put(&mut self, build: &mut Builder<'_>, layer: Layer, place: Place) -> Result<()> {
        // Limit on the list of layers, which is searched for each shape.
        const MAX: usize = 200;
        self.above.push((layer, place));
        if self.above.len() >= MAX {
            self.flush(build)?;
        }
        Ok(())
    }

    /// Ends the current drawing, and moves the layers above it to the finished layers.
    fn flush(&mut self, build: &mut Builder<'_>) -> Result<()> {
        if let Some(art) = self.art.take() {
            let id = build.resource(art, "", Some("image/svg+xml"))?;
            self.layers.push(Layer::Art(id));
        }
        self.layers
            .extend(self.above.drain(..).map(|(layer, _)| layer));
        Ok(())
    }
}

/// Adds a clickable area for the link of a frame, if it has one.
fn add_link(build: &mut Builder<'_>, draft: &mut Draft, frame: &Frame, place: Place) -> Result<()> {
    let Some(link) = &frame.link else {
        return Ok(());
    };
    let target = match link.strip_prefix('#') {
        Some(number) => format!("#{}", anchor(number.parse().unwrap_or(0))).into(),
        None => link.clone(),
    };
    draft.put(build, Layer::Link { place, target }, place)
}

/// Returns whether two places may overlap. A rotated place counts as the square that contains it at any angle.
fn may_overlap(one: &Place, other: &Place) -> bool {
    let bounds = |place: &Place| {
        let (width, height) = match place.turn == 0.0 {
            true => (place.width, place.height),
            false => {
                let side = place.width.hypot(place.height);
                (side, side)
            }
        };
        let (x, y) = place.middle();
        [
            x - width / 2.0,
            y - height / 2.0,
            x + width / 2.0,
            y + height / 2.0,
        ]
    };
    let (one, other) = (bounds(one), bounds(other));
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}

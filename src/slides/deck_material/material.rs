//! Collects the pictures and the designs of a deck.

use crate::{
    deck::{Bullet, Content, Deck, Frame, Paragraph, Place, Slide},
    error::{Error, Kind, Result},
    job::{Job, Notes, Progress, Unit},
    losses::HIDDEN,
    options,
    pictures::Pictures,
};
use convertd_office::{
    drawing::{Crop, Fill},
    wordprocessing::{charts, losses},
};
use convertd_tree::{
    Builder, Document, Length, Node, ParagraphStyleId, Picture, PictureSource, ResourceId,
    losses::{Loss, Losses},
};
use std::{collections::HashMap, rc::Rc};

/// Pictures and designs that the slides of a deck share.
pub(crate) struct Material {
    /// Document that contains the pictures. Its content shows each picture in every size that the slides need.
    pub(crate) document: Document,
    /// Designs, in the order of their first use.
    pub(crate) designs: Vec<Design>,
    /// Indexes of the slides that are written, in ascending order.
    pub(crate) slides: Vec<usize>,
    /// Whether a slide has speaker notes, for each slide that is written.
    pub(crate) noted: Vec<bool>,
    /// Whether the options state a title, which replaces the title of the deck.
    pub(crate) renamed: bool,
    /// Pictures of the deck.
    pictures: Pictures,
    /// Drawings of charts, by the sheet and the number of the chart on the sheet, counted from 0.
    charts: HashMap<(Sheet, usize), ResourceId>,
}

/// A slide, or a design that slides share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sheet {
    /// Index of a design.
    Design(usize),
    /// Index of a slide in the deck.
    Slide(usize),
}

/// Frames that slides can share, and show behind their own frames: those of a master and a layout, from back to front.
pub(crate) struct Design {
    pub(crate) frames: Vec<Rc<Vec<Frame>>>,
}

impl Design {
    /// Returns whether these frames are the same objects in memory, and not only equal.
    fn has_same_frames(&self, frames: &[Rc<Vec<Frame>>]) -> bool {
        self.frames.len() == frames.len()
            && self
                .frames
                .iter()
                .zip(frames)
                .all(|(one, other)| Rc::ptr_eq(one, other))
    }
}

static CHARTS: Loss = Loss {
    one: "A chart became a picture.",
    many: "{} charts became pictures.",
};

/// Limit on the number of designs. A slide with a further design contains the frames of the design itself.
const MAX_DESIGNS: usize = 200;

impl Material {
    /// Reads all slides of a deck.
    pub(super) fn gather(job: &Job<'_>, deck: &mut dyn Deck, notes: &mut Notes) -> Result<Self> {
        let mut build = Builder::new(job);
        build.metadata = deck.facts().metadata.clone();
        let omits_hidden = options::omits_hidden(job.options());
        let all = deck.facts().slides;
        let mut gatherer = Gatherer {
            deck,
            pictures: Pictures::default(),
            charts: HashMap::new(),
            losses: Losses::default(),
        };
        let (mut slides, mut noted, mut designs) = (Vec::new(), Vec::new(), Vec::<Design>::new());
        for number in 0..all {
            job.check()?;
            job.progress(Progress {
                done: number as u64,
                total: 2 * all as u64,
                unit: Unit::Pages,
            });
            let slide = gatherer.deck.slide(number)?;
            if slide.hidden && omits_hidden {
                gatherer.losses.add(&HIDDEN);
                continue;
            }
            slides.push(number);
            noted.push(slide.notes.iter().any(|paragraph| !paragraph.is_blank()));
            let mut is_known = designs
                .iter()
                .any(|known| known.has_same_frames(&slide.master_frames));
            if !is_known && designs.len() < MAX_DESIGNS {
                let sheet = Sheet::Design(designs.len());
                // Charts are counted through all frames of the design.
                let mut charts = 0;
                for frames in &slide.master_frames {
                    gatherer.frames(&mut build, sheet, &mut charts, frames)?;
                }
                designs.push(Design {
                    frames: slide.master_frames.clone(),
                });
                is_known = true;
            }
            gatherer.slide(&mut build, number, &slide, is_known)?;
        }
        if slides.is_empty() {
            return Err(Error::new(
                Kind::BadInput,
                match all {
                    0 => "the presentation has no slides",
                    _ => "all slides of the presentation are hidden; `hidden=keep` keeps them",
                },
            ));
        }
        gatherer.losses.add_notes(notes);
        let Gatherer {
            pictures, charts, ..
        } = gatherer;
        Ok(Self {
            document: build.finish(notes)?,
            designs,
            slides,
            noted,
            renamed: job
                .options()
                .word(convertd_tree::options::TITLE.name)
                .is_some(),
            pictures,
            charts,
        })
    }

    /// Returns the index of a slide's design. `None` for a design beyond [`MAX_DESIGNS`].
    pub(crate) fn design(&self, slide: &Slide) -> Option<usize> {
        self.designs
            .iter()
            .position(|known| known.has_same_frames(&slide.master_frames))
    }

    /// Returns the picture with this name in the deck. `None` if the deck lacks it.
    pub(crate) fn picture(&self, name: &str) -> Option<ResourceId> {
        self.pictures.get(name)
    }

    /// Returns the drawing of the chart with this number on a sheet. `None` if the chart cannot be drawn.
    pub(crate) fn chart(&self, sheet: Sheet, number: usize) -> Option<ResourceId> {
        self.charts.get(&(sheet, number)).copied()
    }

    /// Returns the position, among the slides that are written, of the slide with this number in the deck (from 1).
    pub(crate) fn written(&self, number: usize) -> Option<usize> {
        let index = number.checked_sub(1)?;
        self.slides.binary_search(&index).ok()
    }
}

/// First pass over a deck, which collects the pictures.
struct Gatherer<'d> {
    deck: &'d mut dyn Deck,
    pictures: Pictures,
    charts: HashMap<(Sheet, usize), ResourceId>,
    losses: Losses,
}

impl Gatherer<'_> {
    /// Adds the pictures of a slide. The pictures of its design are added separately, unless the slide contains the
    /// frames of the design itself, before its own frames.
    fn slide(
        &mut self,
        build: &mut Builder<'_>,
        number: usize,
        slide: &Slide,
        has_design: bool,
    ) -> Result<()> {
        let (width, height) = self.deck.facts().size;
        let whole = Place {
            width: width.to_emu() as f64,
            height: height.to_emu() as f64,
            ..Place::default()
        };
        self.fill(build, &slide.background, &whole)?;
        let (sheet, mut charts) = (Sheet::Slide(number), 0);
        if !has_design {
            for frames in &slide.master_frames {
                self.frames(build, sheet, &mut charts, frames)?;
            }
        }
        self.frames(build, sheet, &mut charts, &slide.frames)?;
        self.add_bullet_pictures(build, &slide.notes)
    }

    /// Adds the pictures of frames. `charts` is the number of charts on the sheet so far.
    fn frames(
        &mut self,
        build: &mut Builder<'_>,
        sheet: Sheet,
        charts: &mut usize,
        frames: &[Frame],
    ) -> Result<()> {
        for frame in frames {
            let place = frame.place.unwrap_or_default();
            match &frame.content {
                Content::Group(frames) => self.frames(build, sheet, charts, frames)?,
                Content::Shape(shape) => {
                    self.fill(build, &shape.fill, &place)?;
                    if let Some(text) = &shape.text {
                        self.add_bullet_pictures(build, &text.paragraphs)?;
                    }
                }
                Content::Picture(picture) => {
                    self.picture(build, &picture.name, picture.crop, &place)?;
                }
                Content::Table(table) => {
                    for cell in table.rows.iter().flat_map(|row| &row.cells) {
                        self.fill(build, &cell.fill, &place)?;
                        self.add_bullet_pictures(build, &cell.text.paragraphs)?;
                    }
                }
                Content::Chart(chart) => {
                    if let Some(drawing) = chart.draw(&place) {
                        let id = build.resource(drawing, "", Some(charts::DRAWING))?;
                        add_picture(build, id, place.width, place.height)?;
                        self.charts.insert((sheet, *charts), id);
                        self.losses.add(&CHARTS);
                    }
                    *charts += 1;
                }
            }
        }
        Ok(())
    }

    /// Adds the picture of a fill.
    fn fill(&mut self, build: &mut Builder<'_>, fill: &Fill, place: &Place) -> Result<()> {
        match fill {
            Fill::Picture(picture) => self.picture(build, &picture.id, picture.crop, place),
            _ => Ok(()),
        }
    }

    /// Adds the pictures of bullets. The height of a line is not known, so each is taken to be one inch high.
    fn add_bullet_pictures(
        &mut self,
        build: &mut Builder<'_>,
        paragraphs: &[Paragraph],
    ) -> Result<()> {
        /// Side of a bullet in English Metric Units: one inch, more than the height of most lines.
        const SIDE: f64 = 914_400.0;
        let place = Place {
            width: SIDE,
            height: SIDE,
            ..Place::default()
        };
        for paragraph in paragraphs {
            if let Bullet::Picture(name) = &paragraph.bullet {
                self.picture(build, name, Crop::default(), &place)?;
            }
        }
        Ok(())
    }

    /// Adds a picture, and the size at which it is shown. The whole of a cropped picture is larger than its frame.
    fn picture(
        &mut self,
        build: &mut Builder<'_>,
        name: &str,
        crop: Crop,
        place: &Place,
    ) -> Result<()> {
        let Some(id) = self.pictures.read(build, self.deck, name)? else {
            self.losses.add(&losses::MISSING);
            return Ok(());
        };
        let whole = |side: f64, cut: f64| side / (1.0 - cut).max(0.01);
        add_picture(
            build,
            id,
            whole(place.width, crop.left + crop.right),
            whole(place.height, crop.top + crop.bottom),
        )
    }
}

/// Adds a paragraph with a picture of this size, in English Metric Units.
fn add_picture(build: &mut Builder<'_>, id: ResourceId, width: f64, height: f64) -> Result<()> {
    let side = |side: f64| Some(Length::emu(side as i64)).filter(|side| *side > Length::ZERO);
    build.open(Node::Paragraph(ParagraphStyleId::DEFAULT))?;
    build.picture(Picture {
        source: PictureSource::Resource(id),
        alternative: Box::default(),
        title: Box::default(),
        width: side(width),
        height: side(height),
        frame: None,
    })?;
    build.close()
}

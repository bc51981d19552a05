//! Converts a deck to a document: each slide becomes a heading, followed by the content of the slide in reading
//! order. Positions are dropped.

use super::{
    deck::{Charted, Content, Deck, Frame, Picture, Role, Slide},
    losses::HIDDEN,
    options, order,
    pictures::Pictures,
    words::Words,
};
use crate::{
    error::Result,
    job::{Job, Notes, Progress, Unit},
};
use convertd_office::drawing::Place;
use convertd_office::{
    drawing::Fill,
    wordprocessing::{charts, losses},
};
use convertd_tree::{
    Builder, CellShape, Column, Document, Length, Node, ParagraphStyleId, Part, PictureSource,
    Width, losses::Losses,
};

/// Converts the slides to a document. Hidden slides are left out unless the option keeps them.
///
/// Errors: those of [`Deck::slide`].
pub(super) fn read(job: &Job<'_>, deck: &mut dyn Deck, notes: &mut Notes) -> Result<Document> {
    let mut build = Builder::new(job);
    build.metadata = deck.facts().metadata.clone();
    let keeps_hidden = options::keeps_hidden(job.options());
    let slides = deck.facts().slides;
    let mut outline = Outline {
        deck,
        pictures: Pictures::default(),
        losses: Losses::default(),
        words: Words::default(),
        draws: charts::shows_drawings(job),
    };
    for number in 0..slides {
        job.check()?;
        job.progress(Progress {
            done: number as u64,
            total: slides as u64,
            unit: Unit::Pages,
        });
        let slide = outline.deck.slide(number)?;
        if slide.hidden && !keeps_hidden {
            outline.losses.add(&HIDDEN);
            continue;
        }
        outline.slide(&mut build, slide, number + 1)?;
    }
    let document = build.finish(notes)?;
    outline.losses.add_notes(notes);
    Ok(document)
}

/// Converter of slides.
struct Outline<'d> {
    deck: &'d mut dyn Deck,
    /// Resources of the document.
    pictures: Pictures,
    losses: Losses,
    /// Converter of the text.
    words: Words,
    /// Whether the target shows drawings.
    draws: bool,
}

impl Outline<'_> {
    /// Adds a slide: the title as a heading, then the frames in reading order, then the speaker notes as a quotation.
    /// For a slide without a title, the heading is the number of the slide.
    fn slide(&mut self, build: &mut Builder<'_>, slide: Slide, number: usize) -> Result<()> {
        self.words.number = number;
        let (title, frames) = order::of_reading(slide.frames);
        build.open(Node::Heading {
            level: 1,
            id: None,
            label: None,
            style: ParagraphStyleId::DEFAULT,
        })?;
        match &title {
            Some(title) => self.words.heading(build, title)?,
            None => build.text(&format!("Slide {number}"))?,
        }
        build.close()?;
        for frame in &frames {
            self.frame(build, frame)?;
        }
        if slide.notes.iter().any(|paragraph| !paragraph.is_blank()) {
            build.open(Node::Quote)?;
            self.words.paragraphs(build, &slide.notes, false)?;
            build.close()?;
        }
        Ok(())
    }

    /// Adds the content of a frame. Date, footer and slide number are left out.
    fn frame(&mut self, build: &mut Builder<'_>, frame: &Frame) -> Result<()> {
        if frame.role == Role::Furniture {
            return Ok(());
        }
        match &frame.content {
            Content::Group(frames) => {
                for frame in frames {
                    self.frame(build, frame)?;
                }
            }
            Content::Shape(shape) => {
                if let Fill::Picture(fill) = &shape.fill {
                    self.picture(build, frame, &fill.id)?;
                }
                if let Some(text) = &shape.text {
                    self.words.link = frame.link.as_deref().map(Into::into);
                    self.words.paragraphs(build, &text.paragraphs, false)?;
                    self.words.link = None;
                }
            }
            Content::Picture(picture) => {
                let Picture { name, .. } = &**picture;
                self.picture(build, frame, name)?;
            }
            Content::Table(table) => {
                let whole: f64 = table.columns.iter().sum();
                let columns = table.columns.iter().map(|width| Column {
                    width: (whole > 0.0).then(|| Width::Share((width / whole) as f32)),
                    alignment: None,
                });
                build.open(Node::Table {
                    columns: columns.collect(),
                    width: None,
                    alignment: None,
                })?;
                for (nth, row) in table.rows.iter().enumerate() {
                    let heads = nth == 0 && table.headed;
                    build.open(Node::Row {
                        part: if heads { Part::Head } else { Part::Body },
                        height: None,
                    })?;
                    for cell in row.cells.iter().filter(|cell| cell.spans.0 > 0) {
                        let first = cell.text.paragraphs.first();
                        build.open(Node::Cell(CellShape {
                            rows: cell.spans.0,
                            columns: cell.spans.1,
                            heading: heads,
                            alignment: first.and_then(|first| first.alignment),
                            ..CellShape::default()
                        }))?;
                        self.words.paragraphs(build, &cell.text.paragraphs, heads)?;
                        build.close()?;
                    }
                    build.close()?;
                }
                build.close()?;
            }
            Content::Chart(chart) => self.chart(build, frame, chart)?,
        }
        Ok(())
    }

    /// Adds a picture. Pictures from the same file share a resource.
    fn picture(&mut self, build: &mut Builder<'_>, frame: &Frame, name: &str) -> Result<()> {
        let Some(id) = self.pictures.read(build, self.deck, name)? else {
            self.losses.add(&losses::MISSING);
            return Ok(());
        };
        let side = |side: fn(&Place) -> f64| {
            let side = frame.place.as_ref().map(side)?;
            Some(Length::emu(side as i64)).filter(|side| *side > Length::ZERO)
        };
        let picture = convertd_tree::Picture {
            source: PictureSource::Resource(id),
            alternative: frame.alternative.clone(),
            title: Box::default(),
            width: side(|place| place.width),
            height: side(|place| place.height),
            frame: None,
        };
        self.words.picture(build, picture, frame.link.as_deref())
    }

    /// Adds a chart: a drawing if the target shows drawings, the frame has a place and the chart can be drawn;
    /// otherwise a table of the values.
    fn chart(&mut self, build: &mut Builder<'_>, frame: &Frame, charted: &Charted) -> Result<()> {
        let Charted { chart, .. } = charted;
        let alternative = Some(&*frame.alternative).filter(|words| !words.is_empty());
        if self.draws
            && let Some(place) = &frame.place
            && let Some(drawing) = charted.draw(place)
        {
            let picture = convertd_tree::Picture {
                source: PictureSource::Resource(build.resource(
                    drawing,
                    "",
                    Some(charts::DRAWING),
                )?),
                alternative: charts::alternative(chart, alternative),
                title: Box::default(),
                width: Some(Length::emu(place.width as i64)),
                height: Some(Length::emu(place.height as i64)),
                frame: None,
            };
            return self.words.picture(build, picture, frame.link.as_deref());
        }
        self.losses.add(charts::table(build, chart, alternative)?);
        Ok(())
    }
}

//! Opens a presentation, and reads a slide on demand. [`Frames`] reads the objects on the slide.

use super::{
    frames::Frames,
    looks::{self, Looks},
};
use crate::{
    containers::iwa::{Message, Objects},
    deck::{Deck, Facts, Frame, Slide},
    error::Result,
    job::{Input, Job, Lease, Notes},
};
use convertd_office::iwork::Media;
use convertd_tree::{Length, losses::Losses};
use std::{collections::HashMap, rc::Rc};

/// Archive types of the objects.
mod kind {
    pub(super) const DOCUMENT: u64 = 1;
    pub(super) const SHOW: u64 = 2;
    pub(super) const NODE: u64 = 4;
    /// Archive types of a slide, and of a template of slides.
    pub(super) const SLIDES: &[u64] = &[5, 6];
    pub(super) const NOTE: u64 = 15;
}

/// Limit on the number of slides.
const MAX_SLIDES: usize = 10_000;

/// Limit on the depth of the tree of slides.
const MAX_DEPTH: usize = 32;

/// Limit on the number of templates whose frames are cached.
const MAX_TEMPLATES: usize = 1000;

/// Memory of a node of the tree of slides that is still to be visited, in bytes.
const NODE: u64 = 64;

/// The parts of an open file, which all slides share.
struct Source<'a> {
    job: &'a Job<'a>,
    objects: Objects<'a>,
    media: Media<'a>,
}

impl<'a> Source<'a> {
    /// Creates a reader for one slide. The lease grows with the content of the slide.
    fn reader<'f, 'o>(
        &'o self,
        lease: &'o Lease<'o>,
        losses: &'f mut Losses,
    ) -> Frames<'f, 'a, 'o> {
        Frames {
            media: &self.media,
            looks: Looks::new(self.job, &self.objects, lease),
            losses,
        }
    }
}

/// An open presentation.
struct Key<'a> {
    source: Source<'a>,
    facts: Facts,
    /// Numbers of the slides, and whether each is skipped.
    slides: Vec<(u64, bool)>,
    templates: Templates<'a>,
    losses: Losses,
    /// Memory of the current slide.
    current: Lease<'a>,
    /// Memory of the picture that was read last.
    picture: Lease<'a>,
}

/// Templates that slides have used, by their numbers.
#[derive(Default)]
struct Templates<'a>(HashMap<u64, Template<'a>>);

/// The frames of a template, and their memory.
struct Template<'a> {
    frames: Rc<Vec<Frame>>,
    _lease: Lease<'a>,
}

/// Opens a file.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if it is not a presentation, is damaged or is encrypted.
pub(super) fn open<'a>(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Box<dyn Deck + 'a>> {
    let objects = Objects::read(job, input)?;
    let media = Media::open(job, input, &objects)?;
    let show = || {
        let (_, document) = objects.first(kind::DOCUMENT)?;
        objects.of(document.reference(2), &[kind::SHOW])
    };
    let Some(show) = show() else {
        return Err(job.unreadable("its root object, which refers to all others, is missing"));
    };
    let slides = slides(job, &objects, show)?;
    if slides.is_empty() {
        return Err(job.unreadable("it has no slides"));
    }
    let side = |field: u32, default: f64| {
        let side = show.message(4).and_then(|size| size.single(field));
        // PowerPoint allows sides from 1 to 56 inches.
        Length::points(side.unwrap_or(default).clamp(72.0, 4032.0))
    };
    let facts = Facts {
        size: (side(1, 1024.0), side(2, 768.0)),
        slides: slides.len(),
        ..Facts::default()
    };
    Ok(Box::new(Key {
        source: Source {
            job,
            objects,
            media,
        },
        facts,
        slides,
        templates: Templates::default(),
        losses: Losses::default(),
        current: job.empty_lease(),
        picture: job.empty_lease(),
    }))
}

/// Returns the slides in the order of the show. Since 2014, files contain a list of slides; older files contain a
/// tree.
fn slides(job: &Job<'_>, objects: &Objects<'_>, show: Message<'_>) -> Result<Vec<(u64, bool)>> {
    let Some(tree) = show.message(3) else {
        return Ok(Vec::new());
    };
    let mut slides = Vec::new();
    let mut add = |node: Message<'_>| {
        let slide = node.reference(2);
        let slide = slide.filter(|slide| is_slide(objects, *slide));
        if slides.len() < MAX_SLIDES {
            slides.extend(slide.map(|slide| (slide, node.flag(4) == Some(true))));
        }
    };
    for node in tree.references(2).take(MAX_SLIDES) {
        job.check()?;
        if let Some(node) = objects.of(node, &[kind::NODE]) {
            add(node);
        }
    }
    // Nodes to be visited, with their depths, the next node last. The root has no slide.
    let is_tree = tree.message(2).is_none();
    let root = objects.of(tree.reference(1), &[kind::NODE]);
    let root = root.filter(|_| is_tree).map(|root| (root, 0));
    let mut open: Vec<(Message<'_>, usize)> = root.into_iter().collect();
    let lease = job.empty_lease();
    for _ in 0..MAX_SLIDES {
        job.check()?;
        let Some((node, depth)) = open.pop() else {
            break;
        };
        if depth > 0 {
            add(node);
        }
        if depth < MAX_DEPTH {
            let from = open.len();
            for child in node.references(1).take(MAX_SLIDES) {
                lease.grow(NODE)?;
                let child = objects.of(child, &[kind::NODE]);
                open.extend(child.map(|child| (child, depth + 1)));
            }
            open[from..].reverse();
        }
    }
    Ok(slides)
}

fn is_slide(objects: &Objects<'_>, number: u64) -> bool {
    objects.of(number, kind::SLIDES).is_some()
}

impl<'a> Templates<'a> {
    /// Frames of a template.
    fn frames(
        &mut self,
        source: &Source<'a>,
        number: u64,
        losses: &mut Losses,
    ) -> Result<Rc<Vec<Frame>>> {
        if let Some(known) = self.0.get(&number) {
            return Ok(known.frames.clone());
        }
        let Some(template) = source.objects.of(number, kind::SLIDES) else {
            return Ok(Rc::default());
        };
        let lease = source.job.empty_lease();
        let frames = source.reader(&lease, losses).slide(template, true)?;
        let frames = Rc::new(frames);
        if self.0.len() == MAX_TEMPLATES {
            self.0.clear();
        }
        let own = Template {
            frames: frames.clone(),
            _lease: lease,
        };
        self.0.insert(number, own);
        Ok(frames)
    }
}

impl Deck for Key<'_> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn slide(&mut self, number: usize) -> Result<Slide> {
        let Some((id, hidden)) = self.slides.get(number).copied() else {
            return Ok(Slide::default());
        };
        // The caller has already dropped the previous slide and picture.
        self.picture.set(0)?;
        self.current.set(0)?;
        let Source { objects, media, .. } = &self.source;
        let Some(slide) = objects.of(id, kind::SLIDES) else {
            return Ok(Slide::default());
        };
        let template = slide.reference(17);
        let template = template.filter(|template| is_slide(objects, *template));
        let master_frames = match template {
            Some(template) => {
                let frames = self
                    .templates
                    .frames(&self.source, template, &mut self.losses);
                vec![frames?]
            }
            None => Vec::new(),
        };
        let mut reader = self.source.reader(&self.current, &mut self.losses);
        let frames = reader.slide(slide, false)?;
        let note = objects.of(slide.reference(27), &[kind::NOTE]);
        let notes = match note.and_then(|note| note.reference(1)) {
            Some(text) => reader.looks.paragraphs(text)?,
            None => Vec::new(),
        };
        let mut background = None;
        let template = template.and_then(|template| objects.of(template, kind::SLIDES));
        for slide in [Some(slide), template].into_iter().flatten() {
            if background.is_none() {
                let style = slide.reference(1);
                background = reader.looks.stated(media, style, looks::SLIDE_STYLES)?;
            }
        }
        Ok(Slide {
            hidden,
            background: background.unwrap_or_default(),
            master_frames,
            frames,
            notes,
        })
    }

    fn picture(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let Ok(number) = name.parse() else {
            return Ok(None);
        };
        self.picture.set(self.source.media.size(number))?;
        self.source.media.read(number)
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        std::mem::take(&mut self.losses).add_notes(notes);
    }
}

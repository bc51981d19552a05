//! Opens a presentation, and reads a slide on demand. Its objects are read elsewhere.

use super::{
    frames::Frames,
    looks::{self, Looks},
};
use crate::{
    containers::iwa::{Message, Objects},
    deck::{Content, Deck, Facts, Frame, Role, Slide},
    error::Result,
    job::{Input, Job, Lease, Notes},
};
use convertd_office::{drawing::Fill, iwork::Media};
use convertd_tree::{Length, losses::Losses};
use std::{collections::HashMap, rc::Rc};

/// Kinds of objects.
mod kind {
    pub(super) const DOCUMENT: u64 = 1;
    pub(super) const SHOW: u64 = 2;
    pub(super) const NODE: u64 = 4;
    /// A slide, and a template of slides.
    pub(super) const SLIDES: &[u64] = &[5, 6];
    pub(super) const NOTE: u64 = 15;
}

/// Limit on the number of slides.
const MAX_SLIDES: usize = 10_000;

/// Limit on the depth of the tree of slides.
const MAX_DEPTH: usize = 32;

/// Limit on the number of templates whose frames are kept.
const MAX_TEMPLATES: usize = 1000;

/// Memory of a frame or a cell without its text, in bytes.
const FRAME: u64 = 1024;

/// An open presentation.
struct Key<'a> {
    job: &'a Job<'a>,
    objects: Objects<'a>,
    media: Media<'a>,
    facts: Facts,
    /// Numbers of the slides, and whether each is skipped.
    slides: Vec<(u64, bool)>,
    /// Frames of templates.
    behind: HashMap<u64, Rc<Vec<Frame>>>,
    losses: Losses,
    lease: Lease<'a>,
    /// Memory of the templates so far, and of the current slide, in bytes.
    held: u64,
    current: u64,
}

/// Opens a file.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if it is not a presentation, is damaged or is encrypted.
pub(super) fn open<'a>(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Box<dyn Deck + 'a>> {
    let objects = Objects::read(job, input)?;
    let media = Media::open(job, input, &objects)?;
    let show = || {
        let (_, document) = objects.first(kind::DOCUMENT)?;
        objects.referred(document, 2, &[kind::SHOW])
    };
    let Some(show) = show() else {
        return Err(job.unreadable("the object of the presentation is missing"));
    };
    let slides = slides(job, &objects, show)?;
    if slides.is_empty() {
        return Err(job.unreadable("it has no slides"));
    }
    let side = |field: u32, usual: f64| {
        let side = show.message(4).and_then(|size| size.single(field));
        // At least one inch and at most 56, as in PowerPoint.
        Length::points(side.unwrap_or(usual).clamp(72.0, 4032.0))
    };
    let facts = Facts {
        size: (side(1, 1024.0), side(2, 768.0)),
        slides: slides.len(),
        ..Facts::default()
    };
    Ok(Box::new(Key {
        job,
        media,
        facts,
        slides,
        behind: HashMap::new(),
        losses: Losses::default(),
        lease: job.empty_lease(),
        held: 0,
        current: 0,
        objects,
    }))
}

/// Slides in the order of the show. Since 2014 they are a list, before they were a tree.
fn slides(job: &Job<'_>, objects: &Objects<'_>, show: Message<'_>) -> Result<Vec<(u64, bool)>> {
    let Some(tree) = show.message(3) else {
        return Ok(Vec::new());
    };
    let mut slides = Vec::new();
    let mut add = |node: Message<'_>| {
        let slide = node.message(2).and_then(|slide| slide.number(1));
        let slide = slide.filter(|slide| is_slide(objects, *slide));
        if slides.len() < MAX_SLIDES {
            slides.extend(slide.map(|slide| (slide, node.flag(4) == Some(true))));
        }
    };
    for reference in tree.all(2).take(MAX_SLIDES) {
        job.check()?;
        if let Some((_, node)) = objects.named(reference, &[kind::NODE]) {
            add(node);
        }
    }
    // Nodes to be visited, with their depths, the next one last. The root has no slide.
    let root = objects.referred(tree, 1, &[kind::NODE]);
    let mut open: Vec<(Message<'_>, usize)> = root.map(|root| (root, 0)).into_iter().collect();
    let mut seen = 0;
    while let Some((node, depth)) = open.pop() {
        job.check()?;
        seen += 1;
        if tree.message(2).is_some() || seen > MAX_SLIDES {
            break;
        }
        if depth > 0 {
            add(node);
        }
        if depth < MAX_DEPTH {
            let children: Vec<_> = node.all(1).take(MAX_SLIDES).collect();
            let children = children.into_iter().rev();
            let children = children.filter_map(|child| objects.named(child, &[kind::NODE]));
            open.extend(children.map(|(_, child)| (child, depth + 1)));
        }
    }
    Ok(slides)
}

fn is_slide(objects: &Objects<'_>, number: u64) -> bool {
    objects
        .get(number)
        .is_some_and(|(own, _)| kind::SLIDES.contains(&own))
}

/// The number of the object that a field of a message refers to.
fn referred(message: Message<'_>, field: u32) -> Option<u64> {
    message.message(field)?.number(1)
}

/// Numbers of the placeholders of a slide: its title, its text, its object, and its number.
fn placeholders(slide: Message<'_>) -> [Option<u64>; 4] {
    [5, 6, 30, 20].map(|field| referred(slide, field))
}

/// Numbers of the objects on a slide, from back to front.
fn drawn(slide: Message<'_>) -> Vec<u64> {
    let list = |field: u32| -> Vec<u64> {
        let all = slide.all(field).filter_map(|object| object.number(1));
        all.collect()
    };
    let mut drawn = list(42);
    if drawn.is_empty() {
        drawn = list(7);
    }
    // Older files do not repeat the placeholders.
    for placeholder in placeholders(slide).into_iter().take(3).flatten() {
        if !drawn.contains(&placeholder) {
            drawn.insert(0, placeholder);
        }
    }
    drawn
}

impl Key<'_> {
    /// Frames of a slide or a template, and their memory in bytes.
    fn frames(&mut self, slide: Message<'_>, is_template: bool) -> Result<(Vec<Frame>, u64)> {
        let placeholders = placeholders(slide);
        let [title, body, object, number] = placeholders;
        let mut frames = Frames {
            job: self.job,
            objects: &self.objects,
            media: &self.media,
            looks: Looks::new(self.job, &self.objects),
            losses: &mut self.losses,
            count: 0,
        };
        let mut all = Vec::new();
        for drawn in drawn(slide) {
            let is_placeholder = placeholders.contains(&Some(drawn));
            if is_template && is_placeholder {
                continue;
            }
            let role = match Some(drawn) {
                own if own == title => Role::Title,
                own if own == body || own == object => Role::Body,
                own if own == number => Role::Furniture,
                _ => Role::Other,
            };
            all.extend(frames.read(drawn, role, (0.0, 0.0), 0)?);
            self.lease
                .set(self.held + FRAME * frames.count + frames.looks.memory)?;
        }
        // Placeholders that nobody has written into are not shown.
        all.retain(|frame| match &frame.content {
            Content::Shape(shape) => {
                matches!(frame.role, Role::Other)
                    || shape.text.as_ref().is_some_and(|text| !text.is_blank())
            }
            _ => true,
        });
        let memory = FRAME * frames.count + frames.looks.memory;
        Ok((all, memory))
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
        let Some((_, slide)) = self.objects.get(id) else {
            return Ok(Slide::default());
        };
        // The message is in the objects, which do not change; a copy of it ends the borrow.
        let bytes = slide.0.to_vec();
        let slide = Message(&bytes);
        let template = referred(slide, 17).filter(|template| is_slide(&self.objects, *template));
        let (frames, memory) = self.frames(slide, false)?;
        let behind = match template {
            Some(template) => match self.behind.get(&template) {
                Some(known) => Some(known.clone()),
                None => {
                    let own = self.objects.get(template).map(|(_, own)| own.0.to_vec());
                    let own = own.unwrap_or_default();
                    let (frames, memory) = self.frames(Message(&own), true)?;
                    let frames = Rc::new(frames);
                    if self.behind.len() < MAX_TEMPLATES {
                        self.held += memory;
                        self.behind.insert(template, frames.clone());
                    }
                    Some(frames)
                }
            },
            None => None,
        };
        self.current = memory + 2 * bytes.len() as u64;
        self.lease.set(self.held + self.current)?;
        let of_template = template.and_then(|template| self.objects.get(template));
        let background = [Some(slide), of_template.map(|(_, template)| template)]
            .into_iter()
            .flatten()
            .find_map(|slide| looks::background(&self.objects, &self.media, slide));
        let notes = || {
            let note = self.objects.referred(slide, 27, &[kind::NOTE])?;
            referred(note, 1)
        };
        let notes = match notes() {
            Some(text) => Looks::new(self.job, &self.objects).paragraphs(text)?,
            None => Vec::new(),
        };
        Ok(Slide {
            hidden,
            background: background.unwrap_or(Fill::None),
            behind: behind.into_iter().collect(),
            frames,
            notes,
        })
    }

    fn picture(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let Ok(number) = name.parse() else {
            return Ok(None);
        };
        let size = self.media.size(number);
        self.lease.set(self.held + self.current + size)?;
        self.media.read(number)
    }

    fn tell(&mut self, notes: &mut Notes) {
        std::mem::take(&mut self.losses).tell(notes);
    }
}

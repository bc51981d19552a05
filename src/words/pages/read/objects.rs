//! Reads objects: pictures, shapes, notes, and numbers of pages. The module `table` reads tables.
//!
//! An object in a text is inline, like a letter, or is anchored in the text. An object on a page is in the list of that
//! page. The file does not state which text is on a page, so only objects on the first page keep their positions, and
//! those of a document without a text.

use super::body::{Body, Deferred};
use crate::{containers::iwa::Message, error::Result};
use convertd_office::{
    drawing::Place,
    iwork::{Drawn, Image, Shape, geometry, kind, members},
    wordprocessing::{Paragraph, losses},
};
use convertd_tree::{
    At, Base, Extent, Field, Frame, Length, NoteKind, Picture, Position, Wrap, losses::Loss,
};

static CONTENTS: Loss = Loss {
    one: "A table of contents was left out.",
    many: "{} tables of contents were left out.",
};

static SHAPES: Loss = Loss {
    one: "A shape without text was left out.",
    many: "{} shapes without text were left out.",
};

static CROPPED: Loss = Loss {
    one: "A cropped picture is shown whole.",
    many: "{} cropped pictures are shown whole.",
};

static LATER: Loss = Loss {
    one: "An object on a later page was moved to the end of the text.",
    many: "{} objects on later pages were moved to the end of the text.",
};

/// Limit on the number of pages with objects.
const MAX_PAGES: usize = 10_000;

/// Limit on the nesting of groups.
const MAX_GROUPS: usize = 16;

/// Memory for an object number in a growing list, in bytes: twice the 8 bytes of a number.
const REFERENCE: u64 = 16;

/// Objects that are placed on a page.
pub(super) struct Floating {
    /// Number of the page, from 0.
    page: u64,
    /// Numbers of the objects.
    drawn: Vec<u64>,
}

/// An object, and the message with the properties that all kinds of objects share. `None` if the kind is not known.
type Found<'o> = Option<(Drawn<'o>, Message<'o>)>;

impl<'o> Body<'_, 'o> {
    /// Reads an object in the text: a drawable, or a number that depends on the layout. A table of contents is left
    /// out.
    pub(super) fn object(&mut self, number: u64) -> Result<()> {
        let Some((own, attachment)) = self.objects.get(number) else {
            return Ok(());
        };
        match own {
            kind::ATTACHMENT => match attachment.reference(1) {
                Some(drawn) => self.drawn(self.found(drawn)?, 0),
                None => Ok(()),
            },
            own if kind::NUMBERS.contains(&own) => self.number(attachment),
            own if kind::CONTENTS.contains(&own) => {
                self.story.build.lost(&CONTENTS);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Reads a field: the page number (0) or the number of pages (1). Any other number is skipped, such as that of a
    /// footnote, whose reference was read already.
    fn number(&mut self, attachment: Message<'_>) -> Result<()> {
        let inner = attachment.message(1).and_then(|inner| inner.number(2));
        match inner.or_else(|| attachment.number(2)) {
            Some(0) => self.story.layout_field(Field::Page),
            Some(1) => self.story.layout_field(Field::Pages),
            _ => Ok(()),
        }
    }

    /// Reads a footnote.
    pub(super) fn note(&mut self, number: u64) -> Result<()> {
        let note = self.objects.of(number, &[kind::FOOTNOTE]);
        match note.and_then(|note| note.reference(2)) {
            Some(text) => {
                let note = self.story.note(NoteKind::Footnote)?;
                self.defer(Deferred::Note(note, text))
            }
            None => Ok(()),
        }
    }

    /// Reads a drawable in a paragraph. Its texts and tables follow the paragraph.
    fn drawn(&mut self, found: Found<'o>, depth: usize) -> Result<()> {
        let Some((drawn, head)) = found else {
            self.story.build.lost(&losses::DRAWINGS);
            return Ok(());
        };
        match drawn {
            Drawn::Image(image) => self.image(image, head)?,
            Drawn::Movie(poster) => {
                self.story.build.lost(&losses::FILMS);
                if let Some(poster) = poster {
                    self.file(poster, head, None)?;
                }
            }
            Drawn::Table(table) => self.defer(Deferred::Table(table))?,
            Drawn::Shape(shape) => match shape.text {
                Some(text) => {
                    self.story.anchor();
                    self.defer(Deferred::Box(text))?;
                }
                None => self.story.build.lost(&SHAPES),
            },
            Drawn::Group(group) if depth < MAX_GROUPS => {
                for member in members(group) {
                    self.drawn(self.found(member)?, depth + 1)?;
                }
            }
            Drawn::Group(_) | Drawn::Chart => self.story.build.lost(&losses::DRAWINGS),
            Drawn::Comment => self.story.build.lost(&losses::COMMENTS),
            Drawn::Contents => self.story.build.lost(&CONTENTS),
        }
        Ok(())
    }

    /// Looks up the object with this number.
    fn found(&self, number: u64) -> Result<Found<'o>> {
        self.job.check()?;
        Ok(Drawn::read(self.objects, &self.media, number))
    }

    fn image(&mut self, image: Image<'_>, head: Message<'_>) -> Result<()> {
        if let Some(formula) = image.formula.map(str::trim)
            && !formula.is_empty()
            && !formula.starts_with('<')
        {
            self.story.formula(formula, false);
            return Ok(());
        }
        match image.file {
            Some(file) => {
                if image.mask.is_some() {
                    self.story.build.lost(&CROPPED);
                }
                self.file(file, head, image.formula)
            }
            None => {
                self.story.build.lost(&losses::MISSING);
                Ok(())
            }
        }
    }

    /// Adds the picture in this file.
    fn file(&mut self, file: u64, head: Message<'_>, formula: Option<&str>) -> Result<()> {
        let name = file.to_string();
        let source = match self.story.known_picture(&name) {
            Some(known) => known,
            None => {
                self.story.make_room(self.media.size(file))?;
                let bytes = self.media.read(file)?;
                self.story.make_room(0)?;
                self.story.add_picture(&name, bytes)?
            }
        };
        let Some(source) = source else {
            self.story.build.lost(&losses::MISSING);
            return Ok(());
        };
        let place = geometry(head).unwrap_or_default();
        let side = |points: f64| (points > 0.0).then(|| Length::points(points));
        let link = head.text(4).filter(|target| target.contains(':'));
        if let Some(link) = link {
            self.story.open_link(link, "");
        }
        let alternative = head.text(8).map(str::to_owned);
        let alternative = alternative.or_else(|| formula.map(without_tags));
        self.story.picture(Picture {
            source,
            alternative: alternative.unwrap_or_default().trim().into(),
            title: Box::default(),
            width: side(place.width),
            height: side(place.height),
            frame: None,
        });
        if link.is_some() {
            self.story.close_link();
        }
        Ok(())
    }

    /// Reads the objects on the first page, each at its position.
    pub(super) fn first_page(&mut self, pages: &[Floating]) -> Result<()> {
        let first = pages.iter().filter(|floating| floating.page == 0);
        for floating in first {
            self.framed(&floating.drawn)?;
        }
        Ok(())
    }

    /// Reads all objects of a document without a text, page by page.
    pub(super) fn all_pages(&mut self, pages: &[Floating]) -> Result<()> {
        for (nth, floating) in pages.iter().enumerate() {
            if nth > 0 {
                self.story.break_page()?;
            }
            self.framed(&floating.drawn)?;
        }
        Ok(())
    }

    /// Reads the objects on later pages. They lose their positions, and follow at the end of the text.
    pub(super) fn later_pages(&mut self, pages: &[Floating]) -> Result<()> {
        let later = pages.iter().filter(|floating| floating.page > 0);
        for number in later.flat_map(|floating| &floating.drawn) {
            self.story.build.lost(&LATER);
            let found = self.found(*number)?;
            self.alone(found)?;
        }
        Ok(())
    }

    /// Objects on pages, in the order of the pages.
    pub(super) fn floating(&mut self, floating: Option<u64>) -> Result<Vec<Floating>> {
        let mut pages = Vec::new();
        let Some((_, floating)) = floating.and_then(|number| self.objects.get(number)) else {
            return Ok(pages);
        };
        for page in floating.all(1).take(MAX_PAGES) {
            self.job.check()?;
            let mut drawn = Vec::new();
            // Fields of the lists: objects in the background (2), in the foreground (3), and since 2014 all objects
            // (4).
            for entry in [2, 3, 4].into_iter().flat_map(|field| page.all(field)) {
                self.lease.grow(REFERENCE)?;
                drawn.extend(entry.reference(1));
            }
            self.lease.grow(2 * size_of::<Floating>() as u64)?;
            pages.push(Floating {
                page: page.number(1).unwrap_or(0),
                drawn,
            });
        }
        pages.sort_by_key(|floating| floating.page);
        Ok(pages)
    }

    /// Reads objects as frames at their positions on the page.
    fn framed(&mut self, drawn: &[u64]) -> Result<()> {
        if drawn.is_empty() {
            return Ok(());
        }
        self.story.open_paragraph(Default::default());
        for _ in drawn {
            self.story.anchor();
        }
        self.story.close_paragraph(Paragraph::default())?;
        let size = size_of::<(Place, Found<'_>)>() * drawn.len();
        let _lease = self.job.lease(size as u64)?;
        let mut all = Vec::with_capacity(drawn.len());
        for number in drawn {
            let found = self.found(*number)?;
            let place = found.and_then(|(_, head)| geometry(head));
            all.push((place.unwrap_or_default(), found));
        }
        // In formats without positions, the frames follow one another from top to bottom.
        all.sort_by(|(one, _), (other, _)| one.y.total_cmp(&other.y));
        for (order, (place, found)) in all.into_iter().enumerate() {
            self.story
                .open_frame(Box::new(frame(place, order as i64)))?;
            self.alone(found)?;
            self.story.close_text()?;
        }
        Ok(())
    }

    /// Reads an object as a text of its own.
    fn alone(&mut self, found: Found<'o>) -> Result<()> {
        if let Some((
            Drawn::Shape(Shape {
                text: Some(text), ..
            }),
            _,
        )) = found
        {
            return self.text(text);
        }
        self.story.open_paragraph(Default::default());
        self.drawn(found, 0)?;
        self.end()
    }
}

/// Frame at a place on the page, in points.
fn frame(place: Place, order: i64) -> Frame {
    let at = |points: f64| Position {
        base: Base::Page,
        at: At::Offset(Length::points(points)),
    };
    Frame {
        horizontal: at(place.x),
        vertical: at(place.y),
        width: Extent::Exactly(Length::points(place.width)),
        height: Extent::AtLeast(Length::points(place.height)),
        wrap: Wrap::None,
        order,
        apart: true,
        ..Frame::default()
    }
}

/// Text of MathML without its tags.
fn without_tags(text: &str) -> String {
    let mut words = String::new();
    let mut is_tag = false;
    for c in text.chars().take(10_000) {
        match c {
            '<' => is_tag = true,
            '>' => is_tag = false,
            c if !is_tag => words.push(c),
            _ => {}
        }
    }
    words
}

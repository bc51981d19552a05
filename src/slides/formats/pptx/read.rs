//! Opens a presentation and reads slides on demand. The module `shapes` reads the shapes.

use super::{
    NAMESPACES,
    scope::Scope,
    shapes::{Group, Shapes},
    source::Pptx,
    styles::ListStyle,
    table_style::TableStyles,
    template::Template,
};
use crate::{
    containers::{
        opc::Package,
        xml::{Element, Node, Reader},
    },
    deck::{Content, Deck, Facts, Frame, Paragraph, Role, Slide},
    error::Result,
    job::{Input, Job, Notes},
    losses::{COMMENTS, MOVES},
};
use convertd_office::{
    drawing::{Colour, Fill, FillStyle, Theme, number},
    wordprocessing as office,
};
use convertd_tree::{
    Length, Metadata,
    losses::{Loss, Losses},
};
use std::{
    collections::{HashMap, hash_map::Entry},
    rc::Rc,
};

/// Memory of every conversion, in bytes: archive directory and relationships.
const MEMORY: u64 = 4 << 20;

/// Default slide size (19.2.1.36).
const SIZE: (i64, i64) = (9_144_000, 6_858_000);

static MISSING_SLIDES: Loss = Loss {
    one: "A slide was left out: it is not in the file.",
    many: "{} slides were left out: they are not in the file.",
};

/// Opens a file.
///
/// Errors: [`Kind::BadInput`](crate::error::Kind::BadInput) if it is not a presentation, is damaged, or is encrypted.
pub(super) fn open<'a>(job: &'a Job<'a>, input: &'a mut dyn Input) -> Result<Box<dyn Deck + 'a>> {
    let lease = job.lease(MEMORY)?;
    let package = Package::open(job, input)?;
    let mut pptx = Pptx {
        job,
        package,
        defaults: ListStyle::default(),
        losses: Losses::default(),
        tables: TableStyles::default(),
        facts: Facts::default(),
        slides: Vec::new(),
        numbers: Rc::default(),
        templates: HashMap::new(),
        lease,
        held: MEMORY,
        passing: 0,
        unpacked: 0,
    };
    pptx.presentation()?;
    Ok(Box::new(pptx))
}

impl<'a> Pptx<'a> {
    /// Reads the main part: slide size, default text style, table styles, and the parts of the slides in the order of
    /// the show.
    fn presentation(&mut self) -> Result<()> {
        let job = self.job;
        self.facts.size = (Length::emu(SIZE.0), Length::emu(SIZE.1));
        self.metadata()?;
        let name = self.package.main_part("ppt/presentation.xml")?;
        let Some(text) = self.text(&name)? else {
            return Err(
                job.unreadable("it has no slides: the part ppt/presentation.xml is missing")
            );
        };
        let relationships = self.relationships(&name)?;
        let mut xml = Reader::new(job, &text, NAMESPACES);
        let root = xml.root()?;
        if root.name != "presentation" {
            return Err(job.unreadable("its main part is not that of a presentation"));
        }
        let mut numbers = HashMap::new();
        while let Some(element) = xml.next_element(1)? {
            match element.name {
                "sldIdLst" => {
                    while let Some(slide) = xml.next_element(2)? {
                        let relationship = slide
                            .prefixed("id")
                            .map(|id| relationships.get(&id).cloned());
                        let Some(relationship) = relationship
                            .flatten()
                            .filter(|relationship| !relationship.external)
                        else {
                            self.losses.add(&MISSING_SLIDES);
                            continue;
                        };
                        if self.package.size(&relationship.target).is_none() {
                            self.losses.add(&MISSING_SLIDES);
                            // A slide that the list repeats is read once.
                        } else if let Entry::Vacant(new) = numbers.entry(relationship.target) {
                            self.slides.push(new.key().clone());
                            new.insert(self.slides.len());
                        }
                    }
                }
                "sldSz" => {
                    let node = Node::read(&mut xml, element)?;
                    let side = |name, default| {
                        let side = number(&node, name).filter(|side| *side > 0);
                        // Limits of the schema (19.7.14): 1 inch and 56 inches.
                        Length::emu(side.unwrap_or(default).clamp(914_400, 51_206_400))
                    };
                    self.facts.size = (side("cx", SIZE.0), side("cy", SIZE.1));
                }
                "defaultTextStyle" => {
                    self.defaults = ListStyle::read(&Node::read(&mut xml, element)?);
                }
                _ => {}
            }
        }
        if let Some(part) = relationships.part("tableStyles")
            && let Some(text) = self.text(part)?
        {
            let mut xml = Reader::new(job, &text, NAMESPACES);
            let root = xml.root()?;
            self.tables = TableStyles::read(&Node::read(&mut xml, root)?);
        }
        self.facts.slides = self.slides.len();
        self.numbers = Rc::new(numbers);
        self.held = self.held.saturating_add(self.passing);
        self.passing = 0;
        Ok(())
    }

    /// Reads the metadata (ECMA-376 part 2, 11).
    fn metadata(&mut self) -> Result<()> {
        let parts = self.relationships("")?;
        let Some(name) = parts.part("core-properties") else {
            return Ok(());
        };
        if let Some(text) = self.text(name)? {
            let mut metadata = Metadata::default();
            // Damaged metadata must not prevent the conversion of the slides.
            if office::read_core_properties(self.job, &text, &mut metadata).is_ok() {
                self.facts.metadata = metadata;
            }
        }
        Ok(())
    }

    /// Reads a layout or a master. Each is read once and cached, because many slides share it.
    fn template(&mut self, name: &str, is_layout: bool) -> Result<Option<Rc<Template>>> {
        if let Some(known) = self.templates.get(name) {
            return Ok(Some(known.clone()));
        }
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        let relationships = self.relationships(name)?;
        let master = match relationships.part("slideMaster") {
            Some(master) if is_layout => self.template(master, false)?,
            _ => None,
        };
        let mut scope = Scope {
            relationships: relationships.clone(),
            numbers: self.numbers.clone(),
            ..master
                .as_ref()
                .map(|master| master.scope.clone())
                .unwrap_or_default()
        };
        // A layout has the theme of its master, so the theme part is read only for a master, or for a layout without a
        // master.
        if master.is_none()
            && let Some(theme) = relationships.part("theme")
            && let Some(text) = self.text(theme)?
        {
            let theme = Theme::read(&mut Reader::new(self.job, &text, NAMESPACES))?;
            scope.palette = theme.palette.clone();
            scope.theme = Rc::new(theme);
        }
        let part = self.part(&text, scope, master.clone(), true)?;
        let [titles, bodies, others] = part.styles;
        let template = Rc::new(Template {
            scope: part.scope,
            placeholders: part.placeholders,
            frames: Rc::new(part.frames),
            background: part.background,
            shows_master: part.shows_master,
            master,
            titles,
            bodies,
            others,
        });
        // A template takes about twice the memory of its text.
        self.held = self.held.saturating_add(2 * text.len() as u64);
        self.templates.insert(name.into(), template.clone());
        Ok(Some(template))
    }

    /// Reads a slide, layout, master or notes page. `template` is the layout of a slide, or the master of a layout.
    fn part(
        &mut self,
        text: &str,
        mut scope: Scope,
        template: Option<Rc<Template>>,
        is_template: bool,
    ) -> Result<SlidePart> {
        let mut part = SlidePart::default();
        let mut xml = Reader::new(self.job, text, NAMESPACES);
        let root = xml.root()?;
        // Returns the value of a Boolean attribute that is true by default.
        let is_on = |element: &Element<'_>, name: &str| {
            let value = element.attribute(name);
            !matches!(value.as_deref(), Some("0" | "false" | "off"))
        };
        part.shows_master = is_on(&root, "showMasterSp");
        part.hidden = !is_on(&root, "show");
        // Colour map and text styles come after the shapes that use them. A copy of the reader looks ahead for them.
        let mut ahead = xml.clone();
        while let Some(element) = ahead.next_element(1)? {
            match element.name {
                "clrMap" => scope.palette = scope.palette.mapped(&Node::read(&mut ahead, element)?),
                "clrMapOvr" => {
                    let node = Node::read(&mut ahead, element)?;
                    if let Some(map) = node.child("a", "overrideClrMapping") {
                        scope.palette = scope.palette.mapped(map);
                    }
                }
                "txStyles" => {
                    let node = Node::read(&mut ahead, element)?;
                    let style = |name| node.child("p", name).map(ListStyle::read);
                    part.styles = ["titleStyle", "bodyStyle", "otherStyle"]
                        .map(|name| style(name).unwrap_or_default());
                }
                "timing" if !is_template => part.moves = true,
                _ => {}
            }
        }
        let below = template.as_ref().and_then(|below| below.background());
        let mut shapes = Shapes {
            pptx: self,
            scope,
            background: below.cloned(),
            template,
            is_template,
            placeholders: Vec::new(),
        };
        while let Some(element) = xml.next_element(1)? {
            if element.name != "cSld" {
                continue;
            }
            while let Some(element) = xml.next_element(2)? {
                match element.name {
                    "bg" => {
                        let node = Node::read(&mut xml, element)?;
                        part.background = background(&shapes.scope, &node);
                        if part.background.is_some() {
                            shapes.background.clone_from(&part.background);
                        }
                    }
                    "spTree" => part.frames = shapes.tree(&mut xml, &Group::slide())?,
                    _ => {}
                }
            }
        }
        part.placeholders = std::mem::take(&mut shapes.placeholders);
        part.scope = shapes.scope;
        Ok(part)
    }

    /// Reads the speaker notes: the bodies of the notes page.
    fn notes(&mut self, name: &str) -> Result<Vec<Paragraph>> {
        let Some(text) = self.text(name)? else {
            return Ok(Vec::new());
        };
        let scope = Scope {
            relationships: self.relationships(name)?,
            numbers: self.numbers.clone(),
            ..Scope::default()
        };
        let part = self.part(&text, scope, None, false)?;
        let bodies = part
            .frames
            .into_iter()
            .filter(|frame| frame.role == Role::Body);
        let bodies = bodies.filter_map(|frame: Frame| match frame.content {
            Content::Shape(shape) => shape.text,
            _ => None,
        });
        Ok(bodies.flat_map(|body| body.paragraphs).collect())
    }
}

/// Content of a slide, layout, master or notes page.
#[derive(Default)]
struct SlidePart {
    /// Relationships, theme and colours.
    scope: Scope,
    frames: Vec<Frame>,
    /// Placeholders of a layout or master.
    placeholders: Vec<super::template::Placeholder>,
    /// Background, if the part has its own.
    background: Option<Fill>,
    /// Text styles of a master: titles, bodies, and other text.
    styles: [ListStyle; 3],
    /// Whether the frames of the layout or master above it are visible.
    shows_master: bool,
    /// Whether the show skips the slide.
    hidden: bool,
    /// Whether the slide has transitions or animations.
    moves: bool,
}

/// Reads a `p:bg`: a fill of its own, or the number of a theme fill with a colour.
fn background(scope: &Scope, node: &Node<'_>) -> Option<Fill> {
    if let Some(own) = node.child("p", "bgPr") {
        return FillStyle::read(own).map(|fill| scope.fill(&fill, None, &Fill::None));
    }
    let reference = node.child("p", "bgRef")?;
    let fill = scope.theme.fill(number(reference, "idx")?)?;
    let colour = Colour::read(reference).map(|colour| colour.resolve(&scope.palette, None));
    Some(scope.fill(fill, colour, &Fill::None))
}

impl Deck for Pptx<'_> {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn slide(&mut self, number: usize) -> Result<Slide> {
        self.passing = 0;
        let Some(name) = self.slides.get(number).cloned() else {
            return Ok(Slide::default());
        };
        let Some(text) = self.text(&name)? else {
            return Ok(Slide::default());
        };
        let relationships = self.relationships(&name)?;
        let layout = match relationships.part("slideLayout") {
            Some(layout) => self.template(layout, true)?,
            None => None,
        };
        let scope = Scope {
            relationships: relationships.clone(),
            numbers: self.numbers.clone(),
            ..layout
                .as_ref()
                .map(|layout| layout.scope.clone())
                .unwrap_or_default()
        };
        let part = self.part(&text, scope, layout.clone(), false)?;
        // Sounds and films also have a timing. Only animations have a preset class.
        if part.moves && memchr::memmem::find(text.as_bytes(), b"presetClass=").is_some() {
            self.losses.add(&MOVES);
        }
        if relationships.part("comments").is_some() {
            self.losses.add(&COMMENTS);
        }
        let notes = match relationships.part("notesSlide") {
            Some(notes) => self.notes(notes)?,
            None => Vec::new(),
        };
        let master = layout.as_ref().and_then(|layout| layout.master.clone());
        // The frames of the master are behind those of the layout.
        let mut master_frames = Vec::new();
        if let Some(layout) = layout.as_ref().filter(|_| part.shows_master) {
            let master = master.as_ref().filter(|_| layout.shows_master);
            master_frames.extend(master.map(|master| master.frames.clone()));
            master_frames.push(layout.frames.clone());
        }
        let below = || layout.as_ref()?.background().cloned();
        let background = part.background.or_else(below);
        Ok(Slide {
            hidden: part.hidden,
            background: background.unwrap_or_default(),
            master_frames,
            frames: part.frames,
            notes,
        })
    }

    fn picture(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(size) = self.package.size(name) else {
            return Ok(None);
        };
        self.lease
            .set_exactly(self.held.saturating_add(self.passing).saturating_add(size))?;
        let bytes = self.package.bytes(name)?;
        self.lease
            .set_exactly(self.held.saturating_add(self.passing))?;
        Ok(Some(bytes))
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        std::mem::take(&mut self.losses).add_notes(notes);
    }
}

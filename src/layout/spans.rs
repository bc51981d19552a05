//! The content of a paragraph as one text with runs: nested marks, links and notes become a flat
//! sequence. Measures nothing.

use super::{
    formula::Formula,
    hyphenation::{Hyphenator, SOFT_HYPHEN},
    item::{Item, SetNote},
    structure::{NodeId, Role},
    text_format::{LINK, TextFormat},
};
use crate::{error::Result, fonts::Family, job::Gate};
use convertd_tree::{
    Anchor, Colour, Field, Hyphenation, Inline, LinkLook, Math, NoteId, Picture, Ruby,
};
use std::{borrow::Cow, rc::Rc};

// Characters represent objects in the text. Their class in UAX 14 decides where lines may break around the objects.

/// Represents a picture: the object replacement character (class CB).
const PICTURE: char = '\u{fffc}';
/// Represents a line break that the document demands: the line separator (class BK).
const LINE_END: char = '\u{2028}';
/// Represents an anchor or a note: a combining mark (class CM), which stays on the line of the letter before it.
const NOTHING: char = '\u{fe00}';
/// Represents a part of a formula, which behaves like a letter: a line never ends between the part and adjacent text.
const FORMULA: char = '\u{e000}';
/// Separates two parts of a formula, so that a line may end between them: the zero width space (class ZW).
const PART_END: &str = "\u{200b}";

/// The content of a paragraph: its text, and runs that cover it.
#[derive(Default)]
pub struct Spans {
    /// Text in logical order.
    pub text: String,
    /// Runs in the order of the text, without gaps.
    pub runs: Vec<Run>,
    /// Whether lines may end at soft hyphens. Otherwise soft hyphens are dropped.
    pub hyphenated: bool,
}

/// A piece of text with the same formatting, structure element and link.
pub struct Run {
    /// End of the run's text, in bytes.
    pub end: usize,
    pub text_format: Rc<TextFormat>,
    pub node: NodeId,
    /// Index of the link that the run is in.
    pub link: Option<usize>,
    pub kind: RunKind,
}

/// Kind of a run, with any content that is not text.
pub enum RunKind {
    Text,
    /// The end of a line.
    Break,
    /// An inline picture: its number, and its size in points.
    Picture {
        number: usize,
        width: f32,
        height: f32,
        /// Items painted over the picture, from its upper left corner.
        over: Vec<Item>,
    },
    /// A part of a formula.
    Formula(Formula),
    /// A target of links.
    Anchor(Rc<str>),
    /// A note that belongs on the page of its reference mark. The mark is text, and precedes this run.
    Note(Vec<SetNote>),
}

/// Resolves references of paragraphs: styles, notes, links, pictures. The references are recorded while pages are set,
/// and not while widths are measured.
pub trait Resolver {
    /// Formatting, changed by a style of the document.
    fn styled(&mut self, text_format: &TextFormat, style: convertd_tree::TextStyleId)
    -> TextFormat;
    /// Adds a structure element.
    fn node(&mut self, parent: NodeId, role: Role, language: Option<Rc<str>>) -> NodeId;
    /// Adds a link, and returns its index.
    fn link(&mut self, target: &str, title: &str, node: NodeId) -> usize;
    /// Style of links.
    fn link_look(&self) -> LinkLook;
    /// Number, size in points and structure element of a picture. `None` if the picture cannot be shown.
    fn picture(&mut self, picture: &Picture, parent: NodeId) -> Option<(usize, f32, f32, NodeId)>;
    /// Texts of the drawing with this number, whose size is given in points.
    fn texts(&mut self, number: i64, size: (f32, f32)) -> Vec<Item>;
    /// Sets a picture as a float, with its link. Returns whether the picture can be shown.
    fn float(&mut self, picture: &Picture, parent: NodeId, link: Option<usize>) -> bool;
    /// Reference mark of a note, the target of its link, and the note itself if it belongs on this
    /// page.
    fn note(&mut self, id: NoteId, parent: NodeId) -> (String, String, Vec<SetNote>);
    /// Text of a field, such as the page number.
    fn field(&mut self, field: &Field) -> String;
    /// A word with a text above it, set as one piece. `None` if the word is too long for one piece.
    fn ruby(&mut self, ruby: &Ruby, text_format: &TextFormat, node: NodeId) -> Option<Formula>;
    /// The parts of a formula, and its structure element. `None` if the source of the formula is shown instead.
    fn formula(
        &mut self,
        math: &Math,
        text_format: &TextFormat,
        parent: NodeId,
    ) -> Option<(Vec<Formula>, NodeId)>;
}

impl Spans {
    /// Runs of this content. `node` is the paragraph's structure element.
    pub fn of(
        content: &[Inline],
        text_format: &TextFormat,
        node: NodeId,
        resolver: &mut dyn Resolver,
    ) -> Self {
        let mut spans = Self::default();
        let text_format = Rc::new(text_format.clone());
        spans.add(content, &text_format, node, None, resolver);
        spans
    }

    /// Adds runs of further content.
    pub fn append(
        &mut self,
        content: &[Inline],
        text_format: &TextFormat,
        node: NodeId,
        resolver: &mut dyn Resolver,
    ) {
        self.add(content, &Rc::new(text_format.clone()), node, None, resolver);
    }

    /// Adds pieces of a line of code in their colours.
    pub fn push_code(
        &mut self,
        code: &[(Option<Colour>, Cow<'_, str>)],
        text_format: &TextFormat,
        node: NodeId,
    ) {
        let plain = Rc::new(text_format.clone());
        // There are only a few colours, so a linear search is fast enough.
        let mut text_formats: Vec<Rc<TextFormat>> = Vec::new();
        for (colour, text) in code {
            let Some(colour) = *colour else {
                self.push(text, &plain, node, None);
                continue;
            };
            let known = text_formats
                .iter()
                .find(|text_format| text_format.colour == colour)
                .cloned();
            let own = known.unwrap_or_else(|| {
                let own = TextFormat {
                    colour,
                    automatic: false,
                    ..text_format.clone()
                };
                text_formats.push(Rc::new(own));
                text_formats[text_formats.len() - 1].clone()
            });
            self.push(text, &own, node, None);
        }
    }

    /// Gives text in the automatic colour a colour that is readable on this background.
    pub fn settle(&mut self, background: Option<Colour>) {
        for run in &mut self.runs {
            if let Some(colour) = run.text_format.settled(background) {
                Rc::make_mut(&mut run.text_format).colour = colour;
            }
        }
    }

    /// Adds soft hyphens to words by the rules of their language. `limits` returns the limits for the run with this
    /// index, or `None` if the run's words stay whole. `language` is the language of text that states none.
    ///
    /// Errors: the job of `gate` has ended.
    pub fn hyphenate(
        &mut self,
        limits: &dyn Fn(usize) -> Option<Hyphenation>,
        language: Option<&str>,
        hyphenator: &mut Hyphenator,
        gate: &dyn Gate,
    ) -> Result<()> {
        let runs = &self.runs;
        let setting = |at| {
            let run = runs.partition_point(|run| run.end <= at);
            let own = runs.get(run)?;
            let is_code = own.text_format.family == Family::Mono;
            let limits = limits(run).filter(|_| !is_code)?;
            Some((own.text_format.language.as_deref().or(language), limits))
        };
        let places = hyphenator.places(&self.text, &setting, gate)?;
        if places.is_empty() {
            return Ok(());
        }
        let mut text = String::with_capacity(self.text.len() + 2 * places.len());
        let (mut done, mut next) = (0, places.iter().copied().peekable());
        let mut added = 0;
        for run in &mut self.runs {
            // A hyphen between two runs belongs to the first.
            while let Some(at) = next.next_if(|at| *at <= run.end) {
                text.push_str(&self.text[done..at]);
                text.push(SOFT_HYPHEN);
                added += SOFT_HYPHEN.len_utf8();
                done = at;
            }
            text.push_str(&self.text[done..run.end]);
            done = run.end;
            run.end += added;
        }
        self.text = text;
        Ok(())
    }

    /// Adds text. Leaves out control characters except tabs, and soft hyphens where lines are not hyphenated.
    pub fn push(
        &mut self,
        text: &str,
        text_format: &Rc<TextFormat>,
        node: NodeId,
        link: Option<usize>,
    ) {
        if text_format.small_capitals && !text_format.capitals {
            return self.push_small_capitals(text, text_format, node, link);
        }
        let hyphenated = self.hyphenated;
        let kept = text
            .chars()
            .filter(|c| (hyphenated || *c != SOFT_HYPHEN) && (*c == '\t' || !c.is_control()));
        if text_format.capitals {
            self.text.extend(kept.flat_map(char::to_uppercase));
        } else {
            self.text.extend(kept);
        }
        self.end_run(text_format, node, link, RunKind::Text);
    }

    /// Adds text as small capitals: lower-case letters as smaller capitals.
    fn push_small_capitals(
        &mut self,
        text: &str,
        text_format: &Rc<TextFormat>,
        node: NodeId,
        link: Option<usize>,
    ) {
        let mut large = (**text_format).clone();
        large.small_capitals = false;
        large.capitals = true;
        let mut small = large.clone();
        small.size *= super::text_format::SMALL_CAPITALS;
        let (large, small) = (Rc::new(large), Rc::new(small));
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            // Alternates between sequences of lower-case letters and of everything else.
            let lower = first.is_lowercase();
            let end = rest
                .find(|c: char| c.is_lowercase() != lower)
                .unwrap_or(rest.len());
            self.push(
                &rest[..end],
                if lower { &small } else { &large },
                node,
                link,
            );
            rest = &rest[end..];
        }
    }

    /// Adds the end of a line.
    pub fn line_break(&mut self, text_format: &Rc<TextFormat>, node: NodeId) {
        self.object(text_format, node, None, RunKind::Break);
    }

    /// Adds an object, with the character that represents it.
    pub fn object(
        &mut self,
        text_format: &Rc<TextFormat>,
        node: NodeId,
        link: Option<usize>,
        kind: RunKind,
    ) {
        self.text.push(match kind {
            RunKind::Picture { .. } => PICTURE,
            RunKind::Break => LINE_END,
            RunKind::Formula(_) => FORMULA,
            RunKind::Text | RunKind::Anchor(_) | RunKind::Note(_) => NOTHING,
        });
        self.end_run(text_format, node, link, kind);
    }

    /// Ends a run at the end of the text, unless it is empty.
    fn end_run(
        &mut self,
        text_format: &Rc<TextFormat>,
        node: NodeId,
        link: Option<usize>,
        kind: RunKind,
    ) {
        let end = self.text.len();
        let begin = self.runs.last().map_or(0, |run| run.end);
        if end > begin {
            self.runs.push(Run {
                end,
                text_format: text_format.clone(),
                node,
                link,
                kind,
            });
        }
    }

    /// Adds inlines, each with the formatting, structure element and link of the enclosing inlines.
    fn add(
        &mut self,
        content: &[Inline],
        text_format: &Rc<TextFormat>,
        node: NodeId,
        link: Option<usize>,
        resolver: &mut dyn Resolver,
    ) {
        for (at, inline) in content.iter().enumerate() {
            match inline {
                Inline::Text(text) => self.push(text, text_format, node, link),
                Inline::SoftBreak => self.push(" ", text_format, node, link),
                Inline::Code(text) => {
                    let node = resolver.node(node, Role::Code, None);
                    self.push(text, &Rc::new(text_format.code()), node, link);
                }
                Inline::Marked(mark, content) => {
                    self.add(
                        content,
                        &Rc::new(text_format.marked(*mark)),
                        node,
                        link,
                        resolver,
                    );
                }
                Inline::Span(style, content) => {
                    // A change of language needs a structure element of its own (attribute `Lang`).
                    let styled = resolver.styled(text_format, *style);
                    let node = if styled.language == text_format.language {
                        node
                    } else {
                        resolver.node(node, Role::Span, styled.language.clone())
                    };
                    self.add(content, &Rc::new(styled), node, link, resolver);
                }
                Inline::Link(target) => self.add_link(target, text_format, node, resolver),
                Inline::Picture(picture)
                    if stands_apart(picture) && resolver.float(picture, node, link) => {}
                Inline::Picture(picture) => {
                    self.add_picture(picture, text_format, (node, link), resolver);
                }
                Inline::Note(id) => self.add_note(*id, text_format, node, resolver),
                Inline::LineBreak => self.object(text_format, node, link, RunKind::Break),
                Inline::Math(math) => {
                    if let Some((parts, formula)) = resolver.formula(math, text_format, node) {
                        self.add_formula(parts, text_format, formula, link);
                        // A displayed formula is on a line of its own, so a line break separates it from further
                        // content.
                        let is_last = content.len() == at + 1;
                        if math.display && !is_last {
                            self.object(text_format, node, link, RunKind::Break);
                        }
                        continue;
                    }
                    // A formula that cannot be set is shown as TeX.
                    let mut formula = text_format.code();
                    formula.italic = false;
                    let node = resolver.node(node, Role::Code, None);
                    self.push(&math.tex, &Rc::new(formula), node, link);
                }
                Inline::Bookmark(name) => {
                    self.object(text_format, node, link, RunKind::Anchor(Rc::from(&**name)));
                }
                Inline::Field(field) => {
                    let text = resolver.field(field);
                    self.push(&text, text_format, node, link);
                }
                Inline::Ruby(ruby) => match resolver.ruby(ruby, text_format, node) {
                    Some(set) => self.object(text_format, node, link, RunKind::Formula(set)),
                    None => self.push(&ruby.spelled(), text_format, node, link),
                },
                Inline::RawHtml(_) => {}
            }
        }
    }

    /// Adds a picture, or its alternative text if it cannot be shown.
    fn add_picture(
        &mut self,
        picture: &Picture,
        text_format: &Rc<TextFormat>,
        (node, link): (NodeId, Option<usize>),
        resolver: &mut dyn Resolver,
    ) {
        match resolver.picture(picture, node) {
            Some((number, width, height, figure)) => {
                let letter = picture.frame.as_ref();
                let over = letter.map(|frame| resolver.texts(frame.order, (width, height)));
                let kind = RunKind::Picture {
                    number,
                    width,
                    height,
                    over: over.unwrap_or_default(),
                };
                self.object(text_format, figure, link, kind);
            }
            // A picture that cannot be shown is replaced by its alternative text.
            None if picture.alternative.is_empty() => {}
            None => {
                let mut quiet = (**text_format).clone();
                quiet.colour = super::text_format::QUIET;
                let text = format!("[{}]", picture.alternative);
                self.push(&text, &Rc::new(quiet), node, link);
            }
        }
    }

    /// Adds the reference mark of a note. It is the target of the link in the note, and is itself a link to the note.
    fn add_note(
        &mut self,
        id: NoteId,
        text_format: &Rc<TextFormat>,
        node: NodeId,
        resolver: &mut dyn Resolver,
    ) {
        let (label, target, notes) = resolver.note(id, node);
        let reference = resolver.node(node, Role::Reference, None);
        let inner = resolver.node(reference, Role::Link, None);
        let link = resolver.link(&target, "", inner);
        let raised = Rc::new(text_format.marked(convertd_tree::Mark::Superscript));
        let back = super::notes::back(id);
        self.object(&raised, node, None, RunKind::Anchor(back.into()));
        self.push(&label, &raised, inner, Some(link));
        if !notes.is_empty() {
            self.object(&raised, node, None, RunKind::Note(notes));
        }
    }

    /// Adds a formula. A displayed formula begins a line.
    fn add_formula(
        &mut self,
        parts: Vec<Formula>,
        text_format: &Rc<TextFormat>,
        node: NodeId,
        link: Option<usize>,
    ) {
        let is_shown = parts.first().is_some_and(|part| part.display);
        let begins = self.text.is_empty() || self.text.ends_with(LINE_END);
        if is_shown && !begins {
            self.object(text_format, node, link, RunKind::Break);
        }
        for (at, part) in parts.into_iter().enumerate() {
            if at > 0 {
                // A line may end between two parts.
                self.push(PART_END, text_format, node, link);
            }
            self.object(text_format, node, link, RunKind::Formula(part));
        }
    }

    /// Adds a link in the document's link style.
    fn add_link(
        &mut self,
        link: &convertd_tree::Link,
        text_format: &Rc<TextFormat>,
        node: NodeId,
        resolver: &mut dyn Resolver,
    ) {
        let node = resolver.node(node, Role::Link, None);
        let number = resolver.link(&link.target, &link.title, node);
        let mut shown = (**text_format).clone();
        // The style of links does not replace colours that the source specifies. Links within the document look like
        // the text around them.
        let is_black = shown.colour == TextFormat::plain().colour;
        let leads_out = !link.target.starts_with('#');
        match resolver.link_look() {
            LinkLook::Own if is_black && leads_out => {
                shown.colour = LINK;
                shown.automatic = false;
            }
            LinkLook::Underlined(colour) if leads_out => {
                shown.underline = true;
                if let Some(colour) = colour.filter(|_| is_black) {
                    shown.colour = colour;
                    shown.automatic = false;
                }
            }
            LinkLook::Own | LinkLook::Plain | LinkLook::Underlined(_) => {}
        }
        self.add(&link.content, &Rc::new(shown), node, Some(number), resolver);
    }
}

/// Returns whether a picture is a float.
fn stands_apart(picture: &Picture) -> bool {
    let frame = picture.frame.as_ref();
    frame.is_some_and(|frame| frame.anchor != Anchor::Letter)
}

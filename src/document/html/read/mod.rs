//! Makes a tree of HTML: the construction of HTML, 13.2.6, cut down to what a document can hold.
//!
//! The standard builds a tree of elements and moves parts of it about when tags are nested wrongly. Here the tree of the document
//! is built at once, so nothing is moved: the stack of open elements and the list of formatting elements are those of the
//! standard, and each piece of text gets what all elements on the stack say about it. That gives every text the marks that it
//! has in a browser. What differs: stray blocks between the rows of a table become a row of their own, and not a block before it.
//!
//! Browsers stop nesting at 512 elements; so does this, which bounds every search through the stack.

mod blocks;
mod inlines;
mod notes;
mod tables;

use super::{
    css::{self, Look},
    mathml, percent_decoded,
    tag::Tag,
    tokens::{Start, Syntax, Token, Tokens},
    write::{Surroundings, Writer},
};
use crate::{
    document::{
        Loss,
        tree::{Alignment, Builder, Direction, Document, NoteId, PictureSource, ResourceId},
    },
    error::Result,
    job::{Job, Notes},
};
use inlines::Wrap;
use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
};

/// How many elements are open, at most.
const DEEPEST: usize = 512;

/// How many formatting elements may be open or to be opened again, at most.
const MOST_FORMATTING: usize = 64;

/// Where HTML comes from, and so what its addresses mean.
pub(crate) trait Origin {
    /// A picture with this address, if it is in the document.
    fn picture(&mut self, build: &mut Builder<'_>, address: &str) -> Result<Option<ResourceId>>;

    /// The target of a link: `#name` for a place in the document.
    fn link<'t>(&self, address: &'t str) -> Cow<'t, str>;

    /// The name that the document has for an element with this `id`.
    fn name<'t>(&self, id: &'t str) -> Cow<'t, str>;

    /// Whether some link leads to this name.
    fn is_target(&self, name: &str) -> bool;
}

/// A page that stands for itself.
pub(crate) struct Page {
    targets: HashSet<Box<str>>,
}

impl Page {
    /// Finds out which places in `text` its links lead to.
    pub(crate) fn new(text: &str) -> Self {
        Self {
            targets: targets(text).map(Into::into).collect(),
        }
    }
}

/// The names behind the number sign of each link in some HTML, and perhaps some more.
fn targets(text: &str) -> impl Iterator<Item = String> {
    addresses(text).filter_map(|address| {
        let (_, name) = address.split_once('#')?;
        Some(percent_decoded(name))
    })
}

/// The addresses of all links in some HTML, and perhaps some more.
pub(crate) fn addresses(text: &str) -> impl Iterator<Item = &str> {
    memchr::memmem::find_iter(text.as_bytes(), "href").filter_map(|at| {
        let value = text[at + 4..].trim_start().strip_prefix('=')?.trim_start();
        let value = value.trim_start_matches(['"', '\'']);
        let end = value.find(['"', '\'', '>']).unwrap_or(value.len());
        Some(&value[..end])
    })
}

impl Origin for Page {
    fn picture(&mut self, _: &mut Builder<'_>, _: &str) -> Result<Option<ResourceId>> {
        Ok(None)
    }

    fn link<'t>(&self, address: &'t str) -> Cow<'t, str> {
        match address.strip_prefix('#') {
            Some(name) if name.contains('%') => format!("#{}", percent_decoded(name)).into(),
            _ => address.into(),
        }
    }

    fn name<'t>(&self, id: &'t str) -> Cow<'t, str> {
        id.into()
    }

    fn is_target(&self, name: &str) -> bool {
        self.targets.contains(name)
    }
}

/// Adds what some HTML says.
pub(crate) fn read(
    build: &mut Builder<'_>,
    text: &str,
    syntax: Syntax,
    origin: &mut dyn Origin,
) -> Result<()> {
    read_with(build, text, syntax, origin, &mut NoteNames::default())
}

/// The names of notes that were referred to.
pub(crate) type NoteNames = HashMap<String, NoteId>;

/// The same for a part of a document, whose notes may stand in another.
pub(crate) fn read_with(
    build: &mut Builder<'_>,
    text: &str,
    syntax: Syntax,
    origin: &mut dyn Origin,
    notes: &mut NoteNames,
) -> Result<()> {
    let mut reader = Reader::new(build, syntax, origin, notes);
    for token in Tokens::new(text, syntax) {
        match token {
            Token::Start(start) => reader.start(&start)?,
            Token::End(tag) => reader.end(tag)?,
            Token::Text(text) => reader.text(&text)?,
        }
    }
    reader.finish()
}

/// Makes parts of the tree of the pieces of HTML in it: by writing all of it as HTML and reading that, since a piece may begin
/// an element whose end is in another.
pub(crate) fn dissolve(job: &Job<'_>, document: Document, notes: &mut Notes) -> Result<Document> {
    struct Keep;
    impl Surroundings for Keep {
        fn picture(&self, _: &Document, id: ResourceId, out: &mut String) {
            out.push_str(&format!("resource:{}", id.index()));
        }
    }
    struct Again<'a>(&'a Document, Page);
    impl Origin for Again<'_> {
        fn picture(
            &mut self,
            build: &mut Builder<'_>,
            address: &str,
        ) -> Result<Option<ResourceId>> {
            let number = address.strip_prefix("resource:").map(str::parse::<usize>);
            let Some(Ok(number)) = number else {
                return Ok(None);
            };
            let Some(resource) = self.0.resources().get(number) else {
                return Ok(None);
            };
            let (bytes, name) = (resource.bytes.clone(), &resource.name);
            Ok(Some(build.resource(
                bytes,
                name,
                Some(&resource.media_type),
            )?))
        }

        fn link<'t>(&self, address: &'t str) -> Cow<'t, str> {
            self.1.link(address)
        }

        fn name<'t>(&self, id: &'t str) -> Cow<'t, str> {
            self.1.name(id)
        }

        fn is_target(&self, name: &str) -> bool {
            self.1.is_target(name)
        }
    }
    // The tree, the HTML, and the tree again.
    job.reserve(3 * document.memory() + (1 << 20))?;
    let mut html = Writer::new(job, &document, &Keep, None);
    html.blocks(document.blocks())?;
    html.notes()?;
    let text = std::mem::take(&mut html.out);
    let mut build = Builder::new(job);
    build.own_memory(document.memory() + text.len() as u64)?;
    build.metadata = document.metadata.clone();
    build.text = document.text.clone();
    let mut origin = Again(&document, Page::new(&text));
    read(&mut build, &text, Syntax::Html, &mut origin)?;
    build.finish(notes)
}

static MEDIA: Loss = Loss {
    one: "A film, a sound or another page within the page was left out.",
    many: "{} films, sounds or other pages within the page were left out.",
};

static DRAWINGS: Loss = Loss {
    one: "A drawing within the page was left out.",
    many: "{} drawings within the page were left out.",
};

/// An element that is open.
#[derive(Debug)]
struct Open {
    tag: Tag,
    /// How many containers of the tree it has opened.
    nodes: u8,
    /// What it says about the text in it.
    wraps: Vec<Wrap>,
    /// Where lines in it begin and end.
    alignment: Option<Alignment>,
    direction: Option<Direction>,
    /// Nothing in it is shown.
    hidden: bool,
    /// A page begins behind it.
    breaks_after: bool,
    /// Which formatting element it is, from 1.
    formatting: usize,
    /// It holds nothing but notes.
    notes: bool,
}

impl Open {
    fn new(tag: Tag) -> Self {
        Self {
            tag,
            nodes: 0,
            wraps: Vec::new(),
            alignment: None,
            direction: None,
            hidden: false,
            breaks_after: false,
            formatting: 0,
            notes: false,
        }
    }
}

/// An entry of the list of active formatting elements.
#[derive(Debug)]
struct Active {
    /// None for a marker: what stands before it does not count in the cell that is open.
    tag: Option<Tag>,
    wraps: Vec<Wrap>,
    /// Its number, from 1.
    number: usize,
    /// It is on the stack.
    open: bool,
}

/// What becomes of text that is no part of a paragraph.
#[derive(Debug)]
enum Capture {
    /// It is left out, up to the end tag of this element and of those of its kind within.
    Skip(Tag, usize),
    /// The title of the page.
    Title(String),
    /// The subtitle in the block at the beginning.
    Subtitle(String),
    /// Lines of code, and what is known about them.
    Code { info: Box<str>, text: String },
    /// A formula.
    Math(mathml::Reader),
}

struct Reader<'b, 'j, 'o> {
    build: &'b mut Builder<'j>,
    syntax: Syntax,
    origin: &'o mut dyn Origin,
    stack: Vec<Open>,
    active: Vec<Active>,
    numbers: usize,
    capture: Option<Capture>,
    /// How many open elements hide what is in them.
    hidden: usize,
    line: inlines::Line,
    /// Names of places that stand in front of what comes next.
    places: Vec<String>,
    notes: &'o mut NoteNames,
    tables: Vec<tables::State>,
}

impl<'b, 'j, 'o> Reader<'b, 'j, 'o> {
    fn new(
        build: &'b mut Builder<'j>,
        syntax: Syntax,
        origin: &'o mut dyn Origin,
        notes: &'o mut NoteNames,
    ) -> Self {
        Self {
            build,
            syntax,
            origin,
            stack: Vec::new(),
            active: Vec::new(),
            numbers: 0,
            capture: None,
            hidden: 0,
            line: inlines::Line::default(),
            places: Vec::new(),
            notes,
            tables: Vec::new(),
        }
    }

    fn finish(&mut self) -> Result<()> {
        match self.capture.take() {
            Some(Capture::Math(math)) => self.math(math)?,
            Some(Capture::Title(title)) => self.title(&title),
            Some(code @ Capture::Code { .. }) => self.capture = Some(code),
            _ => {}
        }
        while !self.stack.is_empty() {
            self.pop()?;
        }
        self.end_line()
    }

    fn text(&mut self, text: &str) -> Result<()> {
        match &mut self.capture {
            Some(Capture::Skip(..)) => return Ok(()),
            Some(
                Capture::Title(held) | Capture::Subtitle(held) | Capture::Code { text: held, .. },
            ) => {
                held.push_str(text);
                return Ok(());
            }
            Some(Capture::Math(math)) => {
                math.text(text);
                return Ok(());
            }
            None => {}
        }
        if self.hidden > 0 {
            return Ok(());
        }
        self.flow(text)
    }

    fn start(&mut self, start: &Start) -> Result<()> {
        let tag = start.tag;
        let closed = self.syntax == Syntax::Xhtml && start.closes_itself;
        match &mut self.capture {
            Some(Capture::Skip(skipped, depth)) => {
                if *skipped == tag && !closed {
                    *depth += 1;
                }
                if *skipped == Tag::Svg && tag == Tag::Image {
                    // The cover of many books: a picture in a drawing that does nothing but scale it.
                    return self.image(start);
                }
                if *skipped != Tag::Svg || !tag.is_block() {
                    return Ok(());
                }
                // HTML, 13.2.6.5: what cannot stand in a drawing ends it, as if its end tag had been forgotten.
                self.capture = None;
            }
            Some(Capture::Title(_) | Capture::Subtitle(_)) => return Ok(()),
            Some(Capture::Code { text, info }) => {
                if tag == Tag::Br {
                    text.push('\n');
                } else if tag == Tag::Code && info.is_empty() {
                    *info = blocks::language(start);
                }
                if !tag.is_table_part() && tag != Tag::Table {
                    return Ok(());
                }
            }
            Some(Capture::Math(math)) => {
                if !tag.is_block() {
                    math.start(start, closed || start.closes_itself);
                    return Ok(());
                }
                if let Some(Capture::Math(math)) = self.capture.take() {
                    self.math(math)?;
                }
            }
            None => {}
        }
        self.element(start)?;
        if closed && !tag.is_void() {
            self.end(tag)?;
        }
        Ok(())
    }

    /// Goes by what element it is.
    fn element(&mut self, start: &Start) -> Result<()> {
        let tag = start.tag;
        match tag {
            Tag::Html | Tag::Body => {
                if let Some(language) = start.get("lang").or_else(|| start.get("xml:lang"))
                    && self.build.metadata.language.is_none()
                    && !language.trim().is_empty()
                {
                    self.build.metadata.language = Some(language.trim().to_owned());
                }
                if let Some(direction) = start.get("dir").and_then(css::direction)
                    && self.build.text.direction.is_none()
                {
                    self.build.text.direction = Some(direction);
                }
                Ok(())
            }
            Tag::Head
            | Tag::Frameset
            | Tag::Base
            | Tag::Link
            | Tag::Param
            | Tag::Source
            | Tag::Track => Ok(()),
            Tag::Meta => {
                self.meta(start);
                Ok(())
            }
            Tag::Title => {
                self.capture = Some(Capture::Title(String::new()));
                Ok(())
            }
            Tag::Script
            | Tag::Style
            | Tag::Template
            | Tag::Noframes
            | Tag::Noembed
            | Tag::Textarea => {
                self.skip(tag);
                Ok(())
            }
            Tag::Svg => {
                self.build.lost(&DRAWINGS);
                if !start.closes_itself {
                    self.skip(tag);
                }
                Ok(())
            }
            Tag::Iframe | Tag::Embed => {
                self.build.lost(&MEDIA);
                if tag == Tag::Iframe {
                    self.skip(tag);
                }
                Ok(())
            }
            Tag::Math if start.closes_itself => Ok(()),
            Tag::Math => {
                self.reconstruct()?;
                self.capture = Some(Capture::Math(mathml::Reader::new(start)));
                Ok(())
            }
            Tag::Table => self.table_start(start),
            _ if tag.is_table_part() => self.table_part(start),
            _ if tag.is_block() => self.block(start),
            _ => self.inline_element(start),
        }
    }

    fn skip(&mut self, tag: Tag) {
        self.capture = Some(Capture::Skip(tag, 1));
    }

    fn end(&mut self, tag: Tag) -> Result<()> {
        match self.capture.take() {
            Some(Capture::Skip(skipped, depth)) => {
                let depth = depth - usize::from(skipped == tag);
                if depth > 0 {
                    self.capture = Some(Capture::Skip(skipped, depth));
                }
                return Ok(());
            }
            Some(Capture::Title(title)) => {
                if tag == Tag::Title {
                    self.title(&title);
                } else {
                    self.capture = Some(Capture::Title(title));
                }
                return Ok(());
            }
            Some(Capture::Subtitle(text)) => {
                if tag == Tag::P {
                    self.build.metadata.subtitle = Some(collapsed(&text));
                    return self.end_element(tag);
                }
                self.capture = Some(Capture::Subtitle(text));
                return Ok(());
            }
            Some(Capture::Math(mut math)) => {
                if tag == Tag::Math {
                    return self.math(math);
                }
                math.end(tag);
                self.capture = Some(Capture::Math(math));
                return Ok(());
            }
            Some(code @ Capture::Code { .. }) => {
                self.capture = Some(code);
                // The end of an element that holds the code ends the code, that of one in it says nothing.
                if !tag.is_block() {
                    return Ok(());
                }
            }
            None => {}
        }
        self.end_element(tag)
    }

    fn end_element(&mut self, tag: Tag) -> Result<()> {
        if tag == Tag::Table || tag.is_table_part() {
            return self.table_end(tag);
        }
        if tag.is_formatting() {
            return self.end_formatting(tag);
        }
        if tag == Tag::Br {
            return self.line_break();
        }
        if tag.level().is_some() {
            let open = self.find(|open| open.level().is_some());
            return match open {
                Some(at) => self.pop_to(at),
                None => Ok(()),
            };
        }
        if tag.is_block() || matches!(tag, Tag::Button | Tag::Object | Tag::Marquee) {
            return match self.find(|open| open == tag) {
                Some(at) => self.pop_to(at),
                None if tag == Tag::P => self.end_line(),
                None => Ok(()),
            };
        }
        // "Any other end tag": up to an element that is special.
        for at in (0..self.stack.len()).rev() {
            let open = self.stack[at].tag;
            if open == tag {
                return self.pop_to(at);
            }
            if open.is_special() {
                break;
            }
        }
        Ok(())
    }

    /// Where the innermost element of this kind is that is in scope.
    fn find(&self, is: impl Fn(Tag) -> bool) -> Option<usize> {
        for at in (0..self.stack.len()).rev() {
            let tag = self.stack[at].tag;
            if is(tag) {
                return Some(at);
            }
            if tag.bounds_scope() {
                return None;
            }
        }
        None
    }

    /// Closes the paragraph that is open, unless it is outside of a button.
    fn close_paragraph(&mut self) -> Result<()> {
        for at in (0..self.stack.len()).rev() {
            let tag = self.stack[at].tag;
            if tag == Tag::P {
                return self.pop_to(at);
            }
            if tag.bounds_scope() || tag == Tag::Button {
                break;
            }
        }
        Ok(())
    }

    /// Closes the element at this place of the stack, and all above it.
    fn pop_to(&mut self, at: usize) -> Result<()> {
        while self.stack.len() > at {
            self.pop()?;
        }
        Ok(())
    }

    fn push(&mut self, open: Open) -> Result<()> {
        if self.stack.len() >= DEEPEST {
            self.pop()?;
        }
        self.hidden += usize::from(open.hidden);
        self.line.stale |= !open.wraps.is_empty();
        self.stack.push(open);
        Ok(())
    }

    fn pop(&mut self) -> Result<()> {
        let Some(open) = self.stack.pop() else {
            return Ok(());
        };
        self.hidden -= usize::from(open.hidden);
        self.line.stale |= !open.wraps.is_empty();
        if open.formatting > 0 {
            let mut active = self.active.iter_mut().rev();
            if let Some(active) = active.find(|active| active.number == open.formatting) {
                active.open = false;
            }
        }
        if matches!(
            open.tag,
            Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext
        ) && let Some(Capture::Code { info, text }) = self.capture.take()
        {
            let text = text.strip_prefix('\n').unwrap_or(&text);
            self.build.code_block(info, text)?;
        }
        if matches!(open.tag, Tag::Td | Tag::Th | Tag::Caption) {
            self.clear_active();
        }
        if open.tag == Tag::Q && self.hidden == 0 && !open.hidden {
            self.end_quotation()?;
        }
        if open.tag.is_block() {
            self.end_line()?;
        }
        if open.tag.level().is_some() || open.tag == Tag::Dt {
            self.line = inlines::Line::default();
            self.line.stale = true;
        }
        for _ in 0..open.nodes {
            self.build.close()?;
        }
        if open.tag == Tag::Table {
            self.tables.pop();
        }
        if open.breaks_after {
            self.build.page_break()?;
        }
        Ok(())
    }

    fn title(&mut self, title: &str) {
        let title = collapsed(title);
        if !title.is_empty() && self.build.metadata.title.is_none() {
            self.build.metadata.title = Some(title);
        }
    }

    fn meta(&mut self, start: &Start) {
        let (Some(name), Some(value)) = (start.get("name"), start.get("content")) else {
            return;
        };
        let value = collapsed(value);
        if value.is_empty() {
            return;
        }
        let metadata = &mut self.build.metadata;
        let name = name.to_ascii_lowercase();
        match name
            .trim_start_matches("dcterms.")
            .trim_start_matches("dc.")
        {
            "author" | "creator" if !metadata.authors.contains(&value) => {
                metadata.authors.push(value)
            }
            "date" | "created" | "issued" => metadata.date = Some(value),
            "subject" => metadata.subject = Some(value),
            "description" => metadata.description = Some(value),
            "language" if metadata.language.is_none() => metadata.language = Some(value),
            "keywords" => {
                let words = value.split(',').map(|word| word.trim().to_owned());
                metadata
                    .keywords
                    .extend(words.filter(|word| !word.is_empty()));
            }
            _ => {}
        }
    }

    /// What the attributes of an element say about its look.
    fn look(&self, start: &Start) -> Look {
        let mut look = start.get("style").map(css::look).unwrap_or_default();
        if let Some(alignment) = start.get("align").and_then(css::alignment) {
            look.alignment = look.alignment.or(Some(alignment));
        }
        if start.tag == Tag::Center {
            look.alignment = Some(Alignment::Centre);
        }
        if let Some(direction) = start.get("dir").and_then(css::direction) {
            look.direction = Some(direction);
        }
        look.hidden |= start.get("hidden").is_some();
        look
    }

    /// Remembers the name of an element, if some link leads to it.
    fn place(&mut self, start: &Start) {
        let names = [
            start.get("id"),
            (start.tag == Tag::A).then(|| start.get("name")).flatten(),
        ];
        for id in names.into_iter().flatten() {
            let name = self.origin.name(id);
            if self.origin.is_target(&name) && !self.places.iter().any(|place| *place == *name) {
                let name = name.into_owned();
                self.places.push(name);
            }
        }
    }

    fn picture_source(&mut self, address: &str) -> Result<PictureSource> {
        if let Some(id) = self.origin.picture(self.build, address)? {
            return Ok(PictureSource::Resource(id));
        }
        if let Some((media_type, bytes)) = super::data_url::parse_data_url(address) {
            let id = self.build.resource(bytes, "", Some(&media_type))?;
            return Ok(PictureSource::Resource(id));
        }
        Ok(PictureSource::Address(address.into()))
    }
}

/// Text with each run of white space as one space, and none at its ends.
fn collapsed(text: &str) -> String {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    words.join(" ")
}

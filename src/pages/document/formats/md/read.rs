//! Builds a tree from Markdown. The parser is `pulldown-cmark`: it passes every example of the CommonMark
//! specification, is not recursive, and takes linear time on any nesting or repetition. HTML in the text is passed on
//! to the builder of the tree.

use super::{
    autolink::{self, Piece},
    emoji, fenced, head,
};
use crate::{
    coding::encoding,
    error::Result,
    job::{Input, Job, Notes},
};
use convertd_markup::html;
use convertd_tree::{
    Alignment, Builder, CellShape, Column, Delimiter, Document, ListKind, ListLook, Mark, Node,
    NoteId, NoteKind, Numbering, Numeral, ParagraphStyleId, Part, Picture, PictureSource,
    input::read_all,
};
use pulldown_cmark::{
    BlockQuoteKind, CodeBlockKind, Event, LinkType, Options, Parser, Tag, TagEnd,
};
use std::{collections::HashMap, ops::Range};

/// Limit on the memory of the parser, in bytes per byte of text. Measured with a text of `*a`, repeated, in which every
/// byte becomes an item of its own.
pub(in crate::document::formats) const PARSED: u64 = 48;

const PLAIN: ParagraphStyleId = ParagraphStyleId::DEFAULT;

pub(super) fn read(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    let (bytes, _lease) = read_all(job, input, 2 + PARSED)?;
    let text = encoding::decode(bytes);
    let mut build = Builder::new(job);
    build.is_plain = true;
    let body = match head::split(&text) {
        Some((fields, body)) => {
            head::read(fields, &mut build.metadata);
            body
        }
        None => &text,
    };
    fill(&mut build, &fenced::divisions(body))?;
    build.finish(notes)
}

/// Adds the content of a Markdown text to a tree.
pub(in crate::document::formats) fn fill(build: &mut Builder<'_>, text: &str) -> Result<()> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_GFM;
    let mut reader = MarkdownReader {
        build,
        text,
        plain: String::new(),
        notes: HashMap::new(),
        html: None,
        code: None,
        picture: None,
        links: 0,
        part: Part::Body,
    };
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        reader.event(event, range)?;
    }
    reader.flush()
}

struct MarkdownReader<'b, 'j, 't> {
    build: &'b mut Builder<'j>,
    text: &'t str,
    /// Text that has not been added yet. The parser splits text at every special character, but autolinks can be found
    /// only in the joined text.
    plain: String,
    /// The footnotes by label.
    notes: HashMap<String, NoteId>,
    /// The lines of the HTML block that is being read.
    html: Option<String>,
    /// The info string and the lines of the code block that is being read.
    code: Option<(Box<str>, String)>,
    /// The picture that is being read, and how many pictures are open, since a description may contain pictures.
    picture: Option<(Picture, usize)>,
    /// The number of open links.
    links: usize,
    part: Part,
}

impl MarkdownReader<'_, '_, '_> {
    /// Adds what an event of the parser reports.
    fn event(&mut self, event: Event<'_>, range: Range<usize>) -> Result<()> {
        if let Some((picture, depth)) = &mut self.picture {
            // Inside a picture, everything is reduced to its text, which becomes the alternative text.
            let mut text = String::from(std::mem::take(&mut picture.alternative));
            match event {
                Event::Start(Tag::Image { .. }) => *depth += 1,
                Event::End(TagEnd::Image) => *depth -= 1,
                Event::Text(piece) | Event::Code(piece) | Event::InlineMath(piece) => {
                    text.push_str(&piece);
                }
                Event::SoftBreak | Event::HardBreak => text.push(' '),
                _ => {}
            }
            picture.alternative = text.into();
            if *depth == 0
                && let Some((picture, _)) = self.picture.take()
            {
                self.build.picture(picture)?;
            }
            return Ok(());
        }
        if let Event::Text(text) = &event {
            if let Some((_, code)) = &mut self.code {
                code.push_str(text);
            } else if let Some(html) = &mut self.html {
                html.push_str(text);
            } else {
                self.plain.push_str(text);
            }
            return Ok(());
        }
        self.flush()?;
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(_) => Ok(()),
            Event::Code(code) => self.build.code(code.as_ref()),
            // GitHub's own syntax for inline formulas has backticks inside the dollar signs, so backticks are trimmed.
            Event::InlineMath(tex) => self.build.math(tex.trim_matches('`'), false),
            Event::DisplayMath(tex) => self.build.math(tex.as_ref(), true),
            Event::Html(line) => {
                if let Some(html) = &mut self.html {
                    html.push_str(&line);
                }
                Ok(())
            }
            Event::InlineHtml(html) => self.build.raw_html_inline(&html),
            Event::FootnoteReference(name) => {
                let note = self.note(&name)?;
                self.build.note(note)
            }
            Event::SoftBreak => self.build.soft_break(),
            Event::HardBreak => self.build.line_break(),
            Event::Rule => self.build.rule(),
            Event::TaskListMarker(done) => {
                self.build.set_task(done);
                Ok(())
            }
        }
    }

    /// Adds the pending text, with emoji in place of their names. Outside of links, the addresses in the text become
    /// links.
    fn flush(&mut self) -> Result<()> {
        if self.plain.is_empty() {
            return Ok(());
        }
        let plain = std::mem::take(&mut self.plain);
        let mut added = Ok(());
        if self.links > 0 {
            added = self.build.text(&emoji::replaced(&plain));
        } else {
            autolink::split(&plain, |piece| {
                if added.is_ok() {
                    added = self.piece(piece);
                }
            });
        }
        self.plain = plain;
        self.plain.clear();
        added
    }

    fn piece(&mut self, piece: Piece<'_>) -> Result<()> {
        match piece {
            Piece::Text(text) => self.build.text(&emoji::replaced(text)),
            Piece::Address(prefix, address) => {
                self.build.open(Node::Link {
                    target: format!("{prefix}{address}").into(),
                    title: "".into(),
                })?;
                self.build.text(address)?;
                self.build.close()
            }
        }
    }

    /// Returns the footnote with this label, and reserves one when the label occurs for the first time, because
    /// references may come before or after the definition.
    fn note(&mut self, name: &str) -> Result<NoteId> {
        // Labels are compared like those of links, without regard to case.
        let name = name.to_lowercase();
        if let Some(note) = self.notes.get(&name) {
            return Ok(*note);
        }
        let note = self.build.reserve_note(NoteKind::Footnote)?;
        self.notes.insert(name, note);
        Ok(note)
    }

    /// Adds the title of an alert of GitHub (`> [!NOTE]`), which GitHub shows in a line above the text.
    fn alert(&mut self, alert: BlockQuoteKind) -> Result<()> {
        self.build.open(Node::Paragraph(PLAIN))?;
        self.build.open(Node::Marked(Mark::Strong))?;
        self.build.text(match alert {
            BlockQuoteKind::Note => "Note",
            BlockQuoteKind::Tip => "Tip",
            BlockQuoteKind::Important => "Important",
            BlockQuoteKind::Warning => "Warning",
            BlockQuoteKind::Caution => "Caution",
        })?;
        self.build.close()?;
        self.build.close()
    }

    /// Opens the node that a tag begins. Code, HTML and pictures are collected first, because their whole text is
    /// needed.
    fn start(&mut self, tag: Tag<'_>, range: Range<usize>) -> Result<()> {
        let node = match tag {
            Tag::Paragraph => {
                // In lists, the parser reports paragraphs only if the list is loose.
                self.build.set_loose();
                Node::Paragraph(PLAIN)
            }
            Tag::Heading { level, .. } => Node::Heading {
                level: level as u8,
                id: None,
                label: None,
                style: PLAIN,
            },
            Tag::BlockQuote(alert) => {
                self.build.open(Node::Quote)?;
                return alert.map_or(Ok(()), |alert| self.alert(alert));
            }
            Tag::CodeBlock(kind) => {
                let info = match kind {
                    CodeBlockKind::Indented => "".into(),
                    CodeBlockKind::Fenced(info) => info.trim().into(),
                };
                self.code = Some((info, String::new()));
                return Ok(());
            }
            Tag::HtmlBlock => {
                self.html = Some(String::new());
                return Ok(());
            }
            Tag::List(start) => Node::List {
                kind: start.map_or(ListKind::Bullet, |start| {
                    ListKind::Ordered(Numbering {
                        start: u32::try_from(start).unwrap_or(u32::MAX),
                        numeral: Numeral::Decimal,
                        delimiter: self.delimiter(range),
                        nested: false,
                    })
                }),
                tight: true,
                look: ListLook::default(),
            },
            Tag::Item => Node::Item {
                task: None,
                label: None,
            },
            Tag::FootnoteDefinition(name) => Node::NoteBody(self.note(&name)?),
            Tag::DefinitionList => Node::Definitions,
            Tag::DefinitionListTitle => Node::Term,
            Tag::DefinitionListDefinition => Node::Details,
            Tag::Table(alignments) => Node::Table {
                columns: alignments.into_iter().map(column).collect(),
                width: None,
                alignment: None,
            },
            Tag::TableHead => {
                self.part = Part::Head;
                Node::Row {
                    part: Part::Head,
                    height: None,
                }
            }
            Tag::TableRow => Node::Row {
                part: Part::Body,
                height: None,
            },
            Tag::TableCell => Node::Cell(CellShape {
                heading: self.part == Part::Head,
                ..CellShape::default()
            }),
            Tag::Emphasis => Node::Marked(Mark::Emphasis),
            Tag::Strong => Node::Marked(Mark::Strong),
            Tag::Strikethrough => Node::Marked(Mark::Strikethrough),
            Tag::Superscript => Node::Marked(Mark::Superscript),
            Tag::Subscript => Node::Marked(Mark::Subscript),
            Tag::Link {
                link_type,
                dest_url,
                title,
                ..
            } => {
                self.links += 1;
                let target = match link_type {
                    LinkType::Email if !dest_url.starts_with("mailto:") => {
                        format!("mailto:{dest_url}").into()
                    }
                    _ => dest_url.as_ref().into(),
                };
                Node::Link {
                    target,
                    title: title.as_ref().into(),
                }
            }
            Tag::Image {
                dest_url, title, ..
            } => {
                self.picture = Some((self.image(&dest_url, &title)?, 1));
                return Ok(());
            }
            // Front matter has been removed before parsing, so the parser reports none.
            Tag::MetadataBlock(_) => return Ok(()),
        };
        self.build.open(node)
    }

    /// Makes a picture, whose alternative text follows. A picture in a `data:` URL becomes a resource.
    fn image(&mut self, address: &str, title: &str) -> Result<Picture> {
        let embedded = html::parse_data_url(address);
        let source = match embedded.filter(|(kind, _)| kind.starts_with("image/")) {
            Some((kind, bytes)) => {
                PictureSource::Resource(self.build.resource(bytes, "", Some(&kind))?)
            }
            None => PictureSource::Address(address.into()),
        };
        Ok(Picture {
            source,
            alternative: "".into(),
            title: title.into(),
            width: None,
            height: None,
            frame: None,
        })
    }

    /// The delimiter after the number of the first item.
    fn delimiter(&self, list: Range<usize>) -> Delimiter {
        let list = self.text.get(list).unwrap_or_default().trim_start();
        match list.bytes().find(|byte| !byte.is_ascii_digit()) {
            Some(b')') => Delimiter::Parenthesis,
            _ => Delimiter::Period,
        }
    }

    /// Closes a node, or adds what was collected for it.
    fn end(&mut self, tag: TagEnd) -> Result<()> {
        match tag {
            TagEnd::CodeBlock => {
                match self.code.take() {
                    Some((info, tex)) if &*info == "math" => self.build.math(tex.trim(), true)?,
                    Some((info, code)) => self.build.code_block(info, code)?,
                    None => {}
                }
                return Ok(());
            }
            TagEnd::HtmlBlock => {
                if let Some(html) = self.html.take() {
                    self.build.raw_html(html.trim_end_matches(['\n', '\r']))?;
                }
                return Ok(());
            }
            TagEnd::MetadataBlock(_) => return Ok(()),
            TagEnd::Link => self.links = self.links.saturating_sub(1),
            TagEnd::TableHead => self.part = Part::Body,
            _ => {}
        }
        self.build.close()
    }
}

/// Column of a table with this alignment.
fn column(alignment: pulldown_cmark::Alignment) -> Column {
    Column {
        alignment: match alignment {
            pulldown_cmark::Alignment::None => None,
            pulldown_cmark::Alignment::Left => Some(Alignment::Start),
            pulldown_cmark::Alignment::Center => Some(Alignment::Centre),
            pulldown_cmark::Alignment::Right => Some(Alignment::End),
        },
        width: None,
    }
}

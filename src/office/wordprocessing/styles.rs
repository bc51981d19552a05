//! Paragraph styles in the files of writers: built-in styles, whose names all word processors know (Heading 1,
//! Quote), and styles of the document. If a style of the document has the name of a built-in style, it replaces the
//! formatting of the built-in style. Writes no file.

use super::names::{ParagraphRole, role_of_paragraph};
use convertd_tree::{
    Alignment, Block, Colour, Document, Length, LineHeight, ParagraphStyle, ParagraphStyleId,
    TextStyle, each_block_in,
};
use std::collections::HashMap;

/// Max. number of styles, including the built-in styles. With more, the list of styles in Word is unusable.
const MAX_STYLES: usize = 2000;

/// Paragraph styles of a file.
pub struct Styles {
    /// All styles, in the order in which they are written.
    pub all: Vec<Style>,
    /// Indexes of styles by their names in lower case.
    by_name: HashMap<String, usize>,
    /// Default text style.
    pub text: TextStyle,
}

/// Paragraph style.
pub struct Style {
    /// Identifier, to which paragraphs refer.
    pub id: Box<str>,
    /// Name that users see.
    pub name: Box<str>,
    /// Identifier of the style whose properties the style inherits.
    pub based_on: Option<Box<str>>,
    /// Identifier of the style that a new paragraph after a paragraph with this style has. `None` for the same style.
    pub next: Option<&'static str>,
    /// Formatting.
    pub look: ParagraphStyle,
    /// Outline level, from 0. `None` if the style is not the style of a heading.
    pub outline: Option<u8>,
    /// Whether the formatting of the style comes from the document.
    taken: bool,
    /// Whether all files have this style, and not only those of documents with a style of this name.
    pub built_in: bool,
}

/// Uses of paragraphs that need different styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    Text,
    Heading(u8),
    List,
    Quote,
    Code,
    TableText,
    TableCaption,
    Figure,
    FigureCaption,
    Term,
    Details,
    Footnote,
    Endnote,
    Header,
    Footer,
    Title,
    Subtitle,
    Author,
    Date,
}

impl Use {
    /// Returns the identifier of the built-in style for this use.
    pub fn id(self) -> Box<str> {
        match self {
            Self::Text => "Normal",
            Self::Heading(level) => return format!("Heading{level}").into(),
            Self::List => "ListParagraph",
            Self::Quote => "Quote",
            Self::Code => "SourceCode",
            Self::TableText => "TableText",
            Self::TableCaption => "TableCaption",
            Self::Figure => "CaptionedFigure",
            Self::FigureCaption => "ImageCaption",
            Self::Term => "DefinitionTerm",
            Self::Details => "Definition",
            Self::Footnote => "FootnoteText",
            Self::Endnote => "EndnoteText",
            Self::Header => "Header",
            Self::Footer => "Footer",
            Self::Title => "Title",
            Self::Subtitle => "Subtitle",
            Self::Author => "Author",
            Self::Date => "Date",
        }
        .into()
    }

    /// Returns whether the name of a style implies this use. The built-in style for the use then replaces that style.
    fn is_called(self, name: &str) -> bool {
        let role = role_of_paragraph(name);
        match self {
            Self::Heading(level) => role == Some(ParagraphRole::Heading(level)),
            Self::Quote => role == Some(ParagraphRole::Quote),
            Self::TableCaption | Self::FigureCaption => role == Some(ParagraphRole::Caption),
            _ => false,
        }
    }
}

impl Styles {
    /// Collects the styles of a document.
    pub fn new(document: &Document) -> Self {
        let mut styles = Self {
            all: Vec::new(),
            by_name: HashMap::new(),
            text: default_text(document),
        };
        styles.add_built_in();
        for (_, look) in document.paragraph_styles() {
            let role = look.name.as_deref().and_then(role_of_paragraph);
            let place = match role {
                Some(ParagraphRole::Title) => Use::Title,
                Some(ParagraphRole::Subtitle) => Use::Subtitle,
                Some(ParagraphRole::Author) => Use::Author,
                Some(ParagraphRole::Date) => Use::Date,
                _ => continue,
            };
            styles.take(place, look);
        }
        // Paragraphs of a style may differ, because the source formats some of them directly. The most frequent
        // formatting becomes that of the style, and paragraphs with other formatting have direct formatting.
        // Paragraphs in tables count only if all paragraphs of the style are in tables. Then paragraphs that are
        // neither bold nor italic are preferred, because table styles format whole rows.
        let mut used: HashMap<(bool, Use, ParagraphStyleId), (usize, usize)> = HashMap::new();
        for section in document.sections() {
            each_block_in(&section.blocks, false, &mut |block, in_cell| {
                let (place, style) = match block {
                    Block::Heading(heading) => (Use::Heading(heading.level), heading.style),
                    Block::Paragraph(paragraph) => (Use::Text, paragraph.style),
                    _ => return,
                };
                let order = used.len();
                used.entry((in_cell, place, style)).or_insert((0, order)).0 += 1;
            });
        }
        let mut used: Vec<_> = used.into_iter().collect();
        // Outside tables first, then, within tables, plain before bold or italic; frequent before rare, and early
        // before late.
        used.sort_by_key(|((in_cell, _, style), (count, order))| {
            let text = &document.paragraph_style(*style).text;
            let marked = *in_cell && (text.bold == Some(true) || text.italic == Some(true));
            (*in_cell, marked, std::cmp::Reverse(*count), *order)
        });
        for ((_, place, style), _) in used {
            styles.take(place, document.paragraph_style(style));
        }
        styles
    }

    /// Returns the formatting of a paragraph. A line of the title block has the formatting of its style.
    pub fn look<'s>(
        &'s self,
        place: Use,
        own: ParagraphStyleId,
        document: &'s Document,
    ) -> &'s ParagraphStyle {
        match place {
            Use::Title | Use::Subtitle | Use::Author | Use::Date => {
                self.style(place, own, document).1
            }
            _ => document.paragraph_style(own),
        }
    }

    /// Returns the identifier and the formatting of a paragraph's style.
    pub fn style(
        &self,
        place: Use,
        own: ParagraphStyleId,
        document: &Document,
    ) -> (&str, &ParagraphStyle) {
        let own = document.paragraph_style(own);
        let named = own.name.as_deref().filter(|name| !place.is_called(name));
        let named = named.and_then(|name| self.by_name.get(&name.to_lowercase()));
        // A heading must have a heading style to appear in the outline. If the style of the paragraph is not based on a
        // heading style, the heading gets the built-in style, and the formatting becomes direct.
        let heading = place.id();
        let named = named.filter(|index| {
            !matches!(place, Use::Heading(_))
                || self.all[**index].based_on.as_ref() == Some(&heading)
        });
        // A block quotation would not be recognised in a style without an indent, so it gets the built-in style.
        let quoted = place == Use::Quote && own.indent_start.unwrap_or_default() <= Length::ZERO;
        let index = match named.filter(|_| !quoted) {
            Some(index) => *index,
            None => self.built_in(&heading),
        };
        (&self.all[index].id, &self.all[index].look)
    }

    /// Returns the index of the style with this identifier, or of the style Normal (0) if no style has it.
    pub fn built_in(&self, id: &str) -> usize {
        let at = self.all.iter().position(|style| &*style.id == id);
        at.unwrap_or(0)
    }

    /// Adds a style of the document, or changes the formatting of a built-in style. The first call for a style
    /// determines its formatting.
    fn take(&mut self, place: Use, own: &ParagraphStyle) {
        // A heading without the name of a style changes the built-in style, unless it has the default formatting. Other
        // paragraphs without the name of a style change nothing.
        let Some(name) = &own.name else {
            if let Use::Heading(_) = place
                && *own != ParagraphStyle::default()
            {
                let at = self.built_in(&place.id());
                self.replace(at, own);
            }
            return;
        };
        if place != Use::Text && (place.is_called(name) || !matches!(place, Use::Heading(_))) {
            let at = self.built_in(&place.id());
            self.replace(at, own);
            return;
        }
        let key = name.to_lowercase();
        if let Some(at) = self.by_name.get(&key) {
            self.replace(*at, own);
        } else if self.all.len() < MAX_STYLES {
            let id = self.free_id(name);
            self.by_name.insert(key, self.all.len());
            self.all.push(Style {
                id,
                name: name.clone(),
                based_on: Some(match place {
                    Use::Heading(_) => place.id(),
                    _ => "Normal".into(),
                }),
                next: None,
                look: own.clone(),
                outline: None,
                taken: true,
                built_in: false,
            });
        }
    }

    /// Sets the formatting of a style, unless the document has set it already.
    fn replace(&mut self, at: usize, own: &ParagraphStyle) {
        let style = &mut self.all[at];
        if !style.taken {
            style.taken = true;
            style.look = own.clone();
        }
    }

    /// Returns an unused identifier for a style.
    fn free_id(&self, name: &str) -> Box<str> {
        let mut id: String = name
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .take(40)
            .collect();
        if id.is_empty() {
            id.push_str("Style");
        }
        if self.all.iter().any(|style| *style.id == *id) {
            id.push_str(&self.all.len().to_string());
        }
        id.into()
    }

    /// Adds the built-in styles, in the order in which programs list them.
    fn add_built_in(&mut self) {
        let body = ParagraphStyle {
            space_before: points(0.0),
            space_after: points(8.0),
            line_height: Some(LineHeight::Percent(108)),
            ..ParagraphStyle::default()
        };
        let close = ParagraphStyle {
            space_after: points(0.0),
            line_height: Some(LineHeight::Percent(100)),
            ..body.clone()
        };
        let caption = ParagraphStyle {
            space_after: points(6.0),
            text: TextStyle {
                italic: Some(true),
                ..TextStyle::default()
            },
            ..close.clone()
        };
        let contents = ParagraphStyle {
            space_after: points(3.0),
            ..close.clone()
        };
        let indented = |twips: i64, look: &ParagraphStyle| ParagraphStyle {
            indent_start: Some(Length::twips(twips)),
            ..look.clone()
        };
        let quote = ParagraphStyle {
            indent_end: Some(Length::twips(720)),
            ..indented(720, &body)
        };
        self.add("Normal", "Normal", None, body.clone());
        for level in 1..=9 {
            let (id, name) = (format!("Heading{level}"), format!("heading {level}"));
            self.add(&id, &name, NORMAL, heading(level, &body));
        }
        for (id, name, next, look) in [
            ("Title", "Title", NORMAL, centred(&sized(28.0, &close))),
            ("Subtitle", "Subtitle", NORMAL, centred(&sized(15.0, &body))),
            ("Author", "Author", NORMAL, centred(&body)),
            ("Date", "Date", NORMAL, centred(&body)),
            ("ListParagraph", "List Paragraph", None, close.clone()),
            ("Quote", "Quote", NORMAL, quote),
            ("SourceCode", "Source Code", NORMAL, code(&close)),
            ("TableText", "Table Text", None, close.clone()),
            (
                "TableCaption",
                "Table Caption",
                NORMAL,
                kept_with_next(&sized(10.0, &caption)),
            ),
            (
                "CaptionedFigure",
                "Captioned Figure",
                Some("ImageCaption"),
                kept_with_next(&close),
            ),
            (
                "ImageCaption",
                "Image Caption",
                NORMAL,
                sized(10.0, &caption),
            ),
            (
                "DefinitionTerm",
                "Definition Term",
                Some("Definition"),
                kept_with_next(&bold(&close)),
            ),
            ("Definition", "Definition", NORMAL, indented(720, &body)),
            ("FootnoteText", "footnote text", None, sized(10.0, &close)),
            ("EndnoteText", "endnote text", None, sized(10.0, &close)),
            ("Header", "header", None, close.clone()),
            ("Footer", "footer", None, close.clone()),
            ("TOC1", "toc 1", NORMAL, contents.clone()),
            ("TOC2", "toc 2", NORMAL, indented(220, &contents)),
            ("TOC3", "toc 3", NORMAL, indented(440, &contents)),
        ] {
            self.add(id, name, next, look);
        }
    }

    /// Adds a built-in style.
    fn add(&mut self, id: &str, name: &str, next: Option<&'static str>, look: ParagraphStyle) {
        let role = role_of_paragraph(name);
        self.by_name.insert(name.to_lowercase(), self.all.len());
        self.all.push(Style {
            id: id.into(),
            name: name.into(),
            based_on: (id != "Normal").then(|| "Normal".into()),
            next,
            look,
            outline: match role {
                Some(ParagraphRole::Heading(level)) => Some(level - 1),
                _ => None,
            },
            taken: false,
            built_in: true,
        });
    }
}

/// Value of `next` for most built-in styles: a new paragraph after theirs has the style Normal.
const NORMAL: Option<&str> = Some("Normal");

/// Returns a length of this many points.
fn points(points: f64) -> Option<Length> {
    Some(Length::points(points))
}

/// Returns the default formatting of a heading, which is similar to that of Word: dark blue, with sizes in points.
fn heading(level: u8, body: &ParagraphStyle) -> ParagraphStyle {
    let size = match level {
        1 => 16.0,
        2 => 13.0,
        3 => 12.0,
        _ => 11.0,
    };
    ParagraphStyle {
        keep_with_next: true,
        keep_together: true,
        space_before: points(if level == 1 { 18.0 } else { 10.0 }),
        space_after: points(4.0),
        text: TextStyle {
            size: points(size),
            colour: Some(Colour(0x2f, 0x54, 0x96)),
            bold: (level < 5).then_some(true),
            italic: (level == 4 || level > 5).then_some(true),
            ..TextStyle::default()
        },
        ..body.clone()
    }
}

/// Returns the formatting of code.
fn code(close: &ParagraphStyle) -> ParagraphStyle {
    ParagraphStyle {
        background: Some(Colour(0xf2, 0xf2, 0xf2)),
        text: TextStyle {
            font: Some("Consolas".into()),
            size: points(10.0),
            ..TextStyle::default()
        },
        space_after: points(8.0),
        ..close.clone()
    }
}

/// Returns a formatting with another size of the text.
fn sized(size: f64, look: &ParagraphStyle) -> ParagraphStyle {
    let mut look = look.clone();
    look.text.size = points(size);
    look
}

/// Returns a formatting with bold text.
fn bold(look: &ParagraphStyle) -> ParagraphStyle {
    let mut look = look.clone();
    look.text.bold = Some(true);
    look
}

/// Returns a formatting with centred lines.
fn centred(look: &ParagraphStyle) -> ParagraphStyle {
    ParagraphStyle {
        alignment: Some(Alignment::Centre),
        ..look.clone()
    }
}

/// Returns a formatting that keeps the paragraph on the page of the next paragraph.
fn kept_with_next(look: &ParagraphStyle) -> ParagraphStyle {
    ParagraphStyle {
        keep_with_next: true,
        ..look.clone()
    }
}

/// Returns the default text style. Without it, Word uses Times New Roman in 10 points.
fn default_text(document: &Document) -> TextStyle {
    let own = document.text.clone();
    TextStyle {
        font: own.font.clone().or_else(|| Some("Calibri".into())),
        size: own.size.or(Some(Length::points(11.0))),
        ..own
    }
}

//! Style sheet (MS-DOC 2.9.271, 2.9.259): reads styles, and resolves each with its chain of base styles. A style that
//! occurs a second time ends the chain.

use super::{characters::Run, fonts::Fonts, paragraphs::Paragraph, sprm::Sprms};
use crate::{coding::code_page::CodePage, containers::fields::Fields};
use convertd_office::wordprocessing::{
    ParagraphRole, Resolved, RunProperties, TextRole, ThemeFonts, role_of_paragraph, role_of_text,
};
use convertd_tree::Length;
use std::rc::Rc;

/// Max. length of the chain of base styles. Word allows eleven.
const MAX_CHAIN: usize = 64;

/// Style number that means "no style".
const NONE: u16 = 0x0fff;

/// Max. number of styles: their numbers have twelve bits.
const MAX: usize = 0x0fff;

/// Resolved styles by number.
#[derive(Default)]
pub(super) struct Styles {
    /// Every style, resolved as a paragraph style.
    paragraphs: Vec<Rc<Resolved>>,
    /// Every style, resolved as a character style.
    texts: Vec<Rc<ResolvedText>>,
}

/// Character style with its inherited properties.
#[derive(Debug, Default)]
pub(super) struct ResolvedText {
    /// Role that the name of the style implies.
    pub(super) role: Option<TextRole>,
    /// Properties, including inherited properties.
    pub(super) run: RunProperties,
}

/// Style as it is stored.
#[derive(Default)]
struct Style<'a> {
    /// Number of the built-in style that it represents (`sti`).
    built_in: u16,
    /// [`PARAGRAPH`], [`CHARACTER`] or another kind.
    kind: u16,
    /// Number of the base style.
    base: u16,
    /// Name that users see.
    name: String,
    // Property lists.
    paragraph: &'a [u8],
    run: &'a [u8],
}

/// Kind of paragraph styles.
const PARAGRAPH: u16 = 1;
/// Kind of character styles.
const CHARACTER: u16 = 2;

impl Styles {
    /// Reads the style sheet.
    pub(super) fn read(table: Fields<'_>, fonts: &Fonts, is_old: bool) -> Self {
        let header = usize::from(table.u16(0));
        let count = usize::from(table.u16(2)).min(MAX);
        // Length of the fixed part of a style, which grew with the versions.
        let base_size = usize::from(table.u16(4));
        // Defaults where no style states a value: 10 points in the default fonts.
        let default = RunProperties {
            size: Some(Length::points(10.0)),
            latin: fonts.font(table.u16(14)),
            east_asian: fonts.font(table.u16(16)),
            ..RunProperties::default()
        };
        let mut rest = table.from(2 + header);
        let mut all = Vec::new();
        for _ in 0..count {
            if rest.len() < 2 {
                break;
            }
            let len = usize::from(rest.u16(0));
            all.push(Style::read(rest.part(2, len), base_size, is_old));
            rest = rest.from(2 + len);
        }
        let sheet = Sheet {
            all: &all,
            fonts,
            is_old,
        };
        let numbers = 0..all.len() as u16;
        Self {
            paragraphs: numbers
                .clone()
                .map(|number| sheet.paragraph(number, &default))
                .collect(),
            texts: numbers.map(|number| sheet.text(number)).collect(),
        }
    }

    /// Returns a paragraph style, or the first style, which is the default.
    pub(super) fn paragraph(&self, number: u16) -> Rc<Resolved> {
        let found = self.paragraphs.get(usize::from(number));
        found
            .or_else(|| self.paragraphs.first())
            .cloned()
            .unwrap_or_default()
    }

    /// Returns a character style.
    pub(super) fn text(&self, number: u16) -> Option<&Rc<ResolvedText>> {
        self.texts.get(usize::from(number))
    }
}

impl<'a> Style<'a> {
    /// Reads a style. Unused built-in styles are stored as empty entries, which keep the numbering.
    fn read(fields: Fields<'a>, base_size: usize, is_old: bool) -> Self {
        if fields.len() < base_size.max(8) {
            return Self::default();
        }
        let letters = fields.from(base_size);
        let (name, after) = match is_old {
            true => {
                let len = usize::from(letters.u8(0));
                (CodePage::DEFAULT.decode(letters.part(1, len).0), len + 2)
            }
            false => {
                let len = usize::from(letters.u16(0));
                (letters.utf16(2, len), len * 2 + 4)
            }
        };
        let mut style = Self {
            built_in: fields.u16(0) & 0x0fff,
            kind: fields.u16(2) & 15,
            base: fields.u16(2) >> 4,
            // Aliases follow the name after commas.
            name: name.split(',').next().unwrap_or_default().to_owned(),
            ..Self::default()
        };
        // Property lists follow, each at an even offset.
        let mut at = base_size + after;
        let mut list = || {
            at += at & 1;
            let len = usize::from(fields.u16(at));
            let list = fields.part(at + 2, len);
            at += 2 + len;
            list
        };
        if style.kind == PARAGRAPH {
            // The list begins with the number of the style.
            style.paragraph = list().from(2).0;
        }
        if matches!(style.kind, PARAGRAPH | CHARACTER) {
            style.run = list().0;
        }
        style
    }

    /// Role of the paragraphs of this style. Built-in styles are recognised by number, because their names are in the
    /// language of the program; other styles, by name.
    fn role(&self) -> Option<ParagraphRole> {
        match self.built_in {
            level @ 1..=9 => Some(ParagraphRole::Heading(level as u8)),
            34 => Some(ParagraphRole::Caption),
            48 | 49 | 54..=61 => Some(ParagraphRole::ListText),
            62 => Some(ParagraphRole::Title),
            74 => Some(ParagraphRole::Subtitle),
            _ => role_of_paragraph(&self.name),
        }
    }
}

/// Styles that are being resolved.
struct Sheet<'s> {
    /// Stored styles.
    all: &'s [Style<'s>],
    /// Fonts of the document.
    fonts: &'s Fonts,
    /// Whether property modifiers have the format of Word 6.
    is_old: bool,
}

impl Sheet<'_> {
    /// Resolves a paragraph style: applies the property lists of its chain of base styles, from the root to the style
    /// itself.
    fn paragraph(&self, number: u16, default: &RunProperties) -> Rc<Resolved> {
        let mut paragraph = Paragraph::default();
        let mut run = default.clone();
        let (mut role, mut name) = (None, None);
        for style in self.chain(number) {
            let sprms = Sprms::new(style.paragraph, self.is_old);
            sprms.for_each(|sprm| paragraph.apply(sprm));
            run = self.applied(style, run);
            role = style.role().or(role);
            name = Some(style.name.as_str());
        }
        paragraph.own.style = None;
        let resolved = Resolved {
            id: Some(number.to_string().into()),
            name: name.filter(|name| !name.is_empty()).map(Into::into),
            // A style with an outline level makes headings, unless the style implies another role than body text.
            role: match (role, paragraph.own.outline) {
                (None | Some(ParagraphRole::Body), Some(level @ 0..=8)) => {
                    ParagraphRole::Heading(level + 1)
                }
                (role, _) => role.unwrap_or_default(),
            },
            paragraph: paragraph.own,
            run,
            ..Resolved::default()
        };
        resolved.settle(&ThemeFonts::default())
    }

    /// Resolves a character style. The formatting of links is dropped, because the target format has its own.
    fn text(&self, number: u16) -> Rc<ResolvedText> {
        let mut resolved = ResolvedText::default();
        for style in self.chain(number).filter(|style| style.kind == CHARACTER) {
            resolved.run = self.applied(style, resolved.run);
            resolved.role = match style.built_in {
                // Built-in styles of links, followed or not.
                85 | 86 => Some(TextRole::Link),
                _ => role_of_text(&style.name).or(resolved.role),
            };
        }
        if resolved.role == Some(TextRole::Link) {
            resolved.run = RunProperties::default();
        }
        Rc::new(resolved)
    }

    /// Applies the character properties of a style to those of its base.
    fn applied(&self, style: &Style<'_>, base: RunProperties) -> RunProperties {
        let mut run = Run {
            look: base.clone(),
            ..Run::default()
        };
        for sprm in Sprms::new(style.run, self.is_old) {
            run.apply(sprm, &base, self.fonts);
        }
        run.look
    }

    /// Returns a style with its base styles, root first.
    fn chain(&self, number: u16) -> impl Iterator<Item = &Style<'_>> {
        let mut numbers: Vec<u16> = Vec::new();
        let mut next = number;
        while next != NONE
            && usize::from(next) < self.all.len()
            && numbers.len() < MAX_CHAIN
            && !numbers.contains(&next)
        {
            numbers.push(next);
            next = self.all[usize::from(next)].base;
        }
        let styles = numbers.into_iter().rev();
        styles.map(|number| &self.all[usize::from(number)])
    }
}

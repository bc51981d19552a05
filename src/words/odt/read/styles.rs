//! Styles (OpenDocument 1.3, part 3, 16): resolves the style of a paragraph, a span, a table or its parts with its
//! chain of parent styles. A cycle ends the chain.
//!
//! Common styles are those that users see and name. Automatic styles hold direct formatting. The trap is that the
//! automatic styles of the text and those of headers and footers are separate, and may have the same names.

use super::{
    super::NAMESPACES,
    layouts,
    lists::{ListStyle, Outline},
    notes,
    places::{self, Graphic},
    properties::{self, FontFaces, Paragraph},
};
use crate::{
    containers::{
        odf,
        xml::{Element, Reader},
    },
    error::Result,
    job::Job,
};
#[cfg(feature = "presentation")]
use convertd_office::drawing::odf::paints::Paints;
use convertd_office::wordprocessing::{
    ParagraphProperties, ParagraphRole, Resolved, RunProperties, TextRole, ThemeFonts,
    role_of_paragraph, role_of_text,
};
use convertd_tree::{
    Alignment, Border, Borders, CellStyle, Hyphenation, Length, LineNumbers, NoteSetups, PageSetup,
    Width,
};
use std::{collections::HashMap, rc::Rc};

/// Max. length of the chain of parent styles.
const MAX_CHAIN: usize = 64;

/// Part of the file whose automatic styles apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Scope {
    /// Text of the document, outside headers and footers.
    #[default]
    Text,
    /// Headers and footers.
    Pages,
    /// Common styles, which apply everywhere.
    Common,
}

/// Kind of element that a style applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Family {
    Paragraph,
    Text,
    Table,
    Column,
    Row,
    Cell,
    Graphic,
    Section,
    Other,
}

impl Family {
    fn parse(name: &str) -> Self {
        match name {
            "paragraph" => Self::Paragraph,
            "text" => Self::Text,
            "table" => Self::Table,
            "table-column" => Self::Column,
            "table-row" => Self::Row,
            "table-cell" => Self::Cell,
            "graphic" => Self::Graphic,
            "section" => Self::Section,
            _ => Self::Other,
        }
    }
}

/// Key of a style: scope, family and name.
type Key = (Scope, Family, Box<str>);

/// Style as it is stored.
#[derive(Debug, Default)]
struct Style {
    /// Display name, which users see.
    name: Box<str>,
    /// Name of the parent style.
    parent: Option<Box<str>>,
    /// Name of the list style.
    list: Option<Box<str>>,
    /// Outline level, counted from 1.
    outline: Option<u8>,
    /// Master page that begins with a paragraph of this style. An empty name removes an inherited master page.
    page: Option<Box<str>>,
    /// Whether the style is a common style, not an automatic style.
    common: bool,
    paragraph: Paragraph,
    run: RunProperties,
    table: Table,
    graphic: Graphic,
    /// Columns of a section, if there are several; the rest of the page setup does not matter.
    columns: Option<Rc<PageSetup>>,
}

/// Properties of tables, columns, rows and cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// Width of a table or column.
    pub(super) width: Option<Width>,
    pub(super) alignment: Option<Alignment>,
    /// Height of a row.
    pub(super) height: Option<Length>,
    /// Relative width of a column.
    pub(super) parts: Option<f32>,
    pub(super) cell: CellStyle,
    /// Sides whose borders the style states, in the order top, end, bottom, start. A style may also state that a side
    /// has no border.
    bordered: [bool; 4],
    /// Whether the height of a row is exact. Otherwise it is a minimum.
    pub(super) exact: bool,
    pub(super) page_break: Option<bool>,
    /// Whether the columns of a table run from right to left.
    pub(super) backwards: Option<bool>,
}

/// Resolved formatting of a paragraph.
#[derive(Debug, Default)]
pub(super) struct Formatting {
    /// Common style, with the text properties of the automatic style.
    pub(super) style: Rc<Resolved>,
    /// Paragraph properties of automatic styles, which are direct formatting.
    pub(super) direct: ParagraphProperties,
    /// Name of the list style.
    pub(super) list: Option<Box<str>>,
    /// Outline level of a heading, counted from 1. `None` if the paragraph does not have a style of headings, even if
    /// its style has an outline level.
    pub(super) outline: Option<u8>,
    /// Name of the master page that begins with the paragraph.
    pub(super) page: Option<Box<str>>,
    pub(super) break_after: Option<bool>,
    pub(super) page_number: Option<u32>,
}

impl Formatting {
    /// Alignment of the lines.
    pub(super) fn alignment(&self) -> Option<Alignment> {
        self.direct.alignment.or(self.style.paragraph.alignment)
    }
}

/// Styles of a document.
#[derive(Default)]
pub(super) struct Styles {
    /// Part whose automatic styles apply now.
    pub(super) scope: Scope,
    /// Whether `start` and `end` are the left and right side in text of any direction, as LibreOffice writes them.
    pub(super) sides_are_physical: bool,
    // Definitions.
    all: HashMap<Key, Style>,
    defaults: HashMap<Family, (Paragraph, RunProperties)>,
    fonts: FontFaces,
    lists: HashMap<(Scope, Box<str>), Rc<ListStyle>>,
    pub(super) outline: Outline,
    /// Gradients, hatches, pictures and dashes of shapes.
    #[cfg(feature = "presentation")]
    pub(super) paints: Paints,
    /// Line numbers of the document.
    pub(super) line_numbers: Option<LineNumbers>,
    /// Numbering of notes.
    pub(super) note_setups: NoteSetups,
    /// Limits of hyphenation, from the last style that asks for it.
    pub(super) hyphenation: Hyphenation,
    /// Page layouts by name.
    pub(super) layouts: HashMap<Box<str>, PageSetup>,
    // Caches of resolved styles.
    paragraphs: HashMap<(Scope, Option<Box<str>>), Rc<Formatting>>,
    texts: HashMap<(Scope, Box<str>), Rc<RunProperties>>,
}

impl Styles {
    /// Reads all styles of a part. `scope` is the scope of its automatic styles.
    pub(super) fn read(&mut self, job: &Job<'_>, text: &str, scope: Scope) -> Result<()> {
        odf::each_style(job, text, NAMESPACES, |xml, element, is_automatic| {
            let scope = if is_automatic { scope } else { Scope::Common };
            self.read_style(xml, element, scope)
        })
    }

    /// Reads one definition, such as a font face, a style of any family, a list style or a page layout.
    fn read_style(
        &mut self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        scope: Scope,
    ) -> Result<()> {
        let value = |name| element.attribute(name);
        let name: Box<str> = value("name").unwrap_or_default().into();
        match (element.space, element.name) {
            ("style", "font-face") => {
                let family =
                    value("font-family").and_then(|family| properties::plain_family(&family));
                if let (Some(name), Some(family)) = (value("name"), family) {
                    self.fonts.insert(name.into(), family);
                }
            }
            ("style", "style" | "default-style") => {
                let family = Family::parse(&value("family").unwrap_or_default());
                let mut style = Style {
                    name: value("display-name").map_or_else(|| name.clone(), Into::into),
                    parent: value("parent-style-name").map(Into::into),
                    list: value("list-style-name").map(Into::into),
                    outline: value("default-outline-level").and_then(|level| level.parse().ok()),
                    page: value("master-page-name").map(Into::into),
                    common: scope == Scope::Common,
                    ..Style::default()
                };
                self.read_properties(xml, &mut style)?;
                if element.name == "default-style" {
                    self.defaults.insert(family, (style.paragraph, style.run));
                } else {
                    self.all.insert((scope, family, name), style);
                }
            }
            ("text", "list-style") => {
                let list = ListStyle::read(xml)?;
                self.lists.insert((scope, name), Rc::new(list));
            }
            ("text", "outline-style") => {
                self.outline = Outline::new(ListStyle::read(xml)?);
            }
            ("text", "notes-configuration") => notes::setup(element, &mut self.note_setups),
            ("text", "linenumbering-configuration") => {
                self.line_numbers = layouts::line_numbers(element);
            }
            ("style", "page-layout") => {
                let layout = layouts::layout(xml)?;
                self.layouts.insert(name, layout);
            }
            #[cfg(feature = "presentation")]
            ("draw", _) => self.paints.read(xml, element)?,
            _ => {}
        }
        Ok(())
    }

    /// Reads the properties of a style, which are grouped in elements by their kind.
    fn read_properties(&mut self, xml: &mut Reader<'_>, style: &mut Style) -> Result<()> {
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            let value = |name| child.attribute(name);
            let length = |name| value(name).and_then(|value| Length::parse(&value));
            let positive = |name| length(name).filter(|length| *length > Length::ZERO);
            let table = &mut style.table;
            match (child.space, child.name) {
                ("style", "text-properties") => {
                    properties::text(&mut style.run, &child, &self.fonts);
                    let own = &mut style.paragraph.properties.hyphenated;
                    *own = properties::hyphenated(&child, &mut self.hyphenation).or(*own);
                }
                ("style", "paragraph-properties") => {
                    properties::paragraph(&mut style.paragraph, xml, &child)?;
                    style.paragraph.properties.is_physical |= self.sides_are_physical;
                    if let Some(most) = value("hyphenation-ladder-count") {
                        self.hyphenation.ladder = most.parse().ok().filter(|most| *most > 0);
                    }
                }
                ("style", "table-properties") => {
                    let share = value("rel-width").and_then(|value| properties::share(&value));
                    table.width = share.or(positive("width").map(Width::Fixed));
                    let direction = value("writing-mode").filter(|mode| mode != "page");
                    table.backwards = direction.map(|mode| mode.starts_with("rl"));
                    table.page_break = value("break-before").map(|at| at == "page");
                    match value("align").as_deref() {
                        Some("margins") => table.width = Some(Width::Share(1.0)),
                        Some(side) => {
                            let side = properties::alignment(side);
                            table.alignment = side.filter(|side| *side != Alignment::Start);
                        }
                        None => {}
                    }
                }
                ("style", "table-column-properties") => {
                    table.width = positive("column-width").map(Width::Fixed);
                    let parts = value("rel-column-width");
                    let parts = parts.and_then(|parts| parts.strip_suffix('*')?.parse().ok());
                    table.parts = parts.filter(|parts: &f32| *parts > 0.0);
                }
                ("style", "table-row-properties") => {
                    let exact = positive("row-height");
                    table.exact = exact.is_some();
                    table.height = exact.or(positive("min-row-height"));
                }
                ("style", "graphic-properties") => {
                    for (name, value) in child.attributes() {
                        if places::is_known(name) {
                            style.graphic.insert(name.into(), (*value).into());
                        }
                    }
                }
                ("style", "table-cell-properties") => {
                    properties::cell(&mut table.cell, &child);
                    table.bordered = ["border-top", "border-right", "border-bottom", "border-left"]
                        .map(|side| value("border").or_else(|| value(side)).is_some());
                }
                ("style", "section-properties") => style.columns = layouts::of_section(xml)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Finds a style: an automatic style of the current scope, or else a common style.
    fn find(&self, family: Family, name: &str) -> Option<&Style> {
        // The key owns its name, so a lookup needs a copy.
        let own = self.all.get(&(self.scope, family, name.into()));
        own.or_else(|| self.all.get(&(Scope::Common, family, name.into())))
    }

    /// Returns a style with its parent styles, root first.
    fn chain(&self, family: Family, name: Option<&str>) -> impl Iterator<Item = &Style> {
        let mut chain: Vec<&Style> = Vec::new();
        let mut next = name.and_then(|name| self.find(family, name));
        while let Some(style) = next
            && chain.len() < MAX_CHAIN
            && !chain.iter().any(|known| std::ptr::eq(*known, style))
        {
            chain.push(style);
            let parent = style.parent.as_deref();
            next = parent.and_then(|parent| self.find(family, parent));
        }
        chain.into_iter().rev()
    }

    /// Resolved formatting of a paragraph style.
    pub(super) fn paragraph(&mut self, name: Option<&str>) -> Rc<Formatting> {
        let key = (self.scope, name.map(Into::into));
        if let Some(known) = self.paragraphs.get(&key) {
            return known.clone();
        }
        let mut resolved = Resolved::default();
        let mut formatting = Formatting::default();
        if let Some((paragraph, run)) = self.defaults.get(&Family::Paragraph) {
            resolved.paragraph = paragraph.properties.clone();
            resolved.run = run.clone();
        }
        let mut role = None;
        for style in self.chain(Family::Paragraph, name) {
            let over = &style.paragraph;
            formatting.break_after = over.break_after.or(formatting.break_after);
            formatting.page_number = over.page_number.or(formatting.page_number);
            resolved.run.apply(&style.run);
            if let Some(list) = &style.list {
                formatting.list = Some(list.clone()).filter(|list| !list.is_empty());
            }
            if let Some(page) = &style.page {
                formatting.page = Some(page.clone()).filter(|page| !page.is_empty());
            }
            if style.common {
                role = role_of_paragraph(&style.name).or(role);
                formatting.outline = style.outline.or(formatting.outline);
                resolved.name = Some(style.name.clone());
                resolved.paragraph.apply(&over.properties);
            } else {
                formatting.direct.apply(&over.properties);
            }
        }
        // Only styles of headings make headings; their level is the outline level.
        let is_heading = matches!(role, Some(ParagraphRole::Heading(_)));
        formatting.outline = formatting
            .outline
            .filter(|level| is_heading && (1..=9).contains(level));
        resolved.role = role.filter(|_| !is_heading).unwrap_or_default();
        formatting.style = resolved.settle(&ThemeFonts::default());
        let formatting = Rc::new(formatting);
        self.paragraphs.insert(key, formatting.clone());
        formatting
    }

    /// Resolved text properties of a character style.
    pub(super) fn run(&mut self, name: &str) -> Rc<RunProperties> {
        let key = (self.scope, name.into());
        if let Some(known) = self.texts.get(&key) {
            return known.clone();
        }
        let mut run = RunProperties::default();
        let mut role = None;
        for style in self.chain(Family::Text, Some(name)) {
            run.apply(&style.run);
            role = role_of_text(&style.name).or(role);
        }
        match role {
            // The formatting of links is dropped, because the target format has its own.
            Some(TextRole::Link) => run = RunProperties::default(),
            Some(TextRole::Code) => run.code = Some(true),
            None => {}
        }
        let run = Rc::new(run);
        self.texts.insert(key, run.clone());
        run
    }

    /// Resolved properties of a table, or of a part of a table.
    pub(super) fn table(&self, family: Family, name: Option<&str>) -> Table {
        let mut all = Table::default();
        for style in self.chain(family, name) {
            let own = &style.table;
            all.width = own.width.or(all.width);
            all.alignment = own.alignment.or(all.alignment);
            if own.height.is_some() {
                (all.height, all.exact) = (own.height, own.exact);
            }
            all.parts = own.parts.or(all.parts);
            all.page_break = own.page_break.or(all.page_break);
            all.backwards = own.backwards.or(all.backwards);
            let [top, end, bottom, start] = own.bordered;
            let side = |stated: bool, own: Option<Border>, other: Option<Border>| match stated {
                true => own,
                false => other,
            };
            let (ours, theirs) = (own.cell.borders, all.cell.borders);
            all.cell = CellStyle {
                background: own.cell.background.or(all.cell.background),
                borders: Borders {
                    top: side(top, ours.top, theirs.top),
                    end: side(end, ours.end, theirs.end),
                    bottom: side(bottom, ours.bottom, theirs.bottom),
                    start: side(start, ours.start, theirs.start),
                },
                vertical: own.cell.vertical.or(all.cell.vertical),
                turn: own.cell.turn.or(all.cell.turn),
                padding: own.cell.padding.or(all.cell.padding),
                padding_end: own.cell.padding_end.or(all.cell.padding_end),
                padding_top: own.cell.padding_top.or(all.cell.padding_top),
                padding_bottom: own.cell.padding_bottom.or(all.cell.padding_bottom),
            };
        }
        all
    }

    /// Columns of a section, if it has several. Section styles have no parents.
    pub(super) fn columns(&self, name: &str) -> Option<Rc<PageSetup>> {
        self.find(Family::Section, name)?.columns.clone()
    }

    /// Resolved graphic properties of a style.
    pub(super) fn graphic(&self, name: Option<&str>) -> Graphic {
        let mut all = Graphic::new();
        for style in self.chain(Family::Graphic, name) {
            for (name, value) in &style.graphic {
                all.insert(name.clone(), value.clone());
            }
        }
        all
    }

    /// List style with this name: the automatic style of the current scope, or else the common style.
    pub(super) fn list(&self, name: &str) -> Option<Rc<ListStyle>> {
        let own = self.lists.get(&(self.scope, name.into()));
        let found = own.or_else(|| self.lists.get(&(Scope::Common, name.into())));
        found.cloned()
    }
}

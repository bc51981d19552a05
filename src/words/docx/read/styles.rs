//! Styles (ECMA-376 part 1, 17.7): resolves a paragraph, character or table style with its chain of base styles. A
//! style that occurs a second time ends the chain.

use super::{
    super::NAMESPACES,
    framing::Framing,
    properties::{self, DirectProperties},
    table_styles::{CellText, TableStyle},
};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
    job::Job,
};
use convertd_office::wordprocessing::{
    ParagraphProperties, ParagraphRole, Resolved, RunProperties, TextRole, ThemeFonts,
    role_of_paragraph, role_of_text,
};
use convertd_tree::Colour;
use std::{collections::HashMap, rc::Rc};

/// Max. length of the chain of base styles. Word allows eleven.
const MAX_CHAIN: usize = 64;

/// Max. number of different text formats that table styles give to cells. Paragraph styles are resolved once for each
/// of these formats. Further formats are ignored.
const MAX_LAYERS: usize = 500;

/// Style definitions of a document.
#[derive(Debug, Default)]
pub(super) struct Styles {
    // Definitions.
    /// Styles by their identifiers.
    all: HashMap<Box<str>, Style>,
    /// Identifier of the default paragraph style.
    default_paragraph: Option<Box<str>>,
    /// Identifier of the default table style.
    default_table: Option<Box<str>>,
    /// Paragraph properties of the document defaults.
    base_paragraph: ParagraphProperties,
    /// Run properties of the document defaults.
    base_run: RunProperties,
    /// Whether a style puts paragraphs into frames.
    has_frames: bool,
    /// Fonts of the theme.
    pub(super) fonts: ThemeFonts,
    /// Text formats of table styles for cells, without duplicates.
    layers: Vec<CellText>,
    /// Index of the text format of the current cell, counted from 1. 0 outside of cells with a text format.
    layer: usize,
    // Caches of resolved styles. Paragraph styles depend on the text format of the cell, too.
    paragraphs: HashMap<(Option<Box<str>>, usize), Rc<Resolved>>,
    texts: HashMap<Box<str>, Rc<ResolvedText>>,
    tables: HashMap<Option<Box<str>>, Rc<TableStyle>>,
}

/// Style as it is stored.
#[derive(Debug, Default)]
struct Style {
    /// Name that users see.
    name: Box<str>,
    /// Identifier of the base style.
    based_on: Option<Box<str>>,
    /// Paragraph properties.
    paragraph: ParagraphProperties,
    /// Frame properties.
    framing: Option<Framing>,
    /// Run properties.
    run: RunProperties,
    /// Properties of tables, for table styles.
    table: TableStyle,
}

/// Character style with its inherited properties.
#[derive(Debug, Default)]
pub(super) struct ResolvedText {
    /// Role that the name implies.
    pub(super) role: Option<TextRole>,
    /// Properties, including inherited properties.
    pub(super) run: RunProperties,
    /// Colour of links, if this is the style of links. All links of a document have the same formatting.
    pub(super) colour: Option<Colour>,
}

impl Styles {
    /// Reads the style definitions part, and the fonts of the theme part.
    pub(super) fn read(job: &Job<'_>, styles: Option<&str>, theme: Option<&str>) -> Result<Self> {
        let mut all = Self::default();
        if let Some(theme) = theme {
            all.read_theme(job, theme)?;
        }
        if let Some(styles) = styles {
            let mut xml = Reader::new(job, styles, NAMESPACES);
            xml.root()?;
            while let Some(element) = xml.next_element(1)? {
                match (element.space, element.name) {
                    ("w", "docDefaults") => all.read_defaults(&mut xml)?,
                    ("w", "style") => all.read_style(&mut xml, &element)?,
                    _ => {}
                }
            }
        }
        Ok(all)
    }

    /// Returns the resolved paragraph style, or the default style if it does not exist.
    pub(super) fn paragraph(&mut self, id: Option<&str>) -> Rc<Resolved> {
        // The default style replaces unknown styles.
        let id = id.filter(|id| self.all.contains_key(*id));
        let id: Option<Box<str>> = id
            .map(Into::into)
            .or_else(|| self.default_paragraph.clone());
        let key = (id.clone(), self.layer);
        if let Some(known) = self.paragraphs.get(&key) {
            return known.clone();
        }
        let mut resolved = Resolved {
            id: id.clone(),
            paragraph: self.base_paragraph.clone(),
            run: self.base_run.clone(),
            ..Resolved::default()
        };
        // A table style takes precedence over the defaults, but not over paragraph styles (17.7.2).
        if let Some(layer) = self.layer.checked_sub(1).and_then(|at| self.layers.get(at)) {
            resolved.paragraph.apply(&layer.paragraph);
            resolved.run.apply(&layer.run);
        }
        let mut role = None;
        // Properties of a style override those of its base styles.
        for style in self.chain(id.as_deref()) {
            resolved.paragraph.apply(&style.paragraph);
            resolved.run.apply(&style.run);
            role = role_of_paragraph(&style.name).or(role);
            resolved.name = Some(style.name.clone());
        }
        // A style with an outline level makes headings, unless its name implies another role than body text.
        resolved.role = match (role, resolved.paragraph.outline) {
            (None | Some(ParagraphRole::Body), Some(level @ 0..=8)) => {
                ParagraphRole::Heading(level + 1)
            }
            (role, _) => role.unwrap_or_default(),
        };
        let resolved = resolved.settle(&self.fonts);
        self.paragraphs.insert(key, resolved.clone());
        resolved
    }

    /// Frame properties of a paragraph: those of its style, overridden by its own.
    pub(super) fn framing(&self, id: Option<&str>, own: Option<Framing>) -> Option<Framing> {
        if !self.has_frames {
            return own;
        }
        let id = id.filter(|id| self.all.contains_key(*id));
        let styles = self.chain(id.or(self.default_paragraph.as_deref()));
        let mut whole: Option<Framing> = None;
        for said in styles
            .filter_map(|style| style.framing.as_ref())
            .chain(&own)
        {
            whole.get_or_insert_default().apply(said);
        }
        whole
    }

    /// Enters a cell, whose table style has this text format. Returns a value for [`leave_cell`](Self::leave_cell).
    pub(super) fn enter_cell(&mut self, text: CellText) -> usize {
        let around = self.layer;
        self.layer = if text == CellText::default() {
            0
        } else if let Some(at) = self.layers.iter().position(|known| *known == text) {
            at + 1
        } else if self.layers.len() < MAX_LAYERS {
            self.layers.push(text);
            self.layers.len()
        } else {
            0
        };
        around
    }

    /// Leaves a cell. `around` is the result of entering it.
    pub(super) fn leave_cell(&mut self, around: usize) {
        self.layer = around;
    }

    /// Returns the resolved character style.
    pub(super) fn run(&mut self, id: &str) -> Rc<ResolvedText> {
        if let Some(known) = self.texts.get(id) {
            return known.clone();
        }
        let mut resolved = ResolvedText::default();
        for style in self.chain(Some(id)) {
            resolved.run.apply(&style.run);
            resolved.role = role_of_text(&style.name).or(resolved.role);
        }
        // Only the colour of a link style is used, for all links of the document.
        if resolved.role == Some(TextRole::Link) {
            resolved.colour = resolved.run.colour.flatten();
            resolved.run = RunProperties::default();
        }
        let resolved = Rc::new(resolved);
        self.texts.insert(id.into(), resolved.clone());
        resolved
    }

    /// Returns the resolved table style, or the default style if it does not exist.
    pub(super) fn table(&mut self, id: Option<&str>) -> Rc<TableStyle> {
        let id = id.filter(|id| self.all.contains_key(*id));
        let key: Option<Box<str>> = id.map(Into::into).or_else(|| self.default_table.clone());
        if let Some(known) = self.tables.get(&key) {
            return known.clone();
        }
        let mut resolved = TableStyle::default();
        for style in self.chain(key.as_deref()) {
            resolved.apply(&style.table);
        }
        let resolved = Rc::new(resolved);
        self.tables.insert(key, resolved.clone());
        resolved
    }

    /// Returns a style with its base styles, root first.
    fn chain(&self, id: Option<&str>) -> impl Iterator<Item = &Style> {
        let mut chain: Vec<&Style> = Vec::new();
        let mut next = id.and_then(|id| self.all.get(id));
        while let Some(style) = next
            && chain.len() < MAX_CHAIN
            && !chain.iter().any(|known| std::ptr::eq(*known, style))
        {
            chain.push(style);
            next = style.based_on.as_deref().and_then(|id| self.all.get(id));
        }
        chain.into_iter().rev()
    }

    /// Reads the document defaults (17.7.5.1).
    fn read_defaults(&mut self, xml: &mut Reader<'_>) -> Result<()> {
        let level = xml.level();
        while let Some(outer) = xml.next_element(level)? {
            while let Some(inner) = xml.next_element(level + 1)? {
                match (outer.name, inner.name) {
                    ("rPrDefault", "rPr") => self.base_run = properties::run(xml)?,
                    ("pPrDefault", "pPr") => self.base_paragraph = properties::paragraph(xml)?,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Reads a style definition (17.7.4.17): properties of paragraphs, runs and tables, and the base style.
    fn read_style(&mut self, xml: &mut Reader<'_>, element: &Element<'_>) -> Result<()> {
        let Some(id) = element.attribute("styleId") else {
            return Ok(());
        };
        let id: Box<str> = id.into();
        let default = element.attribute("default");
        if matches!(default.as_deref(), Some("1" | "true" | "on")) {
            match element.attribute("type").as_deref() {
                Some("paragraph") => self.default_paragraph = Some(id.clone()),
                Some("table") => self.default_table = Some(id.clone()),
                _ => {}
            }
        }
        let is_table = element.attribute("type").as_deref() == Some("table");
        let mut style = Style {
            name: id.clone(),
            ..Style::default()
        };
        let level = xml.level();
        while let Some(child) = xml.next_element(level)? {
            // Attribute `val` of the child.
            let value = || child.attribute("val").map(Into::into);
            match (child.space, child.name) {
                ("w", "name") => style.name = value().unwrap_or_default(),
                ("w", "basedOn") => style.based_on = value(),
                ("w", "pPr" | "rPr") if is_table => style.table.read(xml, &child)?,
                ("w", "pPr") => {
                    let read = DirectProperties::read(xml)?;
                    self.has_frames |= read.framing.is_some();
                    (style.paragraph, style.framing) = (read.paragraph, read.framing);
                }
                ("w", "rPr") => style.run = properties::run(xml)?,
                ("w", "tblPr" | "tcPr" | "tblStylePr") => style.table.read(xml, &child)?,
                _ => {}
            }
        }
        self.all.insert(id, style);
        Ok(())
    }

    /// Reads the fonts of the theme (20.1.4.1.18), by the names that runs use to refer to them.
    fn read_theme(&mut self, job: &Job<'_>, theme: &str) -> Result<()> {
        let mut xml = Reader::new(job, theme, NAMESPACES);
        xml.root()?;
        while let Some(elements) = xml.next_element(1)? {
            if elements.name != "themeElements" {
                continue;
            }
            while let Some(scheme) = xml.next_element(2)? {
                if scheme.name != "fontScheme" {
                    continue;
                }
                while let Some(group) = xml.next_element(3)? {
                    let prefix = match group.name {
                        "majorFont" => "major",
                        "minorFont" => "minor",
                        _ => continue,
                    };
                    while let Some(font) = xml.next_element(4)? {
                        // Names in runs, such as `minorHAnsi`, combine the group and the script.
                        let names: &[&str] = match font.name {
                            "latin" => &["HAnsi", "Ascii"],
                            "ea" => &["EastAsia"],
                            "cs" => &["Bidi"],
                            _ => continue,
                        };
                        for name in names {
                            let face = font.attribute("typeface").unwrap_or_default();
                            self.fonts
                                .0
                                .insert(format!("{prefix}{name}").into(), face.into());
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

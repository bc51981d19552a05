//! Styles of cells, columns, rows and tables (OpenDocument 1.3, part 3, 16). A style inherits from its parent, and
//! all of them from the default style of their family. Reads no cells.

use super::{
    super::{number_style::Codes, styles::MAX_PARENTS},
    lengths::points,
    page::Pages,
    properties::{cell, text},
};
use crate::{
    containers::xml::{Node, Reader},
    error::Result,
    meaning::Meaning,
    number::NumberStyle,
    shown::{
        book::{Book, MAX_LIST},
        conditions::Change,
        style::{Align, Font, Format, HorizontalAlignment, Style},
    },
};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// A cell or text style as it is written.
#[derive(Clone, Default)]
struct StoredStyle {
    /// Name of the style from which this one inherits.
    parent: Option<String>,
    /// Name of its number style.
    format: Option<String>,
    /// Names and values of cell, paragraph and text properties.
    properties: Vec<(String, String)>,
    /// Conditional styles.
    maps: Vec<Map>,
}

/// A conditional style of a cell (16.3).
#[derive(Clone)]
pub(super) struct Map {
    /// Condition in the notation of OpenDocument.
    pub(super) condition: String,
    /// Name of the style that applies if the condition is met.
    pub(super) style: String,
    /// Address of the cell that the relative references in the condition count from.
    pub(super) base: String,
}

/// Maximum number of maps of a style.
const MAX_MAPS: usize = 64;

/// Styles of a spreadsheet.
#[derive(Default)]
pub(super) struct Styles {
    /// Cell styles as written, by name.
    cells: HashMap<String, StoredStyle>,
    /// Names of cell styles by their display names.
    seen: HashMap<String, String>,
    /// Default cell style.
    default: StoredStyle,
    /// Text styles, for runs of texts.
    texts: HashMap<String, StoredStyle>,
    /// Families of font faces.
    fonts: HashMap<String, String>,
    /// Widths of columns in points, by column style.
    columns: HashMap<String, f32>,
    /// Heights of rows in points, by row style.
    rows: HashMap<String, f32>,
    /// Column and row styles that begin a new page.
    breaks: HashSet<String>,
    /// Names of master pages, by table style.
    masters: HashMap<String, String>,
    /// Index of each cell style in the workbook.
    numbers: HashMap<String, u32>,
    /// Format codes of the number styles.
    codes: Codes,
    /// Number formats by number style.
    formats: HashMap<String, Rc<Format>>,
    /// Styles with a default number format added, by the original style and the format code.
    typed: HashMap<(u32, &'static str), u32>,
    /// Styles with wrapping added, by the original style.
    wrapped: HashMap<u32, u32>,
    /// Names of styles that forbid wrapping.
    unwrapped: HashSet<String>,
    /// Indices of styles that forbid wrapping.
    unwrapped_indices: HashSet<u32>,
}

impl Styles {
    /// Reads the part `styles.xml`, whose root is open.
    pub(super) fn read(&mut self, xml: &mut Reader<'_>, pages: &mut Pages) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match element.name {
                "font-face-decls" | "styles" | "automatic-styles" | "master-styles" => {
                    self.list(xml, pages)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads the open list of styles.
    pub(super) fn list(&mut self, xml: &mut Reader<'_>, pages: &mut Pages) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            if self.cells.len() + self.texts.len() + self.rows.len() + self.columns.len() > MAX_LIST
            {
                break;
            }
            match element.name {
                "master-page" => {
                    let name = element.attribute("name").unwrap_or_default();
                    let layout = element.attribute("page-layout-name").unwrap_or_default();
                    pages.master(&name, &layout, xml)?;
                }
                name if Codes::is_style(name) => {
                    let node = Node::read(xml, element)?;
                    self.codes.add(&node);
                }
                "style" | "default-style" | "font-face" | "page-layout" => {
                    let node = Node::read(xml, element)?;
                    self.style(&node, pages);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads a definition: a font face, a page layout, or a style of cells, texts, columns, rows or tables.
    fn style(&mut self, node: &Node<'_>, pages: &mut Pages) {
        let attribute = |name: &str| node.attribute(name).unwrap_or_default().into_owned();
        let name = attribute("name");
        match node.element.name {
            "font-face" => {
                let family = attribute("font-family");
                self.fonts
                    .insert(name, family.trim_matches(['\'', '"']).to_owned());
            }
            "page-layout" => pages.layout(&name, node),
            _ => match &*attribute("family") {
                "table-cell" => {
                    let own = StoredStyle::of(node);
                    if property(node, "wrap-option").as_deref() == Some("no-wrap") {
                        self.unwrapped.insert(name.clone());
                    }
                    match node.element.name {
                        "default-style" => self.default = own,
                        _ if node.attribute("display-name").is_some() => {
                            self.seen.insert(attribute("display-name"), name.clone());
                            self.cells.insert(name, own);
                        }
                        _ => drop(self.cells.insert(name, own)),
                    }
                }
                "text" => drop(self.texts.insert(name, StoredStyle::of(node))),
                "table-column" => {
                    let width = property(node, "column-width").and_then(|width| points(&width));
                    if let Some(width) = width {
                        self.columns.insert(name.clone(), width);
                    }
                    self.note_break(node, name);
                }
                "table-row" => {
                    let height = property(node, "row-height").and_then(|height| points(&height));
                    if let Some(height) = height {
                        self.rows.insert(name.clone(), height);
                    }
                    self.note_break(node, name);
                }
                "table" => {
                    let master = attribute("master-page-name");
                    self.masters.insert(name, master);
                }
                _ => {}
            },
        }
    }

    /// Notes a column or row style that begins a new page.
    fn note_break(&mut self, node: &Node<'_>, name: String) {
        if property(node, "break-before").as_deref() == Some("page") {
            self.breaks.insert(name);
        }
    }

    /// Computes the cell styles and adds them to a workbook. All styles must have been read.
    pub(super) fn finish(&mut self, book: &mut Book) {
        let all = self.cells.values().chain([&self.default]);
        let used = all.filter_map(|own| own.format.clone());
        for name in used.collect::<std::collections::BTreeSet<_>>() {
            let format = self.codes.format(&name);
            self.formats.insert(name, Rc::new(format));
        }
        let plain = self.resolved(&StoredStyle::default());
        let default = self.cells.get("Default").map(|own| self.resolved(own));
        let default = default.unwrap_or(plain);
        book.normal = default.font.clone();
        book.styles.push(Rc::new(default));
        if self.unwrapped.contains("Default") {
            self.unwrapped_indices.insert(0);
        }
        // Sorted, so that the same file always has the same indices.
        let mut names: Vec<&String> = self.cells.keys().collect();
        names.sort();
        let mut numbers = HashMap::new();
        for name in names {
            let number = book.styles.len() as u32;
            numbers.insert(name.clone(), number);
            if self.unwrapped.contains(name) {
                self.unwrapped_indices.insert(number);
            }
            let style = self.resolved(&self.cells[name]);
            book.styles.push(Rc::new(style));
        }
        self.numbers = numbers;
    }

    /// Index of a cell style. 0 for an unknown one.
    pub(super) fn number(&self, name: &str) -> u32 {
        self.numbers.get(name).copied().unwrap_or(0)
    }

    /// Style for a number that is declared to be a date, a time or a percentage. Programs omit default number styles,
    /// but in other formats only the number format shows what a number is.
    pub(super) fn typed(&mut self, book: &mut Book, style: u32, kind: &str, number: f64) -> u32 {
        let code = match kind {
            "date" if number.fract() == 0.0 => "yyyy\\-mm\\-dd",
            "date" => "yyyy\\-mm\\-dd\\ hh:mm:ss",
            "time" if (0.0..1.0).contains(&number) => "hh:mm:ss",
            "time" => "[h]:mm:ss",
            "percentage" => "0%",
            _ => return style,
        };
        let own = book.style(style);
        let is_set = match Meaning::of(&own.format.code) {
            Meaning::Moment(_) => true,
            Meaning::Number(look) => kind == "percentage" && look != NumberStyle::General,
        };
        if is_set || book.styles.len() >= 2 * MAX_LIST {
            return style;
        }
        *self.typed.entry((style, code)).or_insert_with(|| {
            let mut typed = (*own).clone();
            typed.format = Rc::new(Format::new(code));
            book.styles.push(Rc::new(typed));
            book.styles.len() as u32 - 1
        })
    }

    /// Style for a text of several lines, which are shown below one another unless the style forbids it.
    pub(super) fn wrapped(&mut self, book: &mut Book, style: u32) -> u32 {
        let own = book.style(style);
        if own.align.wrap
            || self.unwrapped_indices.contains(&style)
            || book.styles.len() >= 2 * MAX_LIST
        {
            return style;
        }
        *self.wrapped.entry(style).or_insert_with(|| {
            let mut wrapped = (*own).clone();
            wrapped.align.wrap = true;
            book.styles.push(Rc::new(wrapped));
            book.styles.len() as u32 - 1
        })
    }

    /// Width of a column style, in points.
    pub(super) fn column(&self, name: &str) -> Option<f32> {
        self.columns.get(name).copied()
    }

    /// Height of a row style, in points.
    pub(super) fn row(&self, name: &str) -> Option<f32> {
        self.rows.get(name).copied()
    }

    /// Returns whether a column or row style begins a new page.
    pub(super) fn breaks(&self, name: &str) -> bool {
        self.breaks.contains(name)
    }

    /// Name of the master page of a table style.
    pub(super) fn master(&self, table: &str) -> &str {
        self.masters.get(table).map_or("", String::as_str)
    }

    /// Conditional styles, by the index of the cell style that has them.
    pub(super) fn maps(&self) -> HashMap<u32, &[Map]> {
        let mapped = self.cells.iter().filter(|(_, own)| !own.maps.is_empty());
        mapped
            .map(|(name, own)| (self.number(name), &*own.maps))
            .collect()
    }

    /// Change that a cell style, given by its name or display name, makes to the style of a cell under a condition.
    pub(super) fn change(&self, name: &str) -> Option<Change> {
        let named = self.cells.get(name);
        let own = named.or_else(|| self.cells.get(self.seen.get(name)?))?;
        let chain = self.chain(&self.cells, own);
        let own = chain.iter().rev().flat_map(|own| &own.properties);
        let properties: Vec<(String, String)> = own
            .map(|(name, value)| match name.as_str() {
                "font-name" => (
                    "font-family".to_owned(),
                    self.fonts.get(value).unwrap_or(value).clone(),
                ),
                _ => (name.clone(), value.clone()),
            })
            .collect();
        let format = chain.iter().find_map(|own| own.format.as_ref());
        let format = format.and_then(|name| self.formats.get(name)).cloned();
        Some(Box::new(move |style: &mut Style| {
            let (mut font, mut align) = ((*style.font).clone(), style.align);
            for (name, value) in &properties {
                text(&mut font, name, value);
                cell(style, &mut align, &mut true, name, value);
            }
            style.font = Rc::new(font);
            style.align = align;
            if let Some(format) = &format {
                style.format = format.clone();
            }
        }))
    }

    /// A style and its parents, the nearest first.
    fn chain<'s>(
        &self,
        all: &'s HashMap<String, StoredStyle>,
        own: &'s StoredStyle,
    ) -> Vec<&'s StoredStyle> {
        let mut chain = vec![own];
        let mut next = own.parent.as_deref();
        while let Some(parent) = next.and_then(|name| all.get(name)) {
            if chain.len() >= MAX_PARENTS {
                break;
            }
            chain.push(parent);
            next = parent.parent.as_deref();
        }
        chain
    }

    /// Font of a run with a text style, in a cell with another font. `None` if there is no difference.
    pub(super) fn font(&self, style: &str, default: &Font) -> Option<Rc<Font>> {
        let chain = self.chain(&self.texts, self.texts.get(style)?);
        let mut font = default.clone();
        for (name, value) in chain.iter().rev().flat_map(|own| &own.properties) {
            self.text(&mut font, name, value);
        }
        (font != *default).then(|| Rc::new(font))
    }

    /// Applies a text property. A font name refers to a font face.
    fn text(&self, font: &mut Font, name: &str, value: &str) {
        match name {
            "font-name" => {
                let family = self.fonts.get(value).map_or(value, String::as_str);
                text(font, "font-family", family);
            }
            _ => text(font, name, value),
        }
    }

    /// Computes a cell style from its chain of parents, from the default style downwards.
    fn resolved(&self, own: &StoredStyle) -> Style {
        let mut chain = self.chain(&self.cells, own);
        chain.push(&self.default);
        let mut style = Style::default();
        let mut font = Font {
            name: "Liberation Sans".into(),
            size: 10.0,
            ..Font::default()
        };
        let mut align = Align::default();
        let mut by_value = true;
        for (name, value) in chain.iter().rev().flat_map(|own| &own.properties) {
            self.text(&mut font, name, value);
            cell(&mut style, &mut align, &mut by_value, name, value);
        }
        if by_value {
            align.across = HorizontalAlignment::General;
        }
        style.font = Rc::new(font);
        style.align = align;
        let format = chain.iter().find_map(|own| own.format.as_ref());
        if let Some(format) = format.and_then(|name| self.formats.get(name)) {
            style.format = format.clone();
        }
        style
    }
}

impl StoredStyle {
    /// Collects the properties of a style without interpreting them, because its parents may follow later in the
    /// file.
    fn of(node: &Node<'_>) -> Self {
        let mut properties = Vec::new();
        let mut maps = Vec::new();
        for child in &node.children {
            let kind = child.element.name;
            if kind == "map" && maps.len() < MAX_MAPS {
                let word = |name| child.attribute(name).unwrap_or_default().into_owned();
                maps.push(Map {
                    condition: word("condition").trim_start_matches("of:").to_owned(),
                    style: word("apply-style-name"),
                    base: word("base-cell-address"),
                });
            }
            if !matches!(
                kind,
                "table-cell-properties" | "paragraph-properties" | "text-properties"
            ) {
                continue;
            }
            for (name, value) in child.element.attributes() {
                // No style of a real file has so many properties.
                if properties.len() < 256 {
                    properties.push((name.to_owned(), value.into_owned()));
                }
            }
        }
        Self {
            parent: node
                .attribute("parent-style-name")
                .map(|name| name.into_owned()),
            format: node
                .attribute("data-style-name")
                .map(|name| name.into_owned()),
            properties,
            maps,
        }
    }
}

/// Finds a property of a style in any of its property elements.
fn property(node: &Node<'_>, name: &str) -> Option<String> {
    let mut children = node.children.iter();
    children.find_map(|child| child.attribute(name).map(|value| value.into_owned()))
}

//! Styles of a presentation (OpenDocument 1.3, part 3, 16), and the computation of a style from its chain of parents.
//! A cycle among parents ends the chain.
//!
//! The automatic styles of slides and of masters are separate, and may have the same names.

use super::{
    NAMESPACES,
    lists::ListStyle,
    properties::{FontFaces, Properties},
    values::family_of,
};
use crate::{
    containers::{
        odf,
        xml::{Element, Reader},
    },
    error::Result,
    job::Job,
};
use convertd_office::drawing::odf::paints::Paints;
use std::{cell::RefCell, collections::HashMap, rc::Rc};

/// Maximum length of a chain of parents.
const MAX_CHAIN: usize = 64;

/// Set of styles in which a name is looked up: the automatic styles of slides or of masters, or the common styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Scope {
    #[default]
    Slides,
    Masters,
    /// Common styles, which apply everywhere.
    Common,
}

/// Family of a style.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Family {
    /// Shapes.
    Graphic,
    /// Placeholders.
    Presentation,
    Paragraph,
    Text,
    Page,
    Cell,
    Column,
    Row,
}

impl Family {
    /// Returns the family with this name.
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "graphic" => Self::Graphic,
            "presentation" => Self::Presentation,
            "paragraph" => Self::Paragraph,
            "text" => Self::Text,
            "drawing-page" => Self::Page,
            "table-cell" => Self::Cell,
            "table-column" => Self::Column,
            "table-row" => Self::Row,
            _ => return None,
        })
    }
}

/// A style as the file states it.
#[derive(Debug, Default)]
struct Style {
    /// Name of the style from which this style inherits.
    parent: Option<Box<str>>,
    /// Properties that the style states itself.
    own: Properties,
}

/// Key of a style.
type Key = (Scope, Family, Box<str>);

/// Names of cell styles by the part of a table that they apply to.
pub(super) type TableLook = HashMap<Box<str>, Box<str>>;

/// Styles of a presentation.
#[derive(Default)]
pub(super) struct Sheet {
    fonts: FontFaces,
    /// Default style of each family.
    defaults: HashMap<Family, Properties>,
    all: HashMap<Key, Style>,
    lists: HashMap<(Scope, Box<str>), Rc<ListStyle>>,
    pub(super) paints: Paints,
    /// Widths and heights of pages, by page layout.
    pub(super) pages: HashMap<Box<str>, (f64, f64)>,
    /// Table templates.
    pub(super) tables: HashMap<Box<str>, TableLook>,
    /// Cache of computed styles, by style and outline level.
    known: RefCell<HashMap<(Key, usize), Rc<Properties>>>,
}

impl Sheet {
    /// Reads all styles of a part. `scope` is the set that its automatic styles belong to.
    pub(super) fn read(&mut self, job: &Job<'_>, text: &str, scope: Scope) -> Result<()> {
        odf::each_style(job, text, NAMESPACES, |xml, element, is_automatic| {
            let scope = if is_automatic { scope } else { Scope::Common };
            self.read_style(xml, element, scope)
        })
    }

    /// Reads a definition: a font face, a style of any family, a list style, a page layout, a table template, or a
    /// named gradient, hatch, bitmap, dash or marker.
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
                let family = value("font-family").and_then(|family| family_of(&family));
                if let (Some(name), Some(family)) = (value("name"), family) {
                    self.fonts.insert(name.into(), family);
                }
            }
            ("style", "style" | "default-style") => {
                let Some(family) = Family::parse(&value("family").unwrap_or_default()) else {
                    return Ok(());
                };
                let mut own = Properties {
                    list: value("list-style-name")
                        .filter(|name| !name.is_empty())
                        .map(Into::into),
                    ..Properties::default()
                };
                let (fonts, lists) = (&self.fonts, &mut self.lists);
                own.read(xml, fonts, &mut |xml, list| {
                    // A list style within a style has the name of that style, unless it has one of its own.
                    let own = list.attribute("name").map(Box::from);
                    let own = own.unwrap_or_else(|| name.clone());
                    let list = ListStyle::read(xml, fonts)?;
                    lists.insert((scope, own.clone()), Rc::new(list));
                    Ok(own)
                })?;
                if element.name == "default-style" {
                    self.defaults.insert(family, own);
                } else {
                    let parent = value("parent-style-name").map(Into::into);
                    self.all
                        .insert((scope, family, name), Style { parent, own });
                }
            }
            ("text", "list-style") => {
                let list = ListStyle::read(xml, &self.fonts)?;
                self.lists.insert((scope, name), Rc::new(list));
            }
            ("style", "page-layout") => {
                while let Some(child) = xml.next_element(3)? {
                    let side = |name| super::place::length(&child, name);
                    if let (Some(width), Some(height)) = (side("page-width"), side("page-height")) {
                        self.pages.insert(name.clone(), (width, height));
                    }
                }
            }
            ("table", "table-template") => {
                let mut look = TableLook::new();
                while let Some(part) = xml.next_element(3)? {
                    if let Some(style) = part.attribute("style-name") {
                        look.insert(part.name.into(), style.into());
                    }
                }
                self.tables.insert(name, look);
            }
            _ => self.paints.read(xml, element)?,
        }
        Ok(())
    }

    /// Finds an automatic style, or else the common style with this name.
    fn find(&self, scope: Scope, family: Family, name: &str) -> Option<&Style> {
        // The key owns its name, so the lookup needs a copy.
        let own = self.all.get(&(scope, family, name.into()));
        own.or_else(|| self.all.get(&(Scope::Common, family, name.into())))
    }

    /// Computed properties of a style and its parents.
    pub(super) fn style(&self, scope: Scope, family: Family, name: &str) -> Rc<Properties> {
        self.level(scope, family, name, 0)
    }

    /// Computed properties of an outline style at a level, from 1. Level 0 is for all other styles. Each level has a
    /// style of its own, but a frame names only the style of the first level.
    pub(super) fn level(
        &self,
        scope: Scope,
        family: Family,
        name: &str,
        level: usize,
    ) -> Rc<Properties> {
        let key = ((scope, family, name.into()), level);
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let mut chain: Vec<&Style> = Vec::new();
        let mut next: Option<Box<str>> = Some(name.into());
        while let Some(name) = next.take()
            && chain.len() < MAX_CHAIN
        {
            let name = match name.strip_suffix("-outline1") {
                Some(master) if level > 1 && chain.len() <= 1 => format!("{master}-outline{level}"),
                _ => name.into(),
            };
            let Some(style) = self.find(scope, family, &name) else {
                break;
            };
            if chain.iter().any(|known| std::ptr::eq(*known, style)) {
                break;
            }
            chain.push(style);
            next.clone_from(&style.parent);
        }
        // Only frames, pages and table cells have default properties. Paragraphs and runs state differences from their
        // frame.
        let default = match family {
            Family::Graphic | Family::Presentation => self.defaults.get(&Family::Graphic),
            Family::Page | Family::Cell => self.defaults.get(&family),
            _ => None,
        };
        let mut all = default.cloned().unwrap_or_default();
        for style in chain.into_iter().rev() {
            all.put(&style.own);
        }
        let all = Rc::new(all);
        self.known.borrow_mut().insert(key, all.clone());
        all
    }

    /// List style with this name.
    pub(super) fn list(&self, scope: Scope, name: &str) -> Option<Rc<ListStyle>> {
        let own = self.lists.get(&(scope, name.into()));
        let found = own.or_else(|| self.lists.get(&(Scope::Common, name.into())));
        found.cloned()
    }
}

//! Reads the numbering definitions part (ECMA-376 part 1, 17.9). The counting itself is in `office`.

use super::super::NAMESPACES;
use super::properties::on;
use crate::{
    containers::xml::{Element, Reader},
    document::office::{
        Definition, Font, LEVELS, Level, LevelFormat, List, Lists, ParagraphProperties,
        RunProperties,
    },
    error::Result,
    job::Job,
};
use convertd_tree::Numeral;

impl Lists {
    /// Reads the numbering definitions part.
    pub(super) fn read(job: &Job<'_>, text: &str) -> Result<Self> {
        let mut all = Self::default();
        let mut xml = Reader::new(job, text, NAMESPACES);
        xml.root()?;
        while let Some(element) = xml.next_element(1)? {
            let number = |name| element.attribute(name).and_then(|id| id.parse().ok());
            match element.name {
                "abstractNum" => {
                    let definition = Definition::read(&mut xml)?;
                    if let Some(id) = number("abstractNumId") {
                        all.definitions.insert(id, definition);
                    }
                }
                "num" => {
                    let list = List::read(&mut xml)?;
                    if let Some(id) = number("numId") {
                        all.lists.insert(id, list);
                    }
                }
                _ => {}
            }
        }
        all.resolve_links();
        Ok(all)
    }
}

impl Definition {
    fn read(xml: &mut Reader<'_>) -> Result<Self> {
        let mut definition = Self::default();
        let at = xml.level();
        while let Some(element) = xml.next_element(at)? {
            match element.name {
                "lvl" => {
                    let (number, level) = Level::read(xml, &element)?;
                    if let Some(own) = definition.levels.get_mut(number) {
                        *own = level;
                    }
                }
                "numStyleLink" => definition.stands_for = element.attribute("val").map(Into::into),
                "styleLink" => definition.defines = element.attribute("val").map(Into::into),
                _ => {}
            }
        }
        Ok(definition)
    }
}

impl List {
    fn read(xml: &mut Reader<'_>) -> Result<Self> {
        let mut list = Self::default();
        let at = xml.level();
        while let Some(element) = xml.next_element(at)? {
            match element.name {
                "abstractNumId" => {
                    let id = element.attribute("val").and_then(|id| id.parse().ok());
                    list.definition = id.unwrap_or(0);
                }
                "lvlOverride" => {
                    let number = element
                        .attribute("ilvl")
                        .and_then(|level| level.parse().ok());
                    let number: usize = number.unwrap_or(0);
                    while let Some(child) = xml.next_element(at + 1)? {
                        match child.name {
                            "startOverride" => {
                                let start = child.attribute("val").and_then(|at| at.parse().ok());
                                if let Some(own) = list.starts.get_mut(number) {
                                    *own = start;
                                }
                            }
                            "lvl" if number < LEVELS => {
                                let (_, level) = Level::read(xml, &child)?;
                                list.levels.push((number, level));
                            }
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(list)
    }
}

impl Level {
    fn read(xml: &mut Reader<'_>, element: &Element<'_>) -> Result<(usize, Self)> {
        let number = element
            .attribute("ilvl")
            .and_then(|level| level.parse().ok());
        let mut level = Self::default();
        let at = xml.level();
        while let Some(child) = xml.next_element(at)? {
            let value = || child.attribute("val").unwrap_or_default();
            match (child.space, child.name) {
                ("w", "start") => level.start = value().parse().unwrap_or(1),
                ("w", "numFmt") => level.format = LevelFormat::parse(&value()),
                ("w", "lvlText") => {
                    level.text = value().into();
                }
                ("w", "lvlRestart") => level.restart = value().parse().ok(),
                ("w", "isLgl") => level.legal = on(&child),
                ("w", "pStyle") => level.style = Some(value().into()),
                ("w", "pPr") => {
                    let properties = ParagraphProperties::read(xml)?;
                    level.indent = properties.indent_start;
                    level.hanging = properties.first_line;
                }
                ("w", "rPr") => {
                    level.run = RunProperties::read(xml)?;
                    let font = level.run.latin.as_ref();
                    level.font = font.and_then(Font::name).map(Into::into);
                }
                _ => {}
            }
        }
        Ok((number.unwrap_or(0), level))
    }
}

impl LevelFormat {
    /// The number formats of 17.18.59.
    fn parse(name: &str) -> Self {
        match name {
            "decimal" => Self::Number(Numeral::Decimal),
            "lowerLetter" => Self::Number(Numeral::LowerAlpha),
            "upperLetter" => Self::Number(Numeral::UpperAlpha),
            "lowerRoman" => Self::Number(Numeral::LowerRoman),
            "upperRoman" => Self::Number(Numeral::UpperRoman),
            "decimalZero" => Self::Zero,
            "bullet" => Self::Bullet,
            "none" => Self::None,
            _ => Self::Other,
        }
    }
}

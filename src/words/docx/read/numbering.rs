//! Reads the numbering definitions part (ECMA-376 part 1, 17.9). Counts no items; `convertd_office` does.

use super::super::NAMESPACES;
use super::properties::{on, paragraph, run};
use crate::{
    containers::xml::{Element, Reader},
    error::Result,
    job::Job,
};
use convertd_office::wordprocessing::{Definition, Font, LEVELS, Level, LevelFormat, List, Lists};
use convertd_tree::{LabelEnd, numerals::Format};

/// Reads all definitions and lists.
pub(super) fn lists(job: &Job<'_>, text: &str) -> Result<Lists> {
    let mut all = Lists::default();
    let mut xml = Reader::new(job, text, NAMESPACES);
    xml.root()?;
    while let Some(element) = xml.next_element(1)? {
        let number = |name| element.attribute(name).and_then(|id| id.parse().ok());
        match element.name {
            "abstractNum" => {
                let read = definition(&mut xml)?;
                if let Some(id) = number("abstractNumId") {
                    all.definitions.insert(id, read);
                }
            }
            "num" => {
                let read = list(&mut xml)?;
                if let Some(id) = number("numId") {
                    all.lists.insert(id, read);
                }
            }
            _ => {}
        }
    }
    all.resolve_links();
    Ok(all)
}

/// Reads `w:abstractNum` (17.9.1).
fn definition(xml: &mut Reader<'_>) -> Result<Definition> {
    let mut definition = Definition::default();
    let at = xml.level();
    while let Some(element) = xml.next_element(at)? {
        match element.name {
            "lvl" => {
                let (number, level) = level(xml, &element)?;
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

/// Reads `w:num` (17.9.15): its definition, and its overrides of levels. An override is a start value or a complete
/// level.
fn list(xml: &mut Reader<'_>) -> Result<List> {
    let mut list = List::default();
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
                            let (_, level) = level(xml, &child)?;
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

/// Reads `w:lvl` (17.9.6), and returns its index from 0 and the level.
fn level(xml: &mut Reader<'_>, element: &Element<'_>) -> Result<(usize, Level)> {
    let number = element
        .attribute("ilvl")
        .and_then(|level| level.parse().ok());
    let mut level = Level::default();
    let at = xml.level();
    while let Some(child) = xml.next_element(at)? {
        let value = || child.attribute("val").unwrap_or_default();
        match (child.space, child.name) {
            ("w", "start") => level.start = value().parse().unwrap_or(1),
            ("w", "numFmt") => {
                let custom = child.attribute("format");
                level.format = level_format(&value(), custom.as_deref());
            }
            ("w", "suff") => level.end = LabelEnd::of_name(&value()),
            ("w", "lvlText") => {
                level.text = value().into();
            }
            ("w", "lvlRestart") => level.restart = value().parse().ok(),
            ("w", "isLgl") => level.legal = on(&child),
            ("w", "pStyle") => level.style = Some(value().into()),
            ("w", "pPr") => {
                let properties = paragraph(xml)?;
                level.indent = properties.indent_start;
                level.hanging = properties.first_line;
            }
            ("w", "rPr") => {
                level.run = run(xml)?;
                let font = level.run.latin.as_ref();
                level.font = font.and_then(Font::name).map(Into::into);
            }
            _ => {}
        }
    }
    Ok((number.unwrap_or(0), level))
}

/// Number format of a level (ST_NumberFormat, 17.18.59).
fn level_format(name: &str, custom: Option<&str>) -> LevelFormat {
    match name {
        "bullet" => LevelFormat::Bullet,
        "none" => LevelFormat::None,
        name => Format::of_word(name, custom).map_or(LevelFormat::DECIMAL, LevelFormat::Number),
    }
}

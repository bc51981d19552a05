//! Defined names (ECMA-376 part 1, 18.2.5), including the built-in ones for print areas and print titles. Evaluates no
//! formulas.

use super::cells::is_set;
use crate::{
    cells::span,
    containers::xml::{Node, Reader},
    error::Result,
    ooxml::unescape,
    shown::book::{Grid, MAX_LIST, Name, Range},
};

/// Defined names of a workbook.
#[derive(Default)]
pub(super) struct Names {
    /// Names of all sheets in order, those without cells included.
    sheets: Vec<String>,
    /// Print areas: index of the sheet, and references.
    areas: Vec<(usize, String)>,
    /// Print titles: index of the sheet, and references.
    titles: Vec<(usize, String)>,
    /// Other names: index of the sheet that the name is local to, name, and formula.
    others: Vec<(Option<usize>, Box<str>, Box<str>)>,
}

/// Reads the workbook part. `xml` is at its beginning.
pub(super) fn read(xml: &mut Reader<'_>) -> Result<Names> {
    xml.root()?;
    let level = xml.level();
    let mut names = Names::default();
    while let Some(element) = xml.next_element(level)? {
        let list = element.name;
        if !matches!(list, "sheets" | "definedNames") {
            continue;
        }
        let inner = xml.level();
        while let Some(element) = xml.next_element(inner)? {
            let lists = [names.areas.len(), names.titles.len(), names.others.len()];
            if names.sheets.len() + lists.iter().sum::<usize>() > MAX_LIST {
                break;
            }
            let node = Node::read(xml, element)?;
            let name = node.attribute("name").unwrap_or_default();
            if list == "sheets" {
                names.sheets.push(unescape(&name).into_owned());
                continue;
            }
            let sheet = node.attribute("localSheetId");
            let sheet = sheet.and_then(|sheet| sheet.trim().parse().ok());
            match (&*name, sheet) {
                ("_xlnm.Print_Area", Some(sheet)) => {
                    names.areas.push((sheet, node.text.to_string()));
                }
                ("_xlnm.Print_Titles", Some(sheet)) => {
                    names.titles.push((sheet, node.text.to_string()));
                }
                // Other built-in names, hidden names, and names of functions and macros are left out.
                (own, _) if own.starts_with("_xlnm.") => {}
                _ if is_set(&node, "hidden") || is_set(&node, "function") => {}
                (name, sheet) => {
                    let formula = node.text.chars().take(8192).collect();
                    names.others.push((sheet, unescape(name).into(), formula));
                }
            }
        }
    }
    Ok(names)
}

impl Names {
    /// Names that users defined. Names that are local to a sheet outside of `grids` are left out.
    pub(super) fn defined(&self, grids: &[Grid]) -> Vec<Name> {
        let place = |sheet: usize| {
            let name = self.sheets.get(sheet)?;
            grids.iter().position(|grid| grid.sheet.name() == name)
        };
        let all = self.others.iter().filter_map(|(sheet, name, formula)| {
            let sheet = match sheet {
                Some(sheet) => Some(place(*sheet)?),
                None => None,
            };
            Some(Name {
                name: name.clone(),
                sheet,
                formula: formula.clone(),
            })
        });
        all.collect()
    }

    /// Applies print areas and print titles to a sheet, by its name.
    pub(super) fn apply(&self, sheet: &str, grid: &mut Grid) {
        let Some(number) = self.sheets.iter().position(|name| name == sheet) else {
            return;
        };
        let of = |list: &'_ [(usize, String)]| {
            let own = list.iter().filter(|(at, _)| *at == number);
            own.flat_map(|(_, text)| references(text))
                .collect::<Vec<_>>()
        };
        grid.print.areas = of(&self.areas).into_iter().map(Range::between).collect();
        for (rows, columns) in of(&self.titles) {
            match (rows, columns) {
                (Some(rows), None) => grid.print.repeated_rows = Some(rows),
                (None, Some(columns)) => grid.print.repeated_columns = Some(columns),
                (Some(_), Some(_)) | (None, None) => {}
            }
        }
    }
}

/// Rows and columns of a reference, from 0. `None` stands for all rows or all columns.
type Span = (Option<(u32, u32)>, Option<(u32, u32)>);

/// Parses a list of references, such as `Sheet1!$A$1:$C$9,'My sheet'!$1:$2`. Commas in quoted names do not separate.
fn references(text: &str) -> Vec<Span> {
    let (mut parts, mut quoted, mut start) = (Vec::new(), false, 0);
    for (at, character) in text.char_indices() {
        match character {
            '\'' => quoted = !quoted,
            ',' if !quoted => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    let parts = parts.into_iter().take(256);
    parts
        .filter_map(|part| {
            let place = part.rsplit_once('!').map_or(part, |(_, place)| place);
            span(place)
        })
        .collect()
}

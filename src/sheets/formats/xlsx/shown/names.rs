//! Names of ranges and formulas (ECMA-376 part 1, 18.2.5), and those that say what is printed: print areas, and the rows and columns
//! that are repeated.

use super::cells::says;
use crate::{
    cells::span,
    containers::xml::{Node, Reader},
    error::Result,
    ooxml::unescape,
    shown::book::{Grid, MAX_LIST, Name, Range},
};

/// Defined names for the sheets of a workbook.
#[derive(Default)]
pub(super) struct Names {
    /// The names of all sheets in order, those without cells included.
    sheets: Vec<String>,
    /// The number of a sheet, and its areas.
    areas: Vec<(usize, String)>,
    titles: Vec<(usize, String)>,
    /// All others, with the number of the sheet that they are of, if they are not of all.
    others: Vec<(Option<usize>, Box<str>, Box<str>)>,
}

/// Reads the workbook part; `xml` is at its beginning.
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
                // Names of Excel's own, and those of functions and macros.
                (own, _) if own.starts_with("_xlnm.") => {}
                _ if says(&node, "hidden") || says(&node, "function") => {}
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
    /// The names of ranges and formulas that these sheets have.
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

    /// Sets up a sheet by its name.
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

/// Rows and columns of a reference, from 0, either of which may be all.
type Span = (Option<(u32, u32)>, Option<(u32, u32)>);

/// References such as `Sheet1!$A$1:$C$9,'My sheet'!$1:$2`.
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

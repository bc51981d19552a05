//! Names that say what is printed: print areas, and the rows and columns that are repeated (ECMA-376 part 1, 18.2.5).

use crate::{
    containers::xml::{Node, Reader},
    error::Result,
    spreadsheet::{
        cells::span,
        ooxml::unescape,
        shown::book::{Grid, MAX_LIST, Range},
    },
};

/// What is said for the sheets of a workbook.
#[derive(Default)]
pub(super) struct Names {
    /// The names of all sheets in order, those without cells included.
    sheets: Vec<String>,
    /// The number of a sheet, and its areas.
    areas: Vec<(usize, String)>,
    titles: Vec<(usize, String)>,
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
            if names.sheets.len() + names.areas.len() + names.titles.len() > MAX_LIST {
                break;
            }
            let node = Node::read(xml, element)?;
            let name = node.attribute("name").unwrap_or_default();
            if list == "sheets" {
                names.sheets.push(unescape(&name).into_owned());
                continue;
            }
            let sheet = node.attribute("localSheetId");
            let Some(sheet) = sheet.and_then(|sheet| sheet.trim().parse().ok()) else {
                continue;
            };
            let to = match &*name {
                "_xlnm.Print_Area" => &mut names.areas,
                "_xlnm.Print_Titles" => &mut names.titles,
                _ => continue,
            };
            to.push((sheet, node.text.to_string()));
        }
    }
    Ok(names)
}

impl Names {
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
        grid.print.areas = of(&self.areas)
            .into_iter()
            .map(|(rows, columns)| {
                let rows = rows.unwrap_or((0, 1_048_575));
                let columns = columns.unwrap_or((0, 16_383));
                Range {
                    first: (rows.0, columns.0),
                    last: (rows.1, columns.1),
                }
            })
            .collect();
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

//! Writes a workbook with its styles: cell formats, sizes, merged cells, links, page setups, and formulas with their
//! stored values (ECMA-376 part 1, 18). A workbook that is too large for this is [streamed](super::write) without
//! styles.

mod comments;
mod pictures;
mod sheet;
mod styles;
mod validations;

pub(super) use pictures::ACCEPTED;

use super::write::{HEAD, MAIN, OFFICE, PACKAGE, level, names, references, types};
use crate::{
    cells::letters,
    coding,
    containers::zip::{self, Packing},
    error::Result,
    job::{Job, Notes, Output},
    ooxml::escaped,
    sheet::Sheet,
    shown::{
        book::{Book, Grid, Range},
        inserted::Pictures,
    },
};
use std::fmt::Write as _;

/// Writes a workbook.
pub(super) fn write(
    job: &Job<'_>,
    book: &Book,
    inserted: &Pictures,
    output: &mut dyn Output,
    _: &mut Notes,
) -> Result<()> {
    let mut zip = zip::Writer::new(job, output);
    let kind = super::write::kind(job);
    let sheets: Vec<Sheet> = book.grids.iter().map(|grid| grid.sheet.clone()).collect();
    let add = |zip: &mut zip::Writer<'_>, name: &str, text: &str| {
        zip.add(name, text.as_bytes(), Packing::Deflated)
    };
    let types = types(kind, sheets.len());
    let types = types.replace(
        "</Types>",
        &(pictures::types(book, inserted) + &comments::types(book) + "</Types>"),
    );
    add(&mut zip, "[Content_Types].xml", &types)?;
    let root = format!(
        "{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\"><Relationship Id=\"rId1\" Type=\"{OFFICE}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
    );
    add(&mut zip, "_rels/.rels", &root)?;
    let names = names(&sheets);
    add(&mut zip, "xl/workbook.xml", &workbook(book, &names))?;
    add(
        &mut zip,
        "xl/_rels/workbook.xml.rels",
        &references(sheets.len()),
    )?;
    add(&mut zip, "xl/styles.xml", &styles::part(book))?;
    for (number, grid) in book.grids.iter().enumerate() {
        job.check()?;
        let number = number + 1;
        zip.begin(
            &format!("xl/worksheets/sheet{number}.xml"),
            Some(level(job.quality())),
        )?;
        let has_pictures = inserted.kept(&grid.pictures).next().is_some();
        let links = sheet::write(job, book, grid, has_pictures, &mut zip)?;
        zip.end()?;
        if !links.is_empty() || !grid.comments.is_empty() || has_pictures {
            let mut xml = format!("{HEAD}<Relationships xmlns=\"{PACKAGE}/relationships\">");
            for (id, target) in links.iter().enumerate() {
                let target = coding::escape::escaped(target);
                let _ = write!(
                    xml,
                    "<Relationship Id=\"rId{}\" Type=\"{OFFICE}/hyperlink\" Target=\"{target}\" TargetMode=\"External\"/>",
                    id + 1
                );
            }
            if !grid.comments.is_empty() {
                xml += &comments::references(number);
                comments::write(grid, number, &mut zip)?;
            }
            if has_pictures {
                xml += &pictures::reference(number);
                pictures::write(grid, number, inserted, &mut zip)?;
            }
            xml += "</Relationships>";
            let name = format!("xl/worksheets/_rels/sheet{number}.xml.rels");
            add(&mut zip, &name, &xml)?;
        }
    }
    inserted.write(book, pictures::PREFIX, &mut zip)?;
    zip.finish()
}

/// Writes the workbook part, with defined names, print areas and print titles.
fn workbook(book: &Book, names: &[String]) -> String {
    let mut xml = format!("{HEAD}<workbook xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\">");
    if book.epoch == convertd_office::time::Epoch::From1904 {
        xml += "<workbookPr date1904=\"1\"/>";
    }
    xml += "<sheets>";
    let all_hidden = book.grids.iter().all(|grid| grid.sheet.hidden);
    for (number, (grid, name)) in book.grids.iter().zip(names).enumerate() {
        let state = match grid.sheet.hidden && !all_hidden {
            true => " state=\"hidden\"",
            false => "",
        };
        let (number, name) = (number + 1, escaped(name));
        let _ = write!(
            xml,
            "<sheet name=\"{name}\" sheetId=\"{number}\"{state} r:id=\"rId{number}\"/>"
        );
    }
    xml += "</sheets>";
    let mut defined = String::new();
    for (number, (grid, name)) in book.grids.iter().zip(names).enumerate() {
        let sheet = format!("'{}'", name.replace('\'', "''"));
        for (kind, value) in [
            ("Print_Area", areas(grid, &sheet)),
            ("Print_Titles", titles(grid, &sheet)),
        ] {
            if !value.is_empty() {
                let _ = write!(
                    defined,
                    "<definedName name=\"_xlnm.{kind}\" localSheetId=\"{number}\">{}</definedName>",
                    escaped(&value)
                );
            }
        }
    }
    for name in &book.names {
        let _ = write!(defined, "<definedName name=\"{}\"", escaped(&name.name));
        if let Some(sheet) = name.sheet {
            let _ = write!(defined, " localSheetId=\"{sheet}\"");
        }
        let _ = write!(defined, ">{}</definedName>", escaped(&name.formula));
    }
    if !defined.is_empty() {
        let _ = write!(xml, "<definedNames>{defined}</definedNames>");
    }
    xml + "</workbook>"
}

/// Formula of the defined name for the print areas of a sheet. Empty if the sheet has no print area.
fn areas(grid: &Grid, sheet: &str) -> String {
    let areas = grid.print.areas.iter().map(|area| {
        let (first, last) = (area.first, area.last);
        format!(
            "{sheet}!${}${}:${}${}",
            letters(first.1),
            first.0 + 1,
            letters(last.1),
            last.0 + 1
        )
    });
    areas.collect::<Vec<_>>().join(",")
}

/// Formula of the defined name for the print titles of a sheet. Empty if the sheet has none.
fn titles(grid: &Grid, sheet: &str) -> String {
    let columns = grid
        .print
        .repeated_columns
        .map(|(first, last)| format!("{sheet}!${}:${}", letters(first), letters(last)));
    let rows = grid.print.repeated_rows;
    let rows = rows.map(|(first, last)| format!("{sheet}!${}:${}", first + 1, last + 1));
    let all: Vec<String> = columns.into_iter().chain(rows).collect();
    all.join(",")
}

/// Reference to a range.
fn reference(range: &Range) -> String {
    let place = |(row, column): (u32, u32)| format!("{}{}", letters(column), row + 1);
    match range.first == range.last {
        true => place(range.first),
        false => format!("{}:{}", place(range.first), place(range.last)),
    }
}

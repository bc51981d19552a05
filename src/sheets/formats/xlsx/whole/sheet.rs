//! Writes a sheet with its styles (ECMA-376 part 1, 18.3.1). Elements are in the order of the schema; in
//! another order, Excel reports a damaged file.

use super::{
    super::write::{HEAD, MAIN, OFFICE},
    comments, pictures, reference, styles, validations,
};
use crate::{
    cells::letters,
    containers::zip,
    error::Result,
    job::Job,
    number::Number,
    ooxml::escaped,
    shown::{
        book::{Book, Cell, Grid, Line, Range, Value},
        measure,
        print::{self, Scale},
    },
};
use convertd_layout::faces::Faces;
use std::{collections::HashMap, fmt::Write as _};

/// Size in bytes above which collected output is compressed.
const BUFFER: usize = 1 << 16;

/// Writes a sheet. Returns the addresses of its links to other files, in the order of their relationships.
pub(super) fn write(
    job: &Job<'_>,
    book: &Book,
    grid: &Grid,
    has_pictures: bool,
    zip: &mut zip::Writer<'_>,
) -> Result<Vec<String>> {
    let digit = measure::digit_width(&book.normal, &mut Faces::new());
    let mut out = format!("{HEAD}<worksheet xmlns=\"{MAIN}\" xmlns:r=\"{OFFICE}\">");
    if matches!(grid.print.scale, Scale::Fit(..)) {
        out += "<sheetPr><pageSetUpPr fitToPage=\"1\"/></sheetPr>";
    }
    view(grid, &mut out);
    sizes(grid, digit, &mut out);
    out += "<sheetData>";
    for line in &grid.rows {
        job.check()?;
        row(line, &grid.arrays, &mut out);
        if out.len() > BUFFER {
            zip.append(out.as_bytes())?;
            out.clear();
        }
    }
    out += "</sheetData>";
    if !grid.merged.is_empty() {
        let _ = write!(out, "<mergeCells count=\"{}\">", grid.merged.len());
        for range in &grid.merged {
            let _ = write!(out, "<mergeCell ref=\"{}\"/>", reference(range));
        }
        out += "</mergeCells>";
    }
    validations::write(grid, &mut out);
    let links = links(grid, &mut out);
    print(grid, &mut out);
    if has_pictures {
        let _ = write!(out, "<drawing r:id=\"{}\"/>", pictures::DRAWING);
    }
    if !grid.comments.is_empty() {
        let _ = write!(out, "<legacyDrawing r:id=\"{}\"/>", comments::DRAWING);
    }
    out += "</worksheet>";
    zip.append(out.as_bytes())?;
    Ok(links)
}

/// Writes the view of the sheet: grid lines, direction, and frozen rows and columns.
fn view(grid: &Grid, out: &mut String) {
    let lines = if grid.shows_lines {
        ""
    } else {
        " showGridLines=\"0\""
    };
    let backwards = if grid.backwards {
        " rightToLeft=\"1\""
    } else {
        ""
    };
    let _ = write!(
        out,
        "<sheetViews><sheetView{lines}{backwards} workbookViewId=\"0\">"
    );
    let (rows, columns) = grid.frozen;
    if rows > 0 || columns > 0 {
        let corner = format!("{}{}", letters(columns), rows + 1);
        let pane = match (rows > 0, columns > 0) {
            (true, true) => "bottomRight",
            (true, false) => "bottomLeft",
            (false, _) => "topRight",
        };
        out.push_str("<pane");
        if columns > 0 {
            let _ = write!(out, " xSplit=\"{columns}\"");
        }
        if rows > 0 {
            let _ = write!(out, " ySplit=\"{rows}\"");
        }
        let _ = write!(
            out,
            " topLeftCell=\"{corner}\" activePane=\"{pane}\" state=\"frozen\"/>"
        );
    }
    out.push_str("</sheetView></sheetViews>");
}

/// Writes default sizes and columns. Widths are in digits of the default font, in steps of 1/256.
fn sizes(grid: &Grid, digit: f32, out: &mut String) {
    let characters = |pixels: f32| (f64::from(pixels.round() / digit) * 256.0).floor() / 256.0;
    let height = grid.default_height.unwrap_or(15.0);
    let hides = if grid.hides_rows {
        " zeroHeight=\"1\""
    } else {
        ""
    };
    let _ = write!(
        out,
        "<sheetFormatPr defaultColWidth=\"{}\" defaultRowHeight=\"{height}\"{hides}/>",
        characters(grid.default_width)
    );
    if grid.columns.is_empty() {
        return;
    }
    out.push_str("<cols>");
    for column in &grid.columns {
        let width = characters(column.width.unwrap_or(grid.default_width));
        let hidden = if column.hidden { " hidden=\"1\"" } else { "" };
        let custom = if column.width.is_some() {
            " customWidth=\"1\""
        } else {
            ""
        };
        let _ = write!(
            out,
            "<col min=\"{}\" max=\"{}\" width=\"{width}\" style=\"{}\"{hidden}{custom}/>",
            column.first + 1,
            column.last + 1,
            column.style
        );
    }
    out.push_str("</cols>");
}

/// Writes a row with its cells.
fn row(line: &Line, arrays: &HashMap<(u32, u32), (u32, u32)>, out: &mut String) {
    let _ = write!(out, "<row r=\"{}\"", line.number + 1);
    if let Some(style) = line.style {
        let _ = write!(out, " s=\"{style}\" customFormat=\"1\"");
    }
    if let Some(height) = line.height {
        let _ = write!(out, " ht=\"{height}\" customHeight=\"1\"");
    }
    if line.hidden {
        out.push_str(" hidden=\"1\"");
    }
    out.push('>');
    for cell in &line.cells {
        let last = arrays.get(&(line.number, cell.column));
        self::cell(line.number, cell, last.copied(), out);
    }
    out.push_str("</row>");
}

/// Writes a cell. `last` is the last cell of its range if it has an array formula.
fn cell(row: u32, cell: &Cell, last: Option<(u32, u32)>, out: &mut String) {
    let _ = write!(
        out,
        "<c r=\"{}{}\" s=\"{}\"",
        letters(cell.column),
        row + 1,
        cell.style
    );
    let formula = cell.formula.as_deref();
    let formula = formula
        .map(|formula| {
            let over = last.map(|last| {
                let first = (row, cell.column);
                format!(" t=\"array\" ref=\"{}\"", reference(&Range { first, last }))
            });
            format!("<f{}>{}</f>", over.unwrap_or_default(), escaped(formula))
        })
        .unwrap_or_default();
    let _ = match &cell.value {
        Value::Empty if formula.is_empty() => write!(out, "/>"),
        Value::Empty => write!(out, ">{formula}</c>"),
        Value::Number(number) if number.is_finite() => {
            let _ = write!(out, ">{formula}<v>");
            Number::general(*number).write_plain(out);
            write!(out, "</v></c>")
        }
        Value::Number(_) => write!(out, " t=\"e\">{formula}<v>#NUM!</v></c>"),
        Value::Boolean(is) => write!(out, " t=\"b\">{formula}<v>{}</v></c>", u8::from(*is)),
        Value::Error(error) => write!(out, " t=\"e\">{formula}<v>{}</v></c>", escaped(error)),
        Value::Text(words) if !formula.is_empty() => {
            write!(out, " t=\"str\">{formula}<v>{}</v></c>", escaped(words))
        }
        Value::Text(words) => write!(
            out,
            " t=\"inlineStr\"><is><t xml:space=\"preserve\">{}</t></is></c>",
            escaped(words)
        ),
        Value::Rich(runs) => {
            let _ = write!(out, " t=\"inlineStr\"><is>");
            for run in runs.iter() {
                let properties = run
                    .font
                    .as_ref()
                    .map(|font| styles::font(font, "rPr", "rFont"));
                let _ = write!(
                    out,
                    "<r>{}<t xml:space=\"preserve\">{}</t></r>",
                    properties.unwrap_or_default(),
                    escaped(&run.text)
                );
            }
            write!(out, "</is></c>")
        }
    };
}

/// Writes the hyperlinks. Returns the addresses that need a relationship.
fn links(grid: &Grid, out: &mut String) -> Vec<String> {
    let mut addresses = Vec::new();
    if grid.links.is_empty() {
        return addresses;
    }
    out.push_str("<hyperlinks>");
    for link in &grid.links {
        let _ = write!(out, "<hyperlink ref=\"{}\"", reference(&link.range));
        match link.target.strip_prefix('#') {
            Some(place) => {
                let _ = write!(out, " location=\"{}\"", escaped(place));
            }
            None => {
                // The fragment of a URL is in a separate attribute (`location`).
                let (address, place) = match link.target.split_once('#') {
                    Some((address, place)) => (address, Some(place)),
                    None => (&*link.target, None),
                };
                addresses.push(address.to_owned());
                let _ = write!(out, " r:id=\"rId{}\"", addresses.len());
                if let Some(place) = place {
                    let _ = write!(out, " location=\"{}\"", escaped(place));
                }
            }
        }
        if !link.title.is_empty() {
            let _ = write!(out, " tooltip=\"{}\"", escaped(&link.title));
        }
        out.push_str("/>");
    }
    out.push_str("</hyperlinks>");
    addresses
}

/// Writes the page setup, in the order that the schema requires.
fn print(grid: &Grid, out: &mut String) {
    let setup = &grid.print;
    let flags = [
        (setup.headings, "headings"),
        (setup.grid_lines, "gridLines"),
        (setup.centred.0, "horizontalCentered"),
        (setup.centred.1, "verticalCentered"),
    ];
    if flags.iter().any(|(is, _)| *is) {
        out.push_str("<printOptions");
        for (_, name) in flags.iter().filter(|(is, _)| *is) {
            let _ = write!(out, " {name}=\"1\"");
        }
        out.push_str("/>");
    }
    let inches = |points: f32| (f64::from(points) / 72.0 * 10_000.0).round() / 10_000.0;
    let [left, right, top, bottom] = setup.margins.map(inches);
    let _ = write!(
        out,
        "<pageMargins left=\"{left}\" right=\"{right}\" top=\"{top}\" bottom=\"{bottom}\" header=\"{}\" footer=\"{}\"/>",
        inches(setup.header_at),
        inches(setup.footer_at)
    );
    // `setup.paper` is a size in points, but a file refers to a standard paper by number.
    let is_same_size = |size: (f32, f32)| {
        (size.0 - setup.paper.0).abs() < 2.0 && (size.1 - setup.paper.1).abs() < 2.0
    };
    let paper = (1..=70).find(|number| print::paper(*number).is_some_and(is_same_size));
    let _ = match paper {
        Some(paper) => write!(out, "<pageSetup paperSize=\"{paper}\""),
        None => {
            let [width, height] = [setup.paper.0, setup.paper.1]
                .map(|points| (f64::from(points) * 25.4 / 72.0 * 100.0).round() / 100.0);
            write!(
                out,
                "<pageSetup paperHeight=\"{height}mm\" paperWidth=\"{width}mm\""
            )
        }
    };
    match setup.scale {
        Scale::By(100) => {}
        Scale::By(percent) => {
            let _ = write!(out, " scale=\"{percent}\"");
        }
        Scale::Fit(wide, tall) => {
            let _ = write!(out, " fitToWidth=\"{wide}\" fitToHeight=\"{tall}\"");
        }
    }
    if let Some(first) = setup.first_page {
        let _ = write!(out, " firstPageNumber=\"{first}\"");
    }
    if setup.over_first {
        out.push_str(" pageOrder=\"overThenDown\"");
    }
    out.push_str(if setup.landscape {
        " orientation=\"landscape\""
    } else {
        " orientation=\"portrait\""
    });
    if setup.without_colours {
        out.push_str(" blackAndWhite=\"1\"");
    }
    if setup.comments_at_end {
        out.push_str(" cellComments=\"atEnd\"");
    }
    if setup.first_page.is_some() {
        out.push_str(" useFirstPageNumber=\"1\"");
    }
    out.push_str("/>");
    margin_texts(grid, out);
    let breaks = [
        ("rowBreaks", &setup.row_breaks, 16_383),
        ("colBreaks", &setup.column_breaks, 1_048_575),
    ];
    for (name, breaks, most) in breaks {
        if breaks.is_empty() {
            continue;
        }
        let count = breaks.len();
        let _ = write!(
            out,
            "<{name} count=\"{count}\" manualBreakCount=\"{count}\">"
        );
        for at in breaks {
            let _ = write!(out, "<brk id=\"{at}\" max=\"{most}\" man=\"1\"/>");
        }
        let _ = write!(out, "</{name}>");
    }
}

/// Writes headers and footers, and those of even and first pages if they differ.
fn margin_texts(grid: &Grid, out: &mut String) {
    let texts = &grid.print.margin_texts;
    let any = texts.odd.iter().any(|text| !text.is_empty());
    if !any && texts.even.is_none() && texts.first.is_none() {
        return;
    }
    out.push_str("<headerFooter");
    if texts.even.is_some() {
        out.push_str(" differentOddEven=\"1\"");
    }
    if texts.first.is_some() {
        out.push_str(" differentFirst=\"1\"");
    }
    out.push('>');
    let mut pair = |name: &str, [header, footer]: &[Box<str>; 2]| {
        for (kind, codes) in [("Header", header), ("Footer", footer)] {
            if !codes.is_empty() {
                let _ = write!(out, "<{name}{kind}>{}</{name}{kind}>", escaped(codes));
            }
        }
    };
    pair("odd", &texts.odd);
    if let Some(even) = &texts.even {
        pair("even", even);
    }
    if let Some(first) = &texts.first {
        pair("first", first);
    }
    out.push_str("</headerFooter>");
}

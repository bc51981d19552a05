//! Converts sheets to documents: with their [styles](shown), or else each as a plain table for the document writers.
//! The tables are built in memory, so their size is limited. Does no layout.

use super::{
    cells::{Cells, Value},
    options,
    sheet::{Looks, View, Workbook},
    shown,
    stream::note_drawings,
};
use crate::{
    error::{Error, Kind, Result},
    format::Format,
    job::{Job, Notes, OptionSpec, Output, Pair},
};
use convertd_pages::document;
use convertd_tree::{Alignment, Builder, CellShape, MAX_COLUMNS, Node, ParagraphStyleId, Part};
use std::sync::LazyLock;

/// Names of the document formats that sheets are converted to.
const TARGETS: [&str; 5] = ["html", "md", "txt", "docx", "pdf"];

/// Options of these formats that are not offered for sheets.
const HAS_NO_EFFECT: [&str; 5] = ["toc", "wrap", "highlight", "pictures", "pictures_folder"];

/// Maximum number of cells in all tables together.
const MAX_CELLS: u64 = 250_000;

/// Each target format with its options.
static FIELDS: LazyLock<Vec<(&Format, Vec<&OptionSpec>)>> = LazyLock::new(|| {
    let targets = document::targets().filter(|(format, ..)| TARGETS.contains(&format.name));
    targets
        .map(|(format, _, options)| {
            let own = [&options::SHEET, &options::SHOWN_VALUES].into_iter();
            let of_target = options.iter().copied();
            let of_target = of_target.filter(|option| !HAS_NO_EFFECT.contains(&option.name));
            // The option `title`, which adds the title of the document to plain text, is not offered for sheets either.
            let of_target =
                of_target.filter(|option| format.name != "txt" || option.name != "title");
            let of_pages = [&options::FIT].into_iter().filter(|_| format.name == "pdf");
            (format, own.chain(of_pages).chain(of_target).collect())
        })
        .collect()
});

/// Conversions from a spreadsheet format to documents.
pub(super) fn pairs(from: &'static Format) -> impl Iterator<Item = Pair> {
    FIELDS.iter().map(move |(to, options)| Pair {
        from,
        to,
        quality: "no effect: nothing is lost at any level",
        options,
    })
}

/// Returns whether a format is one of the document formats above, or the JSON format of docling.
pub(super) fn is_page(format: &Format) -> bool {
    TARGETS.contains(&format.name) || format == document::docling()
}

/// Writes a workbook as a document, with its styles if source and target have them.
///
/// Errors: those of the reader and of the writers; [`Kind::BadInput`] if the first sheet is too large for a document.
pub(super) fn write(
    job: &Job<'_>,
    mut workbook: Box<dyn Workbook + '_>,
    view: View,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    if matches!(job.to.name, "pdf" | "html") {
        let mut build = Builder::new(job);
        let chosen = options::choose_visible(job.options(), workbook.sheets(), notes)?;
        match workbook.shown(&chosen, &mut build, notes)? {
            Looks::Read(mut book) => {
                notes.0.extend(book.unseen());
                drop(workbook);
                return match job.to.name {
                    "html" => shown::html(job, &book, build, view, output, notes),
                    _ => {
                        shown::print_comments(&mut book);
                        shown::pdf(job, &book, build, view, output, notes)
                    }
                };
            }
            Looks::TooMany => notes.add(format!(
                "The workbook has more than {MAX_CELLS} cells, so it became plain tables without formatting."
            )),
            Looks::None => {}
        }
    }
    let chosen = options::choose_tables(job.options(), workbook.sheets(), notes)?;
    let Tables { build, cut } = loop {
        match tables(job, &mut *workbook, &chosen) {
            Err(_) if workbook.starts_over() => {}
            tables => break tables?,
        }
    };
    for name in cut {
        notes.add(format!(
            "The sheet {name:?} is incomplete: a document has at most {MAX_CELLS} cells in tables of {MAX_COLUMNS} columns. Convert it to csv."
        ));
    }
    workbook.add_notes(notes);
    note_drawings(&mut *workbook, &chosen, notes)?;
    drop(workbook);
    let document = build.finish(notes)?;
    document::write(job, document, output, notes)
}

/// Writes data without a table as a document: as a block of code in the language of the file.
pub(super) fn write_code(
    job: &Job<'_>,
    text: String,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut build = Builder::new(job);
    build.code_block(job.from.name, text)?;
    let document = build.finish(notes)?;
    document::write(job, document, output, notes)
}

/// Sheets as tables of a document.
struct Tables<'b> {
    /// Builder of the document.
    build: Builder<'b>,
    /// Names of the sheets that exceed the limit.
    cut: Vec<String>,
}

/// Reads sheets as tables, by index. If there are several, each is under a heading with its name.
///
/// Errors: [`Kind::BadInput`] if the first sheet is too large.
fn tables<'b>(
    job: &'b Job<'b>,
    workbook: &mut dyn Workbook,
    sheets: &[usize],
) -> Result<Tables<'b>> {
    let mut all = Tables {
        build: Builder::new(job),
        cut: Vec::new(),
    };
    let mut left = MAX_CELLS;
    for sheet in sheets {
        let name = workbook.sheets().get(*sheet);
        let name = name.map_or(String::new(), |sheet| sheet.name().to_owned());
        match sheets.len() {
            1 => all.build.metadata.title = workbook.sheets()[*sheet].title.clone(),
            _ => heading(&mut all.build, &name)?,
        }
        let whole = table(&mut all.build, workbook, *sheet, &mut left)?;
        if !whole && sheets.first() == Some(sheet) {
            return Err(Error::new(
                Kind::BadInput,
                format!(
                    "the sheet has more than {MAX_CELLS} cells or {MAX_COLUMNS} columns, too many for a document; convert it to csv, or convert a part of it"
                ),
            ));
        }
        if !whole {
            all.cut.push(name);
        }
    }
    Ok(all)
}

/// Adds a heading with the name of a sheet.
fn heading(build: &mut Builder<'_>, name: &str) -> Result<()> {
    build.open(Node::Heading {
        level: 1,
        id: None,
        label: None,
        style: ParagraphStyleId::DEFAULT,
    })?;
    build.text(name)?;
    build.close()
}

/// Adds a sheet as a table, with its first row as the header. Returns whether it fits: a sheet with more than `left`
/// cells, or too many columns, ends before the first row that exceeds the limit.
fn table(
    build: &mut Builder<'_>,
    workbook: &mut dyn Workbook,
    sheet: usize,
    left: &mut u64,
) -> Result<bool> {
    build.open(Node::Table {
        columns: Vec::new(),
        width: None,
        alignment: None,
    })?;
    // Number of the next row, or `None` before the first non-empty row.
    let mut next = None;
    let mut fits = true;
    let mut text = String::new();
    workbook.read(sheet, &mut |cells| {
        let rest = left.checked_sub(u64::from(cells.filled()));
        let Some(rest) = rest.filter(|_| fits && cells.filled() as usize <= MAX_COLUMNS) else {
            fits = false;
            return Ok(());
        };
        *left = rest;
        let part = if next.is_none() {
            Part::Head
        } else {
            Part::Body
        };
        // A single empty row stands for a gap of any size.
        if next.is_some_and(|next| cells.row > next) {
            build.open(Node::Row { part, height: None })?;
            build.close()?;
        }
        next = Some(cells.row.saturating_add(1));
        add_row(build, cells, part, &mut text)
    })?;
    build.close()?;
    Ok(fits)
}

/// Adds a row to a table. Missing cells become empty ones. Numbers and displayed values are aligned to the end.
fn add_row(build: &mut Builder<'_>, cells: &Cells, part: Part, text: &mut String) -> Result<()> {
    build.open(Node::Row { part, height: None })?;
    let mut next = 0;
    for (column, value) in cells.iter() {
        for _ in next..column {
            build.open(Node::Cell(CellShape::default()))?;
            build.close()?;
        }
        let number = matches!(value, Value::Number(_) | Value::Digits(_) | Value::Shown(_));
        build.open(Node::Cell(CellShape {
            heading: part == Part::Head,
            alignment: number.then_some(Alignment::End),
            ..CellShape::default()
        }))?;
        build.open(Node::Paragraph(ParagraphStyleId::DEFAULT))?;
        text.clear();
        value.write(text);
        for (number, line) in text.lines().enumerate() {
            if number > 0 {
                build.line_break()?;
            }
            build.text(line)?;
        }
        build.close()?;
        build.close()?;
        next = column + 1;
    }
    build.close()
}

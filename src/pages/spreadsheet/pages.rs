//! Converts sheets to documents: as they [look](shown), or else a single one as a table for the document writers. The table is built in
//! memory, unlike what streams, so its size is limited. Lays out nothing.

use super::{
    cells::{Cells, Value},
    options,
    sheet::{Looks, View, Workbook},
    shown,
};
use crate::{
    document::{
        self,
        tree::{Alignment, Builder, CellShape, MAX_COLUMNS, Node, ParagraphStyleId, Part},
    },
    error::{Error, Kind, Result},
    format::Format,
    job::{Job, Notes, OptionSpec, Output, Pair},
};
use std::sync::LazyLock;

/// The document formats that sheets can be converted to.
const TARGETS: [&str; 4] = ["html", "md", "txt", "pdf"];

/// Options of these targets that change nothing about a table: it has neither headings nor lines that can be broken elsewhere.
const HAS_NO_EFFECT: [&str; 2] = ["toc", "wrap"];

/// The limit on the cells of the table.
const MAX_CELLS: u64 = 250_000;

/// Each target format with its optional fields.
static FIELDS: LazyLock<Vec<(&Format, Vec<&OptionSpec>)>> = LazyLock::new(|| {
    let targets = document::targets().filter(|(format, ..)| TARGETS.contains(&format.name));
    targets
        .map(|(format, _, options)| {
            let own = [&options::SHEET, &options::SHOWN_VALUES].into_iter();
            let of_target = options.iter().copied();
            let of_target = of_target.filter(|option| !HAS_NO_EFFECT.contains(&option.name));
            // Plain text shows only a title that the document shows, and a sheet shows none.
            let of_target =
                of_target.filter(|option| format.name != "txt" || option.name != "title");
            let of_pages = [&options::FIT].into_iter().filter(|_| format.name == "pdf");
            (format, own.chain(of_pages).chain(of_target).collect())
        })
        .collect()
});

/// The conversions from a spreadsheet format to documents.
pub(super) fn pairs(from: &'static Format) -> impl Iterator<Item = Pair> {
    FIELDS.iter().map(move |(to, options)| Pair {
        from,
        to,
        quality: "no effect: nothing is lost at any tier",
        options,
    })
}

/// Whether a format is one of these document formats.
pub(super) fn is_page(format: &Format) -> bool {
    TARGETS.contains(&format.name)
}

/// Writes a workbook as a document: with its looks, where the format has them and the target shows them.
///
/// Errors: [`Kind::BadInput`] if a sheet is too large.
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
                "The workbook has more than {MAX_CELLS} cells, so that they are shown as a plain table, without their looks."
            )),
            Looks::None => {}
        }
    }
    let chosen = options::choose(job.options(), workbook.sheets(), false, notes)?;
    let sheet = chosen.first().copied().unwrap_or(0);
    table(job, workbook, sheet, output, notes)
}

/// Writes the sheet with this index as a document with a table. Its first row becomes the header row.
fn table(
    job: &Job<'_>,
    mut workbook: Box<dyn Workbook + '_>,
    sheet: usize,
    output: &mut dyn Output,
    notes: &mut Notes,
) -> Result<()> {
    let mut build = Builder::new(job);
    build.metadata.title = (workbook.sheets().get(sheet)).and_then(|sheet| sheet.title.clone());
    build.open(Node::Table {
        columns: Vec::new(),
        width: None,
        alignment: None,
    })?;
    // The number of the next row. `None` until the first non-empty row.
    let mut next = None;
    let mut count = 0;
    let mut text = String::new();
    workbook.read(sheet, &mut |cells| {
        count += u64::from(cells.filled());
        if count > MAX_CELLS || cells.filled() as usize > MAX_COLUMNS {
            return Err(Error::new(
                Kind::BadInput,
                format!(
                    "the sheet has more than {MAX_CELLS} cells or {MAX_COLUMNS} columns, the most that become a document; convert it to csv, or a part of it"
                ),
            ));
        }
        let part = if next.is_none() { Part::Head } else { Part::Body };
        if next.is_some_and(|next| cells.row > next) {
            build.open(Node::Row { part, height: None })?;
            build.close()?;
        }
        next = Some(cells.row.saturating_add(1));
        add_row(&mut build, cells, part, &mut text)
    })?;
    build.close()?;
    workbook.tell(notes);
    drop(workbook);
    let document = build.finish(notes)?;
    document::write(job, document, output, notes)
}

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

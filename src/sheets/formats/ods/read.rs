//! Opens a spreadsheet: names of sheets and cell styles. All sheets are in one part, `content.xml`, which is read once
//! for the names, and once more for each sheet to be converted. Reads no cells itself.

use super::{CONTENT, NAMESPACES, STYLES, sheet, styles::Styles};
use crate::{
    cells::tell_beyond,
    containers::{
        xml::{Stream, Token},
        zip::{self, Archive},
    },
    error::Result,
    job::{Input, Job, Lease, Notes},
    sheet::{MAX_SHEETS, Rows, Sheet, View, Workbook},
};
use std::collections::HashSet;

#[cfg(feature = "document")]
use crate::sheet::Looks;

/// An open spreadsheet.
struct Document<'a> {
    job: &'a Job<'a>,
    archive: Archive<'a>,
    /// Sheets in file order.
    sheets: Vec<Sheet>,
    /// Number formats of the cell styles.
    styles: Styles,
    /// Number of cells beyond the last column.
    beyond: u64,
    /// Sheets with drawings, among those that were read.
    drawn: HashSet<usize>,
    // Memory of the archive's directory. If sheets are read with their styles (feature `document`), their memory is
    // added.
    #[cfg_attr(not(feature = "document"), allow(dead_code))]
    lease: Lease<'a>,
}

/// Opens a spreadsheet. A first pass over `content.xml` lists the sheets; their cells are read later, sheet by sheet.
pub(super) fn open<'a>(
    job: &'a Job<'a>,
    input: &'a mut dyn Input,
    view: View,
) -> Result<Box<dyn Workbook + 'a>> {
    let lease = job.lease(zip::directory_memory(job, input)?)?;
    let mut archive = Archive::open(job, input)?;
    let mut styles = Styles::new(view);
    if archive.entry(STYLES).is_some() {
        let mut xml = Stream::new(job, archive.stream(STYLES)?, NAMESPACES)?;
        while let Some(token) = xml.next()? {
            if let Token::Start(element) = token {
                styles.start(&element);
            }
        }
    }
    let mut sheets = Vec::new();
    let mut xml = Stream::new(job, archive.stream(CONTENT)?, NAMESPACES)?;
    let mut tables = sheet::Tables::default();
    while let Some(token) = xml.next()? {
        if let Token::Start(element) = &token
            && !tables.begun()
        {
            styles.start(element);
        }
        if let Some(table) = tables.next(&token)
            && sheets.len() < MAX_SHEETS
        {
            let name = table.attribute("name").unwrap_or_default();
            let style = table.attribute("style-name").unwrap_or_default();
            sheets.push(Sheet {
                title: Some(name.chars().take(255).collect()),
                hidden: styles.is_hidden(&style),
                chart: false,
            });
        }
    }
    drop(xml);
    styles.finish();
    if sheets.is_empty() {
        return Err(job.unreadable("it has no sheet"));
    }
    Ok(Box::new(Document {
        job,
        archive,
        sheets,
        styles,
        beyond: 0,
        drawn: HashSet::new(),
        lease,
    }))
}

impl Workbook for Document<'_> {
    fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    fn read(&mut self, sheet: usize, rows: &mut Rows<'_>) -> Result<()> {
        let mut xml = Stream::new(self.job, self.archive.stream(CONTENT)?, NAMESPACES)?;
        let mut tables = sheet::Tables::default();
        let mut number = 0;
        while let Some(token) = xml.next()? {
            if tables.next(&token).is_some() {
                if number == sheet {
                    let left_out = sheet::read(self.job, &mut xml, &self.styles, rows)?;
                    self.beyond += left_out.beyond;
                    if left_out.has_drawings {
                        self.drawn.insert(sheet);
                    }
                    return Ok(());
                }
                number += 1;
            }
        }
        Ok(())
    }

    #[cfg(feature = "document")]
    fn shown(
        &mut self,
        sheets: &[usize],
        build: &mut convertd_tree::Builder<'_>,
        notes: &mut Notes,
    ) -> Result<Looks> {
        let wanted = sheets
            .iter()
            .filter_map(|at| Some((*at, self.sheets.get(*at)?.clone())));
        let wanted: Vec<_> = wanted.collect();
        let book = super::shown::read(
            self.job,
            &mut self.archive,
            &wanted,
            build,
            &self.lease,
            notes,
        )?;
        Ok(book.map_or(Looks::TooMany, |book| Looks::Read(Box::new(book))))
    }

    fn has_drawings(&mut self, sheet: usize) -> Result<bool> {
        Ok(self.drawn.contains(&sheet))
    }

    fn add_notes(&mut self, notes: &mut Notes) {
        tell_beyond(self.beyond, notes);
    }
}

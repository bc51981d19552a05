//! Reads spreadsheets with their styles, sizes and page styles (OASIS OpenDocument 1.3, part 3, 9, 16 and 20).
//! Conversions that need only values use [`sheet`](super::sheet) instead.

mod cells;
mod chart_cells;
mod conditions;
mod content;
mod frames;
mod lengths;
mod page;
mod properties;
mod ranges;
mod styles;

use super::{NAMESPACES, names, validations::Rules};
use crate::{
    cells::tell_beyond,
    containers::{
        xml::{Element, Node, Reader, decode_owned},
        zip::Archive,
    },
    error::Result,
    job::{Job, Lease, Notes},
    sheet::Sheet,
    shown::{
        book::{Book, DRAWINGS, Extent, MAX_CELLS, MAX_LIST, MarginPicture, Placed},
        conditions::add_notes as note_conditions,
    },
};
use convertd_tree::Builder;
use std::collections::HashMap;

/// Maximum size of a part, in bytes. Parts are read as a whole.
const MAX_PART: u64 = 96 << 20;

/// Reads sheets, by index. `None` if they have too many cells, or if the main part is larger than [`MAX_PART`]. Memory
/// is added to `lease`.
pub(super) fn read(
    job: &Job<'_>,
    archive: &mut Archive<'_>,
    sheets: &[(usize, Sheet)],
    build: &mut Builder<'_>,
    lease: &Lease<'_>,
    notes: &mut Notes,
) -> Result<Option<Book>> {
    let mut content = Content::new(sheets);
    let text_of = |archive: &mut Archive<'_>, name: &str| -> Result<Option<String>> {
        let Some(entry) = archive.entry(name).filter(|entry| entry.size <= MAX_PART) else {
            return Ok(None);
        };
        lease.grow_exactly(5 * entry.size)?;
        Ok(Some(decode_owned(archive.read(name)?)))
    };
    if let Some(text) = text_of(archive, super::STYLES)? {
        let mut xml = Reader::new(job, &text, NAMESPACES);
        xml.root()?;
        content.styles.read(&mut xml, &mut content.pages)?;
    }
    if let Some(text) = text_of(archive, "meta.xml")? {
        content.book.saved = page::saved(job, &text);
    }
    let Some(text) = text_of(archive, super::CONTENT)? else {
        return Ok(None);
    };
    if !content.read(&mut Reader::new(job, &text, NAMESPACES))? {
        return Ok(None);
    }
    let Content {
        mut book,
        pages,
        frames,
        masters,
        left_out,
        beyond,
        ..
    } = content;
    if let Some(text) = text_of(archive, super::settings::NAME)? {
        super::settings::read(job, &text, &mut book.grids)?;
    }
    // Charts may show the cells of any sheet, so drawings come last.
    for (at, frame) in frames {
        let placed = frame.place((job, &book.grids), archive, build, lease, MAX_PART)?;
        let grid = &mut book.grids[at];
        match placed {
            Some(placed) => grid.pictures.push(placed),
            None => drop(grid.unread.insert(DRAWINGS)),
        }
    }
    let mut context = PictureContext {
        job,
        archive,
        build,
        lease,
    };
    context.margins(&pages, &masters, &mut book)?;
    note_conditions(left_out, notes);
    tell_beyond(beyond, notes);
    Ok(Some(book))
}

/// Reader of the main part, `content.xml`.
struct Content<'s> {
    /// Sheets to read, with their indices in the file.
    sheets: &'s [(usize, Sheet)],
    /// Workbook so far.
    book: Book,
    /// Styles by name.
    styles: styles::Styles,
    /// Page layouts and master pages by name.
    pages: page::Pages,
    /// Data validation rules of the document.
    rules: Rules,
    /// Frames, with the index of their sheet in `book`.
    frames: Vec<(usize, frames::Frame)>,
    /// Name of the master page of each sheet in `book`.
    masters: Vec<String>,
    /// Number of cells that may still be read.
    left: usize,
    /// Number of cells beyond the last column.
    beyond: u64,
    /// Number of conditional formats that were left out.
    left_out: usize,
}

impl<'s> Content<'s> {
    fn new(sheets: &'s [(usize, Sheet)]) -> Self {
        Self {
            sheets,
            book: Book::default(),
            styles: styles::Styles::default(),
            pages: page::Pages::default(),
            rules: Rules::default(),
            frames: Vec::new(),
            masters: Vec::new(),
            left: MAX_CELLS,
            beyond: 0,
            left_out: 0,
        }
    }

    /// Reads the part. Returns false if there are too many cells.
    fn read(&mut self, xml: &mut Reader<'_>) -> Result<bool> {
        xml.root()?;
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            match element.name {
                "font-face-decls" | "automatic-styles" => {
                    self.styles.list(xml, &mut self.pages)?;
                }
                "body" => {
                    self.styles.finish(&mut self.book);
                    let level = xml.level();
                    while let Some(element) = xml.next_element(level)? {
                        if element.name == "spreadsheet" && !self.tables(xml)? {
                            return Ok(false);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(true)
    }

    /// Reads the sheets. Returns false if there are too many cells.
    fn tables(&mut self, xml: &mut Reader<'_>) -> Result<bool> {
        let level = xml.level();
        let mut number = 0;
        while let Some(element) = xml.next_element(level)? {
            match element.name {
                "content-validations" => each(xml, |node| self.rules.add(node))?,
                "named-expressions" => {
                    each(xml, |node| names::add(node, None, &mut self.book.names))?;
                }
                "table" => {
                    let sheets = self.sheets;
                    let wanted = sheets.iter().find(|(wanted, _)| *wanted == number);
                    number += 1;
                    if let Some((_, sheet)) = wanted
                        && !self.table(xml, &element, sheet)?
                    {
                        return Ok(false);
                    }
                }
                _ => {}
            }
        }
        Ok(true)
    }

    /// Reads a sheet. Returns false if there are too many cells.
    fn table(
        &mut self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        sheet: &Sheet,
    ) -> Result<bool> {
        let mut reader = cells::Table {
            styles: &mut self.styles,
            book: &mut self.book,
            left: &mut self.left,
            beyond: &mut self.beyond,
        };
        let Some(read) = reader.read(xml, sheet)? else {
            return Ok(false);
        };
        let mut grid = read.grid;
        self.rules.apply(read.rule_ranges, &mut grid);
        self.left_out += read.conditions.apply(&mut grid, &self.book, &self.styles);
        let at = self.book.grids.len();
        let frames = read.frames.into_iter().map(|frame| (at, frame));
        self.frames.extend(frames);
        let style = element.attribute("style-name").unwrap_or_default();
        let master = self.styles.master(&style);
        self.pages.apply(master, &mut grid);
        self.masters.push(master.to_owned());
        if let Some(areas) = element.attribute("print-ranges") {
            grid.print.areas = ranges::ranges(&areas);
        }
        self.book.grids.push(grid);
        Ok(true)
    }
}

/// Context that pictures are read in.
struct PictureContext<'r, 'a, 'j> {
    job: &'r Job<'r>,
    /// Package with the files of the pictures.
    archive: &'r mut Archive<'a>,
    /// Builder of the document that contains the pictures.
    build: &'r mut Builder<'j>,
    /// Memory of the reader.
    lease: &'r Lease<'r>,
}

impl PictureContext<'_, '_, '_> {
    /// Reads the pictures in headers and footers, once for each master page.
    fn margins(&mut self, pages: &page::Pages, masters: &[String], book: &mut Book) -> Result<()> {
        let mut known: HashMap<&str, Vec<MarginPicture>> = HashMap::new();
        for (grid, master) in book.grids.iter_mut().zip(masters) {
            let Some((name, marginals)) = pages.pictures(master) else {
                continue;
            };
            if !known.contains_key(name) {
                let mut read = Vec::new();
                for page::Marginal { place, frame } in marginals {
                    let around = (self.job, &[][..]);
                    let frame = frame.clone();
                    let placed =
                        frame.place(around, self.archive, self.build, self.lease, MAX_PART)?;
                    let Some(Placed {
                        picture,
                        extent: Extent::Size(width, height),
                        ..
                    }) = placed
                    else {
                        continue;
                    };
                    read.push(MarginPicture {
                        place: place.as_str().into(),
                        picture,
                        size: (width, height),
                    });
                }
                known.insert(name, read);
            }
            grid.margin_pictures = known.get(name).cloned().unwrap_or_default();
        }
        Ok(())
    }
}

/// Calls `with` with each child of the open element, up to [`MAX_LIST`].
fn each(xml: &mut Reader<'_>, mut with: impl FnMut(&Node<'_>)) -> Result<()> {
    let level = xml.level();
    let mut left = MAX_LIST;
    while let Some(element) = xml.next_element(level)? {
        let node = Node::read(xml, element)?;
        if left > 0 {
            with(&node);
        }
        left = left.saturating_sub(1);
    }
    Ok(())
}

//! Finds the tables of a page, and creates sheets for them. Reads no cells of tables.

use super::{
    hints::Hints,
    looks::{self, Ancestors, Looks},
    table,
    text::Text,
};
use crate::{
    cells::MAX_ROWS,
    error::Result,
    job::{Job, Notes},
    separators::Separators,
    sheet::{MAX_SHEETS, Sheet},
    shown::book::{Book, Cell, Grid, Line, Value},
};
use convertd_markup::{
    css::{
        cascade::Cascade,
        looks::{VIEWPORT, sheets},
        style::{Display, Style},
    },
    dom::{Data, Dom, NodeId},
};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// Default width of columns, in pixels.
const DEFAULT_WIDTH: f32 = 64.0;

/// Reads all tables of a page.
pub(super) fn read(job: &Job<'_>, dom: &mut Dom, hints: &Hints, notes: &mut Notes) -> Result<Book> {
    let rules = sheets(dom, true);
    if rules.too_many {
        notes.add("The page has too many style rules, so some of its formatting was left out.");
    }
    let dom = &*dom;
    let is_cell = |id: &NodeId| matches!(dom.tag(*id), "td" | "th");
    let mut languages = dom.all().filter(|id| dom.tag(*id) == "html");
    let language = languages.find_map(|id| dom.attribute(id, "lang"));
    let texts = dom.all().filter(is_cell).map(|id| dom.text(id));
    let mut reader = Reader {
        job,
        dom,
        cascade: Cascade::new(dom, rules, VIEWPORT),
        separators: (hints.separators).unwrap_or_else(|| Separators::of(texts, language)),
        looks: Looks::new(),
        for_excel: hints.for_excel,
        one_sheet: hints.for_excel,
        layouts: layout_tables(dom),
        grids: Vec::new(),
        next: 0,
        line: None,
        cut: false,
        left_out: false,
    };
    // For a workbook with several sheets, Excel writes the name of each sheet, and a table for each. Each of these
    // tables becomes a sheet.
    let tables = count_tables(dom, &reader.layouts);
    if hints.names.len() > 1 && hints.names.len() == tables {
        reader.one_sheet = false;
    }
    if reader.one_sheet {
        reader.begin_sheet(None);
    }
    let root = Rc::new(Style::default());
    reader.walk(NodeId::DOCUMENT, &root, Ancestors::default())?;
    reader.end_line();
    if reader.cascade.is_exhausted() {
        notes.add("The page has too many style rules and elements, so some of its formatting was left out.");
    }
    if reader.cut {
        notes.add("Cells beyond the last row or column that a sheet can have were left out.");
    }
    if tables == 0 {
        notes.add("No table was found in the page.");
    } else if !reader.one_sheet && tables > MAX_SHEETS {
        notes.add(format!(
            "The page has {tables} tables; each of the first {} became a sheet, and the last sheet contains the others.",
            MAX_SHEETS - 1
        ));
    } else if !reader.one_sheet && tables > 1 {
        notes.add(format!(
            "The page has {tables} tables; each of them became a sheet."
        ));
    }
    if reader.left_out {
        notes.add("Text outside of tables was left out.");
    }
    let (mut grids, styles) = (reader.grids, reader.looks.into_styles());
    if grids.is_empty() {
        grids.push(Grid::default());
    }
    for (grid, name) in grids.iter_mut().zip(&hints.names) {
        grid.sheet.title = Some(name.clone()).filter(|name| !name.is_empty());
    }
    Ok(Book {
        styles,
        grids,
        ..Book::default()
    })
}

/// Nearest table around a node.
fn table_around(dom: &Dom, id: NodeId) -> Option<NodeId> {
    let mut around = std::iter::successors(dom.parent(id), |one| dom.parent(*one));
    around.find(|one| dom.tag(*one) == "table")
}

/// Number of outermost tables. Layout tables are ignored.
fn count_tables(dom: &Dom, layouts: &HashSet<NodeId>) -> usize {
    let is_one = |id: &NodeId| dom.tag(*id) == "table" && !layouts.contains(id);
    let is_inner = |id: &NodeId| {
        let mut around =
            std::iter::successors(table_around(dom, *id), |one| table_around(dom, *one));
        around.any(|one| !layouts.contains(&one))
    };
    dom.all().filter(is_one).filter(|id| !is_inner(id)).count()
}

/// Finds layout tables: tables with fewer cells than the tables nested in them.
fn layout_tables(dom: &Dom) -> HashSet<NodeId> {
    let mut own: HashMap<NodeId, usize> = HashMap::new();
    let mut inner: HashMap<NodeId, usize> = HashMap::new();
    let cells = dom.all().filter(|id| matches!(dom.tag(*id), "td" | "th"));
    for table in cells.filter_map(|cell| table_around(dom, cell)) {
        *own.entry(table).or_default() += 1;
    }
    for (table, cells) in &own {
        let first = table_around(dom, *table);
        for around in std::iter::successors(first, |one| table_around(dom, *one)) {
            *inner.entry(around).or_default() += cells;
        }
    }
    let arranges = |(table, cells): &(NodeId, usize)| own.get(table).is_none_or(|own| own < cells);
    let arranging = inner.into_iter().filter(arranges);
    arranging.map(|(table, _)| table).collect()
}

/// State of the reader.
pub(super) struct Reader<'d> {
    pub(super) job: &'d Job<'d>,
    /// Elements of the page.
    pub(super) dom: &'d Dom,
    /// Style sheets of the page.
    pub(super) cascade: Cascade<'d>,
    /// Decimal and thousands separators of the numbers.
    pub(super) separators: Separators,
    /// Cell styles so far.
    pub(super) looks: Looks,
    /// Whether the page was written for Excel.
    pub(super) for_excel: bool,
    /// Whether all tables and the text around them go into one sheet.
    pub(super) one_sheet: bool,
    /// Layout tables.
    layouts: HashSet<NodeId>,
    /// Sheets so far.
    pub(super) grids: Vec<Grid>,
    /// Next row of the last sheet.
    pub(super) next: u32,
    /// Text since the last table or line end.
    line: Option<(Text, Rc<Style>, Ancestors)>,
    /// Whether a limit on rows, columns or sheets was exceeded.
    pub(super) cut: bool,
    /// Whether text outside of tables was dropped.
    left_out: bool,
}

impl<'d> Reader<'d> {
    /// Walks over the page outside of tables. The parser limits the depth of the tree, which bounds the recursion.
    fn walk(&mut self, id: NodeId, parent: &Rc<Style>, ancestors: Ancestors) -> Result<()> {
        let dom = self.dom;
        for child in dom.children(id) {
            let element = match &dom.node(child).data {
                Data::Text(text) => {
                    self.add(text, parent, ancestors);
                    continue;
                }
                Data::Element(_) => child,
                Data::Document | Data::Drawing(..) => continue,
            };
            let style = self.cascade.style(element, parent, ancestors.root);
            if style.display == Display::None {
                continue;
            }
            let within = ancestors.within(&style);
            if dom.tag(element) == "table" && !self.layouts.contains(&element) {
                self.end_line();
                table::read(self, element, &style, within)?;
                continue;
            }
            let breaks = !style.is_inline_level() || dom.tag(element) == "br";
            if breaks {
                self.end_line();
            }
            self.walk(element, &style, within)?;
            if breaks {
                self.end_line();
            }
        }
        Ok(())
    }

    /// Adds text outside of tables to the current line, or notes its loss.
    fn add(&mut self, text: &str, style: &Rc<Style>, ancestors: Ancestors) {
        if self.one_sheet {
            let line =
                (self.line).get_or_insert_with(|| (Text::default(), style.clone(), ancestors));
            line.0.add(text, &style.text);
        } else {
            self.left_out |= !text.trim().is_empty();
        }
    }

    /// Ends a line of text outside of tables, which becomes a row.
    fn end_line(&mut self) {
        let Some((text, style, ancestors)) = self.line.take() else {
            return;
        };
        let value = text.finish();
        let (Some(grid), false) = (self.grids.last_mut(), value.is_empty()) else {
            return;
        };
        if self.next >= MAX_ROWS {
            self.cut = true;
            return;
        }
        let formatting = looks::Cell {
            ancestors,
            text: value.only_look(),
            code: None,
            wraps: false,
        };
        let cell = Cell {
            style: self.looks.style(&style, formatting),
            value: Value::from(value),
            ..Cell::empty(0)
        };
        grid.rows.push(Line {
            number: self.next,
            cells: vec![cell],
            ..Line::default()
        });
        self.next += 1;
    }

    /// Begins a sheet. At the limit on sheets, everything goes into the last one.
    pub(super) fn begin_sheet(&mut self, title: Option<String>) {
        if self.grids.len() >= MAX_SHEETS {
            return;
        }
        self.next = 0;
        self.grids.push(Grid {
            sheet: Sheet {
                title,
                ..Sheet::default()
            },
            default_width: DEFAULT_WIDTH,
            shows_lines: true,
            ..Grid::default()
        });
    }
}

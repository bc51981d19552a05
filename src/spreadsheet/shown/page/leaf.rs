//! Draws one page of a sheet: fills, lines, text, pictures. Decides nothing about where pages end.

use super::{
    cell::{self, Owner, Room},
    drawing,
    edges::{self, EdgeMap},
    plan::{Leaf, Printed},
    shifted,
};
use crate::{
    document::{
        layout::{
            context::Layout,
            item::{Area, Item},
            structure::{NodeId, Role},
        },
        tree::Colour,
    },
    error::Result,
    spreadsheet::{
        cells::letters,
        sheet::View,
        shown::{
            book::{Book, Cell, Line, Link, Range, Run, Value},
            style::{Across, Align, Down, Edge, Stroke, Style},
            text::{Kind, Shown},
        },
    },
};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// How many columns to the left of a page text is looked for that runs over.
const RUNS_OVER: usize = 8;

/// The elements of the structure that the pages of a sheet share.
#[derive(Default)]
pub(super) struct Tables {
    table: Option<NodeId>,
    rows: HashMap<u32, NodeId>,
    /// Merged cells that are read aloud already.
    read: HashSet<(u32, u32)>,
}

/// A page that is being drawn.
struct Drawing<'l, 'a, 'p> {
    layout: &'l mut Layout<'a>,
    book: &'p Book,
    printed: &'p Printed<'p>,
    leaf: &'p Leaf,
    view: View,
    /// The numbers of the columns and rows on the page, with whether they are repeated.
    columns: Vec<(u32, bool)>,
    rows: Vec<(u32, bool)>,
    /// Where each begins, and the last one ends.
    xs: Vec<f32>,
    ys: Vec<f32>,
    /// The merged ranges on the page, and which of them covers a place on it.
    merged: Vec<Range>,
    covered: HashMap<(usize, usize), usize>,
    items: Vec<Item>,
    /// Areas of links, unscaled.
    links: Vec<(Area, usize)>,
}

/// What is drawn on a page, in points from its upper left corner.
pub(super) fn draw(
    layout: &mut Layout<'_>,
    book: &Book,
    printed: &Printed<'_>,
    leaf: &Leaf,
    view: View,
    begins: bool,
    tables: &mut Tables,
) -> Result<Vec<Item>> {
    if begins {
        *tables = Tables::default();
    }
    let grid = printed.grid;
    let mut drawing = Drawing::new(layout, book, printed, leaf, view);
    drawing.fills_and_edges();
    drawing.headings();
    drawing.texts(tables)?;
    drawing.pictures();
    let Drawing {
        xs,
        ys,
        items,
        links,
        ..
    } = drawing;
    let (width, height) = printed.setup.page();
    let [left, right, top, bottom] = printed.setup.margins;
    let end = |places: &[f32]| places.last().copied().unwrap_or(0.0) * leaf.scale;
    let slack = (
        (width - left - right - end(&xs)).max(0.0) / 2.0,
        (height - top - bottom - end(&ys)).max(0.0) / 2.0,
    );
    let x = left
        + if printed.setup.centred.0 {
            slack.0
        } else {
            0.0
        };
    let y = top
        + if printed.setup.centred.1 {
            slack.1
        } else {
            0.0
        };
    let mut all = Vec::new();
    if begins {
        let entry = layout.outline.add(1, grid.sheet.name().to_owned());
        all.push(Item::Outline { entry, y: 0.0 });
        all.push(Item::Anchor {
            name: anchor(grid.sheet.name()).into(),
            y: 0.0,
        });
    }
    all.extend(shifted(items, x, y, leaf.scale));
    all.extend(links.into_iter().map(|(area, link)| Item::Link {
        area: Area {
            x: x + area.x * leaf.scale,
            y: y + area.y * leaf.scale,
            width: area.width * leaf.scale,
            height: area.height * leaf.scale,
        },
        link,
    }));
    Ok(all)
}

/// The name of a sheet, for links.
fn anchor(sheet: &str) -> String {
    format!("sheet-{}", sheet.to_lowercase())
}

impl<'l, 'a, 'p> Drawing<'l, 'a, 'p> {
    fn new(
        layout: &'l mut Layout<'a>,
        book: &'p Book,
        printed: &'p Printed<'p>,
        leaf: &'p Leaf,
        view: View,
    ) -> Self {
        let places = |axis: &super::axis::Axis,
                      repeated: &std::ops::Range<usize>,
                      own: &std::ops::Range<usize>,
                      start: f32| {
            let (mut numbers, mut starts, mut at) = (Vec::new(), vec![start], start);
            let all = repeated.clone().map(|place| (place, true));
            for (place, again) in all.chain(own.clone().map(|place| (place, false))) {
                numbers.push((axis.number(place), again));
                at += axis.size(place);
                starts.push(at);
            }
            (numbers, starts)
        };
        let (columns, xs) = places(
            &printed.columns,
            &leaf.left,
            &leaf.columns,
            printed.headings.0,
        );
        let (rows, ys) = places(&printed.rows, &leaf.top, &leaf.rows, printed.headings.1);
        let mut drawing = Self {
            layout,
            book,
            printed,
            leaf,
            view,
            columns,
            rows,
            xs,
            ys,
            merged: Vec::new(),
            covered: HashMap::new(),
            items: Vec::new(),
            links: Vec::new(),
        };
        drawing.cover();
        drawing
    }

    /// Finds the merged ranges on the page. Where two overlap, the first one counts.
    fn cover(&mut self) {
        let numbers = |places: &[(u32, bool)]| {
            let numbers = places.iter().map(|(number, _)| *number);
            (
                numbers.clone().min().unwrap_or(0),
                numbers.max().unwrap_or(0),
            )
        };
        let (rows, columns) = (numbers(&self.rows), numbers(&self.columns));
        for range in &self.printed.grid.merged {
            let meets = |first: u32, last: u32, seen: (u32, u32)| first <= seen.1 && last >= seen.0;
            if !meets(range.first.0, range.last.0, rows)
                || !meets(range.first.1, range.last.1, columns)
            {
                continue;
            }
            let within = |places: &[(u32, bool)], first: u32, last: u32| {
                let all = places.iter().enumerate();
                let inside = all.filter(|(_, (number, _))| (first..=last).contains(number));
                inside.map(|(place, _)| place).collect::<Vec<_>>()
            };
            let down = within(&self.rows, range.first.0, range.last.0);
            let across = within(&self.columns, range.first.1, range.last.1);
            let (Some(row), Some(column)) = (down.first(), across.first()) else {
                continue;
            };
            if self.covered.contains_key(&(*row, *column)) {
                continue;
            }
            let number = self.merged.len();
            self.merged.push(*range);
            for row in &down {
                for column in &across {
                    self.covered.entry((*row, *column)).or_insert(number);
                }
            }
        }
    }

    fn area(&self, row: usize, column: usize) -> Area {
        Area {
            x: self.xs[column],
            y: self.ys[row],
            width: self.xs[column + 1] - self.xs[column],
            height: self.ys[row + 1] - self.ys[row],
        }
    }

    /// Where a merged range stands, which may begin and end on other pages.
    fn merged_area(&self, range: &Range) -> Area {
        let extent = |axis: &super::axis::Axis,
                      repeated: &std::ops::Range<usize>,
                      own: &std::ops::Range<usize>,
                      first: u32,
                      last: u32,
                      start: f32| {
            let begins = axis.start_of(first);
            let ends = axis.start_of(last.saturating_add(1));
            let is_repeated = !repeated.is_empty() && first <= axis.number(repeated.end - 1);
            let offset = match is_repeated {
                true => axis.start(repeated.start),
                false => axis.start(own.start) - f64::from(axis.extent(repeated)),
            };
            ((begins - offset) as f32 + start, (ends - begins) as f32)
        };
        let (x, width) = extent(
            &self.printed.columns,
            &self.leaf.left,
            &self.leaf.columns,
            range.first.1,
            range.last.1,
            self.printed.headings.0,
        );
        let (y, height) = extent(
            &self.printed.rows,
            &self.leaf.top,
            &self.leaf.rows,
            range.first.0,
            range.last.0,
            self.printed.headings.1,
        );
        Area {
            x,
            y,
            width,
            height,
        }
    }

    /// All of the page that cells take.
    fn whole(&self) -> Area {
        let (left, top) = self.printed.headings;
        Area {
            x: left,
            y: top,
            width: self.xs.last().copied().unwrap_or(left) - left,
            height: self.ys.last().copied().unwrap_or(top) - top,
        }
    }

    fn look(&self, row: u32, line: Option<&Line>, column: u32) -> Rc<Style> {
        self.printed.grid.look(self.book, row, line, column)
    }

    /// Backgrounds, lines between cells if they are printed, and borders.
    fn fills_and_edges(&mut self) {
        let grid = self.printed.grid;
        let mut edge_map = EdgeMap::default();
        let plain = !grid
            .columns
            .iter()
            .any(|column| self.book.style(column.style).is_visible());
        for row in 0..self.rows.len() {
            let number = self.rows[row].0;
            let line = grid.row(number);
            if line.is_none() && plain && grid.overlays.is_empty() {
                continue;
            }
            let mut begun: Option<(usize, Colour)> = None;
            for column in 0..self.columns.len() {
                let (style, edges) = self.look_at(row, column, line);
                edge_map.across(row, column, edges[0]);
                edge_map.across(row + 1, column, edges[1]);
                edge_map.down(column, row, edges[2]);
                edge_map.down(column + 1, row, edges[3]);
                let fill = style.fill.filter(|_| !self.printed.setup.without_colours);
                let colour = fill.map(|fill| fill.colour);
                if begun.map(|(_, colour)| colour) != colour {
                    self.fill(row, begun, column);
                    begun = colour.map(|colour| (column, colour));
                }
                self.diagonals(row, column, &style);
            }
            self.fill(row, begun, self.columns.len());
        }
        if self.printed.setup.grid_lines {
            self.grid_lines();
        }
        edge_map.draw(&self.xs, &self.ys, &mut self.items);
    }

    /// The style of a place on the page, and its borders at the top, the bottom, the left and the right. Of merged cells, each shows
    /// the background of the first one and the borders at the edges of all.
    fn look_at(
        &self,
        row: usize,
        column: usize,
        line: Option<&Line>,
    ) -> (Rc<Style>, [Option<Edge>; 4]) {
        let (at_row, at_column) = (self.rows[row].0, self.columns[column].0);
        let own = self.look(at_row, line, at_column);
        let edges = own.edges;
        let all = [edges.top, edges.bottom, edges.left, edges.right];
        let Some(range) = self.covered.get(&(row, column)) else {
            return (own, all);
        };
        let range = self.merged[*range];
        let first_line = self.printed.grid.row(range.first.0);
        let first = self.look(range.first.0, first_line, range.first.1);
        let at = [
            at_row == range.first.0,
            at_row == range.last.0,
            at_column == range.first.1,
            at_column == range.last.1,
        ];
        let edges = std::array::from_fn(|side| all[side].filter(|_| at[side]));
        (first, edges)
    }

    fn fill(&mut self, row: usize, begun: Option<(usize, Colour)>, end: usize) {
        let Some((start, colour)) = begun else {
            return;
        };
        let area = Area {
            x: self.xs[start],
            y: self.ys[row],
            width: self.xs[end] - self.xs[start],
            height: self.ys[row + 1] - self.ys[row],
        };
        self.items.push(Item::Fill { area, colour });
    }

    fn diagonals(&mut self, row: usize, column: usize, style: &Style) {
        let edges = style.edges;
        if edges.up.is_none() && edges.down.is_none() {
            return;
        }
        let area = self.area(row, column);
        let (right, bottom) = (area.x + area.width, area.y + area.height);
        if let Some(edge) = edges.up {
            self.items
                .push(edges::item((area.x, bottom), (right, area.y), edge));
        }
        if let Some(edge) = edges.down {
            self.items
                .push(edges::item((area.x, area.y), (right, bottom), edge));
        }
    }

    fn grid_lines(&mut self) {
        let edge = Edge {
            stroke: Stroke::Hair,
            colour: Colour(0x80, 0x80, 0x80),
        };
        let inside = |covered: &HashMap<(usize, usize), usize>, one, other| {
            covered
                .get(&one)
                .is_some_and(|range| covered.get(&other) == Some(range))
        };
        let mut lines = EdgeMap::default();
        for row in 0..self.rows.len() {
            for column in 0..self.columns.len() {
                let here = (row, column);
                if row == 0 || !inside(&self.covered, (row - 1, column), here) {
                    lines.across(row, column, Some(edge));
                }
                if column == 0 || !inside(&self.covered, (row, column - 1), here) {
                    lines.down(column, row, Some(edge));
                }
            }
        }
        for column in 0..self.columns.len() {
            lines.across(self.rows.len(), column, Some(edge));
        }
        for row in 0..self.rows.len() {
            lines.down(self.columns.len(), row, Some(edge));
        }
        lines.draw(&self.xs, &self.ys, &mut self.items);
    }

    /// The letters of columns and the numbers of rows.
    fn headings(&mut self) {
        let (left, top) = self.printed.headings;
        if left <= 0.0 {
            return;
        }
        let style = Style {
            font: self.book.style(0).font.clone(),
            align: Align {
                across: Across::Centre,
                down: Down::Centre,
                ..Align::default()
            },
            ..Style::default()
        };
        let mut labels = Vec::new();
        for (place, (number, _)) in self.columns.iter().enumerate() {
            let area = Area {
                x: self.xs[place],
                y: 0.0,
                width: self.xs[place + 1] - self.xs[place],
                height: top,
            };
            labels.push((letters(*number), area));
        }
        for (place, (number, _)) in self.rows.iter().enumerate() {
            let area = Area {
                x: 0.0,
                y: self.ys[place],
                width: left,
                height: self.ys[place + 1] - self.ys[place],
            };
            labels.push(((number + 1).to_string(), area));
        }
        let edge = Edge {
            stroke: Stroke::Hair,
            colour: Colour(0x80, 0x80, 0x80),
        };
        for (label, area) in labels {
            let (right, bottom) = (area.x + area.width, area.y + area.height);
            self.items
                .push(edges::item((area.x, bottom), (right, bottom), edge));
            self.items
                .push(edges::item((right, area.y), (right, bottom), edge));
            let shown = Shown {
                runs: vec![Run {
                    text: label.into(),
                    font: None,
                }],
                ..Shown::default()
            };
            let mut items = Vec::new();
            cell::set(
                self.layout,
                &shown,
                &style,
                &Room::of(area),
                Owner::nobody(),
                &mut items,
            );
            items.iter_mut().for_each(Item::silence);
            self.items.append(&mut items);
        }
    }

    /// The text of all cells.
    fn texts(&mut self, tables: &mut Tables) -> Result<()> {
        let grid = self.printed.grid;
        for row in 0..self.rows.len() {
            let (number, again) = self.rows[row];
            let Some(line) = grid.row(number) else {
                continue;
            };
            self.layout.job.check()?;
            self.running_in(row, line);
            for column in 0..self.columns.len() {
                let (at, repeated) = self.columns[column];
                let Some(one) = line.cell(at).filter(|cell| !cell.value.is_empty()) else {
                    continue;
                };
                if self.covered.contains_key(&(row, column)) {
                    continue;
                }
                let room = self.room(row, column, line);
                let silent = again || repeated;
                let owner = match silent {
                    true => Owner::nobody(),
                    false => self.owner(number, at, (1, 1), room.area, tables),
                };
                self.text(one, number, line, &room, owner, silent);
            }
        }
        for number in 0..self.merged.len() {
            let range = self.merged[number];
            let (row, column) = range.first;
            let Some(line) = grid.row(row) else {
                continue;
            };
            let Some(one) = line.cell(column).filter(|cell| !cell.value.is_empty()) else {
                continue;
            };
            let area = self.merged_area(&range);
            let silent = !tables.read.insert((row, column));
            let size = (range.last.0 - row + 1, range.last.1 - column + 1);
            let owner = match silent {
                true => Owner::nobody(),
                false => self.owner(row, column, size, area, tables),
            };
            self.text(one, row, line, &Room::of(area), owner, silent);
        }
        Ok(())
    }

    /// How much room the text of a cell has: its own, and that of the empty cells beside it.
    fn room(&self, row: usize, column: usize, line: &Line) -> Room {
        let area = self.area(row, column);
        let is_empty = |place: usize| {
            let full = line
                .cell(self.columns[place].0)
                .is_some_and(|cell| !cell.value.is_empty());
            !full && !self.covered.contains_key(&(row, place))
        };
        let mut end = column + 1;
        while end < self.columns.len() && is_empty(end) {
            end += 1;
        }
        let mut start = column;
        while start > 0 && is_empty(start - 1) {
            start -= 1;
        }
        Room {
            area,
            before: area.x - self.xs[start],
            after: self.xs[end] - self.xs[column + 1],
        }
    }

    /// Text of a cell on the page to the left that runs over into this one.
    fn running_in(&mut self, row: usize, line: &Line) {
        let first = self.leaf.columns.start;
        let start = self.printed.columns.start(first);
        let Some(number) =
            (first < self.leaf.columns.end).then(|| self.printed.columns.number(first))
        else {
            return;
        };
        let before = line.cells.partition_point(|cell| cell.column < number);
        let near = line.cells[..before].iter().rev();
        let Some(one) = near.take(RUNS_OVER).find(|cell| !cell.value.is_empty()) else {
            return;
        };
        let is_text = matches!(one.value, Value::Text(_) | Value::Rich(_));
        let here = self.leaf.left.len();
        let full = line.cell(number).is_some_and(|cell| !cell.value.is_empty());
        if !is_text || full || self.covered.contains_key(&(row, here)) {
            return;
        }
        let style = self.look(line.number, Some(line), one.column);
        let shown = Shown::of(one, &style, self.book, self.view);
        let is_left = cell::side(&style.align, shown.kind) == Across::Left;
        if !is_left || cell::wraps(&style.align) || style.align.shrink {
            return;
        }
        let merged = self.printed.grid.merged.iter();
        if merged
            .clone()
            .any(|range| range.contains(line.number, one.column))
        {
            return;
        }
        let begins = self.printed.columns.start_of(one.column);
        let width = cell::width(self.layout, &shown, &style);
        if f64::from(width + cell::LEFT) <= start - begins {
            return;
        }
        let room = self.room(row, here, line);
        let own = self.printed.grid.width(one.column);
        let area = Area {
            x: room.area.x - (start - begins) as f32,
            width: own,
            ..room.area
        };
        let after = room.area.x + room.area.width + room.after - area.x - own;
        let whole = Area {
            y: room.area.y,
            height: room.area.height,
            ..self.whole()
        };
        let reach = Room {
            area,
            before: 0.0,
            after,
        };
        let mut items = Vec::new();
        cell::set(
            self.layout,
            &shown,
            &style,
            &reach,
            Owner::nobody(),
            &mut items,
        );
        items.iter_mut().for_each(Item::silence);
        self.items.push(Item::Cut { area: whole, items });
    }

    fn text(&mut self, one: &Cell, row: u32, line: &Line, room: &Room, owner: Owner, silent: bool) {
        let mut style = self.look(row, Some(line), one.column);
        let mut shown = Shown::of(one, &style, self.book, self.view);
        let mut room = Room { ..*room };
        if self.signs(row, one.column, room.area) {
            shown.runs.clear();
        }
        if style.align.across == Across::CentreContinuous && shown.kind == Kind::Text {
            room.area.width += self.continued(one.column, line);
            (room.before, room.after) = (0.0, 0.0);
        }
        if self.printed.setup.without_colours && style.font.colour.is_some() {
            let mut plain = (*style).clone();
            plain.font = Rc::new(super::super::style::Font {
                colour: None,
                ..(*style.font).clone()
            });
            style = Rc::new(plain);
        }
        let start = self.items.len();
        cell::set(self.layout, &shown, &style, &room, owner, &mut self.items);
        if silent {
            self.items[start..].iter_mut().for_each(Item::silence);
        }
        let whole = self.whole();
        let area = room.area;
        let beyond = area.x < whole.x - 0.1
            || area.y < whole.y - 0.1
            || area.x + area.width > whole.x + whole.width + 0.1
            || area.y + area.height > whole.y + whole.height + 0.1;
        if beyond {
            let items = self.items.split_off(start);
            self.items.push(Item::Cut { area: whole, items });
        }
    }

    /// The bar and the icon of a cell. True if they stand in the place of its value.
    fn signs(&mut self, row: u32, column: u32, area: Area) -> bool {
        let Some(overlay) = self.printed.grid.overlays.get(&(row, column)) else {
            return false;
        };
        if let Some(bar) = overlay.bar {
            self.items.push(Item::Fill {
                area: Area {
                    x: area.x + 1.0,
                    y: area.y + 1.0,
                    width: (area.width - 2.0).max(0.0) * bar.share,
                    height: (area.height - 2.0).max(0.0),
                },
                colour: bar.colour,
            });
        }
        if let Some(icon) = overlay.icon {
            let font = super::super::style::Font {
                name: "Arial".into(),
                colour: Some(icon.colour),
                ..(*self.book.normal).clone()
            };
            let style = Style {
                font: Rc::new(font),
                align: Align {
                    across: Across::Left,
                    ..Align::default()
                },
                ..Style::default()
            };
            let shown = Shown {
                runs: vec![Run {
                    text: icon.shape.to_string().into(),
                    font: None,
                }],
                ..Shown::default()
            };
            let mut items = Vec::new();
            let owner = Owner::nobody();
            cell::set(
                self.layout,
                &shown,
                &style,
                &Room::of(area),
                owner,
                &mut items,
            );
            items.iter_mut().for_each(Item::silence);
            self.items.append(&mut items);
        }
        overlay.hides_value
    }

    /// The width of the empty cells to the right that take part in what is centred across several.
    fn continued(&self, column: u32, line: &Line) -> f32 {
        let cells = line.cells.iter().filter(|cell| cell.column > column);
        let mut width = 0.0;
        for (next, cell) in (column + 1..).zip(cells) {
            let style = self.book.style(cell.style);
            let continues = cell.value.is_empty() && style.align.across == Across::CentreContinuous;
            if cell.column != next || !continues {
                break;
            }
            width += self.printed.grid.width(next);
        }
        width
    }

    /// The element that the text of a cell belongs to, and its link.
    fn owner(
        &mut self,
        row: u32,
        column: u32,
        size: (u32, u32),
        area: Area,
        tables: &mut Tables,
    ) -> Owner {
        let structure = self.layout.structure;
        let table = *tables
            .table
            .get_or_insert_with(|| structure.add(NodeId::DOCUMENT, Role::Table));
        let around = tables.rows.entry(row);
        let around = *around.or_insert_with(|| structure.add(table, Role::TableRow));
        let count = |cells: u32| u16::try_from(cells).unwrap_or(u16::MAX);
        let node = structure.add(
            around,
            Role::DataCell {
                rows: count(size.0),
                columns: count(size.1),
            },
        );
        let mut links = self.printed.links(row, column);
        let Some((link, target)) = links.find_map(|link| Some((link, self.target(link)?))) else {
            return Owner { node, link: None };
        };
        let node = structure.add(node, Role::Link);
        let number = self.layout.links.add(&target, &link.title, node);
        self.links.push((area, number));
        // The whole cell is the link's area, so that its text needs none.
        Owner { node, link: None }
    }

    /// Where a link leads: out of the workbook, or to a sheet that is printed.
    fn target(&self, link: &Link) -> Option<String> {
        let Some(place) = link.target.strip_prefix('#') else {
            return Some(link.target.to_string());
        };
        let sheet = match place.rsplit_once('!') {
            Some((sheet, _)) => sheet.trim_matches('\'').replace("''", "'"),
            None => self.printed.grid.sheet.name().to_owned(),
        };
        let mut grids = self.book.grids.iter();
        let known = grids.any(|grid| grid.sheet.name().to_lowercase() == sheet.to_lowercase());
        known.then(|| format!("#{}", anchor(&sheet)))
    }

    /// Pictures, or the part of them that is on this page.
    fn pictures(&mut self) {
        let whole = self.whole();
        let (own_x, own_y) = (
            self.printed.columns.start(self.leaf.columns.start) as f32,
            self.printed.rows.start(self.leaf.rows.start) as f32,
        );
        let repeated = (
            self.printed.columns.extent(&self.leaf.left),
            self.printed.rows.extent(&self.leaf.top),
        );
        for placed in &self.printed.grid.pictures {
            let area = self.printed.picture_area(placed);
            let area = Area {
                x: area.x - own_x + whole.x + repeated.0,
                y: area.y - own_y + whole.y + repeated.1,
                ..area
            };
            let (right, bottom) = (area.x + area.width, area.y + area.height);
            let seen = area.x < whole.x + whole.width
                && area.y < whole.y + whole.height
                && right > whole.x
                && bottom > whole.y;
            if !seen {
                continue;
            }
            let begins = area.x >= whole.x && area.y >= whole.y;
            let Some(item) = drawing::item(self.layout, placed, area, !begins) else {
                continue;
            };
            let inside = begins
                && right <= whole.x + whole.width + 1.0
                && bottom <= whole.y + whole.height + 1.0;
            self.items.push(match inside {
                true => item,
                false => Item::Cut {
                    area: whole,
                    items: vec![item],
                },
            });
        }
    }
}

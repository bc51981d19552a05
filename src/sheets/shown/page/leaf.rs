//! Drawing of one page of a sheet: fills and borders in the [background](ground), [texts], document
//! [structure](meaning), and pictures. Does not decide where pages end.

mod ground;
mod meaning;
mod texts;

use super::{
    drawing,
    plan::{Leaf, Printed},
    shifted,
};
use crate::{
    error::Result,
    shown::{
        book::{Book, Line, Range},
        style::Style,
    },
    worksheet::View,
};
use convertd_layout::{
    context::Layout,
    item::{Area, Item},
    structure::NodeId,
};
use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

/// Structure elements that all pages of a sheet share, so that a table over several pages is one table.
#[derive(Default)]
pub(super) struct Tables {
    /// Element of the whole table, once it has been created.
    table: Option<NodeId>,
    /// Elements of the rows, by row number.
    rows: HashMap<u32, NodeId>,
    /// First cells of merged ranges that are already in the structure.
    read: HashSet<(u32, u32)>,
}

/// State of the drawing of a page.
///
/// Coordinates are in points at scale 1, from the upper left corner of the printed area; they are scaled and moved at
/// the end.
struct Drawing<'l, 'a, 'p> {
    layout: &'l mut Layout<'a>,
    book: &'p Book,
    /// Sheet with its page setup.
    printed: &'p Printed<'p>,
    /// Rows and columns of the page.
    leaf: &'p Leaf,
    view: View,
    /// Numbers of the columns on the page, each with whether it is a repeated print title.
    columns: Vec<(u32, bool)>,
    /// Numbers of the rows on the page, each with whether it is a repeated print title.
    rows: Vec<(u32, bool)>,
    /// Start of each column, followed by the end of the last one.
    xs: Vec<f32>,
    /// Start of each row, followed by the end of the last one.
    ys: Vec<f32>,
    /// Merged ranges that are visible on the page.
    merged: Vec<Range>,
    /// Index into `merged` for each covered cell, by the positions of its row and column on the page.
    covered: HashMap<(usize, usize), usize>,
    /// Result so far, from back to front.
    items: Vec<Item>,
    /// Areas of links with their indices.
    links: Vec<(Area, usize)>,
}

/// Draws a page. Returns its items, in points from the upper left corner of the page. `begins` marks the first page
/// of a sheet.
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
    // Half of the space that the printed area leaves between the margins. It is used to centre the area.
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

/// Name of the anchor of a sheet, for links.
fn anchor(sheet: &str) -> String {
    format!("sheet-{}", sheet.to_lowercase())
}

impl<'l, 'a, 'p> Drawing<'l, 'a, 'p> {
    /// Computes the positions of the columns and rows on a page: print titles first, then the page's own columns and
    /// rows.
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
        drawing.find_merged();
        drawing
    }

    /// Finds the merged ranges on the page. If two ranges overlap, the first one keeps the shared cells; the second is
    /// ignored if its first cell on the page is among them.
    fn find_merged(&mut self) {
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
            // The rows or columns after a print title may be on another page, so a range may have gaps here, and
            // positions are collected one by one.
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

    /// Area of a cell by the positions of its row and column on the page.
    fn area(&self, row: usize, column: usize) -> Area {
        Area {
            x: self.xs[column],
            y: self.ys[row],
            width: self.xs[column + 1] - self.xs[column],
            height: self.ys[row + 1] - self.ys[row],
        }
    }

    /// Area of a merged range, which may begin before the page and end after it.
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
            // A range that begins in or before the print titles is measured from the titles. Other ranges are measured
            // from the page's own rows or columns, which follow the titles.
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

    /// Style of a cell with its conditional format applied.
    fn style_of(&self, row: u32, line: Option<&Line>, column: u32) -> Rc<Style> {
        self.printed.grid.look(self.book, row, line, column)
    }

    /// Area of all cells on the page.
    fn cells_area(&self) -> Area {
        let (left, top) = self.printed.headings;
        Area {
            x: left,
            y: top,
            width: self.xs.last().copied().unwrap_or(left) - left,
            height: self.ys.last().copied().unwrap_or(top) - top,
        }
    }

    /// Draws the pictures of the sheet that are visible on this page.
    fn pictures(&mut self) {
        let whole = self.cells_area();
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
            // A picture is part of the document structure only on the page where it begins.
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

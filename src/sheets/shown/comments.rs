//! Comments that are printed at the end of their sheet, as an additional sheet after it. Does no layout.

use super::{
    book::{Book, Cell, Column, Comment, Grid, Line, Value},
    print::{Scale, Setup},
    style::{Align, Down, Font, Style},
};
use crate::{cells::letters, worksheet::Sheet};
use std::{collections::BTreeSet, rc::Rc};

/// Width of the column with the labels "Cell:" and "Comment:", in pixels.
const LABELS: f32 = 88.0;

/// Adds a sheet with comments after each sheet whose page setup asks for comments at the end.
pub(crate) fn append(book: &mut Book) {
    let is_asked = |grid: &Grid| grid.print.comments_at_end && !grid.comments.is_empty();
    if !book.grids.iter().any(is_asked) {
        return;
    }
    let align = Align {
        wrap: true,
        down: Down::Top,
        ..Align::default()
    };
    let plain = Style {
        font: book.normal.clone(),
        align,
        ..Style::default()
    };
    let bold = Font {
        bold: true,
        ..(*book.normal).clone()
    };
    let label = Style {
        font: Rc::new(bold),
        align,
        ..Style::default()
    };
    // Index of the first of the two new styles, which follow all others.
    let first = book.styles.len() as u32;
    book.styles.extend([label, plain].map(Rc::new));
    for grid in std::mem::take(&mut book.grids) {
        let comments = is_asked(&grid).then(|| sheet(&grid, [first, first + 1]));
        book.grids.push(grid);
        book.grids.extend(comments);
    }
}

/// Builds the sheet with the comments of another one. `styles` are the indices of the styles of labels and of texts.
fn sheet(of: &Grid, styles: [u32; 2]) -> Grid {
    let mut comments: Vec<&Comment> = of.comments.iter().collect();
    comments.sort_by_key(|comment| (comment.row, comment.column));
    // The page setup of the sheet, without the properties that refer to its cells.
    let print = Setup {
        scale: Scale::By(100),
        areas: Vec::new(),
        repeated_rows: None,
        repeated_columns: None,
        row_breaks: BTreeSet::new(),
        column_breaks: BTreeSet::new(),
        first_page: None,
        grid_lines: false,
        headings: false,
        centred: (false, false),
        ..of.print.clone()
    };
    let column = |at, width| Column {
        first: at,
        last: at,
        width: Some(width),
        hidden: false,
        style: styles[1],
    };
    // The texts take the rest of the page's width. One pixel is left out, so that rounding does not start a second
    // page.
    let rest = print.room().0 / 0.75 - LABELS - 1.0;
    let lines = comments.iter().enumerate().flat_map(|(number, comment)| {
        let cell = format!("{}{}", letters(comment.column), comment.row + 1);
        // An empty row separates two comments, so each comment takes three rows.
        let row = 3 * number as u32;
        [
            line(row, "Cell:", &cell, styles),
            line(row + 1, "Comment:", &words(comment), styles),
        ]
    });
    Grid {
        sheet: Sheet {
            title: Some(format!("{}: comments", of.sheet.name())),
            ..of.sheet.clone()
        },
        columns: vec![column(0, LABELS), column(1, rest.max(LABELS))],
        default_width: of.default_width,
        rows: lines.collect(),
        print,
        ..Grid::default()
    }
}

/// Text of a comment after its author's name, unless the text already begins with it.
fn words(comment: &Comment) -> String {
    match comment.author.is_empty() || comment.text.starts_with(&*comment.author) {
        true => comment.text.to_string(),
        false => format!("{}:\n{}", comment.author, comment.text),
    }
}

/// Builds a row with a label and a text.
fn line(number: u32, label: &str, text: &str, styles: [u32; 2]) -> Line {
    let cells = [label, text].into_iter().zip(styles).zip(0..);
    let cells = cells.map(|((text, style), column)| Cell {
        value: Value::Text(text.into()),
        style,
        ..Cell::empty(column)
    });
    Line {
        number,
        cells: cells.collect(),
        ..Line::default()
    }
}

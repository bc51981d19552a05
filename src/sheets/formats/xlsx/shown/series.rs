//! Values of charts that only refer to cells. Excel stores a copy of the values in the chart (ECMA-376 part 1,
//! 21.2.2.123), but libraries often omit it, because Excel looks them up when it opens the file. Here the copies are
//! inserted after the references, so that the reader of charts needs no cells. Draws nothing.

use crate::{cells::span, coding::escape, shown::book::Grid};
use std::fmt::Write as _;

/// Maximum number of cells of a chart whose values are inserted.
const MAX_POINTS: usize = 32_000;

/// Returns the XML of a chart with the values of its references inserted.
pub(in crate::formats) fn filled(chart: &str, grids: &[Grid]) -> String {
    let mut out = String::with_capacity(chart.len());
    let mut rest = chart;
    let mut left = MAX_POINTS;
    while let Some((before, reference, after)) = next(rest) {
        out.push_str(before);
        // A reference stays as it is if a copy of its values follows, or if its kind is unknown.
        let end = after.trim_start();
        let kinds = [("numRef>", "numCache"), ("strRef>", "strCache")];
        let close = end.strip_prefix("</");
        let known = close.and_then(|close| {
            let end = close.find('>')?;
            let (prefix, name) = close.split_at(close[..end].find(':').map_or(0, |at| at + 1));
            let kind = kinds.iter().find(|(known, _)| name.starts_with(known))?;
            Some((prefix, kind.1))
        });
        if let Some((prefix, cache)) = known {
            values(reference, grids, (prefix, cache), &mut left, &mut out);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Finds the next reference, the content of an `f` element. Returns the text up to the end of that element, the
/// reference, and the text after the element.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let start = from + text.get(from..)?.find("f>")?;
        from = start + 2;
        let opens = text[..start].ends_with('<') || text[..start].ends_with(':');
        let tag = text[..start].rfind('<').map(|at| &text[at..start]);
        if !opens || tag.is_none_or(|tag| tag.starts_with("</") || tag.len() > 20) {
            continue;
        }
        let end = from + text[from..].find("</")?;
        let close = end + text[end..].find('>')? + 1;
        return Some((&text[..close], &text[from..end], &text[close..]));
    }
}

/// Writes the values of a reference as a cache, as Excel does. `left` limits the number of values of all series.
fn values(
    reference: &str,
    grids: &[Grid],
    (prefix, cache): (&str, &str),
    left: &mut usize,
    out: &mut String,
) {
    let Some((sheet, place)) = reference.rsplit_once('!') else {
        return;
    };
    let sheet = escape::decoded(sheet.into());
    let sheet = sheet.trim_matches('\'').replace("''", "'");
    let grid = grids.iter().find(|grid| grid.sheet.name() == sheet);
    let (Some(grid), Some((Some(rows), Some(columns)))) = (grid, span(place)) else {
        return;
    };
    let (height, width) = (rows.1 - rows.0 + 1, columns.1 - columns.0 + 1);
    let count = (height as usize).saturating_mul(width as usize);
    let Some(fewer) = left.checked_sub(count) else {
        return;
    };
    *left = fewer;
    let _ = write!(out, "<{prefix}{cache}><{prefix}ptCount val=\"{count}\"/>");
    for row in rows.0..=rows.1 {
        let line = grid.row(row);
        for column in columns.0..=columns.1 {
            let cell = line.and_then(|line| line.cell(column));
            let Some(text) = cell.and_then(|cell| cell.value.charted()) else {
                continue;
            };
            let at = (row - rows.0) * width + column - columns.0;
            let text = escape::escaped(&text);
            let _ = write!(
                out,
                "<{prefix}pt idx=\"{at}\"><{prefix}v>{text}</{prefix}v></{prefix}pt>"
            );
        }
    }
    let _ = write!(out, "</{prefix}{cache}>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        sheet::Sheet,
        shown::book::{Cell, Line, Value},
    };

    #[test]
    fn references_get_the_values_of_their_cells() {
        let cell = |column, value| Cell {
            value,
            ..Cell::empty(column)
        };
        let cells = vec![
            cell(0, Value::Text("a<b".into())),
            cell(1, Value::Number(2.5)),
        ];
        let grid = Grid {
            sheet: Sheet {
                title: Some("My <b>'s sheet".to_owned()),
                hidden: false,
                chart: false,
            },
            rows: vec![Line {
                number: 2,
                cells,
                ..Line::default()
            }],
            ..Grid::default()
        };
        #[track_caller]
        fn check(chart: &str, grid: &Grid, expected: &str) {
            assert_eq!(filled(chart, std::slice::from_ref(grid)), expected);
        }
        check(
            "<c:numRef><c:f>'My &lt;b&gt;''s sheet'!$B$2:$B$3</c:f></c:numRef><x/>",
            &grid,
            "<c:numRef><c:f>'My &lt;b&gt;''s sheet'!$B$2:$B$3</c:f><c:numCache><c:ptCount val=\"2\"/><c:pt idx=\"1\"><c:v>2.5</c:v></c:pt></c:numCache></c:numRef><x/>",
        );
        check(
            "<strRef><f>'My &lt;b&gt;''s sheet'!A3</f></strRef>",
            &grid,
            "<strRef><f>'My &lt;b&gt;''s sheet'!A3</f><strCache><ptCount val=\"1\"/><pt idx=\"0\"><v>a&lt;b</v></pt></strCache></strRef>",
        );
        for same in [
            "<c:f>'My &lt;b&gt;''s sheet'!A3</c:f><c:numCache/></c:numRef>",
            "<c:numRef><c:f>Other!A3</c:f></c:numRef>",
            "<c:numRef><c:f>'My &lt;b&gt;''s sheet'!A3",
            "<c:numRef><c:f>'My &lt;b&gt;''s sheet'!A:A</c:f></c:numRef>",
        ] {
            check(same, &grid, same);
        }
    }
}

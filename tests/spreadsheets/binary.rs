//! Visible content of Excel's binary workbooks: fonts within texts, pictures, shapes.

use crate::{
    harness::{convert_with, data, text},
    looks::LEFT_OUT,
};
use base64::{Engine as _, prelude::BASE64_STANDARD};

#[test]
fn an_xls_shows_fonts_within_texts_and_pictures() {
    let (html, _) = convert_with("looks.xls", &data("looks.xls"), "html", &[]).unwrap();
    let html = text(html);
    let (before, after) = html.split_once(">red<").expect("the run is there");
    assert!(
        before.contains("plain ") && after.contains(" end"),
        "{html}"
    );
    let (_, run) = before.rsplit_once('<').unwrap();
    assert!(run.contains("#ff0000") && run.contains("Arial"), "{run}");
    assert!(html.contains("src=\"data:image/png;base64,"), "{html}");
    let (pdf, _) = convert_with("looks.xls", &data("looks.xls"), "pdf", &[]).unwrap();
    assert!(pdf.windows(6).any(|window| window == b"/Image"));
}

#[test]
fn an_xls_states_that_its_drawings_are_left_out_of_tables() {
    let sheet = [("sheet", "Looks")];
    for to in ["md", "csv"] {
        let (_, notes) = convert_with("looks.xls", &data("looks.xls"), to, &sheet).unwrap();
        assert_eq!(notes.0, [LEFT_OUT], "{to}");
    }
    // Its only object is the text box of a comment.
    let (_, notes) = convert_with("looks.xlsb", &data("looks.xlsb"), "csv", &[]).unwrap();
    assert!(notes.0.is_empty(), "{notes:?}");
}

#[test]
fn an_xls_shows_its_conditional_formats() {
    let (html, notes) = convert_with("looks.xls", &data("looks.xls"), "html", &[]).unwrap();
    let html = text(html);
    // The cells with a certain formatting, found by their classes.
    let cells = |look: &str| -> Vec<String> {
        let rules = html.lines().filter(|line| line.contains(look));
        let classes = rules.filter_map(|rule| rule.split_once("td.")?.1.split(' ').next());
        let cells = classes.flat_map(|class| {
            let begin = format!("<td class=\"{class} n\">");
            let cells = html.split(&begin).skip(1);
            let cells = cells.map(|cell| cell.split('<').next().unwrap().to_owned());
            cells.collect::<Vec<_>>()
        });
        let mut cells: Vec<String> = cells.collect();
        cells.sort();
        cells
    };
    // The values are 2 to 5, and two of them are greater than 3. The cell beside 2 is formatted by a formula.
    assert_eq!(cells("background-color:#00ff00"), ["4", "5"], "{html}");
    assert_eq!(cells("font-weight:bold;color:#0000ff"), ["4"], "{html}");
    assert!(
        notes.0.iter().all(|note| !note.contains("conditional")),
        "{notes:?}"
    );
}

#[test]
fn an_xls_shows_its_charts_with_the_values_of_their_cells() {
    let (html, notes) = convert_with("looks.xls", &data("looks.xls"), "html", &[]).unwrap();
    let html = text(html);
    let (_, chart) = html
        .split_once("src=\"data:image/svg+xml;base64,")
        .expect("the chart is there");
    let chart = chart.split('"').next().unwrap();
    let chart = BASE64_STANDARD.decode(chart).unwrap();
    let chart = text(chart);
    // The title, and the highest number on the axis: the values are 4 to 10.
    assert!(chart.contains(">Sales<"), "{chart}");
    assert!(chart.contains(">12<"), "{chart}");
    assert!(
        notes.0.iter().all(|note| !note.contains("cannot be drawn")),
        "{notes:?}"
    );
}

#[test]
fn an_xlsb_keeps_its_formatting() {
    let (html, notes) = convert_with("looks.xlsb", &data("looks.xlsb"), "html", &[]).unwrap();
    let html = text(html);
    for look in ["#0080ff", "#ff0000", "colspan=\"3\"", ">red<"] {
        assert!(html.contains(look), "{look}: {html}");
    }
    assert!(notes.0.is_empty(), "{notes:?}");
}

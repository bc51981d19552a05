//! Page styles (part 3, 16.5 and 16.9): one for each sheet, because each has a page setup of its own. Writes no
//! cells.

use super::{super::write::NAMESPACES_OF_CONTENT, styles};
use crate::{
    coding::escape::escaped,
    shown::{
        book::{Book, Grid},
        print::Scale,
        style::Style,
    },
};
use std::fmt::Write as _;

/// Writes the part `styles.xml`.
pub(super) fn part(book: &Book) -> String {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<office:document-styles {NAMESPACES_OF_CONTENT} office:version=\"1.3\"><office:styles><style:style style:name=\"Default\" style:family=\"table-cell\">{}</style:style></office:styles><office:automatic-styles>",
        // Only the default font, because cells inherit every property of this style.
        styles::cell(&Style {
            font: book.normal.clone(),
            ..Style::default()
        })
    );
    for (number, grid) in book.grids.iter().enumerate() {
        layout(grid, number, &mut xml);
    }
    xml += "</office:automatic-styles><office:master-styles>";
    for (number, grid) in book.grids.iter().enumerate() {
        let _ = write!(
            xml,
            "<style:master-page style:name=\"mp{number}\" style:page-layout-name=\"pl{number}\">"
        );
        let texts = &grid.print.margin_texts;
        for (at, name) in ["header", "footer"].into_iter().enumerate() {
            if !texts.any(at) {
                let _ = write!(xml, "<style:{name} style:display=\"false\"/>");
                continue;
            }
            let kinds = [
                ("", Some(&texts.odd)),
                ("-left", texts.even.as_ref()),
                ("-first", texts.first.as_ref()),
            ];
            for (kind, codes) in kinds {
                let Some(codes) = codes else { continue };
                let regions = regions(&codes[at]);
                let _ = write!(xml, "<style:{name}{kind}>{regions}</style:{name}{kind}>");
            }
        }
        xml += "</style:master-page>";
    }
    xml + "</office:master-styles></office:document-styles>"
}

/// Writes the page layout of a sheet. Header and footer are part of the page in OpenDocument, between margin and
/// cells, but part of the margin in Excel.
fn layout(grid: &Grid, number: usize, xml: &mut String) {
    let setup = &grid.print;
    let (width, height) = setup.page();
    let [left, right, top, bottom] = setup.margins;
    let [header, footer] = [0, 1].map(|at| setup.margin_texts.any(at));
    // Distance of the header from the edge, and its height down to the cells.
    let (above, over) = match header {
        false => (top, 0.0),
        true => (setup.header_at.min(top), (top - setup.header_at).max(0.0)),
    };
    let (below, under) = match footer {
        false => (bottom, 0.0),
        true => (
            setup.footer_at.min(bottom),
            (bottom - setup.footer_at).max(0.0),
        ),
    };
    let orientation = if setup.landscape {
        "landscape"
    } else {
        "portrait"
    };
    let _ = write!(
        xml,
        "<style:page-layout style:name=\"pl{number}\"><style:page-layout-properties fo:page-width=\"{width}pt\" fo:page-height=\"{height}pt\" style:print-orientation=\"{orientation}\" fo:margin-left=\"{left}pt\" fo:margin-right=\"{right}pt\" fo:margin-top=\"{above}pt\" fo:margin-bottom=\"{below}pt\""
    );
    let centred = match setup.centred {
        (true, true) => "both",
        (true, false) => "horizontal",
        (false, true) => "vertical",
        (false, false) => "none",
    };
    let order = if setup.over_first { "ltr" } else { "ttb" };
    let _ = write!(
        xml,
        " style:table-centering=\"{centred}\" style:print-page-order=\"{order}\""
    );
    match setup.scale {
        Scale::By(percent) => {
            let _ = write!(xml, " style:scale-to=\"{percent}%\"");
        }
        Scale::Fit(wide, tall) => {
            let _ = write!(
                xml,
                " style:scale-to-X=\"{wide}\" style:scale-to-Y=\"{tall}\""
            );
        }
    }
    let mut printed = String::from("objects charts drawings zero-values");
    if setup.grid_lines {
        printed += " grid";
    }
    if setup.comments_at_end {
        printed += " annotations";
    }
    if setup.headings {
        printed += " headers";
    }
    let _ = write!(xml, " style:print=\"{printed}\"");
    if let Some(first) = setup.first_page {
        let _ = write!(xml, " style:first-page-number=\"{first}\"");
    }
    let _ = write!(
        xml,
        "/><style:header-style><style:header-footer-properties svg:height=\"{over}pt\"/></style:header-style><style:footer-style><style:header-footer-properties svg:height=\"{under}pt\"/></style:footer-style></style:page-layout>"
    );
}

/// Translates the codes of a header or footer to regions. Fonts, sizes and colours are dropped.
fn regions(codes: &str) -> String {
    let mut sections = [String::new(), String::new(), String::new()];
    let mut at = 1;
    let mut rest = codes.chars().peekable();
    while let Some(character) = rest.next() {
        let section = &mut sections[at];
        if character != '&' {
            match character {
                '\n' => section.push_str("</text:p><text:p>"),
                '\r' => {}
                other => section.push_str(&escaped(&other.to_string())),
            }
            continue;
        }
        match rest.next() {
            Some('L' | 'l') => at = 0,
            Some('C' | 'c') => at = 1,
            Some('R' | 'r') => at = 2,
            Some('P' | 'p') => section.push_str("<text:page-number>1</text:page-number>"),
            Some('N' | 'n') => section.push_str("<text:page-count>1</text:page-count>"),
            Some('A' | 'a') => section.push_str("<text:sheet-name>?</text:sheet-name>"),
            Some('F' | 'f') => section.push_str("<text:title>?</text:title>"),
            Some('D' | 'd') => section.push_str("<text:date/>"),
            Some('T' | 't') => section.push_str("<text:time/>"),
            Some('&') => section.push_str("&amp;"),
            Some('"') => while rest.next().is_some_and(|c| c != '"') {},
            Some('K' | 'k') => drop(rest.by_ref().take(6).collect::<String>()),
            Some('0'..='9') => while rest.next_if(char::is_ascii_digit).is_some() {},
            _ => {}
        }
    }
    let names = ["left", "center", "right"];
    let regions = names.iter().zip(&sections).map(|(name, words)| {
        format!("<style:region-{name}><text:p>{words}</text:p></style:region-{name}>")
    });
    regions.collect()
}

//! Tests that docx, odt and rtf keep the properties of pages and sections.

use super::{
    Fate::{self, Kept, Noted, Written},
    check, paragraph, text, twips,
};
use convertd_tree::{
    Border, BorderedPages, Borders, Colour, Edges, Length, LineCount, LineKind, LineNumbers,
    Margins, Numeral, PageBorders, PageSetup, SectionStart, testing::blocks,
};

/// Checks a property of a page setup.
#[track_caller]
fn page(
    name: &str,
    set: impl Fn(&mut PageSetup),
    describe: impl Fn(&PageSetup) -> String,
    fates: [Fate; 3],
) {
    check(
        name,
        |build| {
            let mut page = PageSetup::default();
            set(&mut page);
            paragraph(build, "a")?;
            build.set_page(page);
            Ok(())
        },
        |document| {
            let page = document.sections()[0].page.as_deref();
            describe(page.expect("a page setup"))
        },
        fates,
    );
}

/// Checks a property of the second of two sections.
#[track_caller]
fn section(
    name: &str,
    set: impl Fn(&mut PageSetup),
    describe: impl Fn(&PageSetup) -> String,
    fates: [Fate; 3],
) {
    check(
        name,
        |build| {
            paragraph(build, "a")?;
            build.set_page(PageSetup::default());
            build.begin_section()?;
            paragraph(build, "b")?;
            let mut page = PageSetup::default();
            set(&mut page);
            build.set_page(page);
            Ok(())
        },
        |document| {
            let sections = document.sections();
            let last = sections.last().and_then(|last| last.page.as_deref());
            format!(
                "{} {}",
                sections.len(),
                describe(last.expect("a page setup"))
            )
        },
        fates,
    );
}

/// Renders the border lines of a page, with their distances from the edges of the page.
fn borders(page: &PageSetup) -> String {
    let Some(borders) = &page.borders else {
        return "none".to_owned();
    };
    let (lines, away) = (&borders.lines, &borders.distances);
    let sides = [
        (lines.top, away.top, page.top),
        (lines.end, away.right, page.right),
        (lines.bottom, away.bottom, page.bottom),
        (lines.start, away.left, page.left),
    ];
    let sides = sides.map(|(line, distance, margin)| {
        let line = line?;
        let distance = match borders.from_page {
            true => distance,
            false => margin - distance - line.width,
        };
        Some((line.kind, twips(line.width), line.colour, twips(distance)))
    });
    format!("{:?} {sides:?}", borders.on)
}

/// A border of 1 point on all sides.
fn bordered(distance: f64, from_page: bool) -> PageBorders {
    let distance = Length::points(distance);
    PageBorders {
        lines: Borders::all(Border {
            width: Length::points(1.0),
            colour: Some(Colour(1, 2, 3)),
            kind: LineKind::Double,
            space: None,
        }),
        distances: Edges {
            top: distance,
            right: distance,
            bottom: distance,
            left: distance,
        },
        from_page,
        on: BorderedPages::All,
    }
}

fn numbers(first: u32, restart: LineCount) -> Option<LineNumbers> {
    Some(LineNumbers {
        every: 5,
        first,
        distance: Some(Length::points(20.0)),
        restart,
    })
}

fn columns(page: &PageSetup) -> String {
    let widths: Vec<_> = page.column_widths.iter().collect();
    let widths: Vec<_> = widths
        .iter()
        .map(|(width, gap)| (twips(*width) / 10, twips(*gap) / 10))
        .collect();
    // If columns have widths of their own, they also have gaps of their own, and the common gap does not matter.
    let gap = if widths.is_empty() {
        twips(page.column_gap)
    } else {
        0
    };
    format!("{} {gap} {widths:?} {}", page.columns, page.column_line)
}

#[test]
fn page_properties_are_kept() {
    const ALL: [Fate; 3] = [Kept; 3];
    page(
        "a size of no standard",
        |page| (page.width, page.height) = (Length::points(301.0), Length::points(502.0)),
        |page| format!("{} {}", twips(page.width), twips(page.height)),
        ALL,
    );
    page(
        "distances of headers",
        |page| {
            page.headers.all = text("h");
            page.footers.all = text("f");
            (page.header_distance, page.footer_distance) =
                (Length::points(17.0), Length::points(23.0));
        },
        |page| {
            format!(
                "{} {}",
                twips(page.header_distance),
                twips(page.footer_distance)
            )
        },
        ALL,
    );
    let margins = |page: &PageSetup| {
        let shown = |all: &Margins| {
            [Some(&all.all), all.first.as_ref(), all.even.as_ref()]
                .map(|all| all.map(|all| blocks(all)))
        };
        format!("{:?}", shown(&page.headers))
    };
    let set = |page: &mut PageSetup| {
        page.headers = Margins {
            all: text("odd"),
            first: Some(text("first")),
            even: Some(text("even")),
        };
        page.footers = page.headers.clone();
    };
    page("headers of some pages", set, margins, ALL);
    page(
        "columns",
        |page| (page.columns, page.column_gap) = (2, Length::points(30.0)),
        columns,
        ALL,
    );
    page(
        "columns of different widths",
        |page| {
            page.columns = 2;
            let gap = Length::points(20.0);
            let width = page.width - page.left - page.right - gap;
            page.column_widths = vec![
                (width.scaled(0.25), gap),
                (width.scaled(0.75), Length::ZERO),
            ];
        },
        columns,
        ALL,
    );
    page(
        "the line between columns",
        |page| (page.columns, page.column_line) = (3, true),
        columns,
        ALL,
    );
    for restart in [LineCount::Page, LineCount::Document] {
        page(
            "line numbers",
            |page| page.line_numbers = numbers(1, restart),
            |page| format!("{:?}", page.line_numbers),
            ALL,
        );
    }
    page(
        "the first line number",
        |page| page.line_numbers = numbers(7, LineCount::Section),
        |page| format!("{:?}", page.line_numbers),
        [Kept, Noted("numbered in the same way"), Kept],
    );
    page(
        "a colour",
        |page| page.background = Some(Colour(9, 8, 7)),
        |page| format!("{:?}", page.background),
        [Written, Kept, Noted("colour of a page")],
    );
    for (distance, from_page) in [(24.0, true), (10.0, false), (50.0, true)] {
        page(
            "borders",
            |page| page.borders = Some(Box::new(bordered(distance, from_page))),
            borders,
            ALL,
        );
    }
    page(
        "borders of the first page",
        |page| {
            page.borders = Some(Box::new(PageBorders {
                on: BorderedPages::First,
                ..bordered(24.0, true)
            }));
        },
        borders,
        [Kept, Noted("on all of its pages"), Kept],
    );
    page(
        "a line grid",
        |page| page.grid = Some(Length::points(18.0)),
        |page| format!("{:?}", page.grid.map(twips)),
        ALL,
    );
    for numeral in [
        Numeral::LowerRoman,
        Numeral::UpperRoman,
        Numeral::LowerAlpha,
        Numeral::UpperAlpha,
    ] {
        page(
            "page numbers",
            |page| (page.first_number, page.numeral) = (Some(5), numeral),
            |page| format!("{:?} {:?}", page.first_number, page.numeral),
            ALL,
        );
    }
}

#[test]
fn section_properties_are_kept() {
    const ALL: [Fate; 3] = [Kept; 3];
    section(
        "page numbers that begin again",
        |page| page.first_number = Some(1),
        |page| format!("{:?}", page.first_number),
        ALL,
    );
    section(
        "columns on the same page",
        |page| {
            page.begins = SectionStart::SamePage;
            (page.columns, page.column_gap) = (2, Length::points(30.0));
        },
        |page| format!("{:?} {}", page.begins, columns(page)),
        ALL,
    );
    section(
        "a start on an odd page",
        |page| page.begins = SectionStart::OddPage,
        |page| format!("{:?}", page.begins),
        [Kept, Noted("begins on the next page"), Kept],
    );
    // Three sections on one page: one column, two, and one again.
    check(
        "columns between others",
        |build| {
            for (text, columns) in [("a", 1), ("b", 2), ("c", 1)] {
                let begins = match text {
                    "a" => SectionStart::NewPage,
                    _ => SectionStart::SamePage,
                };
                paragraph(build, text)?;
                build.set_page(PageSetup {
                    columns,
                    begins,
                    ..PageSetup::default()
                });
                if text != "c" {
                    build.begin_section()?;
                }
            }
            Ok(())
        },
        |document| {
            let sections = document.sections().iter();
            let sections: Vec<_> = sections
                .map(|section| {
                    let page = section.page.as_ref();
                    let text = blocks(&section.blocks);
                    (page.map(|page| (page.begins, page.columns)), text)
                })
                .collect();
            format!("{sections:?}")
        },
        ALL,
    );
}

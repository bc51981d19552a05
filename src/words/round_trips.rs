//! Tests that docx, odt and rtf keep the properties of pages, text, rows and paragraphs, or note their loss ([`Fate`]).
//! Each test writes a document with the property, and reads it back.

mod lines;

use crate::{
    docx,
    error::Result,
    job::{Input, Job, Notes, testing::with_job},
    odt, rtf,
};
use convertd_tree::{
    Block, Border, BorderedPages, Borders, Builder, CellShape, Colour, Document, Edges, Length,
    LineCount, LineKind, LineNumbers, Margins, Node, Numeral, PageBorders, PageSetup,
    ParagraphStyle, Part, SectionStart, TextStyle,
    row::{Read, Row},
    testing::blocks,
};
use std::io::Cursor;

/// Expected result of a test for one format.
#[derive(Clone, Copy, Debug)]
enum Fate {
    /// The property is read back unchanged.
    Kept,
    /// A note with these words reports the loss.
    Noted(&'static str),
    /// The writer writes the property, but the reader ignores it.
    Written,
}

use Fate::{Kept, Noted, Written};

fn read_docx(job: &Job<'_>, input: &mut dyn Input, notes: &mut Notes) -> Result<Document> {
    docx::read(job, input, notes, None)
}

static DOCX: Row = docx::row(read_docx);

/// Writes a document, and reads it back.
fn there_and_back(row: &Row, document: &Document) -> (Document, Notes) {
    with_job(|job| {
        let mut notes = Notes::default();
        let mut file = Cursor::new(Vec::new());
        let write = row.write.as_ref().expect("a writer").write;
        write(job, document, &mut file, &mut notes).expect("nothing is refused");
        let file = file.into_inner();
        let job = Job {
            input_len: file.len() as u64,
            ..*job
        };
        let read: Read = row.read.expect("a reader");
        let read_back = read(&job, &mut Cursor::new(file), &mut Notes::default());
        (read_back.expect("a document"), notes)
    })
}

/// Checks a property in docx, odt and rtf, with the expected results `fates` in this order. `describe` renders the
/// property as text, for the comparison.
#[track_caller]
fn check(
    name: &str,
    build: impl Fn(&mut Builder<'_>) -> Result<()>,
    describe: impl Fn(&Document) -> String,
    fates: [Fate; 3],
) {
    let document = with_job(|job| {
        let mut builder = Builder::new(job);
        build(&mut builder).expect("a document");
        builder.finish(&mut Notes::default()).expect("a document")
    });
    let rows = [("docx", &DOCX), ("odt", &odt::ROW), ("rtf", &rtf::ROW)];
    for ((format, row), fate) in rows.into_iter().zip(fates) {
        let (read_back, notes) = there_and_back(row, &document);
        match fate {
            Kept => {
                assert_eq!(
                    describe(&read_back),
                    describe(&document),
                    "{name} in {format}"
                );
                assert!(notes.0.is_empty(), "{name} in {format}: {notes:?}");
            }
            Noted(words) => {
                let is_noted = notes.0.iter().any(|note| note.contains(words));
                assert!(is_noted, "{name} in {format}: {notes:?}");
            }
            Written => assert!(notes.0.is_empty(), "{name} in {format}: {notes:?}"),
        }
    }
}

fn paragraph(build: &mut Builder<'_>, text: &str) -> Result<()> {
    build.open(Node::Paragraph(Default::default()))?;
    build.text(text)?;
    build.close()
}

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

fn twips(length: Length) -> i64 {
    length.to_twips()
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

fn text(text: &str) -> Vec<Block> {
    with_job(|job| {
        let mut build = Builder::new(job);
        paragraph(&mut build, text).expect("a paragraph");
        let document = build.finish(&mut Notes::default()).expect("a document");
        document.blocks().cloned().collect()
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

#[test]
fn character_properties_are_kept() {
    let looks = [
        TextStyle {
            spacing: Some(Length::points(3.0)),
            ..TextStyle::default()
        },
        TextStyle {
            spacing: Some(Length::points(-0.5)),
            scale: Some(150),
            ..TextStyle::default()
        },
        TextStyle {
            outlined: true,
            capitals: true,
            ..TextStyle::default()
        },
    ];
    for look in looks {
        check(
            "the look of letters",
            |build| {
                build.open(Node::Paragraph(Default::default()))?;
                let style = build.text_style(look.clone())?;
                build.open(Node::Span(style))?;
                build.text("a")?;
                build.close()?;
                build.close()
            },
            |document| {
                let styles = document.text_styles();
                let mut all: Vec<String> = styles
                    .map(|(_, style)| {
                        let spacing = style.spacing.map(twips);
                        format!(
                            "{spacing:?} {:?} {} {}",
                            style.scale, style.outlined, style.capitals
                        )
                    })
                    .collect();
                all.sort();
                all.dedup();
                all.join(", ")
            },
            [Kept; 3],
        );
    }
}

#[test]
fn row_and_paragraph_properties_are_kept() {
    for exact in [false, true] {
        check(
            "the height of a row",
            |build| {
                build.open(Node::Table {
                    columns: Vec::new(),
                    width: None,
                    alignment: None,
                })?;
                build.open(Node::Row {
                    part: Part::Body,
                    height: Some(Length::points(33.0)),
                })?;
                build.open(Node::Cell(CellShape::default()))?;
                build.text("a")?;
                build.close()?;
                build.close()?;
                if exact {
                    build.set_exact_row(Part::Body);
                }
                build.close()
            },
            |document| {
                let Some(Block::Table(table)) = document.blocks().next() else {
                    panic!("no table");
                };
                let rows = table.rows().map(|row| (row.height.map(twips), row.exact));
                format!("{:?}", rows.collect::<Vec<_>>())
            },
            [Kept; 3],
        );
    }
    check(
        "a paragraph without line numbers",
        |build| {
            let style = build.paragraph_style(ParagraphStyle {
                uncounted: true,
                ..ParagraphStyle::default()
            })?;
            build.open(Node::Paragraph(style))?;
            build.text("a")?;
            build.close()
        },
        |document| {
            let Some(Block::Paragraph(paragraph)) = document.blocks().next() else {
                panic!("no paragraph");
            };
            let style = document.paragraph_style(paragraph.style);
            style.uncounted.to_string()
        },
        [Kept; 3],
    );
    for (automatic, hyphenated) in [(true, Some(false)), (false, Some(true)), (true, None)] {
        check(
            "hyphenation",
            |build| {
                build.hyphenation.automatic = automatic;
                build.hyphenation.ladder = Some(3);
                let style = build.paragraph_style(ParagraphStyle {
                    hyphenated,
                    ..ParagraphStyle::default()
                })?;
                build.open(Node::Paragraph(style))?;
                build.text("a")?;
                build.close()
            },
            |document| {
                let Some(Block::Paragraph(paragraph)) = document.blocks().next() else {
                    panic!("no paragraph");
                };
                let own = document.paragraph_style(paragraph.style).hyphenated;
                let all = document.hyphenation;
                let is = own.unwrap_or(all.automatic);
                format!("{is} {:?}", all.ladder)
            },
            [Kept; 3],
        );
    }
}

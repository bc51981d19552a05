//! Tests that docx, odt and rtf keep the properties of pages, text, rows and paragraphs, or note their loss ([`Fate`]).
//! Each test writes a document with the property, and reads it back.

mod cells;
mod lines;
mod pages;

use crate::{
    docx,
    error::Result,
    job::{Input, Job, Notes, testing::with_job},
    odt, rtf,
};
use convertd_tree::{
    Block, Builder, CellShape, Document, Length, Node, ParagraphStyle, Part, TextStyle,
    row::{Read, Row},
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

fn twips(length: Length) -> i64 {
    length.to_twips()
}

fn text(text: &str) -> Vec<Block> {
    with_job(|job| {
        let mut build = Builder::new(job);
        paragraph(&mut build, text).expect("a paragraph");
        let document = build.finish(&mut Notes::default()).expect("a document");
        document.blocks().cloned().collect()
    })
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

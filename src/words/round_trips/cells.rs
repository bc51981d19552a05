//! Tests of the elements that the schema of a format requires.

use super::{DOCX, Node, paragraph};
use crate::{
    containers::opc::Package,
    error::Result,
    job::{Job, Notes, testing::with_job},
};
use convertd_tree::{Builder, CellShape, Frame, ListKind, Part};
use std::io::Cursor;

/// Writes a document with a cell, and returns the main part.
fn with_cell(fill: impl Fn(&mut Builder<'_>) -> Result<()>) -> String {
    with_job(|job| {
        let mut build = Builder::new(job);
        table(&mut build, fill).expect("a table");
        let document = build.finish(&mut Notes::default()).expect("a document");
        let mut file = Cursor::new(Vec::new());
        let write = DOCX.write.as_ref().expect("a writer").write;
        write(job, &document, &mut file, &mut Notes::default()).expect("a file");
        let job = Job {
            input_len: file.get_ref().len() as u64,
            ..*job
        };
        let mut package = Package::open(&job, &mut file).expect("a package");
        package.text("word/document.xml").expect("a part")
    })
}

/// Adds a table with one cell.
fn table(build: &mut Builder<'_>, fill: impl Fn(&mut Builder<'_>) -> Result<()>) -> Result<()> {
    build.open(Node::Table {
        columns: Vec::new(),
        width: None,
        alignment: None,
    })?;
    build.open(Node::Row {
        part: Part::Body,
        height: None,
    })?;
    build.open(Node::Cell(CellShape::default()))?;
    fill(build)?;
    for _ in 0..3 {
        build.close()?;
    }
    Ok(())
}

#[test]
fn every_cell_of_a_word_document_ends_with_a_paragraph() {
    #[track_caller]
    fn check(name: &str, fill: impl Fn(&mut Builder<'_>) -> Result<()>) {
        let part = with_cell(fill);
        for (at, _) in part.match_indices("</w:tc>") {
            let before = &part[..at];
            let ends = ["</w:p>", "<w:p/>"];
            assert!(
                ends.iter().any(|end| before.ends_with(end)),
                "{name}: {part}"
            );
        }
    }
    let list = || Node::List {
        kind: ListKind::Bullet,
        tight: true,
        look: Default::default(),
    };
    let text = |build: &mut Builder<'_>| paragraph(build, "b");
    check("nothing", |_| Ok(()));
    check("a list without items", |build| {
        build.open(list())?;
        build.close()
    });
    check("a list without items, after a table", |build| {
        table(build, text)?;
        build.open(list())?;
        build.close()
    });
    check("definitions without terms", |build| {
        build.open(Node::Definitions)?;
        build.close()
    });
    // A frame is written before the block that it is anchored in.
    check("a frame at a table", |build| {
        table(build, text)?;
        build.open(Node::Frame(Box::<Frame>::default()))?;
        paragraph(build, "a")?;
        build.close()
    });
    check("a table", |build| table(build, text));
}

//! Any order of calls results in a tree without loss of text and with limited depth.

mod limits;

use super::*;
use crate::job::testing::with_job;
use crate::{
    document::{
        CellShape, Direction, ListKind, Mark, NoteKind, ParagraphStyleId, Part, Picture,
        PictureSource, TextStyleId, Width,
    },
    testing::{blocks, draw},
};

const PLAIN: ParagraphStyleId = ParagraphStyleId(0);

/// The document that `fill` builds, and the losses that were noted.
fn build(fill: impl FnOnce(&mut Builder<'_>) -> Result<()>) -> (Document, Vec<String>) {
    with_job(|job| {
        let mut builder = Builder::new(job);
        fill(&mut builder).expect("nothing is refused");
        let mut notes = Notes::default();
        let document = builder.finish(&mut notes).expect("nothing is refused");
        (document, notes.0)
    })
}

fn heading(level: u8, id: Option<&str>) -> Node {
    Node::Heading {
        level,
        id: id.map(Into::into),
        label: None,
        style: PLAIN,
    }
}

fn list() -> Node {
    Node::List {
        kind: ListKind::Bullet,
        tight: true,
        look: Default::default(),
    }
}

fn table() -> Node {
    Node::Table {
        columns: Vec::new(),
        width: None,
        alignment: None,
    }
}

fn link(target: &str) -> Node {
    Node::Link {
        target: target.into(),
        title: "".into(),
    }
}

#[track_caller]
fn check(expected: &str, fill: impl FnOnce(&mut Builder<'_>) -> Result<()>) {
    let (document, _) = build(fill);
    assert_eq!(draw(&document), expected);
}

#[test]
fn events_build_the_expected_tree() {
    check("h1#a-b(a Strong(b))p(c/d~e`f`)rule", |build| {
        build.open(heading(1, None))?;
        build.text("a ")?;
        build.open(Node::Marked(Mark::Strong))?;
        build.text("b")?;
        build.close()?;
        build.close()?;
        build.open(Node::Paragraph(PLAIN))?;
        build.text("c")?;
        build.line_break()?;
        build.text("d")?;
        build.soft_break()?;
        build.text("e")?;
        build.code("f")?;
        build.close()?;
        build.rule()
    });
    check("list([p(a)list([p(b)])][])quote[code(x\ny)]", |build| {
        build.open(list())?;
        build.open(Node::Item {
            task: None,
            label: None,
        })?;
        build.text("a")?;
        build.open(list())?;
        build.open(Node::Item {
            task: None,
            label: None,
        })?;
        build.text("b")?;
        build.close()?;
        build.close()?;
        build.close()?;
        build.open(Node::Item {
            task: Some(true),
            label: None,
        })?;
        build.close()?;
        build.close()?;
        build.open(Node::Quote)?;
        build.code_block("rust", "x\ny\n")?;
        build.close()
    });
    check("definitions(a/b:[p(c)][p(d)]e:)", |build| {
        build.open(Node::Definitions)?;
        for term in ["a", "b"] {
            build.open(Node::Term)?;
            build.text(term)?;
            build.close()?;
        }
        for details in ["c", "d"] {
            build.open(Node::Details)?;
            build.text(details)?;
            build.close()?;
        }
        build.open(Node::Term)?;
        build.text("e")?;
        build.close()?;
        build.close()
    });
    check("p(a^0b^1)note[p(c)]note[p(d)p(e)]", |build| {
        build.text("a")?;
        build.open(Node::Note(NoteKind::Footnote))?;
        build.text("c")?;
        build.close()?;
        build.text("b")?;
        let note = build.reserve_note(NoteKind::Endnote)?;
        build.note(note)?;
        for text in ["d", "e"] {
            build.open(Node::NoteBody(note))?;
            build.text(text)?;
            build.close()?;
        }
        Ok(())
    });
}

#[test]
fn missing_parent_nodes_are_added() {
    // Text, blocks and cells without the nodes that should contain them.
    check("p(a)", |build| build.text("a"));
    check("list([p(a)])", |build| {
        build.open(list())?;
        build.text(" \n")?;
        build.text("a")?;
        build.close()
    });
    check("table1[](([rule])([p(b)]))", |build| {
        build.open(table())?;
        build.rule()?;
        build.open(Node::Row {
            part: Part::Body,
            height: None,
        })?;
        build.text("b")?;
        build.close()?;
        build.close()
    });
    check("p(a)p(b)p(c)", |build| {
        build.open(Node::Item {
            task: None,
            label: None,
        })?;
        build.text("a")?;
        build.close()?;
        build.open(Node::Paragraph(PLAIN))?;
        build.text("b")?;
        build.close()?;
        build.open(Node::Cell(CellShape::default()))?;
        build.text("c")?;
        build.close()
    });
    // A block among inlines.
    check("p(a/b/c)", |build| {
        build.open(Node::Paragraph(PLAIN))?;
        build.text("a")?;
        build.open(Node::Quote)?;
        build.open(Node::Paragraph(PLAIN))?;
        build.text("b")?;
        build.close()?;
        build.close()?;
        build.text("c")?;
        build.close()
    });
    check("h1#x-y(`x`/`y`)", |build| {
        build.open(heading(1, None))?;
        build.rule()?;
        build.code_block("", "x\ny\n")?;
        build.rule()?;
        build.close()
    })
}

#[test]
fn empty_nodes_are_dropped() {
    check("p()", |build| {
        build.open(list())?;
        build.close()?;
        build.open(table())?;
        build.close()?;
        build.open(Node::Paragraph(PLAIN))?;
        build.open(Node::Marked(Mark::Emphasis))?;
        build.close()?;
        build.open(Node::Span(TextStyleId::default()))?;
        build.close()?;
        build.close()
    });
    check("p(a b)", |build| {
        build.text("a")?;
        build.text("")?;
        build.text("\nb")
    });
    check("p(<x>(ab))", |build| {
        build.open(link("x"))?;
        build.text("a")?;
        build.open(link("y"))?;
        build.text("b")?;
        build.close()?;
        build.close()
    });
}

#[test]
fn unbalanced_closes_are_tolerated() {
    check("p(a)p(b)", |build| {
        build.close()?;
        build.text("a")?;
        build.close()?;
        build.close()?;
        build.text("b")
    });
    check("quote[list([p(Strong(a))])]", |build| {
        build.open(Node::Quote)?;
        build.open(list())?;
        build.open(Node::Marked(Mark::Strong))?;
        build.text("a")
    });
    check("p(a)", |build| {
        build.begin_fragment();
        build.close()?;
        build.open(Node::Quote)?;
        build.text("h")?;
        let header = build.end_fragment()?;
        assert_eq!(blocks(&header), "[quote[p(h)]]");
        build.text("a")
    });
}

#[test]
fn nested_notes_are_merged_or_left_out() {
    let (document, lost) = build(|build| {
        build.text("a")?;
        build.open(Node::Note(NoteKind::Footnote))?;
        build.text("b")?;
        build.open(Node::Note(NoteKind::Footnote))?;
        build.text("c")?;
        build.close()?;
        let id = build.reserve_note(NoteKind::Footnote)?;
        build.note(id)?;
        build.close()
    });
    assert_eq!(draw(&document), "p(a^1)note[]note[p(b/c)]");
    assert_eq!(
        lost,
        ["2 notes inside other notes were left out, or became part of their texts."]
    );
}

#[test]
fn duplicate_ids_are_made_unique() {
    let (document, _) = build(|build| {
        for id in [None, Some("x"), Some("x"), None] {
            build.open(heading(20, id))?;
            build.text("x")?;
            build.close()?;
        }
        build.bookmark("x")?;
        build.bookmark("y")
    });
    assert_eq!(draw(&document), "h9#x-1(x)h9#x(x)h9#x-2(x)h9#x-3(x)p(#y)");
}

#[test]
fn equal_styles_and_pictures_are_stored_once() {
    let (document, _) = build(|build| {
        let style = TextStyle {
            direction: Some(Direction::RightToLeft),
            ..TextStyle::default()
        };
        let style_id = build.text_style(style.clone())?;
        assert_eq!(style_id, build.text_style(style)?);
        assert_eq!(build.text_style(TextStyle::default())?, TextStyleId(0));
        let png = b"\x89PNG\r\n\x1a\n".to_vec();
        let picture_id = build.resource(png.clone(), "word/media\\a.jpg", Some("image/jpeg"))?;
        assert_eq!(picture_id, build.resource(png, "b.png", None)?);
        build.picture(Picture {
            source: PictureSource::Resource(picture_id),
            alternative: "".into(),
            title: "".into(),
            width: None,
            height: None,
            frame: None,
        })
    });
    let [resource] = document.resources() else {
        panic!("equal pictures are stored twice");
    };
    assert_eq!(
        (&*resource.media_type, &*resource.name),
        ("image/png", "a.jpg")
    );
    assert_eq!(document.text_styles().count(), 2);
}

#[test]
fn begin_section_ends_the_previous_section() {
    let (document, _) = build(|build| {
        build.begin_section()?;
        build.text("a")?;
        build.set_page(PageSetup {
            columns: 2,
            ..PageSetup::default()
        });
        build.begin_section()?;
        build.begin_section()?;
        build.open(Node::Quote)?;
        build.begin_section()?;
        build.text("b")?;
        build.close()
    });
    let sections = document.sections();
    assert_eq!(sections.len(), 2);
    assert_eq!(sections[0].page.as_ref().map(|page| page.columns), Some(2));
    assert_eq!(sections[1].page, None);
}

#[test]
fn grafted_headings_keep_the_font_of_their_document() {
    let (from, _) = build(|build| {
        build.text.font = Some("Lato".into());
        build.open(heading(1, None))?;
        build.text("a")?;
        build.close()
    });
    let (document, _) = build(|build| build.graft(&from));
    let Some(Block::Heading(heading)) = document.blocks().next() else {
        panic!("there is no heading");
    };
    let style = document.paragraph_style(heading.style);
    assert_eq!(style.text.font.as_deref(), Some("Lato"));
}

#[test]
fn columns_may_follow_the_caption() {
    let column = Column {
        width: Some(Width::Share(0.5)),
        ..Column::default()
    };
    let (document, _) = build(|build| {
        build.open(table())?;
        build.open(Node::Caption)?;
        build.text("a")?;
        build.close()?;
        build.set_columns(vec![column; 2]);
        build.open(Node::Row {
            part: Part::Body,
            height: None,
        })?;
        build.open(Node::Cell(CellShape::default()))?;
        build.close()?;
        build.close()?;
        build.set_columns(vec![column; 3]);
        build.close()
    });
    let Some(Block::Table(table)) = document.blocks().next() else {
        panic!("there is no table");
    };
    assert_eq!(table.columns, vec![column; 2]);
}

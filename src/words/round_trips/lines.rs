//! Tests of inline content: underlines and emphasis marks, notes, and ruby text.

use super::{Fate::Kept, check};
use convertd_tree::{
    Border, Colour, EmphasisMark, EmphasisShape, Inline, Length, LineKind, Mark, Node, NoteCount,
    NoteKind, NotePosition, NoteSetup, Stroke, TextStyle, Underline, each_inline, numerals::Format,
};

#[test]
fn underlines_and_emphasis_marks_are_kept() {
    let line = Border {
        width: Length::points(1.0),
        colour: Some(Colour(0, 0, 255)),
        kind: LineKind::Solid,
        space: Some(Length::points(2.0)),
    };
    let look = TextStyle {
        underline: Some(Underline {
            stroke: Stroke::Wavy,
            thick: true,
            colour: Some(Colour(255, 0, 0)),
            ..Underline::default()
        }),
        emphasis: Some(EmphasisMark {
            shape: EmphasisShape::Circle,
            below: false,
        }),
        border: Some(line),
        ..TextStyle::default()
    };
    check(
        "underlines and emphasis marks",
        |build| {
            build.open(Node::Paragraph(Default::default()))?;
            build.open(Node::Marked(Mark::Underline))?;
            let style = build.text_style(look.clone())?;
            build.open(Node::Span(style))?;
            build.text("a")?;
            for _ in 0..3 {
                build.close()?;
            }
            Ok(())
        },
        |document| {
            let styles = document.text_styles();
            let mut all: Vec<String> = styles
                .map(|(_, style)| {
                    format!(
                        "{:?} {:?} {:?}",
                        style.underline, style.emphasis, style.border
                    )
                })
                .collect();
            all.dedup();
            all.join(", ")
        },
        [Kept; 3],
    );
}

#[test]
fn numbers_and_marks_of_notes_are_kept() {
    for (format, restart) in [
        ("lowerLetter", NoteCount::Page),
        ("chicago", NoteCount::Document),
    ] {
        check(
            "numbers and marks of notes",
            |build| {
                build.note_setups.footnotes = NoteSetup {
                    format: Format::of_word(format, None).expect("a format"),
                    start: 3,
                    restart,
                    position: NotePosition::TextEnd,
                };
                for mark in [None, Some("\u{2021}")] {
                    build.open(Node::Paragraph(Default::default()))?;
                    build.text("a")?;
                    let note = build.reserve_note(NoteKind::Footnote)?;
                    mark.into_iter()
                        .for_each(|mark| build.mark_note(note, mark));
                    build.note(note)?;
                    build.close()?;
                    build.open(Node::NoteBody(note))?;
                    build.text("text")?;
                    build.close()?;
                }
                Ok(())
            },
            |document| {
                let notes = document.notes().iter();
                let notes: Vec<_> = notes
                    .map(|note| {
                        (
                            note.mark.clone(),
                            convertd_tree::testing::blocks(&note.blocks),
                        )
                    })
                    .collect();
                format!("{:?} {notes:?}", document.note_setups.footnotes)
            },
            [Kept; 3],
        );
    }
}

#[test]
fn ruby_text_is_kept() {
    check(
        "ruby",
        |build| {
            build.open(Node::Paragraph(Default::default()))?;
            build.text("in ")?;
            build.ruby("base", "above")?;
            build.text(" out")?;
            build.close()
        },
        |document| {
            let mut words = Vec::new();
            for section in document.sections() {
                each_inline(&section.blocks, &mut |inline| match inline {
                    Inline::Ruby(ruby) => words.push(ruby.spelled()),
                    Inline::Text(text) => words.push(text.clone()),
                    _ => {}
                });
            }
            words.join("|")
        },
        [Kept; 3],
    );
}

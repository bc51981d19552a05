//! Tests of the division into lines, and of what is painted with them.

use super::*;
use crate::{
    around::{Exclusion, Exclusions},
    structure::NodeId,
    text_format::TextFormat,
};
use convertd_tree::Side;

/// Atoms of a text in which `-` is a soft hyphen.
fn atoms(text: &str) -> Atoms {
    let mut spans = Spans {
        hyphenated: true,
        ..Spans::default()
    };
    let text = text.replace('-', "\u{ad}");
    spans.push(&text, &Rc::new(TextFormat::plain()), NodeId::DOCUMENT, None);
    Atoms::of(&spans, None, &mut Faces::new())
}

#[test]
fn lines_that_shall_not_end_with_a_hyphen_still_fill_their_column() {
    #[track_caller]
    fn check(text: &str, divides: bool, expected: usize) {
        let mut atoms = atoms(text).atoms;
        // The line is as wide as the text up to the second soft hyphen, with a hyphen.
        let mut hyphened = atoms.iter().enumerate().filter(|(_, a)| a.hyphen.is_some());
        let (second, hyphen) = hyphened
            .nth(1)
            .map(|(at, atom)| (at, atom.hyphen_width()))
            .unwrap();
        let width: f32 = atoms[..=second].iter().map(|atom| atom.width).sum();
        let text_format = TextFormat::plain();
        let shape = Shape::new(&text_format, width + hyphen);
        let filled = fill(&mut atoms, 0, shape.width, 0.0, &shape, divides);
        assert_eq!(filled.end, expected, "{text}");
    }
    check("mm-mm-mm-mm", true, 2);
    check("mm-mm-mm-mm", false, 2);
    check("m mm-mm-mm", true, 4);
    check("m mm-mm-mm", false, 2);
}

#[test]
fn smallest_width_has_room_for_hyphens() {
    let atoms = atoms("mm-m");
    let first = &atoms.atoms[0];
    assert!(first.hyphen_width() > 0.0);
    assert_eq!(extent(&atoms).0, first.width + first.hyphen_width());
}

#[test]
fn hanging_first_lines_begin_beside_exclusions() {
    #[track_caller]
    fn check(right: f32, left: f32, first_line: f32) {
        let exclusion = Exclusion {
            left: -20.0,
            right,
            top: 0.0,
            bottom: 100.0,
            side: Some(Side::Both),
        };
        let around = Exclusions {
            taken: vec![exclusion],
            bottom: 100.0,
            less: (0.0, 0.0),
        };
        let look = TextFormat::plain();
        let shape = Shape {
            left: 30.0,
            first_line: -20.0,
            around: Some(&around),
            ..Shape::new(&look, 200.0)
        };
        let (_, parts) = shape.parts(0.0, true, &mut Faces::new());
        let found = (parts[0].left, parts[0].first_line, parts[0].width);
        assert_eq!(found, (left, first_line, 230.0 - left));
    }
    check(5.0, 30.0, -20.0);
    check(16.0, 30.0, -14.0);
    check(50.0, 50.0, 0.0);
}

#[test]
fn backgrounds_are_behind_raised_text() {
    // Distance of the baseline of text from the upper edge of its background.
    let height = |raised: f32| {
        let format = Rc::new(TextFormat {
            background: Some(Colour(0xff, 0xff, 0)),
            raised,
            ..TextFormat::plain()
        });
        let mut spans = Spans::default();
        spans.push("word", &format, NodeId::DOCUMENT, None);
        let mut faces = Faces::new();
        let atoms = Atoms::of(&spans, None, &mut faces);
        let set = set(spans, atoms, &Shape::new(&format, 100.0), &mut faces);
        let mut items = set[0].items.iter();
        let top = items.find_map(|item| match item {
            Item::Fill { area, .. } => Some(area.y),
            _ => None,
        });
        let baseline = items.find_map(|item| match item {
            Item::Text { y, .. } => Some(*y),
            _ => None,
        });
        baseline.unwrap() - top.unwrap()
    };
    assert!(height(0.0) > 1.0);
    assert!((height(5.0) - height(0.0)).abs() < 0.01);
}

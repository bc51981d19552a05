//! Presentations of Apple's Keynote. They are written here; `tests/corpora/iwork.py` compares the words of real ones.

use crate::{
    harness::{convert_with, text_of},
    iwa::{Message, Object, illustrated, key, key_objects},
};

/// A picture of one pixel.
fn picture() -> Vec<u8> {
    const PIXEL: &[u8] = b"P6 1 1 255\n\xff\0\0";
    convert_with("a.ppm", PIXEL, "png", &[]).unwrap().0
}

#[track_caller]
fn check(result: &str, parts: &[&str]) {
    let mut rest = result;
    for part in parts {
        let Some(at) = rest.find(part) else {
            panic!("{part:?} is not there, or not in its order: {result}");
        };
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn slides_are_read_with_titles_lists_tables_pictures_and_notes() {
    let page = text_of("a.key", &key(&picture()), "md").unwrap();
    check(
        &page,
        &[
            "# The title",
            "- one",
            "- two",
            "apples",
            "pears",
            "alt=\"A picture\"",
            "> Say this",
        ],
    );
    assert!(!page.contains("Skipped"), "{page}");
}

#[test]
fn skipped_slides_are_hidden_ones() {
    let file = key(&picture());
    let (_, notes) = convert_with("a.key", &file, "txt", &[]).unwrap();
    assert!(
        notes.0.iter().any(|note| note.contains("hidden")),
        "{notes:?}"
    );
    let (kept, _) = convert_with("a.key", &file, "txt", &[("hidden", "keep")]).unwrap();
    check(&String::from_utf8(kept).unwrap(), &["The title", "Skipped"]);
}

#[test]
fn slides_without_a_list_are_a_tree() {
    let mut all = key_objects();
    let tree = Message::default().refers(1, 8);
    all.retain(|(number, ..)| *number != 9);
    all.push((9, 2, Message::default().message(3, &tree)));
    let root = Message::default().refers(1, 10).refers(1, 11);
    all.push((8, 4, root));
    let page = text_of("a.key", &illustrated(&all, &picture()), "md").unwrap();
    check(&page, &["# The title", "- one"]);
}

#[cfg(feature = "pdf")]
#[test]
fn slides_keep_their_places_and_what_their_template_shows() {
    let file = key(&picture());
    for to in ["pdf", "pptx", "odp"] {
        let made = convert_with("a.key", &file, to, &[]);
        let made = made
            .unwrap_or_else(|err| panic!("{to}: {}", err.message()))
            .0;
        let page = text_of(&format!("a.{to}"), &made, "txt").unwrap();
        for words in ["The title", "one", "apples"] {
            assert!(page.contains(words), "{to}: {words}: {page}");
        }
        if to == "pdf" {
            assert!(page.contains("On each slide"), "{page}");
        }
    }
}

#[test]
fn damaged_presentations_are_refused_or_read_in_part() {
    #[track_caller]
    fn refused(all: &[Object], words: &str) {
        let err = text_of("a.key", &illustrated(all, &picture()), "txt").unwrap_err();
        assert!(err.message().contains(words), "{}", err.message());
    }
    let all = key_objects();
    refused(&all[2..], "the object of the presentation is missing");
    refused(&all[..2], "it has no slides");
    // Nodes, groups and styles that contain themselves.
    let circle = |number, kind| {
        (
            number,
            kind,
            Message::default().refers(1, number).refers(2, 20),
        )
    };
    let mut own: Vec<Object> = all
        .iter()
        .filter(|(number, ..)| ![9, 20].contains(number))
        .cloned()
        .collect();
    let tree = Message::default().refers(1, 8);
    own.push((9, 2, Message::default().message(3, &tree)));
    own.push(circle(8, 4));
    let slide = Message::default().refers(1, 96).refers(5, 30).refers(7, 95);
    own.push((20, 5, slide));
    let group = Message::default()
        .message(1, &crate::iwa::drawable([0.0; 4], ""))
        .refers(2, 95);
    own.push((95, 3008, group));
    let style = Message::default().refers(3, 96);
    own.push((96, 9, Message::default().message(1, &style)));
    let page = text_of("a.key", &illustrated(&own, &picture()), "txt").unwrap();
    check(&page, &["The title"]);
}

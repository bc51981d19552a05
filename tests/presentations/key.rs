//! Presentations of Apple's Keynote. They are written here; `tests/corpora/iwork.py` compares the words of real ones.

use crate::{
    harness::{convert_with, is_linear, text_of, within},
    iwa::{Message, Object, drawable, illustrated, key, key_objects, shape, texts, words},
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
fn slides_show_their_text_and_that_of_their_template() {
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
    refused(&all[2..], "its root object");
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
        .message(1, &drawable([0.0; 4], ""))
        .refers(2, 95);
    own.push((95, 3008, group));
    let style = Message::default().refers(3, 96);
    own.push((96, 9, Message::default().message(1, &style)));
    let page = text_of("a.key", &illustrated(&own, &picture()), "txt").unwrap();
    check(&page, &["The title"]);
}

/// A presentation whose slide shows an object this many times.
fn showing(times: usize, object: u64, others: &[Object]) -> Vec<u8> {
    let mut all = key_objects();
    all.retain(|(number, ..)| *number != 20);
    let slide = (0..times).fold(Message::default(), |slide, _| slide.refers(7, object));
    all.push((20, 5, slide));
    all.extend_from_slice(others);
    illustrated(&all, &picture())
}

#[test]
fn memory_is_leased_before_a_slide_takes_it() {
    /// Memory in bytes and number of steps, far below what the objects would take.
    const MEMORY: u64 = 16 << 20;
    const STEPS: u64 = 2_000_000;
    #[track_caller]
    fn refused(what: &str, file: &[u8]) {
        assert!(file.len() < 4 << 20, "{what}: {}", file.len());
        let made = within(MEMORY, STEPS, "a.key", file);
        let err = made.expect_err(what);
        assert!(
            err.message().contains("of memory"),
            "{what}: {}",
            err.message()
        );
    }
    let head = drawable([0.0; 4], "");
    // Each level has ten times the members of the level above.
    let group = Message::default().message(1, &head);
    let group = (0..10).fold(group, |group, _| group.refers(2, 90).refers(2, 37));
    refused("groups", &showing(1, 90, &[(90, 3008, group)]));
    let lines = [
        (90, 2011, shape([0.0; 4], 91)),
        (91, 2001, words(&"a\n".repeat(300_000))),
    ];
    refused("paragraphs", &showing(1, 90, &lines));
    let breaks = [
        (90, 2011, shape([0.0; 4], 91)),
        (91, 2001, words(&"a\u{b}".repeat(300_000))),
    ];
    refused("runs", &showing(1, 90, &breaks));
    let long = drawable([0.0; 4], &"words ".repeat(100_000));
    let long = Message::default().message(1, &long);
    refused("descriptions", &showing(100, 90, &[(90, 3004, long)]));
    let point = Message::default().single(1, 1.0).single(2, 1.0);
    let line = Message::default().number(1, 2).message(2, &point);
    let path = (0..10_000).fold(Message::default(), |path, _| path.message(1, &line));
    let path = Message::default().message(5, &Message::default().message(3, &path));
    let drawn = Message::default().message(1, &head).message(3, &path);
    refused("outlines", &showing(100, 90, &[(90, 3004, drawn)]));
    let model = Message::default().number(6, 2000).number(7, 256);
    let table = [
        (90, 6000, Message::default().message(1, &head).refers(2, 91)),
        (91, 6001, model),
    ];
    refused("cells", &showing(1, 90, &table));
    let notes = [
        (90, 15, Message::default().refers(1, 91)),
        (91, 2001, words(&"\n".repeat(300_000))),
    ];
    let mut all = key_objects();
    all.retain(|(number, ..)| ![20, 50, 51].contains(number));
    all.push((20, 5, Message::default().refers(27, 90)));
    all.extend(notes);
    refused("notes", &illustrated(&all, &picture()));
}

#[test]
fn the_model_of_a_table_is_not_read_for_each_cell() {
    is_linear("a table of Keynote", 10, |size| {
        let row = vec!["a"; 40];
        let rows = vec![row.as_slice(); size];
        let mut all = key_objects();
        all.retain(|(number, ..)| ![4, 5, 6].contains(number));
        let mut table = texts(&rows).split_off(3);
        table[0].2 = (0..2000 * size).fold(table[0].2.clone(), |model, _| model.number(99, 1));
        all.extend(table);
        text_of("a.key", &illustrated(&all, &picture()), "txt").unwrap()
    });
}

#[test]
fn merged_cells_are_one() {
    let mut all = key_objects();
    for (number, kind, message) in crate::iwa::merged([0, 0, 1, 2]) {
        match all.iter_mut().find(|(own, ..)| *own == number) {
            Some(own) => own.2 = message,
            None => all.push((number, kind, message)),
        }
    }
    let page = text_of("a.key", &illustrated(&all, &picture()), "html").unwrap();
    check(&page, &["colspan=\"2\"", "name", "apples", "pears"]);
    assert!(!page.contains("count"), "{page}");
}

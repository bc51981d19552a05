//! Bookmarks: the outline of a file as a JSON list, such as `[{"title": "A", "page": 1, "children": []}]`, and back.
//! Supports only actions that lead to a page.

use super::{
    assemble::Assembly,
    leaves,
    outlines::{self, Entry, Outline},
    store::Store,
    targets::Targets,
};
use crate::{
    error::{Error, Kind, Result},
    read::text::strings,
};
use serde_json::{Value as Json, json};

/// Limit on a title, in characters.
const MAX_TITLE: usize = 1000;

/// Limit on the bytes of a title that are decoded: the byte order mark, and at most four bytes for a character.
const MAX_TITLE_BYTES: usize = 4 * MAX_TITLE + 4;

/// Limit on the bookmarks in a list.
const MAX: usize = 20_000;

/// Limit on the nesting of bookmarks that are read. Deeper ones become siblings. Each level is an object and a list,
/// and parsers of JSON refuse values that are nested deeper than about 100 levels.
const MAX_LEVEL: usize = 30;

/// Limit on the length of all bookmarks that are read, in bytes.
const MAX_LENGTH: usize = 1 << 20;
/// Estimated length in JSON of a bookmark without its title, in bytes.
const LENGTH: usize = 40;

/// An entry of an outline.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bookmark {
    /// Nesting level; 0 for a top-level bookmark.
    pub(super) level: usize,
    pub(super) title: String,
    /// Number of the page, from 1.
    pub(super) page: usize,
}

/// Bookmarks of the first file. Those beyond a limit on their number or length are left out.
///
/// Errors: the memory is not granted, or the job is to end.
pub(super) fn of_file(store: &mut Store<'_>) -> Result<Json> {
    let pages = leaves::ids(store, 0);
    let targets = Targets::of(store, 0, pages.clone());
    let outline = Outline::of(store, 0, &targets);
    // Memory for the list, and for the text that is made of it.
    let _lease = store.borrow(4 * MAX_LENGTH as u64)?;
    let mut found = Vec::new();
    let mut length = 0;
    for place in outline.places(&pages).into_iter().take(MAX) {
        store.check()?;
        let title = match outline.title(store, place.entry) {
            Some(bytes) => {
                let shown = &bytes[..bytes.len().min(MAX_TITLE_BYTES)];
                length += shown.len();
                title(&strings::decode(shown))
            }
            None => String::new(),
        };
        length += LENGTH;
        if length > MAX_LENGTH {
            break;
        }
        found.push(Bookmark {
            level: place.level.min(MAX_LEVEL),
            title,
            page: place.page,
        });
    }
    Ok(nested(found))
}

/// A title without control characters, cut to its limit.
fn title(text: &str) -> String {
    let signs = text.chars().filter(|sign| !sign.is_control());
    signs.take(MAX_TITLE).collect()
}

/// Nests bookmarks by their levels.
fn nested(all: Vec<Bookmark>) -> Json {
    // The last entry and its ancestors, with their levels. They may still get children.
    let mut open: Vec<(usize, Json)> = Vec::new();
    // The finished top-level entries.
    let mut top = Vec::new();
    let close = |open: &mut Vec<(usize, Json)>, top: &mut Vec<Json>| {
        let Some((_, done)) = open.pop() else { return };
        match open.last_mut() {
            Some((_, parent)) => match parent["children"].as_array_mut() {
                Some(children) => children.push(done),
                None => parent["children"] = json!([done]),
            },
            None => top.push(done),
        }
    };
    for bookmark in all {
        while open
            .last()
            .is_some_and(|(level, _)| *level >= bookmark.level)
        {
            close(&mut open, &mut top);
        }
        let own = json!({"title": bookmark.title, "page": bookmark.page});
        open.push((bookmark.level, own));
    }
    while !open.is_empty() {
        close(&mut open, &mut top);
    }
    Json::Array(top)
}

/// Replaces the outline of a document by these bookmarks.
///
/// Errors: [`Kind::BadInput`] for a list in another form, or a page that does not exist.
pub(super) fn replace(store: &mut Store<'_>, document: &Assembly, text: &str) -> Result<()> {
    let refused = |why: String| Error::new(Kind::BadInput, format!("bookmarks {why}"));
    // A value of JSON takes several times the memory of its text.
    let _lease = store.borrow(16 * text.len() as u64)?;
    let list: Json =
        serde_json::from_str(text).map_err(|err| refused(format!("must be a JSON list: {err}")))?;
    let mut all = Vec::new();
    flatten(&list, 0, document.pages.len(), &mut all).map_err(refused)?;
    let entries = all.into_iter().map(|bookmark| {
        let page = document.pages[bookmark.page - 1];
        Entry::of_page(&bookmark.title, page, bookmark.level)
    });
    let outline = outlines::write(store, entries.collect());
    let mut catalog = store.dict_of(document.catalog).unwrap_or_default();
    match outline {
        Some(outline) => catalog.set("Outlines", outline),
        None => {
            catalog.remove("Outlines");
        }
    }
    store.set(document.catalog, catalog);
    Ok(())
}

/// Adds the bookmarks of a list, each before its children. The parser of JSON limits the depth. The error is the end of
/// a sentence that begins with "bookmarks".
fn flatten(
    list: &Json,
    level: usize,
    pages: usize,
    found: &mut Vec<Bookmark>,
) -> Result<(), String> {
    let list = list
        .as_array()
        .ok_or("must be a list of objects with title, page and perhaps children")?;
    for entry in list {
        let title = title(entry["title"].as_str().ok_or("must each have a title")?);
        let page = entry["page"].as_u64().unwrap_or_default();
        let page = usize::try_from(page).unwrap_or(usize::MAX);
        if !(1..=pages).contains(&page) {
            return Err(format!(
                "must each have a page from 1 to {pages}; the page of {title:?} is missing or out of range"
            ));
        }
        if found.len() >= MAX {
            return Err(format!("must have at most {MAX} entries"));
        }
        found.push(Bookmark { level, title, page });
        if let Some(children) = entry.get("children").filter(|children| !children.is_null()) {
            flatten(children, level + 1, pages, found)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_nested_and_flat_again() {
        let list = json!([
            {"title": "A", "page": 1, "children": [
                {"title": "B", "page": 2, "children": [{"title": "C", "page": 2}]},
                {"title": "D", "page": 1},
            ]},
            {"title": "E", "page": 3},
        ]);
        let mut all = Vec::new();
        flatten(&list, 0, 3, &mut all).unwrap();
        let levels: Vec<usize> = all.iter().map(|bookmark| bookmark.level).collect();
        assert_eq!(levels, [0, 1, 2, 1, 0]);
        assert_eq!(nested(all), list);
    }

    #[test]
    fn titles_are_short_and_have_no_control_characters() {
        #[track_caller]
        fn check(text: &str, expected: &str) {
            assert_eq!(title(text), expected);
        }
        check("A\u{7}B\u{9f}\u{7f}", "AB");
        check(&"x".repeat(MAX_TITLE + 1), &"x".repeat(MAX_TITLE));
    }

    #[test]
    fn lists_in_another_form_are_refused() {
        #[track_caller]
        fn check(list: &Json, expected: &str) {
            let error = flatten(list, 0, 3, &mut Vec::new()).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        check(&json!({}), "a list");
        check(&json!([1]), "title");
        check(&json!([{"title": "A"}]), "page from 1 to 3");
        check(&json!([{"title": "A", "page": 4}]), "\"A\"");
        check(&json!([{"title": "A", "page": 1, "children": 5}]), "a list");
    }
}

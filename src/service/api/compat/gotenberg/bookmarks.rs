//! Bookmarks in a form: a list for all files, or a list for each file under its name. The engine writes them: the list
//! of a result becomes an option of its conversion.

use super::{
    fields::{Fields, go_json},
    post_process::stem,
    refusal::Refusal,
};
use crate::{
    api::compat::{item::Item, work::Work},
    format::PDF_OUTLINE,
};
use serde_json::{Map, Value, json};

/// Bookmarks that a form states.
pub(super) enum Bookmarks {
    /// The same list for every file, or for the merged file.
    All(Value),
    /// A list for each file, by its name. Page numbers are those within that file.
    ByFile(Map<String, Value>),
}

/// Bookmarks that a merged file gets from its files.
#[derive(Default)]
pub(super) struct Merging {
    /// Whether each file gets a bookmark with its title, as the parent of the file's bookmarks.
    pub(super) titles: bool,
    /// Whether files keep their own bookmarks.
    pub(super) keeps_own: bool,
}

/// Reads the field `bookmarks`. A syntax error is described as Go describes it.
pub(super) fn read(fields: &mut Fields<'_>, required: bool) -> Option<Bookmarks> {
    const NAME: &str = "bookmarks";
    let text = match required {
        true => fields.required(NAME),
        false => fields.text(NAME),
    }?;
    let why = match serde_json::from_str(text) {
        Ok(list @ Value::Array(_)) => return Some(Bookmarks::All(list)),
        Ok(Value::Object(map)) if map.values().all(Value::is_array) => {
            return Some(Bookmarks::ByFile(map));
        }
        Ok(_) => "expected a list, or an object with a list for each file".to_owned(),
        Err(err) => go_json(text).unwrap_or_else(|| err.to_string()),
    };
    fields.invalid(NAME, text, &format!("unmarshal bookmarks: {why}"));
    None
}

impl Bookmarks {
    /// Returns the list of a file of this name, as JSON. `None` if the file keeps its own bookmarks.
    pub(super) fn of(&self, name: &str) -> Option<String> {
        match self {
            Self::All(list) => Some(option(list)),
            Self::ByFile(lists) => lists.get(name).map(option),
        }
    }
}

/// Returns the list of a merged file, as JSON. `None` if the form neither states bookmarks nor sets an option of
/// `merging`, so that the engine decides.
pub(super) fn of_merged(
    work: &Work<'_, '_>,
    files: &[Item],
    given: Option<&Bookmarks>,
    merging: &Merging,
) -> Result<Option<String>, Refusal> {
    let lists = match given {
        Some(Bookmarks::All(list)) => return Ok(Some(option(list))),
        Some(Bookmarks::ByFile(lists)) => Some(lists),
        None if !merging.titles && !merging.keeps_own => return Ok(None),
        None => None,
    };
    let mut all = Vec::new();
    let mut before = 0;
    for file in files {
        let stated = lists.and_then(|lists| lists.get(&file.name));
        let has_own = stated.is_none() && (merging.titles || merging.keeps_own);
        let mut about = match has_own {
            true => work.about_with_bookmarks(file)?,
            false => work.about(file)?,
        };
        let own = about.remove(PDF_OUTLINE);
        let mut list = stated.cloned().or(own).unwrap_or_default();
        shift(&mut list, before);
        let list = match list {
            Value::Array(list) => list,
            _ => Vec::new(),
        };
        match merging.titles {
            true => {
                let title = about.get("Title").and_then(Value::as_str);
                let title = title.unwrap_or_else(|| stem(&file.name));
                all.push(json!({"title": title, "page": before + 1, "children": list}));
            }
            false => all.extend(list),
        }
        before += about.get("PageCount").and_then(Value::as_u64).unwrap_or(0);
    }
    Ok(Some(option(&Value::Array(all))))
}

/// Returns a list as the value of an option. JSON escapes most control characters. The others are removed, because
/// options do not accept them.
fn option(list: &Value) -> String {
    let mut text = list.to_string();
    text.retain(|sign| !sign.is_control());
    text
}

/// Adds a number to the pages of a list. The recursion is bounded, because the JSON parser limits the depth of the
/// list.
fn shift(list: &mut Value, by: u64) {
    for entry in list.as_array_mut().into_iter().flatten() {
        if let Some(page) = entry.get("page").and_then(Value::as_u64) {
            entry["page"] = page.saturating_add(by).into();
        }
        if let Some(children) = entry.get_mut("children") {
            shift(children, by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_no_control_characters() {
        let text = option(&json!([{"title": "A\u{7f}B\u{85}\n", "page": 1}]));
        assert_eq!(text, r#"[{"page":1,"title":"AB\n"}]"#);
    }

    #[test]
    fn pages_of_all_levels_are_shifted() {
        let mut list =
            json!([{"title": "A", "page": 1, "children": [{"title": "B", "page": 2}]}, 5]);
        shift(&mut list, 3);
        let expected =
            json!([{"title": "A", "page": 4, "children": [{"title": "B", "page": 5}]}, 5]);
        assert_eq!(list, expected);
    }
}

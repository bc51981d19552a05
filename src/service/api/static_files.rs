//! The static files of the page and of the manual. Handles no request.

use super::assets::Asset;
use crate::manual::CHAPTERS;
use std::{
    borrow::Cow,
    sync::{LazyLock, OnceLock},
};

const SCRIPT: &str = "text/javascript; charset=utf-8";
const JSON: &str = "application/json";

/// A file below `/web/`: its name, its media type, its content.
type Source = (&'static str, &'static str, &'static str);

static SOURCES: &[Source] = &[
    ("element.js", SCRIPT, include_str!("../web/element.js")),
    ("fields.js", SCRIPT, include_str!("../web/fields.js")),
    ("join.js", SCRIPT, include_str!("../web/join.js")),
    ("kind.js", SCRIPT, include_str!("../web/kind.js")),
    ("page.js", SCRIPT, include_str!("../web/page.js")),
    ("pages.js", SCRIPT, include_str!("../web/pages.js")),
    ("picker.js", SCRIPT, include_str!("../web/picker.js")),
    ("preview.js", SCRIPT, include_str!("../web/preview.js")),
    ("remedies.js", SCRIPT, include_str!("../web/remedies.js")),
    ("row.js", SCRIPT, include_str!("../web/row.js")),
    ("service.js", SCRIPT, include_str!("../web/service.js")),
    ("settings.js", SCRIPT, include_str!("../web/settings.js")),
    ("text.js", SCRIPT, include_str!("../web/text.js")),
    ("words.js", SCRIPT, include_str!("../web/words.js")),
    ("zip.js", SCRIPT, include_str!("../web/zip.js")),
    (
        "style.css",
        "text/css; charset=utf-8",
        include_str!("../web/style.css"),
    ),
    (
        "manual.css",
        "text/css; charset=utf-8",
        include_str!("../web/manual.css"),
    ),
    ("de.json", JSON, include_str!("../web/languages/de.json")),
    ("en.json", JSON, include_str!("../web/languages/en.json")),
    ("es.json", JSON, include_str!("../web/languages/es.json")),
    ("fr.json", JSON, include_str!("../web/languages/fr.json")),
    ("it.json", JSON, include_str!("../web/languages/it.json")),
    ("ja.json", JSON, include_str!("../web/languages/ja.json")),
    ("ko.json", JSON, include_str!("../web/languages/ko.json")),
    ("pl.json", JSON, include_str!("../web/languages/pl.json")),
    ("pt.json", JSON, include_str!("../web/languages/pt.json")),
    ("zh.json", JSON, include_str!("../web/languages/zh.json")),
    ("icon.svg", "image/svg+xml", include_str!("../web/icon.svg")),
];

/// The name of a file below `/web/`, if such a file exists.
pub(super) fn asset_name(name: &str) -> Option<&'static str> {
    let mut names = SOURCES.iter().map(|(known, ..)| *known);
    names.find(|known| *known == name)
}

/// The files, which are the same for every service. They are loaded on the first request.
pub(super) static ASSETS: LazyLock<Vec<(&str, Asset)>> = LazyLock::new(|| {
    let assets = SOURCES.iter().map(|(name, media_type, content)| {
        let content = match name.ends_with(".js") || name.ends_with(".css") {
            true => Cow::Owned(minified(content).into_bytes()),
            false => Cow::Borrowed(content.as_bytes()),
        };
        (*name, Asset::new(media_type, content))
    });
    assets.collect()
});

/// A script or a style sheet without its indentation and without lines of comments. Comments are a sixth of all that a
/// browser would load, and help only people who read the source.
fn minified(source: &str) -> String {
    let mut minified = String::with_capacity(source.len());
    let mut is_comment = false;
    for line in source.lines().map(str::trim) {
        is_comment |= line.starts_with("/*");
        if !is_comment && !line.is_empty() && !line.starts_with("//") {
            minified.push_str(line);
            minified.push('\n');
        }
        is_comment &= !line.ends_with("*/");
    }
    minified
}

/// The page of one service, with its base path. It is made on the first request.
#[derive(Default)]
pub struct Page(pub(super) OnceLock<Asset>);

/// The manual pages of one service, with its base path. Each is made on the first request; `None` if this build cannot
/// make one.
#[derive(Default)]
pub struct Manual {
    pub(super) contents: OnceLock<Option<Asset>>,
    pub(super) chapters: [OnceLock<Option<Asset>>; CHAPTERS.len()],
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn scripts_lose_only_comments_and_indentation() {
        #[track_caller]
        fn check(source: &str, expected: &str) {
            assert_eq!(minified(source), expected);
        }
        check("// A.\n\nf();\n", "f();\n");
        check("/** A\n\t * b.\n\t */\n\tf(); // c\n", "f(); // c\n");
        check("/** A. */\n*g() {}\n", "*g() {}\n");
        for (name, _, content) in SOURCES.iter().filter(|(name, ..)| name.ends_with("s")) {
            for line in content.lines().map(str::trim) {
                // A text over several lines would lose its indentation, and code after a comment would be lost.
                assert!(line.matches('`').count() % 2 == 0, "{name}: {line}");
                let (_, code) = line.rsplit_once("*/").unwrap_or_default();
                assert!(!line.starts_with("/*") || code.is_empty(), "{name}: {line}");
            }
        }
    }

    fn languages() -> impl Iterator<Item = (&'static str, BTreeMap<String, String>)> {
        let files = SOURCES.iter().filter(|(name, ..)| name.ends_with(".json"));
        files.map(|(name, _, content)| (*name, serde_json::from_str(content).unwrap()))
    }

    fn english() -> BTreeMap<String, String> {
        languages().find(|(name, _)| *name == "en.json").unwrap().1
    }

    /// Placeholders in a sentence, such as `name` for `{name}`.
    fn places(sentence: &str) -> BTreeSet<&str> {
        let opened = sentence.split('{').skip(1);
        opened.filter_map(|rest| rest.split('}').next()).collect()
    }

    #[test]
    fn every_language_translates_every_sentence() {
        let english = english();
        let (_, _, script) = SOURCES
            .iter()
            .find(|(name, ..)| *name == "text.js")
            .unwrap();
        for (name, sentences) in languages() {
            let code = name.trim_end_matches(".json");
            assert!(script.contains(&format!("\"{code}\"")), "{name}");
            assert!(sentences.keys().eq(english.keys()), "{name}");
            for (key, sentence) in &sentences {
                let model = &english[key];
                assert_eq!(places(sentence), places(model), "{name}, {key}");
                assert_eq!(sentence.is_empty(), model.is_empty(), "{name}, {key}");
            }
        }
    }

    #[test]
    fn the_text_of_the_page_equals_its_english_translation() {
        let english = english();
        let page = include_str!("../web/index.html");
        let marked: Vec<_> = page.split(" data-t=\"").skip(1).collect();
        assert!(marked.len() > 20);
        for part in marked {
            let (key, rest) = part.split_once('"').unwrap();
            let (_, text) = rest.split_once('>').unwrap();
            let (text, _) = text.split_once('<').unwrap();
            assert_eq!(text, english[key], "{key}");
        }
    }

    #[test]
    fn every_sentence_that_a_script_names_exists() {
        let english = english();
        let scripts = SOURCES.iter().filter(|(name, ..)| name.ends_with(".js"));
        let mut found = 0;
        for (name, _, script) in scripts {
            let mut before = "";
            for part in script.split("t(\"") {
                // A call of `t`, and not of a function whose name ends with `t`.
                let is_call =
                    !before.is_empty() && !before.ends_with(|c: char| c.is_alphanumeric());
                before = part;
                if is_call {
                    let (key, _) = part.split_once('"').unwrap();
                    assert!(english.contains_key(key), "{name}: {key}");
                    found += 1;
                }
            }
        }
        assert!(found > 50, "{found}");
    }
}

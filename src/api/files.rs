//! The static files of the page and the manual. Serves none.

use super::assets::Asset;
use crate::manual::CHAPTERS;
use std::sync::{LazyLock, OnceLock};

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A file below `/web/`: its name, its media type, its content.
type Source = (&'static str, &'static str, &'static str);

static SOURCES: &[Source] = &[
    ("element.js", SCRIPT, include_str!("../web/element.js")),
    ("page.js", SCRIPT, include_str!("../web/page.js")),
    ("picker.js", SCRIPT, include_str!("../web/picker.js")),
    ("preview.js", SCRIPT, include_str!("../web/preview.js")),
    ("row.js", SCRIPT, include_str!("../web/row.js")),
    ("service.js", SCRIPT, include_str!("../web/service.js")),
    ("settings.js", SCRIPT, include_str!("../web/settings.js")),
    ("words.js", SCRIPT, include_str!("../web/words.js")),
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
    ("icon.svg", "image/svg+xml", include_str!("../web/icon.svg")),
];

/// The name of a file below `/web/`, if such a file exists.
pub(super) fn asset_name(name: &str) -> Option<&'static str> {
    let mut names = SOURCES.iter().map(|(known, ..)| *known);
    names.find(|known| *known == name)
}

/// The files, which are the same for every service. Made when the first is asked for.
pub(super) static ASSETS: LazyLock<Vec<(&str, Asset)>> = LazyLock::new(|| {
    let assets = SOURCES
        .iter()
        .map(|(name, media_type, content)| (*name, Asset::new(media_type, content.as_bytes())));
    assets.collect()
});

/// The page of one service, for its own base path. Made when it is first asked for.
#[derive(Default)]
pub struct Page(pub(super) OnceLock<Asset>);

/// The pages of the manual of one service, for its own base path. Each is made when it is first asked for; `None` if this program
/// cannot make one.
#[derive(Default)]
pub struct Manual {
    pub(super) contents: OnceLock<Option<Asset>>,
    pub(super) chapters: [OnceLock<Option<Asset>>; CHAPTERS.len()],
}

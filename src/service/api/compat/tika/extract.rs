//! The content of a file as text, HTML or Markdown, by a conversion of the engine. Parses no file itself.

use super::{detect::File, paths::Content};
use crate::{
    api::compat::{
        item::Item,
        work::{Order, Work},
    },
    error::Result,
    registry,
};

/// Extracts the content in one of the formats. `None` if no content is wanted, if the file cannot be converted to the
/// format, or if the conversion makes an archive.
pub(super) fn content(work: &Work<'_, '_>, file: &File, content: Content) -> Result<Option<Item>> {
    let (target, mut options) = match content {
        Content::Ignore => return Ok(None),
        Content::Text => ("txt", vec![("wrap", "none".to_owned())]),
        Content::Html => ("html", Vec::new()),
        Content::Markdown => ("md", Vec::new()),
    };
    if !converts(file, target) {
        return Ok(None);
    }
    let password = file.password.iter();
    options.extend(password.map(|password| ("password", password.clone())));
    let order = Order {
        target,
        quality: None,
        options: &options,
    };
    let made = work.convert(&file.item, &order)?;
    // The text of an archive is an archive of texts, which is left out, because it is not a single text.
    Ok(Some(made.item).filter(|_| !made.is_archive))
}

/// Returns whether the file can be converted to this format.
pub(super) fn converts(file: &File, target: &str) -> bool {
    registry::by_name(target).is_some_and(|to| registry::find(file.format, to).is_some())
}

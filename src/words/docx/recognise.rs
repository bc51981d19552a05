//! Recognises Word documents among ZIP archives, XML files and encrypted packages. Reads no document.

use super::FORMAT;
use crate::{
    containers::{cfb, zip},
    job::Input,
};
use convertd_office::flat;

/// Returns whether a file is a Word document of any variant, even if it cannot be read, since the error can then say
/// why. An encrypted file does not reveal its kind, so it counts as a document unless its extension is that of a
/// workbook or a presentation.
pub(super) fn is_word(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> bool {
    if head.starts_with(cfb::SIGNATURE) {
        let extensions = ["xl", "pp", "pot"];
        let is_other_format =
            extension.is_some_and(|name| extensions.iter().any(|prefix| name.starts_with(prefix)));
        return !is_other_format && cfb::is_encrypted_package(head, input);
    }
    let is_package = |name: &str| name == "[Content_Types].xml";
    let is_part = |name: &str| name.starts_with("word/");
    let named = extension.is_some_and(|name| FORMAT.is_called(name));
    zip::holds(head, input, &[&is_package, &is_part])
        || named && zip::is_cut_off(head, input)
        || flat::is_document(head, input)
}

//! Recognises presentations among ZIP archives and flat XML files, including encrypted presentations. Reads no
//! content.

use super::ROW;
use crate::{
    containers::{cfb, zip},
    job::Input,
};
use convertd_office::flat;

/// Returns whether a file is a presentation. Encrypted and incomplete files do not show their kind, so the
/// extension decides.
pub(super) fn is_presentation(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> bool {
    let is_package = |name: &str| name == "[Content_Types].xml";
    let is_part = |name: &str| name.starts_with("ppt/");
    if zip::holds(head, input, &[&is_package, &is_part]) || flat::is_presentation(head, input) {
        return true;
    }
    let named = extension.is_some_and(|name| ROW.format.is_called(name));
    named && (cfb::is_encrypted_package(head, input) || zip::is_cut_off(head, input))
}

//! Recognises Word documents among ZIP archives, and the encrypted ones that cannot be read, so that the error can say why. Reads
//! no document.

use super::ROW;
use crate::{
    containers::{cfb, zip},
    error::{Error, Kind},
    job::Input,
};

/// Whether a file is a Word document of any version. This includes the ones that cannot be read, because then the error can
/// say why. An encrypted file does not reveal its kind, so it counts as a document unless its file name extension is that of
/// a workbook.
pub(super) fn is_word(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> bool {
    if head.starts_with(cfb::SIGNATURE) {
        let workbook = extension.is_some_and(|name| name.starts_with("xl"));
        return !workbook && refusal(head, input).is_some();
    }
    let is_package = |name: &str| name == "[Content_Types].xml";
    let is_part = |name: &str| name.starts_with("word/");
    let named = extension.is_some_and(|name| ROW.format.is_called(name));
    zip::holds(head, input, &[&is_package, &is_part]) || named && zip::is_cut_off(head, input)
}

/// The error for an encrypted document. `None` for any other file.
pub(super) fn refusal(head: &[u8], input: &mut dyn Input) -> Option<Error> {
    cfb::is_encrypted_package(head, input).then(|| {
        let text = "the file is encrypted: remove the password and send it again";
        Error::new(Kind::BadInput, text)
    })
}

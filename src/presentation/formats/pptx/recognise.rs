//! Recognises presentations among ZIP archives, and the encrypted files that cannot be read, so that the error can name them.
//! Reads no presentation.

use super::ROW;
use crate::{
    containers::{cfb, zip},
    error::{Error, Kind},
    job::Input,
};

/// Whether a file is a presentation. An encrypted one does not reveal its kind, so its extension decides.
pub(super) fn is_presentation(head: &[u8], input: &mut dyn Input, extension: Option<&str>) -> bool {
    let is_package = |name: &str| name == "[Content_Types].xml";
    let is_part = |name: &str| name.starts_with("ppt/");
    if zip::holds(head, input, &[&is_package, &is_part]) {
        return true;
    }
    let named = extension.is_some_and(|name| ROW.format.is_called(name));
    named && (cfb::is_encrypted_package(head, input) || zip::is_cut_off(head, input))
}

/// The error for an encrypted presentation (MS-OFFCRYPTO 2.3).
pub(super) fn refusal(head: &[u8], input: &mut dyn Input) -> Option<Error> {
    cfb::is_encrypted_package(head, input).then(|| {
        Error::new(
            Kind::BadInput,
            "the file is encrypted: remove the password and send it again",
        )
    })
}

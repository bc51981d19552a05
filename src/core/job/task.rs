//! Task of a conversion, in a form that can be stored and sent to another process. Does not contain the client's
//! address.

use super::{Options, Quality};
use serde::{Deserialize, Serialize};

/// A conversion as the client asked for it, after everything in it has been checked. The same value is stored with an
/// accepted upload, queued, and sent to a converter child.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Name of the input's format, or its alias if the extension of the file's name is an alias.
    #[serde(rename = "original_format")]
    pub from: String,
    /// The format of the output, under the name or alias that the client used.
    #[serde(rename = "target_format")]
    pub to: String,
    /// The quality level.
    pub quality: Quality,
    /// The optional fields of the request.
    pub options: Options,
    /// Title for a result that must have one, if the file itself states none: the name of the file without its
    /// extension. `None` for formats without a title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_title: Option<Box<str>>,
}

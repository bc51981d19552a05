//! What is to be made of a file, in a form that can be written down and sent. Names no file, and nobody who asked.

use super::{Options, Quality};
use serde::{Deserialize, Serialize};

/// A conversion as somebody asked for it, after everything in it was checked. The same value is stored with an accepted
/// upload, queued, and sent to a converter child.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// What the file is, by its format's name or by the alias that its extension is.
    #[serde(rename = "original_format")]
    pub from: String,
    /// What it becomes, by the name or alias that was asked for.
    #[serde(rename = "target_format")]
    pub to: String,
    /// The tier.
    pub quality: Quality,
    /// Optional fields.
    pub options: Options,
}

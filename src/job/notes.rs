//! Remarks on a result. Never an error: what stands here did not keep the conversion from succeeding.

use serde::{Deserialize, Serialize};

/// Remarks on the result for the person who asked: what was left out or changed on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Notes(pub Vec<String>);

impl Notes {
    /// Adds a remark, a whole sentence.
    pub fn add(&mut self, remark: impl Into<String>) {
        self.0.push(remark.into());
    }
}

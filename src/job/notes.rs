//! Remarks on a result, such as what was left out. Never errors: the conversion has succeeded.

use serde::{Deserialize, Serialize};

/// Remarks on the result for the person who asked: what was left out or changed on the way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Notes(pub Vec<String>);

impl Notes {
    /// Adds a remark, which must be a whole sentence.
    pub fn add(&mut self, remark: impl Into<String>) {
        self.0.push(remark.into());
    }
}

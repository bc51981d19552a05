//! What a converter says of its result: remarks, and whether the result is an archive. Never errors: the conversion has
//! succeeded.

use serde::{Deserialize, Serialize};

/// Remarks on the result for the person who asked: what was left out or changed on the way.
///
/// A result is one file in the target format, unless the converter [says](Self::mark_archive) that it is a ZIP archive of
/// such files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notes(pub Vec<String>, bool);

impl Notes {
    /// Adds a remark, which must be a whole sentence.
    pub fn add(&mut self, remark: impl Into<String>) {
        self.0.push(remark.into());
    }

    /// Adds these remarks to others, each of which is said once.
    #[cfg(all(feature = "document", any(feature = "pdf", feature = "svg")))]
    pub(crate) fn tell_once(self, others: &mut Self) {
        for remark in self.0 {
            if !others.0.contains(&remark) {
                others.add(remark);
            }
        }
    }

    /// Says that the result is a ZIP archive of files in the target format, rather than one such file. Its media type and the
    /// extension of its name follow from that; the target format stays the one that was asked for.
    pub fn mark_archive(&mut self) {
        self.1 = true;
    }

    /// Whether the result is a ZIP archive of files in the target format.
    pub fn is_archive(&self) -> bool {
        self.1
    }
}

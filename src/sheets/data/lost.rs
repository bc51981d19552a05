//! Counts of values that one data format has and another lacks. Changes no values.

use crate::job::Notes;

/// Counts of losses.
#[derive(Debug, Default)]
pub(crate) struct Lost {
    /// Whether the file has comments.
    pub(super) comments: bool,
    /// Null values, in a format without them.
    pub(super) nothing: u64,
    /// Names that occur twice in the same map.
    pub(super) repeated: u64,
    /// Names that are lists or maps.
    pub(super) keys: u64,
    /// Tags with a meaning for one application only.
    pub(super) tags: u64,
    /// Infinite and invalid numbers.
    pub(super) unbounded: u64,
    /// Numbers that the format cannot represent.
    pub(super) large: u64,
    /// Number of documents in the file, if there are several.
    pub(super) documents: u64,
    /// Name that was given to a list or value without one.
    pub(super) named: Option<&'static str>,
}

impl Lost {
    /// Adds a note for each kind of loss.
    pub(super) fn add_notes(&self, notes: &mut Notes) {
        let mut note = |count: u64, one: &str, many: &str| match count {
            0 => {}
            1 => notes.add(one.to_owned()),
            count => notes.add(format!("{count} {many}")),
        };
        note(u64::from(self.comments), "Comments were left out.", "");
        note(
            self.nothing,
            "A value was left out, because it is empty, and toml has no empty values.",
            "values were left out, because they are empty, and toml has no empty values.",
        );
        note(
            self.repeated,
            "A name occurs twice in the same place; the last value counts.",
            "names occur twice in the same place; the last values count.",
        );
        note(
            self.keys,
            "A name that is a list or map became text.",
            "names that are lists or maps became text.",
        );
        note(self.tags, "A tag was left out.", "tags were left out.");
        note(
            self.unbounded,
            "A number that is infinite or invalid (nan) became null.",
            "numbers that are infinite or invalid (nan) became null.",
        );
        note(
            self.large,
            "A number became text, because it is too large for toml.",
            "numbers became text, because they are too large for toml.",
        );
        note(self.documents, "", "documents of the file became a list.");
        if let Some(name) = self.named {
            notes.add(format!(
                "A toml file consists of named values, so the whole content is under the name {name}."
            ));
        }
    }
}

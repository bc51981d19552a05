//! Counts of what one format of data has and another lacks. Decides nothing about values.

use crate::job::Notes;

/// Counts of losses.
#[derive(Debug, Default)]
pub(crate) struct Lost {
    /// Whether there are comments.
    pub(super) comments: bool,
    /// Values that are empty, in a format without them.
    pub(super) nothing: u64,
    /// Names that stood before in the same map.
    pub(super) repeated: u64,
    /// Names that are lists or maps.
    pub(super) keys: u64,
    /// Tags that are an application's own.
    pub(super) tags: u64,
    /// Infinity, and what is no number.
    pub(super) unbounded: u64,
    /// Numbers that the format cannot hold.
    pub(super) large: u64,
    /// Documents of a file, if there are several.
    pub(super) documents: u64,
    /// Name that was given to a list or value without one.
    pub(super) named: Option<&'static str>,
}

impl Lost {
    /// Adds a note for each.
    pub(super) fn tell(&self, notes: &mut Notes) {
        let mut tell = |count: u64, one: &str, many: &str| match count {
            0 => {}
            1 => notes.add(one.to_owned()),
            count => notes.add(format!("{count} {many}")),
        };
        tell(u64::from(self.comments), "Comments were left out.", "");
        tell(
            self.nothing,
            "A value was left out, because it is empty, and toml has no such value.",
            "values were left out, because they are empty, and toml has no such value.",
        );
        tell(
            self.repeated,
            "A name stands twice in the same place; the last value counts.",
            "names stand twice in the same place; the last values count.",
        );
        tell(
            self.keys,
            "A name that is a list or map became text.",
            "names that are lists or maps became text.",
        );
        tell(self.tags, "A tag was left out.", "tags were left out.");
        tell(
            self.unbounded,
            "A number that is infinite or invalid (nan) became null.",
            "numbers that are infinite or invalid (nan) became null.",
        );
        tell(
            self.large,
            "A number became text, because it is larger than toml holds.",
            "numbers became text, because they are larger than toml holds.",
        );
        tell(
            self.documents,
            "",
            "documents are in the file; they became a list.",
        );
        if let Some(name) = self.named {
            notes.add(format!(
                "A toml file consists of names; what the file is as a whole is called {name}."
            ));
        }
    }
}

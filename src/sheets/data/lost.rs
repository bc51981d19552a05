//! Counts of values that one data format has and another lacks. Changes no values.

use crate::job::Notes;

/// Counts of losses.
#[derive(Debug, Default)]
pub(crate) struct Lost {
    /// Whether the file has comments.
    pub(super) comments: bool,
    /// Null values that were left out, because the written format does not have them.
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
    /// Whether the file has processing instructions.
    pub(super) instructions: bool,
    /// Whether the file has a document type declaration.
    pub(super) document_type: bool,
    /// References to entities that are not resolved.
    pub(super) entities: u64,
    /// Elements with nothing but white space.
    pub(super) spaces: u64,
    /// Elements with text beside elements.
    pub(super) mixed: u64,
    /// Elements that stood apart from others of the same name.
    pub(super) scattered: u64,
    /// Whether a name was changed to become a valid name of an element.
    pub(super) renamed: bool,
    /// Whether numbers or other values with a type became text.
    pub(super) typed: bool,
    /// Whether there were empty texts, lists or maps, in a format that does not distinguish them.
    pub(super) empty: bool,
    /// Whether a text had characters that the format cannot represent.
    pub(super) characters: bool,
    /// Whether a root element was added.
    pub(super) rooted: bool,
    /// Name that was given to a list or value without one.
    pub(super) named: Option<&'static str>,
}

impl Lost {
    /// Returns the losses that deserve a note for the rows of a table. Empty cells are usual in a table, and the types
    /// of cells may be guesses, so these losses do not count.
    pub(crate) fn of_rows(&self) -> Self {
        Self {
            large: self.large,
            renamed: self.renamed,
            characters: self.characters,
            ..Self::default()
        }
    }

    /// Adds a note for each kind of loss.
    pub(crate) fn add_notes(&self, notes: &mut Notes) {
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
        note(
            u64::from(self.instructions),
            "Processing instructions were left out.",
            "",
        );
        note(
            u64::from(self.document_type),
            "The document type declaration was left out.",
            "",
        );
        note(
            self.entities,
            "A reference to an entity was not resolved and became text.",
            "references to entities were not resolved and became text.",
        );
        note(
            self.spaces,
            "An element with nothing but white space became empty; in elements with the attribute xml:space=\"preserve\", white space is kept.",
            "elements with nothing but white space became empty; in elements with the attribute xml:space=\"preserve\", white space is kept.",
        );
        note(
            self.mixed,
            "An element has text between its elements; the text was joined, and its positions were lost.",
            "elements have text between their elements; their texts were joined, and the positions were lost.",
        );
        note(
            self.scattered,
            "An element was moved to others of the same name, with which it forms a list.",
            "elements were moved to others of the same name, with which they form lists.",
        );
        note(
            u64::from(self.renamed),
            "Names were changed, because names of xml elements have letters, digits and _ - . only, and begin with a letter or _.",
            "",
        );
        note(
            u64::from(self.typed),
            "Numbers, booleans and dates became text, because xml has no types.",
            "",
        );
        note(
            u64::from(self.empty),
            "Empty texts and maps became empty elements, and empty lists were left out, because xml cannot tell them apart.",
            "",
        );
        note(
            u64::from(self.characters),
            "Control characters were left out, because xml cannot contain them.",
            "",
        );
        note(
            u64::from(self.rooted),
            "An xml file has one element around all others, so the whole content is in an element with the name root.",
            "",
        );
        if let Some(name) = self.named {
            notes.add(format!(
                "A toml file consists of named values, so the whole content is under the name {name}."
            ));
        }
    }
}

//! Notes about content of word processor files that the tree cannot represent, and about content of the tree that such
//! files cannot represent. Counts nothing.

use convertd_tree::losses::Loss;

/// Tracked changes.
pub static CHANGES: Loss = Loss {
    one: "A tracked change was accepted.",
    many: "{} tracked changes were accepted.",
};

/// Comments, which are left out.
pub static COMMENTS: Loss = Loss {
    one: "A comment was left out.",
    many: "{} comments were left out.",
};

/// Text boxes at positions that the tree cannot represent.
pub static TEXT_BOXES: Loss = Loss {
    one: "A text box was moved to the end of its paragraph.",
    many: "{} text boxes were moved to the end of their paragraphs.",
};

/// Hidden text.
pub static HIDDEN: Loss = Loss {
    one: "A piece of hidden text was left out.",
    many: "{} pieces of hidden text were left out.",
};

/// Charts and diagrams that cannot be read.
pub static DRAWINGS: Loss = Loss {
    one: "A chart or diagram was left out.",
    many: "{} charts and diagrams were left out.",
};

/// Drawings that reached their max. length.
pub static LONG_DRAWINGS: Loss = Loss {
    one: "A drawing has too many shapes: the last shapes were left out.",
    many: "{} drawings have too many shapes: their last shapes were left out.",
};

/// Effects of shapes.
pub static EFFECTS: Loss = Loss {
    one: "The shadow, glow or depth of a shape was left out.",
    many: "The shadows, glows or depths of {} shapes were left out.",
};

/// Embedded objects, of which the result contains only the preview.
pub static OBJECTS: Loss = Loss {
    one: "An embedded object was replaced by its preview picture.",
    many: "{} embedded objects were replaced by their preview pictures.",
};

/// Films and sounds. A picture may stand for them.
pub static FILMS: Loss = Loss {
    one: "A video or sound was left out.",
    many: "{} videos and sounds were left out.",
};

/// Pictures that are missing in the file.
pub static MISSING: Loss = Loss {
    one: "A picture was left out: it is not in the file.",
    many: "{} pictures were left out: they are not in the file.",
};

/// Pictures outside the file.
pub static ADDRESSES: Loss = Loss {
    one: "A picture that is not in the document became a link.",
    many: "{} pictures that are not in the document became links.",
};

/// Headers and footers that the target cannot contain.
pub static HEADERS: Loss = Loss {
    one: "A page header or footer was left out.",
    many: "{} page headers and footers were left out.",
};

/// Colours of pages that the target cannot contain.
pub static PAGE_COLOURS: Loss = Loss {
    one: "The colour of a page was left out.",
    many: "The colours of the pages of {} sections were left out.",
};

/// Pictures in unknown formats.
pub static UNKNOWN_PICTURES: Loss = Loss {
    one: "A picture was left out: its format is unknown.",
    many: "{} pictures were left out: their formats are unknown.",
};

/// Labels of list items that the target cannot represent.
pub static LABELS: Loss = Loss {
    one: "The label of a list item was written as a plain number.",
    many: "The labels of {} list items were written as plain numbers.",
};

/// Numbering of notes that the target cannot represent.
pub static NOTE_NUMBERS: Loss = Loss {
    one: "The numbers of notes differ from those of the source: the target cannot count them in the same way.",
    many: "The numbers of notes differ from those of the source: the target cannot count them in the same way.",
};

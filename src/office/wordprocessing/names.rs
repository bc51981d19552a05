//! The meaning of styles by their well-known names. A style called "Quote" makes its paragraphs block quotations,
//! whatever it looks like. Looks at no property of a style.

/// The role that a paragraph style gives its paragraphs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ParagraphRole {
    /// Ordinary text.
    #[default]
    Body,
    /// A heading of this level, from 1.
    Heading(u8),
    /// The document's title.
    Title,
    /// The document's subtitle.
    Subtitle,
    /// An author of the document.
    Author,
    /// The document's date.
    Date,
    /// A block quotation.
    Quote,
    /// A line of a code block.
    Code,
    /// The caption of a table or figure.
    Caption,
    /// A picture whose caption follows in the next paragraph.
    Figure,
    /// A term in a definition list.
    Term,
    /// The definition of the term before it.
    Details,
    /// A horizontal rule.
    Rule,
    /// The continuation of a list item, unless the paragraph has a number or bullet of its own.
    ListText,
}

/// The role that a character style gives its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRole {
    /// Inline code.
    Code,
    /// A hyperlink. Its colour and underline come with the link and carry no meaning of their own.
    Link,
}

/// The role of paragraphs whose style has this name, or `None` for an unknown name. Word and LibreOffice store their
/// built-in styles under English names, whatever the language of the user interface. The names of pandoc's styles are
/// known too.
pub fn role_of_paragraph(name: &str) -> Option<ParagraphRole> {
    let name = plain(name);
    if let Some(level) = name.strip_prefix("heading") {
        let level: u8 = level.parse().ok()?;
        return (1..=9)
            .contains(&level)
            .then_some(ParagraphRole::Heading(level));
    }
    Some(match &*name {
        "title" => ParagraphRole::Title,
        "subtitle" => ParagraphRole::Subtitle,
        "author" => ParagraphRole::Author,
        "date" => ParagraphRole::Date,
        "quote" | "intensequote" | "blocktext" | "blockquote" | "blockquotation" | "quotations" => {
            ParagraphRole::Quote
        }
        "sourcecode" | "htmlpreformatted" | "preformattedtext" => ParagraphRole::Code,
        "caption" | "tablecaption" | "imagecaption" | "figurecaption" => ParagraphRole::Caption,
        "captionedfigure" | "figurewithcaption" => ParagraphRole::Figure,
        "definitionterm" | "definitiontermtight" | "listheading" => ParagraphRole::Term,
        "definition" | "definitiondefinition" | "definitiondefinitiontight" | "listcontents" => {
            ParagraphRole::Details
        }
        "horizontalline" => ParagraphRole::Rule,
        "listparagraph" => ParagraphRole::ListText,
        _ if is_list(&name) => ParagraphRole::ListText,
        "normal" | "standard" | "bodytext" | "textbody" => ParagraphRole::Body,
        _ => return None,
    })
}

/// The role of text whose character style has this name.
pub fn role_of_text(name: &str) -> Option<TextRole> {
    Some(match &*plain(name) {
        "verbatimchar" | "htmlcode" | "sourcetext" | "htmltypewriter" | "htmlkeyboard" => {
            TextRole::Code
        }
        "hyperlink" | "followedhyperlink" | "internetlink" | "visitedinternetlink" => {
            TextRole::Link
        }
        _ => return None,
    })
}

/// Returns whether this is one of Word's built-in list styles (`List Bullet 2`). Paragraphs may use these without a
/// number.
fn is_list(name: &str) -> bool {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(name, "listbullet" | "listnumber" | "listcontinue")
}

/// A style name in lower case, without spaces, hyphens and underscores. LibreOffice encodes a space as `_20_`.
fn plain(name: &str) -> String {
    let name = name.replace("_20_", "");
    let letters = name.chars().filter(|c| !matches!(c, ' ' | '_' | '-'));
    letters.flat_map(char::to_lowercase).collect()
}

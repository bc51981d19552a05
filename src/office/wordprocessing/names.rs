//! The meaning of styles with well-known names. A style called "Quote" makes its paragraphs block quotations,
//! regardless of its formatting. Considers no properties of styles.

/// Role of paragraphs with a certain style.
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

/// Role of text with a certain character style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRole {
    /// Inline code.
    Code,
    /// A hyperlink. Its colour and underline result from the link, and have no meaning of their own.
    Link,
}

/// Returns the role of paragraphs whose style has this name. `None` for unknown names. Word and LibreOffice store
/// built-in styles with English names, regardless of the user's language. The names of pandoc's styles are known as
/// well.
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

/// Returns the role of text whose character style has this name.
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

/// Returns whether this is the name of one of Word's list styles, such as `List Bullet 2`. Paragraphs may have these
/// styles without a number.
fn is_list(name: &str) -> bool {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(name, "listbullet" | "listnumber" | "listcontinue")
}

/// Returns a style name in lower case without spaces, hyphens and underscores. LibreOffice encodes a space as `_20_`.
fn plain(name: &str) -> String {
    let name = name.replace("_20_", "");
    let letters = name.chars().filter(|c| !matches!(c, ' ' | '_' | '-'));
    letters.flat_map(char::to_lowercase).collect()
}

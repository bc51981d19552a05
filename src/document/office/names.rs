//! What styles mean, by the names that programs give them. Looks at no property of a style.

/// What a paragraph is, by the name of its style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ParagraphRole {
    /// Nothing special.
    #[default]
    Body,
    /// A heading of this level, from 1.
    Heading(u8),
    /// The title of the document.
    Title,
    /// What stands below it.
    Subtitle,
    /// Who wrote it.
    Author,
    /// When.
    Date,
    /// Said by somebody else.
    Quote,
    /// Lines of computer code.
    Code,
    /// Words about a table or picture.
    Caption,
    /// A picture with words below.
    Figure,
    /// What is defined.
    Term,
    /// What is said about the term before.
    Details,
    /// A line across the page.
    Rule,
    /// Belongs to the item of a list before it, if it has no number of its own.
    ListText,
}

/// What text is, by the name of its style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextRole {
    /// Computer code.
    Code,
    /// A link: its colour and its line are the link's, and say nothing by themselves.
    Link,
}

/// What paragraphs with a style of this name are. Names are those of Word and LibreOffice in English, which both write whatever
/// language they speak, and those of pandoc. None for any other name.
pub(crate) fn role_of_paragraph(name: &str) -> Option<ParagraphRole> {
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

/// What text with a style of this name is.
pub(crate) fn role_of_text(name: &str) -> Option<TextRole> {
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

/// The styles of Word that have numbers of their own, which a paragraph may do without.
fn is_list(name: &str) -> bool {
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(name, "listbullet" | "listnumber" | "listcontinue")
}

/// Without spaces and what LibreOffice writes in their place, in lower case.
fn plain(name: &str) -> String {
    let name = name.replace("_20_", "");
    let letters = name.chars().filter(|c| !matches!(c, ' ' | '_' | '-'));
    letters.flat_map(char::to_lowercase).collect()
}

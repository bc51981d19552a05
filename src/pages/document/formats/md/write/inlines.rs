//! Writes inlines as Markdown. A character is escaped only if it may have a meaning at its position. Emphasis whose
//! delimiters would not be recognised ("flanking", CommonMark, 6.2) is written as HTML. Wraps no lines.

use super::{LOOKS, PICTURES, Writer};
use convertd_markup::html;
use convertd_tree::{Inline, Link, Mark, Picture, PictureSource, TextStyleId, plain_text};
use std::fmt::Write as _;

impl Writer<'_> {
    pub(super) fn inlines(&mut self, content: &[Inline]) -> String {
        let mut text = String::new();
        self.add_inlines(content, None, &mut text);
        text
    }

    /// Appends inlines to `text`. `next` is the character that will follow them.
    fn add_inlines(&mut self, content: &[Inline], next: Option<char>, text: &mut String) {
        for (index, inline) in content.iter().enumerate() {
            let next = match content.get(index + 1) {
                Some(inline) => first(inline),
                None => next,
            };
            self.inline(inline, next, text);
        }
    }

    /// Appends an inline. `next` is the character after it, which decides whether some characters must be escaped.
    fn inline(&mut self, inline: &Inline, next: Option<char>, text: &mut String) {
        match inline {
            Inline::Text(piece) => {
                escape(piece, text);
                // `!` before a link would turn the link into a picture.
                if piece.ends_with('!') && next == Some('[') {
                    text.insert(text.len() - 1, '\\');
                }
            }
            Inline::Marked(mark, content) => self.marked(*mark, content, next, text),
            Inline::Span(style, content) => self.span(*style, content, next, text),
            Inline::Code(code) => code_span(code, text),
            Inline::Link(link) => self.link(link, text),
            Inline::Picture(picture) if self.document.is_decoration(picture) => {}
            Inline::Picture(picture) => self.picture(picture, text),
            Inline::Note(id) => {
                let next = self.numbers.len() + 1;
                let number = *self.numbers.entry(*id).or_insert_with(|| {
                    self.order.push(*id);
                    next
                });
                let name = self.note_name(*id, number);
                write!(text, "[^{name}]").unwrap_or_default();
            }
            Inline::LineBreak => text.push_str("\\\n"),
            Inline::SoftBreak => text.push(' '),
            Inline::Math(math) => {
                let sign = if math.display { "$$" } else { "$" };
                write!(text, "{sign}{}{sign}", math.tex.trim().replace('\n', " "))
                    .unwrap_or_default();
            }
            Inline::Ruby(ruby) => escape(&ruby.spelled(), text),
            Inline::Bookmark(name) => {
                if self.targets.contains(&**name) {
                    text.push_str("<a id=\"");
                    html::attribute(name, text);
                    text.push_str("\"></a>");
                }
            }
            Inline::Field(_) => {}
            Inline::RawHtml(html) => text.push_str(html),
        }
    }

    /// Appends marked text. Marks without a Markdown syntax, and delimiters that CommonMark would not recognise there
    /// (6.2), become tags.
    fn marked(&mut self, mark: Mark, content: &[Inline], next: Option<char>, text: &mut String) {
        let tags = html::mark_tags(mark);
        let after_star = text.ends_with('*');
        let signs = match mark {
            Mark::Emphasis if after_star => "_",
            Mark::Emphasis => "*",
            Mark::Strong if after_star => "__",
            Mark::Strong => "**",
            Mark::Strikethrough => "~~",
            _ => "",
        };
        // The content is written after its opening delimiter, since escaping depends on the character before.
        let start = text.len();
        text.push_str(signs);
        self.add_inlines(content, signs.chars().next(), text);
        let written = text.split_off(start);
        let inner = &written[signs.len()..];
        let body = inner.trim_matches(' ');
        let (before, after) = match inner.find(body) {
            Some(at) if !body.is_empty() => (&inner[..at], &inner[at + body.len()..]),
            _ => {
                text.push_str(inner);
                return;
            }
        };
        text.push_str(before);
        let following = if after.is_empty() { next } else { Some(' ') };
        if !signs.is_empty() && flanks(signs, text.chars().next_back(), body, following) {
            write!(text, "{signs}{body}{signs}").unwrap_or_default();
        } else {
            write!(text, "{}{body}{}", tags.0, tags.1).unwrap_or_default();
        }
        text.push_str(after);
    }

    /// Appends a span. Its language and direction become attributes of a tag; its formatting is lost.
    fn span(&mut self, id: TextStyleId, content: &[Inline], next: Option<char>, text: &mut String) {
        let style = self.document.text_style(id);
        let mut attributes = String::new();
        if let Some(language) = &style.language {
            attributes.push_str(" lang=\"");
            html::attribute(language, &mut attributes);
            attributes.push('"');
        }
        html::direction(style.direction, &mut attributes);
        if style.font.is_some() || style.size.is_some() || style.colour.is_some() {
            self.losses.add(&LOOKS);
        }
        if attributes.is_empty() {
            self.add_inlines(content, next, text);
            return;
        }
        write!(text, "<span{attributes}>").unwrap_or_default();
        self.add_inlines(content, Some('<'), text);
        text.push_str("</span>");
    }

    /// Appends a link: as an autolink if its text is its address, otherwise with its text in brackets.
    fn link(&mut self, link: &Link, text: &mut String) {
        let target = match link.bookmark().and_then(|name| self.headings.get(name)) {
            Some(id) => format!("#{id}"),
            None => link.target.to_string(),
        };
        let shown = plain_text(&link.content);
        let is_plain = matches!(link.content.as_slice(), [Inline::Text(_)]);
        let scheme = target.split(':').next().unwrap_or_default();
        let absolute = scheme.len() < target.len()
            && (2..=32).contains(&scheme.len())
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+.-".contains(c));
        let bare = target.strip_prefix("mailto:").unwrap_or(&target);
        if is_plain
            && link.title.is_empty()
            && absolute
            && (shown == target || shown == bare)
            && !target.contains(|c: char| c.is_whitespace() || "<>".contains(c) || c.is_control())
        {
            write!(text, "<{shown}>").unwrap_or_default();
            return;
        }
        text.push('[');
        self.add_inlines(&link.content, Some(']'), text);
        text.push_str("](");
        destination(&target, text);
        title(&link.title, text);
        text.push(')');
    }

    /// Appends a picture with its address, which is a data URL or the path of a file beside the text if the picture is
    /// in the document. A picture with a size is written as a tag, because Markdown cannot state the size. In low
    /// quality, a picture that would be embedded is replaced by its alternative text.
    fn picture(&mut self, picture: &Picture, text: &mut String) {
        let mut address = String::new();
        match &picture.source {
            PictureSource::Resource(_) if self.low() && !self.media.is_beside() => {
                self.losses.add(&PICTURES);
                escape(&picture.alternative, text);
                return;
            }
            PictureSource::Resource(id) => self.media.address(self.document, *id, &mut address),
            PictureSource::Address(given) => address.push_str(given),
        }
        if picture.width.is_none() && picture.height.is_none() {
            text.push_str("![");
            escape(&picture.alternative.replace('\n', " "), text);
            text.push_str("](");
            destination(&address, text);
            title(&picture.title, text);
            text.push(')');
            return;
        }
        text.push_str("<img src=\"");
        html::href(&address, text);
        text.push_str("\" alt=\"");
        html::attribute(&picture.alternative.replace('\n', " "), text);
        text.push('"');
        if !picture.title.is_empty() {
            text.push_str(" title=\"");
            html::attribute(&picture.title.replace('\n', " "), text);
            text.push('"');
        }
        for (name, length) in [("width", picture.width), ("height", picture.height)] {
            if let Some(length) = length {
                let pixels = length.to_pixels().round().max(1.0);
                write!(text, " {name}=\"{pixels}\"").unwrap_or_default();
            }
        }
        text.push_str(" />");
    }
}

/// The character that an inline begins with, as far as it matters to the text before it.
fn first(inline: &Inline) -> Option<char> {
    match inline {
        Inline::Text(text) => text.chars().next(),
        Inline::Marked(Mark::Emphasis | Mark::Strong, _) => Some('*'),
        Inline::Marked(Mark::Strikethrough, _) => Some('~'),
        Inline::Span(_, content) => content.first().and_then(first),
        Inline::Code(_) => Some('`'),
        Inline::Link(_) | Inline::Note(_) => Some('['),
        Inline::Math(_) => Some('$'),
        Inline::LineBreak | Inline::SoftBreak => Some(' '),
        Inline::Picture(_) => Some('!'),
        Inline::Marked(..) | Inline::RawHtml(_) | Inline::Bookmark(_) => Some('<'),
        Inline::Ruby(ruby) => ruby.base.chars().next(),
        Inline::Field(_) => None,
    }
}

/// Returns whether delimiters around `body` are recognised as emphasis, given the characters before and after them.
fn flanks(signs: &str, before: Option<char>, body: &str, following: Option<char>) -> bool {
    let open = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || is_punctuation(c));
    let inner = |c: Option<char>| c.is_some_and(|c| !c.is_whitespace());
    let (first, last) = (body.chars().next(), body.chars().next_back());
    let fits = |inside: Option<char>, outside: Option<char>| {
        let plain = inside.is_some_and(|c| !is_punctuation(c));
        // `_` inside a word is a plain character.
        inner(inside) && (plain && !signs.starts_with('_') || open(outside))
    };
    let same = |c: Option<char>| c.is_some() && c == signs.chars().next();
    fits(first, before)
        && fits(last, following)
        && !same(before)
        && (!same(following) || signs == "*")
}

fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || !c.is_alphanumeric() && !c.is_whitespace() && !c.is_ascii()
}

/// Appends text, escaping every character that may have a meaning, also at the beginning of a line.
pub(super) fn escape(piece: &str, text: &mut String) {
    let at_start = text.is_empty() || text.ends_with('\n');
    if at_start && means_something(piece.trim_start()) {
        let piece = piece.trim_start();
        // In a line that would begin a numbered list, the backslash goes between the number and its delimiter.
        let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
        text.push_str(&piece[..digits]);
        text.push('\\');
        escape_rest(&piece[digits..], text);
    } else {
        escape_rest(piece, text);
    }
}

/// Appends text with a backslash before each character that may be markup within a line.
fn escape_rest(piece: &str, text: &mut String) {
    let mut before = text.chars().next_back();
    let mut chars = piece.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        let escaped = match c {
            '\\' => next.is_none_or(|next| !next.is_alphanumeric()),
            '`' | '*' | '[' | ']' | '~' | '$' | '|' => true,
            '_' => {
                let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
                !(letter(before) && letter(next))
            }
            '<' => next.is_none_or(|next| next.is_ascii_alphabetic() || "/!?".contains(next)),
            '&' => next.is_none_or(|next| next.is_ascii_alphanumeric() || next == '#'),
            _ => false,
        };
        if escaped {
            text.push('\\');
        }
        match c {
            // A space at the beginning of the text would be removed.
            ' ' if before.is_none_or(|c| c == '\n') && text.is_empty() => text.push_str("&nbsp;"),
            '\u{a0}' => text.push_str("&nbsp;"),
            _ => text.push(c),
        }
        before = Some(c);
    }
}

/// Returns whether a line with this beginning would be read as something other than a paragraph.
pub(super) fn means_something(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let ends = |rest: &str| rest.is_empty() || rest.starts_with([' ', '\t']);
    match text.as_bytes().first() {
        Some(b'>') => true,
        Some(b'#') => ends(text.trim_start_matches('#')) && !text.starts_with("#######"),
        Some(b'+') => ends(&text[1..]),
        Some(b'-') => ends(&text[1..]) || ends(text.trim_start_matches('-')),
        Some(b'=') => ends(text.trim_start_matches('=')),
        Some(b':') => ends(&text[1..]),
        Some(b'0'..=b'9') => {
            digits <= 9 && text[digits..].starts_with(['.', ')']) && ends(&text[digits + 1..])
        }
        _ => false,
    }
}

/// Writes a code span, with a run of backticks around it whose length does not occur inside.
fn code_span(code: &str, text: &mut String) {
    let mut runs: Vec<usize> = code.split(|c| c != '`').map(str::len).collect();
    runs.sort_unstable();
    runs.dedup();
    let len = (1..)
        .find(|len| runs.binary_search(len).is_err())
        .unwrap_or(1);
    let signs = "`".repeat(len);
    let edge = code.starts_with('`') || code.ends_with('`');
    let spaces = code.starts_with(' ') && code.ends_with(' ') && !code.trim().is_empty();
    let space = if edge || spaces { " " } else { "" };
    write!(text, "{signs}{space}{code}{space}{signs}").unwrap_or_default();
}

/// Appends the address of a link, between angle brackets if it is empty or has characters that are not allowed without
/// them.
fn destination(address: &str, text: &mut String) {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"<>()\\".contains(c);
    if !address.is_empty() && address.chars().all(plain) {
        text.push_str(address);
        return;
    }
    text.push('<');
    for c in address.chars() {
        match c {
            '<' | '>' | '\\' => {
                text.push('\\');
                text.push(c);
            }
            '\n' | '\r' => {}
            // The destination must stay on one line, and this writer wraps text at spaces.
            ' ' => text.push_str("%20"),
            _ => text.push(c),
        }
    }
    text.push('>');
}

fn title(title: &str, text: &mut String) {
    if title.is_empty() {
        return;
    }
    text.push_str(" \"");
    for c in title.chars() {
        match c {
            '"' | '\\' | '&' | '<' => {
                text.push('\\');
                text.push(c);
            }
            '\n' | '\r' => text.push(' '),
            _ => text.push(c),
        }
    }
    text.push('"');
}

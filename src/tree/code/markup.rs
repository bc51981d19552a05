//! Scans HTML, XML and CSS. Scripts and style sheets in a page are scanned by the rules of their
//! own languages.

use super::{
    Pieces, Scanner, State as Any, TokenKind, in_word, number, pieces, quotation, run, through,
};

/// State of the scan of markup.
#[derive(Default)]
pub(super) struct State<'t> {
    /// Whether the position is in a tag.
    in_tag: bool,
    /// Element of the current tag, if its content is in another language.
    other: Option<&'static Other>,
    /// Pieces of an element's content in another language, while it is read.
    inner: Option<Box<Pieces<'t>>>,
}

/// An element with content in another language.
struct Other {
    name: &'static str,
    language: &'static str,
}

static OTHERS: [Other; 2] = [
    Other {
        name: "script",
        language: "js",
    },
    Other {
        name: "style",
        language: "css",
    },
];

impl Other {
    /// Returns whether this is the name of the element. `folds` is set for HTML, which ignores the case of names;
    /// XML does not ignore it.
    fn is_called(&self, name: &[u8], folds: bool) -> bool {
        match folds {
            true => self.name.as_bytes().eq_ignore_ascii_case(name),
            false => self.name.as_bytes() == name,
        }
    }

    /// Length of the element's content, which ends at the end tag of the element. Any other `<` in the content is text.
    fn content(&self, text: &str, folds: bool) -> usize {
        let bytes = text.as_bytes();
        let is_end = |at: &usize| {
            let name = bytes.get(at + 2..at + 2 + self.name.len());
            name.is_some_and(|name| self.is_called(name, folds))
        };
        let mut ends = memchr::memmem::find_iter(bytes, b"</");
        ends.find(is_end).unwrap_or(bytes.len())
    }
}

impl Scanner<'_> {
    /// Reads a token of HTML or XML: its meaning and length.
    pub(super) fn markup(&mut self) -> (Option<TokenKind>, usize) {
        let (text, at, folds) = (self.text, self.at, self.language.folds);
        let rest = &text[at..];
        let Any::Markup(state) = &mut self.state else {
            return (None, rest.len());
        };
        if let Some(inner) = &mut state.inner {
            if let Some((kind, piece)) = inner.next() {
                return (kind, piece.len());
            }
            state.inner = None;
        }
        let first = rest.chars().next().unwrap_or_default();
        if state.in_tag {
            return match first {
                '>' => {
                    state.in_tag = false;
                    if let Some(other) = state.other.take() {
                        let content = &rest[1..];
                        let content = &content[..other.content(content, folds)];
                        state.inner = Some(Box::new(pieces(other.language, content)));
                    }
                    (Some(TokenKind::Name), 1)
                }
                '/' | '?' => {
                    // An empty element, `<script/>`, has no content.
                    if rest[1..].starts_with('>') {
                        state.other = None;
                    }
                    (Some(TokenKind::Name), 1)
                }
                '"' => (
                    Some(TokenKind::Literal),
                    quotation(rest, 1, "\"", None, true),
                ),
                '\'' => (
                    Some(TokenKind::Literal),
                    quotation(rest, 1, "'", None, true),
                ),
                c if c.is_whitespace() || c == '=' => (None, c.len_utf8()),
                _ => {
                    let len = run(rest, |c| !c.is_whitespace() && !"=>/\"'".contains(c));
                    let is_value = text[..at].ends_with('=');
                    let kind = if is_value {
                        TokenKind::Literal
                    } else {
                        TokenKind::Property
                    };
                    (Some(kind), len)
                }
            };
        }
        if first == '&' {
            let len = run(&rest[1..], |c| c.is_ascii_alphanumeric() || c == '#') + 1;
            let is_whole = rest[len..].starts_with(';') && len > 1;
            return (
                Some(TokenKind::Number).filter(|_| is_whole),
                len + usize::from(is_whole),
            );
        }
        if first != '<' {
            return (None, run(rest, |c| c != '<' && c != '&'));
        }
        if rest.starts_with("<!--") {
            return (Some(TokenKind::Comment), through(rest, 4, "-->"));
        }
        if rest.starts_with("<![CDATA[") {
            return (Some(TokenKind::Literal), through(rest, 9, "]]>"));
        }
        if rest.starts_with("<!") {
            return (Some(TokenKind::Keyword), through(rest, 2, ">"));
        }
        let mark = 1 + run(&rest[1..], |c| c == '/' || c == '?');
        let name = run(&rest[mark..], |c| {
            in_word(c) || matches!(c, ':' | '-' | '.')
        });
        if name == 0 || mark > 2 {
            return (None, 1);
        }
        let word = &rest[mark..mark + name];
        let mut others = OTHERS.iter();
        state.other = others.find(|other| mark == 1 && other.is_called(word.as_bytes(), folds));
        state.in_tag = true;
        (Some(TokenKind::Name), mark + name)
    }

    /// Reads a token of a style sheet: its meaning and length.
    pub(super) fn sheet(&mut self) -> (Option<TokenKind>, usize) {
        let (rest, begins_line) = (self.rest(), self.begins_line);
        let Any::Css(state) = &mut self.state else {
            return (None, rest.len());
        };
        let first = rest.chars().next().unwrap_or_default();
        if rest.starts_with("/*") {
            return (Some(TokenKind::Comment), through(rest, 2, "*/"));
        }
        // SCSS and Less have line comments. Within a line, `//` may be part of a URL.
        if rest.starts_with("//") && begins_line {
            return (Some(TokenKind::Comment), super::line_len(rest));
        }
        if first.is_whitespace() {
            return (None, run(rest, char::is_whitespace));
        }
        match first {
            '"' => {
                return (
                    Some(TokenKind::Literal),
                    quotation(rest, 1, "\"", Some(b'\\'), false),
                );
            }
            '\'' => {
                return (
                    Some(TokenKind::Literal),
                    quotation(rest, 1, "'", Some(b'\\'), false),
                );
            }
            '{' | '}' | ';' => {
                *state = Sheet::Begins;
                return (None, 1);
            }
            ':' if *state == Sheet::Property => {
                *state = Sheet::Value;
                return (None, 1);
            }
            '!' => return (Some(TokenKind::Keyword), 1 + run(&rest[1..], in_word)),
            '@' => {
                *state = Sheet::Value;
                let len = 1 + run(&rest[1..], |c| in_word(c) || c == '-');
                return (Some(TokenKind::Keyword), len);
            }
            _ => {}
        }
        if *state == Sheet::Begins {
            *state = Sheet::of(rest);
        }
        let is_name = |c| in_word(c) || c == '-';
        match *state {
            Sheet::Value => match first {
                '#' => {
                    let len = 1 + run(&rest[1..], |c| c.is_ascii_hexdigit());
                    (Some(TokenKind::Number), len)
                }
                c if c.is_ascii_digit() || c == '.' => {
                    let len = number(rest);
                    (
                        Some(TokenKind::Number),
                        len + usize::from(rest[len..].starts_with('%')),
                    )
                }
                c if is_name(c) => {
                    let len = run(rest, is_name);
                    let called = rest[len..].starts_with('(');
                    (Some(TokenKind::Name).filter(|_| called), len)
                }
                '$' => (Some(TokenKind::Property), 1 + run(&rest[1..], is_name)),
                c => (None, c.len_utf8()),
            },
            Sheet::Property => match run(rest, |c| is_name(c) || c == '$') {
                0 => (None, first.len_utf8()),
                len => (Some(TokenKind::Property), len),
            },
            Sheet::Begins | Sheet::Selector => {
                match run(rest, |c| is_name(c) || "#.&:".contains(c)) {
                    0 => (None, first.len_utf8()),
                    len => (Some(TokenKind::Name), len),
                }
            }
        }
    }
}

/// Part of a style sheet.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Sheet {
    /// The beginning of a rule or declaration.
    #[default]
    Begins,
    Selector,
    /// The part of a declaration before the colon.
    Property,
    Value,
}

impl Sheet {
    /// Decides whether a selector or a declaration begins here: after a selector, the next of `{`, `}` and `;` is an
    /// opening brace.
    fn of(rest: &str) -> Self {
        /// Limit on the bytes that are searched for the end of a selector.
        const LONGEST: usize = 300;
        let beginning = &rest.as_bytes()[..rest.len().min(LONGEST)];
        let end = memchr::memchr3(b'{', b'}', b';', beginning);
        match end.map(|end| beginning[end]) {
            Some(b'{') => Self::Selector,
            _ if beginning.contains(&b':') => Self::Property,
            _ => Self::Selector,
        }
    }
}

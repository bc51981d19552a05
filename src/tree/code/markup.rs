//! Scans HTML, XML and CSS. Scripts and style sheets in a page are scanned as what they are.

use super::{
    Kind, Pieces, Scanner, State as Any, in_word, number, pieces, quotation, run, through,
};

/// State of the scan of markup.
#[derive(Default)]
pub(super) struct State<'t> {
    /// Whether the place is in a tag.
    in_tag: bool,
    /// The element whose content is in another language, from its tag on.
    other: Option<&'static str>,
    /// The pieces of that content.
    inner: Option<Box<Pieces<'t>>>,
}

/// Elements with content in other languages.
static OTHERS: [(&str, &str, &str); 2] =
    [("script", "</script", "js"), ("style", "</style", "css")];

impl Scanner<'_> {
    /// Reads a token of HTML or XML: its meaning and length.
    pub(super) fn markup(&mut self) -> (Option<Kind>, usize) {
        let (text, at) = (self.text, self.at);
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
                    if let Some(name) = state.other.take() {
                        let found = OTHERS.iter().find(|other| other.0 == name);
                        if let Some((_, close, language)) = found {
                            let content = &rest[1..];
                            let len = memchr::memmem::find(content.as_bytes(), close.as_bytes());
                            let content = &content[..len.unwrap_or(content.len())];
                            state.inner = Some(Box::new(pieces(language, content)));
                        }
                    }
                    (Some(Kind::Name), 1)
                }
                '/' | '?' => (Some(Kind::Name), 1),
                '"' => (Some(Kind::Literal), quotation(rest, 1, "\"", None, true)),
                '\'' => (Some(Kind::Literal), quotation(rest, 1, "'", None, true)),
                c if c.is_whitespace() || c == '=' => (None, c.len_utf8()),
                _ => {
                    let len = run(rest, |c| !c.is_whitespace() && !"=>/\"'".contains(c));
                    let is_value = text[..at].ends_with('=');
                    let kind = if is_value {
                        Kind::Literal
                    } else {
                        Kind::Property
                    };
                    (Some(kind), len)
                }
            };
        }
        if first == '&' {
            let len = run(&rest[1..], |c| c.is_ascii_alphanumeric() || c == '#') + 1;
            let is_whole = rest[len..].starts_with(';') && len > 1;
            return (
                Some(Kind::Number).filter(|_| is_whole),
                len + usize::from(is_whole),
            );
        }
        if first != '<' {
            return (None, run(rest, |c| c != '<' && c != '&'));
        }
        if rest.starts_with("<!--") {
            return (Some(Kind::Comment), through(rest, 4, "-->"));
        }
        if rest.starts_with("<![CDATA[") {
            return (Some(Kind::Literal), through(rest, 9, "]]>"));
        }
        if rest.starts_with("<!") {
            return (Some(Kind::Keyword), through(rest, 2, ">"));
        }
        let mark = 1 + run(&rest[1..], |c| c == '/' || c == '?');
        let name = run(&rest[mark..], |c| {
            in_word(c) || matches!(c, ':' | '-' | '.')
        });
        if name == 0 || mark > 2 {
            return (None, 1);
        }
        let word = &rest[mark..mark + name];
        let mut others = OTHERS.iter().map(|other| other.0);
        state.other = others.find(|other| mark == 1 && word.eq_ignore_ascii_case(other));
        state.in_tag = true;
        (Some(Kind::Name), mark + name)
    }

    /// Reads a token of a style sheet: its meaning and length.
    pub(super) fn sheet(&mut self) -> (Option<Kind>, usize) {
        let (rest, begins_line) = (self.rest(), self.begins_line);
        let Any::Css(state) = &mut self.state else {
            return (None, rest.len());
        };
        let first = rest.chars().next().unwrap_or_default();
        if rest.starts_with("/*") {
            return (Some(Kind::Comment), through(rest, 2, "*/"));
        }
        if rest.starts_with("//") && begins_line {
            return (Some(Kind::Comment), super::line_len(rest));
        }
        if first.is_whitespace() {
            return (None, run(rest, char::is_whitespace));
        }
        match first {
            '"' => {
                return (
                    Some(Kind::Literal),
                    quotation(rest, 1, "\"", Some(b'\\'), false),
                );
            }
            '\'' => {
                return (
                    Some(Kind::Literal),
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
            '!' => return (Some(Kind::Keyword), 1 + run(&rest[1..], in_word)),
            '@' => {
                *state = Sheet::Value;
                let len = 1 + run(&rest[1..], |c| in_word(c) || c == '-');
                return (Some(Kind::Keyword), len);
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
                    (Some(Kind::Number), len)
                }
                c if c.is_ascii_digit() || c == '.' => {
                    let len = number(rest);
                    (
                        Some(Kind::Number),
                        len + usize::from(rest[len..].starts_with('%')),
                    )
                }
                c if is_name(c) => {
                    let len = run(rest, is_name);
                    let called = rest[len..].starts_with('(');
                    (Some(Kind::Name).filter(|_| called), len)
                }
                '$' => (Some(Kind::Property), 1 + run(&rest[1..], is_name)),
                c => (None, c.len_utf8()),
            },
            Sheet::Property => match run(rest, |c| is_name(c) || c == '$') {
                0 => (None, first.len_utf8()),
                len => (Some(Kind::Property), len),
            },
            Sheet::Begins | Sheet::Selector => {
                match run(rest, |c| is_name(c) || "#.&:".contains(c)) {
                    0 => (None, first.len_utf8()),
                    len => (Some(Kind::Name), len),
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
    /// Before the colon of a declaration.
    Property,
    Value,
}

impl Sheet {
    /// Whether a selector or a declaration begins: the one has a brace, the other ends before.
    fn of(rest: &str) -> Self {
        /// Longest selector that is looked through, in bytes.
        const LONGEST: usize = 300;
        let near = &rest.as_bytes()[..rest.len().min(LONGEST)];
        let end = memchr::memchr3(b'{', b'}', b';', near);
        match end.map(|end| near[end]) {
            Some(b'{') => Self::Selector,
            _ if near.contains(&b':') => Self::Property,
            _ => Self::Selector,
        }
    }
}

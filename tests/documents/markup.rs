//! Views HTML as a list of words and a list of structural signs, so that two pages can be compared whichever program
//! wrote them. Parses only the HTML of pandoc and of this program, in which every element is closed.

/// Words and structure of a page.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct View {
    /// All visible text, without white space.
    pub(crate) words: Vec<String>,
    /// The elements around the words: `h1`, `p`, `li`, `td 2x1`, `strong`.
    pub(crate) structure: Vec<String>,
    /// Letters since the last white space or the last block element.
    letters: String,
    /// Number of structural signs whose order is final.
    settled: usize,
}

/// Elements that separate words.
const BLOCKS: &[&str] = &[
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "pre",
    "table",
    "tr",
    "td",
    "th",
    "caption",
    "blockquote",
    "hr",
    "figure",
    "figcaption",
    "aside",
    "section",
    "div",
    "header",
    "nav",
    "br",
];
/// Elements that are listed in the structure. Some others are listed with their attributes.
const TOLD: &[&str] = &[
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "li",
    "dl",
    "dt",
    "dd",
    "pre",
    "table",
    "tr",
    "blockquote",
    "hr",
    "figure",
    "br",
    "a",
    "img",
    "code",
    "em",
    "strong",
    "del",
    "sup",
    "sub",
];
/// Elements whose content is invisible, or that only one of the programs writes.
const HIDDEN: &[&str] = &["head", "header", "nav", "annotation"];

/// Views a page, or a part of one.
pub(crate) fn view(html: &str) -> View {
    let mut view = View::default();
    let mut rest = html;
    // Nesting depth within an element that is skipped, and its name.
    let mut hidden: Option<(String, usize)> = None;
    while let Some(at) = rest.find('<') {
        if hidden.is_none() && at > 0 {
            view.text(&rest[..at]);
        }
        let end = rest[at..].find('>').map_or(rest.len(), |end| at + end);
        let tag = &rest[at + 1..end];
        rest = rest.get(end + 1..).unwrap_or_default();
        let name = tag.trim_start_matches('/');
        let name = name.split([' ', '\n', '/']).next().unwrap_or_default();
        match &mut hidden {
            Some((hiding, depth)) if hiding == name => match tag.starts_with('/') {
                true if *depth == 0 => hidden = None,
                true => *depth -= 1,
                false => *depth += 1,
            },
            Some(_) => {}
            None if tag.starts_with('/') => view.end(name),
            None => {
                let reference = tag.contains("footnote-ref") || tag.contains("doc-noteref");
                let back = tag.contains("footnote-back") || tag.contains("doc-backlink");
                if reference {
                    view.structure.push("note".into());
                }
                let title = tag.contains("title-block-header");
                if reference || back || title || HIDDEN.contains(&name) {
                    hidden = Some((name.to_owned(), 0));
                } else {
                    view.begin(name, tag);
                }
            }
        }
    }
    view.text(rest);
    view.break_word();
    view
}

impl View {
    fn begin(&mut self, name: &str, tag: &str) {
        if BLOCKS.contains(&name) {
            self.break_word();
        }
        let attribute = |name: &str| {
            let (_, value) = tag.split_once(&format!(" {name}=\""))?;
            value.split('"').next()
        };
        match name {
            "ol" => {
                let start = attribute("start").unwrap_or("1");
                self.structure.push(format!("ol {start}"));
            }
            "td" | "th" => {
                let rows = attribute("rowspan").unwrap_or("1");
                let columns = attribute("colspan").unwrap_or("1");
                self.structure.push(format!("{name} {rows}x{columns}"));
            }
            "input" if tag.contains("checkbox") => {
                let ticked = tag.contains("checked=");
                self.structure.push(format!("task {ticked}"));
            }
            "em" | "i" => self.mark("em"),
            "strong" | "b" => self.mark("strong"),
            "del" | "s" => self.mark("del"),
            // Programs differ in whether they write the only paragraph of a cell or an item as a paragraph.
            "p" if self.structure.last().is_some_and(|last| {
                ["td", "th", "dd", "li"]
                    .iter()
                    .any(|name| last.starts_with(name))
            }) => {}
            _ if TOLD.contains(&name) => self.structure.push(name.into()),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if BLOCKS.contains(&name) {
            self.break_word();
        }
    }

    /// Adds a mark on text. The nesting order of two marks has no meaning.
    fn mark(&mut self, name: &str) {
        self.structure.push(name.into());
        let is_mark = |sign: &&String| ["em", "strong", "del"].contains(&sign.as_str());
        let run = self.structure[self.settled..]
            .iter()
            .rev()
            .take_while(is_mark);
        let start = self.structure.len() - run.count();
        self.structure[start..].sort();
    }

    fn text(&mut self, text: &str) {
        for letter in unescape(text).chars() {
            if letter.is_whitespace() {
                self.break_word();
            } else {
                self.letters.push(letter);
                self.settled = self.structure.len();
            }
        }
    }

    fn break_word(&mut self) {
        if !self.letters.is_empty() {
            self.words.push(std::mem::take(&mut self.letters));
        }
    }
}

/// Decodes the character references that these programs write.
pub(crate) fn unescape(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    let text = text.replace("&quot;", "\"").replace("&#39;", "'");
    let text = text.replace("&nbsp;", "\u{a0}");
    text.replace("&amp;", "&")
}

/// Similarity of two lists in order, from 0 to 1: twice the length of their longest common subsequence, divided by the
/// sum of their lengths.
pub(crate) fn likeness<T: PartialEq>(one: &[T], other: &[T]) -> f64 {
    if one.is_empty() && other.is_empty() {
        return 1.0;
    }
    let mut above = vec![0_usize; other.len() + 1];
    for here in one {
        let mut row = vec![0; other.len() + 1];
        for (at, there) in other.iter().enumerate() {
            row[at + 1] = match here == there {
                true => above[at] + 1,
                false => above[at + 1].max(row[at]),
            };
        }
        above = row;
    }
    2.0 * above[other.len()] as f64 / (one.len() + other.len()) as f64
}

/// Share of the elements of a list that another list contains, in any order, from 0 to 1.
pub(crate) fn kept<T: Ord>(one: &[T], other: &[T]) -> f64 {
    let mut left: Vec<&T> = other.iter().collect();
    left.sort();
    let mut wanted: Vec<&T> = one.iter().collect();
    wanted.sort();
    let mut left = left.into_iter().peekable();
    let found = wanted.iter().filter(|word| {
        while left.next_if(|next| next < *word).is_some() {}
        left.next_if_eq(*word).is_some()
    });
    found.count() as f64 / one.len().max(1) as f64
}

/// The first difference of two lists, for error messages.
pub(crate) fn difference<T: PartialEq + std::fmt::Debug>(one: &[T], other: &[T]) -> String {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let near = |list: &[T]| {
        let end = list.len().min(same + 8);
        format!("{:?}", &list[same.saturating_sub(4).min(end)..end])
    };
    format!("expected … {} …, found … {} …", near(one), near(other))
}

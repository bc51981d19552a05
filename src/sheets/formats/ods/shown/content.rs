//! Content of a cell: its text with the styles of its runs, the first link, and the comment. Reads no values.

use super::super::cell::CellText;
use crate::{
    cells::span,
    containers::xml::{Node, Piece, Reader},
    error::Result,
};

/// Maximum number of runs in a text.
const MAX_SPANS: usize = 1024;

/// Content of a cell.
#[derive(Default)]
pub(super) struct Content {
    pub(super) text: CellText,
    /// Target and title of the first link.
    pub(super) link: Option<(Box<str>, Box<str>)>,
    /// Author and text of the comment.
    pub(super) comment: Option<(Box<str>, Box<str>)>,
    /// Ends of the runs of the text, with the names of their styles.
    pub(super) spans: Vec<(usize, Option<String>)>,
    /// Number of spaces from `text:s` elements.
    pub(super) expanded: usize,
}

impl Content {
    /// Reads the children of the open cell. Drawings go to `frame`.
    pub(super) fn of(xml: &mut Reader<'_>, frame: &mut dyn FnMut(&Node<'_>)) -> Result<Self> {
        let mut content = Self::default();
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            if (element.space, element.name) == ("office", "annotation") {
                content.comment = Some(comment(xml)?);
                continue;
            }
            match (element.space, element.name) {
                ("draw", _) => frame(&Node::read(xml, element)?),
                ("text", "p" | "h") => {
                    content.text.begin_paragraph();
                    content.words(xml, frame, None)?;
                }
                _ => {}
            }
        }
        Ok(content)
    }

    /// Reads the content of a paragraph, span or link. `style` is the style of the enclosing span. The parser bounds the
    /// depth of the recursion.
    fn words(
        &mut self,
        xml: &mut Reader<'_>,
        frame: &mut dyn FnMut(&Node<'_>),
        style: Option<&str>,
    ) -> Result<()> {
        let level = xml.level();
        while let Some(piece) = xml.next(level)? {
            let element = match piece {
                Piece::Text(text) => {
                    self.text.add(&text);
                    continue;
                }
                Piece::Element(element) => element,
            };
            let Some(spaces) = self.text.add_element(&element) else {
                if element.space == "draw" {
                    frame(&Node::read(xml, element)?);
                }
                continue;
            };
            self.expanded += spaces;
            match element.name {
                "span" => {
                    self.end_span(style);
                    let own = element.attribute("style-name");
                    let own = own.as_deref().or(style);
                    self.words(xml, frame, own)?;
                    self.end_span(own);
                }
                "a" => {
                    if self.link.is_none() {
                        let title = element.attribute("title").unwrap_or_default();
                        let title = title.chars().take(1024).collect();
                        self.link = element.attribute("href").map(|to| (target(&to), title));
                    }
                    self.words(xml, frame, style)?;
                }
                _ => self.words(xml, frame, style)?,
            }
        }
        Ok(())
    }

    /// Ends a run at the current position, unless it is empty. The text since the previous run has this style.
    fn end_span(&mut self, style: Option<&str>) {
        let end = self.text.text.len();
        if self.spans.last().map_or(0, |(end, _)| *end) < end && self.spans.len() < MAX_SPANS {
            self.spans.push((end, style.map(str::to_owned)));
        }
    }
}

/// Converts the target of a link to the syntax of Excel, where an exclamation mark follows the name of the sheet.
fn target(target: &str) -> Box<str> {
    let place = target
        .strip_prefix('#')
        .and_then(|place| place.rsplit_once('.'));
    match place.filter(|(_, place)| span(place).is_some()) {
        Some((sheet, place)) => format!("#{}!{place}", sheet.trim_start_matches('$')).into(),
        None => target.into(),
    }
}

/// Author and text of the open comment.
fn comment(xml: &mut Reader<'_>) -> Result<(Box<str>, Box<str>)> {
    let (mut author, mut content, level) = (String::new(), Content::default(), xml.level());
    while let Some(element) = xml.next_element(level)? {
        match element.name {
            "creator" => author = xml.text()?,
            "p" => {
                content.text.begin_paragraph();
                content.words(xml, &mut |_| {}, None)?;
            }
            _ => {}
        }
    }
    let short = |text: &str, most| text.chars().take(most).collect();
    Ok((short(author.trim(), 255), short(&content.text.text, 32_767)))
}

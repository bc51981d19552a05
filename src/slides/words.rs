//! Writes paragraphs of a deck into a document: bullets become list items, and formatting with a meaning stays. Font
//! sizes and colours are dropped.

use super::deck::{self, Bullet, ComputedStyle, Paragraph};
use crate::error::Result;
use convertd_office::wordprocessing::{self as office, Flow, Item, Line, ListPlace, Marks, Role};
use convertd_tree::{
    Builder, ListKind, ListLook, Mark, Node, Numbering, ParagraphStyleId, Picture,
};
use std::rc::Rc;

/// Writer of paragraphs.
#[derive(Default)]
pub(super) struct Words {
    /// Number of the slide, counted from 1.
    pub(super) number: usize,
    /// Link of text without a link of its own.
    pub(super) link: Option<Rc<str>>,
    /// Number of the last list in the document. No list continues in another shape, table cell or notes.
    lists: u32,
}

/// Last list at each level: its numbering (`None` for bullets) and its number.
type Levels = [Option<(Option<Numbering>, u32)>; 9];

impl Words {
    /// Writes a title into the open heading, as a single line.
    pub(super) fn heading(&self, build: &mut Builder<'_>, title: &[Paragraph]) -> Result<()> {
        let words = title.iter().map(Paragraph::plain);
        let words: Vec<String> = words.collect();
        let words = words.join(" ");
        let single: Vec<&str> = words.split_whitespace().collect();
        build.text(&single.join(" "))
    }

    /// Writes paragraphs. `as_head` drops bold, which is implied in header cells.
    pub(super) fn paragraphs(
        &mut self,
        build: &mut Builder<'_>,
        all: &[Paragraph],
        as_head: bool,
    ) -> Result<()> {
        let mut flow = Flow::default();
        let mut line = Line::default();
        let mut levels = Levels::default();
        for paragraph in all {
            // Empty paragraphs only serve as vertical space.
            if paragraph.is_blank() {
                continue;
            }
            self.fill(&mut line, paragraph);
            if as_head {
                line.unmark(Mark::Strong);
            }
            let role = self.role(paragraph, &mut levels);
            flow.paragraph(build, role, ParagraphStyleId::DEFAULT, &mut line)?;
        }
        flow.end(build)
    }

    /// Writes a picture as a paragraph of its own.
    pub(super) fn picture(
        &self,
        build: &mut Builder<'_>,
        picture: Picture,
        link: Option<&str>,
    ) -> Result<()> {
        let mut line = Line::default();
        let link = link.filter(|link| !link.starts_with('#'));
        let look = office::Formatting {
            link: link.map(|link| line.link(link, "")),
            ..office::Formatting::default()
        };
        line.picture(look, picture);
        line.write(build, |build| {
            build.open(Node::Paragraph(ParagraphStyleId::DEFAULT))
        })
    }

    /// Returns the role of a paragraph: body text, or an item that continues the last list of its level if the
    /// numbering is the same.
    fn role(&mut self, paragraph: &Paragraph, levels: &mut Levels) -> Role {
        let (numbering, bullet) = match &paragraph.bullet {
            Bullet::None => return Role::Body,
            Bullet::Character(bullet) => (None, bullet.chars().next()),
            Bullet::Picture(_) => (None, None),
            Bullet::Number(numbering) => (Some(*numbering), None),
        };
        let level = usize::from(paragraph.level).min(levels.len() - 1);
        let list = match levels[level] {
            Some((known, list)) if known == numbering => list,
            _ => {
                self.lists += 1;
                self.lists
            }
        };
        levels[level] = Some((numbering, list));
        // Lists at deeper levels start again under each item.
        levels[level + 1..].fill(None);
        Role::Item(Item {
            place: ListPlace {
                list,
                level: level as u8,
            },
            kind: numbering.map_or(ListKind::Bullet, ListKind::Ordered),
            task: None,
            label: None,
            tight: true,
            look: ListLook {
                bullet: bullet.filter(|bullet| !bullet.is_control()),
                ..ListLook::default()
            },
        })
    }

    /// Fills a line with the runs of a paragraph.
    fn fill(&self, line: &mut Line, paragraph: &Paragraph) {
        for run in &paragraph.runs {
            let look = self.formatting(line, &run.look);
            match &run.text {
                deck::Words::Text(text) => line.text(look, text),
                deck::Words::Break => line.line_break(look),
                deck::Words::Number => line.text(look, &self.number.to_string()),
                deck::Words::Formula(tex) => line.math(tex.clone(), false),
            }
        }
        line.show_alone();
        line.trim_start();
        line.trim_end();
    }

    /// Converts character formatting. Links to slides are dropped.
    fn formatting(&self, line: &mut Line, look: &ComputedStyle) -> office::Formatting {
        let link = look.link.as_deref().or(self.link.as_deref());
        // Slides have no anchor in the document to which a link could refer.
        let link = link.filter(|link| !link.starts_with('#'));
        let mut marks = Marks::default();
        marks.set(Mark::Strong, look.bold);
        marks.set(Mark::Emphasis, look.italic);
        // Links are underlined by default.
        marks.set(Mark::Underline, look.underlined && look.link.is_none());
        marks.set(Mark::Strikethrough, look.struck);
        marks.set(Mark::Highlight, look.highlight.is_some());
        marks.set(Mark::SmallCaps, look.caps == deck::Caps::Small);
        marks.set(Mark::Superscript, look.raised > 0.0);
        marks.set(Mark::Subscript, look.raised < 0.0);
        office::Formatting {
            marks,
            link: link.map(|link| line.link(link, "")),
            ..office::Formatting::default()
        }
    }
}

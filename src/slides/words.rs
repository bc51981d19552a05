//! Writes the paragraphs of a deck into a document: bullets as items of lists, and of how text looks only what means something.
//! Sizes and colours stay on the slide.

use super::deck::{self, Bullet, Look, Paragraph};
use crate::error::Result;
use convertd_office::wordprocessing::{self as office, Flow, Item, Line, ListPlace, Marks, Role};
use convertd_tree::{
    Builder, ListKind, ListLook, Mark, Node, Numbering, ParagraphStyleId, Picture,
};
use std::rc::Rc;

/// Text of a deck that is written.
#[derive(Default)]
pub(super) struct Words {
    /// The number of the slide, from 1.
    pub(super) number: usize,
    /// Link of all text without a link of its own.
    pub(super) link: Option<Rc<str>>,
    /// The number of the last list. Each belongs to one rectangle of text.
    lists: u32,
}

/// The lists in one rectangle of text: for each level the numbering of its last items, and its list.
type Levels = [Option<(Option<Numbering>, u32)>; 9];

impl Words {
    /// Writes a title into the heading that is open.
    pub(super) fn heading(&self, build: &mut Builder<'_>, title: &[Paragraph]) -> Result<()> {
        let words = title.iter().map(Paragraph::plain);
        let words: Vec<String> = words.collect();
        let words = words.join(" ");
        let single: Vec<&str> = words.split_whitespace().collect();
        build.text(&single.join(" "))
    }

    /// Writes paragraphs. Those that are bold `as_head` need not say so.
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
            // Between the frames of a slide, and often in them, empty lines are only distance.
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

    /// Writes a picture as a paragraph.
    pub(super) fn picture(
        &self,
        build: &mut Builder<'_>,
        picture: Picture,
        link: Option<&str>,
    ) -> Result<()> {
        let mut line = Line::default();
        let link = link.filter(|link| !link.starts_with('#'));
        let look = office::Look {
            link: link.map(|link| line.link(link, "")),
            ..office::Look::default()
        };
        line.picture(look, picture);
        line.write(build, |build| {
            build.open(Node::Paragraph(ParagraphStyleId::DEFAULT))
        })
    }

    /// The role of a paragraph: body text, or an item of a list. A paragraph continues the list of its level if it has the same
    /// numbering.
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
        // A list below begins anew under another item.
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
            let look = self.look(line, &run.look);
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

    /// Converts a look to that of office documents. Links to slides are dropped.
    fn look(&self, line: &mut Line, look: &Look) -> office::Look {
        let link = look.link.as_deref().or(self.link.as_deref());
        // Where a slide leads to another one, nothing is there to lead to.
        let link = link.filter(|link| !link.starts_with('#'));
        let mut marks = Marks::default();
        marks.set(Mark::Strong, look.bold);
        marks.set(Mark::Emphasis, look.italic);
        // A link is underlined anyway.
        marks.set(Mark::Underline, look.underlined && look.link.is_none());
        marks.set(Mark::Strikethrough, look.struck);
        marks.set(Mark::Highlight, look.highlight.is_some());
        marks.set(Mark::SmallCaps, look.caps == deck::Caps::Small);
        marks.set(Mark::Superscript, look.raised > 0.0);
        marks.set(Mark::Subscript, look.raised < 0.0);
        office::Look {
            marks,
            link: link.map(|link| line.link(link, "")),
            ..office::Look::default()
        }
    }
}

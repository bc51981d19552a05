//! Reads runs and their characters. The module `objects` reads the objects between the characters.

use super::{
    body::Body,
    lengths::{colour, is_set},
};
use crate::{
    containers::xml::{Element, Piece},
    error::Result,
};
use convertd_office::wordprocessing::losses;

impl<'x> Body<'_, '_, 'x> {
    /// Reads a `run`, which is the innermost open element.
    pub(super) fn run(&mut self, element: &Element<'x>) -> Result<()> {
        let id = element.attribute("charPrIDRef").unwrap_or_default();
        self.state.run = self.context.header.characters(&id);
        self.state.empty_size = self.state.run.size.unwrap_or_default();
        self.set_run();
        self.run_content()
    }

    /// Reads the content of a run, or of an element that encloses a part of a run.
    fn run_content(&mut self) -> Result<()> {
        let level = self.xml.level();
        while let Some(child) = self.xml.next_element(level)? {
            self.deeper(|body| body.in_run(&child))?;
        }
        Ok(())
    }

    /// Reads an element of a run: text, a control, a form field or an object.
    fn in_run(&mut self, element: &Element<'x>) -> Result<()> {
        match element.name {
            "t" => self.characters(),
            "secPr" => {
                let node = crate::containers::xml::Node::read(&mut self.xml, *element)?;
                let header = &self.context.header;
                self.context.pages.set(self.story, header, &node);
                Ok(())
            }
            "ctrl" => self.controls(),
            // An element with two alternatives: one for newer programs, which contains a chart here, and one for
            // older programs. The first alternative that yields content is used.
            "switch" => {
                let level = self.xml.level();
                let before = self.content();
                while self.xml.next_element(level)?.is_some() {
                    if self.content() == before {
                        self.run_content()?;
                    }
                }
                Ok(())
            }
            // Deleted text is left out. The elements that are matched above are read even then, because they may
            // contain the end of the deletion.
            _ if self.context.deleting => Ok(()),
            "compose" => {
                let text = element.attribute("composeText").unwrap_or_default();
                self.note_size();
                self.story.text(&text)
            }
            "dutmal" => self.ruby(),
            "btn" | "radioBtn" | "checkBtn" => {
                if element.name != "btn" {
                    let ticked = element.attribute("value").as_deref() == Some("CHECKED");
                    self.story
                        .text(if ticked { "\u{2612} " } else { "\u{2610} " })?;
                }
                self.story
                    .text(&element.attribute("caption").unwrap_or_default())
            }
            "comboBox" | "listBox" => {
                let chosen = element.attribute("selectedValue").unwrap_or_default();
                self.story.text(&chosen)
            }
            "edit" => {
                let level = self.xml.level();
                while let Some(child) = self.xml.next_element(level)? {
                    if child.name == "text" {
                        let text = self.xml.text()?;
                        self.story.text(&text)?;
                    }
                }
                Ok(())
            }
            _ => self.object(element),
        }
    }

    /// Number of pieces in the paragraph so far, of any kind.
    fn content(&self) -> usize {
        self.story.pieces() + self.state.anchored.len() + self.state.charts.len()
    }

    /// Reads a `t`, which is the innermost open element.
    fn characters(&mut self) -> Result<()> {
        let level = self.xml.level();
        while let Some(piece) = self.xml.next(level)? {
            match piece {
                Piece::Text(text) => self.letters(&text)?,
                Piece::Element(element) => self.in_characters(&element)?,
            }
        }
        Ok(())
    }

    fn letters(&mut self, text: &str) -> Result<()> {
        if self.context.deleting || text.is_empty() {
            return Ok(());
        }
        self.note_size();
        self.story.text(text)
    }

    fn in_characters(&mut self, element: &Element<'x>) -> Result<()> {
        match element.name {
            "tab" => self.letters("\t")?,
            "lineBreak" if !self.context.deleting => self.story.line_break()?,
            "hyphen" => self.letters("-")?,
            "nbSpace" => self.letters("\u{a0}")?,
            "fwSpace" => self.letters(" ")?,
            "markpenBegin" => {
                self.context.pen = colour(element, "color");
                self.set_run();
            }
            "markpenEnd" => {
                self.context.pen = None;
                self.set_run();
            }
            "insertBegin" => self.story.build.lost(&losses::CHANGES),
            "deleteBegin" => {
                self.story.build.lost(&losses::CHANGES);
                self.context.deleting = true;
            }
            "deleteEnd" => self.context.deleting = false,
            _ => {}
        }
        Ok(())
    }

    /// Reads a `dutmal` (ruby): a word with another word above or below it. In the tree, the other word is above.
    fn ruby(&mut self) -> Result<()> {
        let (mut base, mut above) = (String::new(), String::new());
        let level = self.xml.level();
        while let Some(child) = self.xml.next_element(level)? {
            let text = self.xml.text()?;
            match child.name {
                "mainText" => base = text,
                "subText" => above = text,
                _ => {}
            }
        }
        if self.context.deleting {
            return Ok(());
        }
        self.note_size();
        self.story.ruby(&base, &above)
    }
}

/// Returns whether an object is inline, according to its `pos`. An object without one is inline.
pub(super) fn is_letter(pos: Option<&Element<'_>>) -> bool {
    pos.is_none_or(|pos| is_set(pos, "treatAsChar"))
}

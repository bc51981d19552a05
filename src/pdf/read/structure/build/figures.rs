//! Figures of a structure tree, with alternative texts and captions. Draws nothing.

use super::{TextStyle, Writer};
use crate::{
    error::Result,
    read::structure::{Kid, Role},
};
use convertd_tree::Node;

impl Writer<'_, '_> {
    /// Adds the pictures of a text, with the alternative text of the enclosing element. Each picture is added once.
    pub(super) fn pictures(
        &mut self,
        element_id: u32,
        text: u32,
        style: TextStyle,
        open: &mut bool,
    ) -> Result<()> {
        let Some(figures) = self.figures.remove(&text) else {
            return Ok(());
        };
        let words = self.structure.element(element_id).alternative.clone();
        let words = words.unwrap_or_default();
        for figure in figures {
            self.begin(element_id, style, open)?;
            self.composer.picture(figure.file, figure.size(), &words)?;
        }
        Ok(())
    }

    /// Writes a figure with its caption. If nothing of the figure is on the pages, its alternative text is written
    /// instead.
    pub(super) fn figure(&mut self, number: u32) -> Result<()> {
        let structure = self.structure;
        // The caption may be anywhere among the children, but this function writes it last.
        let element = structure.element(number);
        let caption = element.kids.iter().find_map(|kid| match kid {
            Kid::Element(kid) if structure.element(*kid).role == Role::Caption => Some(*kid),
            _ => None,
        });
        // Whether any text or picture of the figure was found on the pages.
        let (mut has_text, mut has_picture) = (false, false);
        for kid in &element.kids {
            if let Kid::Text(text) = kid {
                has_text |= self.texts.contains_key(text);
                has_picture |= self.figures.contains_key(text);
            }
        }
        self.mark_page_of(number)?;
        if caption.is_some() {
            self.composer.builder.open(Node::Figure { id: None })?;
        }
        self.within += 1;
        let mut open = false;
        for kid in &element.kids {
            match *kid {
                Kid::Text(_) => {
                    // If the figure has an alternative text, letters in its picture are part of the picture and are not
                    // written.
                    if has_text && has_picture && element.alternative.is_some() {
                        if let Kid::Text(text) = *kid {
                            self.pictures(number, text, TextStyle::Paragraphs, &mut open)?;
                        }
                        continue;
                    }
                    self.inline_text(number, *kid, &mut open)?;
                }
                Kid::Element(kid) if Some(kid) == caption => {}
                Kid::Element(kid) => {
                    self.end(&mut open)?;
                    self.block(kid)?;
                }
            }
        }
        self.end(&mut open)?;
        // A figure without text and pictures on the page is represented by its alternative text. Child elements count
        // as content only if there is no caption.
        let has_elements = !self.is_simple(element) && caption.is_none();
        if let Some(words) = element.alternative.as_deref()
            && !(has_text || has_picture || has_elements || words.is_empty())
        {
            self.begin(number, TextStyle::Paragraphs, &mut open)?;
            self.composer.builder.text(words)?;
            self.end(&mut open)?;
        }
        if let Some(caption) = caption {
            self.composer.builder.open(Node::Caption)?;
            self.flow(caption, TextStyle::Paragraphs)?;
            self.composer.builder.close()?;
        }
        self.within -= 1;
        match caption {
            Some(_) => self.composer.builder.close(),
            None => Ok(()),
        }
    }

    /// Adds a text with its pictures to the open paragraph.
    pub(super) fn inline_text(&mut self, element_id: u32, kid: Kid, open: &mut bool) -> Result<()> {
        let Kid::Text(text) = kid else { return Ok(()) };
        if self.texts.contains_key(&text) {
            self.begin(element_id, TextStyle::Paragraphs, open)?;
            self.text(text, TextStyle::Paragraphs)?;
        }
        self.pictures(element_id, text, TextStyle::Paragraphs, open)
    }
}

//! Styles with inherited properties.

use crate::wordprocessing::{
    names::ParagraphRole,
    properties::{ParagraphProperties, RunProperties, ThemeFonts},
    script::Script,
};
use convertd_tree::TextStyle;
use std::rc::Rc;

/// Paragraph style with all inherited properties.
#[derive(Debug, Default)]
pub struct Resolved {
    /// Identifier that levels of lists refer to.
    pub id: Option<Box<str>>,
    /// Name that users see.
    pub name: Option<Box<str>>,
    /// Role that the name of the style implies.
    pub role: ParagraphRole,
    /// Paragraph properties, including inherited properties.
    pub paragraph: ParagraphProperties,
    /// Run properties, including inherited properties.
    pub run: RunProperties,
    /// Complete text style for Latin text, computed by [`settle`](Self::settle).
    pub text: TextStyle,
}

impl Resolved {
    /// Computes the text style. To be called when all properties are known.
    pub fn settle(mut self, fonts: &ThemeFonts) -> Rc<Self> {
        self.text = fonts.text_style(&self.run, Script::Latin);
        Rc::new(self)
    }
}

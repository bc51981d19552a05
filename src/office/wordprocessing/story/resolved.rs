//! Styles as readers resolve them.

use crate::wordprocessing::{
    names::ParagraphRole,
    properties::{ParagraphProperties, RunProperties, ThemeFonts},
    script::Script,
};
use convertd_tree::TextStyle;
use std::rc::Rc;

/// A paragraph style with everything that it inherits.
#[derive(Debug, Default)]
pub struct Resolved {
    /// Its identifier, by which levels of lists refer to it.
    pub id: Option<Box<str>>,
    /// The name that users see.
    pub name: Option<Box<str>>,
    pub role: ParagraphRole,
    pub paragraph: ParagraphProperties,
    pub run: RunProperties,
    /// The complete look of its text, for Latin letters. [`settle`](Self::settle) works it out.
    pub text: TextStyle,
}

impl Resolved {
    /// Works out the look of its text, when all properties are known.
    pub fn settle(mut self, fonts: &ThemeFonts) -> Rc<Self> {
        self.text = fonts.text_style(&self.run, Script::Latin);
        Rc::new(self)
    }
}

//! Styles as readers resolve them.

use crate::document::office::{
    names::ParagraphRole,
    properties::{ParagraphProperties, RunProperties, ThemeFonts},
    script::Script,
};
use convertd_tree::TextStyle;
use std::rc::Rc;

/// A paragraph style with everything that it inherits.
#[derive(Debug, Default)]
pub(crate) struct Resolved {
    /// Its identifier, by which levels of lists refer to it.
    pub(crate) id: Option<Box<str>>,
    /// The name that users see.
    pub(crate) name: Option<Box<str>>,
    pub(crate) role: ParagraphRole,
    pub(crate) paragraph: ParagraphProperties,
    pub(crate) run: RunProperties,
    /// The complete look of its text, for Latin letters. [`settle`](Self::settle) works it out.
    pub(crate) text: TextStyle,
}

impl Resolved {
    /// Works out the look of its text, when all properties are known.
    pub(crate) fn settle(mut self, fonts: &ThemeFonts) -> Rc<Self> {
        self.text = fonts.text_style(&self.run, Script::Latin);
        Rc::new(self)
    }
}

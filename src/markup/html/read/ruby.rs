//! Words with their pronunciation above (HTML, 4.5.10): pairs of a base and its `rt`. Elements inside a base are text.

use super::attributes::collapsed;
use crate::{error::Result, syntax::tag::Tag};
use convertd_tree::Builder;

/// Element inside a `ruby` that text belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Within {
    #[default]
    Base,
    /// The text above.
    Above,
    /// Parentheses for programs that have no ruby.
    Parentheses,
}

/// A `ruby` element that is being read.
#[derive(Debug, Default)]
pub(super) struct Ruby {
    base: String,
    above: String,
    within: Within,
}

impl Ruby {
    /// Takes text.
    pub(super) fn text(&mut self, text: &str) {
        match self.within {
            Within::Base => self.base.push_str(text),
            Within::Above => self.above.push_str(text),
            Within::Parentheses => {}
        }
    }

    /// Takes a start tag. A base after an `rt` begins another pair.
    pub(super) fn start(&mut self, tag: Tag, build: &mut Builder<'_>) -> Result<()> {
        match tag {
            Tag::Rt | Tag::Rtc => {
                self.within = Within::Above;
                if !self.above.is_empty() {
                    self.finish(build)?;
                }
            }
            Tag::Rp => self.within = Within::Parentheses,
            Tag::Rb => {
                self.within = Within::Base;
                self.finish(build)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Takes an end tag. Text after an `rt` is the next base.
    pub(super) fn end(&mut self, tag: Tag, build: &mut Builder<'_>) -> Result<()> {
        match tag {
            Tag::Rt | Tag::Rtc => {
                self.within = Within::Base;
                // The parentheses after the text belong to this pair.
                self.finish(build)
            }
            Tag::Rp => {
                self.within = Within::Base;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Adds the pair so far.
    pub(super) fn finish(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let (base, above) = (collapsed(&self.base), collapsed(&self.above));
        // A base without its text may still get one.
        if above.is_empty() && self.within == Within::Base {
            return Ok(());
        }
        self.base.clear();
        self.above.clear();
        match base.is_empty() && !above.is_empty() {
            true => build.text(&format!("({above})")),
            false => build.ruby(&base, &above),
        }
    }

    /// Adds what remains at the end of the element.
    pub(super) fn close(mut self, build: &mut Builder<'_>) -> Result<()> {
        self.within = Within::Above;
        self.finish(build)
    }
}

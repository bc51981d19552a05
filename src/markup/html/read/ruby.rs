//! Words with their pronunciation above (HTML, 4.5.10): pairs of a base and an `rt`. Several `rb` may precede several
//! `rt`: the first `rb` then belongs to the first `rt`, and so on. Marks and links inside a ruby leave only their text.

use super::attributes::collapsed;
use crate::{error::Result, syntax::tag::Tag};
use convertd_core::fonts::scripts::is_east_asian;
use convertd_tree::Builder;
use std::collections::VecDeque;

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
    /// Bases that have no text above so far.
    bases: VecDeque<String>,
    above: String,
    /// White space before the next base.
    gap: String,
    /// Whether a pair has been added.
    paired: bool,
    within: Within,
    /// Element that is being skipped, because its content is no text of the page.
    skipped: Option<Tag>,
}

impl Ruby {
    /// Takes text.
    pub(super) fn text(&mut self, text: &str) {
        if self.skipped.is_some() {
            return;
        }
        match self.within {
            Within::Base => match self.bases.back_mut() {
                Some(base) => base.push_str(text),
                None if text.trim().is_empty() => self.gap.push_str(text),
                None => {
                    let gap = std::mem::take(&mut self.gap);
                    self.bases.push_back(gap + text);
                }
            },
            Within::Above => self.above.push_str(text),
            Within::Parentheses => {}
        }
    }

    /// Takes a start tag. The tag of a part of a ruby ends an `rt` before it.
    pub(super) fn start(&mut self, tag: Tag, build: &mut Builder<'_>) -> Result<()> {
        if self.skipped.is_some() {
            return Ok(());
        }
        let within = match tag {
            Tag::Br => {
                self.text(" ");
                return Ok(());
            }
            Tag::Script | Tag::Style | Tag::Template | Tag::Iframe => {
                self.skipped = Some(tag);
                return Ok(());
            }
            Tag::Rt => Within::Above,
            Tag::Rp => Within::Parentheses,
            Tag::Rb | Tag::Rtc => Within::Base,
            _ => return Ok(()),
        };
        self.pair(build)?;
        self.within = within;
        if tag == Tag::Rb {
            self.bases.push_back(std::mem::take(&mut self.gap));
        }
        Ok(())
    }

    /// Takes an end tag. Text after an `rt` belongs to the next base.
    pub(super) fn end(&mut self, tag: Tag, build: &mut Builder<'_>) -> Result<()> {
        if let Some(skipped) = self.skipped {
            self.skipped = (skipped != tag).then_some(skipped);
            return Ok(());
        }
        if matches!(tag, Tag::Rt | Tag::Rp) {
            self.pair(build)?;
            self.within = Within::Base;
        }
        Ok(())
    }

    /// Adds the next base with the text above it, if such a text has been read. Without a base, adds this text in
    /// parentheses.
    fn pair(&mut self, build: &mut Builder<'_>) -> Result<()> {
        let above = collapsed(&std::mem::take(&mut self.above));
        if above.is_empty() {
            return Ok(());
        }
        match self.bases.pop_front() {
            Some(base) => {
                self.part(&base, build)?;
                self.paired = true;
                build.ruby(&collapsed(&base), &above)
            }
            None => build.text(&format!("({above})")),
        }
    }

    /// Adds a space before a base if white space separates it from a pair before it. White space with a line break
    /// before an East Asian letter does not count.
    fn part(&self, base: &str, build: &mut Builder<'_>) -> Result<()> {
        let letters = base.trim_start();
        let gap = &base[..base.len() - letters.len()];
        let is_source = gap.contains('\n') && letters.starts_with(is_east_asian);
        match self.paired && !gap.is_empty() && !is_source {
            true => build.text(" "),
            false => Ok(()),
        }
    }

    /// Adds what remains at the end of the element.
    pub(super) fn close(mut self, build: &mut Builder<'_>) -> Result<()> {
        self.pair(build)?;
        for base in std::mem::take(&mut self.bases) {
            self.part(&base, build)?;
            build.text(&collapsed(&base))?;
        }
        Ok(())
    }
}

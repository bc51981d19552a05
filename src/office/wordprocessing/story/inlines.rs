//! Content of paragraphs: text with the formatting of its run, breaks, notes, bookmarks, pictures and formulas. It is
//! collected in the line of the current text, and added to the tree at the end of the paragraph.

use super::{state::Story, text::Within};
use crate::{
    error::Result,
    wordprocessing::{
        line::{Formatting, ruby::LinePosition},
        losses,
        properties::RunProperties,
        script::Script,
        text::look,
    },
};
use convertd_tree::{NoteId, NoteKind, Picture, PictureSource, Ruby};

/// Max. length of the name of a bookmark, in bytes.
const LONGEST: usize = 400;

/// Max. number of names of bookmarks.
const MAX_TARGETS: usize = 100_000;

impl Story<'_> {
    /// Begins a run with these properties of its character style and its direct formatting. Returns the properties of
    /// the previous run.
    pub fn set_run(&mut self, run: RunProperties) -> RunProperties {
        std::mem::replace(&mut self.run, run)
    }

    /// Returns the properties of the current run.
    pub fn run(&self) -> &RunProperties {
        &self.run
    }

    /// Adds text.
    pub fn text(&mut self, text: &str) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        // Hidden text is noted as a loss. Other text that is not shown is stored if it is the result of a reference to
        // a style.
        if !self.shows() {
            if self.is_hidden() {
                self.build.lost(&losses::HIDDEN);
            } else if let Some(field) = self.fields.last_mut() {
                field.store(text);
            }
            return Ok(());
        }
        let script = match self.run.right_to_left {
            Some(true) => Script::Complex,
            _ => Script::of(text),
        };
        let look = self.look(script)?;
        let Self {
            run, style, texts, ..
        } = self;
        let font = run.latin.as_ref().or(style.run.latin.as_ref());
        if let Some(open) = texts.last_mut() {
            open.line.text_in(look, font, text);
        }
        Ok(())
    }

    /// Adds a word with a text above it, such as its pronunciation.
    pub fn ruby(&mut self, base: &str, above: &str) -> Result<()> {
        let (base, above) = (base.trim(), above.trim());
        if base.is_empty() || above.is_empty() {
            return self.text(base);
        }
        if self.shows() {
            let look = self.look(Script::of(base))?;
            let ruby = Ruby {
                base: base.into(),
                above: above.into(),
            };
            self.line().ruby(look, ruby);
        }
        Ok(())
    }

    /// Returns the position after the content of the current paragraph so far. The base text of a ruby begins there.
    pub fn end(&mut self) -> LinePosition {
        self.line().end()
    }

    /// Places a text above the word from `start` on. If the word contains more than text, such as a picture, `above`
    /// follows it in parentheses.
    pub fn ruby_from(&mut self, start: LinePosition, above: &str) -> Result<()> {
        let above = above.trim();
        let is_empty = self.line().end() == start;
        if is_empty || above.is_empty() || self.line().ruby_from(start, above) {
            return Ok(());
        }
        self.text(&format!("({above})"))
    }

    /// Adds a line break.
    pub fn line_break(&mut self) -> Result<()> {
        if self.shows() {
            let look = self.look(Script::Latin)?;
            self.line().line_break(look);
        }
        Ok(())
    }

    /// Adds a page break.
    pub fn page_break(&mut self) {
        if self.shows() {
            self.line().page_break();
        }
    }

    /// Adds a column break. Columns exist only in the main text, so in a cell, a note or any other text, the break
    /// becomes a line break.
    pub fn column_break(&mut self) -> Result<()> {
        if self.within() != Within::Main {
            return self.line_break();
        }
        if self.shows() {
            self.line().column_break();
        }
        Ok(())
    }

    /// Adds a formula in TeX.
    pub fn formula(&mut self, tex: impl Into<Box<str>>, display: bool) {
        if self.shows() {
            self.line().math(tex, display);
        }
    }

    /// Marks the paragraph as a horizontal rule, if it has no other content.
    pub fn rule(&mut self) {
        self.text_and_build().0.rule = true;
    }

    /// Counts a text box that is anchored in the paragraph. Its text follows the paragraph.
    pub fn anchor(&mut self) {
        self.text_and_build().0.boxes += 1;
    }

    /// Adds a bookmark. Programs generate names with a leading underscore. Such a bookmark is added only if a link or
    /// field refers to it.
    pub fn bookmark(&mut self, name: &str) {
        if !name.is_empty() && (!name.starts_with('_') || self.targets.contains(name)) {
            self.line().bookmark(name);
        }
    }

    /// Finds the names of bookmarks that links and fields refer to: the texts between `before` and `end` in a part. A
    /// simple search suffices, because a false match only adds an unused bookmark.
    pub fn find_targets(&mut self, text: &[u8], before: &str, end: char) {
        for at in memchr::memmem::find_iter(text, before.as_bytes()) {
            let name = &text[at + before.len()..];
            let name = String::from_utf8_lossy(&name[..name.len().min(LONGEST)]);
            let name = name.split(end).next().unwrap_or_default();
            let name = name.trim_start_matches(['"', ' ']);
            let name = name.trim_start_matches("&quot;");
            let name = name.split(['"', ' ', '&', '\\']).next().unwrap_or_default();
            if !name.is_empty() && self.targets.len() < MAX_TARGETS {
                self.targets.insert(name.into());
            }
        }
    }

    /// Adds a reference to a note, whose text follows. Returns the note even if the reference is hidden, because its
    /// text must be read in any case.
    pub fn note(&mut self, kind: NoteKind) -> Result<NoteId> {
        let note = self.build.reserve_note(kind)?;
        if self.shows() {
            self.line().note(note);
        }
        Ok(note)
    }

    /// Gives a note a reference mark instead of a number. Has to be called before the text of the note is read, because
    /// the mark is removed from the beginning of that text.
    pub fn mark_note(&mut self, note: NoteId, mark: &str) {
        let mark = mark.trim();
        self.build.mark_note(note, mark);
        self.marks.insert(note, mark.into());
    }

    /// Removes and returns the mark of a note at the end of the current paragraph, in formats in which the mark is
    /// text before the note.
    pub fn take_mark(&mut self) -> Option<String> {
        self.line().take_mark()
    }

    /// Adds a reference to the note with this identifier, whose text is in another part of the file. Returns the note,
    /// unless the reference is hidden.
    pub fn note_elsewhere(&mut self, kind: NoteKind, id: i64) -> Result<Option<NoteId>> {
        if !self.shows() {
            return Ok(None);
        }
        let note = match self.notes.get(&(kind, id)) {
            Some(note) => *note,
            None => self.build.reserve_note(kind)?,
        };
        self.notes.insert((kind, id), note);
        self.line().note(note);
        Ok(Some(note))
    }

    /// Removes and returns the note with this identifier, if there is a reference to it. If two notes have the same
    /// identifier, the first text is used.
    pub fn take_note(&mut self, kind: NoteKind, id: i64) -> Option<NoteId> {
        self.notes.remove(&(kind, id))
    }

    /// Adds a picture, inside the open link, if there is one.
    pub fn picture(&mut self, picture: Picture) {
        if self.shows() {
            let look = self.linked(Formatting::default());
            self.line().picture(look, picture);
        }
    }

    /// Returns the picture with this name in the file. `None` if it was not read before, and `Some(None)` if the file
    /// does not contain it.
    pub fn known_picture(&self, name: &str) -> Option<Option<PictureSource>> {
        self.resources.get(name).cloned()
    }

    /// Adds the data of a picture for all references to this name. `bytes` is `None` if the file does not contain the
    /// picture.
    pub fn add_picture(
        &mut self,
        name: &str,
        bytes: Option<Vec<u8>>,
    ) -> Result<Option<PictureSource>> {
        let source = match bytes {
            Some(bytes) => Some(PictureSource::Resource(
                self.build.resource(bytes, name, None)?,
            )),
            None => None,
        };
        self.resources.insert(name.into(), source.clone());
        Ok(source)
    }

    /// Returns whether the current run is hidden.
    pub(super) fn is_hidden(&self) -> bool {
        self.run.hidden.or(self.style.run.hidden) == Some(true)
    }

    /// Returns the formatting of the current run, including its link.
    pub(super) fn look(&mut self, script: Script) -> Result<Formatting> {
        let Self {
            build,
            looks,
            style,
            run,
            fonts,
            ..
        } = self;
        let look = looks.get(run, &style.text, script, || {
            let mut all = style.run.clone();
            all.apply(run);
            let text = fonts.text_style(&all.in_script(script), script);
            let run = &run.clone().in_script(script);
            look(build, run, run.code == Some(true), text, &style.text)
        })?;
        Ok(self.linked(look))
    }
}

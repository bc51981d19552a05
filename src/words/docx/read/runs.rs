//! Inline content: runs (ECMA-376 part 1, 17.3.2 and 17.3.3), hyperlinks and fields (17.16), and tracked changes
//! (17.13.5), which are accepted. The [`Story`](convertd_office::wordprocessing::Story) decides which part of a field
//! is shown.

use super::{
    body::{AlignedTab, Body},
    context::SUBDOCUMENTS,
    properties::is_on,
};
use crate::{
    containers::xml::{Element, Node, Piece},
    error::Result,
};
use convertd_office::wordprocessing::{RunProperties, TextRole, in_symbol_font, losses};
use convertd_tree::{Alignment, Field, Length, LinkLook, NoteKind, math};

impl<'x> Body<'_, '_, 'x> {
    /// Reads an element inside a paragraph.
    pub(super) fn inline(&mut self, element: &Element<'x>) -> Result<()> {
        match (element.space, element.name) {
            ("w", "r") => self.run(),
            ("w", "hyperlink") => {
                let Some(target) = self.target(element) else {
                    return self.inlines();
                };
                let title = element.attribute("tooltip").unwrap_or_default();
                self.story.open_link(target, title);
                self.inlines()?;
                self.story.close_link();
                Ok(())
            }
            // Insertions are accepted.
            ("w", "ins" | "moveTo") => {
                self.story.build.lost(&losses::CHANGES);
                self.inlines()
            }
            // Deletions are accepted, so their text is left out.
            ("w", "del") => {
                self.story.build.lost(&losses::CHANGES);
                Ok(())
            }
            // Containers without a meaning of their own.
            ("w", "smartTag" | "customXml" | "sdt" | "sdtContent") => self.inlines(),
            // Embeddings and overrides (17.3.2.3, 17.3.2.8), as control characters of the bidirectional algorithm
            // (UAX #9, 2.1 and 2.2).
            ("w", "dir" | "bdo") => {
                let is_backwards = element.attribute("val").as_deref() == Some("rtl");
                self.story.text(match (element.name, is_backwards) {
                    ("dir", false) => "\u{202a}",
                    ("dir", true) => "\u{202b}",
                    (_, false) => "\u{202d}",
                    (_, true) => "\u{202e}",
                })?;
                self.inlines()?;
                self.story.text("\u{202c}")
            }
            // A field in one element: the instruction is an attribute, and the content is the result.
            ("w", "fldSimple") => {
                let instruction = element.attribute("instr").unwrap_or_default();
                self.story.set_run(RunProperties::default());
                self.story.begin_field();
                self.story.instruct(&instruction);
                self.story.begin_result()?;
                self.inlines()?;
                self.story.end_field()
            }
            ("w", "bookmarkStart") => {
                self.bookmark(element);
                Ok(())
            }
            // A formula, or a paragraph of display formulas.
            ("m", "oMath" | "oMathPara") => {
                let display = element.name == "oMathPara";
                // A formula is not part of the run before it, which may be hidden.
                self.story.set_run(RunProperties::default());
                for formula in math::omml::read(&mut self.xml, *element)? {
                    self.story.formula(formula, display);
                }
                Ok(())
            }
            // The same content in several forms, the best first.
            ("mc", "AlternateContent") => {
                let level = self.xml.level();
                let before = self.story.pieces();
                while let Some(choice) = self.xml.next_element(level)? {
                    // The first alternative that yields content is used.
                    if self.story.pieces() == before && choice.space == "mc" {
                        self.inlines()?;
                    }
                }
                Ok(())
            }
            // Subdocuments are separate files.
            ("w", "subDoc") => {
                self.story.build.lost(&SUBDOCUMENTS);
                Ok(())
            }
            _ => self.run_content(element),
        }
    }

    /// Reads all inline content of the innermost open element.
    pub(super) fn inlines(&mut self) -> Result<()> {
        let level = self.xml.level();
        while let Some(element) = self.xml.next_element(level)? {
            self.inline(&element)?;
        }
        Ok(())
    }

    /// Passes a bookmark on to the story.
    pub(super) fn bookmark(&mut self, element: &Element<'_>) {
        self.story
            .bookmark(&element.attribute("name").unwrap_or_default());
    }

    /// Target of a hyperlink: an address, a bookmark, or both.
    fn target(&self, element: &Element<'_>) -> Option<Box<str>> {
        let place = element
            .attribute("anchor")
            .filter(|place| !place.is_empty());
        let address = element.attribute("id").and_then(|id| {
            let relationship = self.context.relationships.get(&id)?;
            relationship.external.then(|| relationship.target.clone())
        });
        // The bookmark becomes the fragment of the address, unless the address already has one.
        match (address, place) {
            (Some(address), Some(place)) if !address.contains('#') => {
                Some(format!("{address}#{place}").into())
            }
            (Some(address), _) => Some(address),
            (None, Some(place)) => Some(format!("#{place}").into()),
            (None, None) => None,
        }
    }

    /// Reads a run (17.3.2.25): its properties, and then its content.
    fn run(&mut self) -> Result<()> {
        self.story.set_run(RunProperties::default());
        let mut mark = String::new();
        let level = self.xml.level();
        while let Some(element) = self.xml.next_element(level)? {
            // Properties precede the content of the run.
            if element.space == "w" && element.name == "rPr" {
                let run = super::properties::run(&mut self.xml)?;
                self.set_run(run);
            } else if self.marked.is_some() && matches!(element.name, "t" | "sym") {
                mark.push_str(&self.mark_text(&element)?);
            } else {
                // All other elements end the mark, and are content of the paragraph.
                self.end_mark(&mut mark);
                self.run_content(&element)?;
            }
        }
        self.end_mark(&mut mark);
        // A reference mark is in the same run as its reference, so text in later runs is not a mark.
        self.marked = None;
        Ok(())
    }

    /// Sets the collected text as the reference mark of the note before it, unless the text is empty.
    fn end_mark(&mut self, mark: &mut String) {
        if !mark.is_empty()
            && let Some(note) = self.marked.take()
        {
            self.story.mark_note(note, &std::mem::take(mark));
        }
    }

    /// Text of an element in a reference mark: plain text, or a character of a symbol font.
    fn mark_text(&mut self, element: &Element<'_>) -> Result<String> {
        Ok(match element.name {
            "t" => self.characters()?,
            _ => symbol(element).map_or_else(String::new, |(font, c)| {
                in_symbol_font(&font, c).to_string()
            }),
        })
    }

    /// Passes on the properties of a run, combined with those of its character style. In a drop cap, these properties
    /// are ignored.
    fn set_run(&mut self, mut run: RunProperties) {
        if self.is_plain {
            return;
        }
        if let Some(id) = run.style.take() {
            // The style of links decides the formatting of all links in the document.
            let style = self.context.styles.run(&id);
            if style.role == Some(TextRole::Link) {
                self.story.build.links = LinkLook::Underlined(style.colour);
            }
            let mut all = style.run.clone();
            all.apply(&run);
            all.style = None;
            all.code = (style.role == Some(TextRole::Code)).then_some(true);
            run = all;
        }
        self.story.set_run(run);
    }

    /// Reads an element inside a run.
    fn run_content(&mut self, element: &Element<'x>) -> Result<()> {
        match (element.space, element.name) {
            ("w", "t") => {
                let text = self.characters()?;
                let is_preserved = element.attribute("space").as_deref() == Some("preserve");
                // White space at the ends counts only if the element asks for it (`xml:space`, 17.3.3.31).
                self.story.text(match is_preserved {
                    true => &text,
                    false => text.trim_matches([' ', '\n', '\r', '\t']),
                })
            }
            // Tabs, special characters and breaks.
            ("w", "tab") => self.story.text("\t"),
            ("w", "ptab") => {
                let width = self.context.text_width;
                self.aligned_tabs.extend(aligned_tab(element, width));
                self.story.text("\t")
            }
            ("w", "noBreakHyphen") => self.story.text("\u{2011}"),
            ("w", "softHyphen") => self.story.text("\u{ad}"),
            ("w", "cr") => self.story.line_break(),
            ("w", "br") => match element.attribute("type").as_deref() {
                Some("page") => {
                    self.story.page_break();
                    Ok(())
                }
                Some("column") => self.story.column_break(),
                _ => self.story.line_break(),
            },
            // A character of a symbol font, by its code.
            ("w", "sym") => symbol(element).map_or(Ok(()), |(font, c)| self.story.symbol(&font, c)),
            // The text of a note is in another part.
            ("w", "footnoteReference" | "endnoteReference") => {
                let kind = match element.name {
                    "footnoteReference" => NoteKind::Footnote,
                    _ => NoteKind::Endnote,
                };
                let Some(id) = element.attribute("id").and_then(|id| id.parse().ok()) else {
                    return Ok(());
                };
                let note = self.story.note_elsewhere(kind, id)?;
                // If `customMarkFollows` is on, the reference mark follows in the same run (17.11.14).
                let mark = element.attribute("customMarkFollows");
                self.marked = note.filter(|_| mark.is_some_and(|mark| is_on(&mark)));
                Ok(())
            }
            ("w", "commentReference") => {
                self.story.build.lost(&losses::COMMENTS);
                Ok(())
            }
            // A field of several runs: marks separate its instruction and its result.
            ("w", "fldChar") => match element.attribute("fldCharType").as_deref() {
                Some("begin") => {
                    self.story.begin_field();
                    self.form_field()
                }
                Some("separate") => self.story.begin_result(),
                Some("end") => self.story.end_field(),
                _ => Ok(()),
            },
            ("w", "instrText") => {
                let text = self.xml.text()?;
                self.story.instruct(&text);
                Ok(())
            }
            ("w", "ruby") => self.ruby(),
            // Pictures, shapes and embedded objects.
            ("w", "drawing" | "pict" | "object") => self.drawing(element),
            ("w", "pgNum") => self.story.layout_field(Field::Page),
            // Elements that may contain runs.
            ("mc", "AlternateContent" | "Choice" | "Fallback") | ("w", "r" | "sdtContent") => {
                self.inline(element)
            }
            _ => Ok(()),
        }
    }

    /// Text of the innermost open element, including all white space.
    fn characters(&mut self) -> Result<String> {
        let level = self.xml.level();
        let mut text = String::new();
        while let Some(piece) = self.xml.next(level)? {
            if let Piece::Text(piece) = piece {
                text.push_str(&piece);
            }
        }
        Ok(text)
    }

    /// Reads the form data of a field (17.16). Check boxes and drop-down lists store their state there, and have no
    /// result.
    fn form_field(&mut self) -> Result<()> {
        let level = self.xml.level();
        while let Some(data) = self.xml.next_element(level)? {
            if data.name != "ffData" {
                continue;
            }
            let node = Node::read(&mut self.xml, data)?;
            if let Some(list) = node.child("w", "ddList") {
                let entry = drop_down(list);
                self.story.choice(&entry)?;
            }
            // The state, or else the default state.
            if let Some(tick) = node.child("w", "checkBox") {
                let state = tick
                    .child("w", "checked")
                    .or_else(|| tick.child("w", "default"));
                let ticked = state.is_some_and(|state| super::properties::on(&state.element));
                self.story.check_box(ticked)?;
            }
        }
        Ok(())
    }

    /// Reads ruby text (17.3.3.25), which shows the pronunciation above the base text. Both have the run properties of
    /// the base text in the tree.
    fn ruby(&mut self) -> Result<()> {
        let level = self.xml.level();
        let mut above = String::new();
        while let Some(child) = self.xml.next_element(level)? {
            match child.name {
                "rt" => above = self.xml.text()?,
                "rubyBase" => {
                    let (start, around) = (self.story.end(), self.story.run().clone());
                    self.inlines()?;
                    self.story.set_run(around);
                    self.story.ruby_from(start, &above)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Font and character of a `w:sym`.
fn symbol(element: &Element<'_>) -> Option<(String, char)> {
    let code = element.attribute("char")?;
    let c = u32::from_str_radix(&code, 16)
        .ok()
        .and_then(char::from_u32)?;
    let font = element.attribute("font").unwrap_or_default();
    Some((font.into_owned(), c))
}

/// Converts a `w:ptab` (17.3.3.23) to a tab stop in the middle or at the end of the text width. This tab stop is
/// independent of those of the paragraph. `None` for other alignments.
fn aligned_tab(element: &Element<'_>, width: Length) -> Option<AlignedTab> {
    let (at, alignment) = match element.attribute("alignment").as_deref() {
        Some("center") => (width.scaled(0.5), Alignment::Centre),
        Some("right") => (width, Alignment::End),
        _ => return None,
    };
    let leader = match element.attribute("leader").as_deref() {
        Some("dot") => Some('.'),
        Some("middleDot") => Some('\u{b7}'),
        Some("hyphen") => Some('-'),
        Some("underscore") => Some('_'),
        _ => None,
    };
    Some((at, Some(alignment), leader))
}

/// Selected entry of a drop-down list (17.16.9), or else the default entry, or else the first entry.
fn drop_down(list: &Node<'_>) -> String {
    let number = |name| list.child("w", name)?.attribute("val")?.parse().ok();
    let chosen = number("result").or_else(|| number("default")).unwrap_or(0);
    let mut entries = list.all_named("listEntry");
    let entry = entries.nth(chosen).or_else(|| list.named("listEntry"));
    let value = entry.and_then(|entry| entry.attribute("val"));
    value.map(|value| value.into_owned()).unwrap_or_default()
}

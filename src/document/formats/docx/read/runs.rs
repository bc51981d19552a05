//! What stands in a paragraph: runs, links, fields, changes (ECMA-376 part 1, 17.3.3). Fills the line of its story.

use super::{
    context::{Context, PARTS, Story},
    styles::Resolved,
};
use crate::{
    containers::xml::{Element, Node, Piece, Reader},
    document::{
        math,
        office::{FieldMeaning, Look, RunProperties, Script, WordField, in_symbol_font, losses},
        tree::{Builder, NoteKind},
    },
    error::Result,
};

impl Context<'_> {
    /// Reads an element that stands in a paragraph.
    pub(super) fn inline<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        element: &Element<'x>,
        story: &mut Story<'x>,
        style: &Resolved,
    ) -> Result<()> {
        match (element.space, element.name) {
            ("w", "r") => self.run(build, xml, story, style),
            ("w", "hyperlink") => {
                let target = self.target(element);
                let known = target.is_some();
                let title = element.attribute("tooltip").unwrap_or_default();
                self.links
                    .extend(target.map(|target| (target, title.into())));
                self.inlines(build, xml, story, style)?;
                if known {
                    self.links.pop();
                }
                Ok(())
            }
            ("w", "ins" | "moveTo") => {
                build.lost(&losses::CHANGES);
                self.inlines(build, xml, story, style)
            }
            ("w", "del") => {
                build.lost(&losses::CHANGES);
                Ok(())
            }
            ("w", "smartTag" | "customXml" | "sdtContent" | "dir" | "bdo") | ("w", "sdt") => {
                self.inlines(build, xml, story, style)
            }
            ("w", "fldSimple") => {
                let instruction = element.attribute("instr").unwrap_or_default();
                self.begin_field();
                if let Some(field) = self.fields.last_mut() {
                    field.instruct(&instruction);
                }
                self.begin_result(story);
                self.inlines(build, xml, story, style)?;
                self.end_field(story);
                Ok(())
            }
            ("w", "bookmarkStart") => {
                self.bookmark(element, story);
                Ok(())
            }
            ("m", "oMath" | "oMathPara") => {
                let display = element.name == "oMathPara";
                for formula in math::omml::read(xml, *element)? {
                    story.line.math(formula, display);
                }
                Ok(())
            }
            ("mc", "AlternateContent") => {
                let level = xml.level();
                let before = story.line.len() + story.boxes.len();
                while let Some(choice) = xml.next_element(level)? {
                    // The first one that says something counts.
                    if story.line.len() + story.boxes.len() == before && choice.space == "mc" {
                        self.inlines(build, xml, story, style)?;
                    }
                }
                Ok(())
            }
            ("w", "subDoc") => {
                build.lost(&PARTS);
                Ok(())
            }
            _ => self.run_content(build, xml, element, story, style, &RunProperties::default()),
        }
    }

    /// Reads the elements in the innermost one.
    fn inlines<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        story: &mut Story<'x>,
        style: &Resolved,
    ) -> Result<()> {
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            self.inline(build, xml, &element, story, style)?;
        }
        Ok(())
    }

    /// Remembers a place that something leads to. Word makes up names with a line in front, most of them for nothing.
    pub(super) fn bookmark(&mut self, element: &Element<'_>, story: &mut Story<'_>) {
        if let Some(name) = element.attribute("name")
            && (!name.starts_with('_') || self.targets.contains(&*name))
        {
            story.line.bookmark(&name);
        }
    }

    fn target(&self, element: &Element<'_>) -> Option<Box<str>> {
        let place = element
            .attribute("anchor")
            .filter(|place| !place.is_empty());
        let address = element.attribute("id").and_then(|id| {
            let relationship = self.relationships.get(&id)?;
            relationship.external.then(|| relationship.target.clone())
        });
        match (address, place) {
            (Some(address), Some(place)) if !address.contains('#') => {
                Some(format!("{address}#{place}").into())
            }
            (Some(address), _) => Some(address),
            (None, Some(place)) => Some(format!("#{place}").into()),
            (None, None) => None,
        }
    }

    fn run<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        story: &mut Story<'x>,
        style: &Resolved,
    ) -> Result<()> {
        let mut properties = RunProperties::default();
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            if element.space == "w" && element.name == "rPr" {
                properties = RunProperties::read(xml)?;
            } else {
                self.run_content(build, xml, &element, story, style, &properties)?;
            }
        }
        Ok(())
    }

    /// Reads an element that stands in a run.
    fn run_content<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        element: &Element<'x>,
        story: &mut Story<'x>,
        style: &Resolved,
        run: &RunProperties,
    ) -> Result<()> {
        match (element.space, element.name) {
            ("w", "t") => {
                let level = xml.level();
                let mut text = String::new();
                while let Some(piece) = xml.next(level)? {
                    if let Piece::Text(piece) = piece {
                        text.push_str(&piece);
                    }
                }
                let kept = element.attribute("space").as_deref() == Some("preserve");
                let text = if kept {
                    &text
                } else {
                    text.trim_matches([' ', '\n', '\r', '\t'])
                };
                self.text(build, story, style, run, text)
            }
            ("w", "tab" | "ptab") => self.text(build, story, style, run, "\t"),
            ("w", "noBreakHyphen") => self.text(build, story, style, run, "\u{2011}"),
            ("w", "softHyphen") => self.text(build, story, style, run, "\u{ad}"),
            ("w", "cr") => self.line_break(build, story, style, run),
            ("w", "br") => match element.attribute("type").as_deref() {
                Some("page") if self.shows(run) => {
                    story.line.page_break();
                    Ok(())
                }
                Some("page") => Ok(()),
                _ => self.line_break(build, story, style, run),
            },
            ("w", "sym") => {
                let code = element.attribute("char").unwrap_or_default();
                let code = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
                let font = element.attribute("font").unwrap_or_default();
                if let Some(c) = code {
                    let c = in_symbol_font(&font, c);
                    self.text(build, story, style, run, c.encode_utf8(&mut [0; 4]))?;
                }
                Ok(())
            }
            ("w", "footnoteReference" | "endnoteReference") => {
                let kind = match element.name {
                    "footnoteReference" => NoteKind::Footnote,
                    _ => NoteKind::Endnote,
                };
                let id = element.attribute("id").and_then(|id| id.parse().ok());
                if let Some(id) = id
                    && self.shows(run)
                {
                    let note = match self.notes.get(&(kind, id)) {
                        Some(note) => *note,
                        None => {
                            let note = build.reserve_note(kind)?;
                            self.notes.insert((kind, id), note);
                            note
                        }
                    };
                    story.line.note(note);
                }
                Ok(())
            }
            ("w", "commentReference") => {
                build.lost(&losses::COMMENTS);
                Ok(())
            }
            ("w", "fldChar") => {
                match element.attribute("fldCharType").as_deref() {
                    Some("begin") => {
                        self.begin_field();
                        self.form_field(build, xml, story, style, run)?;
                    }
                    Some("separate") => self.begin_result(story),
                    Some("end") => self.end_field(story),
                    _ => {}
                }
                Ok(())
            }
            ("w", "instrText") => {
                let text = xml.text()?;
                if let Some(field) = self.fields.last_mut() {
                    field.instruct(&text);
                }
                Ok(())
            }
            ("w", "ruby") => self.ruby(build, xml, story, style),
            ("w", "drawing" | "pict" | "object") => {
                let look = self.look(build, run, style, Script::Latin)?;
                let look = self.linked(look, story);
                self.drawing(build, xml, element, story, look)
            }
            ("w", "pgNum") => {
                let look = self.look(build, run, style, Script::Latin)?;
                story.line.field(look, crate::document::tree::Field::Page);
                Ok(())
            }
            ("mc", "AlternateContent") => self.inline(build, xml, element, story, style),
            ("mc", "Choice" | "Fallback") | ("w", "r") | ("w", "sdtContent") => {
                self.inline(build, xml, element, story, style)
            }
            _ => Ok(()),
        }
    }

    /// Whether what comes next is seen: it is not hidden, and no instruction of a field.
    fn shows(&self, run: &RunProperties) -> bool {
        let in_result = |field: &WordField| {
            field.in_result && !matches!(field.meaning, FieldMeaning::Layout(_))
        };
        run.hidden != Some(true) && self.fields.iter().all(in_result)
    }

    fn text(
        &mut self,
        build: &mut Builder<'_>,
        story: &mut Story<'_>,
        style: &Resolved,
        run: &RunProperties,
        text: &str,
    ) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        if !self.shows(run) {
            if run.hidden == Some(true) {
                build.lost(&losses::HIDDEN);
            }
            return Ok(());
        }
        let look = if story.plain {
            Look::default()
        } else {
            self.look(build, run, style, Script::of(text))?
        };
        let look = self.linked(look, story);
        story.line.text_in(look, run.latin.as_ref(), text);
        Ok(())
    }

    fn line_break(
        &mut self,
        build: &mut Builder<'_>,
        story: &mut Story<'_>,
        style: &Resolved,
        run: &RunProperties,
    ) -> Result<()> {
        if self.shows(run) {
            let look = self.look(build, run, style, Script::Latin)?;
            let look = self.linked(look, story);
            story.line.line_break(look);
        }
        Ok(())
    }

    /// The look with the link that is open around it, innermost first.
    fn linked(&self, look: Look, story: &mut Story<'_>) -> Look {
        let field = self
            .fields
            .iter()
            .rev()
            .find_map(|field| match &field.meaning {
                FieldMeaning::Link(target) if field.in_result => Some((&**target, "")),
                _ => None,
            });
        let link = self
            .links
            .last()
            .map(|(target, title)| (&**target, &**title));
        Look {
            link: link
                .or(field)
                .map(|(target, title)| story.line.link(target, title)),
            ..look
        }
    }

    fn begin_field(&mut self) {
        // Fields that never end would make each run look through all of them.
        if self.fields.len() < 64 {
            self.fields.push(WordField::default());
        }
    }

    fn begin_result(&mut self, story: &mut Story<'_>) {
        let Some(field) = self.fields.last_mut() else {
            return;
        };
        field.begin_result();
        let meaning = field.meaning.clone();
        self.show_field(story, &meaning);
    }

    fn end_field(&mut self, story: &mut Story<'_>) {
        let Some(mut field) = self.fields.pop() else {
            return;
        };
        if !field.in_result {
            field.begin_result();
            self.show_field(story, &field.meaning);
        }
    }

    fn show_field(&self, story: &mut Story<'_>, meaning: &FieldMeaning) {
        match meaning {
            FieldMeaning::Layout(field) => story.line.field(Look::default(), *field),
            FieldMeaning::Symbol(c, font) => {
                let c = in_symbol_font(font, *c);
                story.line.text(Look::default(), c.encode_utf8(&mut [0; 4]));
            }
            FieldMeaning::Result | FieldMeaning::Link(_) | FieldMeaning::Nothing => {}
        }
    }

    /// A box to tick in a form says in its data whether it is ticked, and has no result.
    fn form_field(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'_>,
        story: &mut Story<'_>,
        style: &Resolved,
        run: &RunProperties,
    ) -> Result<()> {
        let level = xml.level();
        while let Some(data) = xml.next_element(level)? {
            if data.name != "ffData" {
                continue;
            }
            let node = Node::read(xml, data)?;
            if let Some(tick) = node.child("w", "checkBox") {
                let state = tick
                    .child("w", "checked")
                    .or_else(|| tick.child("w", "default"));
                let ticked = state.is_some_and(|state| super::properties::on(&state.element));
                // The field that has just begun would hide it.
                let field = self.fields.pop();
                let shown = if ticked { "\u{2612}" } else { "\u{2610}" };
                self.text(build, story, style, run, shown)?;
                self.fields.extend(field);
            }
        }
        Ok(())
    }

    /// Words with their pronunciation above (17.3.3.25), which stands in parentheses behind them.
    fn ruby<'x>(
        &mut self,
        build: &mut Builder<'_>,
        xml: &mut Reader<'x>,
        story: &mut Story<'x>,
        style: &Resolved,
    ) -> Result<()> {
        let level = xml.level();
        let mut above = String::new();
        while let Some(child) = xml.next_element(level)? {
            match child.name {
                "rt" => above = xml.text()?,
                "rubyBase" => self.inlines(build, xml, story, style)?,
                _ => {}
            }
        }
        if above.trim().is_empty() {
            return Ok(());
        }
        let above = format!("({})", above.trim());
        self.text(build, story, style, &RunProperties::default(), &above)
    }
}

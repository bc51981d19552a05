//! Resolves a paragraph's references in the document: styles, links, notes, pictures, page numbers.

use super::{
    context::{BlockContext, Flow, Layout, SliceCollector},
    float::ReferenceAreas,
    formula::{self, Formula},
    item::{Item, SetNote, Slice},
    notes, ruby,
    spans::Resolver,
    structure::{NodeId, Role},
    text_format::TextFormat,
};
use crate::{error::Result, job::Tag};
use convertd_tree::{
    Block, Field, Inline, Link, LinkLook, Mark, Math, NoteId, Picture, PictureSource, Ruby,
    TextStyleId, losses::Loss, math,
};
use std::rc::Rc;

static ADDRESS: Loss = Loss {
    one: "A picture outside of the document was not loaded: its description is shown instead.",
    many: "{} pictures outside of the document were not loaded: their descriptions are shown instead.",
};
/// Size of notes, relative to the surrounding text.
const NOTE_SIZE: f32 = 0.84;

impl Resolver for Layout<'_> {
    fn styled(&mut self, text_format: &TextFormat, style: TextStyleId) -> TextFormat {
        let faces = &mut self.faces;
        text_format.styled(self.document.text_style(style), &mut |names, other| {
            faces.family(names, other)
        })
    }

    fn node(&mut self, parent: NodeId, role: Role, language: Option<Rc<str>>) -> NodeId {
        self.structure
            .add_with(parent, role, None, language.map(|tag| (*tag).into()))
    }

    fn link(&mut self, target: &str, title: &str, node: NodeId) -> usize {
        self.links.add(target, title, node)
    }

    fn link_look(&self) -> LinkLook {
        self.document.links
    }

    fn picture(&mut self, picture: &Picture, parent: NodeId) -> Option<(usize, f32, f32, NodeId)> {
        let number = match &picture.source {
            PictureSource::Resource(id) => id.index(),
            PictureSource::Address(_) => {
                self.losses.add_tagged(&ADDRESS, 1, Tag::Resource);
                return None;
            }
        };
        let (width, height) =
            self.pictures
                .size(number, picture, self.picture_room, &mut self.losses)?;
        let text = if picture.alternative.is_empty() {
            &picture.title
        } else {
            &picture.alternative
        };
        // Tagged PDF demands alternative text for every figure (ISO 14289-1, 7.3).
        let text = if text.is_empty() { "Picture" } else { text };
        let node = self
            .structure
            .add_with(parent, Role::Figure, Some(text.into()), None);
        Some((number, width, height, node))
    }

    fn texts(&mut self, number: i64, (width, height): (f32, f32)) -> Vec<Item> {
        let mut items = Vec::new();
        for (_, mut float) in self.letters.extract_if(.., |(order, _)| *order == number) {
            // The drawing may be larger than its frame, so the text is centred on the drawing.
            let by = ((width - float.width) / 2.0, (height - float.height) / 2.0);
            float
                .items
                .iter_mut()
                .for_each(|item| item.shift(by.0, by.1));
            items.append(&mut float.items);
        }
        items
    }

    fn float(&mut self, picture: &Picture, parent: NodeId, link: Option<usize>) -> bool {
        let Some(frame) = &picture.frame else {
            return false;
        };
        let float = self.float_picture(frame, picture, parent, link);
        let is_shown = float.is_some();
        self.floats.extend(float);
        is_shown
    }

    fn note(&mut self, id: NoteId, parent: NodeId) -> (String, String, Vec<SetNote>) {
        let kind = self.document.note(id).kind;
        let (label, is_here) = self.notes.refer(id, kind);
        let target = format!("#{}", notes::place(id));
        let mut set = Vec::new();
        // Only the first reference to a footnote sets the note, on the page of that reference.
        if is_here && let Some(context) = self.note_place.clone() {
            let around = self.structure.block_around(parent);
            match self.set_note(id, &label, &context, around) {
                Ok(slices) => set.push(SetNote { slices }),
                // The next block returns the error, which ends the job.
                Err(error) => self.failed = Some(error),
            }
        }
        (label, target, set)
    }

    fn field(&mut self, field: &Field) -> String {
        match field {
            Field::Page => self.page.label.clone(),
            Field::Pages => self.page.count.to_string(),
            Field::SectionPages => self.section.1.to_string(),
            Field::Section => self.section.0.to_string(),
            Field::Formatted(field, format) => {
                let number = match **field {
                    Field::Page => self.page.number as usize,
                    Field::Pages => self.page.count,
                    Field::SectionPages => self.section.1,
                    Field::Section => self.section.0,
                    Field::Styled(_) | Field::Formatted(..) => return self.field(field),
                };
                format.write(u32::try_from(number).unwrap_or(u32::MAX))
            }
            Field::Styled(reference) => {
                let head = (self.heads.iter()).find(|head| head.name == reference.name);
                let text = head.map(|head| match reference.last {
                    true => &head.last,
                    false => &head.first,
                });
                let text = text.filter(|text| !text.is_empty());
                text.map_or_else(|| reference.stored.to_string(), Clone::clone)
            }
        }
    }

    fn ruby(&mut self, word: &Ruby, text_format: &TextFormat, node: NodeId) -> Option<Formula> {
        ruby::set(word, text_format, node, &mut self.faces)
    }

    fn formula(
        &mut self,
        math: &Math,
        text_format: &TextFormat,
        parent: NodeId,
    ) -> Option<(Vec<Formula>, NodeId)> {
        let Some(parsed) = math::parse(&math.tex) else {
            self.losses.add(&math::FORMULAS_AS_TEX);
            return None;
        };
        // The spoken form is in English, even if the document is not.
        let words = math::spoken(&parsed);
        let english = words.as_ref().map(|_| "en".into());
        let words = words.map(Into::into);
        let node = (self.structure).add_with(parent, Role::Formula, words, english);
        let set = formula::set(&parsed, math.display, text_format, node, &mut self.faces);
        Some((set, node))
    }
}

impl Layout<'_> {
    /// Sets a note: its first paragraph begins with the number, which links back to the reference
    /// mark.
    pub(crate) fn set_note(
        &mut self,
        id: NoteId,
        label: &str,
        context: &BlockContext,
        around: NodeId,
    ) -> Result<Vec<Slice>> {
        let node = self.structure.add(around, Role::Note);
        let mut text_format = (*context.text_format).clone();
        text_format.size *= NOTE_SIZE;
        let mut within = context.clone();
        within.text_format = Rc::new(text_format);
        within.node = node;
        within.after = 2.0;
        let number = Inline::Link(Box::new(Link {
            target: format!("#{}", notes::back(id)).into(),
            title: Box::default(),
            content: vec![Inline::Text(label.to_owned())],
        }));
        let front = [
            Inline::Bookmark(notes::place(id).into()),
            Inline::Marked(Mark::Superscript, vec![number]),
            Inline::Text("\u{a0}".to_owned()),
        ];
        let mut collector = SliceCollector::new(
            self.memory,
            ReferenceAreas::within(context.left, context.width),
        );
        let room = self.picture_room;
        let mut flow = Flow::new(&mut collector);
        let blocks = &self.document.note(id).blocks;
        match blocks.split_first() {
            Some((Block::Paragraph(first), rest)) => {
                self.paragraph_after(&front, first, &within, &mut flow)?;
                self.blocks(rest, &within, &mut flow)?;
            }
            // A note that does not begin with a paragraph gets one for its number.
            _ => {
                self.paragraph_after(&front, &Default::default(), &within, &mut flow)?;
                self.blocks(blocks, &within, &mut flow)?;
            }
        }
        self.picture_room = room;
        let mut slices = collector.finish();
        if let Some(first) = slices.first_mut() {
            first.note = Some(id);
        }
        Ok(slices)
    }
}

/// View for measuring: adds no notes, links, structure elements or losses. Only characters that no font has are
/// counted.
pub(crate) struct Measuring<'l, 'a>(pub(crate) &'l mut Layout<'a>);

impl Resolver for Measuring<'_, '_> {
    fn styled(&mut self, text_format: &TextFormat, style: TextStyleId) -> TextFormat {
        self.0.styled(text_format, style)
    }

    fn node(&mut self, parent: NodeId, _: Role, _: Option<Rc<str>>) -> NodeId {
        parent
    }

    fn link(&mut self, _: &str, _: &str, _: NodeId) -> usize {
        0
    }

    fn link_look(&self) -> LinkLook {
        self.0.document.links
    }

    fn picture(&mut self, picture: &Picture, parent: NodeId) -> Option<(usize, f32, f32, NodeId)> {
        let PictureSource::Resource(id) = picture.source else {
            return None;
        };
        let mut unheard = convertd_tree::losses::Losses::default();
        let room = self.0.picture_room;
        let (width, height) = self
            .0
            .pictures
            .size(id.index(), picture, room, &mut unheard)?;
        Some((id.index(), width, height, parent))
    }

    fn texts(&mut self, _: i64, _: (f32, f32)) -> Vec<Item> {
        Vec::new()
    }

    fn float(&mut self, _: &Picture, _: NodeId, _: Option<usize>) -> bool {
        // A float takes no width from its paragraph.
        true
    }

    fn note(&mut self, id: NoteId, _: NodeId) -> (String, String, Vec<SetNote>) {
        (self.0.notes.label(id).to_owned(), String::new(), Vec::new())
    }

    fn field(&mut self, field: &Field) -> String {
        self.0.field(field)
    }

    fn ruby(&mut self, word: &Ruby, text_format: &TextFormat, node: NodeId) -> Option<Formula> {
        self.0.ruby(word, text_format, node)
    }

    fn formula(
        &mut self,
        math: &Math,
        text_format: &TextFormat,
        parent: NodeId,
    ) -> Option<(Vec<Formula>, NodeId)> {
        let parsed = math::parse(&math.tex)?;
        let set = formula::set(
            &parsed,
            math.display,
            text_format,
            parent,
            &mut self.0.faces,
        );
        Some((set, parent))
    }
}

//! Sets lists and definitions: the labels of items, and their blocks.

use super::{
    atoms::{AtomKind, Atoms},
    context::{BlockContext, Flow, LIST_INDENT, Label, Layout, OFFICE_INDENT, RunIn},
    faces::Faces,
    item::Pen,
    line_extent::LineExtent,
    lines,
    paragraphs::Text,
    spans::Spans,
    structure::{ListLabels, NodeId, Role},
    text_format::TextFormat,
    units::points,
    word::Word,
};
use crate::{error::Result, fonts::Family};
use convertd_tree::{
    Block, Definition, Direction, Item, LabelEnd, List, ListKind, Numeral, numbering,
};
use std::rc::Rc;

/// Space below the items of a tight list, in points.
const AFTER_TIGHT: f32 = 2.0;
/// Smallest gap between the label of an item and its text, in points.
const LABEL_GAP: f32 = 5.0;
/// Indent of the details of definitions, in points.
const INDENT: f32 = 16.0;

/// Bullets by depth of the list, for lists without bullets of their own.
const BULLETS: [char; 3] = ['\u{2022}', '\u{25e6}', '\u{25aa}'];

/// Distances of labels and text from the edge of the list, by the list's own indents. The text is indented further if
/// the widest label would overlap it. `None` if the list states no indent.
fn own_place(list: &List, widest: f32) -> Option<(f32, f32)> {
    let indent = points(list.look.indent?);
    let label = (indent + list.look.label.map_or(0.0, points)).max(0.0);
    Some((label, indent.max(label + widest + LABEL_GAP / 2.0)))
}

/// Returns whether the labels of a list are set as the beginning of the text. This requires that the list states its
/// indent, and that either no tab follows the labels, or its stated labels are too wide for the hanging indent, so that
/// the tab leads to the next stop.
fn runs_in(list: &List, widest: f32) -> bool {
    let room = -list.look.label.map_or(0.0, points);
    let is_text = list.items.iter().any(|item| item.label.is_some());
    let is_wide = is_text && widest + LABEL_GAP / 2.0 > room;
    list.look.indent.is_some() && (list.look.label_end != LabelEnd::Tab || is_wide)
}

/// The label of an item.
struct Shaped {
    text: String,
    /// Words of the label from left to right, with their distances from its left edge.
    words: Vec<(f32, Pen, Rc<Word>)>,
    width: f32,
    /// Ascent and descent of the label's font, which the line must include.
    reach: LineExtent,
    /// Number of the item as text, without the rest of the label; empty for bullets.
    written: String,
}

/// Words of a label, each with its distance from the left edge of the label, and the width of the label. A label that
/// runs from right to left has its number at the right of its full stop.
fn shape(
    text: &str,
    text_format: TextFormat,
    backwards: bool,
    faces: &mut Faces<'_>,
) -> (Vec<(f32, Pen, Rc<Word>)>, f32) {
    let mut spans = Spans::default();
    spans.push(text, &Rc::new(text_format), NodeId::DOCUMENT, None);
    let direction = match backwards {
        true => Direction::RightToLeft,
        false => Direction::LeftToRight,
    };
    let atoms = Atoms::of(&spans, Some(direction), faces).atoms;
    let places = lines::order(&atoms, atoms.len(), 0.0, backwards);
    let width = atoms.iter().map(|atom| atom.width).sum();
    let words = atoms.into_iter().zip(places);
    let words = words.filter_map(|(atom, x)| match atom.kind {
        AtomKind::Word { word, pen } | AtomKind::Space { word, pen } => Some((x, pen, word)),
        AtomKind::Tab | AtomKind::Break | AtomKind::Object => None,
    });
    (words.collect(), width)
}

/// Kind of a list's labels for the structure. Bullets depend on the number of enclosing lists.
fn label_kind(list: &List, depth: usize) -> ListLabels {
    match list.kind {
        _ if list.items.iter().any(|item| item.task.is_some()) => ListLabels::None,
        ListKind::Bullet => match depth % 3 {
            0 => ListLabels::Disc,
            1 => ListLabels::Circle,
            _ => ListLabels::Square,
        },
        ListKind::Ordered(numbering) => match numbering.numeral {
            Numeral::Decimal => ListLabels::Decimal,
            Numeral::LowerAlpha => ListLabels::LowerAlpha,
            Numeral::UpperAlpha => ListLabels::UpperAlpha,
            Numeral::LowerRoman => ListLabels::LowerRoman,
            Numeral::UpperRoman => ListLabels::UpperRoman,
        },
    }
}

impl Layout<'_> {
    /// Sets a list. The labels are shaped first, because the indent depends on the width of the widest one.
    pub fn list(&mut self, list: &List, context: &BlockContext, flow: &mut Flow<'_>) -> Result<()> {
        let node = self
            .structure
            .add(context.node, Role::List(label_kind(list, context.lists)));
        let backwards = self.is_backwards(list, context);
        let labels = self.labels(list, context, backwards);
        let widest = labels.iter().map(|label| label.width).fold(0.0, f32::max);
        // Distances are counted from the edge where reading begins.
        let edge = match backwards {
            false => context.left,
            true => context.left + context.width,
        };
        // A nested list states its indents from the edge of the outermost list, so the distance of this list from that
        // edge is subtracted.
        let base = context.list_left.unwrap_or(edge);
        let nested = (edge - base).abs();
        let runs_in = runs_in(list, widest);
        let own = match runs_in {
            true => own_place(list, -LABEL_GAP - context.width),
            false => own_place(list, widest),
        };
        let indent = match own {
            Some((_, text)) => (text - nested).max(0.0),
            None => (widest + LABEL_GAP).max(context.list_indent),
        };
        // The indent leaves some width for the text: half of the width in an outermost list, and 72 points in a nested
        // one.
        let indent = match context.lists {
            0 => indent.min(context.width * 0.5),
            _ => context.indent(indent),
        };
        let mut within = context.clone();
        within.lists += 1;
        within.list_left = Some(base);
        within.alignment = context.alignment;
        within.after = match list.tight && !self.is_word() {
            true => AFTER_TIGHT,
            false => context.after,
        };
        if !backwards {
            within.left += indent;
        }
        within.width = (context.width - indent).max(1.0);
        for (item, shaped) in list.items.iter().zip(labels) {
            let width = shaped.width;
            let item_node = self.structure.add(node, Role::ListItem);
            let label = self.structure.add(item_node, Role::Label);
            within.node = self.structure.add(item_node, Role::ListBody);
            within.numbers = context.numbers.clone();
            within.numbers.push(shaped.written);
            // Left edge of the label.
            let x = if backwards {
                let text = within.left + within.width;
                match own {
                    Some((label, _)) => (base - label - width).max(text),
                    None => text + LABEL_GAP,
                }
            } else {
                // Without indents of the list's own or of office programs, bullets are near their text, and numbers are
                // right-aligned with each other.
                match list.kind {
                    _ if let Some((label, _)) = own => {
                        (base + label).min(within.left - width).max(0.0)
                    }
                    // In office programs, labels begin a quarter of an inch in front of the text, or further if they
                    // are wider.
                    _ if context.list_indent == OFFICE_INDENT => {
                        (within.left - (widest + LABEL_GAP).max(18.0)).max(context.left)
                    }
                    ListKind::Bullet => (within.left - width - LABEL_GAP).max(context.left),
                    ListKind::Ordered(_) => {
                        context.left + (LIST_INDENT - LABEL_GAP - widest).max(0.0) + widest - width
                    }
                }
            };
            if runs_in {
                flow.run_in = Some(RunIn {
                    text: match list.look.label_end {
                        LabelEnd::Tab => shaped.text + "\t",
                        LabelEnd::Space => shaped.text + " ",
                        LabelEnd::Nothing => shaped.text,
                    },
                    text_format: Rc::new(self.label_look(list, item, context)),
                    first_line: list.look.label.map_or(0.0, points),
                    node: label,
                });
            } else {
                flow.label = Some(Label {
                    x,
                    words: shaped.words,
                    reach: shaped.reach,
                    node: label,
                });
            }
            self.blocks(&item.blocks, &within, flow)?;
            self.lone_label(&within, flow)?;
        }
        flow.after = flow.after.max(context.after);
        Ok(())
    }

    /// Returns whether a list runs from right to left. The direction of its first item decides, or else the direction
    /// of the surrounding text.
    fn is_backwards(&self, list: &List, context: &BlockContext) -> bool {
        let first = list.items.first().and_then(|item| item.blocks.first());
        let own = match first {
            Some(Block::Paragraph(first)) => self.document.paragraph_style(first.style).direction,
            _ => None,
        };
        own.or(context.direction) == Some(Direction::RightToLeft)
    }

    /// Adds an empty line for a label whose item has no lines.
    fn lone_label(&mut self, context: &BlockContext, flow: &mut Flow<'_>) -> Result<()> {
        if flow.label.is_none() && flow.run_in.is_none() {
            return Ok(());
        }
        let mut format = self.plain(context);
        format.spaces.after = context.after;
        self.set(Text::new(&[], format, context.node), context, flow)
    }

    /// The label of each item.
    fn labels(&mut self, list: &List, context: &BlockContext, backwards: bool) -> Vec<Shaped> {
        let mut labels = Vec::with_capacity(list.items.len());
        let mut number = match list.kind {
            ListKind::Ordered(numbering) => numbering.start,
            ListKind::Bullet => 0,
        };
        let bullet = self.bullet(list, context);
        for item in &list.items {
            // The label, and its number alone, which labels of nested lists may contain.
            let (text, written) = match (item.task, list.kind) {
                (None, kind) if let Some(label) = &item.label => {
                    let written = match kind {
                        ListKind::Ordered(numbering) => numbering::write(number, numbering.numeral),
                        ListKind::Bullet => String::new(),
                    };
                    (label.to_string(), written)
                }
                (Some(done), _) => (
                    if done { "\u{2611}" } else { "\u{2610}" }.to_owned(),
                    String::new(),
                ),
                (None, ListKind::Bullet) => (
                    bullet
                        .map_or(BULLETS[context.lists % 3], |(sign, _)| sign)
                        .into(),
                    String::new(),
                ),
                (None, ListKind::Ordered(numbering)) => (
                    numbering::label(number, numbering, &context.numbers),
                    numbering::write(number, numbering.numeral),
                ),
            };
            number = number.saturating_add(1);
            let mut text_format = self.label_look(list, item, context);
            // Bullets and check boxes use the font of signs. A bullet that the list defines uses a family that has the
            // bullet.
            let sign = item.label.is_none()
                && (matches!(list.kind, ListKind::Bullet) || item.task.is_some());
            // In Word, the line must also be high enough for the label, in the font of the text.
            let reach = match self.is_word() {
                true => {
                    LineExtent::of_text(&mut self.faces, &text_format, self.document.typesetter)
                }
                false => LineExtent::default(),
            };
            text_format.family = match bullet {
                Some((_, family)) if sign && item.task.is_none() => family,
                _ if sign => Family::Signs,
                _ => text_format.family,
            };
            let (words, width) = shape(&text, text_format, backwards, &mut self.faces);
            labels.push(Shaped {
                text,
                words,
                width,
                reach,
                written,
            });
        }
        labels
    }

    /// Formatting of an item's label: the formatting of the item's first paragraph, changed by the list's label style.
    fn label_look(&mut self, list: &List, item: &Item, context: &BlockContext) -> TextFormat {
        let mut text_format = (*context.text_format).clone();
        let mut background = None;
        if let Some(Block::Paragraph(first)) = item.blocks.first() {
            let style = self.document.paragraph_style(first.style);
            background = style.background;
            text_format = self.text_format(&text_format, &style.text);
        }
        if let Some(style) = list.look.label_style {
            text_format = self.text_format(&text_format, self.document.text_style(style));
        }
        text_format.colour = text_format
            .settled(background.or(context.background))
            .unwrap_or(text_format.colour);
        text_format
    }

    /// The list's own bullet, and a font family that contains it.
    fn bullet(&mut self, list: &List, context: &BlockContext) -> Option<(char, Family)> {
        let bullet = list.look.bullet?;
        let family = [context.text_format.family, Family::Signs, Family::Sans]
            .into_iter()
            .find(|family| {
                let chosen = self.faces.choose(*family, false, false);
                chosen.is_some_and(|chosen| self.faces.shows(bullet, chosen))
            })?;
        Some((bullet, family))
    }

    /// Sets definitions: each term in bold, with its details indented below.
    pub fn definitions(
        &mut self,
        all: &[Definition],
        context: &BlockContext,
        flow: &mut Flow<'_>,
    ) -> Result<()> {
        let node = self
            .structure
            .add(context.node, Role::List(ListLabels::None));
        for definition in all {
            let item = self.structure.add(node, Role::ListItem);
            let term = self.structure.add(item, Role::Label);
            let mut format = self.plain(context);
            format.text.bold = true;
            format.spaces.after = AFTER_TIGHT;
            format.keeps.with_next = true;
            self.set(Text::new(&definition.term, format, term), context, flow)?;
            let mut within = context.clone();
            within.list_left = None;
            let indent = context.indent(INDENT);
            within.left += indent;
            within.width -= indent;
            within.node = self.structure.add(item, Role::ListBody);
            for blocks in &definition.details {
                self.blocks(blocks, &within, flow)?;
            }
        }
        flow.after = flow.after.max(context.after);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_read_in_the_direction_of_their_list() {
        #[track_caller]
        fn check(label: &str, backwards: bool, expected: &[&str]) {
            let (mut words, width) =
                shape(label, TextFormat::plain(), backwards, &mut Faces::new());
            words.sort_by(|one, other| one.0.total_cmp(&other.0));
            let texts: Vec<&str> = words.iter().map(|(.., word)| &*word.text).collect();
            assert_eq!(texts, expected, "{label}");
            assert!(width > 0.0, "{label}");
        }
        check("1.", false, &["1."]);
        check("1.", true, &[".", "1"]);
        check("(12)", true, &[")", "12", "("]);
        // The letter comes from another font, so the full stop after it is a word of its own.
        check("\u{5d0}.", true, &[".", "\u{5d0}"]);
        check("\u{5d0}.", false, &["\u{5d0}", "."]);
        check("Part 2:", false, &["Part", " ", "2:"]);
    }
}

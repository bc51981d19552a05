//! Text (OpenDocument 1.3, part 3, 5 and 6): computes the properties of each paragraph and run from the styles of the
//! frame, the list, the paragraph and the spans. Does no layout.

use super::{
    lists::{LEVELS, ListStyle},
    page::Declared,
    place::emu,
    properties::{Properties, RunStyle, Size},
    sheet::{Family, Scope, Sheet},
};
use crate::{
    containers::xml::{Element, Piece, Reader},
    deck::{Bullet, Caps, ComputedStyle, Paragraph, Run, Spacing, Words},
    error::Result,
};
use convertd_office::drawing::{Rgba, odf::paints::opaque};
use convertd_tree::{Numbering, math::mathml};
use std::{collections::HashMap, rc::Rc};

/// Default font size, in points.
const SIZE: f64 = 18.0;

/// Context that text is read in.
#[derive(Clone, Copy)]
pub(super) struct Texts<'t> {
    pub(super) sheet: &'t Sheet,
    pub(super) scope: Scope,
    /// Numbers of slides by name, from 1.
    pub(super) numbers: &'t HashMap<Box<str>, usize>,
    /// Texts of the header, footer and date fields.
    pub(super) declared: &'t Declared,
}

/// Styles of a frame.
pub(super) struct Base<'b> {
    pub(super) family: Family,
    pub(super) name: &'b str,
    /// Whether each list level has a style of its own.
    pub(super) outline: bool,
    /// Paragraph style of the frame, which the style of a paragraph overrides.
    pub(super) paragraph: Option<&'b str>,
    /// Properties with the lowest priority: all other styles override them.
    pub(super) below: Option<Rc<Properties>>,
}

/// List around paragraphs.
#[derive(Clone)]
struct ListContext {
    /// Level, from 1. 0 outside of lists.
    level: usize,
    style: Option<Rc<ListStyle>>,
    /// Number with which the list restarts. `None` if the list does not restart.
    start: Option<u32>,
}

impl<'t> Texts<'t> {
    /// Reads the paragraphs and lists in the open element.
    pub(super) fn read(&self, xml: &mut Reader<'_>, base: &Base<'_>) -> Result<Vec<Paragraph>> {
        let mut all = Vec::new();
        let level = xml.level();
        while let Some(element) = xml.next_element(level)? {
            self.block(xml, &element, base, &mut all)?;
        }
        count_on(&mut all);
        Ok(all)
    }

    /// Reads a paragraph or a list.
    pub(super) fn block(
        &self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        base: &Base<'_>,
        all: &mut Vec<Paragraph>,
    ) -> Result<()> {
        let around = ListContext {
            level: 0,
            style: None,
            start: None,
        };
        self.read_content(xml, element, base, &around, false, all)
    }

    /// Reads an element that may contain paragraphs. Sections and numbered paragraphs are replaced by their children.
    /// `marked` is whether the next paragraph has a bullet.
    fn read_content(
        &self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        base: &Base<'_>,
        around: &ListContext,
        marked: bool,
        all: &mut Vec<Paragraph>,
    ) -> Result<()> {
        match (element.space, element.name) {
            ("text", "p" | "h") => all.push(self.paragraph(xml, element, base, around, marked)?),
            ("text", "list") => self.list(xml, element, base, around, all)?,
            ("text", "section" | "numbered-paragraph") => {
                let level = xml.level();
                while let Some(child) = xml.next_element(level)? {
                    self.read_content(xml, &child, base, around, marked, all)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads a list (part 3, 5.3). A nested list is one level deeper, and has the list style of the outer list unless
    /// it names another list style.
    fn list(
        &self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        base: &Base<'_>,
        around: &ListContext,
        all: &mut Vec<Paragraph>,
    ) -> Result<()> {
        let name = element.attribute("style-name");
        let own = name.and_then(|name| self.sheet.list(self.scope, &name));
        let mut inner = ListContext {
            level: (around.level + 1).min(LEVELS),
            style: own.or_else(|| around.style.clone()),
            start: None,
        };
        let level = xml.level();
        while let Some(item) = xml.next_element(level)? {
            let marked = item.name == "list-item";
            let start = item.attribute("start-value");
            inner.start = start
                .and_then(|start| start.parse().ok())
                .or(inner.start)
                .filter(|_| marked);
            let mut first = true;
            while let Some(child) = xml.next_element(level + 1)? {
                self.read_content(xml, &child, base, &inner, marked && first, all)?;
                first = false;
            }
        }
        Ok(())
    }

    /// Reads a paragraph. In ascending priority, its properties are those of `base.below`, of the frame's style at this
    /// level, of the frame's paragraph style, and of the paragraph's own style.
    fn paragraph(
        &self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        base: &Base<'_>,
        around: &ListContext,
        marked: bool,
    ) -> Result<Paragraph> {
        let level = if base.outline { around.level.max(1) } else { 0 };
        let mut style = match &base.below {
            Some(below) => (**below).clone(),
            None => Properties::default(),
        };
        let frame = self.sheet.level(self.scope, base.family, base.name, level);
        style.put(&frame);
        let own = element.attribute("style-name");
        for name in [base.paragraph, own.as_deref()].into_iter().flatten() {
            style.put(&self.sheet.style(self.scope, Family::Paragraph, name));
        }
        let list = around.style.clone().or_else(|| {
            let name = style.list.as_deref()?;
            self.sheet.list(self.scope, name)
        });
        let list = list.filter(|_| around.level > 0);
        let list = list.as_ref().map(|list| list.level(around.level - 1));
        let mut runs = Runs {
            texts: self,
            all: Vec::new(),
            text: String::new(),
            spaced: true,
            last: Rc::default(),
        };
        runs.read(xml, &style.run, None)?;
        runs.end(&style.run, None);
        let look = runs.computed_style(&style.run, None);
        let margin = style.paragraph.margin.unwrap_or(0.0);
        let indent = style.paragraph.indent.unwrap_or(0.0);
        let (inset, hanging) = list.map_or((0.0, 0.0), |list| (list.indent, list.hanging));
        let mut bullet = Bullet::None;
        if let Some(list) = list.filter(|_| marked) {
            bullet = list.bullet.clone();
            if let (Bullet::Number(numbering), Some(start)) = (&mut bullet, around.start) {
                numbering.start = start;
            }
        }
        let hanging = if marked { hanging } else { 0.0 };
        Ok(Paragraph {
            level: around.level.saturating_sub(1).min(8) as u8,
            bullet,
            bullet_look: list.map(|list| list.look.clone()).unwrap_or_default(),
            alignment: style.paragraph.alignment,
            backwards: style.paragraph.backwards.unwrap_or(false),
            indents: (margin + inset, indent + hanging),
            before: style.paragraph.before.unwrap_or_default(),
            after: style.paragraph.after.unwrap_or_default(),
            lines: style.paragraph.lines.unwrap_or(Spacing::Lines(1.0)),
            runs: runs.all,
            look,
            ..Paragraph::default()
        })
    }
}

/// Joins lists whose numbers continue. Office programs write each paragraph of a frame as a list of its own, with its
/// number as the start.
pub(super) fn count_on(paragraphs: &mut [Paragraph]) {
    let mut last: [Option<(Numbering, u32)>; 9] = [None; 9];
    for paragraph in paragraphs {
        let level = usize::from(paragraph.level).min(last.len() - 1);
        last[level + 1..].fill(None);
        let Bullet::Number(numbering) = &mut paragraph.bullet else {
            if !paragraph.is_blank() {
                last[level] = None;
            }
            continue;
        };
        let number = match last[level] {
            // The item continues the list if its start is the next number. A start equal to that of the list counts
            // as not stated.
            Some((known, number)) => {
                let next = number.saturating_add(1);
                let same = Numbering {
                    start: known.start,
                    ..*numbering
                } == known;
                if same && [known.start, next].contains(&numbering.start) {
                    numbering.start = known.start;
                    next
                } else {
                    numbering.start
                }
            }
            None => numbering.start,
        };
        last[level] = Some((*numbering, number));
    }
}

/// Runs of a paragraph.
struct Runs<'r, 't> {
    texts: &'r Texts<'t>,
    all: Vec<Run>,
    /// Text of the current run.
    text: String,
    /// Whether white space is dropped, because white space or the beginning of a line precedes it.
    spaced: bool,
    /// Properties of the last run, which most following runs share.
    last: Rc<ComputedStyle>,
}

impl Runs<'_, '_> {
    /// Reads the content of the open element.
    fn read(
        &mut self,
        xml: &mut Reader<'_>,
        style: &RunStyle,
        link: Option<&Rc<str>>,
    ) -> Result<()> {
        let level = xml.level();
        while let Some(piece) = xml.next(level)? {
            match piece {
                Piece::Text(text) => self.plain(&text),
                Piece::Element(element) => self.element(xml, &element, style, link)?,
            }
        }
        Ok(())
    }

    /// Appends text. Runs of white space collapse to one space (part 3, 6.1.2).
    fn plain(&mut self, text: &str) {
        for c in text.chars() {
            let blank = matches!(c, ' ' | '\t' | '\n' | '\r');
            if blank && !self.spaced {
                self.text.push(' ');
            } else if !blank {
                self.text.push(c);
            }
            self.spaced = blank;
        }
    }

    /// Reads an inline element: spaces, tabs, line breaks, spans, links and fields. Fields show the text that the
    /// file stores, except for slide numbers and the fields of headers and footers.
    fn element(
        &mut self,
        xml: &mut Reader<'_>,
        element: &Element<'_>,
        style: &RunStyle,
        link: Option<&Rc<str>>,
    ) -> Result<()> {
        match (element.space, element.name) {
            ("text", "s") => {
                let count = element.attribute("c");
                let count = count.and_then(|count| count.parse::<usize>().ok());
                let spaces = " ".repeat(count.unwrap_or(1).min(1000));
                self.text.push_str(&spaces);
                self.spaced = false;
            }
            ("text", "tab") => {
                self.text.push('\t');
                self.spaced = true;
            }
            ("text", "line-break") => self.word(Words::Break, style, link),
            ("text", "page-number") => self.word(Words::Number, style, link),
            ("presentation", field @ ("footer" | "header" | "date-time")) => {
                let words = self.texts.declared.of(field);
                self.plain(words);
            }
            ("text", "span") => {
                self.end(style, link);
                let mut own = style.clone();
                if let Some(name) = element.attribute("style-name") {
                    let texts = self.texts;
                    let span = texts.sheet.style(texts.scope, Family::Text, &name);
                    own.put(&span.run);
                }
                self.read(xml, &own, link)?;
                self.end(&own, link);
            }
            ("text", "a") => {
                self.end(style, link);
                let target = element.attribute("href");
                let target = target.and_then(|target| link_to(&target, self.texts.numbers));
                self.read(xml, style, target.as_ref())?;
                self.end(style, target.as_ref());
            }
            ("math", "math") => {
                let tex = mathml::Gather::new().read_xml(xml)?.finish(None);
                self.word(Words::Formula(tex), style, link);
            }
            ("office", "annotation")
            | ("text", "note" | "tracked-changes" | "ruby-text")
            | ("draw", _) => {}
            // Other fields show their stored text.
            _ => self.read(xml, style, link)?,
        }
        Ok(())
    }

    /// Adds a run other than text.
    fn word(&mut self, words: Words, style: &RunStyle, link: Option<&Rc<str>>) {
        self.end(style, link);
        self.spaced = words == Words::Break;
        let look = self.computed_style(style, link);
        self.all.push(Run { text: words, look });
    }

    /// Ends the current run. Text with the same properties as the previous run is appended to it.
    fn end(&mut self, style: &RunStyle, link: Option<&Rc<str>>) {
        if self.text.is_empty() {
            return;
        }
        let look = self.computed_style(style, link);
        let text = std::mem::take(&mut self.text);
        match self.all.last_mut() {
            Some(Run {
                text: Words::Text(last),
                look: known,
            }) if *known == look => last.push_str(&text),
            _ => self.all.push(Run {
                text: Words::Text(text),
                look,
            }),
        }
    }

    /// Computed properties of a run. Equal properties of consecutive runs share one allocation.
    fn computed_style(&mut self, style: &RunStyle, link: Option<&Rc<str>>) -> Rc<ComputedStyle> {
        let look = ComputedStyle {
            font: style.font.clone(),
            size: match style.size {
                Some(Size::Points(points)) => points.clamp(1.0, 4000.0),
                Some(Size::Share(share)) => (SIZE * share).clamp(1.0, 4000.0),
                None => SIZE,
            },
            bold: style.bold.unwrap_or(false),
            italic: style.italic.unwrap_or(false),
            underlined: style.underlined.unwrap_or(false),
            struck: style.struck.unwrap_or(false),
            caps: style.caps.unwrap_or(Caps::None),
            raised: style.raised.unwrap_or(0.0),
            spacing: style.spacing.unwrap_or(0.0),
            outlined: style.outlined.unwrap_or(false),
            colour: style.colour.flatten().map_or(Rgba::BLACK, opaque),
            highlight: style.highlight.flatten().map(opaque),
            language: style.language.clone(),
            link: link.cloned(),
        };
        if *self.last != look {
            self.last = Rc::new(look);
        }
        self.last.clone()
    }
}

/// Target of a link: a URL, or `#` and the number of a slide. `None` for an unknown slide.
pub(super) fn link_to(target: &str, numbers: &HashMap<Box<str>, usize>) -> Option<Rc<str>> {
    let Some(name) = target.strip_prefix('#') else {
        // Some programs write a length into the attribute, which is not a URL.
        return (!target.is_empty() && emu(target).is_none()).then(|| target.into());
    };
    let number = numbers.get(name)?;
    Some(format!("#{number}").into())
}

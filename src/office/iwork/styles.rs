//! Resolves styles of paragraphs, characters and lists. Draws nothing.
//!
//! A style states only properties that differ from those of its parent. A style without a name is a variation: direct
//! formatting of single paragraphs. Fonts have PostScript names, which contain the face (`Calibri-Bold`).

use super::{
    faces::{Face, face},
    inheritance::{self, Ancestor},
    kind,
};
use crate::{
    containers::iwa::{Message, Objects},
    error::Result,
    job::{Job, Lease},
    wordprocessing::{
        Definition, Font, LEVELS, Level, LevelFormat, List, Lists, ParagraphProperties,
        ParagraphRole, Raised, Resolved, RunProperties, ThemeFonts, role_of_paragraph,
    },
};
use convertd_tree::{Alignment, Colour, Length, LineHeight, Numeral, numerals::Format};
use std::{collections::HashMap, rc::Rc};

/// Limit on the number of list styles, and on the number of lists.
const MAX_LISTS: usize = 10_000;

/// Width of the hanging indent that holds an item's label.
const HANGING: Length = Length::twips(360);

/// Memory of a resolved style or of a list, in bytes.
const STYLE: u64 = 2048;

/// Styles of a document.
pub struct Styles<'o> {
    objects: &'o Objects<'o>,
    paragraphs: HashMap<u64, Rc<Styled>>,
    characters: HashMap<u64, Rc<RunProperties>>,
    /// Number of the list that further items of a list style belong to, by the number of the style. `None` for styles
    /// without labels, and for those beyond `MAX_LISTS`.
    lists: HashMap<u64, Option<u32>>,
    lease: Lease<'o>,
}

/// Resolved style of a paragraph.
#[derive(Debug, Default)]
pub struct Styled {
    /// The nearest ancestor with a name, or the style itself if it has one.
    pub style: Rc<Resolved>,
    /// Properties of the paragraph that differ from those of `style`.
    pub own: ParagraphProperties,
    /// Properties of the text that differ from those of `style`.
    pub run: RunProperties,
}

impl<'o> Styles<'o> {
    pub fn new(job: &'o Job<'o>, objects: &'o Objects<'o>) -> Self {
        Self {
            objects,
            paragraphs: HashMap::new(),
            characters: HashMap::new(),
            lists: HashMap::new(),
            lease: job.empty_lease(),
        }
    }

    /// Returns a style and its ancestors, beginning with the style itself.
    fn chain(&self, number: u64, kinds: &'static [u64]) -> Vec<Ancestor<'o>> {
        inheritance::ancestors(self.objects, Some(number), kinds).collect()
    }

    /// Returns the paragraph style with this number. Without a number, it has no properties.
    pub fn paragraph(&mut self, number: Option<u64>) -> Result<Rc<Styled>> {
        let Some(number) = number else {
            return Ok(Rc::default());
        };
        if let Some(known) = self.paragraphs.get(&number) {
            return Ok(known.clone());
        }
        self.lease.grow(STYLE)?;
        let chain = self.chain(number, &[kind::PARAGRAPHS]);
        let names = chain.iter().map(|style| name(*style));
        let named = names.clone().position(|name| name.is_some());
        let named = named.unwrap_or(chain.len());
        let (variations, style) = chain.split_at(named);
        let resolve = |styles: &[Ancestor<'o>]| {
            let (mut own, mut run) = (ParagraphProperties::default(), RunProperties::default());
            for style in styles.iter().rev().map(|style| style.message()) {
                run.apply(&style.message(11).map(characters).unwrap_or_default());
                own.apply(&style.message(12).map(paragraph).unwrap_or_default());
            }
            (own, run)
        };
        let (paragraph, run) = resolve(style);
        let (id, name) = names.flatten().next().unwrap_or_default();
        self.lease.grow(name.len() as u64)?;
        let resolved = Resolved {
            id: None,
            role: role(id, name),
            name: (!name.is_empty()).then(|| name.into()),
            paragraph,
            run,
            ..Resolved::default()
        };
        let (own, run) = resolve(variations);
        let styled = Rc::new(Styled {
            style: resolved.settle(&ThemeFonts::default()),
            own,
            run,
        });
        self.paragraphs.insert(number, styled.clone());
        Ok(styled)
    }

    /// Returns the properties of characters with this style.
    pub fn characters(&mut self, number: Option<u64>) -> Result<Rc<RunProperties>> {
        let Some(number) = number else {
            return Ok(Rc::default());
        };
        if let Some(known) = self.characters.get(&number) {
            return Ok(known.clone());
        }
        self.lease.grow(STYLE)?;
        let mut run = RunProperties::default();
        let chain = self.chain(number, &[kind::CHARACTERS]);
        for style in chain.iter().rev() {
            let stated = style.message().message(11);
            run.apply(&stated.map(characters).unwrap_or_default());
        }
        let run = Rc::new(run);
        self.characters.insert(number, run.clone());
        Ok(run)
    }

    /// Returns the number of the list with this style. If there is no such list yet, adds it to `lists`. `None` if the
    /// style has no labels, or beyond `MAX_LISTS`.
    pub fn list(&mut self, lists: &mut Lists, number: Option<u64>) -> Result<Option<u32>> {
        let Some(number) = number else {
            return Ok(None);
        };
        if let Some(known) = self.lists.get(&number) {
            return Ok(*known);
        }
        self.lease.grow(STYLE)?;
        let definition = self.definition(number);
        let id = definition.filter(|_| self.lists.len() < MAX_LISTS);
        let id = id.map(|definition| {
            let id = lists.lists.len() as u32 + 1;
            lists.definitions.insert(id, definition);
            add_list(lists, id, id);
            id
        });
        self.lists.insert(number, id);
        Ok(id)
    }

    /// Begins a new list with the same style, whose numbers at a level begin with `start`. Returns the number of the
    /// new list, to which later items of the style belong, or that of the old list beyond `MAX_LISTS`. `None` if the
    /// style has no labels.
    pub fn restart(
        &mut self,
        lists: &mut Lists,
        style: u64,
        level: u8,
        start: u32,
    ) -> Result<Option<u32>> {
        let Some(old) = self.list(lists, Some(style))? else {
            return Ok(None);
        };
        if lists.lists.len() >= MAX_LISTS {
            return Ok(Some(old));
        }
        self.lease.grow(STYLE)?;
        let definition = lists.lists.get(&old).map_or(old, |list| list.definition);
        let id = lists.lists.len() as u32 + 1;
        add_list(lists, id, definition);
        if let Some(list) = lists.lists.get_mut(&id) {
            list.starts[usize::from(level).min(LEVELS - 1)] = Some(start);
        }
        self.lists.insert(style, Some(id));
        Ok(Some(id))
    }

    /// Returns a level of a list that [`list`](Self::list) or [`restart`](Self::restart) added.
    pub fn level(lists: &Lists, list: u32, level: u8) -> Option<&Level> {
        let list = lists.lists.get(&list)?;
        let definition = lists.definitions.get(&list.definition)?;
        definition.levels.get(usize::from(level))
    }

    /// Returns the levels of a list style. `None` if no level has a label.
    fn definition(&self, number: u64) -> Option<Definition> {
        let chain = self.chain(number, &[kind::LIST]);
        let [labels, numbers, tiered] =
            [11, 15, 25].map(|field| stated(&chain, |style| style.numbers(field)));
        if labels.iter().all(|label| *label == 0) {
            return None;
        }
        let signs = stated(&chain, |style| style.all(16));
        let signs: Vec<_> = signs
            .iter()
            .map(|sign| String::from_utf8_lossy(sign.0))
            .collect();
        let indents = stated(&chain, |style| style.numbers(13));
        let indents: Vec<f64> = indents
            .iter()
            .map(|bits| f32::from_bits(*bits as u32).into())
            .collect();
        let mut definition = Definition::default();
        for (at, level) in definition.levels.iter_mut().enumerate() {
            *level = match labels.get(at) {
                // A picture as a bullet becomes a round bullet.
                Some(1) => bullet("\u{2022}"),
                Some(2) => bullet(signs.get(at).map_or("\u{2022}", |sign| &**sign)),
                Some(3) => {
                    let is_tiered = tiered.get(at).is_some_and(|tiered| *tiered != 0);
                    number_level(at, numbers.get(at).copied().unwrap_or(0), is_tiered)
                }
                _ => Level {
                    format: LevelFormat::None,
                    ..Level::default()
                },
            };
            let indent = indents
                .get(at)
                .filter(|indent| (0.0..2000.0).contains(*indent));
            if let Some(indent) = indent {
                level.indent = Some(Length::points(*indent) + HANGING);
                level.hanging = Some(Length::ZERO - HANGING);
            }
        }
        Some(definition)
    }
}

/// Returns the values of a property for each level of a list, from the nearest style that states any.
fn stated<'o, T, Values: Iterator<Item = T>>(
    chain: &[Ancestor<'o>],
    values: impl Fn(Message<'o>) -> Values,
) -> Vec<T> {
    let values_of_styles = chain
        .iter()
        .map(|style| values(style.message()).take(LEVELS));
    let mut values_of_styles = values_of_styles.map(Vec::from_iter);
    values_of_styles
        .find(|own| !own.is_empty())
        .unwrap_or_default()
}

fn add_list(lists: &mut Lists, id: u32, definition: u32) {
    let list = List {
        definition,
        ..List::default()
    };
    lists.lists.insert(id, list);
}

fn bullet(sign: &str) -> Level {
    Level {
        format: LevelFormat::Bullet,
        text: sign.chars().take(8).collect::<String>().into(),
        ..Level::default()
    }
}

/// Returns a level with numbers. `kind` is the type of the numbers in the file; each numeral has three consecutive
/// types: with a period, in parentheses, and with a closing parenthesis. With `is_tiered`, the numbers of the outer
/// levels precede the number (1.2.3).
fn number_level(at: usize, kind: u64, is_tiered: bool) -> Level {
    let numeral = match kind / 3 {
        1 => Numeral::UpperRoman,
        2 => Numeral::LowerRoman,
        3 => Numeral::UpperAlpha,
        4 => Numeral::LowerAlpha,
        _ => Numeral::Decimal,
    };
    let number = match is_tiered {
        true => (1..=at + 1)
            .map(|level| format!("%{level}"))
            .collect::<Vec<_>>()
            .join("."),
        false => format!("%{}", at + 1),
    };
    let text = match kind % 3 {
        1 => format!("({number})"),
        2 => format!("{number})"),
        _ => format!("{number}."),
    };
    Level {
        format: LevelFormat::Number(Format::Plain(numeral)),
        text: text.into(),
        ..Level::default()
    }
}

/// Returns the identifier and the name of a style. `None` for variations.
fn name(style: Ancestor<'_>) -> Option<(&str, &str)> {
    let style = style.head()?;
    let name = style.text(1).filter(|name| !name.is_empty())?;
    Some((style.text(2).unwrap_or_default(), name))
}

/// Returns the role of a style. Styles of Apple's templates have identifiers that end with an English name, in
/// templates of every language. This name is tried before the name of the style.
fn role(id: &str, name: &str) -> ParagraphRole {
    let own = id
        .rsplit_once("paragraphstyle-")
        .map_or("", |(_, name)| name);
    for name in [own, name] {
        let name = name.trim();
        if let Some(role) = role_of_paragraph(name) {
            return role;
        }
        match name.to_ascii_lowercase().as_str() {
            "heading" => return ParagraphRole::Heading(1),
            "chapter name" | "chapter title" => return ParagraphRole::Heading(1),
            _ => {}
        }
    }
    ParagraphRole::Body
}

/// Reads the properties of characters (`CharacterStylePropertiesArchive`).
fn characters(stated: Message<'_>) -> RunProperties {
    let face = stated.text(5).map(face);
    let styled = |field: u32, of_face: fn(&Face) -> bool| {
        let own = stated.flag(field);
        match face.as_ref().map(of_face) {
            Some(true) => Some(true),
            Some(false) => own.or(Some(false)),
            None => own,
        }
    };
    let size = stated.single(3).filter(|size| (0.5..2000.0).contains(size));
    let capitals = stated.number(13);
    RunProperties {
        bold: styled(1, |face| face.bold),
        italic: styled(2, |face| face.italic),
        underline: stated.flag(11),
        strike: stated.flag(12),
        small_caps: capitals.map(|kind| kind == 2),
        capitals: capitals.map(|kind| kind == 1),
        raised: stated.number(10).map(|kind| match kind {
            1 => Raised::Above,
            2 => Raised::Below,
            _ => Raised::Not,
        }),
        size: size.map(Length::points),
        colour: stated
            .message(7)
            .map(colour)
            .or_else(|| fill_colour(stated)),
        background: stated.message(26).map(colour),
        latin: face.map(|face| Font::Named(face.family.into())),
        language: stated.text(9).and_then(language),
        ..RunProperties::default()
    }
}

/// Reads the colour of text from a fill. Files since 2020 store it so.
fn fill_colour(stated: Message<'_>) -> Option<Option<Colour>> {
    stated.message(46)?.message(1).map(colour)
}

fn language(name: &str) -> Option<Box<str>> {
    let is_tag = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let name = name.trim();
    let is_one = (2..=20).contains(&name.len()) && name.chars().all(is_tag);
    (is_one && name != "__multilingual").then(|| name.replace('_', "-").into())
}

/// Reads the properties of paragraphs (`ParagraphStylePropertiesArchive`).
fn paragraph(stated: Message<'_>) -> ParagraphProperties {
    let points = |field: u32| {
        let points = stated
            .single(field)
            .filter(|points| points.abs() < 10_000.0);
        points.map(Length::points)
    };
    let left = points(11);
    // The indent of the first line is measured from the margin, and not from the indent of the other lines.
    let first_line = stated
        .single(7)
        .map(|first| first - stated.single(11).unwrap_or(0.0));
    ParagraphProperties {
        alignment: stated.number(1).map(|side| match side {
            1 => Alignment::End,
            2 => Alignment::Centre,
            3 => Alignment::Justify,
            _ => Alignment::Start,
        }),
        is_physical: true,
        indent_start: left,
        indent_end: points(19),
        first_line: first_line.map(Length::points),
        space_before: points(21),
        space_after: points(20),
        line_height: stated.message(13).and_then(line_height),
        keep_together: stated.flag(9),
        keep_with_next: stated.flag(10),
        page_break_before: stated.flag(14),
        right_to_left: stated.number(38).map(|side| side == 1),
        background: stated.message(6).map(colour),
        outline: stated.number(27).and_then(|level| match level {
            1..=9 => Some(level as u8 - 1),
            _ => None,
        }),
        ..ParagraphProperties::default()
    }
}

/// Reads a line height: a multiple of single spacing, a minimum height or an exact height.
fn line_height(stated: Message<'_>) -> Option<LineHeight> {
    let amount = stated
        .single(2)
        .filter(|amount| (0.1..10_000.0).contains(amount))?;
    match stated.number(1).unwrap_or(0) {
        0 => Some(LineHeight::Percent((amount * 100.0).min(1000.0) as u16)),
        1 => Some(LineHeight::AtLeast(Length::points(amount))),
        2 | 3 => Some(LineHeight::Exactly(Length::points(amount))),
        _ => None,
    }
}

/// Reads a colour (`TSP.Color`) in one of three models: RGB, CMYK or grey. `None` if the colour is fully transparent.
pub fn colour(stated: Message<'_>) -> Option<Colour> {
    let part = |field: u32| stated.single(field).unwrap_or(0.0).clamp(0.0, 1.0);
    if stated.single(6) == Some(0.0) {
        return None;
    }
    let byte = |part: f64| (part * 255.0).round() as u8;
    Some(match stated.number(1) {
        Some(2) => {
            let ink = |field: u32| byte((1.0 - part(field)) * (1.0 - part(10)));
            Colour(ink(7), ink(8), ink(9))
        }
        Some(3) => Colour(byte(part(11)), byte(part(11)), byte(part(11))),
        _ => Colour(byte(part(3)), byte(part(4)), byte(part(5))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn style_identifiers_give_the_role_in_every_language() {
        #[track_caller]
        fn check(id: &str, name: &str, expected: ParagraphRole) {
            assert_eq!(role(id, name), expected, "{id} {name}");
        }
        check("text-0-paragraphstyle-Title", "Titel", ParagraphRole::Title);
        let second = ParagraphRole::Heading(2);
        check("text-12-paragraphstyle-Heading 2", "Überschrift 2", second);
        check("imported-paragraph-style-9", "heading 2", second);
        check("", "Heading", ParagraphRole::Heading(1));
        check("text-20-paragraphstyle-Body 1", "Text", ParagraphRole::Body);
    }
}

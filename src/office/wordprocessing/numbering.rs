//! Numbering of lists in Word's model (ECMA-376 part 1, 17.9). A paragraph refers to a list and a level. A list refers
//! to a definition of nine levels, the abstract numbering definition. Files do not store the numbers, so they must be
//! counted.
//!
//! Note that counters belong to the definition, not to the list. Lists with the same definition continue each other's
//! numbers, unless a list overrides the start value. Parses no file.

use super::{
    properties::{ParagraphProperties, RunProperties},
    role::ListPlace,
    symbol::{in_symbol_font, is_symbol_font},
};
use convertd_tree::{
    Delimiter, LabelEnd, Length, ListKind, ListLook, Numbering, Numeral, numbering,
    numerals::Format,
};
use std::collections::HashMap;

/// Number of levels of a list definition. The specification fixes it.
pub const LEVELS: usize = 9;

/// Max. length of a level's text, in characters.
const MAX_LABEL: usize = 200;

/// Lists of a document with their counters.
#[derive(Debug, Default)]
pub struct Lists {
    /// Definitions by their identifiers.
    pub definitions: HashMap<u32, Definition>,
    /// Lists by their identifiers.
    pub lists: HashMap<u32, List>,
    /// Counters by definition, because lists with the same definition share them.
    counts: HashMap<u32, Counts>,
}

/// Abstract numbering definition (`w:abstractNum`).
#[derive(Debug, Default)]
pub struct Definition {
    /// Levels from the outermost to the innermost.
    pub levels: [Level; LEVELS],
    /// Numbering style that this definition refers to (`w:numStyleLink`).
    pub stands_for: Option<Box<str>>,
    /// Numbering style whose levels this definition states (`w:styleLink`).
    pub defines: Option<Box<str>>,
}

/// Numbering definition instance (`w:num`).
#[derive(Debug, Default)]
pub struct List {
    /// Identifier of the list's definition.
    pub definition: u32,
    /// Start values of levels, if the list overrides those of the definition.
    pub starts: [Option<u32>; LEVELS],
    /// Levels that the list overrides, with their indexes.
    pub levels: Vec<(usize, Level)>,
}

/// Counters of a definition.
#[derive(Debug, Default)]
struct Counts {
    /// Last numbers of all levels. `None` if the next number is the start value.
    last: [Option<u32>; LEVELS],
    /// Lists and levels whose overriding start value was used. Each start value is used only once.
    started: Vec<(u32, usize)>,
}

/// Level of a list definition (`w:lvl`).
#[derive(Clone, Debug)]
pub struct Level {
    /// First number (`w:start`).
    pub start: u32,
    /// Number format (`w:numFmt`).
    pub format: LevelFormat,
    /// Character after the label (`w:suff`).
    pub end: LabelEnd,
    /// Pattern of the label (`w:lvlText`). `%1` to `%9` are replaced by the numbers of the levels.
    pub text: Box<str>,
    /// Deepest level, counted from 1, whose items restart the numbers of this level (`w:lvlRestart`); items of the
    /// levels outside of that level restart them, too. 0 if numbers never restart, `None` if items of all outer levels
    /// restart them.
    pub restart: Option<u8>,
    /// Whether the numbers of all levels are shown in decimal digits (`w:isLgl`). They are padded if the format of
    /// their level is padded.
    pub legal: bool,
    /// Paragraph style that is linked to this level.
    pub style: Option<Box<str>>,
    /// Indent of the text.
    pub indent: Option<Length>,
    /// Indent of the label, relative to the text.
    pub hanging: Option<Length>,
    /// Font of the label, which is needed for bullets from symbol fonts.
    pub font: Option<Box<str>>,
    /// Formatting of the label.
    pub run: RunProperties,
}

/// Number format of a level (`w:numFmt`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LevelFormat {
    None,
    Bullet,
    Number(Format),
}

impl LevelFormat {
    pub const DECIMAL: Self = Self::Number(Format::Plain(Numeral::Decimal));

    /// Returns the format with this number in DOC and RTF. Unknown numbers are decimal.
    pub fn of_code(code: u8) -> Self {
        match code {
            23 => Self::Bullet,
            255 => Self::None,
            code => Format::of_code(code).map_or(Self::DECIMAL, Self::Number),
        }
    }
}

impl Default for Level {
    fn default() -> Self {
        Self {
            start: 1,
            format: LevelFormat::DECIMAL,
            end: LabelEnd::default(),
            text: Box::default(),
            restart: None,
            legal: false,
            style: None,
            indent: None,
            hanging: None,
            font: None,
            run: RunProperties::default(),
        }
    }
}

impl Level {
    /// Returns the bullet as a Unicode character. `None` if there is no equivalent, or it has several characters.
    pub fn bullet(&self) -> Option<char> {
        if self.format != LevelFormat::Bullet {
            return None;
        }
        let mut chars = self.text.trim().chars();
        let c = chars.next().filter(|_| chars.next().is_none())?;
        let shown = match self.font.as_deref() {
            Some(font) if is_symbol_font(font) => in_symbol_font(font, c),
            // Default bullets of Word, for levels without a symbol font.
            _ => match c {
                '\u{f0b7}' => '\u{2022}',
                '\u{f0a7}' => '\u{25aa}',
                '\u{f0d8}' => '\u{27a2}',
                '\u{f0fc}' => '\u{2713}',
                // As a hollow bullet, Word uses the letter "o" of a monospaced font.
                'o' => '\u{25e6}',
                c => c,
            },
        };
        let is_private = matches!(shown, '\u{e000}'..='\u{f8ff}');
        (!is_private && !shown.is_control()).then_some(shown)
    }

    /// Returns the formatting of list items at this level.
    pub fn look(&self) -> ListLook {
        ListLook {
            indent: self.indent,
            label: self.hanging,
            bullet: self.bullet(),
            label_style: None,
            label_end: self.end,
        }
    }
}

/// Label of a list item: its number or bullet.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Label as text.
    pub text: String,
    /// Kind of a list that begins with this item. `None` if the level shows no label.
    pub kind: Option<ListKind>,
    /// Whether the check box is checked, if the bullet is a check box.
    pub task: Option<bool>,
    /// Whether `kind` does not represent the label exactly: it has additional text, other levels or another number
    /// format.
    pub simplified: bool,
}

impl Label {
    /// Returns the place of the item with this label. Word has no task lists: checked and unchecked items have
    /// different bullets, and therefore belong to different lists. They share one number here, and become one list.
    pub fn place(&self, list: u32, level: u8) -> ListPlace {
        ListPlace {
            list: if self.task.is_some() { u32::MAX } else { list },
            level,
        }
    }

    /// Returns the label as the number of a heading. `None` for bullets.
    pub fn number(self) -> Option<Box<str>> {
        let shown = !self.text.is_empty() && !matches!(self.kind, Some(ListKind::Bullet));
        shown.then(|| self.text.into())
    }
}

impl Lists {
    /// Returns the list and level of a paragraph, from its own properties (`own`) and those of its style (`style`).
    /// If neither states a level, the level that is linked to the style is used.
    pub fn place(
        &self,
        own: &ParagraphProperties,
        style: &ParagraphProperties,
        style_id: Option<&str>,
    ) -> Option<(u32, u8)> {
        let list = own.list.or(style.list).filter(|list| *list != 0)?;
        let levels = &self.definition(list)?.levels;
        let level = own.list_level.or(style.list_level).or_else(|| {
            let linked =
                |level: &Level| level.style.is_some() && level.style.as_deref() == style_id;
            levels.iter().position(linked).map(|level| level as u8)
        });
        Some((list, level.unwrap_or(0).min(LEVELS as u8 - 1)))
    }

    /// Returns the level of a list. Levels of the list override those of its definition.
    pub fn level(&self, list: u32, level: u8) -> Option<&Level> {
        let level = usize::from(level);
        let own = self.lists.get(&list)?.levels.iter();
        let mut own = own.filter(|(at, _)| *at == level);
        match own.next_back() {
            Some((_, own)) => Some(own),
            None => self.definition(list)?.levels.get(level),
        }
    }

    /// Returns the formatting of list items at this level. Indents of the paragraph take precedence over those of the
    /// level (17.9.22). If the list comes from the style of the paragraph, indents of the style are between the two.
    pub fn look(
        &self,
        (list, level): (u32, u8),
        own: &ParagraphProperties,
        style: &ParagraphProperties,
    ) -> ListLook {
        let level = self.level(list, level);
        let look = level.map(Level::look).unwrap_or_default();
        let style = (own.list.is_none() && style.list.is_some()).then_some(style);
        let of_style = |get: fn(&ParagraphProperties) -> Option<Length>| style.and_then(get);
        ListLook {
            indent: own
                .indent_start
                .or(of_style(|style| style.indent_start))
                .or(look.indent),
            label: own
                .first_line
                .or(of_style(|style| style.first_line))
                .or(look.label),
            bullet: look.bullet,
            label_style: None,
            label_end: look.label_end,
        }
    }

    /// Returns the formatting of labels at a level.
    pub fn label_look(&self, (list, level): (u32, u8)) -> Option<&RunProperties> {
        self.level(list, level).map(|level| &level.run)
    }

    /// Counts a paragraph and returns its label.
    pub fn count(&mut self, list: u32, level: u8) -> Label {
        let at = usize::from(level).min(LEVELS - 1);
        let id = self.lists.get(&list).map_or(0, |list| list.definition);
        let starts = self
            .lists
            .get(&list)
            .map(|list| list.starts)
            .unwrap_or_default();
        // Start values of all levels.
        let first: [u32; LEVELS] = std::array::from_fn(|at| {
            let level = self.level(list, at as u8);
            starts[at].or(level.map(|level| level.start)).unwrap_or(1)
        });
        let restarts: [Option<u8>; LEVELS] =
            std::array::from_fn(|at| self.level(list, at as u8).and_then(|level| level.restart));
        let counts = self.counts.entry(id).or_default();
        // Whether the list's own start value is used now.
        let begins = starts[at].is_some() && !counts.started.contains(&(list, at));
        if begins {
            counts.started.push((list, at));
        }
        let number = match counts.last[at] {
            Some(last) if !begins => last.saturating_add(1),
            _ => first[at],
        };
        counts.last[at] = Some(number);
        for (last, restart) in counts.last.iter_mut().zip(restarts).skip(at + 1) {
            // By default, every outer level restarts a level. With `w:lvlRestart`, only the stated level and levels
            // outside it do.
            if restart.is_none_or(|above| at < usize::from(above)) {
                *last = None;
            }
        }
        let numbers: [u32; LEVELS] = std::array::from_fn(|at| counts.last[at].unwrap_or(first[at]));
        label(&|at| self.level(list, at), at, &numbers)
    }

    /// Returns the definition of a list.
    fn definition(&self, list: u32) -> Option<&Definition> {
        self.definitions.get(&self.lists.get(&list)?.definition)
    }

    /// Links lists to the definition of the numbering style that they refer to.
    pub fn resolve_links(&mut self) {
        let defining: HashMap<Box<str>, u32> = self
            .definitions
            .iter()
            .filter_map(|(id, definition)| Some((definition.defines.clone()?, *id)))
            .collect();
        for list in self.lists.values_mut() {
            let link = self.definitions.get(&list.definition);
            let link = link.and_then(|definition| definition.stands_for.as_ref());
            if let Some(id) = link.and_then(|style| defining.get(style)) {
                list.definition = *id;
            }
        }
    }
}

/// Returns the label of a paragraph at level `at`, for the current numbers of all levels.
pub fn label<'l>(
    levels: &dyn Fn(u8) -> Option<&'l Level>,
    at: usize,
    numbers: &[u32; LEVELS],
) -> Label {
    let Some(level) = levels(at as u8) else {
        return Label {
            text: String::new(),
            kind: None,
            task: None,
            simplified: false,
        };
    };
    let mut text = String::new();
    let mut shown = 0;
    let mut chars = level.text.chars().take(MAX_LABEL);
    // Text before the first number, and after the last number.
    let mut around = [String::new(), String::new()];
    while let Some(c) = chars.next() {
        let digit = (c == '%').then(|| chars.clone().next()).flatten();
        let Some(digit) = digit
            .and_then(|digit| digit.to_digit(10))
            .filter(|digit| *digit > 0)
        else {
            text.push(c);
            around[usize::from(shown > 0)].push(c);
            continue;
        };
        chars.next();
        let shown_level = digit as usize - 1;
        shown += 1;
        around[1].clear();
        let format = levels(shown_level as u8).map(|level| level.format);
        text.push_str(&match format {
            // Even with `legal`, Word shows the zero of padded numbers, as in "Section 1.01" of its list of articles
            // and sections.
            Some(LevelFormat::Number(format @ Format::Padded(_))) => {
                format.write(numbers[shown_level])
            }
            _ if level.legal => numbers[shown_level].to_string(),
            Some(LevelFormat::Number(format)) => format.write(numbers[shown_level]),
            Some(LevelFormat::None | LevelFormat::Bullet) => String::new(),
            None => numbers[shown_level].to_string(),
        });
    }
    let [before, after] = around.each_ref().map(|text| text.trim());
    let delimiter = match (before, after) {
        ("", "") => Delimiter::None,
        ("(", ")") => Delimiter::Parentheses,
        (_, after) if after.starts_with(')') => Delimiter::Parenthesis,
        _ => Delimiter::Period,
    };
    let numeral = |level: &Level| match level.format {
        LevelFormat::Number(format) => format.numeral(),
        _ => Numeral::Decimal,
    };
    let kind = match level.format {
        // Some programs define a bullet of white space for items without a label.
        LevelFormat::Bullet if !text.is_empty() && text.trim().is_empty() => None,
        LevelFormat::Bullet => Some(ListKind::Bullet),
        LevelFormat::None if text.trim().is_empty() => None,
        // Text without a number counts as a bullet.
        LevelFormat::None => Some(ListKind::Bullet),
        _ if shown == 0 && level.text.is_empty() => None,
        _ => Some(ListKind::Ordered(Numbering {
            start: numbers[at],
            numeral: numeral(level),
            delimiter,
            nested: shown > 1,
        })),
    };
    let simplified = match kind {
        None => false,
        Some(ListKind::Ordered(kind)) => {
            let outer = (0..at).filter_map(|at| Some((at, levels(at as u8)?)));
            let outer = outer.map(|(at, level)| numbering::write(numbers[at], numeral(level)));
            let outer: Vec<String> = outer.collect();
            numbering::label(numbers[at], kind, &outer) != text.trim()
        }
        Some(ListKind::Bullet) => match level.format {
            LevelFormat::None => true,
            // A bullet of several characters is simplified, unless one of them belongs to a symbol font (private use
            // area).
            _ => {
                let is_private = |c: char| matches!(c, '\u{e000}'..='\u{f8ff}');
                text.trim().chars().count() > 1 && !text.contains(is_private)
            }
        },
    };
    Label {
        task: match (level.format, text.trim()) {
            (LevelFormat::Bullet, "\u{2610}") => Some(false),
            (LevelFormat::Bullet, "\u{2611}" | "\u{2612}") => Some(true),
            _ => None,
        },
        text: text.trim().to_owned(),
        kind,
        simplified,
    }
}

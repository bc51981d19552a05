//! Lists (MS-DOC 2.9.131, 2.9.150, 2.9.147). A definition (LSTF) has nine levels (LVL). Paragraphs name a list (LFO),
//! which refers to a definition and may override its levels. Does not number paragraphs.

use super::{
    characters::Run,
    fonts::Fonts,
    paragraphs::{OldNumber, Paragraph},
    sprm::Sprms,
};
use crate::containers::fields::Fields;
use convertd_office::wordprocessing::{
    Definition, Item, LEVELS, Level, LevelFormat, List, ListPlace, Lists, RunProperties,
};
use convertd_tree::{LabelEnd, ListKind, ListLook, Numbering};

/// Max. number of definitions, and of lists.
const MAX: usize = 4096;

/// Size of the fixed part of a definition (LSTF), in bytes.
const DEFINITION: usize = 28;
/// Size of the fixed part of a level (LVLF), in bytes.
const LEVEL: usize = 28;
/// Size of the fixed part of a list (LFO), in bytes.
const LIST: usize = 16;

/// Reads definitions and lists. The levels of all definitions follow after the table of definitions, so `definitions`
/// reaches to the end of the stream.
pub(super) fn read(definitions: Fields<'_>, overrides: Fields<'_>, fonts: &Fonts) -> Lists {
    let mut lists = Lists::default();
    let count = usize::from(definitions.u16(0)).min(MAX);
    let mut identifiers = Vec::new();
    let mut rest = definitions.from(2 + count * DEFINITION);
    for at in 0..count {
        let record = definitions.part(2 + at * DEFINITION, DEFINITION);
        identifiers.push(record.u32(0));
        // A simple list has only one level (`fSimpleList`).
        let levels = if record.u8(26) & 1 == 1 { 1 } else { LEVELS };
        let mut definition = Definition::default();
        for (at, level) in definition.levels.iter_mut().enumerate().take(levels) {
            let style = record.u16(8 + at * 2);
            let (own, len) = read_level(rest, fonts);
            *level = Level {
                style: (style != 0x0fff).then(|| style.to_string().into()),
                ..own
            };
            rest = rest.from(len);
        }
        lists.definitions.insert(at as u32 + 1, definition);
    }
    let count = (overrides.u32(0) as usize).min(MAX);
    let mut rest = overrides.from(4 + count * LIST);
    for at in 0..count {
        let record = overrides.part(4 + at * LIST, LIST);
        let known = identifiers
            .iter()
            .position(|identifier| *identifier == record.u32(0));
        let mut list = List {
            // Indices begin with 1; 0 stands for a missing definition.
            definition: known.map_or(0, |known| known as u32 + 1),
            ..List::default()
        };
        rest = rest.from(4);
        for _ in 0..record.u8(12) {
            rest = override_level(&mut list, rest, fonts);
        }
        lists.lists.insert(at as u32 + 1, list);
    }
    lists
}

/// Reads the override of a level (LFOLVL, MS-DOC 2.9.134), and returns the fields after it. An override is either a new
/// start value or a complete level.
fn override_level<'a>(list: &mut List, rest: Fields<'a>, fonts: &Fonts) -> Fields<'a> {
    let flags = rest.u32(4);
    let level = (flags & 15) as usize;
    let after = rest.from(8);
    if level >= LEVELS {
        return after;
    }
    if flags & 32 != 0 {
        let (own, len) = read_level(after, fonts);
        list.levels.push((level, own));
        return after.from(len);
    }
    if flags & 16 != 0 {
        list.starts[level] = Some(rest.u32(0));
    }
    after
}

/// Reads a level (LVL), and returns it with its length in bytes. Property lists and the text follow after the fixed
/// part.
fn read_level(fields: Fields<'_>, fonts: &Fonts) -> (Level, usize) {
    let flags = fields.u8(5);
    let (of_run, of_paragraph) = (usize::from(fields.u8(24)), usize::from(fields.u8(25)));
    let mut paragraph = Paragraph::default();
    let own = fields.part(LEVEL, of_paragraph);
    Sprms::new(own.0, false).for_each(|sprm| paragraph.apply(sprm));
    let mut run = Run::default();
    let own = fields.part(LEVEL + of_paragraph, of_run);
    for sprm in Sprms::new(own.0, false) {
        run.apply(sprm, &RunProperties::default(), fonts);
    }
    let text = fields.from(LEVEL + of_paragraph + of_run);
    let letters = usize::from(text.u16(0));
    let pattern = text.utf16(2, letters.min(255));
    let format = LevelFormat::of_code(fields.u8(4));
    let level = Level {
        start: fields.u32(0).min(i32::MAX as u32),
        format,
        text: match format {
            LevelFormat::Bullet => pattern.into(),
            _ => placeholders(&pattern).into(),
        },
        restart: (flags & 8 != 0).then(|| fields.u8(26)),
        legal: flags & 4 != 0,
        end: LabelEnd::of_code(fields.u8(15).into()),
        style: None,
        indent: paragraph.own.indent_start,
        hanging: paragraph.own.first_line,
        run: run.look.clone(),
        font: run
            .look
            .latin
            .as_ref()
            .and_then(|font| font.name())
            .map(Into::into),
    };
    (level, LEVEL + of_paragraph + of_run + 2 + letters * 2)
}

/// Converts the text of a level to the notation of [`Level`]. The control characters U+0000 to U+0008 stand for the
/// numbers of the levels 1 to 9.
fn placeholders(pattern: &str) -> String {
    let mut text = String::new();
    for c in pattern.chars() {
        match u32::from(c) {
            at @ 0..=8 => text.push_str(&format!("%{}", at + 1)),
            _ => text.push(c),
        }
    }
    text
}

/// Converts a number or bullet of Word 6 to a list item. All numbered items belong to one list, and all bullets to
/// another. `None` for other levels.
pub(super) fn old_item(number: OldNumber) -> Option<Item> {
    if !matches!(number.level, 10 | 11) {
        return None;
    }
    let kind = match (number.level, LevelFormat::of_code(number.format)) {
        (11, _) => ListKind::Bullet,
        (_, LevelFormat::Number(format)) => ListKind::Ordered(Numbering {
            start: u32::from(number.start).max(1),
            numeral: format.numeral(),
            ..Numbering::default()
        }),
        _ => ListKind::Ordered(Numbering::default()),
    };
    Some(Item {
        place: ListPlace {
            // Lists of Word 97 have small numbers, so these do not collide.
            list: u32::MAX - u32::from(number.level),
            level: 0,
        },
        kind,
        task: None,
        label: None,
        tight: false,
        look: ListLook::default(),
    })
}

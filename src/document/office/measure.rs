//! How large things are shown that do not say so themselves, and what writers have to know of a whole document. Writes no file.

use crate::document::{
    media,
    tree::{
        Block, Document, Inline, Length, Picture, Table, TextStyle, Width, each_block, each_inline,
    },
};
use std::collections::HashSet;

/// How large a picture with these bytes is shown. One without a size of its own is not wider than `room`.
pub(crate) fn extent(picture: &Picture, bytes: &[u8], room: Length) -> (Length, Length) {
    let (width, height) = match media::size(bytes) {
        Some(size) => {
            let (across, down) = size.density.unwrap_or((96.0, 96.0));
            (
                Length::inches(f64::from(size.width) / across),
                Length::inches(f64::from(size.height) / down),
            )
        }
        None => (Length::inches(2.0), Length::inches(2.0)),
    };
    let ratio = width.to_points().max(0.01) / height.to_points().max(0.01);
    match (picture.width, picture.height) {
        (Some(width), Some(height)) => (width, height),
        (Some(width), None) => (width, width.scaled(1.0 / ratio)),
        (None, Some(height)) => (height.scaled(ratio), height),
        (None, None) if width > room => (room, room.scaled(1.0 / ratio)),
        (None, None) => (width, height),
    }
}

/// The widths of the columns. Where nobody says, what is left is shared out evenly.
pub(crate) fn column_widths(table: &Table, room: Length) -> Vec<Length> {
    let whole = match table.width {
        Some(Width::Fixed(width)) => width,
        Some(Width::Share(share)) => room.scaled(f64::from(share)),
        None => room,
    };
    let known = |width: Option<Width>| match width? {
        Width::Fixed(width) => Some(width),
        Width::Share(share) => Some(whole.scaled(f64::from(share))),
    };
    let widths: Vec<Option<Length>> = table
        .columns
        .iter()
        .map(|column| known(column.width))
        .collect();
    let taken = widths
        .iter()
        .flatten()
        .fold(Length::ZERO, |sum, width| sum + *width);
    let open = widths.iter().filter(|width| width.is_none()).count().max(1);
    let share = (whole - taken)
        .scaled(1.0 / open as f64)
        .max(Length::twips(144));
    widths
        .into_iter()
        .map(|width| width.unwrap_or(share))
        .collect()
}

/// The names of places that links in a document lead to. A list of contents leads to all headings.
pub(crate) fn targets(document: &Document, contents: bool) -> HashSet<&str> {
    let mut targets = HashSet::new();
    let notes = document.notes().iter().map(|note| &note.blocks);
    let sections = document.sections().iter().map(|section| &section.blocks);
    for blocks in sections.chain(notes) {
        each_inline(blocks, &mut |inline| {
            if let Inline::Link(link) = inline
                && let Some(name) = link.bookmark()
            {
                targets.insert(name);
            }
        });
        each_block(blocks, &mut |block| {
            if let Block::Heading(heading) = block
                && contents
            {
                targets.insert(&*heading.id);
            }
        });
    }
    targets
}

/// What a style says, and what was said before where it says nothing.
pub(crate) fn over(before: &TextStyle, own: &TextStyle) -> TextStyle {
    TextStyle {
        font: own.font.clone().or_else(|| before.font.clone()),
        size: own.size.or(before.size),
        colour: own.colour.or(before.colour),
        background: own.background.or(before.background),
        language: own.language.clone().or_else(|| before.language.clone()),
        direction: own.direction.or(before.direction),
        capitals: own.capitals || before.capitals,
        bold: own.bold.or(before.bold),
        italic: own.italic.or(before.italic),
    }
}

/// Whether the numbers of all headings are those that programs would count themselves (1, 1.1, 2), and then whether a period ends
/// them. None if there are none, or others: these are written as text.
pub(crate) fn heading_numbers(document: &Document) -> Option<bool> {
    let mut counts = [0_u32; 9];
    let mut period = None;
    let mut counted = true;
    for section in document.sections() {
        each_block(&section.blocks, &mut |block| {
            let Block::Heading(heading) = block else {
                return;
            };
            let level = usize::from(heading.level.clamp(1, 9)) - 1;
            counts[level] += 1;
            counts[level + 1..].fill(0);
            let Some(label) = heading.label.as_deref() else {
                counted = false;
                return;
            };
            let numbers: Vec<String> = counts[..=level]
                .iter()
                .map(|count| (*count).max(1).to_string())
                .collect();
            let bare = label.strip_suffix('.').unwrap_or(label);
            let ends = label.ends_with('.');
            counted &= bare == numbers.join(".") && *period.get_or_insert(ends) == ends;
        });
    }
    period.filter(|_| counted)
}

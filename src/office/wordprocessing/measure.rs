//! Sizes that a document does not state, and facts about a whole document that writers need in advance. Writes no file.

use convertd_tree::{
    Block, Document, Inline, Length, Picture, Table, TextStyle, Width, each_block, each_inline,
    media,
};
use std::collections::HashSet;

/// Returns the width and height at which a picture is shown. If the document states neither, they are computed from the
/// pixel density of the picture, and limited to `max_width`. A picture of unknown size is two inches wide and high.
pub fn extent(picture: &Picture, bytes: &[u8], max_width: Length) -> (Length, Length) {
    let (width, height) = match media::size(bytes).or_else(|| media::units(bytes)) {
        Some(size) => {
            let (across, down) = size.density.unwrap_or((96.0, 96.0));
            (
                Length::inches(f64::from(size.width) / across),
                Length::inches(f64::from(size.height) / down),
            )
        }
        None => (Length::inches(2.0), Length::inches(2.0)),
    };
    // The missing side follows from the stated side and the ratio.
    let ratio = width.to_points().max(0.01) / height.to_points().max(0.01);
    match (picture.width, picture.height) {
        (Some(width), Some(height)) => (width, height),
        (Some(width), None) => (width, width.scaled(1.0 / ratio)),
        (None, Some(height)) => (height.scaled(ratio), height),
        (None, None) if width > max_width => (max_width, max_width.scaled(1.0 / ratio)),
        (None, None) => (width, height),
    }
}

/// Computes the widths of a table's columns. Columns without a width share the remaining width evenly, but are at least
/// a tenth of an inch wide. `text_width` is the width of the text around the table.
pub fn column_widths(table: &Table, text_width: Length) -> Vec<Length> {
    let whole = match table.width {
        Some(Width::Fixed(width)) => width,
        Some(Width::Share(share)) => text_width.scaled(f64::from(share)),
        None => text_width,
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
    // Number of columns without a width.
    let open = widths.iter().filter(|width| width.is_none()).count().max(1);
    let share = (whole - taken)
        .scaled(1.0 / open as f64)
        .max(Length::twips(144));
    widths
        .into_iter()
        .map(|width| width.unwrap_or(share))
        .collect()
}

/// Returns the names of all bookmarks that are targets of links. With a table of contents (`contents`), all headings
/// are targets.
pub(super) fn targets(document: &Document, contents: bool) -> HashSet<&str> {
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

/// Combines two text styles. Properties of `own` take precedence over those of `before`; the result has capitals or an
/// outline if either style has them.
pub fn over(before: &TextStyle, own: &TextStyle) -> TextStyle {
    TextStyle {
        font: own.font.clone().or_else(|| before.font.clone()),
        size: own.size.or(before.size),
        colour: own.colour.or(before.colour),
        background: own.background.or(before.background),
        language: own.language.clone().or_else(|| before.language.clone()),
        direction: own.direction.or(before.direction),
        capitals: own.capitals || before.capitals,
        outlined: own.outlined || before.outlined,
        underline: own.underline.or(before.underline),
        emphasis: own.emphasis.or(before.emphasis),
        border: own.border.or(before.border),
        spacing: own.spacing.or(before.spacing),
        scale: own.scale.or(before.scale),
        raised: own.raised.or(before.raised),
        kerned_from: own.kerned_from.or(before.kerned_from),
        ligatures: own.ligatures.or(before.ligatures),
        bold: own.bold.or(before.bold),
        italic: own.italic.or(before.italic),
    }
}

/// Returns a text style without the properties that have the same value in `base`.
pub fn without(own: TextStyle, base: &TextStyle) -> TextStyle {
    fn other<T: PartialEq>(own: Option<T>, base: &Option<T>) -> Option<T> {
        own.filter(|own| base.as_ref() != Some(own))
    }
    TextStyle {
        font: other(own.font, &base.font),
        size: other(own.size, &base.size),
        colour: other(own.colour, &base.colour),
        background: other(own.background, &base.background),
        language: other(own.language, &base.language),
        direction: other(own.direction, &base.direction),
        capitals: own.capitals && !base.capitals,
        outlined: own.outlined && !base.outlined,
        underline: other(own.underline, &base.underline),
        emphasis: other(own.emphasis, &base.emphasis),
        border: other(own.border, &base.border),
        spacing: other(own.spacing, &base.spacing),
        scale: other(own.scale, &base.scale),
        raised: other(own.raised, &base.raised),
        kerned_from: other(own.kerned_from, &base.kerned_from),
        ligatures: other(own.ligatures, &base.ligatures),
        bold: other(own.bold, &base.bold),
        italic: other(own.italic, &base.italic),
    }
}

/// Returns `Some` if all headings have the numbers that a word processor would generate (1, 1.1, 2), so that a writer
/// can use automatic numbering. The value is whether a period ends the numbers. `None` if headings have no numbers, or
/// have other numbers, which writers write as text.
pub(super) fn heading_numbers(document: &Document) -> Option<bool> {
    let mut counts = [0_u32; 9];
    let mut period = None;
    let mut counted = true;
    for section in document.sections() {
        each_block(&section.blocks, &mut |block| {
            let Block::Heading(heading) = block else {
                return;
            };
            let level = usize::from(heading.level.clamp(1, 9)) - 1;
            // Counters of deeper levels restart.
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
            // The number without its final period, and whether it has one.
            let bare = label.strip_suffix('.').unwrap_or(label);
            let ends = label.ends_with('.');
            counted &= bare == numbers.join(".") && *period.get_or_insert(ends) == ends;
        });
    }
    period.filter(|_| counted)
}

//! Sets the title block and the table of contents in front of the text.

use super::{
    context::{Flow, Layout, Place},
    look::QUIET,
};
use crate::error::Result;
use convertd_tree::{
    Alignment, Block, Inline, Link, Mark, Paragraph, ParagraphStyle, contents::Entry,
};
use std::{collections::HashMap, rc::Rc};

/// Sets title, subtitle, authors and date, if the document shows them. Uses the paragraph styles
/// with these names if the document has them.
pub fn title(layout: &mut Layout<'_>, place: &Place, flow: &mut Flow<'_>) -> Result<()> {
    let metadata = &layout.document.metadata;
    if !metadata.title_block {
        return Ok(());
    }
    let authors = (!metadata.authors.is_empty()).then(|| metadata.authors.join(", "));
    // Text, name of its style, size relative to the title, and whether it is bold.
    let lines = [
        (&metadata.title, "title", 1.0, true),
        (&metadata.subtitle, "subtitle", 0.6, false),
        (&authors, "author", 0.5, false),
        (&metadata.date, "date", 0.5, false),
    ];
    let mut plain = false;
    for (text, name, scale, bold) in lines {
        let Some(text) = text.as_deref().filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        let content = vec![Inline::Text(text.to_owned())];
        // The document's own style, if it has one of this name.
        let is_called = |style: &ParagraphStyle| {
            style
                .name
                .as_ref()
                .is_some_and(|own| own.eq_ignore_ascii_case(name))
        };
        let style = layout
            .document
            .paragraph_styles()
            .find(|(_, style)| is_called(style));
        if let Some((style, _)) = style {
            layout.blocks(
                &[Block::Paragraph(Paragraph { style, content })],
                place,
                flow,
            )?;
            continue;
        }
        // Otherwise in this writer's formatting: the title in 2.2 times the size of the text.
        let mut within = place.clone();
        let mut look = (*place.look).clone();
        look.size = (place.look.size * 2.2 * scale).max(place.look.size);
        look.bold = bold;
        if !bold {
            look.colour = QUIET;
        }
        within.look = Rc::new(look);
        within.after = if bold { 6.0 } else { 2.0 };
        let paragraph = Paragraph {
            content,
            ..Paragraph::default()
        };
        layout.blocks(&[Block::Paragraph(paragraph)], &within, flow)?;
        plain = true;
    }
    if plain {
        flow.space(22.0);
    }
    Ok(())
}

/// Sets the table of contents. `pages` has page numbers by heading id; empty in the first pass.
pub fn contents(
    layout: &mut Layout<'_>,
    entries: &[Entry],
    pages: &HashMap<Rc<str>, String>,
    place: &Place,
    flow: &mut Flow<'_>,
) -> Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    level(layout, entries, pages, 0, place, flow)?;
    flow.space(20.0);
    Ok(())
}

/// Sets entries and those below them, each level further indented.
fn level(
    layout: &mut Layout<'_>,
    entries: &[Entry],
    pages: &HashMap<Rc<str>, String>,
    depth: u8,
    place: &Place,
    flow: &mut Flow<'_>,
) -> Result<()> {
    for entry in entries {
        let mut within = place.clone();
        // Indent in points for each level.
        let indent = 16.0 * f32::from(depth);
        within.left += indent;
        within.width -= indent;
        within.after = if depth == 0 { 3.0 } else { 1.5 };
        within.alignment = Alignment::Start;
        // Page numbers are unknown in the first pass; a digit holds their place.
        let number = pages.get(&*entry.id).map_or("0", String::as_str);
        let mut text = vec![Inline::Text(format!("{}\t{number}", entry.text))];
        if depth == 0 {
            text = vec![Inline::Marked(Mark::Strong, text)];
        }
        let link = Link {
            target: format!("#{}", entry.id).into(),
            title: Box::default(),
            content: text,
        };
        layout.contents_line(vec![Inline::Link(Box::new(link))], &within, flow)?;
        level(layout, &entry.below, pages, depth + 1, place, flow)?;
    }
    Ok(())
}

//! Sets the title block and the table of contents in front of the text.

use super::{
    context::{BlockContext, Flow, Layout},
    text_format::QUIET,
};
use crate::error::Result;
use convertd_tree::{
    Alignment, Block, Inline, Link, Mark, Paragraph, ParagraphStyle, contents::Entry,
};
use std::{collections::HashMap, rc::Rc};

/// Sets title, subtitle, authors and date, if the document shows them. Each has the paragraph style of its name, if the
/// document has such a style.
pub fn title(layout: &mut Layout<'_>, context: &BlockContext, flow: &mut Flow<'_>) -> Result<()> {
    let metadata = &layout.document.metadata;
    if !metadata.title_block {
        return Ok(());
    }
    let authors = (!metadata.authors.is_empty()).then(|| metadata.authors.join(", "));
    // For each line: its text, the name of its style, its size relative to the title, and whether it is bold.
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
        // The document's own style of this name, if there is one.
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
                context,
                flow,
            )?;
            continue;
        }
        // Without such a style, the line gets this program's own formatting, in which the title is 2.2 times as large
        // as the text.
        let mut within = context.clone();
        let mut text_format = (*context.text_format).clone();
        text_format.size = (context.text_format.size * 2.2 * scale).max(context.text_format.size);
        text_format.bold = bold;
        if !bold {
            text_format.colour = QUIET;
        }
        within.text_format = Rc::new(text_format);
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

/// Sets the table of contents. `pages` contains page numbers by heading id, and is empty in the first pass.
pub fn contents(
    layout: &mut Layout<'_>,
    entries: &[Entry],
    pages: &HashMap<Rc<str>, String>,
    context: &BlockContext,
    flow: &mut Flow<'_>,
) -> Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    level(layout, entries, pages, 0, context, flow)?;
    flow.space(20.0);
    Ok(())
}

/// Sets entries and the entries below them, with a larger indent for each level.
fn level(
    layout: &mut Layout<'_>,
    entries: &[Entry],
    pages: &HashMap<Rc<str>, String>,
    depth: u8,
    context: &BlockContext,
    flow: &mut Flow<'_>,
) -> Result<()> {
    for entry in entries {
        let mut within = context.clone();
        // An indent of 16 points for each level.
        let indent = 16.0 * f32::from(depth);
        within.left += indent;
        within.width -= indent;
        within.after = if depth == 0 { 3.0 } else { 1.5 };
        within.alignment = Alignment::Start;
        // Page numbers are unknown in the first pass, where one digit takes their place.
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
        level(layout, &entry.below, pages, depth + 1, context, flow)?;
    }
    Ok(())
}
